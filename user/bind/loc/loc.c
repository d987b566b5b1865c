// SPDX-License-Identifier: GPL-2.0
/*
 * Running a location expression over trees instead of numbers: what is left is
 * the expression that a probe computes. Branches become conditions.
 */
#include "bind/loc/loc.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bind/loc/machine.h"
#include "dwarf/func.h"

/* Operations that one location may take, in all of its branches. */
#define STEPS_MAX 256

bool loc_fail(struct loc_machine *m, enum loc_why why)
{
	if (!m->why)
		m->why = why;
	return false;
}

bool loc_no_memory(struct loc_machine *m)
{
	m->no_memory = true;
	return false;
}

const char *loc_why_text(enum loc_why why)
{
	static const char *const texts[LOC_NR] = {
		[LOC_OK] = "it has one",
		[LOC_ABSENT] = "the compiler left nothing of it",
		[LOC_ELSEWHERE] = "it has none there",
		[LOC_OPERATION] = "it uses an operation that has no meaning for a probe",
		[LOC_PARAMETER] = "only the caller knows it",
		[LOC_UNDEFINED] = "a part of it is nowhere",
		[LOC_THREAD] = "each thread has its own, and only the dynamic linker knows where",
		[LOC_FRAME] = "where the function's frame is was not written down",
		[LOC_LOOP] = "it is found by a loop",
		[LOC_DAMAGED] = "its description is damaged",
		[LOC_FLOAT] = "it is computed with floating-point numbers",
		[LOC_REGISTER] = "it is in a register that probes do not see",
		[LOC_VECTOR] = "it is in a vector register, and probes see none of those",
		[LOC_LATER] = "it is stored there later",
		[LOC_LONG] = "its description is too long",
		[LOC_TWIN] = "several blocks that have no code there have one",
		[LOC_FREED] = "it is of initialisation, and was freed after it",
		[LOC_UNKNOWN] = "where it is in memory is not known",
		[LOC_DISCARDED] = "the linker left it out",
	};

	return texts[why];
}

/* ---- the stack ---------------------------------------------------------------------- */

bool loc_push(struct loc_machine *m, struct term *term)
{
	if (!term)
		return loc_no_memory(m);
	if (m->depth == LOC_DEPTH || term->height > TERM_HEIGHT_MAX / 2) {
		term_free(term);
		return loc_fail(m, LOC_LONG);
	}
	m->stack[m->depth++] = (struct loc_item){ .term = term };
	return true;
}

bool loc_pop(struct loc_machine *m, struct loc_item *ret)
{
	if (!m->depth)
		return loc_fail(m, LOC_DAMAGED);
	*ret = m->stack[--m->depth];
	return true;
}

static void machine_deinit(struct loc_machine *m)
{
	while (m->depth)
		term_free(m->stack[--m->depth].term);
	loc_deinit(&m->loc);
}

void loc_deinit(struct loc *loc)
{
	size_t i;

	term_free(loc->term);
	for (i = 0; i < loc->nr; i++)
		term_free(loc->piece[i].term);
	free(loc->piece);
	*loc = (struct loc){};
}

/* ---- branches ----------------------------------------------------------------------- */

/* The operation that a jump behind @op leads to; false: none that is ahead. */
static bool jump_target(struct loc_machine *m, const Dwarf_Op *op, size_t *ret)
{
	uint64_t target = op->offset + 3 + (uint64_t)(int16_t)op->number;
	size_t i;

	if (target <= op->offset)
		return loc_fail(m, LOC_LOOP);
	for (i = 0; i < m->nr_ops; i++) {
		if (m->ops[i].offset == target) {
			*ret = i;
			return true;
		}
	}
	/* the end has no operation that could be compared */
	if (target <= m->ops[m->nr_ops - 1].offset)
		return loc_fail(m, LOC_DAMAGED);
	*ret = m->nr_ops;
	return true;
}

static bool run_from(struct loc_machine *m, size_t i);

