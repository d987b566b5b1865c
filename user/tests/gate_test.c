// SPDX-License-Identifier: GPL-2.0
/*
 * Gates, against the interpreter: what a gate refuses the program does not
 * record, and what passes a whole gate it does.
 * needs: kmod/hit/gate.c kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "env_user.h"
#include "hit/fetch.h"
#include "hit/gate.h"
#include "hit/verify.h"
#include "ready.h"

#define REG(d, r)	{ .op = KTAP_OP_REG, .dst = (d), .imm = (r) }
#define IMM(d, v)	{ .op = KTAP_OP_IMM, .dst = (d), .imm = (v) }
#define ALU(o, d, x, y)	{ .op = KTAP_OP_ALU, .size = KTAP_ALU_##o, \
			  .dst = (d), .a = (x), .b = (y) }
#define ALUI(o, d, v)	{ .op = KTAP_OP_ALUI, .size = KTAP_ALU_##o, \
			  .dst = (d), .a = (d), .imm = (v) }
#define JZ(s, n)	{ .op = KTAP_OP_JZ, .a = (s), .imm = (n) }
#define JMP(n)		{ .op = KTAP_OP_JMP, .imm = (n) }
#define FILTER(s)	{ .op = KTAP_OP_FILTER, .a = (s) }
#define LOAD(d, s)	{ .op = KTAP_OP_LOAD, .dst = (d), .a = (s), .size = 8 }
#define STORE(s, o)	{ .op = KTAP_OP_STORE, .a = (s), .b = KTAP_NO_FAULT, \
			  .size = 8, .off = (o) }
#define END		{ .op = KTAP_OP_END }

/* Is a hit with these registers recorded? */
static bool recorded(const struct ktap_insn *insns, u32 nr,
		     const struct env_regs *regs)
{
	const struct ktap_frame frame = { .regs = regs };
	static u8 payload[KTAP_RECORD_MAX];
	struct ktap_insn *ready;
	struct ktap_prog_info info;
	int len;
	u32 at;

	assert_int_equal(ktap_verify(insns, nr, NULL, &info, &at),
			 KTAP_REFUSE_NONE);
	ready = ready_program(insns, nr);
	len = ktap_fetch_run(ready, &info, &frame, payload, NULL);
	free(ready);
	assert_true(len >= 0 || len == KTAP_FETCH_FILTERED);
	return len >= 0;
}

/* For one set of registers. Return: whether the gate lets it pass. */
static bool agree(const struct ktap_insn *insns, u32 nr,
		  const struct ktap_gate *gate, const struct env_regs *regs)
{
	bool made = recorded(insns, nr, regs);
	bool passes = !gate->nr || ktap_gate_pass(gate, regs);

	assert_true(passes || !made);
	/* without a gate the program alone decides */
	assert_true(made || !passes || !gate->whole || !gate->nr);
	return passes;
}

/* ---- what gates are made of ------------------------------------------------------ */

/* Values at which comparisons change their minds. */
static const u64 edges[] = {
	0, 1, 2, 4, 5, 6, 0x7f, 0x80, 0xff, 0x100, 0x7fffffff, 0x80000000,
	0xfffffffb, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
	0x8000000000000000, 0x8000000000000001, 0xfffffffffffffffb,
	0xffffffffffffffff,
};

struct expect {
	const char *what;
	u32 nr_tests;
	bool whole;
	u32 nr_insns;
	struct ktap_insn insns[16];
};

