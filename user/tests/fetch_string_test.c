// SPDX-License-Identifier: GPL-2.0
/*
 * The interpreter of fetch programs, as the module has it: strings.
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c user/tests/fetch/run.c
 */
#include "fetch/run.h"

/* ---- strings ------------------------------------------------------------------- */

/* One string of at most @max behind a fixed part of 4 bytes. */
static void run_string(u64 addr, u32 max, u8 flags)
{
	RUN(IMM(0, addr), STRING(0, max, 0, flags), END());
}

static void assert_string(const char *want, u16 flags)
{
	struct ktap_string s = string_at(0);
	size_t size = strlen(want) + 1;

	assert_int_equal(s.flags, flags);
	assert_int_equal(s.len, size);
	assert_string_equal((char *)payload + 4, want);
	assert_int_equal(len, ALIGN(4 + size, 8));
	for (size += 4; (int)size < len; size++)
		assert_int_equal(payload[size], 0);
}

static void test_string(void **state)
{
	env_map(KERNEL, "hello", 6);
	run_string(KERNEL, 100, 0);
	assert_string("hello", 0);
	env_map(USERLAND, "world", 6);
	run_string(USERLAND, 100, USER);
	assert_string("world", 0);
}

static void test_string_of_every_length_at_every_limit(void **state)
{
	static char text[40];
	unsigned int size, max;

	env_map(KERNEL, text, sizeof(text));
	for (size = 0; size < 24; size++) {
		memset(text, 'x', sizeof(text));
		text[size] = 0;
		for (max = 1; max < 32; max++) {
			char want[40] = "";
			bool fits = size < max;

			memset(want, 'x', fits ? size : max - 1);
			run_string(KERNEL, max, 0);
			assert_string(want, fits ? 0 : KTAP_STRING_F_CUT);
		}
	}
}

static void test_longest_string(void **state)
{
	static char text[KTAP_STRING_MAX + 1];

	memset(text, 'y', KTAP_STRING_MAX - 1);
	env_map(KERNEL, text, sizeof(text));
	run_string(KERNEL, KTAP_STRING_MAX, 0);
	assert_string(text, 0);
	text[KTAP_STRING_MAX - 1] = 'y';
	run_string(KERNEL, KTAP_STRING_MAX, 0);
	text[KTAP_STRING_MAX - 1] = 0;
	assert_string(text, KTAP_STRING_F_CUT);
}

static void assert_no_string(void)
{
	assert_int_equal(string_at(0).flags, KTAP_STRING_F_FAULT);
	assert_int_equal(string_at(0).len, 0);
	assert_int_equal(len, 8);
	/* nothing of what was read before the fault is left */
	assert_memory_equal(payload + 4, "\0\0\0", 4);
}

static void test_string_that_cannot_be_read(void **state)
{
	run_string(KERNEL, 8, 0);
	assert_no_string();
	run_string(0, 8, USER);
	assert_no_string();
	env_map(KERNEL, "kernel", 7);
	run_string(KERNEL, 8, USER);
	assert_no_string();
}

static void test_string_at_the_end_of_mapped_memory(void **state)
{
	env_map(KERNEL, "abc", 4);
	env_map(USERLAND, "def", 3);
	run_string(KERNEL, 100, 0);
	assert_string("abc", 0);
	run_string(USERLAND, 100, USER);
	assert_no_string();
	run_string(USERLAND, 3, USER);
	assert_string("de", KTAP_STRING_F_CUT);
	run_string(~0ULL, 100, 0);
	assert_no_string();
}

static void test_strings_follow_each_other(void **state)
{
	static const char packed[] = "one\0\0three";

	env_map(KERNEL, "one", 4);
	env_map(KERNEL + 16, "", 1);
	env_map(KERNEL + 32, "three", 6);
	RUN(IMM(0, KERNEL), IMM(1, KERNEL + 16), IMM(2, KERNEL + 32),
	    IMM(3, KERNEL + 48), STRING(0, 64, 12, 0), STRING(3, 64, 8, 0),
	    STRING(1, 64, 4, 0), STRING(2, 64, 0, 0), END());
	assert_int_equal(string_at(12).len, 4);
	assert_int_equal(string_at(8).flags, KTAP_STRING_F_FAULT);
	assert_int_equal(string_at(4).len, 1);
	assert_int_equal(string_at(0).len, 6);
	assert_memory_equal(payload + 16, packed, sizeof(packed));
	assert_int_equal(len, ALIGN(16 + sizeof(packed), 8));
}

static void test_largest_record_is_filled(void **state)
{
	static char text[KTAP_STRING_MAX];

	memset(text, 'z', sizeof(text));
	env_map(KERNEL, text, sizeof(text));
	RUN(IMM(0, KERNEL), STRING(0, KTAP_STRING_MAX, 0, 0),
	    STRING(0, KTAP_STRING_MAX, 4, 0), STRING(0, KTAP_STRING_MAX, 8, 0),
	    STRING(0, KTAP_STRING_MAX - 32, 12, 0), END());
	assert_int_equal(len, KTAP_RECORD_MAX - sizeof(struct ktap_rec_head));
	assert_int_equal(payload[len - 1], 0);
	assert_int_equal(payload[len - 2], 'z');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST(test_string),
		RUN_TEST(test_string_of_every_length_at_every_limit),
		RUN_TEST(test_longest_string),
		RUN_TEST(test_string_that_cannot_be_read),
		RUN_TEST(test_string_at_the_end_of_mapped_memory),
		RUN_TEST(test_strings_follow_each_other),
		RUN_TEST(test_largest_record_is_filled),
	};

	return cmocka_run_group_tests_name("fetch_string", tests, NULL, NULL);
}
