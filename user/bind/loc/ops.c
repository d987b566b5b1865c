// SPDX-License-Identifier: GPL-2.0
/*
 * Operations of location expressions (DWARF 5, 2.5 and 2.6). A number without a
 * type has the size of an address; where its sign matters it has one, but for
 * the remainder and the shift to the right.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "base/array.h"
#include "bind/loc/machine.h"
#include "dwarf/func.h"

#define GENERIC_SIZE 8

/* ---- numbers ------------------------------------------------------------------------ */

static bool op_literal(struct loc_machine *m, const Dwarf_Op *op)
{
	return loc_push(m, loc_number(m, op->atom - DW_OP_lit0));
}

static bool op_constant(struct loc_machine *m, const Dwarf_Op *op)
{
	return loc_push(m, loc_number(m, op->number));
}

static bool push_address(struct loc_machine *m, uint64_t address)
{
	if (!m->site->is_user) {
		switch (debug_map_find(m->site->map, address).kind) {
		case DEBUG_AREA_FREED:
			return loc_fail(m, LOC_FREED);
		case DEBUG_AREA_UNKNOWN:
			return loc_fail(m, LOC_UNKNOWN);
		default:
			break;
		}
	}
	return loc_push(m, loc_address(m, address));
}

static bool op_address(struct loc_machine *m, const Dwarf_Op *op)
{
	return push_address(m, op->number);
}

/* The table of addresses of a unit has both. */
static bool get_indexed(struct loc_machine *m, const Dwarf_Op *op,
			Dwarf_Attribute *ret)
{
	return (m->attr && !dwarf_getlocation_attr(m->attr, op, ret)) ||
	       loc_fail(m, LOC_DAMAGED);
}

static bool op_address_index(struct loc_machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Addr address;

	if (!get_indexed(m, op, &attr))
		return false;
	if (dwarf_formaddr(&attr, &address))
		return loc_fail(m, LOC_DAMAGED);
	return push_address(m, address);
}

static bool op_constant_index(struct loc_machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!get_indexed(m, op, &attr))
		return false;
	if (dwarf_formudata(&attr, &value))
		return loc_fail(m, LOC_DAMAGED);
	return loc_push(m, loc_number(m, value));
}

/* ---- registers ---------------------------------------------------------------------- */

/* DWARF's numbers of registers are each architecture's own. */
static bool get_reg(struct loc_machine *m, uint64_t number, unsigned int *ret)
{
	if (number >= m->arch->nr_dwarf_regs)
		return loc_fail(m, number - m->arch->dwarf_vector <
					   m->arch->nr_dwarf_vector ?
				       LOC_VECTOR : LOC_REGISTER);
	*ret = m->arch->dwarf_regs[number];
	return true;
}

static bool push_reg(struct loc_machine *m, uint64_t number, uint64_t offset)
{
	unsigned int index = 0;

	return get_reg(m, number, &index) &&
	       loc_push(m, loc_add(m, loc_reg(m, index), offset));
}

static bool op_register(struct loc_machine *m, const Dwarf_Op *op)
{
	m->state = STATE_REGISTER;
	if (op->atom == DW_OP_regx)
		return push_reg(m, op->number, 0);
	return push_reg(m, op->atom - DW_OP_reg0, 0);
}

static bool op_based(struct loc_machine *m, const Dwarf_Op *op)
{
	if (op->atom == DW_OP_bregx)
		return push_reg(m, op->number, op->number2);
	return push_reg(m, op->atom - DW_OP_breg0, op->number);
}

static bool op_frame_address(struct loc_machine *m, const Dwarf_Op *op)
{
	struct term *cfa = loc_cfa(m);

	return cfa && loc_push(m, cfa);
}

/* Where a function keeps its variables is said by itself, not by what is in it. */
static bool op_frame_base(struct loc_machine *m, const Dwarf_Op *op)
{
	Dwarf_Die owner = m->site->func.owner;
	uint64_t pc = debug_to_dwarf(m->site->dbg, m->site->address);
	Dwarf_Attribute attr;
	struct term *base;
	Dwarf_Op *ops;
	size_t nr;

	if (!dwarf_attr_integrate(&owner, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, pc, &ops, &nr, 1) <= 0)
		return loc_fail(m, LOC_FRAME);
	if (nr && ops[0].atom == DW_OP_fbreg)
		return loc_fail(m, LOC_DAMAGED);
	base = loc_value(m, &attr, ops, nr);
	return base && loc_push(m, loc_add(m, base, op->number));
}

