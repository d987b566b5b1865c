// SPDX-License-Identifier: GPL-2.0
/*
 * The interpreter of fetch programs, as the module has it: all but strings.
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c user/tests/fetch/run.c
 */
#include "hit/fetch.h"
#include "fetch/run.h"

#define LOWEST	0x8000000000000000ULL

/* ---- sources ----------------------------------------------------------- */

static void test_registers(void **state)
{
	RUN(REG(3, 0), REG(4, ENV_NR_REGS - 1), STORE(3, 8, 0, NOBIT),
	    STORE(4, 8, 8, NOBIT), END());
	assert_int_equal(len, 16);
	assert_int_equal(word(0), 0x1000);
	assert_int_equal(word(8), 0x1000 + ENV_NR_REGS - 1);
}

static void test_immediate(void **state)
{
	RUN(IMM(0, 0xfedcba9876543210), STORE(0, 8, 0, NOBIT), END());
	assert_int_equal(word(0), 0xfedcba9876543210);
}

static void test_stack(void **state)
{
	RUN(STACK(0, 0), STACK(1, 2), STACK(2, 3), STORE(0, 8, 0, 0),
	    STORE(1, 8, 8, 1), STORE(2, 8, 16, 2), FAULTS(8, 24), END());
	assert_int_equal(word(0), 0x1111);
	assert_int_equal(word(8), 0xfedcba9876543210);
	assert_int_equal(word(16), 0);
	assert_int_equal(word(24), 1 << 2);
}

static void test_load_sizes_and_signs(void **state)
{
	static const u8 bytes[] = { 0x80, 0xff, 0xfe, 0x81, 0x7f, 0x01, 0x02,
				    0x83 };
	static const struct {
		u8 size, flags;
		u64 value;
	} cases[] = {
		{ 1, 0, 0x80 },
		{ 1, SIGNED, 0xffffffffffffff80 },
		{ 2, 0, 0xff80 },
		{ 2, SIGNED, 0xffffffffffffff80 },
		{ 4, 0, 0x81feff80 },
		{ 4, SIGNED, 0xffffffff81feff80 },
		{ 8, 0, 0x8302017f81feff80 },
		{ 8, SIGNED, 0x8302017f81feff80 },
	};
	unsigned int i;

	env_map(KERNEL, bytes, sizeof(bytes));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		RUN(IMM(0, KERNEL), LOAD(0, 0, 0, cases[i].size, cases[i].flags),
		    STORE(0, 8, 0, NOBIT), END());
		assert_int_equal(word(0), cases[i].value);
	}
	/* a sign bit that is not set extends to nothing */
	RUN(IMM(0, KERNEL + 4), LOAD(0, 0, 0, 1, SIGNED), STORE(0, 8, 0, NOBIT),
	    END());
	assert_int_equal(word(0), 0x7f);
}

static void test_load_displacement(void **state)
{
	static const u64 words[] = { 1, 2, 3 };

	env_map(KERNEL, words, sizeof(words));
	RUN(IMM(0, KERNEL + 8), LOAD(1, 0, -8, 8, 0), LOAD(2, 0, 8, 8, 0),
	    STORE(1, 8, 0, NOBIT), STORE(2, 8, 8, NOBIT), END());
	assert_int_equal(word(0), 1);
	assert_int_equal(word(8), 3);
}

static void test_load_follows_pointers(void **state)
{
	static const u64 first = KERNEL + 0x100, second = 42;

	env_map(KERNEL, &first, 8);
	env_map(KERNEL + 0x100, &second, 8);
	RUN(IMM(0, KERNEL), LOAD(0, 0, 0, 8, 0), LOAD(0, 0, 0, 8, 0),
	    STORE(0, 8, 0, NOBIT), END());
	assert_int_equal(word(0), 42);
}

static void test_user_memory(void **state)
{
	static const u64 v = 7;

	env_map(USERLAND, &v, 8);
	env_map(KERNEL, &v, 8);
	RUN(IMM(0, USERLAND), LOAD(1, 0, 0, 8, USER), LOAD(2, 0, 0, 8, 0),
	    IMM(0, KERNEL), LOAD(3, 0, 0, 8, USER), STORE(1, 8, 0, 0),
	    STORE(2, 8, 8, 1), STORE(3, 8, 16, 2), FAULTS(8, 24), END());
	assert_int_equal(word(0), 7);
	assert_int_equal(word(8), 7);
	assert_int_equal(word(16), 0);
	assert_int_equal(word(24), 1 << 2);
}

/* ---- arithmetic ---------------------------------------------------------- */

