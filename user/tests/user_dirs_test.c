// SPDX-License-Identifier: GPL-2.0
/* The search for the file of an inode: where, in which order, and how far. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "define/user_dirs.h"

static void make(const char *path)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fclose(f);
}

static uint64_t inode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_ino;
}

/* struct heard - paths that a search has called its function with */
struct heard {
	char text[256];
	bool enough;
};

static bool hear(void *ctx, const char *path)
{
	struct heard *h = ctx;
	size_t length = strlen(h->text);

	snprintf(h->text + length, sizeof(h->text) - length, " %s", path);
	return h->enough;
}

static void test_path(void **state)
{
	struct user_dirs d;

	(void)state;
	setenv("PATH", "a:b::a:.", 1);
	user_dirs_init(&d);
	assert_int_equal(d.nr, 3);
	assert_string_equal(d.path[0], ".");
	assert_string_equal(d.path[1], "a");
	assert_string_equal(d.path[2], "b");
	user_dirs_add(&d, "/one");
	user_dirs_add(&d, "/x/y");
	user_dirs_add(&d, "/x/z");
	user_dirs_add(&d, "[vdso]");
	assert_int_equal(d.nr, 5);
	assert_string_equal(d.path[3], "/");
	assert_string_equal(d.path[4], "/x");
	for (int i = 0; i < 2 * USER_DIRS_MAX; i++) {
		char path[16];

		snprintf(path, sizeof(path), "/%d/f", i);
		user_dirs_add(&d, path);
	}
	assert_int_equal(d.nr, USER_DIRS_MAX);
	user_dirs_deinit(&d);

	unsetenv("PATH");
	user_dirs_init(&d);
	/* "." and the six of a shell, of which some may be the same */
	assert_in_range(d.nr, 4, 7);
	user_dirs_deinit(&d);
}

static void test_two_names(void **state)
{
	struct user_dirs d;

	(void)state;
	assert_int_equal(mkdir("dir", 0700) | symlink("dir", "link"), 0);
	setenv("PATH", "dir:link:./dir:.", 1);
	user_dirs_init(&d);
	assert_int_equal(d.nr, 2);
	assert_string_equal(d.path[1], "dir");
	user_dirs_add(&d, "link/file");
	assert_int_equal(d.nr, 2);
	user_dirs_deinit(&d);
	assert_int_equal(unlink("link") | rmdir("dir"), 0);
}

/* One directory does not use up the entries that all may have. */
static void test_large_directory(void **state)
{
	struct heard h = { .enough = false };
	struct user_dirs d;
	char name[32];

	(void)state;
	assert_int_equal(mkdir("large", 0700), 0);
	for (unsigned int i = 0; i < USER_DIRS_ENTRIES_OF_ONE + 10; i++) {
		snprintf(name, sizeof(name), "large/%u", i);
		assert_int_equal(symlink("x", name), 0);
	}
	setenv("PATH", "large", 1);
	user_dirs_init(&d);
	assert_false(user_dirs_find(&d, 1, hear, &h));
	/* and the entries of "." */
	assert_in_range(d.entries, USER_DIRS_ENTRIES_OF_ONE, USER_DIRS_ENTRIES_OF_ONE + 9);
	user_dirs_deinit(&d);
	for (unsigned int i = 0; i < USER_DIRS_ENTRIES_OF_ONE + 10; i++) {
		snprintf(name, sizeof(name), "large/%u", i);
		assert_int_equal(unlink(name), 0);
	}
	assert_int_equal(rmdir("large"), 0);
}

static void test_search(void **state)
{
	struct heard h = { .enough = false };
	struct user_dirs d;

	(void)state;
	assert_int_equal(mkdir("one", 0700) | mkdir("two", 0700) | mkdir("one/dir", 0700), 0);
	make("one/f");
	make("two/other");
	assert_int_equal(link("one/f", "two/same"), 0);
	setenv("PATH", "nonesuch:one:two", 1);
	user_dirs_init(&d);

	assert_false(user_dirs_find(&d, inode_of("one/f"), hear, &h));
	assert_string_equal(h.text, " one/f two/same");
	h = (struct heard){ .enough = true };
	assert_true(user_dirs_find(&d, inode_of("one/f"), hear, &h));
	assert_string_equal(h.text, " one/f");
	h = (struct heard){ .enough = true };
	assert_false(user_dirs_find(&d, inode_of("one/dir"), hear, &h));
	assert_string_equal(h.text, "");

	d.entries = USER_DIRS_ENTRIES;
	assert_false(user_dirs_find(&d, inode_of("one/f"), hear, &h));
	assert_string_equal(h.text, "");
	user_dirs_deinit(&d);
	assert_int_equal(unlink("one/f") | unlink("two/same") | unlink("two/other") |
			 rmdir("one/dir") | rmdir("one") | rmdir("two"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_two_names),
		cmocka_unit_test(test_large_directory),
		cmocka_unit_test(test_search),
	};
	char base[] = "/tmp/ktap-dirs.XXXXXX";
	int failed;

	if (!mkdtemp(base) || chdir(base))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return chdir("/") || rmdir(base) || failed;
}
