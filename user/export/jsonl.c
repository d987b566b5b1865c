// SPDX-License-Identifier: GPL-2.0
/*
 * Events as JSON, one object per line: ktap-json(5) tells the form, and
 * Documentation/ktap-json.schema.json has it for machines.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/fmt.h"
#include "base/json.h"
#include "export/line.h"

/* A name where it is known, or the address: a string in any case. */
void json_address(struct json *j, uint64_t address, const struct ksyms *ks)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const struct ksym *sym = ks ? ksyms_by_address(ks, address) : NULL;

	if (sym)
		buf_printf(&b, "%s+0x%llx", sym->name,
			   (unsigned long long)(address - sym->address));
	else
		buf_printf(&b, "0x%llx", (unsigned long long)address);
	json_str(j, buf_str(&b));
}

/* Its path where that is known, or its ID: a string in any case. */
static void json_cgroup(struct json *j, uint64_t id, const struct ksyms *ks)
{
	const char *path = ksyms_cgroup(ks, id);
	char digits[FMT_MAX];

	if (path)
		json_str(j, path);
	else
		json_string(j, digits, fmt_u64(digits, id) - digits);
}

/* As a text, where readers would take 64 bits for a double. */
static bool is_text(unsigned int size, const struct look *look)
{
	return look->ints_text && size == 8;
}

void json_unsigned(struct json *j, uint64_t value, unsigned int size,
		   const struct look *look)
{
	char digits[FMT_MAX];

	if (is_text(size, look))
		json_string(j, digits, fmt_u64(digits, value) - digits);
	else
		json_u64(j, value);
}

void json_signed(struct json *j, int64_t value, unsigned int size,
		 const struct look *look)
{
	char digits[FMT_MAX];

	if (is_text(size, look))
		json_string(j, digits, fmt_i64(digits, value) - digits);
	else
		json_i64(j, value);
}

static void put_number(struct json *j, const struct value *v,
		       const struct look *look)
{
	char c = v->number;

	switch (v->field->format) {
	case FORMAT_CHAR:
		json_string(j, &c, 1);
		break;
	case FORMAT_SIGNED:
	case FORMAT_ERRNO:
		json_signed(j, v->number, v->field->size, look);
		break;
	case FORMAT_HEX:
		json_hex(j, v->number);
		break;
	case FORMAT_SYMBOL:
	case FORMAT_SYMSTR:
		json_address(j, v->number, look->ks);
		break;
	case FORMAT_CGROUP:
		json_cgroup(j, v->number, look->ks);
		break;
	default:
		json_unsigned(j, v->number, v->field->size, look);
		break;
	}
}

static const char *const stack_ends[__KTAP_STACK_ENDS] = {
	[KTAP_STACK_COMPLETE] = "complete", [KTAP_STACK_DEPTH] = "depth",
	[KTAP_STACK_FAULT] = "fault", [KTAP_STACK_NO_TABLE] = "no_table",
	[KTAP_STACK_JIT] = "jit",
};

static void put_inlined(struct json *j, const struct ktap_stack *s, unsigned int i,
			const struct ksyms *ks)
{
	const char *const *name = NULL;
	size_t nr = frame_inlined(ks, s, i, &name);

	for (size_t k = 0; k < nr; k++) {
		_cleanup_buf_ struct buf b = BUF_INIT;

		text_inlined(&b, name[k]);
		json_str(j, buf_str(&b));
	}
}

/* Frames as text has them, with their modules; and why there are no more. */
static void put_stack(struct json *j, const struct ktap_stack *s,
		      const struct ksyms *ks)
{
	const char *end = s->end < __KTAP_STACK_ENDS ? stack_ends[s->end] : NULL;

	json_object(j);
	json_key(j, "frames");
	json_array(j);
	for (unsigned int i = 0; i < s->nr; i++) {
		_cleanup_buf_ struct buf b = BUF_INIT;

		put_inlined(j, s, i, ks);
		text_frame(&b, s, i, ks);
		json_str(j, buf_str(&b));
	}
	json_array_end(j);
	json_key(j, "end");
	json_str(j, end ? end : "unknown");
	json_key(j, "sure");
	json_bool(j, !(s->flags & (KTAP_STACK_F_UNSURE | KTAP_STACK_F_BY_FP)));
	json_object_end(j);
}

