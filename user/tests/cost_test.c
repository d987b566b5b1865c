// SPDX-License-Identifier: GPL-2.0
/*
 * What programs cost at most, as the module counts it.
 * needs: kmod/hit/verify.c kmod/hit/cost.c kmod/hit/match.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>

#include "../../kunit/insn.h"
#include "env_user.h"
#include "hit/cost.h"

#define LIMIT	100000	/* ns; the module's default */

#define AROUND	(KTAP_PRICE_HIT + KTAP_PRICE_ATTACH)
#define THERE	(KTAP_PRICE_FAULT - KTAP_PRICE_READ)

static struct ktap_prog_info sum_at(const struct ktap_insn *insns, u32 nr,
				    const struct ktap_prog_place *place)
{
	struct ktap_way *ways = malloc(nr * sizeof(*ways));
	struct ktap_prog_info info;
	enum ktap_refusal why;
	u32 at;

	assert_non_null(ways);
	memset(ways, 0xff, nr * sizeof(*ways));
	why = ktap_verify(insns, nr, place, &info, &at);
	if (why)
		fail_msg("refused at %u: %s", at, ktap_refusal_text(why));
	ktap_cost_sum(insns, nr, place, &info, ways);
	free(ways);
	return info;
}

static struct ktap_prog_info sum(const struct ktap_insn *insns, u32 nr)
{
	return sum_at(insns, nr, NULL);
}

#define SUM(...) sum(PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__))
#define COST(...) (SUM(__VA_ARGS__).cost)

static u32 bytes(u32 n)
{
	return (n * KTAP_PRICE_BYTE + 999) / 1000;
}

/* ---- each operation --------------------------------------------------------- */

static void test_nothing(void **state)
{
	assert_int_equal(COST(END()), AROUND + KTAP_PRICE_INSN + bytes(8));
}

/* What @insn costs more than a register in its place. */
static u32 more_at(struct ktap_insn insn, const struct ktap_prog_place *place)
{
	const struct ktap_insn with[] = { REG(0, 0), insn, END() };
	const struct ktap_insn without[] = { REG(0, 0), REG(0, 0), END() };

	return sum_at(with, 3, place).cost - sum_at(without, 3, place).cost;
}

static u32 more(struct ktap_insn insn)
{
	return more_at(insn, NULL);
}

#define MORE(...) more((struct ktap_insn)__VA_ARGS__)

static void test_operations(void **state)
{
	assert_int_equal(MORE(IMM(1, 5)), 0);
	assert_int_equal(MORE(ALUI(1, 0, MUL, 3)), 0);
	assert_int_equal(MORE(ALUI(1, 0, DIVU, 3)), KTAP_PRICE_DIVISION);
	assert_int_equal(MORE(ALU(1, 0, MODS, 0)), KTAP_PRICE_DIVISION);
	assert_int_equal(MORE(CTX(1, TID)), 0);
	assert_int_equal(MORE(CTX(1, TIME)), KTAP_PRICE_CLOCK);
	assert_int_equal(MORE(LOAD(1, 0, 8, 8, 0)), KTAP_PRICE_FAULT + bytes(8));
	/* the copy of the record is more, too, and what was cleared */
	assert_int_equal(MORE(STORE(0, 8, 0, NOBIT)), 2 * bytes(8));
	assert_int_equal(MORE(COMM(0)), 2 * bytes(16));
	assert_int_equal(MORE(BYTES(0, 4096, 0, NOBIT, 0)),
			 KTAP_PRICE_FAULT + 4 * bytes(4096));
	assert_int_equal(MORE(STRING(0, 4096, 0, 0)),
			 KTAP_PRICE_FAULT + bytes(4) + bytes(4096) + bytes(4104));
}

static void test_stack(void **state)
{
	const struct ktap_prog_place user = { .is_user = true };
	const struct ktap_insn stack = STACK(1, 3);

	assert_int_equal(more(stack), KTAP_PRICE_READ);
	assert_int_equal(more_at(stack, &user), KTAP_PRICE_FAULT);
}

/* A user stack ends at the first read that faults. */
static void test_user_stack(void **state)
{
	const struct ktap_insn stack = USTACK(1, 10);
	u32 add = KTAP_STACKS_TRIES * KTAP_PRICE_READ +
		  bytes(2 * KTAP_STACK_FRAMES_MAX * 8);

	assert_int_equal(more(stack),
			 KTAP_PRICE_FAULT + 10 * KTAP_PRICE_UNWIND_USER + add);
}