/* ---- the stack ---------------------------------------------------------------------- */

static bool push_item(struct loc_machine *m, struct loc_item item)
{
	if (!loc_push(m, item.term))
		return false;
	m->stack[m->depth - 1].size = item.size;
	m->stack[m->depth - 1].is_signed = item.is_signed;
	return true;
}

static bool pick(struct loc_machine *m, uint64_t number)
{
	struct loc_item item;

	if (number >= m->depth)
		return loc_fail(m, LOC_DAMAGED);
	item = m->stack[m->depth - 1 - number];
	item.term = term_copy(item.term);
	return push_item(m, item);
}

static bool op_dup(struct loc_machine *m, const Dwarf_Op *op)
{
	return pick(m, 0);
}

static bool op_over(struct loc_machine *m, const Dwarf_Op *op)
{
	return pick(m, 1);
}

static bool op_pick(struct loc_machine *m, const Dwarf_Op *op)
{
	return pick(m, op->number);
}

static bool op_drop(struct loc_machine *m, const Dwarf_Op *op)
{
	struct loc_item item;

	if (!loc_pop(m, &item))
		return false;
	term_free(item.term);
	return true;
}

/* The top goes below the @nr - 1 elements that were under it. */
static bool rotate(struct loc_machine *m, unsigned int nr)
{
	struct loc_item *top, item;
	unsigned int i;

	if (m->depth < nr)
		return loc_fail(m, LOC_DAMAGED);
	top = &m->stack[m->depth - 1];
	item = *top;
	for (i = 0; i < nr - 1; i++)
		top[-(int)i] = top[-(int)i - 1];
	top[-(int)(nr - 1)] = item;
	return true;
}

static bool op_swap(struct loc_machine *m, const Dwarf_Op *op)
{
	return rotate(m, 2);
}

static bool op_rot(struct loc_machine *m, const Dwarf_Op *op)
{
	return rotate(m, 3);
}

/* ---- types -------------------------------------------------------------------------- */

/* The base type that an operation names; without one, that of an address. */
static bool get_type(struct loc_machine *m, const Dwarf_Op *op,
		     struct loc_item *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding, size;
	Dwarf_Die die;

	ret->size = 0;
	ret->is_signed = false;
	if (!m->attr || dwarf_getlocation_die(m->attr, op, &die))
		return loc_fail(m, LOC_DAMAGED);
	if (dwarf_tag(&die) != DW_TAG_base_type)
		return true;
	if (!dwarf_attr(&die, DW_AT_encoding, &attr) ||
	    dwarf_formudata(&attr, &encoding) ||
	    dwarf_aggregate_size(&die, &size))
		return loc_fail(m, LOC_DAMAGED);
	if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float ||
	    !size || size > 8 || size & (size - 1))
		return loc_fail(m, LOC_FLOAT);
	ret->size = size;
	ret->is_signed = encoding == DW_ATE_signed ||
			 encoding == DW_ATE_signed_char;
	return true;
}

/* Cut to the size of its type, as C does with each result. */
static bool push_typed(struct loc_machine *m, struct loc_item item)
{
	if (item.size)
		item.term = loc_cast(m, item.term, item.size, item.is_signed);
	return push_item(m, item);
}

static bool op_convert(struct loc_machine *m, const Dwarf_Op *op)
{
	struct loc_item type = {}, item;

	/* 0 is the type of an address */
	if (op->number && !get_type(m, op, &type))
		return false;
	if (!loc_pop(m, &item))
		return false;
	type.term = item.term;
	return push_typed(m, type);
}

static bool op_typed_register(struct loc_machine *m, const Dwarf_Op *op)
{
	struct loc_item type = {};
	unsigned int index = 0;

	if (!get_type(m, op, &type) || !get_reg(m, op->number, &index))
		return false;
	type.term = loc_reg(m, index);
	return push_typed(m, type);
}