static const struct expect expects[] = {
	{ "%r1 == 5", 1, true, 4,
	  { REG(0, 1), ALUI(EQ, 0, 5), FILTER(0), END } },
	{ "%r1", 1, true, 3, { REG(0, 1), FILTER(0), END } },
	{ "!%r1", 1, true, 4, { REG(0, 1), ALUI(EQ, 0, 0), FILTER(0), END } },
	{ "!(%r1 == 5)", 1, true, 5,
	  { REG(0, 1), ALUI(EQ, 0, 5), ALUI(EQ, 0, 0), FILTER(0), END } },
	{ "(int)%r1 == -5", 1, true, 6,
	  { REG(0, 1), ALUI(SHL, 0, 32), ALUI(SAR, 0, 32), ALUI(EQ, 0, -5),
	    FILTER(0), END } },
	{ "(char)(int)%r1 < 0: one cut only", 0, false, 8,
	  { REG(0, 1), ALUI(SHL, 0, 32), ALUI(SAR, 0, 32), ALUI(SHL, 0, 56),
	    ALUI(SAR, 0, 56), ALUI(LTS, 0, 0), FILTER(0), END } },
	{ "(u32)%r1 >= 5", 1, true, 6,
	  { IMM(0, 5), REG(1, 1), ALUI(AND, 1, 0xffffffff), ALU(LEU, 0, 0, 1),
	    FILTER(0), END } },
	{ "(u8)(u32)%r1 != 3", 1, true, 6,
	  { REG(0, 1), ALUI(AND, 0, 0xffffffff), ALUI(AND, 0, 0xff),
	    ALUI(NE, 0, 3), FILTER(0), END } },
	{ "(u32)(u8)%r1 != 3", 1, true, 6,
	  { REG(0, 1), ALUI(AND, 0, 0xff), ALUI(AND, 0, 0xffffffff),
	    ALUI(NE, 0, 3), FILTER(0), END } },
	{ "(u32)(s8)%r1 != 3: extended, then cut", 0, false, 7,
	  { REG(0, 1), ALUI(SHL, 0, 56), ALUI(SAR, 0, 56),
	    ALUI(AND, 0, 0xffffffff), ALUI(NE, 0, 3), FILTER(0), END } },
	{ "%r1 > 5 && (int)%r2 < 7", 2, true, 9,
	  { IMM(0, 5), REG(1, 1), ALU(LTU, 0, 0, 1), JZ(0, 3), REG(0, 2),
	    ALUI(SHL, 0, 32), ALUI(SAR, 0, 32), FILTER(0), END } },
	{ "three of them, from the left", 3, true, 12,
	  { REG(0, 1), ALUI(LTU, 0, 99), JZ(0, 2), REG(0, 2), ALUI(NE, 0, 5),
	    JZ(0, 2), REG(0, 3), ALUI(LES, 0, 4), FILTER(0), REG(0, 1),
	    STORE(0, 0), END } },
	{ "two filters", 2, true, 7,
	  { REG(0, 1), ALUI(LTU, 0, 99), FILTER(0), REG(0, 2),
	    ALUI(LTS, 0, 5), FILTER(0), END } },
	{ "and then memory", 1, false, 9,
	  { REG(0, 1), ALUI(EQ, 0, 5), JZ(0, 2), REG(0, 2), LOAD(0, 0),
	    FILTER(0), REG(0, 1), STORE(0, 0), END } },
	{ "a filter, then one on memory", 1, false, 7,
	  { REG(0, 1), ALUI(EQ, 0, 5), FILTER(0), REG(0, 2), LOAD(0, 0),
	    FILTER(0), END } },
	{ "|| is for the program", 0, false, 8,
	  { REG(0, 1), ALUI(EQ, 0, 5), JZ(0, 1), JMP(2), REG(0, 2),
	    ALUI(EQ, 0, 6), FILTER(0), END } },
	{ "a jump to another slot's filter", 0, false, 7,
	  { REG(0, 1), REG(1, 2), ALUI(EQ, 0, 5), JZ(0, 1), ALUI(EQ, 1, 6),
	    FILTER(1), END } },
	{ "a jump over a filter", 3, true, 8,
	  { REG(0, 1), REG(1, 2), JZ(0, 1), FILTER(1), FILTER(0), REG(0, 1),
	    STORE(0, 0), END } },
	{ "never: below the smallest", 0, false, 4,
	  { REG(0, 1), ALUI(LTU, 0, 0), FILTER(0), END } },
	{ "never: below the smallest, signed", 0, false, 4,
	  { REG(0, 1), ALUI(LTS, 0, 0x8000000000000000), FILTER(0), END } },
	{ "two registers", 0, false, 5,
	  { REG(0, 1), REG(1, 2), ALU(EQ, 0, 0, 1), FILTER(0), END } },
	{ "arithmetic", 0, false, 5,
	  { REG(0, 1), ALUI(ADD, 0, 1), ALUI(EQ, 0, 5), FILTER(0), END } },
	{ "a mask with holes", 0, false, 5,
	  { REG(0, 1), ALUI(AND, 0, 5), ALUI(EQ, 0, 5), FILTER(0), END } },
	{ "a shift that stays", 0, false, 5,
	  { REG(0, 1), ALUI(SHL, 0, 4), ALUI(EQ, 0, 16), FILTER(0), END } },
	{ "no filter: nothing to pass", 0, true, 3,
	  { REG(0, 1), STORE(0, 0), END } },
};

static void check_expect(const struct expect *e)
{
	struct env_regs regs = {};
	struct ktap_gate gate;
	size_t i, j;

	ktap_gate_make(e->insns, &gate);
	if (gate.nr != e->nr_tests || gate.whole != e->whole)
		fail_msg("%s: %u tests, whole %d", e->what, gate.nr,
			 gate.whole);
	for (i = 0; i < ARRAY_SIZE(edges); i++) {
		for (j = 0; j < ARRAY_SIZE(edges); j++) {
			regs.r[1] = edges[i];
			regs.r[2] = edges[j];
			regs.r[3] = edges[(i + j) % ARRAY_SIZE(edges)];
			agree(e->insns, e->nr_insns, &gate, &regs);
		}
	}
}

static void test_gates_are_found(void **state)
{
	size_t i;

	(void)state;
	env_reset();
	for (i = 0; i < ARRAY_SIZE(expects); i++)
		check_expect(&expects[i]);
}

/* The body begins behind the filter, and nothing of the gate is in it. */
static void test_body(void **state)
{
	static const struct ktap_insn insns[] = {
		REG(0, 1), ALUI(EQ, 0, 5), FILTER(0), REG(0, 2), STORE(0, 0),
		END,
	};
	struct ktap_gate gate;

	(void)state;
	ktap_gate_make(insns, &gate);
	assert_int_equal(gate.body, 3);
}

