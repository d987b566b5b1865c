// SPDX-License-Identifier: GPL-2.0
/*
 * The fuzz target of the ring, over random bytes: the same ones each time.
 * needs: kmod/hit/ring.c user/tests/kring/rig.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fuzz.h"
#include "fuzz_random.h"

static void test_random_steps(void **state)
{
	fuzz_randomly(fuzz_ring, 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_steps),
	};

	return cmocka_run_group_tests_name("fuzz_ring", tests, NULL, NULL);
}
