// SPDX-License-Identifier: GPL-2.0
/* The fuzz target of debug information, over random changes: the same ones each
 * time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fuzz.h"
#include "fuzz_random.h"

static void test_random_changes(void **state)
{
	fuzz_randomly(fuzz_dwarf, 1500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_changes),
	};

	return cmocka_run_group_tests_name("fuzz_dwarf", tests, NULL, NULL);
}