static bool copy_stack(const struct loc_machine *m, struct loc_machine *ret)
{
	*ret = *m;
	ret->depth = 0;
	ret->loc = (struct loc){};
	while (ret->depth < m->depth) {
		struct loc_item item = m->stack[ret->depth];

		item.term = term_copy(item.term);
		if (!item.term)
			return false;
		ret->stack[ret->depth++] = item;
	}
	return true;
}

/* What both branches leave is one of two, as @test says. Takes @test. */
static bool join(struct loc_machine *m, struct term *test,
		 struct loc_machine *taken)
{
	struct loc_item yes, no;

	if (m->state != taken->state || m->state == STATE_POINTER ||
	    m->loc.nr || taken->loc.nr || !m->depth || !taken->depth) {
		term_free(test);
		return loc_fail(m, LOC_OPERATION);
	}
	loc_pop(taken, &yes);
	loc_pop(m, &no);
	return loc_push(m, loc_cond(m, test, yes.term, no.term));
}

/* Both ways are gone, to the end. */
static bool run_branch(struct loc_machine *m, const Dwarf_Op *op, size_t next)
{
	struct loc_machine taken;
	struct loc_item test;
	size_t target;
	bool ok;

	if (m->loc.nr)
		return loc_fail(m, LOC_OPERATION);
	if (!jump_target(m, op, &target) || !loc_pop(m, &test))
		return false;
	ok = copy_stack(m, &taken) || loc_no_memory(m);
	if (ok && !run_from(&taken, target)) {
		m->why = taken.why;
		m->no_memory = taken.no_memory;
		ok = false;
	}
	ok = ok && run_from(m, next);
	if (ok)
		ok = join(m, test.term, &taken);
	else
		term_free(test.term);
	machine_deinit(&taken);
	return ok;
}

static bool run_from(struct loc_machine *m, size_t i)
{
	while (i < m->nr_ops) {
		const Dwarf_Op *op = &m->ops[i++];
		loc_op_fn fn = loc_op(op->atom);

		if (!*m->steps)
			return loc_fail(m, LOC_LONG);
		--*m->steps;
		if (op->atom == DW_OP_bra)
			return run_branch(m, op, i);
		if (op->atom == DW_OP_skip) {
			if (!jump_target(m, op, &i))
				return false;
			continue;
		}
		if (!fn)
			return loc_fail(m, LOC_OPERATION);
		if (!fn(m, op))
			return false;
	}
	return true;
}

bool loc_run(struct loc_machine *m, Dwarf_Attribute *attr, const Dwarf_Op *ops,
	     size_t nr)
{
	m->attr = attr;
	m->ops = ops;
	m->nr_ops = nr;
	return nr ? run_from(m, 0) : loc_fail(m, LOC_ABSENT);
}

struct term *loc_value(struct loc_machine *m, Dwarf_Attribute *attr,
		       const Dwarf_Op *ops, size_t nr)
{
	struct loc_machine sub = {
		.site = m->site, .arch = m->arch, .at = m->at,
		.steps = m->steps,
	};
	struct loc_item item = {};

	if (loc_run(&sub, attr, ops, nr) && !sub.loc.nr)
		loc_pop(&sub, &item);
	if (!item.term && !sub.no_memory)
		loc_fail(&sub, LOC_DAMAGED);
	if (sub.why)
		loc_fail(m, sub.why);
	m->no_memory |= sub.no_memory;
	machine_deinit(&sub);
	return item.term;
}

struct term *loc_cfa(struct loc_machine *m)
{
	const struct site *site = m->site;
	struct term *cfa = NULL;
	Dwarf_Frame *frame;
	Dwarf_Op *ops;
	size_t nr;

	if (!debug_cfi(site->dbg, site->address, &frame)) {
		loc_fail(m, LOC_FRAME);
		return NULL;
	}
	if (!dwarf_frame_cfa(frame, &ops, &nr) && nr)
		cfa = loc_value(m, NULL, ops, nr);
	else
		loc_fail(m, LOC_FRAME);
	free(frame);
	return cfa;
}

