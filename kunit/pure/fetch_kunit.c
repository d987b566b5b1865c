// SPDX-License-Identifier: GPL-2.0
/* Every operation of the interpreter, in a simulated environment. */
#include <linux/perf_event.h>

#include "pure.h"

static void fetch_sources(struct kunit *test)
{
	static const u64 stack[] = { 1, 2, 3 };
	struct run *r = run_create(test);

	env_world.ctx[KTAP_CTX_TIME] = 123456789;
	r->regs.stack = stack;
	r->regs.nr_stack = ARRAY_SIZE(stack);
	RUN(r, REG(0, ENV_NR_REGS - 1), STORE(0, 8, 0, NOBIT), IMM(1, ~1ULL),
	    STORE(1, 8, 8, NOBIT), STACK(2, 2), STORE(2, 8, 16, 0), STACK(3, 3),
	    STORE(3, 8, 24, 1), CTX(4, TIME), STORE(4, 8, 32, NOBIT),
	    FAULTS(8, 40), END());
	EXPECT_LEN(r, 48);
	EXPECT_WORD(r, 0, 0x1000 + ENV_NR_REGS - 1);
	EXPECT_WORD(r, 8, ~1ULL);
	EXPECT_WORD(r, 16, 3);
	EXPECT_WORD(r, 24, 0);
	EXPECT_WORD(r, 32, 123456789);
	EXPECT_WORD(r, 40, 1 << 1);
	KUNIT_EXPECT_EQ(test, r->faults, 2ULL);
}

static void fetch_arguments(struct kunit *test)
{
	static const u64 args[] = { 11, 22 };
	struct run *r = run_create(test);

	r->place.nr_args = ARRAY_SIZE(args);
	r->frame.args = args;
	r->frame.nr_args = ARRAY_SIZE(args);
	RUN(r, ARG(0, 1), STORE(0, 8, 0, NOBIT), END());
	EXPECT_WORD(r, 0, 22);
}

static const struct load {
	const char *name;
	u64 value;
	u8 size;
	u8 flags;
} loads[] = {
	{ "a byte", 0x80, 1, 0 },
	{ "a signed byte", 0xffffffffffffff80, 1, SIGNED },
	{ "two bytes", 0xff80, 2, 0 },
	{ "two signed bytes", 0xffffffffffffff80, 2, SIGNED },
	{ "four bytes", 0x81feff80, 4, 0 },
	{ "four signed bytes", 0xffffffff81feff80, 4, SIGNED },
	{ "eight bytes", 0x8302017f81feff80, 8, 0 },
	{ "eight signed bytes", 0x8302017f81feff80, 8, SIGNED },
};