static bool is_lost(const struct value *v)
{
	return value_is_stack(v) && !v->stack;
}

static void put_one(struct json *j, const struct value *v,
		    const struct look *look)
{
	if (v->fault || is_lost(v))
		json_null(j);
	else if (value_is_stack(v))
		put_stack(j, v->stack, look->ks);
	else if (v->field->kind != FIELD_INT)
		json_string(j, v->text, v->length);
	else
		put_number(j, v, look);
}

void json_value(struct buf *out, const struct event *e, const struct value *v,
		const struct look *look)
{
	struct json j;
	unsigned int i;

	json_init(&j, out);
	if (v->fault || (!v->elements && !v->field->type)) {
		put_one(&j, v, look);
		return;
	}
	if (!v->elements) {
		typed_json(&j, e->layout->types, v, look);
		return;
	}
	json_array(&j);
	for (i = 0; i < v->field->count; i++)
		put_one(&j, &v->elements[i], look);
	json_array_end(&j);
}

/* A member that is not the first. */
static void put_key(struct json *j, const char *key)
{
	buf_putc(j->out, ',');
	json_key(j, key);
}

/* ---- what is not as it should be ---- */

static bool is_fault(const struct value *v)
{
	unsigned int i;

	for (i = 0; v->elements && i < v->field->count; i++)
		if (v->elements[i].fault && !v->elements[i].no_entry)
			return true;
	return v->fault && !v->no_entry && !v->unknown;
}

static bool is_unknown(const struct value *v)
{
	return v->unknown || v->field->nr_holes;
}

static bool is_no_entry(const struct value *v)
{
	unsigned int i;

	for (i = 0; v->elements && i < v->field->count; i++)
		if (v->elements[i].no_entry)
			return true;
	return v->no_entry;
}

static bool is_cut(const struct value *v)
{
	return v->cut && !v->fault;
}

/* The names of the arguments that are so; nothing where none is. */
static void put_names(struct json *j, const struct event *e, const char *key,
		      bool (*is)(const struct value *v))
{
	bool any = false;
	size_t i;

	for (i = 0; i < e->nr_values; i++) {
		if (!is(&e->values[i]))
			continue;
		if (!any) {
			put_key(j, key);
			json_array(j);
			any = true;
		}
		json_str(j, e->values[i].field->name);
	}
	if (any)
		json_array_end(j);
}

/* Most records have no remark about any value: for those nothing is written. */
void json_remarks(struct buf *out, const struct event *e)
{
	bool any = false;
	struct json j;
	size_t i;

	for (i = 0; i < e->nr_values; i++)
		any |= e->values[i].fault || e->values[i].cut ||
		       e->values[i].elements || is_unknown(&e->values[i]) ||
		       is_lost(&e->values[i]);
	if (!any)
		return;
	json_init(&j, out);
	put_names(&j, e, "faults", is_fault);
	put_names(&j, e, "no_entry", is_no_entry);
	put_names(&j, e, "unknown", is_unknown);
	put_names(&j, e, "cut", is_cut);
	put_names(&j, e, "stack_lost", is_lost);
}

/* ---- what is the same for many lines ---- */

static void json_who(struct buf *out, const struct event *e,
		     const struct look *look)
{
	struct json j;

	json_init(&j, out);
	put_key(&j, "cpu");
	json_u64(&j, e->cpu);
	put_key(&j, "comm");
	json_str(&j, e->comm);
	put_key(&j, "tid");
	json_u64(&j, e->tid);
	put_key(&j, "pid");
	json_u64(&j, e->tgid);
}

static void put_place(struct json *j, const struct layout *l)
{
	if (l->symbol) {
		put_key(j, "symbol");
		json_str(j, l->symbol);
		put_key(j, "offset");
		json_u64(j, l->offset);
	} else if (l->address) { /* a timer has neither */
		put_key(j, "address");
		json_hex(j, l->address);
	}
	if (l->module) {
		put_key(j, "module");
		json_str(j, l->module);
	}
	if (l->path) {
		put_key(j, "path");
		json_str(j, l->path);
	}
}