/* ---- what is left ------------------------------------------------------------------- */

static int give(struct loc_machine *m, enum loc_why *why, struct loc *ret)
{
	struct loc_item item = {};

	if (m->loc.nr && m->depth)
		loc_fail(m, LOC_DAMAGED);
	else if (!m->loc.nr && m->state != STATE_POINTER && !m->depth)
		loc_fail(m, LOC_ABSENT);
	*why = m->why;
	if (m->why)
		return -ENODATA;
	*ret = m->loc;
	m->loc = (struct loc){};
	if (ret->nr) {
		ret->kind = LOC_PIECES;
	} else if (m->state == STATE_POINTER) {
		ret->kind = LOC_POINTER;
	} else {
		loc_pop(m, &item);
		ret->term = item.term;
		ret->kind = m->state == STATE_NONE ? LOC_MEMORY : LOC_NUMBER;
	}
	return 0;
}

/* A text, such as that of __func__, with its NUL. */
static bool get_text(Dwarf_Attribute *attr, Dwarf_Block *ret)
{
	const char *text = dwarf_formstring(attr);

	if (!text)
		return false;
	ret->data = (unsigned char *)text;
	ret->length = strlen(text) + 1;
	return true;
}

/* A constant, whose sign its type knows; or bytes. */
static bool run_constant(struct loc_machine *m, Dwarf_Attribute *attr)
{
	Dwarf_Block block;
	Dwarf_Sword value;
	Dwarf_Word number;

	m->state = STATE_VALUE;
	if (!dwarf_formudata(attr, &number))
		return loc_push(m, loc_number(m, number));
	if (!dwarf_formsdata(attr, &value))
		return loc_push(m, loc_number(m, (uint64_t)value));
	if (!dwarf_formblock(attr, &block) || get_text(attr, &block))
		return loc_bytes(m, &block);
	return loc_fail(m, LOC_OPERATION);
}

static int finish(struct loc_machine *m, enum loc_why *why, struct loc *ret)
{
	int err = m->no_memory ? -ENOMEM : give(m, why, ret);

	machine_deinit(m);
	return err;
}

int loc_translate(const struct site *site, const struct arch *arch,
		  Dwarf_Attribute *attr, const struct loc_ops *ops,
		  struct span at, enum loc_why *why, struct loc *ret)
{
	unsigned int steps = STEPS_MAX;
	struct loc_machine m = {
		.site = site, .arch = arch, .at = at, .steps = &steps,
	};

	loc_run(&m, attr, ops->op, ops->nr);
	return finish(&m, why, ret);
}

static int find_constant(const struct site *site, const struct arch *arch,
			 Dwarf_Attribute *attr, struct span at,
			 enum loc_why *why, struct loc *ret)
{
	struct loc_machine m = { .site = site, .arch = arch, .at = at };

	run_constant(&m, attr);
	return finish(&m, why, ret);
}

/*
 * What is true at @pc and no longer: of a variable that the function assigns to
 * before its first instruction. At the entry it is what the caller gave, as for
 * gdb; elsewhere there is no telling between what is true there one by one.
 */
static bool find_first(const struct site *site, Dwarf_Attribute *attr,
		       uint64_t pc, Dwarf_Op **ops, size_t *nr)
{
	Dwarf_Addr base, start, end;
	Dwarf_Die owner = site->func.owner;
	ptrdiff_t next = 0;
	uint64_t entry;

	if (!debug_entry(site->dbg, &owner, &entry) ||
	    debug_first(site->dbg, &site->func, entry) != site->address)
		return false;
	while ((next = dwarf_getlocations(attr, next, &base, &start, &end, ops,
					  nr)) > 0) {
		if (start == pc && end == pc)
			return *nr;
		if (start <= pc && pc < end)
			return false;
	}
	return false;
}

/* The expression of @attr for the address of @site; LOC_OK: there is one. */
static enum loc_why get_ops(const struct site *site, Dwarf_Attribute *attr,
			    struct loc_ops *ret)
{
	uint64_t pc = debug_to_dwarf(site->dbg, site->address);
	Dwarf_Op *ops;
	int found = 1;