static void load_desc(const struct load *l, char *desc)
{
	strscpy(desc, l->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(load, loads, load_desc);

static void fetch_load(struct kunit *test)
{
	static const u8 bytes[] = { 0x80, 0xff, 0xfe, 0x81, 0x7f, 0x01, 0x02, 0x83 };
	const struct load *l = test->param_value;
	struct run *r = run_create(test);

	env_map(KERNEL, bytes, sizeof(bytes));
	RUN(r, IMM(0, KERNEL + 16), LOAD(1, 0, -16, l->size, l->flags),
	    STORE(1, 8, 0, NOBIT), END());
	EXPECT_WORD(r, 0, l->value);
}

#define LOWEST	0x8000000000000000ULL

static const struct sum {
	const char *name;
	u8 op;
	u64 a, b, value;
} sums[] = {
	{ "+ wraps", KTAP_ALU_ADD, ~0ULL, 2, 1 },
	{ "- wraps", KTAP_ALU_SUB, 1, 2, ~0ULL },
	{ "* keeps the low half", KTAP_ALU_MUL, LOWEST, 3, LOWEST },
	{ "&", KTAP_ALU_AND, 0xff0, 0x0ff, 0x0f0 },
	{ "|", KTAP_ALU_OR, 0xff0, 0x0ff, 0xfff },
	{ "^", KTAP_ALU_XOR, 0xff0, 0x0ff, 0xf0f },
	{ "<< 63", KTAP_ALU_SHL, 1, 63, LOWEST },
	{ "<< 64", KTAP_ALU_SHL, 1, 64, 0 },
	{ ">> 63", KTAP_ALU_SHR, LOWEST, 63, 1 },
	{ ">> 2^32", KTAP_ALU_SHR, ~0ULL, 1ULL << 32, 0 },
	{ "signed >> 62", KTAP_ALU_SAR, LOWEST, 62, ~1ULL },
	{ "signed >> of all", KTAP_ALU_SAR, LOWEST, ~0ULL, ~0ULL },
	{ "==", KTAP_ALU_EQ, 5, 5, 1 },
	{ "== looks at all bits", KTAP_ALU_EQ, 5, 5 + (1ULL << 32), 0 },
	{ "!=", KTAP_ALU_NE, 5, 6, 1 },
	{ "<", KTAP_ALU_LTU, 1, ~0ULL, 1 },
	{ "<=", KTAP_ALU_LEU, 2, 2, 1 },
	{ "signed <", KTAP_ALU_LTS, 1, ~0ULL, 0 },
	{ "signed <=", KTAP_ALU_LES, LOWEST, 0, 1 },
	{ "/", KTAP_ALU_DIVU, -7ULL, 2, 0x7ffffffffffffffcULL },
	{ "%", KTAP_ALU_MODU, 7, 4, 3 },
	{ "signed /", KTAP_ALU_DIVS, -7ULL, 2, -3ULL },
	{ "signed %", KTAP_ALU_MODS, -7ULL, 2, -1ULL },
	{ "lowest / -1", KTAP_ALU_DIVS, LOWEST, -1ULL, LOWEST },
	{ "lowest % -1", KTAP_ALU_MODS, LOWEST, -1ULL, 0 },
};

static void sum_desc(const struct sum *s, char *desc)
{
	strscpy(desc, s->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(sum, sums, sum_desc);

static void fetch_arithmetic(struct kunit *test)
{
	const struct sum *s = test->param_value;
	struct ktap_insn alu = ALU(2, 0, ADD, 1);
	struct ktap_insn alui = ALUI(3, 0, ADD, s->b);
	struct run *r = run_create(test);

	alu.size = s->op;
	alui.size = s->op;
	RUN(r, IMM(0, s->a), IMM(1, s->b), alu, alui, STORE(2, 8, 0, NOBIT),
	    STORE(3, 8, 8, NOBIT), END());
	EXPECT_WORD(r, 0, s->value);
	EXPECT_WORD(r, 8, s->value);
}

static void fetch_division_by_zero_is_a_fault(struct kunit *test)
{
	struct run *r = run_create(test);

	RUN(r, IMM(0, 5), IMM(1, 0), ALU(2, 0, DIVU, 1), STORE(2, 8, 0, 0),
	    ALU(2, 0, MODS, 1), STORE(2, 8, 8, 1), FAULTS(1, 16), END());
	EXPECT_WORD(r, 0, 0);
	EXPECT_WORD(r, 8, 0);
	EXPECT_WORD(r, 16, 3);
}

static void fetch_bad_values_spread(struct kunit *test)
{
	struct run *r = run_create(test);

	RUN(r, IMM(0, KERNEL), IMM(1, 1), LOAD(0, 0, 0, 8, 0), ALU(2, 0, ADD, 1),
	    ALU(3, 1, ADD, 0), ALUI(4, 0, EQ, 0), LOAD(5, 2, 0, 8, 0),
	    STORE(1, 8, 0, 1), STORE(2, 8, 0, 2), STORE(3, 8, 0, 3),
	    STORE(4, 8, 0, 4), STORE(5, 8, 0, 5), FAULTS(8, 8), END());
	EXPECT_WORD(r, 0, 0);
	EXPECT_WORD(r, 8, 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5);
}

static void fetch_ways(struct kunit *test)
{
	struct run *r = run_create(test);

	RUN(r, IMM(0, 0), IMM(1, 1), JZ(0, 1), IMM(1, 2), STORE(1, 8, 0, NOBIT), END());
	EXPECT_WORD(r, 0, 1);
	RUN(r, IMM(0, 1), IMM(1, 1), JZ(0, 1), IMM(1, 2), STORE(1, 8, 0, NOBIT), END());
	EXPECT_WORD(r, 0, 2);
	RUN(r, IMM(1, 1), JMP(1), IMM(1, 2), STORE(1, 8, 0, NOBIT), END());
	EXPECT_WORD(r, 0, 1);
	RUN(r, IMM(0, 0), FILTER(0), STORE(0, 8, 0, NOBIT), END());
	EXPECT_LEN(r, KTAP_FETCH_FILTERED);
	RUN(r, IMM(0, KERNEL), LOAD(0, 0, 0, 8, 0), FILTER(0), END());
	EXPECT_LEN(r, KTAP_FETCH_FILTERED);
	RUN(r, IMM(0, LOWEST), FILTER(0), STORE(0, 8, 0, NOBIT), END());
	EXPECT_LEN(r, 8);
}

/* Bytes that were not stored, because of gaps or jumps, are zero. */
static void fetch_fixed_part_starts_as_zeros(struct kunit *test)
{
	struct run *r = run_create(test);
	u32 at;

	RUN(r, IMM(0, 0x8877665544332211), STORE(0, 1, 0, NOBIT), STORE(0, 2, 2, NOBIT),
	    STORE(0, 4, 4, NOBIT), STORE(0, 1, 17, NOBIT), END());
	EXPECT_LEN(r, 24);
	EXPECT_WORD(r, 0, 0x4433221122110011);
	EXPECT_WORD(r, 8, 0);
	EXPECT_WORD(r, 16, 0x1100);
	RUN(r, IMM(0, 0), JMP(1), STORE(0, 8, 120, NOBIT), END());
	EXPECT_LEN(r, 128);
	for (at = 0; at < 128; at += 8)
		EXPECT_WORD(r, at, 0);
}

static void fetch_name_of_the_task(struct kunit *test)
{
	struct run *r = run_create(test);

	env_set_task(1, 1, "fifteen letters");
	RUN(r, COMM(3), END());
	EXPECT_LEN(r, 24);
	KUNIT_EXPECT_EQ(test, memcmp(r->payload + 3, "fifteen letters", 16), 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(r->payload, 0, 3));
	KUNIT_EXPECT_NULL(test, memchr_inv(r->payload + 19, 0, 5));
}

static void fetch_bytes_are_all_or_none(struct kunit *test)
{
	static const char memory[] = "0123456789ab";
	struct run *r = run_create(test);

	env_map(KERNEL, memory, 12);
	RUN(r, IMM(0, KERNEL), BYTES(0, 12, 4, 0, 0), FAULTS(1, 0), END());
	KUNIT_EXPECT_EQ(test, memcmp(r->payload + 4, memory, 12), 0);
	KUNIT_EXPECT_EQ(test, r->payload[0], 0);
	RUN(r, IMM(0, KERNEL), BYTES(0, 13, 1, 2, 0), FAULTS(1, 0), END());
	KUNIT_EXPECT_NULL(test, memchr_inv(r->payload + 1, 0, 13));
	KUNIT_EXPECT_EQ(test, r->payload[0], 1 << 2);
}

static void fetch_strings(struct kunit *test)
{
	struct run *r = run_create(test);

	env_map(KERNEL, "hello", 6);
	env_map(USERLAND, "no end", 6);
	RUN(r, IMM(0, KERNEL), STRING(0, 100, 0, 0), END());
	run_expect_string(r, 0, "hello", 0);
	RUN(r, IMM(0, KERNEL), STRING(0, 6, 0, 0), END());
	run_expect_string(r, 0, "hello", 0);
	RUN(r, IMM(0, KERNEL), STRING(0, 5, 0, 0), END());
	run_expect_string(r, 0, "hell", KTAP_STRING_F_CUT);
	RUN(r, IMM(0, USERLAND), STRING(0, 100, 0, USER), END());
	run_expect_string(r, 0, NULL, KTAP_STRING_F_FAULT);
	RUN(r, IMM(0, KERNEL), STRING(0, 100, 0, USER), END());
	run_expect_string(r, 0, NULL, KTAP_STRING_F_FAULT);
	RUN(r, IMM(0, KERNEL + 64), LOAD(0, 0, 0, 8, 0), STRING(0, 100, 0, 0), END());
	run_expect_string(r, 0, NULL, KTAP_STRING_F_FAULT);
}

static void fetch_pattern(struct kunit *test)
{
	struct run *r = run_create(test);

	env_map(KERNEL, "/etc/passwd", 12);
	RUN(r, IMM(0, KERNEL), MATCH(1, 0, 9, 0), DATA(pattern_word("/etc/*ss")),
	    DATA(pattern_word("*")), STORE(1, 8, 0, NOBIT), MATCH(2, 0, 5, 0),
	    DATA(pattern_word("/etc/")), STORE(2, 8, 8, NOBIT), END());
	EXPECT_WORD(r, 0, 1);
	EXPECT_WORD(r, 8, 0);
	RUN(r, IMM(0, KERNEL + 64), MATCH(1, 0, 1, 0), DATA(pattern_word("*")),
	    STORE(1, 8, 0, 0), FAULTS(1, 8), END());
	EXPECT_WORD(r, 8, 1);
}

#define ABSENT	(USERLAND + 0x1000)	/* not resident from here on */

/* Loads an integer at an address, and stores the fault bits. */
#define VALUE_AT(addr) \
	IMM(0, addr), LOAD(0, 0, 0, 8, 0), STORE(0, 8, 0, 0), FAULTS(1, 8), END()

static struct run *run_create_user(struct kunit *test)
{
	static const u64 kernel = 1, resident = 2, stack = 4, absent = 'a';
	struct run *r = run_create(test);

	env_map(KERNEL, &kernel, 8);
	env_map(USERLAND, &resident, 8);
	env_map(ABSENT, &absent, 8);
	env_map(ENV_USER_STACK, &stack, 8);
	env_world.absent = ABSENT;
	r->frame.memory = ENV_USER;
	return r;
}

static void fetch_user_code_has_user_memory(struct kunit *test)
{
	struct run *r = run_create_user(test);

	RUN(r, VALUE_AT(USERLAND));
	EXPECT_WORD(r, 0, 2);
	RUN(r, VALUE_AT(KERNEL));
	EXPECT_WORD(r, 0, 0);
	EXPECT_WORD(r, 8, 1);
	r->frame.memory = ENV_ANY;
	RUN(r, VALUE_AT(KERNEL));
	EXPECT_WORD(r, 0, 1);
}

/* The read of memory that is not resident is repeated, and then waits. */
static void fetch_waits_for_memory(struct kunit *test)
{
	struct ktap_user_wait wait = { .cpu = 3 };
	struct run *r = run_create_user(test);

	r->frame.retry = true;
	RUN(r, VALUE_AT(ABSENT));
	EXPECT_LEN(r, KTAP_FETCH_AGAIN);
	RUN(r, IMM(0, ABSENT), STRING(0, 16, 0, 0), END());
	EXPECT_LEN(r, KTAP_FETCH_AGAIN);
	RUN(r, IMM(0, ABSENT), LOAD(0, 0, 0, 8, 0), FILTER(0), END());
	EXPECT_LEN(r, KTAP_FETCH_AGAIN);
	r->frame.retry = false;
	r->frame.wait = &wait;
	RUN(r, VALUE_AT(ABSENT));
	EXPECT_WORD(r, 0, 'a');
	RUN(r, IMM(0, ABSENT), STRING(0, 16, 0, 0), END());
	run_expect_string(r, 0, "a", 0);
	RUN(r, STACK(0, 0), STORE(0, 8, 0, NOBIT), CTX(1, CPU), STORE(1, 8, 8, NOBIT),
	    END());
	EXPECT_WORD(r, 0, 4);
	EXPECT_WORD(r, 8, 3);
}

static bool frame_with(u64 cfa, u64 nr, u64 *ret)
{
	*ret = nr + 10;
	return cfa == 0x1000;
}

static void fetch_frame(struct kunit *test)
{
	struct run *r = run_create(test);

	env_world.frame = frame_with;
	r->place.nr_frame_regs = 2;
	RUN(r, REG(0, 0), FRAME(1, 0, 1, 0), STORE(1, 8, 0, 0), FAULTS(1, 8), END());
	EXPECT_WORD(r, 0, 11);
	EXPECT_WORD(r, 8, 0);
	KUNIT_EXPECT_EQ(test, env_world.no_entry, 0U);
	RUN(r, REG(0, 1), FRAME(1, 0, 1, 0), STORE(1, 8, 0, 0), FAULTS(1, 8), END());
	EXPECT_WORD(r, 0, 0);
	EXPECT_WORD(r, 8, 1);
	KUNIT_EXPECT_EQ(test, env_world.no_entry, 1U);
	/* without a CFA the frame is unknown, which is not counted as no_entry */
	RUN(r, IMM(0, KERNEL), LOAD(0, 0, 0, 8, 0), FRAME(1, 0, 1, 0),
	    STORE(1, 8, 0, 0), FAULTS(1, 8), END());
	EXPECT_WORD(r, 8, 1);
	KUNIT_EXPECT_EQ(test, env_world.no_entry, 1U);
}

/* Fault bits: 0: no entry; 1: no value of the second load. */
static void fetch_state(struct kunit *test)
{
	struct run *r = run_create(test);

	RUN(r, IMM(0, 5), IMM(1, 50), PUT(0, 1, 0), GET(2, 0, 0, TAKE),
	    STORE(2, 8, 0, NOBIT), GET(2, 0, 0, 0), STORE(2, 8, 8, 1),
	    FAULTS(1, 16), END());
	EXPECT_WORD(r, 0, 50);
	EXPECT_WORD(r, 8, 0);
	EXPECT_WORD(r, 16, 3);
	KUNIT_EXPECT_EQ(test, env_world.state[KTAP_STATE_MISSES], 1U);
}

static const u64 counted = KTAP_COUNTER(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);

/* Only one event can be read. */
static bool count(u64 event, u64 *ret)
{
	*ret = 77;
	return event == counted;
}

static void fetch_counters(struct kunit *test)
{
	struct run *r = run_create(test);

	env_world.counter = count;
	RUN(r, COUNTER(0, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS),
	    STORE(0, 8, 0, 0),
	    COUNTER(0, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS),
	    STORE(0, 8, 8, 1), FAULTS(1, 16), END());
	EXPECT_WORD(r, 0, 0);
	EXPECT_WORD(r, 8, 77);
	EXPECT_WORD(r, 16, 1);
	KUNIT_EXPECT_EQ(test, r->info.nr_counters, 2U);
	KUNIT_EXPECT_EQ(test, r->info.counters[1].event, counted);
	/* nothing that an earlier read left in the slot */
	env_world.counter = NULL;
	RUN(r, COUNTER(0, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS),
	    STORE(0, 8, 0, 0), FILTER(0), FAULTS(1, 8), END());
	KUNIT_EXPECT_EQ(test, r->len, KTAP_FETCH_FILTERED);
}

static struct kunit_case fetch_cases[] = {
	KUNIT_CASE(fetch_sources),
	KUNIT_CASE(fetch_arguments),
	KUNIT_CASE_PARAM(fetch_load, load_gen_params),
	KUNIT_CASE_PARAM(fetch_arithmetic, sum_gen_params),
	KUNIT_CASE(fetch_division_by_zero_is_a_fault),
	KUNIT_CASE(fetch_bad_values_spread),
	KUNIT_CASE(fetch_ways),
	KUNIT_CASE(fetch_fixed_part_starts_as_zeros),
	KUNIT_CASE(fetch_name_of_the_task),
	KUNIT_CASE(fetch_bytes_are_all_or_none),
	KUNIT_CASE(fetch_strings),
	KUNIT_CASE(fetch_pattern),
	KUNIT_CASE(fetch_user_code_has_user_memory),
	KUNIT_CASE(fetch_waits_for_memory),
	KUNIT_CASE(fetch_frame),
	KUNIT_CASE(fetch_state),
	KUNIT_CASE(fetch_counters),
	{}
};

struct kunit_suite ktap_fetch_suite = {
	.name = "ktap_fetch",
	.test_cases = fetch_cases,
};