static enum how how_of(const struct value *v, const struct look *look)
{
	if (v->field->kind != FIELD_INT || v->field->type || v->elements)
		return HOW_VALUE;
	switch (v->field->format) {
	case FORMAT_UNSIGNED:
		return is_text(v->field->size, look) ? HOW_VALUE : HOW_UNSIGNED;
	case FORMAT_HEX:
		return HOW_HEX_TEXT;
	case FORMAT_SIGNED:
	case FORMAT_ERRNO:
		return is_text(v->field->size, look) ? HOW_VALUE : HOW_SIGNED;
	default:
		return HOW_VALUE;
	}
}

static void json_face(struct face *f, const struct event *e,
		      const struct look *look)
{
	struct json j;
	size_t i;

	json_init(&j, &f->text);
	put_key(&j, "name");
	json_str(&j, e->name);
	put_place(&j, e->layout);
	face_part(f, HOW_VALUE);
	buf_puts(&f->text, ",\"args\":{");
	face_part(f, HOW_VALUE);
	for (i = 0; i < e->nr_values; i++) {
		if (i)
			buf_putc(&f->text, ',');
		json_init(&j, &f->text);
		json_key(&j, e->values[i].field->name);
		face_part(f, how_of(&e->values[i], look));
	}
}

/* ---- lines ---- */

static void put_return(struct buf *out, uint64_t address,
		       const struct ksyms *ks)
{
	const struct ksym *sym = ks ? ksyms_by_address(ks, address) : NULL;
	struct json j;

	json_init(&j, out);
	put_key(&j, "returned_to");
	json_object(&j);
	json_key(&j, "address");
	json_hex(&j, address);
	if (sym) {
		json_key(&j, "symbol");
		json_str(&j, sym->name);
		json_key(&j, "offset");
		json_u64(&j, address - sym->address);
	}
	if (sym && sym->module) {
		json_key(&j, "module");
		json_str(&j, sym->module);
	}
	json_object_end(&j);
}

#define TEXT_OF(number)	#number
#define JSON_START(version) "{\"v\":" TEXT_OF(version) ",\"time\":"
#define JSON_TIME	JSON_START(JSON_VERSION)
#define JSON_TIME_MAX	(sizeof(JSON_TIME) + FMT_MAX + 2)

static const struct format format_json;

static void json_hit(struct buf *out, const struct event *e,
		     const struct line *l)
{
	char *at = buf_room(out, JSON_TIME_MAX + l->who->size + l->face->room + 1);

	if (!at)
		return;
	memcpy(at, JSON_TIME, sizeof(JSON_TIME) - 1);
	at = fmt_seconds(at + sizeof(JSON_TIME) - 1, l->ns, 9);
	memcpy(at, l->who->data, l->who->size);
	at = line_face(out, at + l->who->size, e, l, &format_json);
	if (!at)
		return;
	*at++ = '}';
	buf_end(out, at);
	json_remarks(out, e);
	buf_put(out, "}\n", 2);
}

static void json_lost(struct buf *out, const struct event *e,
		      const struct line *l)
{
	struct json j;

	json_init(&j, out);
	json_object(&j);
	json_key(&j, "v");
	json_u64(&j, JSON_VERSION);
	json_key(&j, "time");
	json_ns(&j, l->ns);
	json_key(&j, "cpu");
	json_u64(&j, e->cpu);
	json_key(&j, "lost");
	json_u64(&j, e->lost);
	json_object_end(&j);
	buf_putc(out, '\n');
}

static void json_mark(struct buf *out, const struct event *e,
		      const struct line *l)
{
	char at[JSON_TIME_MAX] = JSON_TIME;
	struct json j;

	buf_put(out, at, fmt_seconds(at + sizeof(JSON_TIME) - 1, l->ns, 9) - at);
	buf_put(out, l->who->data, l->who->size);
	json_init(&j, out);
	put_key(&j, "mark");
	json_string(&j, e->mark, e->mark_size);
	buf_put(out, "}\n", 2);
}

static const struct format format_json = {
	.who = json_who,
	.face = json_face,
	.hit = json_hit,
	.lost = json_lost,
	.mark = json_mark,
	.returned = put_return,
	.value = json_value,
};

static int json_begin(struct exporting *x)
{
	return lines_begin(x, &format_json);
}

const struct exporter exporter_json = {
	.name = "json",
	.options = EXPORTER_TIME | EXPORTER_SYMBOLS | EXPORTER_DEPTH |
		   EXPORTER_INTS,
	.state_size = sizeof(struct lines),
	.begin = json_begin,
	.event = lines_event,
	.end = lines_end,
};