/* A stack of the kernel is unwound once, and each session adds it to its table. */
static void test_kernel_stack(void **state)
{
	const struct ktap_insn stack = KSTACK(1, 10);
	const struct ktap_insn with[] = { stack, END() };
	u32 add = KTAP_STACKS_TRIES * KTAP_PRICE_READ +
		  bytes(2 * KTAP_STACK_FRAMES_MAX * 8);

	assert_int_equal(more(stack),
			 KTAP_PRICE_UNWIND_START + 10 * KTAP_PRICE_UNWIND + add);
	assert_int_equal(sum(with, 2).cost_again,
			 KTAP_PRICE_ATTACH + add + bytes(8));
}

/* A store may have to free what it could not overwrite. */
static void test_state(void **state)
{
	assert_int_equal(more((struct ktap_insn)GET(1, 0, NOBIT, TAKE)),
			 KTAP_PRICE_STATE);
	assert_int_equal(more((struct ktap_insn)GET(1, 0, NOBIT, TASK)),
			 KTAP_PRICE_STATE + KTAP_PRICE_FAULT + bytes(8));
	assert_int_equal(more((struct ktap_insn)PUT(0, 0, 0)),
			 2 * KTAP_PRICE_STATE + KTAP_PRICE_CLOCK);
}

static void test_entry(void **state)
{
	const struct ktap_prog_info entry = {
		.fixed_size = 2000, .nr_strings = 2, .string_max = { 8, 400 },
	};
	const struct ktap_prog_place place = {
		.is_return = true, .entry = &entry, .nr_frame_regs = 1,
	};

	assert_int_equal(more_at((struct ktap_insn)ENTRY(1, 0, 8, NOBIT, 0),
				 &place), 0);
	assert_int_equal(more_at((struct ktap_insn)ENTRY_BYTES(0, 2000, 0, NOBIT),
				 &place), 3 * bytes(2000));
	assert_int_equal(more_at((struct ktap_insn)ENTRY_STRING(1, 0), &place),
			 KTAP_PRICE_INSN + bytes(4) + bytes(400) + bytes(408));
	assert_int_equal(more_at((struct ktap_insn)FRAME(1, 0, 0, NOBIT), &place),
			 KTAP_PRICE_FRAME);
}

static u32 match_cost(const char *pattern)
{
	u32 len = strlen(pattern), nr = (len + 7) / 8, i;
	struct ktap_insn insns[40] = { REG(0, 0), MATCH(1, 0, len, 0) };
	const u32 around = AROUND + 3 * KTAP_PRICE_INSN + bytes(8);

	for (i = 0; i < nr; i++) {
		insns[2 + i] = (struct ktap_insn)DATA(0);
		memcpy(&insns[2 + i].imm, pattern + 8 * i,
		       len - 8 * i < 8 ? len - 8 * i : 8);
	}
	insns[2 + nr] = (struct ktap_insn)END();
	return sum(insns, nr + 3).cost - around - nr * KTAP_PRICE_INSN -
	       KTAP_PRICE_READ - bytes(KTAP_MATCH_MAX);
}

static void test_match(void **state)
{
	const u32 word = KTAP_MATCH_MAX * KTAP_PRICE_STEP / 1000;
	char pattern[KTAP_PATTERN_MAX + 1] = "";

	assert_int_equal(match_cost("*"), word);
	memset(pattern, 'a', 63);
	assert_int_equal(match_cost(pattern), word);
	memset(pattern, 'a', 64);
	assert_int_equal(match_cost(pattern), 2 * word);
	memset(pattern, 'a', KTAP_PATTERN_MAX);
	assert_int_equal(match_cost(pattern), 4 * word);
	/* it is the elements that count */
	memset(pattern, '*', KTAP_PATTERN_MAX);
	assert_int_equal(match_cost(pattern), word);
}

/* ---- reads that hang on reads ------------------------------------------------ */

static u32 reads_of(const struct ktap_insn *insns, u32 nr)
{
	struct ktap_prog_info info = sum(insns, nr);

	/* nothing is stored: all that is left are reads of 8 bytes */
	return info.cost - AROUND - nr * KTAP_PRICE_INSN - bytes(8);
}

#define READS(...) reads_of(PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__))
#define FAULT	(KTAP_PRICE_FAULT + bytes(8))
#define GOOD	(KTAP_PRICE_READ + bytes(8))
#define NEXT(to, from) LOAD(to, from, 0, 8, 0)