static uint64_t block_number(const Dwarf_Block *block)
{
	uint64_t value = 0;
	size_t i = block->length < 8 ? block->length : 8;

	while (i--)
		value = value << 8 | block->data[i];
	return value;
}

static bool op_typed_constant(struct loc_machine *m, const Dwarf_Op *op)
{
	struct loc_item type = {};
	Dwarf_Attribute attr;
	Dwarf_Block block;

	if (!get_type(m, op, &type))
		return false;
	if (dwarf_getlocation_attr(m->attr, op, &attr) ||
	    dwarf_formblock(&attr, &block) || block.length > 8)
		return loc_fail(m, LOC_DAMAGED);
	type.term = loc_number(m, block_number(&block));
	return push_typed(m, type);
}

/* ---- memory ------------------------------------------------------------------------- */

static bool load(struct loc_machine *m, uint64_t size, struct loc_item type)
{
	struct loc_item address;

	if (!size || size > 8 || size & (size - 1))
		return loc_fail(m, LOC_OPERATION);
	if (!loc_pop(m, &address))
		return false;
	type.term = loc_load(m, address.term, size);
	return push_typed(m, type);
}

static bool op_deref(struct loc_machine *m, const Dwarf_Op *op)
{
	return load(m, GENERIC_SIZE, (struct loc_item){});
}

static bool op_deref_size(struct loc_machine *m, const Dwarf_Op *op)
{
	return load(m, op->number, (struct loc_item){});
}

static bool op_deref_type(struct loc_machine *m, const Dwarf_Op *op)
{
	struct loc_item type = {};

	return get_type(m, op, &type) && load(m, op->number, type);
}

/* ---- arithmetic --------------------------------------------------------------------- */

/**
 * struct binary - an operation on two numbers
 * @op: as C has it
 * @sign: what numbers without a type are: with a sign, without, or no matter
 * @typed: what those with a type are: with or without, or as the type has it
 * @compares: it gives a number without a type
 */
struct binary {
	enum expr_op op;
	enum { AS_IS, UNSIGNED, SIGNED } sign, typed;
	bool compares;
};

static const struct binary binaries[] = {
	[DW_OP_and] = { OP_AND },
	[DW_OP_or] = { OP_OR },
	[DW_OP_xor] = { OP_XOR },
	[DW_OP_plus] = { OP_ADD },
	[DW_OP_minus] = { OP_SUB },
	[DW_OP_mul] = { OP_MUL },
	[DW_OP_div] = { OP_DIV, SIGNED },
	[DW_OP_mod] = { OP_MOD, UNSIGNED },
	[DW_OP_shl] = { OP_SHL },
	[DW_OP_shr] = { OP_SHR, UNSIGNED, UNSIGNED },
	[DW_OP_shra] = { OP_SHR, SIGNED, SIGNED },
	[DW_OP_eq] = { OP_EQ, AS_IS, AS_IS, true },
	[DW_OP_ne] = { OP_NE, AS_IS, AS_IS, true },
	[DW_OP_lt] = { OP_LT, SIGNED, AS_IS, true },
	[DW_OP_le] = { OP_LE, SIGNED, AS_IS, true },
	[DW_OP_gt] = { OP_GT, SIGNED, AS_IS, true },
	[DW_OP_ge] = { OP_GE, SIGNED, AS_IS, true },
};

/* With the sign that the operation wants. */
static struct term *with_sign(const struct loc_machine *m,
			      const struct binary *b,
			      const struct loc_item *item)
{
	unsigned int sign = item->size ? b->typed : b->sign;
	unsigned int size = item->size ? item->size : GENERIC_SIZE;

	if (sign == AS_IS)
		return item->term;
	return loc_cast(m, item->term, size, sign == SIGNED);
}

