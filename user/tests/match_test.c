// SPDX-License-Identifier: GPL-2.0
/*
 * Glob patterns, against fnmatch(3) where the two mean the same.
 * needs: kmod/match.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fnmatch.h>
#include <stdlib.h>

#include "env_user.h"
#include "match.h"

static bool match(const char *pattern, const char *text)
{
	return ktap_match(pattern, strlen(pattern), text, strlen(text));
}

static void test_examples(void **state)
{
	assert_true(match("", ""));
	assert_false(match("", "a"));
	assert_false(match("a", ""));
	assert_true(match("*", ""));
	assert_true(match("/etc/*", "/etc/passwd"));
	assert_false(match("/etc/*", "/et"));
	assert_true(match("*.c", "a.c.c"));
	assert_true(match("a*b*c", "aXbYbZc"));
	assert_false(match("a*b*c", "aXbYbZd"));
	assert_true(match("?at", "cat"));
	assert_false(match("?at", "at"));
	assert_true(match("[a-c]x", "bx"));
	assert_false(match("[!a-c]x", "bx"));
	assert_true(match("[]]", "]"));
	assert_true(match("[a-]", "-"));
	assert_true(match("\\*", "*"));
	assert_false(match("\\*", "x"));
	assert_true(match("**", "anything"));
}

static void test_what_is_not_closed_stands_for_itself(void **state)
{
	assert_true(match("[a", "[a"));
	assert_true(match("[", "["));
	assert_true(match("[!", "[!"));
	assert_true(match("*[[x*[b", "[[[x[[b"));
	assert_true(match("*[a]?[", "xxa[["));
	assert_false(match("*[a]?[", "xxa[]"));
	assert_true(match("a\\", "a\\"));
}

static void test_letters_are_unsigned(void **state)
{
	assert_true(match("[\x80-\xff]", "\xe4"));
	assert_false(match("[a-\xff]", "A"));
}

/* No pattern may take longer than the product of both lengths. */
static void test_stars_do_not_explode(void **state)
{
	char text[KTAP_MATCH_MAX], pattern[KTAP_PATTERN_MAX];
	size_t i;

	memset(text, 'a', sizeof(text));
	for (i = 0; i < sizeof(pattern); i++)
		pattern[i] = i % 2 ? 'a' : '*';
	pattern[sizeof(pattern) - 1] = 'b';
	assert_false(ktap_match(pattern, sizeof(pattern), text, sizeof(text)));
}

/* Random short ones over few letters hit every case. */
static void test_as_fnmatch(void **state)
{
	static const char letters[] = "ab*?[]!-\\";
	unsigned int seed = 1;
	char p[9], t[7];
	int i, k;

	for (i = 0; i < 200000; i++) {
		size_t pl = rand_r(&seed) % sizeof(p), tl = rand_r(&seed) % sizeof(t);

		for (k = 0; k < (int)pl; k++)
			p[k] = letters[rand_r(&seed) % (sizeof(letters) - 1)];
		for (k = 0; k < (int)tl; k++)
			t[k] = "ab-]"[rand_r(&seed) % 4];
		p[pl] = 0;
		t[tl] = 0;
		/* the two differ by design in what is not well-formed */
		if (strchr(p, '[') || (pl && p[pl - 1] == '\\'))
			continue;
		if (match(p, t) != !fnmatch(p, t, 0))
			fail_msg("'%s' and '%s': %d", p, t, match(p, t));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_what_is_not_closed_stands_for_itself),
		cmocka_unit_test(test_letters_are_unsigned),
		cmocka_unit_test(test_stars_do_not_explode),
		cmocka_unit_test(test_as_fnmatch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