static void test_one_fault_of_a_chain(void **state)
{
	assert_int_equal(READS(REG(0, 0), NEXT(0, 0), END()), FAULT);
	assert_int_equal(READS(REG(0, 0), NEXT(0, 0), NEXT(0, 0), NEXT(0, 0),
			       END()), 2 * GOOD + FAULT);
	assert_int_equal(READS(REG(0, 0), NEXT(0, 0), ALUI(1, 0, ADD, 8),
			       NEXT(2, 1), END()), GOOD + FAULT);
	assert_int_equal(READS(REG(0, 0), NEXT(0, 0), IMM(1, 8),
			       ALU(1, 1, ADD, 0), NEXT(2, 1), END()),
			 GOOD + FAULT);
}

static void test_each_chain_has_a_fault(void **state)
{
	/* two at one address: the first says nothing of the second */
	assert_int_equal(READS(REG(0, 0), NEXT(1, 0), NEXT(2, 0), END()),
			 2 * FAULT);
	/* both at the result of one read, which was good once */
	assert_int_equal(READS(REG(0, 0), NEXT(0, 0), NEXT(1, 0), NEXT(2, 0),
			       END()), GOOD + 2 * FAULT);
	/* a sum of two: not both need to be good for each to fault */
	assert_int_equal(READS(REG(0, 0), NEXT(1, 0), NEXT(2, 0),
			       ALU(1, 1, ADD, 2), NEXT(1, 1), END()),
			 GOOD + 2 * FAULT);
	/* what is written anew hangs on nothing */
	assert_int_equal(READS(REG(0, 0), NEXT(0, 0), REG(0, 1), NEXT(0, 0),
			       END()), 2 * FAULT);
}

/* ---- ways -------------------------------------------------------------------- */

static void test_dearest_way(void **state)
{
	const u32 line = COST(REG(0, 0), REG(1, 0), NEXT(1, 0), END());

	/* the dear one is the one that is jumped over, then the other */
	assert_int_equal(COST(REG(0, 0), JZ(0, 1), NEXT(1, 0), END()), line);
	assert_int_equal(COST(REG(0, 0), JZ(0, 2), IMM(1, 0), JMP(3), NEXT(1, 0),
			      NEXT(2, 0), NEXT(3, 0), END()),
			 line + 2 * (FAULT + KTAP_PRICE_INSN));
	assert_int_equal(COST(REG(0, 0), JZ(0, 4), NEXT(1, 0), NEXT(2, 0),
			      NEXT(3, 0), JMP(1), IMM(1, 0), END()),
			 line + 2 * (FAULT + KTAP_PRICE_INSN) + KTAP_PRICE_INSN);
}

static void test_unreachable_code_is_free(void **state)
{
	assert_int_equal(COST(JMP(2), CTX(0, TIME), CTX(0, TIME), END()),
			 COST(JMP(0), END()));
}

/* A filter may end the program early, which is not the worst. */
static void test_filter(void **state)
{
	assert_int_equal(COST(REG(0, 0), FILTER(0), NEXT(0, 0), END()),
			 COST(REG(0, 0), REG(0, 0), NEXT(0, 0), END()));
}

/*
 * What one way knows of a read is worth nothing where another one comes with a
 * value that hangs on none: that one can fault as often as it reads.
 */
static void test_ways_that_know_different_things(void **state)
{
	const u32 insn = KTAP_PRICE_INSN;
	const u32 both = COST(REG(0, 0), NEXT(1, 0), JZ(0, 1), NEXT(1, 0),
			      NEXT(2, 1), END());

	/* by the second read: fault, good, fault; of the first nothing hangs */
	assert_in_range(both, AROUND + 5 * insn + bytes(8) + 2 * FAULT + GOOD,
			AROUND + 6 * insn + bytes(8) + 3 * FAULT);
	/* before the ways part it is the same on both */
	assert_int_equal(COST(REG(0, 0), NEXT(1, 0), JZ(0, 1), IMM(2, 0),
			      NEXT(2, 1), END()),
			 AROUND + 6 * insn + bytes(8) + GOOD + FAULT);
}

/*
 * The cost of every way of a random program, one at a time and with every
 * read that may fault doing so or not, is no more than what is told.
 */
