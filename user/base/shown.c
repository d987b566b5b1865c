// SPDX-License-Identifier: GPL-2.0
/* The one place where text from elsewhere is made safe to show. */
#include "base/shown.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"

/* Letters of C's escapes; 0 where there is none. */
static const char shown_escapes[128] = {
	['\a'] = 'a', ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\v'] = 'v',
	['\f'] = 'f', ['\r'] = 'r', ['\\'] = '\\',
};

static bool stays(char c, char quote)
{
	if (c == '\\')
		return quote == SHOWN_BACKSLASH || quote == SHOWN_SOURCE;
	if (c == '\t')
		return quote == SHOWN_SOURCE;
	return c >= ' ' && c != 127 && (c != quote || !quote);
}

/* Bytes at the start of @s that are shown as they are: one character, or 0. */
static size_t shown_length(const char *s, size_t size, char quote)
{
	size_t len;
	uint32_t c;

	if ((signed char)*s >= 0)
		return stays(*s, quote);
	len = utf8_get(s, size, &c);
	return len && utf8_printable(c) ? len : 0;
}

/* Octal, because it has three digits at most: "\1" "2" cannot become "\12". */
static void put_escape(struct buf *out, unsigned char c, char quote)
{
	char esc[4] = { '\\' };

	if (c < 128 && (shown_escapes[c] || c == quote)) {
		esc[1] = shown_escapes[c] ? shown_escapes[c] : quote;
		buf_put(out, esc, 2);
		return;
	}
	esc[1] = '0' + (c >> 6);
	esc[2] = '0' + (c >> 3 & 7);
	esc[3] = '0' + (c & 7);
	buf_put(out, esc, 4);
}

void shown_put(struct buf *out, const char *s, size_t size, char quote)
{
	size_t start = 0, at = 0, len;

	if (quote != '\'')
		at = utf8_run(s, size);
	while (at < size) {
		len = shown_length(s + at, size - at, quote);
		if (len) {
			at += len;
			continue;
		}
		buf_put(out, s + start, at - start);
		put_escape(out, s[at++], quote);
		start = at;
	}
	buf_put(out, s + start, at - start);
}

void shown_puts(struct buf *out, const char *s)
{
	shown_put(out, s, strlen(s), 0);
}

/* XML has no escapes for control characters: they are shown as in C before. */
void shown_xml(struct buf *out, const char *s, char quote)
{
	_cleanup_buf_ struct buf shown = BUF_INIT;

	shown_put(&shown, s, strlen(s), quote);
	for (const char *c = buf_str(&shown); *c; c++) {
		if (*c == '<')
			buf_puts(out, "&lt;");
		else if (*c == '>')
			buf_puts(out, "&gt;");
		else if (*c == '&')
			buf_puts(out, "&amp;");
		else if (*c == '"')
			buf_puts(out, "&quot;");
		else
			buf_putc(out, *c);
	}
	out->failed |= shown.failed;
}