static bool op_binary(struct loc_machine *m, const Dwarf_Op *op)
{
	const struct binary *b = &binaries[op->atom];
	struct loc_item left, right, ret = {};

	if (!loc_pop(m, &right))
		return false;
	if (!loc_pop(m, &left)) {
		term_free(right.term);
		return false;
	}
	if (!b->compares) {
		ret.size = left.size;
		ret.is_signed = left.is_signed;
	}
	left.term = with_sign(m, b, &left);
	right.term = with_sign(m, b, &right);
	if (b->op == OP_ADD && right.term && right.term->kind == TERM_IMM) {
		ret.term = loc_add(m, left.term, (uint64_t)right.term->value);
		term_free(right.term);
	} else {
		ret.term = loc_binary(m, b->op, left.term, right.term);
	}
	return push_typed(m, ret);
}

static bool op_plus_constant(struct loc_machine *m, const Dwarf_Op *op)
{
	struct loc_item item;

	if (!loc_pop(m, &item))
		return false;
	item.term = loc_add(m, item.term, op->number);
	return push_typed(m, item);
}

static bool unary(struct loc_machine *m, enum expr_op op)
{
	struct loc_item item;

	if (!loc_pop(m, &item))
		return false;
	item.term = loc_unary(m, op, item.term);
	return push_typed(m, item);
}

static bool op_neg(struct loc_machine *m, const Dwarf_Op *op)
{
	return unary(m, OP_NEG);
}

static bool op_not(struct loc_machine *m, const Dwarf_Op *op)
{
	return unary(m, OP_INVERT);
}

static bool op_abs(struct loc_machine *m, const Dwarf_Op *op)
{
	struct term *x, *less;
	struct loc_item item;

	if (!loc_pop(m, &item))
		return false;
	x = loc_cast(m, item.term, item.size ? item.size : GENERIC_SIZE, true);
	less = loc_binary(m, OP_LT, term_copy(x), loc_number(m, 0));
	item.term = loc_cond(m, less, loc_unary(m, OP_NEG, term_copy(x)), x);
	return push_typed(m, item);
}

/* ---- what it describes -------------------------------------------------------------- */

static bool op_stack_value(struct loc_machine *m, const Dwarf_Op *op)
{
	m->state = STATE_VALUE;
	return m->depth || loc_fail(m, LOC_DAMAGED);
}

static bool put_piece(struct loc_machine *m, struct loc_piece piece)
{
	struct loc_piece *more = array_grow(m->loc.piece, m->loc.nr,
					    sizeof(*more));

	if (!more) {
		term_free(piece.term);
		return loc_no_memory(m);
	}
	m->loc.piece = more;
	more[m->loc.nr++] = piece;
	return true;
}

/* What is described so far is @bits bits; what comes next is something else. */
static bool end_piece(struct loc_machine *m, uint64_t bits, uint64_t shift)
{
	struct loc_piece piece = { LOC_NUMBER, NULL, bits, shift };
	struct loc_item item;

	/* a pointer that is nowhere is nothing that could be put together */
	if (m->depth && m->state != STATE_POINTER) {
		if (!loc_pop(m, &item))
			return false;
		piece.term = item.term;
		if (m->state == STATE_NONE)
			piece.kind = LOC_MEMORY;
	}
	m->state = STATE_NONE;
	return put_piece(m, piece);
}

static bool op_piece(struct loc_machine *m, const Dwarf_Op *op)
{
	if (op->number > UINT32_MAX)
		return loc_fail(m, LOC_DAMAGED);
	return end_piece(m, op->number * 8, 0);
}

static bool op_bit_piece(struct loc_machine *m, const Dwarf_Op *op)
{
	if (op->number > UINT32_MAX || op->number2 > UINT32_MAX)
		return loc_fail(m, LOC_DAMAGED);
	return end_piece(m, op->number, op->number2);
}

/* One piece of up to 8 bytes. */
static bool bytes_piece(struct loc_machine *m, const Dwarf_Block *block)
{
	size_t size = block->length < 8 ? block->length : 8;

	m->state = STATE_VALUE;
	return loc_push(m, loc_number(m, block_number(block))) &&
	       end_piece(m, size * 8, 0);
}

bool loc_bytes(struct loc_machine *m, const Dwarf_Block *block)
{
	Dwarf_Block rest = *block;

	if (m->loc.nr || rest.length <= 8) {
		m->state = STATE_VALUE;
		return loc_push(m, loc_number(m, block_number(&rest)));
	}
	while (rest.length) {
		size_t size = rest.length < 8 ? rest.length : 8;

		if (!bytes_piece(m, &rest))
			return false;
		rest.data += size;
		rest.length -= size;
	}
	return true;
}

