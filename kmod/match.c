// SPDX-License-Identifier: GPL-2.0
/*
 * Glob patterns: * any text, ? any letter, [a-z] and [!a-z] one of a set, \ the
 * next letter as it is. A [ without its ] and a \ at the end stand for
 * themselves. Time is bounded by the product of both lengths: only the last *
 * is ever tried again.
 */
#include "match.h"

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
ENV_NOPROBE(set_end);

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
ENV_NOPROBE(in_set);

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
ENV_NOPROBE(match_one);

/**
 * ktap_match() - does a pattern describe the whole of a text?
 * @pattern: the pattern
 * @pattern_len: its bytes
 * @text: the text
 * @text_len: its bytes
 *
 * Context: any; pure.
 */
bool ktap_match(const char *pattern, u32 pattern_len, const char *text,
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
ENV_NOPROBE(ktap_match);
