// SPDX-License-Identifier: GPL-2.0
/*
 * Location expressions: each operation is translated, compiled, and run by the
 * module's own interpreter. What comes of it is worked out here by DWARF's words.
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c
 */
#include <dwarf.h>
#include <errno.h>
#include <unistd.h>

#include "bind/loc/loc.h"
#include "dwarf/var.h"
#include "tests/ran.h"

/* What the registers have. */
#define SI	0x8899aabbccddeeffULL
#define CX	(-7)
#define SP	0xffff888000008000ULL
#define BP	0xffff888000007000ULL
#define SLIDE	0x10000

static struct debug *dbg;
static char *file;
static bool met[LOC_NR];

/* ---- running what was translated ----------------------------------------------------- */

static void set_world(struct env_regs *regs)
{
	env_reset();
	env_map(KERNEL, &memory, sizeof(memory));
	regs->r[KTAP_X86_64_DI] = KERNEL;
	regs->r[KTAP_X86_64_SI] = SI;
	regs->r[KTAP_X86_64_CX] = (u64)CX;
	regs->r[KTAP_X86_64_R8] = 3;
	regs->r[KTAP_X86_64_SP] = SP;
	regs->r[KTAP_X86_64_BP] = BP;
}

/* The value of @e, in all of its bits. */
static u64 value_of(const char *name, struct term *e)
{
	struct term_arg arg = {
		.name = (char *)"v", .term = e,
		.type = { .kind = SHOW_HEX, .size = 8 },
	};
	struct terms terms = {
		.text = "", .is_bound = true, .args = &arg, .nr_args = 1,
	};
	struct place place = { .address = 0x401000 };
	struct env_regs regs = {};
	struct ktap_frame frame = { .regs = &regs };
	u8 payload[KTAP_RECORD_MAX] = {};
	struct ktap_prog_info info;
	struct program *program;
	u64 value = 0;
	u32 at;

	if (compile_probe(&terms, &place, NULL, X86, NULL, &program))
		fail_msg("%s: does not compile", name);
	assert_int_equal(ktap_verify(program->insns, program->nr_insns, NULL,
				     &info, &at), 0);
	set_world(&regs);
	assert_true(ktap_fetch_run(program->insns, &info, &frame, payload,
				   NULL) >= 0);
	assert_int_equal(program->layout->fields[0].size, 8);
	memcpy(&value, payload + program->layout->fields[0].offset, 8);
	program_free(program);
	return value;
}

static void check_value(const char *name, struct loc *loc, enum loc_kind kind,
			u64 value)
{
	u64 got;

	if (loc->kind != kind)
		fail_msg("%s: is of kind %d", name, loc->kind);
	got = value_of(name, loc->term);
	if (got != value)
		fail_msg("%s: 0x%llx, not 0x%llx", name,
			 (unsigned long long)got, (unsigned long long)value);
	loc_deinit(loc);
}

/* ---- expressions made by hand -------------------------------------------------------- */

#define OPS_MAX 16

struct row {
	const char *name;
	Dwarf_Op ops[OPS_MAX];
	enum loc_why why;
	enum loc_kind kind;
	u64 value;
};

/* An operation of one byte, with operands that take none; jumps have two. */
static size_t place_ops(Dwarf_Op *ops)
{
	size_t nr = 0, at = 0;

	for (; nr < OPS_MAX && ops[nr].atom; nr++) {
		ops[nr].offset = at;
		at += ops[nr].atom == DW_OP_bra || ops[nr].atom == DW_OP_skip ?
		      3 : 1;
	}
	return nr;
}

/* As a kernel is in memory */
static struct debug_area areas[] = {
	{ 0x100, 0x200, SLIDE, DEBUG_AREA_PERCPU },
	{ 0x280, 0x300, SLIDE, DEBUG_AREA_FREED },
	{ 0x300, 0x380, SLIDE, DEBUG_AREA_UNKNOWN },
	{ 0, 1ULL << 63, SLIDE, DEBUG_AREA_THERE },
};

static const struct debug_map map = { areas, ARRAY_SIZE(areas) };

