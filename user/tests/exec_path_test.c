// SPDX-License-Identifier: GPL-2.0
/* The directories of $PATH, with empty ones, and without $PATH. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/exec_path.h"

static void expect(const char *wanted)
{
	_cleanup_buf_ struct buf all = BUF_INIT, dir = BUF_INIT;
	struct exec_path path;

	exec_path_init(&path);
	while (exec_path_next(&path, &dir))
		buf_printf(&all, " %s", buf_str(&dir));
	assert_false(exec_path_next(&path, &dir));
	assert_string_equal(buf_str(&all), wanted);
}

static void test_directories(void **state)
{
	(void)state;
	setenv("PATH", "/a:/b c:d", 1);
	expect(" /a /b c d");
	setenv("PATH", "/a", 1);
	expect(" /a");
}

static void test_empty(void **state)
{
	(void)state;
	setenv("PATH", "", 1);
	expect(" .");
	setenv("PATH", ":/a::/b:", 1);
	expect(" . /a . /b .");
}

static void test_without(void **state)
{
	(void)state;
	unsetenv("PATH");
	expect(" /usr/local/sbin /usr/local/bin /usr/sbin /usr/bin /sbin /bin");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_directories),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
