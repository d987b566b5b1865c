// SPDX-License-Identifier: GPL-2.0
/*
 * Names with scopes, as in ns::shape::area(int): what ends them is what can follow
 * a place.
 */
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "spec/parse_place.h"

#define OPERATOR "operator"

/* Longer ones first. */
static const char *const operators[] = {
	"<<=", ">>=", "<=>", "->*", "()", "[]", "<<", ">>", "<=", ">=",
	"==",  "!=",  "&&",  "||",  "++", "--", "->", "+=", "-=", "*=",
	"/=",  "%=",  "^=",  "&=",  "|=", "+",	"-",  "*",  "/",  "%",
	"^",   "&",   "|",   "~",   "!",  "=",	"<",  ">",  ",",
};

/**
 * struct scan - a name being read
 * @p: text
 * @start: of the name
 * @pos: the next letter
 * @end: of what may be the name
 * @depth: of brackets
 * @marks: letters that only such names have: "::", brackets, '~', operators
 * @wild: it has * or ?
 * @is_cut: it is that of a conversion, without parameters so far
 */
struct scan {
	const struct parse *p;
	size_t start;
	size_t pos;
	size_t end;
	unsigned int depth;
	unsigned int marks;
	bool wild;
	bool is_cut;
};

/*
 * "operator char const*()": a blank and a type are behind the word. Nothing but the
 * parameters tells where that type ends, so they have to be there.
 */
static bool take_conversion(struct scan *s, struct span type)
{
	size_t end = span_end(type), at = type.start;
	unsigned int depth = 0;
	char c;

	if (s->pos == s->start || (at < end && s->p->text[at] != ' '))
		return false;
	for (; at < end; at++) {
		c = s->p->text[at];
		if ((c == '(' && !depth) ||
		    (!parse_is_ident(c) && !strchr(" :<>,*&", c)))
			break;
		depth += c == '<';
		depth -= c == '>' && depth;
	}
	s->is_cut = at == end || s->p->text[at] != '(';
	s->marks++;
	s->pos = s->is_cut ? end : at;
	return true;
}

/* "operator+" and the like, whose signs are no brackets, offsets or patterns */
static bool take_operator(struct scan *s)
{
	const struct parse *p = s->p;
	struct span at = span_between(s->pos, s->end), sign;
	size_t i;

	if (!parse_starts(p, at, OPERATOR) ||
	    (s->pos > s->start && p->text[s->pos - 1] != ':'))
		return false;
	sign = span_between(s->pos + strlen(OPERATOR), s->end);
	for (i = 0; i < ARRAY_SIZE(operators); i++) {
		if (!parse_starts(p, sign, operators[i]))
			continue;
		s->pos = sign.start + strlen(operators[i]);
		s->marks++;
		return true;
	}
	return take_conversion(s, sign);
}

/* Whether the letter at hand ends the name, outside of brackets. */
static bool ends(const struct scan *s)
{
	const char *c = s->p->text + s->pos;

	if (*c == ':')
		return s->pos + 1 < s->end && parse_is_digit(c[1]);
	return strchr("%@;+-", *c);
}

static void step(struct scan *s)
{
	char c = s->p->text[s->pos];

	if (strchr("(<{", c)) {
		s->depth++;
		s->marks++;
	} else if (strchr(")>}", c)) {
		s->depth -= s->depth > 0;
	} else if (c == '~') {
		s->marks++;
	} else if (!s->depth && strchr("*?", c)) {
		s->wild = true;
	}
}

/* To the end of the name; false: its brackets do not close. */
static bool scan(struct scan *s)
{
	while (s->pos < s->end) {
		struct span rest = span_between(s->pos, s->end);

		if (!s->depth && take_operator(s))
			continue;
		if (parse_starts(s->p, rest, "::")) {
			s->marks++;
			s->pos += 2;
			continue;
		}
		if (!s->depth && ends(s))
			break;
		step(s);
		s->pos++;
	}
	return !s->depth && !s->is_cut;
}

bool place_is_open(const struct parse *p, struct span at)
{
	struct scan s = {
		.p = p, .start = at.start, .pos = at.start, .end = span_end(at),
	};
	bool is_open = !scan(&s);

	return is_open && (p->in_file || s.marks > 1);
}

/* A '#' there begins a comment where the definition stands in a file; no compiler makes it. */
static bool has_comment(const struct parse *p, struct span name)
{
	size_t i;

	for (i = name.start; i < span_end(name); i++)
		if (p->text[i] == '#' &&
		    (i == name.start || parse_is_blank(p->text[i - 1])))
			return true;
	return false;
}

/* In the kernel's own words a bracket is a mistake, and no name. */
bool place_scoped(const struct parse *p, struct span *at, struct place_spec *ret)
{
	struct scan s = {
		.p = p,
		.start = at->start,
		.pos = at->start,
		.end = span_end(*at),
	};
	bool is_whole = scan(&s);
	struct span name = span_between(s.start, s.pos);

	if (p->kernel || !s.marks || !is_whole || !name.length || has_comment(p, name) ||
	    (!ret->file && !memmem(p->text + name.start, name.length, "::", 2)))
		return false;
	ret->glob = s.wild;
	ret->symbol_at = name;
	*at = span_between(s.pos, s.end);
	return true;
}