static const struct {
	u8 op;
	u64 a, b, value;
} sums[] = {
	{ KTAP_ALU_ADD, ~0ULL, 2, 1 },
	{ KTAP_ALU_SUB, 1, 2, ~0ULL },
	{ KTAP_ALU_MUL, 1ULL << 63, 3, 1ULL << 63 },
	{ KTAP_ALU_AND, 0xff0, 0x0ff, 0x0f0 },
	{ KTAP_ALU_OR, 0xff0, 0x0ff, 0xfff },
	{ KTAP_ALU_XOR, 0xff0, 0x0ff, 0xf0f },
	{ KTAP_ALU_SHL, 1, 63, 1ULL << 63 },
	{ KTAP_ALU_SHL, 1, 64, 0 },
	{ KTAP_ALU_SHL, 1, ~0ULL, 0 },
	{ KTAP_ALU_SHR, 1ULL << 63, 63, 1 },
	{ KTAP_ALU_SHR, ~0ULL, 64, 0 },
	{ KTAP_ALU_SHR, ~0ULL, 1ULL << 32, 0 },
	{ KTAP_ALU_SAR, LOWEST, 62, ~1ULL },
	{ KTAP_ALU_SAR, LOWEST, 64, ~0ULL },
	{ KTAP_ALU_SAR, LOWEST, ~0ULL, ~0ULL },
	{ KTAP_ALU_SAR, 1ULL << 62, 64, 0 },
	{ KTAP_ALU_EQ, 5, 5, 1 },
	{ KTAP_ALU_EQ, 5, 5 + (1ULL << 32), 0 },
	{ KTAP_ALU_NE, 5, 5, 0 },
	{ KTAP_ALU_NE, 5, 6, 1 },
	{ KTAP_ALU_LTU, 1, ~0ULL, 1 },
	{ KTAP_ALU_LTU, 2, 2, 0 },
	{ KTAP_ALU_LEU, 2, 2, 1 },
	{ KTAP_ALU_LEU, ~0ULL, 2, 0 },
	{ KTAP_ALU_LTS, 1, ~0ULL, 0 },
	{ KTAP_ALU_LTS, ~0ULL, 1, 1 },
	{ KTAP_ALU_LTS, 2, 2, 0 },
	{ KTAP_ALU_LES, 2, 2, 1 },
	{ KTAP_ALU_LES, LOWEST, 0, 1 },
	{ KTAP_ALU_LES, 0, LOWEST, 0 },
	{ KTAP_ALU_DIVU, -7ULL, 2, 0x7ffffffffffffffcULL },
	{ KTAP_ALU_MODU, 7, 4, 3 },
	{ KTAP_ALU_DIVS, -7ULL, 2, -3ULL },
	{ KTAP_ALU_MODS, -7ULL, 2, -1ULL },
};

static void test_arithmetic(void **state)
{
	bool seen[KTAP_ALU_MAX + 1] = {};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sums); i++) {
		struct ktap_insn alu = ALU(2, 0, ADD, 1);
		struct ktap_insn alui = ALUI(3, 0, ADD, sums[i].b);

		alu.size = sums[i].op;
		alui.size = sums[i].op;
		RUN(IMM(0, sums[i].a), IMM(1, sums[i].b), alu, alui,
		    STORE(2, 8, 0, NOBIT), STORE(3, 8, 8, NOBIT), END());
		if (word(0) != sums[i].value || word(8) != sums[i].value)
			fail_msg("sum %u: %llx and %llx", i, word(0), word(8));
		seen[sums[i].op] = true;
	}
	for (i = 0; i <= KTAP_ALU_MAX; i++)
		assert_true(seen[i]);
}

/* ---- bad slots -------------------------------------------------------------- */

static void test_fault_marks_its_bit_and_stores_zero(void **state)
{
	RUN(IMM(0, KERNEL), LOAD(0, 0, 0, 8, 0), STORE(0, 8, 0, 5),
	    STORE(0, 4, 8, NOBIT), FAULTS(1, 12), END());
	assert_int_equal(len, 16);
	assert_int_equal(word(0), 0);
	assert_int_equal(word(8), 1ULL << (5 + 32));
}

static void test_last_fault_bit(void **state)
{
	RUN(IMM(0, KERNEL), LOAD(0, 0, 0, 8, 0), STORE(0, 8, 0, 63),
	    FAULTS(8, 8), END());
	assert_int_equal(word(8), 1ULL << 63);
}

static void test_bad_spreads(void **state)
{
	RUN(IMM(0, KERNEL), IMM(1, 1), LOAD(0, 0, 0, 8, 0),
	    ALU(2, 0, ADD, 1), ALU(3, 1, ADD, 0), ALUI(4, 0, EQ, 0),
	    LOAD(5, 2, 0, 8, 0), STORE(1, 8, 0, 1), STORE(2, 8, 0, 2),
	    STORE(3, 8, 0, 3), STORE(4, 8, 0, 4), STORE(5, 8, 0, 5),
	    FAULTS(8, 8), END());
	assert_int_equal(word(0), 0);
	assert_int_equal(word(8), 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5);
}

static void test_a_good_value_heals_a_slot(void **state)
{
	RUN(IMM(0, KERNEL), LOAD(0, 0, 0, 8, 0), REG(0, 1), STORE(0, 8, 0, 0),
	    FAULTS(8, 8), END());
	assert_int_equal(word(0), 0x1001);
	assert_int_equal(word(8), 0);
}

