// SPDX-License-Identifier: GPL-2.0
/* -x PATH in front of a definition: it is about that program or library. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "spec/parse.h"

/* A path in double quotes, in which \ keeps its next character; @at is all. */
static char *unquote(const struct parse *p, struct span at)
{
	struct buf b = BUF_INIT;
	size_t i;

	for (i = at.start + 1; i + 1 < span_end(at); i++) {
		if (p->text[i] == '\\')
			i++;
		buf_putc(&b, p->text[i]);
	}
	return buf_take(&b);
}

/* From a '"' to the one that closes it, with both; 0: it is not closed. */
static size_t quoted_length(const char *s)
{
	size_t i;

	for (i = 1; s[i] && s[i] != '"'; i++)
		if (s[i] == '\\' && s[i + 1])
			i++;
	return s[i] ? i + 1 : 0;
}

static struct span path_at(const struct parse *p, size_t pos)
{
	const char *s;
	size_t length = 0;

	while (parse_is_blank(p->text[pos]))
		pos++;
	s = p->text + pos;
	if (*s == '"')
		length = quoted_length(s);
	else
		while (s[length] && !parse_is_blank(s[length]))
			length++;
	return span_between(pos, pos + length);
}

static int no_file(const struct parse *p, struct span at)
{
	parse_fail(p, at, DIAG_SPEC_NO_FILE);
	diag_hint(p->d, "write -x PATH PLACE");
	return -EINVAL;
}

int parse_file(const struct parse *p, size_t *pos, struct place_spec *ret)
{
	const char *s = p->text + *pos;
	struct span at;

	if (strncmp(s, "-x", 2) || (s[2] && !parse_is_blank(s[2])))
		return 0;
	at = path_at(p, *pos + 2);
	if (!at.length)
		return no_file(p, at);
	free(ret->file);
	ret->file_at = at;
	ret->file = p->text[at.start] == '"' ? unquote(p, at) :
					       parse_dup(p, at);
	*pos = span_end(at);
	if (!ret->file)
		return parse_no_memory(p);
	return ret->file[0] ? 0 : no_file(p, at);
}

static bool needs_quotes(const char *file)
{
	for (; *file; file++)
		if (parse_is_blank(*file) || strchr("\"\\#", *file))
			return true;
	return false;
}

void file_put(struct buf *b, const char *file)
{
	if (!needs_quotes(file)) {
		buf_printf(b, "-x %s ", file);
		return;
	}
	buf_puts(b, "-x \"");
	for (; *file; file++) {
		if (strchr("\"\\", *file))
			buf_putc(b, '\\');
		buf_putc(b, *file);
	}
	buf_puts(b, "\" ");
}
