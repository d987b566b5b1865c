// SPDX-License-Identifier: GPL-2.0
/* The fuzz target of answers of the kernel, over random bytes: the same ones each
 * time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fuzz.h"
#include "fuzz_random.h"

static void test_random_answers(void **state)
{
	fuzz_randomly(fuzz_answers, 20000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_answers),
	};

	return cmocka_run_group_tests_name("fuzz_answers", tests, NULL, NULL);
}
