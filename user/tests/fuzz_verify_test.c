// SPDX-License-Identifier: GPL-2.0
/*
 * The fuzz target of the verifier, over random bytes: the same ones each time.
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fuzz.h"
#include "fuzz_random.h"

static void test_random_programs(void **state)
{
	fuzz_randomly(fuzz_verify, 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_programs),
	};

	return cmocka_run_group_tests_name("fuzz_verify", tests, NULL, NULL);
}
