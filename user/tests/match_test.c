// SPDX-License-Identifier: GPL-2.0
/*
 * Glob patterns, against fnmatch(3) where the two mean the same, and against a
 * simple matcher that tries everything.
 * needs: kmod/hit/match.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fnmatch.h>
#include <stdlib.h>

#include "env_user.h"
#include "hit/match.h"

/* As large as it has to be, to the byte. */
static struct ktap_glob *make(const char *pattern, u32 len)
{
	struct ktap_glob *glob;

	glob = calloc(1, ktap_glob_size((const u8 *)pattern, len));
	assert_non_null(glob);
	ktap_glob_make(glob, (const u8 *)pattern, len);
	assert_int_equal(glob->words, ktap_glob_words((const u8 *)pattern, len));
	return glob;
}

static bool new_match(const char *pattern, u32 pattern_len, const char *text,
		      u32 text_len)
{
	struct ktap_glob *glob = make(pattern, pattern_len);
	bool matched = ktap_match(glob, (const u8 *)text, text_len);

	free(glob);
	return matched;
}

static bool match(const char *pattern, const char *text)
{
	return new_match(pattern, strlen(pattern), text, strlen(text));
}

/* ---- the reference: only the last * is ever tried again --------------------- */

/**
 * struct pattern - a pattern being read
 * @at: next letter
 * @end: behind the last one
 * @open: from here on no set has its ]; @end: not known yet
 */
struct pattern {
	const char *at;
	const char *end;
	const char *open;
};

/* Behind the ] of the set that begins at @p, or NULL: it is none. */
static const char *set_end(const char *p, const char *end)
{
	p++;
	if (p < end && *p == '!')
		p++;
	/* a ] in the first place is a member */
	for (p++; p < end; p++)
		if (*p == ']')
			return p + 1;
	return NULL;
}

/* Is @c in the set [@p, @end), brackets included? */
static bool in_set(const char *p, const char *end, unsigned char c)
{
	bool negated = p[1] == '!', found = false;

	p += 1 + negated;
	end--;
	while (p < end) {
		unsigned char low = *p, high = low;

		if (p + 2 < end && p[1] == '-') {
			high = p[2];
			p += 2;
		}
		p++;
		found |= low <= c && c <= high;
	}
	return found != negated;
}

/* One letter against one element, which is then behind @p. */
static bool match_one(struct pattern *p, char c)
{
	const char *at = p->at, *end;

	if (*at == '[' && at < p->open) {
		end = set_end(at, p->end);
		if (end) {
			p->at = end;
			return in_set(at, end, c);
		}
		p->open = at;
	}
	if (*at == '\\' && at + 1 < p->end)
		at++;
	else if (*at == '?')
		c = *at;
	p->at = at + 1;
	return *at == c;
}

static bool old_match(const char *pattern, u32 pattern_len, const char *text,
		      u32 text_len)
{
	const char *end = text + text_len, *again = NULL, *star = NULL;
	struct pattern p = {
		.at = pattern,
		.end = pattern + pattern_len,
		.open = pattern + pattern_len,
	};

	while (text < end || p.at < p.end) {
		if (p.at < p.end && *p.at == '*') {
			p.at++;
			star = p.at;
			again = text;
			continue;
		}
		if (text < end && p.at < p.end && match_one(&p, *text)) {
			text++;
			continue;
		}
		/* the last * takes one letter more */
		if (!again || again >= end)
			return false;
		p.at = star;
		text = ++again;
	}
	return true;
}

/* ---- the tests --------------------------------------------------------------- */

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

/* What the cost of a program goes by: steps for each letter of a text. */
static void test_words(void **state)
{
	static const u8 pattern[KTAP_PATTERN_MAX + 1] = { 0 };
	u32 len;

	assert_int_equal(ktap_glob_words((const u8 *)"", 0), 1);
	assert_int_equal(ktap_glob_words((const u8 *)"***", 3), 1);
	for (len = 1; len <= KTAP_PATTERN_MAX; len++)
		assert_int_equal(ktap_glob_words(pattern, len), len / 64 + 1);
	assert_int_equal(ktap_glob_words((const u8 *)"[a-z]?\\*", 8), 1);
	assert_true(KTAP_GLOB_WORDS == 4);
}

