// SPDX-License-Identifier: GPL-2.0
/*
 * Gates: the beginning of a program, executed symbolically when the program is created.
 *
 * Each slot holds a constant, a register that may be shifted or masked, or the result of
 * a comparison. A FILTER of a result becomes a test of the gate. So does a JZ to such a
 * FILTER, which is how A && B is compiled. The first instruction that needs more ends the
 * gate.
 */
#include "hit/gate.h"

enum kind {
	OTHER,
	CONSTANT,
	VALUE,
	SHIFTED,	/* shifted by SHL; a SHR or SAR by the same count must follow */
	OUTCOME,
};

/*
 * struct term - symbolic value of a slot
 * @constant: CONSTANT
 * @test: VALUE, SHIFTED and OUTCOME
 * @is_signed: VALUE: sign-extended from its highest significant bit
 */
struct term {
	enum kind kind;
	u64 constant;
	struct ktap_test test;
	bool is_signed;
};

struct maker {
	const struct ktap_insn *insns;
	struct ktap_gate *gate;
	struct term slot[KTAP_NR_SLOTS];
};

#define SIGN BIT_ULL(63)

/*
 * Intersects the interval @from .. @to of 64-bit values, which may wrap around, with the
 * values that @t can have. Return: whether the result is one interval.
 */
static bool within(struct term *t, u64 from, u64 to)
{
	unsigned int shift = t->test.shift;
	u64 least = t->is_signed ? ~0ULL << (63 - shift) : 0;
	u64 most = ~0ULL >> shift; /* from here on all values are relative to @least */

	t->kind = OUTCOME;
	if (shift) {
		from -= least;
		to -= least;
		if (from > most && from <= to)
			return false; /* empty */
		if (from > to) {
			if (from <= most)
				return false; /* two intervals */
			from = 0;
		}
		if (to > most)
			to = most;
		from += least;
		to += least;
	}
	t->test.from = from << shift;
	t->test.span = (to - from) << shift;
	return true;
}

/*
 * Result of the comparison @t op @c. No value is below the smallest one; a test cannot
 * express that, and programs do not need it.
 */
static bool compare(struct term *t, u8 op, u64 c)
{
	switch (op) {
	case KTAP_ALU_NE:
		t->test.outside = true;
		return within(t, c, c);
	case KTAP_ALU_EQ:
		return within(t, c, c);
	case KTAP_ALU_LTU:
		return c && within(t, 0, c - 1);
	case KTAP_ALU_LEU:
		return within(t, 0, c);
	case KTAP_ALU_LTS:
		return c != SIGN && within(t, SIGN, c - 1);
	case KTAP_ALU_LES:
		return within(t, SIGN, c);
	default:
		return false;
	}
}

/* Result of the comparison @c op @t. */
static bool compare_from(struct term *t, u8 op, u64 c)
{
	switch (op) {
	case KTAP_ALU_LTU:
		return c != ~0ULL && within(t, c + 1, ~0ULL);
	case KTAP_ALU_LEU:
		return within(t, c, ~0ULL);
	case KTAP_ALU_LTS:
		return c != ~SIGN && within(t, c + 1, ~SIGN);
	case KTAP_ALU_LES:
		return within(t, c, ~SIGN);
	default:
		return compare(t, op, c); /* EQ and NE are symmetric; others are not comparisons */
	}
}

/* Masks the low bits of a register: @c must be 2^n - 1. */
static bool mask(struct term *t, u64 c)
{
	unsigned int bits = 64;

	if (!c || (c & (c + 1)))
		return false;
	while (c >> (bits - 1) == 0)
		bits--;
	if (t->test.shift > 64 - bits)
		return !t->is_signed;
	t->test.shift = 64 - bits;
	t->is_signed = false;
	return true;
}

static bool shift_up(struct term *t, u64 c)
{
	if (t->test.shift || !c || c > 63)
		return false;
	t->kind = SHIFTED;
	t->test.shift = c;
	return true;
}

static bool shift_back(struct term *t, u8 op, u64 c)
{
	if (c != t->test.shift)
		return false;
	t->kind = VALUE;
	t->is_signed = op == KTAP_ALU_SAR;
	return true;
}

