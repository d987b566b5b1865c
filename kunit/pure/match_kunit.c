// SPDX-License-Identifier: GPL-2.0
/* Globs. */
#include "hit/match.h"
#include "pure.h"

static const struct glob {
	const char *pattern;
	const char *text;
	bool matches;
} globs[] = {
	{ "abc", "abc", true },
	{ "abc", "abcd", false },
	{ "abc", "ab", false },
	{ "a?c", "axc", true },
	{ "a?c", "ac", false },
	{ "*", "", true },
	{ "**", "anything", true },
	{ "?*", "", false },
	{ "*.c", "x.c.c", true },
	{ "*.c", "x.c.", false },
	{ "/etc/*ss*", "/etc/passwd", true },
	{ "*a*b*a*", "xbxaxbxax", true },
	{ "*a*b*a*", "xbxaxbxbx", false },
	{ "[abc]", "b", true },
	{ "[abc]", "d", false },
	{ "[!abc]", "d", true },
	{ "[!abc]", "a", false },
	{ "[a-fx]?", "e1", true },
	{ "[a-fx]?", "g1", false },
	{ "[a-]", "-", true },
	{ "[]x]", "]", true },
	{ "[!]x]", "]", false },
	{ "[x", "[x", true },
	{ "[x", "x", false },
	{ "*[0-9]", "node12", true },
	{ "*[0-9]", "node12b", false },
};

static void glob_desc(const struct glob *g, char *desc)
{
	/* TAP reads a # as a directive */
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s and '%s'", g->pattern, g->text);
}

KUNIT_ARRAY_PARAM(glob, globs, glob_desc);

static bool match(struct kunit *test, const u8 *pattern, u32 len, const char *text)
{
	struct ktap_glob *glob;

	glob = kunit_kzalloc(test, ktap_glob_size(pattern, len), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, glob);
	ktap_glob_make(glob, pattern, len);
	KUNIT_EXPECT_EQ(test, glob->words, ktap_glob_words(pattern, len));
	return ktap_match(glob, (const u8 *)text, strlen(text));
}

static void match_globs(struct kunit *test)
{
	const struct glob *g = test->param_value;

	KUNIT_EXPECT_EQ(test, g->matches,
			match(test, (const u8 *)g->pattern, strlen(g->pattern), g->text));
}

/* More states than one word has bits. */
static void match_longest_pattern(struct kunit *test)
{
	u8 pattern[KTAP_PATTERN_MAX];
	char text[KTAP_PATTERN_MAX + 1] = {};

	memset(pattern, '?', sizeof(pattern));
	pattern[0] = '*';
	memset(text, 'x', sizeof(text) - 1);
	KUNIT_EXPECT_TRUE(test, match(test, pattern, sizeof(pattern), text));
	text[sizeof(pattern) - 2] = 0;
	KUNIT_EXPECT_FALSE(test, match(test, pattern, sizeof(pattern), text));
	memset(pattern, 'x', sizeof(pattern));
	pattern[70] = '*';
	memset(text, 'x', sizeof(text) - 1);
	KUNIT_EXPECT_TRUE(test, match(test, pattern, sizeof(pattern), text));
	text[100] = 'y';
	KUNIT_EXPECT_FALSE(test, match(test, pattern, sizeof(pattern), text));
}

static struct kunit_case match_cases[] = {
	KUNIT_CASE_PARAM(match_globs, glob_gen_params),
	KUNIT_CASE(match_longest_pattern),
	{}
};

struct kunit_suite ktap_match_suite = {
	.name = "ktap_match",
	.test_cases = match_cases,
};