	if (!find_first(site, attr, pc, &ops, &ret->nr))
		found = dwarf_getlocation_addr(attr, pc, &ops, &ret->nr, 1);
	if (found < 0)
		return LOC_DAMAGED;
	/* it may have been nowhere else, either */
	if (!found)
		return LOC_ELSEWHERE;
	ret->op = ops;
	return LOC_OK;
}

/* Nothing of the function has run yet, not even what makes room on the stack. */
static bool is_entered(const struct site *site)
{
	return site->at_entry && !site->func.is_inlined &&
	       site->address == site->func.entry;
}

/* An address below the stack pointer, where only the function itself stores. */
static bool is_below_stack(const struct arch *arch, const struct term *e)
{
	const struct arch_reg *reg;

	if (!e || e->kind != TERM_BINARY || e->op != OP_ADD ||
	    e->base->kind != TERM_REG)
		return false;
	reg = arch_reg(arch, e->base->text);
	return reg && reg->index == arch->sp && e->right->kind == TERM_IMM && e->right->value < 0;
}

/* gcc describes where a parameter will be as if it was there from the beginning on. */
static bool is_later(const struct site *site, const struct arch *arch,
		     const struct loc *loc)
{
	bool ret = loc->kind == LOC_MEMORY && is_below_stack(arch, loc->term);

	for (size_t i = 0; loc->kind == LOC_PIECES && i < loc->nr; i++)
		ret |= loc->piece[i].kind == LOC_MEMORY &&
		       is_below_stack(arch, loc->piece[i].term);
	return ret && is_entered(site);
}

/*
 * Linkers write that what they left out is at zero. There may be a variable
 * though: the first one of those that each CPU has. Then a symbol says so.
 */
static bool is_discarded(const struct site *site, Dwarf_Die *die,
			 const struct loc_ops *ops)
{
	const char *name = dwarf_diename(die);
	uint64_t address;

	return ops->nr == 1 && ops->op->atom == DW_OP_addr &&
	       !ops->op->number &&
	       !(name && debug_symbol(site->dbg, name, &address) && !address);
}

/* Where @attr of @die says that it is */
static int find_location(const struct site *site, const struct arch *arch,
			 Dwarf_Die *die, Dwarf_Attribute *attr, struct span at,
			 enum loc_why *why, struct loc *ret)
{
	struct loc_ops ops;
	int err;

	*why = get_ops(site, attr, &ops);
	if (!*why && is_discarded(site, die, &ops))
		*why = LOC_DISCARDED;
	if (*why)
		return -ENODATA;
	err = loc_translate(site, arch, attr, &ops, at, why, ret);
	if (err || !is_later(site, arch, ret))
		return err;
	loc_deinit(ret);
	*why = LOC_LATER;
	return -ENODATA;
}

/* For arm64 no compiler says where it is, but the linker does. */
static int find_thread(const struct site *site, const struct arch *arch,
		       Dwarf_Die *die, struct span at, enum loc_why *why,
		       struct loc *ret)
{
	struct loc_machine m = { .site = site, .arch = arch, .at = at };
	uint64_t offset;

	if (!site->is_user || !debug_thread_symbol(site->dbg, die, &offset)) {
		*why = LOC_ABSENT;
		return -ENODATA;
	}
	loc_thread(&m, offset, false);
	return finish(&m, why, ret);
}

int loc_find(const struct site *site, const struct arch *arch, Dwarf_Die *die,
	     struct span at, enum loc_why *why, struct loc *ret)
{
	Dwarf_Attribute attr;

	if (dwarf_attr_integrate(die, DW_AT_location, &attr))
		return find_location(site, arch, die, &attr, at, why, ret);
	if (dwarf_attr_integrate(die, DW_AT_const_value, &attr))
		return find_constant(site, arch, &attr, at, why, ret);
	return find_thread(site, arch, die, at, why, ret);
}