/* Handles OUTCOME == 0 and OUTCOME != 0. */
static bool negate(struct term *t, u8 op, u64 c)
{
	if (c || (op != KTAP_ALU_EQ && op != KTAP_ALU_NE))
		return false;
	if (op == KTAP_ALU_EQ)
		t->test.outside = !t->test.outside;
	return true;
}

/* Applies @t = @t op @c. Return: whether the result can be expressed. */
static bool apply(struct term *t, u8 op, u64 c)
{
	switch (t->kind) {
	case VALUE:
		if (op == KTAP_ALU_AND)
			return mask(t, c);
		if (op == KTAP_ALU_SHL)
			return shift_up(t, c);
		return compare(t, op, c);
	case SHIFTED:
		return (op == KTAP_ALU_SAR || op == KTAP_ALU_SHR) &&
		       shift_back(t, op, c);
	case OUTCOME:
		return negate(t, op, c);
	default:
		return false;
	}
}

static bool make_alu(struct maker *m, const struct ktap_insn *i)
{
	const struct term *a = &m->slot[i->a], *b = &m->slot[i->b];
	struct term t;

	if (b->kind == CONSTANT) {
		t = *a;
		if (!apply(&t, i->size, b->constant))
			return false;
	} else if (a->kind == CONSTANT && b->kind == VALUE) {
		t = *b;
		if (!compare_from(&t, i->size, a->constant))
			return false;
	} else {
		return false;
	}
	m->slot[i->dst] = t;
	return true;
}

static bool make_alui(struct maker *m, const struct ktap_insn *i)
{
	struct term t = m->slot[i->a];

	if (!apply(&t, i->size, i->imm))
		return false;
	m->slot[i->dst] = t;
	return true;
}

/* Does a jump on a zero slot lead to the end of the hit? */
static bool ends(const struct ktap_insn *i)
{
	u8 slot = i->a;

	while (i->op == KTAP_OP_JZ && i->a == slot)
		i += 1 + i->imm;
	return i->op == KTAP_OP_FILTER && i->a == slot;
}

static bool add_test(struct maker *m, u8 slot)
{
	struct ktap_gate *g = m->gate;
	struct term t = m->slot[slot];

	if (t.kind == VALUE)
		compare(&t, KTAP_ALU_NE, 0);
	if (t.kind != OUTCOME || g->nr == KTAP_GATE_MAX)
		return false;
	g->tests[g->nr++] = t.test;
	return true;
}

/* Return: whether the gate continues after @i. */
static bool make_one(struct maker *m, const struct ktap_insn *i)
{
	switch (i->op) {
	case KTAP_OP_REG:
		m->slot[i->dst] = (struct term){
			.kind = VALUE,
			.test = { .reg = env_reg_offset(i->imm) },
		};
		return true;
	case KTAP_OP_IMM:
		m->slot[i->dst] = (struct term){
			.kind = CONSTANT, .constant = i->imm,
		};
		return true;
	case KTAP_OP_ALUI:
		return make_alui(m, i);
	case KTAP_OP_ALU:
		return make_alu(m, i);
	case KTAP_OP_JZ:
		return ends(i) && add_test(m, i->a);
	case KTAP_OP_FILTER:
		if (!add_test(m, i->a))
			return false;
		m->gate->body = i + 1 - m->insns;
		return true;
	default:
		return false;
	}
}

/**
 * ktap_gate_make() - find the gate of a program
 * @insns: verified program
 * @gate: filled; without comparisons if the program has no gate
 *
 * Context: any.
 */
void ktap_gate_make(const struct ktap_insn *insns, struct ktap_gate *gate)
{
	struct maker m = { .insns = insns, .gate = gate };
	const struct ktap_insn *i = insns;

	*gate = (struct ktap_gate){};
	while (make_one(&m, i))
		i++;
	if (gate->nr)
		gate->tests[gate->nr - 1].last = true;
	for (i = insns + gate->body; i->op != KTAP_OP_END; i++)
		if (i->op == KTAP_OP_FILTER)
			return;
	gate->whole = true;
}
