// SPDX-License-Identifier: GPL-2.0
/*
 * What ktap-target has in place of libraries: answers of the kernel that may be damaged,
 * and names of errors as glibc has them.
 * needs: user/target/mnl.c user/target/libc.c
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fuzz.h"
#include "fuzz_random.h"
#include "target/libc.h"

/* The kernel numbers errors up to 133. */
#define ERRORS_MAX 200

static void test_random_answers(void **state)
{
	fuzz_randomly(fuzz_answers, 20000);
}

static void test_names_of_errors(void **state)
{
	const char *(*glibc)(int code) = dlsym(RTLD_NEXT, "strerrorname_np");
	unsigned int nr = 0;

	assert_non_null(glibc);
	assert_ptr_not_equal(glibc, strerrorname_np);
	for (int code = 1; code < ERRORS_MAX; code++) {
		if (!glibc(code)) {
			assert_null(strerrorname_np(code));
			continue;
		}
		assert_non_null(strerrorname_np(code));
		assert_string_equal(strerrorname_np(code), glibc(code));
		nr++;
	}
	assert_true(nr > 100);
	assert_null(strerrorname_np(0));
	assert_null(strerrorname_np(-1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_answers),
		cmocka_unit_test(test_names_of_errors),
	};

	return cmocka_run_group_tests_name("target", tests, NULL, NULL);
}