static u32 run_cost(const struct ktap_insn *insns, u32 faults, u32 jumps)
{
	u32 cost = AROUND + bytes(8), bad = 0;
	const struct ktap_insn *i;

	for (i = insns; ; i++) {
		u32 at = i - insns;

		cost += KTAP_PRICE_INSN;
		if (i->op == KTAP_OP_END)
			return cost;
		if (i->op == KTAP_OP_JMP) {
			i += i->imm;
		} else if (i->op == KTAP_OP_JZ) {
			if (bad >> i->a & 1 || jumps >> at & 1)
				i += i->imm;
		} else if (i->op == KTAP_OP_REG) {
			bad &= ~(1U << i->dst);
		} else if (i->op == KTAP_OP_ALU) {
			bool now = (bad >> i->a | bad >> i->b) & 1;

			bad = (bad & ~(1U << i->dst)) | (u32)now << i->dst;
		} else if (bad >> i->a & 1) {
			bad |= 1U << i->dst;
		} else {
			bool now = faults >> at & 1;

			cost += now ? FAULT : GOOD;
			bad = (bad & ~(1U << i->dst)) | (u32)now << i->dst;
		}
	}
}

#define NR_RANDOM 14

static void random_program(unsigned int *seed, struct ktap_insn *insns)
{
	u32 pc;

	for (pc = 0; pc < 3; pc++)
		insns[pc] = (struct ktap_insn)REG(pc, 0);
	for (; pc < NR_RANDOM - 1; pc++) {
		u8 to = rand_r(seed) % 3, from = rand_r(seed) % 3;
		u32 left = NR_RANDOM - 1 - pc, skip = rand_r(seed) % left;

		switch (rand_r(seed) % 8) {
		case 0:
			insns[pc] = (struct ktap_insn)REG(to, 0);
			break;
		case 1:
			insns[pc] = (struct ktap_insn)ALU(to, from, ADD, 1);
			break;
		case 2:
			insns[pc] = (struct ktap_insn)JZ(from, skip);
			break;
		case 3:
			insns[pc] = (struct ktap_insn)JMP(skip % 3 % left);
			break;
		default:
			insns[pc] = (struct ktap_insn)NEXT(to, from);
			break;
		}
	}
	insns[pc] = (struct ktap_insn)END();
}

static void test_no_run_costs_more(void **state)
{
	unsigned int seed = 1, i, k, met = 0;

	for (i = 0; i < 400; i++) {
		struct ktap_insn insns[NR_RANDOM];
		u32 most = 0, told;

		random_program(&seed, insns);
		told = sum(insns, NR_RANDOM).cost;
		for (k = 0; k < 1U << 11; k++) {
			u32 cost = run_cost(insns, k << 3, rand_r(&seed));

			most = cost > most ? cost : most;
			cost = run_cost(insns, rand_r(&seed), k << 3);
			most = cost > most ? cost : most;
		}
		if (most > told)
			fail_msg("program %u: %u, but told is %u", i, most, told);
		met += most == told;
	}
	/* and it is no idle bound */
	assert_true(met > 200);
}

/* ---- what dominates, and the limit --------------------------------------------- */

static const char * const texts[] = {
#define C(name, text) [KTAP_COST_##name] = text,
	KTAP_COSTS(C)
#undef C
};

static void assert_dearest(const struct ktap_insn *insns, u32 nr,
			   enum ktap_cost_kind kind)
{
	struct ktap_prog_info info = sum(insns, nr);

	assert_true(info.cost > LIMIT);
	assert_int_equal(info.dearest, kind);
	assert_string_equal(ktap_cost_text(&info), texts[kind]);
}

static struct ktap_insn insns[KTAP_PROG_MAX];

/* The same again and again, for as long as a program may be. */
static u32 fill(struct ktap_insn insn, u32 nr)
{
	u32 i;

	insns[0] = (struct ktap_insn)REG(0, 0);
	for (i = 1; i <= nr; i++)
		insns[i] = insn;
	insns[i++] = (struct ktap_insn)END();
	return i;
}

#define FILL(nr, ...) fill((struct ktap_insn)__VA_ARGS__, nr)

static void test_each_kind_can_be_too_dear(void **state)
{
	u32 nr;

	nr = FILL(956, BYTES(0, KTAP_BYTES_MAX, 0, NOBIT, 0));
	assert_dearest(insns, nr, KTAP_COST_BYTES);
	nr = FILL(300, LOAD(1, 0, 0, 8, 0));
	assert_dearest(insns, nr, KTAP_COST_READS);
	nr = FILL(300, CTX(1, TIME));
	assert_dearest(insns, nr, KTAP_COST_INSNS);
}