static int translate(const Dwarf_Op *op, size_t nr, enum loc_why *why,
		     struct loc *ret)
{
	const struct site site = { .map = &map };
	const struct loc_ops ops = { op, nr };
	int err;

	*ret = (struct loc){};
	err = loc_translate(&site, arch_find(X86), NULL, &ops, (struct span){},
			    why, ret);
	met[*why] = true;
	return err;
}

static void check_row(const struct row *row)
{
	struct row r = *row;
	struct loc loc;
	enum loc_why why;
	size_t nr = place_ops(r.ops);
	int err = translate(r.ops, nr, &why, &loc);

	if (why != r.why)
		fail_msg("%s: %s", r.name, loc_why_text(why));
	assert_int_equal(err, why ? -ENODATA : 0);
	if (!why)
		check_value(r.name, &loc, r.kind, r.value);
}

static void check_rows(const struct row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		check_row(&rows[i]);
}

#define LIT(n)	{ .atom = DW_OP_lit0 + (n) }
#define OP(op)	{ .atom = DW_OP_##op }
#define OP1(op, n)	{ .atom = DW_OP_##op, .number = (n) }
#define OP2(op, n, m)	{ .atom = DW_OP_##op, .number = (n), .number2 = (m) }
#define VALUE	OP(stack_value)
#define NUMBER(name, value, ...) \
	{ name, { __VA_ARGS__, VALUE }, LOC_OK, LOC_NUMBER, (u64)(value) }
#define MEMORY(name, value, ...) \
	{ name, { __VA_ARGS__ }, LOC_OK, LOC_MEMORY, (u64)(value) }
#define REFUSED(name, why, ...) { name, { __VA_ARGS__ }, LOC_##why }

