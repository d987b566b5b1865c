// SPDX-License-Identifier: GPL-2.0
/* What has a type, as text: an initialiser of C. */
#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "export/line.h"

/**
 * struct printer - one value being printed
 * @out: where to
 * @look: how
 * @level: structures and arrays that are open
 * @is_first: nothing was printed in the innermost one
 * @lines: its members have lines of their own (bit per level)
 */
struct printer {
	struct buf *out;
	const struct look *look;
	unsigned int level;
	bool is_first;
	uint64_t lines;
};

struct typed typed_of(const struct btf *types, const struct value *v,
		      const struct look *look)
{
	struct typed t = {
		.btf = types, .id = v->field->type, .depth = look->depth,
		.data = v->text, .size = v->length,
		.holes = v->field->holes, .nr_holes = v->field->nr_holes,
	};

	if (v->field->kind == FIELD_INT) {
		t.data = &v->number;
		t.size = sizeof(v->number);
		t.bit_width = v->field->bit_width;
	}
	return t;
}

/* ---- structures ------------------------------------------------------------------ */

static bool has_lines(const struct printer *p)
{
	return p->level && p->lines >> p->level & 1;
}

static void new_line(struct printer *p)
{
	unsigned int i;

	buf_putc(p->out, '\n');
	for (i = 0; i < p->level; i++)
		buf_putc(p->out, '\t');
}

static void begin(void *ctx, bool is_array)
{
	struct printer *p = ctx;

	buf_putc(p->out, '{');
	p->level++;
	p->is_first = true;
	p->lines &= ~(1ULL << p->level);
	if (p->look->pretty && !is_array)
		p->lines |= 1ULL << p->level;
}

static void separate(struct printer *p)
{
	if (!p->is_first)
		buf_putc(p->out, ',');
	if (has_lines(p))
		new_line(p);
	else if (!p->is_first)
		buf_putc(p->out, ' ');
	p->is_first = false;
}

static void next(void *ctx, const char *name)
{
	struct printer *p = ctx;

	separate(p);
	if (name && *name)
		buf_printf(p->out, ".%s = ", name);
}

static void end(void *ctx, bool is_array, bool is_cut)
{
	struct printer *p = ctx;
	bool lines;

	if (is_cut) {
		separate(p);
		buf_puts(p->out, "...");
	}
	lines = has_lines(p) && !p->is_first;
	p->level--;
	if (lines)
		new_line(p);
	buf_putc(p->out, '}');
	p->is_first = false;
}

/* ---- values ---------------------------------------------------------------------- */

static void put_unsigned(struct printer *p, const struct typed_value *v)
{
	char text[FMT_MAX];

	buf_put(p->out, text, fmt_u64(text, v->number) - text);
}

static void put_signed(struct printer *p, const struct typed_value *v)
{
	char text[FMT_MAX];

	buf_put(p->out, text, fmt_i64(text, v->number) - text);
}

static void put_char(struct printer *p, const struct typed_value *v)
{
	text_char(p->out, v->number);
}

static void put_bool(struct printer *p, const struct typed_value *v)
{
	buf_puts(p->out, v->number ? "true" : "false");
}

static void put_enum(struct printer *p, const struct typed_value *v)
{
	buf_put(p->out, v->text, v->length);
}

static void put_pointer(struct printer *p, const struct typed_value *v)
{
	text_hex(p->out, v->number);
}

static void put_code(struct printer *p, const struct typed_value *v)
{
	text_address(p->out, v->number, p->look->ks);
}

static void put_real(struct printer *p, const struct typed_value *v)
{
	char text[FMT_REAL_MAX];

	buf_puts(p->out, fmt_real(text, v->real, v->size));
}

static void put_wide(struct printer *p, const struct typed_value *v)
{
	buf_printf(p->out, "0x%016llx%016llx", (unsigned long long)v->high,
		   (unsigned long long)v->number);
}

static void put_text(struct printer *p, const struct typed_value *v)
{
	text_string(p->out, v->text, v->length, v->is_cut);
}

static void put_left_out(struct printer *p, const struct typed_value *v)
{
	buf_puts(p->out, "{...}");
}

static void put_unknown(struct printer *p, const struct typed_value *v)
{
	buf_puts(p->out, "(unknown)");
}

static void (*const rows[TYPED_NR])(struct printer *p,
				    const struct typed_value *v) = {
	[TYPED_UNSIGNED] = put_unsigned,
	[TYPED_SIGNED] = put_signed,
	[TYPED_CHAR] = put_char,
	[TYPED_BOOL] = put_bool,
	[TYPED_ENUM] = put_enum,
	[TYPED_POINTER] = put_pointer,
	[TYPED_CODE] = put_code,
	[TYPED_REAL] = put_real,
	[TYPED_WIDE] = put_wide,
	[TYPED_TEXT] = put_text,
	[TYPED_UNKNOWN] = put_unknown,
	[TYPED_LEFT_OUT] = put_left_out,
};

static void value(void *ctx, const struct typed_value *v)
{
	rows[v->kind](ctx, v);
}

void typed_text(struct buf *out, const struct btf *types,
		const struct value *v, const struct look *look)
{
	static const struct typed_out ops = {
		.begin = begin, .end = end, .next = next, .value = value,
	};
	struct printer p = { .out = out, .look = look, .is_first = true };
	struct typed t = typed_of(types, v, look);

	typed_walk(&t, &ops, &p);
}
