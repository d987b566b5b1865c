// SPDX-License-Identifier: GPL-2.0
/* The JSON writer: see json.h. No I/O, no allocation but the buffer's. */
#include "base/json.h"

#include <math.h>
#include <string.h>

#include "base/fmt.h"
#include "base/utf8.h"

void json_init(struct json *j, struct buf *out)
{
	*j = (struct json){ .out = out };
}

/* What goes in front of a value or a key: a comma, or nothing. */
static void separate(struct json *j)
{
	uint64_t bit = 1ULL << j->depth;

	if (j->keyed) {
		j->keyed = false;
		return;
	}
	if (j->depth && (j->used & bit))
		buf_putc(j->out, ',');
	j->used |= bit;
}

static void open_level(struct json *j, char bracket)
{
	separate(j);
	buf_putc(j->out, bracket);
	if (j->depth == JSON_DEPTH_MAX - 1) {
		j->out->failed = true;
		return;
	}
	j->depth++;
	j->used &= ~(1ULL << j->depth);
}

static void close_level(struct json *j, char bracket)
{
	if (j->depth)
		j->depth--;
	buf_putc(j->out, bracket);
}

void json_object(struct json *j)
{
	open_level(j, '{');
}

void json_object_end(struct json *j)
{
	close_level(j, '}');
}

void json_array(struct json *j)
{
	open_level(j, '[');
}

void json_array_end(struct json *j)
{
	close_level(j, ']');
}

/* Short forms of control characters; 0 where there is none. */
static const char json_short[32] = {
	['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r',
};

static void put_escaped(struct buf *out, unsigned char c)
{
	char esc[6] = { '\\', 'u', '0', '0' };

	if (c == '"' || c == '\\' || (c < 32 && json_short[c])) {
		esc[1] = c < 32 ? json_short[c] : c;
		buf_put(out, esc, 2);
		return;
	}
	esc[4] = "0123456789abcdef"[c >> 4];
	esc[5] = "0123456789abcdef"[c & 0xf];
	buf_put(out, esc, 6);
}

/* Bytes at the start of @s that stand for themselves: 0 or one character. */
static size_t plain_length(const char *s, size_t size)
{
	unsigned char c = *s;
	uint32_t unused;

	if (c < 128)
		return c >= 32 && c != 127 && c != '"' && c != '\\';
	return utf8_get(s, size, &unused);
}

/* The opening quote, the text, and @close, which starts with the other quote. */
static void put_quoted(struct buf *out, const char *s, size_t size,
		       const char *close, size_t close_size)
{
	size_t start = 0, at = utf8_run(s, size), len;

	buf_putc(out, '"');
	while (at < size) {
		len = plain_length(s + at, size - at);
		if (len) {
			at += len;
			continue;
		}
		buf_put(out, s + start, at - start);
		put_escaped(out, s[at++]);
		start = at;
	}
	buf_put(out, s + start, at - start);
	buf_put(out, close, close_size);
}

void json_key(struct json *j, const char *key)
{
	separate(j);
	put_quoted(j->out, key, strlen(key), "\":", 2);
	j->keyed = true;
}

void json_string(struct json *j, const char *s, size_t size)
{
	separate(j);
	put_quoted(j->out, s, size, "\"", 1);
}

void json_str(struct json *j, const char *s)
{
	if (s)
		json_string(j, s, strlen(s));
	else
		json_null(j);
}

void json_u64(struct json *j, uint64_t value)
{
	char digits[FMT_MAX];

	separate(j);
	buf_put(j->out, digits, fmt_u64(digits, value) - digits);
}

void json_written(struct json *j)
{
	separate(j);
}

void json_wide(struct json *j, __int128 value)
{
	char digits[FMT_WIDE_MAX];

	separate(j);
	buf_put(j->out, digits, fmt_wide(digits, value) - digits);
}

void json_i64(struct json *j, int64_t value)
{
	char digits[FMT_MAX];

	separate(j);
	buf_put(j->out, digits, fmt_i64(digits, value) - digits);
}

void json_hex(struct json *j, uint64_t value)
{
	char digits[FMT_MAX];

	separate(j);
	buf_puts(j->out, "\"0x");
	buf_put(j->out, digits, fmt_hex(digits, value) - digits);
	buf_putc(j->out, '"');
}

void json_real(struct json *j, long double value, unsigned int size)
{
	char digits[FMT_REAL_MAX];

	if (!isfinite(value)) {
		json_null(j);
		return;
	}
	separate(j);
	buf_puts(j->out, fmt_real(digits, value, size));
}

void json_ns(struct json *j, int64_t ns)
{
	char digits[FMT_MAX + 2];

	separate(j);
	buf_put(j->out, digits, fmt_seconds(digits, ns, 9) - digits);
}

void json_bool(struct json *j, bool value)
{
	separate(j);
	buf_puts(j->out, value ? "true" : "false");
}

void json_null(struct json *j)
{
	separate(j);
	buf_puts(j->out, "null");
}