static bool op_implicit_value(struct loc_machine *m, const Dwarf_Op *op)
{
	Dwarf_Block block;

	if (!m->attr || dwarf_getlocation_implicit_value(m->attr, op, &block))
		return loc_fail(m, LOC_DAMAGED);
	/* a piece of more is written by nobody */
	if (m->loc.nr && block.length > 8)
		return loc_fail(m, LOC_OPERATION);
	return loc_bytes(m, &block);
}

static bool op_implicit_pointer(struct loc_machine *m, const Dwarf_Op *op)
{
	if (!m->attr ||
	    dwarf_getlocation_die(m->attr, op, &m->loc.target))
		return loc_fail(m, LOC_DAMAGED);
	m->state = STATE_POINTER;
	m->loc.offset = (int64_t)op->number2;
	return true;
}

/* ---- what registers had at the entry -------------------------------------------------- */

/* The register of DW_OP_entry_value(DW_OP_reg N), which is what compilers write; of
 * floating-point numbers they write DW_OP_regval_type, with a vector register.
 */
static bool get_entry_reg(struct loc_machine *m, const Dwarf_Op *op,
			  unsigned int *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	if (!m->attr || dwarf_getlocation_attr(m->attr, op, &attr) ||
	    dwarf_getlocation(&attr, &ops, &nr))
		return loc_fail(m, LOC_DAMAGED);
	if (nr == 1 && ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31)
		return get_reg(m, ops->atom - DW_OP_reg0, ret);
	if (nr == 1 && ops->atom == DW_OP_regx)
		return get_reg(m, ops->number, ret);
	if (nr == 1 && (ops->atom == DW_OP_regval_type ||
			ops->atom == DW_OP_GNU_regval_type) &&
	    !get_reg(m, ops->number, ret))
		return false;
	return loc_fail(m, LOC_OPERATION);
}

static bool op_entry_value(struct loc_machine *m, const Dwarf_Op *op)
{
	const struct site *site = m->site;
	Dwarf_Die owner = site->func.owner;
	unsigned int index = 0;
	struct term *cfa;
	uint64_t entry;

	if (!get_entry_reg(m, op, &index))
		return false;
	if (!debug_entry(site->dbg, &owner, &entry))
		return loc_fail(m, LOC_FRAME);
	if (debug_first(site->dbg, &site->func, entry) == site->address)
		return loc_push(m, loc_reg(m, index));
	cfa = loc_cfa(m);
	return cfa && loc_push(m, loc_frame(m, cfa, index));
}

static bool op_parameter(struct loc_machine *m, const Dwarf_Op *op)
{
	return loc_fail(m, LOC_PARAMETER);
}

/*
 * From the thread pointer to a program's own thread-local variables: linkers know
 * it, because a program comes first. Where those of a library are only the dynamic
 * linker knows.
 */
static uint64_t first_thread_local(const struct loc_machine *m,
				   const struct debug_threads *own)
{
	uint64_t head = m->arch->thread_head;

	if (head)
		return head + ((own->address - head) & (own->align - 1));
	return -(own->size + (-(own->address + own->size) & (own->align - 1)));
}

/* In a unit's table of addresses clang has the offset of what each thread has, as
 * everywhere else, and gcc its address in the file.
 */
static bool to_offset(const struct debug_threads *own, bool is_indexed,
		      uint64_t *value)
{
	bool is_offset = *value < own->size;
	bool is_address = is_indexed && *value - own->address < own->size;

	if (is_address)
		*value -= own->address;
	return is_offset != is_address;
}

static bool is_indexed(const struct loc_machine *m, const Dwarf_Op *op)
{
	return op > m->ops && (op[-1].atom == DW_OP_constx ||
			       op[-1].atom == DW_OP_GNU_const_index);
}

