// SPDX-License-Identifier: GPL-2.0
/*
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c user/tests/fetch/run.c
 *
 * Programs at hooks of user code: whose memory they read, and how they ask to
 * be run again where they may wait.
 */
#include "fetch/run.h"

#include <stdlib.h>

#include "hit/fetch.h"
#include "hit/verify.h"
#include "ready.h"

#define ABSENT	(USERLAND + 0x1000)	/* from here on: not resident */

static struct ktap_user_wait wait_here = { .cpu = 3 };

static void run_user(const struct ktap_insn *insns, u32 nr,
		     enum env_memory memory, bool retry,
		     struct ktap_user_wait *wait)
{
	static const struct env_regs regs = { .r = { 0x1000 } };
	struct ktap_frame frame = {
		.regs = &regs, .memory = memory, .retry = retry, .wait = wait,
	};
	struct ktap_prog_info info;
	struct ktap_insn *ready;
	u32 at;

	assert_int_equal(ktap_verify(insns, nr, NULL, &info, &at), 0);
	free(payload);
	payload = malloc(info.room);
	assert_non_null(payload);
	memset(payload, 0xee, info.room);
	ready = ready_program(insns, nr);
	len = ktap_fetch_run(ready, &info, &frame, payload, NULL);
	free(ready);
}

#define RUN_USER(memory, retry, ...)					\
	run_user(PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__), memory, retry, \
		 NULL)

#define RUN_WAITING(...)						\
	run_user(PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__), ENV_USER, \
		 false, &wait_here)

/* The value at an address as 8 bytes, and whether it could be read. */
#define VALUE_AT(addr, flags)						\
	IMM(0, addr), LOAD(0, 0, 0, 8, flags), STORE(0, 8, 0, 0),	\
	FAULTS(1, 8), END()

static int setup(void **state)
{
	static const u64 kernel = 1, resident = 2, stack[] = { 4, 5 };
	static const u64 absent = 'a';

	run_setup(state);
	env_map(KERNEL, &kernel, 8);
	env_map(USERLAND, &resident, 8);
	env_map(ABSENT, &absent, 8);
	env_map(ENV_USER_STACK, stack, sizeof(stack));
	env_world.absent = ABSENT;
	return 0;
}

#define USER_TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, run_teardown)

static void test_all_memory_is_the_users(void **state)
{
	RUN_USER(ENV_USER, false, VALUE_AT(USERLAND, 0));
	assert_int_equal(word(0), 2);
	assert_int_equal(word(8), 0);
	RUN_USER(ENV_USER, false, VALUE_AT(KERNEL, 0));
	assert_int_equal(word(0), 0);
	assert_int_equal(word(8), 1);
	RUN_WAITING(VALUE_AT(KERNEL, 0));
	assert_int_equal(word(8), 1);
	/* what the same program does at a hook of the kernel */
	RUN_USER(ENV_ANY, false, VALUE_AT(KERNEL, 0));
	assert_int_equal(word(0), 1);
}

static void test_stack_is_the_users(void **state)
{
	env_world.absent = 0;
	RUN_USER(ENV_USER, false, STACK(0, 1), STORE(0, 8, 0, NOBIT), END());
	assert_int_equal(word(0), 5);
	RUN_USER(ENV_USER, false, STACK(0, 2), STORE(0, 8, 0, 0), FAULTS(1, 8),
		 END());
	assert_int_equal(word(8), 1);
}

static void test_last_word_without_sleeping(void **state)
{
	RUN_USER(ENV_USER, false, VALUE_AT(ABSENT, USER));
	assert_int_equal(len, 16);
	assert_int_equal(word(0), 0);
	assert_int_equal(word(8), 1);
}

static void test_every_read_waits_for_memory(void **state)
{
	RUN_WAITING(VALUE_AT(ABSENT, 0));
	assert_int_equal(len, 16);
	assert_int_equal(word(0), 'a');
	assert_int_equal(word(8), 0);
	RUN_WAITING(IMM(0, ABSENT), STRING(0, 16, 0, 0), END());
	assert_int_equal(string_at(0).len, 2);
	RUN_WAITING(IMM(0, ABSENT), BYTES(0, 8, 0, NOBIT, 0), END());
	assert_int_equal(word(0), 'a');
	RUN_WAITING(IMM(0, ABSENT), MATCH(1, 0, 1, 0), DATA('a'),
		    STORE(1, 8, 0, NOBIT), END());
	assert_int_equal(word(0), 1);
	RUN_WAITING(STACK(0, 1), STORE(0, 8, 0, NOBIT), END());
	assert_int_equal(word(0), 5);
}

/* It may go on elsewhere. */
static void test_cpu_is_that_of_the_hit(void **state)
{
	env_world.ctx[KTAP_CTX_CPU] = 1;
	RUN_USER(ENV_USER, true, CTX(0, CPU), STORE(0, 8, 0, NOBIT),
		 END());
	assert_int_equal(word(0), 1);
	RUN_WAITING(CTX(0, CPU), STORE(0, 8, 0, NOBIT), END());
	assert_int_equal(word(0), 3);
}

#define ASSERT_AGAIN(...) do {						\
	RUN_USER(ENV_USER, true, __VA_ARGS__);				\
	assert_int_equal(len, KTAP_FETCH_AGAIN);			\
} while (0)

static void test_every_read_asks_for_more(void **state)
{
	ASSERT_AGAIN(VALUE_AT(ABSENT, 0));
	ASSERT_AGAIN(IMM(0, ABSENT), STRING(0, 16, 0, 0), END());
	ASSERT_AGAIN(IMM(0, ABSENT), BYTES(0, 8, 0, NOBIT, 0), END());
	ASSERT_AGAIN(IMM(0, ABSENT), MATCH(1, 0, 1, 0), DATA('*'),
		     STORE(1, 8, 0, NOBIT), END());
	ASSERT_AGAIN(STACK(0, 0), STORE(0, 8, 0, NOBIT), END());
}

/* A filter is no answer while what it looks at could not be read. */
static void test_filter_waits_for_memory(void **state)
{
	ASSERT_AGAIN(IMM(0, ABSENT), LOAD(0, 0, 0, 8, 0), FILTER(0), END());
	RUN_USER(ENV_USER, false, IMM(0, ABSENT), LOAD(0, 0, 0, 8, 0),
		 FILTER(0), END());
	assert_int_equal(len, KTAP_FETCH_FILTERED);
	RUN_USER(ENV_USER, true, IMM(0, 0), FILTER(0), END());
	assert_int_equal(len, KTAP_FETCH_FILTERED);
}

static void test_nothing_to_ask_for(void **state)
{
	RUN_USER(ENV_USER, true, VALUE_AT(USERLAND, 0));
	assert_int_equal(len, 16);
	/* computed from nothing: no memory was asked */
	RUN_USER(ENV_USER, true, IMM(0, 1), IMM(1, 0), ALU(0, 0, DIVU, 1),
		 STORE(0, 8, 0, 0), FAULTS(1, 8), END());
	assert_int_equal(len, 16);
	assert_int_equal(word(8), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		USER_TEST(test_all_memory_is_the_users),
		USER_TEST(test_stack_is_the_users),
		USER_TEST(test_last_word_without_sleeping),
		USER_TEST(test_every_read_waits_for_memory),
		USER_TEST(test_cpu_is_that_of_the_hit),
		USER_TEST(test_every_read_asks_for_more),
		USER_TEST(test_filter_waits_for_memory),
		USER_TEST(test_nothing_to_ask_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