/* More comparisons than there is room for: the first ones, and no body. */
static void test_too_many(void **state)
{
	struct ktap_insn insns[3 * (KTAP_GATE_MAX + 1) + 1];
	struct env_regs regs = {};
	struct ktap_gate gate;
	u32 n = 0, i;

	(void)state;
	env_reset();
	for (i = 0; i <= KTAP_GATE_MAX; i++) {
		insns[n++] = (struct ktap_insn)REG(0, 1 + i);
		insns[n++] = (struct ktap_insn)ALUI(NE, 0, 0);
		insns[n++] = (struct ktap_insn)FILTER(0);
	}
	insns[n++] = (struct ktap_insn)END;
	ktap_gate_make(insns, &gate);
	assert_int_equal(gate.nr, KTAP_GATE_MAX);
	assert_false(gate.whole);
	for (i = 1; i <= KTAP_GATE_MAX; i++)
		regs.r[i] = 1;
	assert_true(agree(insns, n, &gate, &regs)); /* but not recorded */
	regs.r[KTAP_GATE_MAX] = 0;
	assert_false(agree(insns, n, &gate, &regs));
}

/* ---- random programs ------------------------------------------------------------- */

static u64 rnd(u64 n)
{
	return ((u64)random() << 31 ^ random()) % n;
}

static u64 random_value(void)
{
	u64 value = edges[rnd(ARRAY_SIZE(edges))];

	return rnd(4) ? value : value + rnd(5) - 2;
}

static const u8 alus[] = {
	KTAP_ALU_EQ, KTAP_ALU_NE, KTAP_ALU_LTU, KTAP_ALU_LEU, KTAP_ALU_LTS,
	KTAP_ALU_LES, KTAP_ALU_AND, KTAP_ALU_SHL, KTAP_ALU_SHR, KTAP_ALU_SAR,
	KTAP_ALU_ADD, KTAP_ALU_OR,
};

static u64 operand(u8 op)
{
	static const u64 masks[] = { 0xff, 0xffff, 0xffffffff, 0x7, ~0ULL, 6 };
	static const u64 shifts[] = { 32, 48, 56, 63, 0, 1, 64 };

	if (op == KTAP_ALU_AND)
		return masks[rnd(ARRAY_SIZE(masks))];
	if (op == KTAP_ALU_SHL || op == KTAP_ALU_SHR || op == KTAP_ALU_SAR)
		return shifts[rnd(ARRAY_SIZE(shifts))];
	return random_value();
}

/* Three slots that are set from the beginning; jumps go anywhere but back. */
static u32 random_program(struct ktap_insn *insns)
{
	u32 nr = 3 + 3 + rnd(10), i;

	for (i = 0; i < 3; i++)
		insns[i] = (struct ktap_insn)REG(i, 1 + i);
	for (; i < nr; i++) {
		u8 op = alus[rnd(ARRAY_SIZE(alus))], slot = rnd(3);

		switch (rnd(8)) {
		case 0:
			insns[i] = (struct ktap_insn)REG(slot, 1 + rnd(3));
			break;
		case 1:
			insns[i] = (struct ktap_insn)IMM(slot, random_value());
			break;
		case 2:
			insns[i] = (struct ktap_insn){
				.op = KTAP_OP_ALU, .size = op, .dst = slot,
				.a = rnd(3), .b = rnd(3),
			};
			break;
		case 3:
			insns[i] = (struct ktap_insn)JZ(slot, rnd(nr - i));
			break;
		case 4:
			insns[i] = (struct ktap_insn)FILTER(slot);
			break;
		default:
			insns[i] = (struct ktap_insn){
				.op = KTAP_OP_ALUI, .size = op, .dst = slot,
				.a = rnd(4) ? slot : rnd(3), .imm = operand(op),
			};
		}
	}
	insns[nr++] = (struct ktap_insn)END;
	return nr;
}

static void test_random_programs_agree(void **state)
{
	unsigned int gates = 0, refused = 0, passed = 0;
	struct ktap_insn insns[20];
	struct env_regs regs = {};
	struct ktap_gate gate;
	u32 nr, i, j;

	(void)state;
	env_reset();
	srandom(14);
	for (i = 0; i < 60000; i++) {
		nr = random_program(insns);
		ktap_gate_make(insns, &gate);
		gates += !!gate.nr;
		for (j = 0; j < 8; j++) {
			regs.r[1] = random_value();
			regs.r[2] = random_value();
			regs.r[3] = random_value();
			if (agree(insns, nr, &gate, &regs))
				passed += !!gate.nr;
			else
				refused++;
		}
	}
	/* it must have had something to say */
	if (gates < 5000 || refused < 5000 || passed < 5000)
		fail_msg("%u gates, %u refused, %u passed", gates, refused,
			 passed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gates_are_found),
		cmocka_unit_test(test_body),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_random_programs_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