/* @nr globs of 254 letters, none of which is a *, but for the first. */
static u32 fill_matches(u32 nr)
{
	u32 i, k, at = 0;

	insns[at++] = (struct ktap_insn)REG(0, 0);
	for (i = 0; i < nr; i++) {
		insns[at++] = (struct ktap_insn)MATCH(1, 0, 254, 0);
		for (k = 0; k < 32; k++)
			insns[at++] = (struct ktap_insn)
				DATA(0x6161616161616161 - (k ? 0 : 0x37));
	}
	insns[at++] = (struct ktap_insn)END();
	return at;
}

static void test_globs(void **state)
{
	assert_dearest(insns, fill_matches(28), KTAP_COST_MATCHES);
	assert_dearest(insns, fill_matches(12), KTAP_COST_MATCHES);
	assert_true(sum(insns, fill_matches(11)).cost < LIMIT);
}

/* One instruction more than fits is found in the cost, whatever the limit is. */
static void test_each_instruction_counts(void **state)
{
	u32 one = sum(insns, FILL(100, LOAD(1, 0, 0, 8, 0))).cost;
	u32 more = sum(insns, FILL(101, LOAD(1, 0, 0, 8, 0))).cost;

	assert_int_equal(more - one, KTAP_PRICE_INSN + FAULT);
}

/* The largest of each that is legal. */
static void test_large_programs_are_legal(void **state)
{
	u32 i, at = 0;

	assert_true(sum(insns, FILL(958, ALUI(0, 0, DIVS, 3))).cost < LIMIT);
	assert_true(sum(insns, FILL(958, STACK(0, 2))).cost < LIMIT);
	assert_true(COST(REG(0, 0), STRING(0, KTAP_STRING_MAX, 0, 0), END()) < LIMIT);
	assert_true(COST(REG(0, 0), STRING(0, KTAP_STRING_MAX, 0, 0),
			 STRING(0, KTAP_STRING_MAX, 4, 0),
			 STRING(0, KTAP_STRING_MAX, 8, 0),
			 STRING(0, KTAP_STRING_MAX - 32, 12, 0), END()) < LIMIT);
	assert_true(COST(REG(0, 0), BYTES(0, 16384, 0, NOBIT, 0),
			 BYTES(0, 16384, 16384, NOBIT, 0),
			 BYTES(0, 16384, 32768, NOBIT, 0),
			 BYTES(0, 16368, 49152, NOBIT, 0), END()) < LIMIT);
	/* 128 arguments, each behind three pointers */
	for (i = 0; i < 128; i++) {
		insns[at++] = (struct ktap_insn)REG(0, 0);
		insns[at++] = (struct ktap_insn)NEXT(0, 0);
		insns[at++] = (struct ktap_insn)NEXT(0, 0);
		insns[at++] = (struct ktap_insn)NEXT(0, 0);
		insns[at++] = (struct ktap_insn)STORE(0, 8, 8 * i, 0);
	}
	insns[at++] = (struct ktap_insn)FAULTS(8, 8 * i);
	insns[at++] = (struct ktap_insn)END();
	assert_true(sum(insns, at).cost < LIMIT);
}

/* For each session more a simple program runs again, another's record is copied. */
static void test_again(void **state)
{
	struct ktap_prog_info info;

	info = SUM(REG(0, 0), STORE(0, 8, 0, NOBIT), END());
	assert_int_equal(info.cost_again, info.cost - KTAP_PRICE_HIT -
			 bytes(info.record_max));
	info = SUM(REG(0, 0), STRING(0, 400, 0, 0), END());
	assert_int_equal(info.cost_again,
			 KTAP_PRICE_ATTACH + bytes(info.record_max));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_operations),
		cmocka_unit_test(test_stack),
		cmocka_unit_test(test_kernel_stack),
		cmocka_unit_test(test_user_stack),
		cmocka_unit_test(test_state),
		cmocka_unit_test(test_entry),
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_one_fault_of_a_chain),
		cmocka_unit_test(test_each_chain_has_a_fault),
		cmocka_unit_test(test_dearest_way),
		cmocka_unit_test(test_unreachable_code_is_free),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_ways_that_know_different_things),
		cmocka_unit_test(test_no_run_costs_more),
		cmocka_unit_test(test_each_kind_can_be_too_dear),
		cmocka_unit_test(test_globs),
		cmocka_unit_test(test_each_instruction_counts),
		cmocka_unit_test(test_large_programs_are_legal),
		cmocka_unit_test(test_again),
	};

	return cmocka_run_group_tests_name("cost", tests, NULL, NULL);
}