/* What 255 letters that are all told apart take, and no pattern more. */
static void test_size(void **state)
{
	u8 pattern[KTAP_PATTERN_MAX];
	u32 i;

	for (i = 0; i < sizeof(pattern); i++)
		pattern[i] = i + 1;
	assert_in_range(ktap_glob_size(pattern, sizeof(pattern)), 8000, 8704);
	assert_in_range(ktap_glob_size((const u8 *)"/etc/*", 6), 0, 400);
}

static u32 random_text(unsigned int *seed, char *text, u32 max,
		       const char *letters, u32 nr)
{
	u32 len = rand_r(seed) % (max + 1), i;

	for (i = 0; i < len; i++)
		text[i] = letters[rand_r(seed) % nr];
	return len;
}

static void compare(unsigned int *seed, u32 pattern_max, u32 text_max,
		    const char *letters, u32 nr, u32 times)
{
	char p[KTAP_PATTERN_MAX], t[KTAP_MATCH_MAX];
	u32 matched = 0, i;

	for (i = 0; i < times; i++) {
		u32 pl = random_text(seed, p, pattern_max, letters, nr);
		u32 tl = random_text(seed, t, text_max, letters, nr);
		bool want = old_match(p, pl, t, tl);

		matched += want;
		if (new_match(p, pl, t, tl) != want)
			fail_msg("'%.*s' and '%.*s': not %d", (int)pl, p,
				 (int)tl, t, want);
	}
	assert_in_range(matched, times / 1000, times - times / 1000);
}

/* Short ones of few letters meet every odd case; long ones every word. */
static void test_as_reference(void **state)
{
	unsigned int seed = 1;

	compare(&seed, 9, 6, "ab*?[]!-\\", 9, 60000);
	compare(&seed, 12, 12, "a*?[]!-\\\xff\x80", 10, 20000);
	compare(&seed, 255, 255, "*?*a?**", 7, 2000);
	compare(&seed, 255, 255, "*[]*?a?**", 9, 2000);
	compare(&seed, 255, 100, "********ab", 10, 2000);
}

/* A pattern made of a text, with parts of it replaced, matches. */
static void test_long_ones_that_match(void **state)
{
	char p[KTAP_PATTERN_MAX], t[KTAP_MATCH_MAX];
	unsigned int seed = 2, i, k;

	for (i = 0; i < 5000; i++) {
		u32 tl = 0, pl = rand_r(&seed) % (sizeof(p) + 1);
		u32 wrong = rand_r(&seed) % (2 * pl + 1);

		for (k = 0; k < pl; k++) {
			u32 n = 1 + (rand_r(&seed) % 5 == 0);

			p[k] = "abc?*"[rand_r(&seed) % 5];
			if (p[k] == '*')
				n = rand_r(&seed) % 5;
			for (; n && tl < sizeof(t); n--) {
				t[tl++] = p[k] >= 'a' ? p[k] : 'b';
				if (p[k] != '*')
					break;
			}
			if (k == wrong && tl)
				t[tl - 1] = 'x';
		}
		assert_int_equal(new_match(p, pl, t, tl), old_match(p, pl, t, tl));
	}
}

/* As many steps as the text has letters, whatever the pattern. */
static void test_stars_do_not_explode(void **state)
{
	char text[KTAP_MATCH_MAX], pattern[KTAP_PATTERN_MAX];
	size_t i;

	memset(text, 'a', sizeof(text));
	for (i = 0; i < sizeof(pattern); i++)
		pattern[i] = i % 2 ? 'a' : '*';
	pattern[sizeof(pattern) - 1] = 'b';
	assert_false(new_match(pattern, sizeof(pattern), text, sizeof(text)));
	assert_false(old_match(pattern, sizeof(pattern), text, sizeof(text)));
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
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_as_reference),
		cmocka_unit_test(test_long_ones_that_match),
		cmocka_unit_test(test_stars_do_not_explode),
		cmocka_unit_test(test_as_fnmatch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
