// SPDX-License-Identifier: GPL-2.0
/* What has a type, as JSON; ktap-json(5) tells the form. */
#include <stdio.h>

#include "base/fmt.h"
#include "base/json.h"
#include "export/line.h"

/* struct printer - one value being printed */
struct printer {
	struct json *j;
	const struct look *look;
};

static void begin(void *ctx, bool is_array)
{
	struct printer *p = ctx;

	if (is_array)
		json_array(p->j);
	else
		json_object(p->j);
}

static void next(void *ctx, const char *name)
{
	struct printer *p = ctx;

	if (name)
		json_key(p->j, name);
}

static void end(void *ctx, bool is_array, bool is_cut)
{
	struct printer *p = ctx;

	if (is_cut && !is_array)
		json_key(p->j, "...");
	if (is_cut)
		json_null(p->j);
	if (is_array)
		json_array_end(p->j);
	else
		json_object_end(p->j);
}

static void put_unsigned(struct printer *p, const struct typed_value *v)
{
	json_unsigned(p->j, v->number, v->size, p->look);
}

static void put_signed(struct printer *p, const struct typed_value *v)
{
	json_signed(p->j, v->number, v->size, p->look);
}

static void put_pointer(struct printer *p, const struct typed_value *v)
{
	json_hex(p->j, v->number);
}

static void put_char(struct printer *p, const struct typed_value *v)
{
	char c = v->number;

	json_string(p->j, &c, 1);
}

static void put_bool(struct printer *p, const struct typed_value *v)
{
	json_bool(p->j, v->number);
}

static void put_text(struct printer *p, const struct typed_value *v)
{
	json_string(p->j, v->text, v->length);
}

static void put_code(struct printer *p, const struct typed_value *v)
{
	json_address(p->j, v->number, p->look->ks);
}

static void put_real(struct printer *p, const struct typed_value *v)
{
	json_real(p->j, v->real, v->size);
}

static void put_wide(struct printer *p, const struct typed_value *v)
{
	char text[40];

	snprintf(text, sizeof(text), "0x%016llx%016llx",
		 (unsigned long long)v->high, (unsigned long long)v->number);
	json_str(p->j, text);
}

static void put_null(struct printer *p, const struct typed_value *v)
{
	json_null(p->j);
}

static void (*const rows[TYPED_NR])(struct printer *p,
				    const struct typed_value *v) = {
	[TYPED_UNSIGNED] = put_unsigned,
	[TYPED_SIGNED] = put_signed,
	[TYPED_CHAR] = put_char,
	[TYPED_BOOL] = put_bool,
	[TYPED_ENUM] = put_text,
	[TYPED_POINTER] = put_pointer,
	[TYPED_CODE] = put_code,
	[TYPED_REAL] = put_real,
	[TYPED_WIDE] = put_wide,
	[TYPED_TEXT] = put_text,
	[TYPED_UNKNOWN] = put_null,
	[TYPED_LEFT_OUT] = put_null,
};

/* An enumeration stays a text when its number has no name. */
static void put_nameless(struct printer *p, const struct typed_value *v)
{
	char digits[FMT_MAX], *end;

	end = v->kind == TYPED_SIGNED ? fmt_i64(digits, v->number) :
					fmt_u64(digits, v->number);
	json_string(p->j, digits, end - digits);
}

/* What a member is in JSON depends on its type, and never on its value. */
static void value(void *ctx, const struct typed_value *v)
{
	if (v->declared == v->kind)
		rows[v->kind](ctx, v);
	else if (v->declared == TYPED_ENUM)
		put_nameless(ctx, v);
	else
		put_null(ctx, v);
}

void typed_json(struct json *j, const struct btf *types, const struct value *v,
		const struct look *look)
{
	static const struct typed_out ops = {
		.begin = begin, .end = end, .next = next, .value = value,
	};
	struct printer p = { .j = j, .look = look };
	struct typed t = typed_of(types, v, look);

	typed_walk(&t, &ops, &p);
}