static void test_nothing_is_loaded_through_a_bad_slot(void **state)
{
	static const u64 v = 9;

	/* a bad slot holds 0: were that an address, it would be this one */
	env_map(0, &v, 8);
	RUN(IMM(0, KERNEL), LOAD(0, 0, 0, 8, 0), LOAD(1, 0, 0, 8, 0),
	    STRING(0, 8, 16, 0), STORE(1, 8, 0, 0), FAULTS(8, 8), END());
	assert_int_equal(word(0), 0);
	assert_int_equal(word(8), 1);
	assert_int_equal(string_at(16).flags, KTAP_STRING_F_FAULT);
}

/* ---- ways --------------------------------------------------------------------- */

static void test_jumps(void **state)
{
	RUN(IMM(0, 0), IMM(1, 1), JZ(0, 1), IMM(1, 2), STORE(1, 8, 0, NOBIT),
	    END());
	assert_int_equal(word(0), 1);
	RUN(IMM(0, 1), IMM(1, 1), JZ(0, 1), IMM(1, 2), STORE(1, 8, 0, NOBIT),
	    END());
	assert_int_equal(word(0), 2);
	RUN(IMM(1, 1), JMP(1), IMM(1, 2), STORE(1, 8, 0, NOBIT), END());
	assert_int_equal(word(0), 1);
	/* a bad slot is like zero */
	RUN(IMM(0, KERNEL), LOAD(0, 0, 0, 8, 0), IMM(1, 1), JZ(0, 1), IMM(1, 2),
	    STORE(1, 8, 0, NOBIT), END());
	assert_int_equal(word(0), 1);
}

static void test_jump_to_the_end(void **state)
{
	RUN(IMM(0, 0), STORE(0, 8, 0, NOBIT), JZ(0, 1), STORE(0, 8, 8, NOBIT),
	    END());
	assert_int_equal(len, 16);
	RUN(JMP(1), COMM(0), END());
	assert_int_equal(len, 16);
	assert_int_equal(word(0), 0);
	assert_int_equal(word(8), 0);
}

static void test_filter(void **state)
{
	RUN(IMM(0, 0), FILTER(0), STORE(0, 8, 0, NOBIT), END());
	assert_int_equal(len, KTAP_FETCH_FILTERED);
	RUN(IMM(0, 1ULL << 63), FILTER(0), STORE(0, 8, 0, NOBIT), END());
	assert_int_equal(len, 8);
	RUN(IMM(0, KERNEL), LOAD(0, 0, 0, 8, 0), FILTER(0),
	    STORE(0, 8, 0, NOBIT), END());
	assert_int_equal(len, KTAP_FETCH_FILTERED);
}

/* ---- stores ---------------------------------------------------------------------- */

static void test_store_sizes(void **state)
{
	RUN(IMM(0, 0x8877665544332211), STORE(0, 1, 0, NOBIT),
	    STORE(0, 2, 2, NOBIT), STORE(0, 4, 4, NOBIT), STORE(0, 8, 8, NOBIT),
	    STORE(0, 1, 16, NOBIT), END());
	assert_int_equal(len, 24);
	assert_int_equal(word(0), 0x4433221122110011);
	assert_int_equal(word(8), 0x8877665544332211);
	assert_int_equal(word(16), 0x11);
}

/* What the program jumped over, and the gaps, are zero: not what was there. */
static void test_fixed_part_starts_as_zeros(void **state)
{
	RUN(IMM(0, 0), JZ(0, 1), STORE(0, 8, 8, NOBIT), STORE(0, 1, 21, NOBIT),
	    END());
	assert_int_equal(len, 24);
	assert_int_equal(word(0) | word(8) | word(16), 0);
}

static void test_comm(void **state)
{
	env_set_task(1, 1, "fifteen letters");
	RUN(COMM(3), END());
	assert_int_equal(len, 24);
	assert_memory_equal(payload + 3, "fifteen letters", 16);
	assert_memory_equal(payload, "\0\0", 3);
	assert_memory_equal(payload + 19, "\0\0\0\0", 5);
}

static void test_empty_record(void **state)
{
	RUN(END());
	assert_int_equal(len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST(test_registers),
		RUN_TEST(test_immediate),
		RUN_TEST(test_stack),
		RUN_TEST(test_load_sizes_and_signs),
		RUN_TEST(test_load_displacement),
		RUN_TEST(test_load_follows_pointers),
		RUN_TEST(test_user_memory),
		RUN_TEST(test_arithmetic),
		RUN_TEST(test_fault_marks_its_bit_and_stores_zero),
		RUN_TEST(test_last_fault_bit),
		RUN_TEST(test_bad_spreads),
		RUN_TEST(test_a_good_value_heals_a_slot),
		RUN_TEST(test_nothing_is_loaded_through_a_bad_slot),
		RUN_TEST(test_jumps),
		RUN_TEST(test_jump_to_the_end),
		RUN_TEST(test_filter),
		RUN_TEST(test_store_sizes),
		RUN_TEST(test_fixed_part_starts_as_zeros),
		RUN_TEST(test_comm),
		RUN_TEST(test_empty_record),
	};

	return cmocka_run_group_tests_name("fetch", tests, NULL, NULL);
}
