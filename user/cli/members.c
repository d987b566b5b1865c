// SPDX-License-Identifier: GPL-2.0
/* JSON objects, member by member. */
#include "cli/members.h"

#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "cli/print.h"

void member_u64(struct json *j, const char *key, uint64_t value)
{
	json_key(j, key);
	json_u64(j, value);
}

void member_wide(struct json *j, const char *key, __int128 value)
{
	json_key(j, key);
	json_wide(j, value);
}

void member_digits(struct json *j, const char *key, __int128 value, bool text)
{
	char digits[FMT_WIDE_MAX + 1];

	if (!text) {
		member_wide(j, key, value);
		return;
	}
	*fmt_wide(digits, value) = '\0';
	member_str(j, key, digits);
}

/* It looks like a fraction also if it is a whole number, so that its type stays the same. */
void member_real(struct json *j, const char *key, double value)
{
	char digits[FMT_REAL_MAX];

	json_key(j, key);
	json_written(j);
	buf_puts(j->out, fmt_real(digits, value, sizeof(value)));
	if (!strpbrk(digits, ".e"))
		buf_puts(j->out, ".0");
}

void member_hex(struct json *j, const char *key, uint64_t value)
{
	json_key(j, key);
	json_hex(j, value);
}

void member_bool(struct json *j, const char *key, bool value)
{
	json_key(j, key);
	json_bool(j, value);
}

void member_str(struct json *j, const char *key, const char *value)
{
	json_key(j, key);
	json_str(j, value);
}

void json_line_begin(struct json_line *line)
{
	buf_init(&line->text);
	json_init(&line->json, &line->text);
	json_object(&line->json);
	member_u64(&line->json, "v", JSON_VERSION);
}

void json_line_end(struct json_line *line)
{
	json_object_end(&line->json);
	print_buf(&line->text);
	buf_deinit(&line->text);
}
