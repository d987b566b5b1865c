// SPDX-License-Identifier: GPL-2.0
/* Paths below another root directory: as chroot() would find them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/rooted.h"

static char root[32];

static void link_to(const char *name, const char *target)
{
	char path[100];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(symlink(target, path), 0);
}

static int setup(void **state)
{
	char line[200];

	snprintf(root, sizeof(root), "/tmp/ktap-root.XXXXXX");
	if (!mkdtemp(root))
		return -1;
	snprintf(line, sizeof(line), "cd %s && mkdir -p usr/bin etc/alt opt/a/b && echo x >usr/bin/prog && cp usr/bin/prog opt/a/b/other",
		 root);
	if (system(line))
		return -1;
	link_to("bin", "usr/bin");
	link_to("usr/bin/absolute", "/usr/bin/prog");
	link_to("usr/bin/alt", "/etc/alt/prog");
	link_to("etc/alt/prog", "../../../../../usr/bin/prog");
	link_to("usr/bin/up", "../../opt/a/b/../b/other");
	link_to("usr/bin/top", "/");
	link_to("loop", "loop");
	link_to("gone", "/nowhere/at/all");
	return 0;
}

static int teardown(void **state)
{
	char line[100];

	snprintf(line, sizeof(line), "rm -rf %s", root);
	return system(line);
}

/* Path below the root, or "!" and the error; malloc'ed. */
static char *found(const char *path)
{
	_cleanup_free_ char *is = rooted_path(root, path);
	char *ret;

	if (!is)
		return asprintf(&ret, "!%d", errno) < 0 ? NULL : ret;
	assert_int_equal(strncmp(is, root, strlen(root)), 0);
	return strdup(is + strlen(root));
}

static void test_links(void **state)
{
	static const struct {
		const char *path;
		const char *is;
	} rows[] = {
		{ "/usr/bin/prog", "/usr/bin/prog" },
		{ "usr//bin/./prog", "/usr/bin/prog" },
		{ "/bin/prog", "/usr/bin/prog" },
		{ "/bin/absolute", "/usr/bin/prog" },
		{ "/bin/alt", "/usr/bin/prog" },
		{ "/bin/up", "/opt/a/b/other" },
		{ "/bin/top/bin/top/bin/prog", "/usr/bin/prog" },
		{ "/../../bin/../bin/prog", "/usr/bin/prog" },
		{ "/gone", "/nowhere/at/all" },
		{ "/no/such", "/no/such" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *is = found(rows[i].path);

		assert_string_equal(is, rows[i].is);
	}
}

static void test_loop(void **state)
{
	_cleanup_free_ char *is = found("/loop");
	char wanted[16];

	snprintf(wanted, sizeof(wanted), "!%d", ELOOP);
	assert_string_equal(is, wanted);
}

static void test_roots(void **state)
{
	_cleanup_free_ char *ours = rooted_path("/", "/proc/self/../nosuch");
	_cleanup_free_ char *top = rooted_path("/", "..");
	_cleanup_free_ char *slashes = rooted_path("/nosuch///", "/a");

	assert_string_equal(top, "/");
	assert_string_equal(ours, "/proc/nosuch");
	assert_string_equal(slashes, "/nosuch/a");
}

/* The kernel is asked: the same file, after chroot(). */
static void test_as_chroot(void **state)
{
	static const char *const paths[] = {
		"/bin/prog", "/bin/absolute", "/bin/alt", "/bin/up",
		"/bin/top/bin/up", "/../bin/alt",
	};

	if (geteuid()) {
		print_message("# only root may call chroot()\n");
		skip();
	}
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		_cleanup_free_ char *path = rooted_path(root, paths[i]);
		struct stat mine, theirs;
		int status;
		pid_t pid;

		assert_int_equal(stat(path, &mine), 0);
		pid = fork();
		if (!pid)
			_exit(chroot(root) || stat(paths[i], &theirs) ||
			      theirs.st_ino != mine.st_ino);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_roots),
		cmocka_unit_test(test_as_chroot),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