bool loc_thread(struct loc_machine *m, uint64_t offset, bool is_indexed)
{
	struct debug_threads own;

	if (!m->site->is_user || !debug_threads(m->site->dbg, &own))
		return loc_fail(m, LOC_THREAD);
	if (!to_offset(&own, is_indexed, &offset))
		return loc_fail(m, LOC_DAMAGED);
	return loc_push(m, loc_add(m, loc_ctx(m, KTAP_CTX_THREAD),
				   first_thread_local(m, &own) + offset));
}

static bool op_thread(struct loc_machine *m, const Dwarf_Op *op)
{
	struct loc_item item;
	uint64_t offset;
	bool is_number;

	if (!loc_pop(m, &item))
		return false;
	offset = (uint64_t)item.term->value;
	is_number = item.term->kind == TERM_IMM;
	term_free(item.term);
	return is_number ? loc_thread(m, offset, is_indexed(m, op)) :
			   loc_fail(m, LOC_OPERATION);
}

static bool op_nothing(struct loc_machine *m, const Dwarf_Op *op)
{
	return true;
}

/* ---- all of them ------------------------------------------------------------------------ */

static const loc_op_fn ops[256] = {
	[DW_OP_addr] = op_address,
	[DW_OP_addrx] = op_address_index,
	[DW_OP_GNU_addr_index] = op_address_index,
	[DW_OP_constx] = op_constant_index,
	[DW_OP_GNU_const_index] = op_constant_index,
	[DW_OP_lit0 ... DW_OP_lit31] = op_literal,
	[DW_OP_const1u ... DW_OP_consts] = op_constant,
	[DW_OP_const_type] = op_typed_constant,
	[DW_OP_GNU_const_type] = op_typed_constant,
	[DW_OP_reg0 ... DW_OP_reg31] = op_register,
	[DW_OP_regx] = op_register,
	[DW_OP_breg0 ... DW_OP_breg31] = op_based,
	[DW_OP_bregx] = op_based,
	[DW_OP_regval_type] = op_typed_register,
	[DW_OP_GNU_regval_type] = op_typed_register,
	[DW_OP_fbreg] = op_frame_base,
	[DW_OP_call_frame_cfa] = op_frame_address,
	[DW_OP_dup] = op_dup,
	[DW_OP_drop] = op_drop,
	[DW_OP_over] = op_over,
	[DW_OP_pick] = op_pick,
	[DW_OP_swap] = op_swap,
	[DW_OP_rot] = op_rot,
	[DW_OP_deref] = op_deref,
	[DW_OP_deref_size] = op_deref_size,
	[DW_OP_deref_type] = op_deref_type,
	[DW_OP_GNU_deref_type] = op_deref_type,
	[DW_OP_convert] = op_convert,
	[DW_OP_GNU_convert] = op_convert,
	[DW_OP_reinterpret] = op_convert,
	[DW_OP_GNU_reinterpret] = op_convert,
	[DW_OP_and ... DW_OP_div] = op_binary,
	[DW_OP_minus ... DW_OP_mul] = op_binary,
	[DW_OP_or ... DW_OP_plus] = op_binary,
	[DW_OP_shl ... DW_OP_xor] = op_binary,
	[DW_OP_eq ... DW_OP_ne] = op_binary,
	[DW_OP_plus_uconst] = op_plus_constant,
	[DW_OP_abs] = op_abs,
	[DW_OP_neg] = op_neg,
	[DW_OP_not] = op_not,
	[DW_OP_stack_value] = op_stack_value,
	[DW_OP_piece] = op_piece,
	[DW_OP_bit_piece] = op_bit_piece,
	[DW_OP_implicit_value] = op_implicit_value,
	[DW_OP_implicit_pointer] = op_implicit_pointer,
	[DW_OP_GNU_implicit_pointer] = op_implicit_pointer,
	[DW_OP_entry_value] = op_entry_value,
	[DW_OP_GNU_entry_value] = op_entry_value,
	[DW_OP_GNU_parameter_ref] = op_parameter,
	[DW_OP_form_tls_address] = op_thread,
	[DW_OP_GNU_push_tls_address] = op_thread,
	[DW_OP_nop] = op_nothing,
	[DW_OP_GNU_uninit] = op_nothing,
};

loc_op_fn loc_op(unsigned int atom)
{
	return atom < ARRAY_SIZE(ops) ? ops[atom] : NULL;
}