static void test_numbers(void **state)
{
	static const struct row rows[] = {
		NUMBER("lit0", 0, LIT(0)),
		NUMBER("lit31", 31, LIT(31)),
		NUMBER("const1u", 200, OP1(const1u, 200)),
		NUMBER("const1s", -3, OP1(const1s, (u64)-3)),
		NUMBER("const2u", 60000, OP1(const2u, 60000)),
		NUMBER("const2s", -300, OP1(const2s, (u64)-300)),
		NUMBER("const4u", 0xffffffff, OP1(const4u, 0xffffffff)),
		NUMBER("const4s", -70000, OP1(const4s, (u64)-70000)),
		NUMBER("const8u", ~0ULL, OP1(const8u, ~0ULL)),
		NUMBER("const8s", 1ULL << 63, OP1(const8s, 1ULL << 63)),
		NUMBER("constu", 1ULL << 40, OP1(constu, 1ULL << 40)),
		NUMBER("consts", -1, OP1(consts, (u64)-1)),
		MEMORY("addr", 0x1234 + SLIDE, OP1(addr, 0x1234)),
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_registers(void **state)
{
	static const struct row rows[] = {
		{ "reg4", { OP(reg4) }, LOC_OK, LOC_NUMBER, SI },
		{ "regx", { OP1(regx, 4) }, LOC_OK, LOC_NUMBER, SI },
		MEMORY("breg4", SI + 8, OP1(breg4, 8)),
		MEMORY("breg7", SP - 8, OP1(breg7, (u64)-8)),
		MEMORY("bregx", SI - 16, OP2(bregx, 4, (u64)-16)),
		NUMBER("breg, value", SI + 344, OP1(breg4, 344)),
		REFUSED("reg17", VECTOR, OP(reg17)),
		REFUSED("regx of none", REGISTER, OP1(regx, ~0ULL)),
		REFUSED("breg31", VECTOR, OP1(breg31, 0)),
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_stack(void **state)
{
	static const struct row rows[] = {
		NUMBER("dup", 6, LIT(3), OP(dup), OP(plus)),
		NUMBER("drop", 3, LIT(3), LIT(4), OP(drop)),
		NUMBER("over", 4 - 7, LIT(7), LIT(4), OP(over), OP(minus)),
		NUMBER("pick", 9 * 2, LIT(9), LIT(4), LIT(2), OP1(pick, 2),
		       OP(mul)),
		NUMBER("swap", 2 - 7, LIT(7), LIT(2), OP(swap), OP(minus)),
		/* 1 2 3 become 3 1 2: 1 - 2 is left, and then 3 - that */
		NUMBER("rot", 4, LIT(1), LIT(2), LIT(3), OP(rot), OP(minus),
		       OP(minus)),
		REFUSED("dup of nothing", DAMAGED, OP(dup)),
		REFUSED("drop of nothing", DAMAGED, OP(drop)),
		REFUSED("over one", DAMAGED, LIT(1), OP(over)),
		REFUSED("pick too deep", DAMAGED, LIT(1), OP1(pick, 1)),
		REFUSED("swap of one", DAMAGED, LIT(1), OP(swap)),
		REFUSED("rot of two", DAMAGED, LIT(1), LIT(2), OP(rot)),
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_memory(void **state)
{
	static const struct row rows[] = {
		NUMBER("deref", KERNEL + 16, OP1(breg5, 8), OP(deref)),
		NUMBER("deref twice", 0xfedcba9876543210, OP1(breg5, 8),
		       OP(deref), OP(deref)),
		NUMBER("deref_size", 0x3210, OP1(breg5, 16),
		       OP1(deref_size, 2)),
		NUMBER("deref_size 1", 0x10, OP1(breg5, 16),
		       OP1(deref_size, 1)),
		MEMORY("deref, memory", KERNEL + 20, OP1(breg5, 8), OP(deref),
		       OP1(plus_uconst, 4)),
		REFUSED("deref_size 3", OPERATION, OP1(breg5, 16),
			OP1(deref_size, 3)),
		REFUSED("deref of nothing", DAMAGED, OP(deref)),
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_arithmetic(void **state)
{
	static const struct row rows[] = {
		NUMBER("and", SI & 0xff0, OP1(breg4, 0), OP1(const2u, 0xff0),
		       OP(and)),
		NUMBER("or", SI | 0xff0, OP1(breg4, 0), OP1(const2u, 0xff0),
		       OP(or)),
		NUMBER("xor", SI ^ 0xff0, OP1(breg4, 0), OP1(const2u, 0xff0),
		       OP(xor)),
		NUMBER("plus", SI + SI, OP1(breg4, 0), OP1(breg4, 0), OP(plus)),
		NUMBER("plus a number", SI + 5, OP1(breg4, 0), LIT(5),
		       OP(plus)),
		NUMBER("minus", CX - 5, OP1(breg2, 0), LIT(5), OP(minus)),
		NUMBER("mul", CX * 5, OP1(breg2, 0), LIT(5), OP(mul)),
		/* signed; the remainder is not */
		NUMBER("div", -2, OP1(breg2, 0), LIT(3), OP(div)),
		NUMBER("mod", (u64)CX % 5, OP1(breg2, 0), LIT(5), OP(mod)),
		NUMBER("shl", SI << 4, OP1(breg4, 0), LIT(4), OP(shl)),
		NUMBER("shr", SI >> 4, OP1(breg4, 0), LIT(4), OP(shr)),
		NUMBER("shra", (s64)SI >> 4, OP1(breg4, 0), LIT(4), OP(shra)),
		NUMBER("plus_uconst", SI + 1000, OP1(breg4, 0),
		       OP1(plus_uconst, 1000)),
		NUMBER("abs", 7, OP1(breg2, 0), OP(abs)),
		NUMBER("abs of what is positive", 3, OP1(breg8, 0), OP(abs)),
		NUMBER("neg", 7, OP1(breg2, 0), OP(neg)),
		NUMBER("not", ~SI, OP1(breg4, 0), OP(not)),
		REFUSED("plus of one", DAMAGED, LIT(1), OP(plus)),
		REFUSED("plus of nothing", DAMAGED, OP(plus)),
		REFUSED("plus_uconst of nothing", DAMAGED, OP1(plus_uconst, 1)),
		REFUSED("abs of nothing", DAMAGED, OP(abs)),
		REFUSED("neg of nothing", DAMAGED, OP(neg)),
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

/* All of them signed: -7 is less than 3. */
static void test_comparisons(void **state)
{
	static const struct row rows[] = {
		NUMBER("eq", 0, OP1(breg2, 0), OP1(breg8, 0), OP(eq)),
		NUMBER("ne", 1, OP1(breg2, 0), OP1(breg8, 0), OP(ne)),
		NUMBER("lt", 1, OP1(breg2, 0), OP1(breg8, 0), OP(lt)),
		NUMBER("le", 1, OP1(breg2, 0), OP1(breg8, 0), OP(le)),
		NUMBER("gt", 0, OP1(breg2, 0), OP1(breg8, 0), OP(gt)),
		NUMBER("ge", 0, OP1(breg2, 0), OP1(breg8, 0), OP(ge)),
		NUMBER("le, equal", 1, OP1(breg8, 0), LIT(3), OP(le)),
		NUMBER("gt, large", 0, OP1(breg4, 0), OP1(breg8, 0), OP(gt)),
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_jumps(void **state)
{
	static const struct row rows[] = {
		/* r8 ? 2 : 1, and cx == 3 ? 2 : 1 */
		NUMBER("bra", 2, OP1(breg8, 0), OP1(bra, 4), LIT(1),
		       OP1(skip, 1), LIT(2)),
		NUMBER("bra, not taken", 1, OP1(breg2, 0), LIT(3), OP(eq),
		       OP1(bra, 4), LIT(1), OP1(skip, 1), LIT(2)),
		NUMBER("skip", 5, LIT(5), OP1(skip, 1), OP(neg)),
		MEMORY("skip to the end", 5, LIT(5), OP1(skip, 0)),
		REFUSED("back", LOOP, LIT(1), OP1(skip, (u64)-4)),
		REFUSED("to itself", LOOP, OP1(skip, (u64)-3)),
		REFUSED("into an operation", DAMAGED, OP1(skip, 1),
			OP1(skip, 0), OP(nop)),
		REFUSED("bra of nothing", DAMAGED, OP1(bra, 0), OP(nop)),
		REFUSED("bra over pieces", OPERATION, OP(reg4), OP1(piece, 8),
			LIT(1), OP1(bra, 0), OP(nop)),
		REFUSED("branches that differ", OPERATION, LIT(1),
			OP1(breg8, 0), OP1(bra, 1), VALUE, OP(nop)),
		REFUSED("a branch that fails", REGISTER, OP1(breg8, 0),
			OP1(bra, 4), LIT(1), OP1(skip, 1), OP1(regx, 99)),
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_refused(void **state)
{
	static const struct row rows[] = {
		NUMBER("nop", 1, LIT(1), OP(nop), OP(GNU_uninit)),
		REFUSED("nop alone", ABSENT, OP(nop)),
		REFUSED("a value of nothing", DAMAGED, VALUE),
		REFUSED("xderef", OPERATION, LIT(1), LIT(1), OP(xderef)),
		REFUSED("push_object_address", OPERATION,
			OP(push_object_address)),
		REFUSED("call2", OPERATION, OP1(call2, 0)),
		REFUSED("GNU_parameter_ref", PARAMETER,
			OP1(GNU_parameter_ref, 1), VALUE),
		REFUSED("form_tls_address", THREAD, LIT(1),
			OP(form_tls_address)),
		REFUSED("GNU_push_tls_address", THREAD, LIT(1),
			OP(GNU_push_tls_address)),
		REFUSED("what was freed", FREED, OP1(addr, 0x280)),
		REFUSED("what is nowhere", UNKNOWN, OP1(addr, 0x37f)),
		REFUSED("behind all", UNKNOWN, OP1(addr, 1ULL << 63)),
		/* these need the file that they are from */
		REFUSED("addrx", DAMAGED, OP(addrx)),
		REFUSED("constx", DAMAGED, OP(constx)),
		REFUSED("convert", DAMAGED, LIT(1), OP1(convert, 1)),
		REFUSED("implicit_value", DAMAGED, OP(implicit_value)),
		REFUSED("implicit_pointer", DAMAGED, OP(implicit_pointer)),
		REFUSED("entry_value", DAMAGED, OP(entry_value)),
		REFUSED("a piece too large", DAMAGED, OP(reg4),
			OP1(piece, 1ULL << 32)),
		REFUSED("bits too many", DAMAGED, OP(reg4),
			OP2(bit_piece, 8, 1ULL << 32)),
		REFUSED("left behind pieces", DAMAGED, OP(reg4),
			OP1(piece, 8), LIT(1)),
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_long(void **state)
{
	Dwarf_Op ops[300] = {};
	struct loc loc;
	enum loc_why why;
	size_t i;

	assert_int_equal(translate(ops, 0, &why, &loc), -ENODATA);
	assert_int_equal(why, LOC_ABSENT);
	for (i = 0; i < ARRAY_SIZE(ops); i++)
		ops[i] = (Dwarf_Op){ .atom = DW_OP_nop, .offset = i };
	ops[0].atom = DW_OP_lit1;
	assert_int_equal(translate(ops, 256, &why, &loc), 0);
	loc_deinit(&loc);
	assert_int_equal(translate(ops, 257, &why, &loc), -ENODATA);
	assert_int_equal(why, LOC_LONG);
	for (i = 0; i < 65; i++)
		ops[i].atom = DW_OP_lit1;
	assert_int_equal(translate(ops, 65, &why, &loc), -ENODATA);
	assert_int_equal(why, LOC_LONG);
}

static void test_pieces(void **state)
{
	static const Dwarf_Op ops[] = {
		OP(reg4), OP1(piece, 4), OP1(breg5, 16), OP1(piece, 8),
		OP1(piece, 2), LIT(5), VALUE, OP2(bit_piece, 3, 1),
	};
	struct loc loc;
	enum loc_why why;

	assert_int_equal(translate(ops, ARRAY_SIZE(ops), &why, &loc), 0);
	assert_int_equal(loc.kind, LOC_PIECES);
	assert_int_equal(loc.nr, 4);
	assert_int_equal(loc.piece[0].kind, LOC_NUMBER);
	assert_int_equal(loc.piece[0].bits, 32);
	assert_int_equal(value_of("piece", loc.piece[0].term), SI);
	assert_int_equal(loc.piece[1].kind, LOC_MEMORY);
	assert_int_equal(loc.piece[1].bits, 64);
	assert_int_equal(value_of("piece", loc.piece[1].term), KERNEL + 16);
	assert_null(loc.piece[2].term);
	assert_int_equal(loc.piece[2].bits, 16);
	assert_int_equal(loc.piece[3].kind, LOC_NUMBER);
	assert_int_equal(loc.piece[3].bits, 3);
	assert_int_equal(loc.piece[3].shift, 1);
	assert_int_equal(value_of("piece", loc.piece[3].term), 5);
	loc_deinit(&loc);
}

/* Variables of each CPU are offsets, of a program are behind where it begins. */
static void test_addresses(void **state)
{
	static const Dwarf_Op low = OP1(addr, 0x180), user = OP1(addr, 0x1234);
	const struct loc_ops ops = { &low, 1 }, user_ops = { &user, 1 };
	struct debug_area low_areas[] = {
		{ 0, 0x200, 0, DEBUG_AREA_PERCPU }, { 0, 0x300, SLIDE },
	};
	const struct debug_map low_map = { low_areas, 2 };
	struct site site = { .map = &low_map };
	struct loc loc;
	enum loc_why why;

	assert_int_equal(loc_translate(&site, arch_find(X86), NULL, &ops,
				       (struct span){}, &why, &loc), 0);
	assert_int_equal(loc.term->kind, TERM_BINARY);
	assert_int_equal(loc.term->base->value, KTAP_CTX_PERCPU);
	assert_int_equal(loc.term->right->value, 0x180);
	loc_deinit(&loc);
	site = (struct site){ .is_user = true, .file_base = 0x10 };
	assert_int_equal(loc_translate(&site, arch_find(X86), NULL, &user_ops,
				       (struct span){}, &why, &loc), 0);
	assert_int_equal(loc.term->base->kind, TERM_FILE);
	assert_int_equal(loc.term->right->value, 0x1244);
	loc_deinit(&loc);
}

/* ---- of a file ------------------------------------------------------------------------ */

/* The variable @name of @function, seen from @offset on; -1: from its entry */
static int find(const char *function, const char *name, uint64_t offset,
		enum loc_why *why, struct loc *ret)
{
	struct debug_funcs funcs;
	struct site site = { .dbg = dbg };
	struct debug_var var;
	int err;

	assert_int_equal(debug_find(dbg, function, NULL, 0, NULL, &funcs), 0);
	assert_int_equal(funcs.nr, 1);
	site.func = funcs.func[0];
	site.address = site.func.entry + offset;
	site.at_entry = !offset;
	if (!debug_find_var(dbg, &site.func, site.address, name, &var))
		fail_msg("no variable %s", name);
	*ret = (struct loc){};
	*why = LOC_TWIN;
	err = -ENODATA;
	if (!var.is_twin)
		err = loc_find(&site, arch_find(X86), &var.die, (struct span){},
			       why, ret);
	debug_funcs_deinit(&funcs);
	met[*why] = true;
	return err;
}

static void need_program(void)
{
	if (!dbg) {
		print_message("# no assembler for x86\n");
		skip();
	}
}

/* Behind "push %rbp; mov %rsp, %rbp" */
#define BODY 4

static void check_file(const char *name, uint64_t offset, enum loc_kind kind,
		       u64 value)
{
	enum loc_why why;
	struct loc loc;

	need_program();
	if (find("f", name, offset, &why, &loc))
		fail_msg("%s: %s", name, loc_why_text(why));
	check_value(name, &loc, kind, value);
}

static void check_no(const char *function, const char *name, enum loc_why wanted)
{
	enum loc_why why;
	struct loc loc;

	need_program();
	assert_int_equal(find(function, name, BODY, &why, &loc), -ENODATA);
	if (why != wanted)
		fail_msg("%s: %s", name, loc_why_text(why));
}

static void test_types(void **state)
{
	check_file("convert_signed", BODY, LOC_NUMBER, -1);
	check_file("convert_unsigned", BODY, LOC_NUMBER, 0xeeff);
	check_file("reinterpret", BODY, LOC_NUMBER, -1);
	check_file("regval_type", BODY, LOC_NUMBER, -1);
	check_file("const_type", BODY, LOC_NUMBER, -2);
	check_file("deref_type", BODY, LOC_NUMBER, 0x10);
	check_file("shr_signed", BODY, LOC_NUMBER, 0x78);
	check_file("shra_unsigned", BODY, LOC_NUMBER, 0xc000);
	check_file("wraps", BODY, LOC_NUMBER, -128);
	check_file("lt_signed", BODY, LOC_NUMBER, 1);
	check_file("lt_unsigned", BODY, LOC_NUMBER, 0);
	check_no("f", "convert_float", LOC_FLOAT);
	check_no("f", "const_type_long", LOC_DAMAGED);
}

/* The frame's address is what the stack pointer was before the call. */
static void test_frame(void **state)
{
	enum loc_why why;
	struct loc loc;

	check_file("cfa", 0, LOC_MEMORY, SP + 8);
	check_file("cfa", 1, LOC_MEMORY, SP + 16);
	check_file("cfa", BODY, LOC_MEMORY, BP + 16);
	check_file("frame", BODY, LOC_MEMORY, BP);
	check_file("frame", 1, LOC_MEMORY, SP);
	/* at the entry nobody has stored anything there */
	assert_int_equal(find("f", "frame", 0, &why, &loc), -ENODATA);
	assert_int_equal(why, LOC_LATER);
	check_no("g", "no_frame", LOC_FRAME);
	check_no("g", "no_cfi", LOC_FRAME);
}

static void test_indexed(void **state)
{
	check_file("addrx", BODY, LOC_MEMORY, 0x1234);
	check_file("constx", BODY, LOC_NUMBER, 0x5678);
}

static void test_constants(void **state)
{
	enum loc_why why;
	struct loc loc;

	check_file("implicit_value", BODY, LOC_NUMBER, 0x1234);
	check_file("block", BODY, LOC_NUMBER, 0x030201);
	check_file("text", BODY, LOC_NUMBER, 0x7364726f77); /* "words" */
	assert_int_equal(find("f", "implicit_long", BODY, &why, &loc), 0);
	assert_int_equal(loc.kind, LOC_PIECES);
	assert_int_equal(loc.nr, 2);
	assert_int_equal(loc.piece[0].bits, 64);
	assert_int_equal(value_of("long", loc.piece[0].term), 1);
	assert_int_equal(loc.piece[1].bits, 32);
	assert_int_equal(value_of("long", loc.piece[1].term), 2);
	loc_deinit(&loc);
}

/* Inside of the function it is what register @reg had when the frame was made. */
static void check_frame(const char *name, unsigned int reg, u64 cfa)
{
	enum loc_why why;
	struct loc loc;

	need_program();
	assert_int_equal(find("f", name, BODY, &why, &loc), 0);
	assert_int_equal(loc.kind, LOC_NUMBER);
	assert_int_equal(loc.term->kind, TERM_FRAME);
	assert_int_equal(loc.term->value, reg);
	assert_int_equal(value_of(name, loc.term->base), cfa);
	loc_deinit(&loc);
}

static void test_entry_values(void **state)
{
	check_file("entry_value", 0, LOC_NUMBER, KERNEL);
	check_file("entry_value_x", 0, LOC_NUMBER, SI);
	check_frame("entry_value", KTAP_X86_64_DI, BP + 16);
	check_no("f", "entry_value_sum", LOC_OPERATION);
	check_no("f", "entry_value_double", LOC_VECTOR);
	check_no("f", "entry_value_none", LOC_OPERATION);
}

static void test_pointers(void **state)
{
	enum loc_why why;
	struct loc loc;

	need_program();
	assert_int_equal(find("f", "pointer", BODY, &why, &loc), 0);
	assert_int_equal(loc.kind, LOC_POINTER);
	assert_int_equal(loc.offset, 8);
	assert_string_equal(dwarf_diename(&loc.target), "target");
	loc_deinit(&loc);
	/* what is in the other piece can be had */
	assert_int_equal(find("f", "pointer_piece", BODY, &why, &loc), 0);
	assert_int_equal(loc.kind, LOC_PIECES);
	assert_int_equal(loc.nr, 2);
	assert_int_equal(value_of("piece", loc.piece[0].term), KERNEL);
	assert_null(loc.piece[1].term);
	loc_deinit(&loc);
}

static void test_lists(void **state)
{
	check_file("list", 3, LOC_NUMBER, KERNEL);
	check_no("f", "list", LOC_ELSEWHERE);
	check_no("f", "absent", LOC_ABSENT);
	check_no("f", "left_out", LOC_DISCARDED);
}

/* In blocks of which no code is left */
static void test_blocks(void **state)
{
	check_file("single", BODY, LOC_NUMBER, KERNEL);
	check_no("f", "twin", LOC_TWIN);
}

/* Tests run in order: this is the last. LOC_UNDEFINED is told by those who put
 * pieces together.
 */
static void test_every_reason_was_met(void **state)
{
	need_program();
	for (int why = 0; why < LOC_NR; why++) {
		assert_true(*loc_why_text(why));
		if (!met[why] && why != LOC_UNDEFINED)
			fail_msg("not met: %s", loc_why_text(why));
	}
}

/* Without an assembler for x86-64, the tests of a file are skipped. */
static int setup(void **state)
{
	static const char *const compilers[] = { "gcc", "x86_64-linux-gnu-gcc" };
	static const char command[] =
		"%s -nostdlib -static -Wl,-e,f -o %s user/tests/dwarf/ops.s 2>/dev/null";
	char path[] = "/tmp/ktap-loc.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	file = strdup(path);
	for (size_t i = 0; !dbg && i < ARRAY_SIZE(compilers); i++) {
		_cleanup_buf_ struct buf b = BUF_INIT;

		buf_printf(&b, command, compilers[i], file);
		if (!system(buf_str(&b)))
			assert_int_equal(debug_open(file, NULL, &dbg), 0);
	}
	return 0;
}

static int teardown(void **state)
{
	debug_free(dbg);
	unlink(file);
	free(file);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_stack),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_comparisons),
		cmocka_unit_test(test_jumps),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_frame),
		cmocka_unit_test(test_indexed),
		cmocka_unit_test(test_constants),
		cmocka_unit_test(test_entry_values),
		cmocka_unit_test(test_pointers),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_every_reason_was_met),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
