// SPDX-License-Identifier: GPL-2.0
/*
 * Programs as steps, against the interpreter: the same bytes, whatever the
 * program stores and whichever of its reads fail.
 * needs: kmod/hit/walk.c kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "hit/fetch.h"
#include "hit/walk.h"
#include "tests/ready.h"

#define STEPS_MAX	64

#define REG(d, r)	{ .op = KTAP_OP_REG, .dst = (d), .imm = (r) }
#define IMM(d, v)	{ .op = KTAP_OP_IMM, .dst = (d), .imm = (v) }
#define ADDI(d, s, v)	{ .op = KTAP_OP_ALUI, .size = KTAP_ALU_ADD, \
			  .dst = (d), .a = (s), .imm = (v) }
#define LOAD(d, s, n)	{ .op = KTAP_OP_LOAD, .dst = (d), .a = (s), .size = (n) }
#define STORE(s, n, o)	{ .op = KTAP_OP_STORE, .a = (s), .b = KTAP_NO_FAULT, \
			  .size = (n), .off = (o) }
#define FSTORE(s, n, o, f) { .op = KTAP_OP_STORE, .a = (s), .b = (f), \
			     .size = (n), .off = (o) }
#define FAULTS(n, o)	{ .op = KTAP_OP_FAULTS, .size = (n), .off = (o) }
#define COMM(o)		{ .op = KTAP_OP_COMM, .off = (o) }
#define FILTER(s)	{ .op = KTAP_OP_FILTER, .a = (s) }
#define END		{ .op = KTAP_OP_END }

/* Kernel memory: pointers into itself, some to nowhere, and odd numbers. */
#define MEMORY	0xffff888000001000ULL
#define WORDS	64

static u64 memory[WORDS];

static u64 rnd(u64 n)
{
	return ((u64)random() << 31 ^ random()) % n;
}

static u64 random_value(void)
{
	static const u64 odd[] = { 0, 1, ~0ULL, 0x80, 0x8000, 0x80000000, 8,
				   0x1000, MEMORY + 8 * WORDS - 4 };

	return rnd(3) ? MEMORY + 8 * rnd(WORDS - 4) : odd[rnd(ARRAY_SIZE(odd))];
}

static void new_world(struct env_regs *regs)
{
	unsigned int i;

	env_reset();
	env_set_task(1, 1, "somebody");
	for (i = 0; i < WORDS; i++)
		memory[i] = random_value();
	env_map(MEMORY, memory, sizeof(memory));
	for (i = 0; i < 4; i++)
		regs->r[i] = random_value();
	for (i = 0; i <= KTAP_CTX_MAX; i++)
		env_world.ctx[i] = random_value();
}

/* Return: whether it is a program of steps; then both make the same of it. */
static bool same(const struct ktap_insn *insns, u32 nr,
		 const struct env_regs *regs)
{
	const struct ktap_frame frame = { .regs = regs };
	static u8 want[KTAP_RECORD_MAX], got[KTAP_RECORD_MAX];
	struct ktap_step steps[STEPS_MAX];
	struct ktap_walk walk = {};
	struct ktap_prog_info info;
	u32 at, nr_steps;
	int len;

	if (ktap_verify(insns, nr, NULL, &info, &at))
		return false;
	nr_steps = ktap_walk_make(insns, &info, &walk);
	if (!nr_steps)
		return false;
	assert_in_range(nr_steps, 1, STEPS_MAX);
	walk = (struct ktap_walk){ .steps = steps };
	assert_int_equal(ktap_walk_make(insns, &info, &walk), nr_steps);
	memset(want, 0x5a, sizeof(want));
	memset(got, 0xa5, sizeof(got));
	len = ktap_fetch_run(insns, &info, &frame, want, NULL);
	assert_int_equal(len + sizeof(struct ktap_rec_head), info.record_max);
	ktap_walk(&walk, regs, got);
	assert_memory_equal(got, want, len);
	/* and not a byte more */
	assert_int_equal(got[len], 0xa5);
	return true;
}

/* ---- what are steps, and how many ------------------------------------------------- */

