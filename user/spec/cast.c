// SPDX-License-Identifier: GPL-2.0
/* Types of C in casts and behind ':': words and stars. What they are is seen later. */
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "spec/parse.h"

static const char *const words[] = {
	"struct", "union", "enum", "const", "volatile", "unsigned", "signed",
	"long", "short", "int", "char", "void", "bool", "_Bool",
};

static bool is_word(const struct parse *p, struct span at)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (parse_is(p, at, words[i]))
			return true;
	return false;
}

static bool ends_in_t(const struct parse *p, struct span at)
{
	return at.length > 2 &&
	       !memcmp(p->text + span_end(at) - 2, "_t", 2);
}

/* "struct file *": words with one blank between them, and then the stars */
static bool read_words(const struct parse *p, struct span at, struct buf *b,
		       bool *sure)
{
	size_t pos = at.start, end = span_end(at), stars = 0, nr = 0, length;

	for (; pos < end; pos += length) {
		struct span rest = span_between(pos, end);

		length = 1;
		if (p->text[pos] == '*') {
			buf_puts(b, stars++ ? "*" : " *");
		} else if (!parse_is_blank(p->text[pos])) {
			length = parse_ident(p, rest);
			if (!length || stars)
				return false;
			rest.length = length;
			*sure |= !nr && is_word(p, rest);
			buf_printf(b, "%s%.*s", nr++ ? " " : "", (int)length,
				   p->text + pos);
		}
	}
	*sure |= stars || nr > 1;
	return nr;
}

char *parse_c_type(const struct parse *p, struct span at, bool *sure)
{
	struct buf b = BUF_INIT;

	*sure = false;
	if (read_words(p, at, &b, sure))
		return buf_take(&b);
	buf_deinit(&b);
	return NULL;
}

bool parse_is_c_type(const struct parse *p, struct span at)
{
	size_t word = parse_ident(p, at);

	if (p->kernel || !at.length ||
	    parse_is_type(p, span_between(at.start, at.start + word)))
		return false;
	return p->text[at.start] == '(' ||
	       is_word(p, span_between(at.start, at.start + word)) ||
	       (word == at.length && ends_in_t(p, at));
}
