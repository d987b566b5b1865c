// SPDX-License-Identifier: GPL-2.0
/* Names with scopes, and what symbols of C++ and Rust stand for. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/scoped.h"
#include "base/utf8.h"

#define OPERATOR "operator"

/* ---- names ------------------------------------------------------------------ */

/* Whether the @length bytes at @name end in "operator" and nothing before it */
static bool ends_in_operator(const char *name, size_t length)
{
	size_t n = strlen(OPERATOR);

	if (length < n || memcmp(name + length - n, OPERATOR, n))
		return false;
	return length == n || name[length - n - 1] == ':';
}

/* Without the signs of an operator at its end: some look like brackets. */
static size_t without_signs(const char *name, size_t length)
{
	size_t n = length;

	while (n && strchr("<>=!+-*/%^&|~,()[]", name[n - 1]))
		n--;
	return ends_in_operator(name, n) ? n : length;
}

struct scoped_part scoped_last(const char *name, size_t length)
{
	size_t at = without_signs(name, length);
	int depth = 0;

	for (; at; at--) {
		char c = name[at - 1];

		depth += c == '>' || c == ')';
		depth -= c == '<' || c == '(';
		if (depth <= 0 && c == ':' && at > 1 && name[at - 2] == ':')
			break;
	}
	return (struct scoped_part){ name + at, length - at };
}

size_t scoped_before(const char *name, struct scoped_part last)
{
	return last.text > name ? last.text - name - 2 : 0;
}

static size_t skip_blanks(const char *s, size_t length)
{
	size_t n = 0;

	while (n < length && s[n] == ' ')
		n++;
	return n;
}

/* The demangler has its own mind on where blanks are. */
static bool is_equal(struct scoped_part part, const char *name, size_t length)
{
	size_t i = 0, j = 0;

	for (;; i++, j++) {
		i += skip_blanks(part.text + i, part.length - i);
		j += skip_blanks(name + j, length - j);
		if (i == part.length || j == length)
			return i == part.length && j == length;
		if (part.text[i] != name[j])
			return false;
	}
}

bool scoped_is_part(struct scoped_part part, const char *name, size_t length)
{
	const char *open = memchr(name, '<', length);

	if (is_equal(part, name, length))
		return true;
	return open && open > name &&
	       strncmp(name, OPERATOR, strlen(OPERATOR)) &&
	       is_equal(part, name, open - name);
}

size_t scoped_params(const char *name)
{
	size_t length = strlen(name), at;
	const char *end = strrchr(name, ')');
	int depth = 0;

	/* the one of a lambda is a part of its name, as one in <> is */
	if (!end || strpbrk(end, ":#>"))
		return length;
	for (at = end - name + 1; at; at--) {
		depth += name[at - 1] == ')';
		depth -= name[at - 1] == '(';
		if (!depth)
			break;
	}
	/* operator() is a name, and (anonymous namespace) one, too */
	if (at <= 1 || name[at - 2] == ':' || ends_in_operator(name, at - 1))
		return length;
	return at - 1;
}

/* ---- symbols ---------------------------------------------------------------- */

char *symbol_shown(const char *symbol)
{
	char *name = demangle(symbol, true);

	if (name && utf8_is_plain(name, strlen(name)))
		return name;
	free(name);
	return strdup(symbol);
}

/* @name, of @length bytes, is @full or what is left of it without outer scopes */
static enum scoped_match match_parts(const char *name, size_t length,
				     const char *full)
{
	size_t left = strlen(full);
	struct scoped_part part, other;

	while (length) {
		if (!left)
			return SCOPED_NONE;
		part = scoped_last(name, length);
		other = scoped_last(full, left);
		if (!scoped_is_part(part, other.text, other.length))
			return SCOPED_NONE;
		length = scoped_before(name, part);
		left = scoped_before(full, other);
	}
	return left ? SCOPED_PART : SCOPED_WHOLE;
}

/* Most symbols are not it: identifiers are in them as they are. */
static bool may_be(const char *symbol, const char *name, size_t length)
{
	struct scoped_part last = scoped_last(name, length);
	size_t n = 0;

	while (n < last.length && last.text[n] != '<' && last.text[n] != '~')
		n++;
	return !strncmp(last.text, OPERATOR, strlen(OPERATOR)) ||
	       memmem(symbol, strlen(symbol), last.text, n);
}

enum scoped_match demangles_to(const char *symbol, const char *name)
{
	_cleanup_free_ char *base = NULL, *full = NULL;
	size_t length = scoped_params(name);
	enum scoped_match match;
	const char *params;

	if (!may_be(symbol, name, length))
		return SCOPED_NONE;
	base = demangle(symbol, false);
	match = base ? match_parts(name, length, base) : SCOPED_NONE;
	if (!match)
		return SCOPED_NONE;
	full = demangle(symbol, true);
	if (!full || strstr(full, "[clone "))
		return SCOPED_NONE;
	if (!name[length])
		return match;
	params = full + scoped_params(full);
	return is_equal((struct scoped_part){ params, strlen(params) },
			name + length, strlen(name + length)) ? match : SCOPED_NONE;
}

bool demangles_like(const char *symbol, const char *pattern)
{
	_cleanup_free_ char *base = demangle(symbol, false);

	return base && !strchr(symbol, '.') && !fnmatch(pattern, base, 0);
}
