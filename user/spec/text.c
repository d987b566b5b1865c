// SPDX-License-Identifier: GPL-2.0
/* Letters, words and numbers of a definition, and errors that point at them. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "spec/parse.h"

int parse_fail(const struct parse *p, struct span at, enum diag_code code, ...)
{
	va_list ap;

	va_start(ap, code);
	diag_vset(p->d, -EINVAL, code, ap);
	va_end(ap);
	diag_at(p->d, p->text, at.start, at.length);
	return -EINVAL;
}

int parse_fail_text(const struct parse *p, struct span at, enum diag_code code,
		    struct span quote, int limit)
{
	return parse_fail(p, at, code, (int)quote.length,
			  p->text + quote.start, limit);
}

int parse_no_memory(const struct parse *p)
{
	return diag_no_memory(p->d);
}

/* Not isblank() and friends: the grammar does not depend on a locale. */
bool parse_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

bool parse_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool parse_is_ident(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       parse_is_digit(c);
}

size_t parse_ident(const struct parse *p, struct span at)
{
	const char *s = p->text + at.start;
	size_t i = 0;

	if (!at.length || parse_is_digit(s[0]))
		return 0;
	while (i < at.length && parse_is_ident(s[i]))
		i++;
	return i;
}

/**
 * struct nesting - what keeps a blank from ending a word
 * @depth: of brackets
 * @quote: that is open, or NUL
 * @escaped: the letter before was a backslash in quotes
 */
struct nesting {
	unsigned int depth;
	char quote;
	bool escaped;
};

static void nest_quoted(struct nesting *n, char c)
{
	if (n->escaped)
		n->escaped = false;
	else if (c == '\\')
		n->escaped = true;
	else if (c == n->quote)
		n->quote = '\0';
}

static void nest(struct nesting *n, char c)
{
	if (n->quote)
		nest_quoted(n, c);
	else if (c == '"' || c == '\'')
		n->quote = c;
	else if (c == '(' || c == '[')
		n->depth++;
	else if ((c == ')' || c == ']') && n->depth)
		n->depth--;
}

bool parse_word(const struct parse *p, size_t *pos, struct span *ret)
{
	struct nesting n = {};
	size_t i = *pos;

	while (parse_is_blank(p->text[i]))
		i++;
	ret->start = i;
	for (; p->text[i]; i++) {
		if (parse_is_blank(p->text[i]) && !n.depth && !n.quote)
			break;
		if (!p->kernel)
			nest(&n, p->text[i]);
	}
	/* brackets that never close take in blanks at the end: leave those */
	while (i > ret->start && parse_is_blank(p->text[i - 1]))
		i--;
	ret->length = i - ret->start;
	*pos = i;
	return ret->length;
}

struct span parse_trim(const struct parse *p, struct span at)
{
	while (at.length && parse_is_blank(p->text[at.start])) {
		at.start++;
		at.length--;
	}
	while (at.length && parse_is_blank(p->text[span_end(at) - 1]))
		at.length--;
	return at;
}

size_t parse_find(const struct parse *p, struct span at, char c)
{
	const char *s = memchr(p->text + at.start, c, at.length);

	return s ? (size_t)(s - p->text) : span_end(at);
}

bool parse_is(const struct parse *p, struct span at, const char *word)
{
	return strlen(word) == at.length &&
	       !memcmp(p->text + at.start, word, at.length);
}

bool parse_starts(const struct parse *p, struct span at, const char *word)
{
	size_t length = strlen(word);

	return length <= at.length &&
	       !memcmp(p->text + at.start, word, length);
}

char *parse_dup(const struct parse *p, struct span at)
{
	return strndup(p->text + at.start, at.length);
}

static int digit_value(char c)
{
	if (parse_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

static int parse_digits(const char *s, size_t length, int base, uint64_t *ret)
{
	uint64_t value = 0;
	size_t i;

	if (!length)
		return -EINVAL;
	for (i = 0; i < length; i++) {
		int digit = digit_value(s[i]);

		if (digit >= base)
			return -EINVAL;
		if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)digit, &value))
			return -ERANGE;
	}
	*ret = value;
	return 0;
}

int parse_number(const struct parse *p, struct span at, uint64_t *ret)
{
	const char *s = p->text + at.start;

	if (at.length > 1 && s[0] == '0' && (s[1] | 0x20) == 'x')
		return parse_digits(s + 2, at.length - 2, 16, ret);
	return parse_digits(s, at.length, at.length && s[0] == '0' ? 8 : 10,
			    ret);
}

int parse_negative(const struct parse *p, struct span at, int64_t *ret)
{
	uint64_t value;
	int err = parse_number(p, at, &value);

	if (err)
		return err;
	if (value > (uint64_t)INT64_MAX + 1)
		return -ERANGE;
	*ret = (int64_t)-value;
	return 0;
}

int parse_signed(const struct parse *p, struct span at, int64_t *ret)
{
	bool minus = parse_starts(p, at, "-");
	uint64_t value;
	int err;

	if (minus || parse_starts(p, at, "+")) {
		at.start++;
		at.length--;
	}
	if (minus)
		return parse_negative(p, at, ret);
	err = parse_number(p, at, &value);
	if (err)
		return err;
	if (value > INT64_MAX)
		return -ERANGE;
	*ret = (int64_t)value;
	return 0;
}

int parse_decimal(const struct parse *p, struct span at, uint64_t *ret)
{
	return parse_digits(p->text + at.start, at.length, 10, ret);
}