static void test_steps(void **state)
{
	static const struct {
		const char *what;
		u32 steps;
		struct ktap_insn insns[9];
	} table[] = {
		{ "a word", 1, { REG(0, 1), LOAD(0, 0, 8), FSTORE(0, 8, 0, 0),
				 FAULTS(1, 8), END } },
		{ "through three pointers", 3,
		  { REG(0, 1), LOAD(0, 0, 8), LOAD(0, 0, 8), LOAD(0, 0, 4),
		    FSTORE(0, 4, 0, 0), FAULTS(1, 8), END } },
		{ "half a word, and its fault beside it", 1,
		  { REG(0, 1), LOAD(0, 0, 4), FSTORE(0, 4, 0, 0), FAULTS(1, 4),
		    END } },
		{ "a sign reaches beyond the store", 2,
		  { REG(0, 1),
		    { .op = KTAP_OP_LOAD, .size = 4, .flags = KTAP_INSN_F_SIGNED },
		    STORE(0, 4, 0), END } },
		{ "stored twice", 2, { REG(0, 1), LOAD(0, 0, 8), STORE(0, 8, 0),
				       STORE(0, 8, 8), END } },
		{ "a sum", 1, { REG(0, 1), ADDI(0, 0, 5), STORE(0, 8, 0), END } },
		{ "the sum of a value", 2, { REG(0, 1), LOAD(0, 0, 8), ADDI(0, 0, 5),
					     STORE(0, 8, 0), END } },
		{ "a name", 1, { COMM(0), END } },
		{ "stored over the faults", 0,
		  { REG(0, 1), LOAD(0, 0, 8), FSTORE(0, 8, 8, 0), FAULTS(8, 0),
		    STORE(0, 8, 0), END } },
		{ "a filter", 0, { REG(0, 1), LOAD(0, 0, 8), FILTER(0),
				   STORE(0, 8, 0), END } },
		{ "a copy of a value", 0, { REG(0, 1), LOAD(0, 0, 8), ADDI(1, 0, 5),
					    STORE(1, 8, 0), END } },
		{ "nothing", 0, { END } },
	};
	struct env_regs regs = {};

	(void)state;
	srandom(1);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct ktap_walk walk = {};
		struct ktap_prog_info info;
		u32 nr = 0, at, steps;

		while (table[i].insns[nr++].op != KTAP_OP_END)
			;
		assert_int_equal(ktap_verify(table[i].insns, nr, NULL, &info,
					     &at), KTAP_REFUSE_NONE);
		steps = ktap_walk_make(table[i].insns, &info, &walk);
		if (steps != table[i].steps)
			fail_msg("%s: %u steps", table[i].what, steps);
		for (u32 j = 0; j < 100; j++) {
			new_world(&regs);
			assert_int_equal(same(table[i].insns, nr, &regs),
					 !!steps);
		}
	}
}

/* ---- random programs ---------------------------------------------------------------- */

static struct ktap_insn random_insn(void)
{
	u8 dst = rnd(4), a = rnd(4) ? dst : rnd(4), size = 1 << rnd(4);
	u8 fault = rnd(2) ? KTAP_NO_FAULT : rnd(8);

	switch (rnd(14)) {
	case 0:
	case 1:
		return (struct ktap_insn)REG(dst, rnd(4));
	case 2:
		return (struct ktap_insn)IMM(dst, random_value());
	case 3:
		return (struct ktap_insn)ADDI(dst, a, rnd(64) - 32);
	case 4:
		return (struct ktap_insn){ .op = KTAP_OP_CTX, .dst = dst,
					   .imm = rnd(__KTAP_CTX_MAX) };
	case 5:
		return (struct ktap_insn)COMM(rnd(24));
	case 6:
	case 7:
	case 8:
	case 9:
		return (struct ktap_insn)FSTORE(a, size, size * rnd(32 / size),
						fault);
	default:
		return (struct ktap_insn){
			.op = KTAP_OP_LOAD, .dst = dst, .a = a, .size = size,
			.flags = rnd(__KTAP_INSN_F_ALL + 1),
			.imm = 8 * rnd(8) - 16,
		};
	}
}

static u32 random_program(struct ktap_insn *insns)
{
	u32 nr = 4 + rnd(12), i;

	for (i = 0; i < 4; i++)
		insns[i] = (struct ktap_insn)REG(i, i);
	for (; i < nr; i++)
		insns[i] = random_insn();
	if (rnd(8))
		insns[nr++] = (struct ktap_insn)FAULTS(1, 8 * rnd(5));
	if (!rnd(4))
		insns[nr++] = random_insn();
	insns[nr++] = (struct ktap_insn)END;
	return nr;
}

static void test_random_programs_agree(void **state)
{
	struct ktap_insn insns[20];
	struct env_regs regs = {};
	unsigned int steps = 0, i;

	(void)state;
	srandom(16);
	for (i = 0; i < 60000; i++) {
		u32 nr = random_program(insns);

		new_world(&regs);
		steps += same(insns, nr, &regs);
	}
	/* it must have had something to say */
	if (steps < 10000)
		fail_msg("%u of %u are programs of steps", steps, i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_random_programs_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
