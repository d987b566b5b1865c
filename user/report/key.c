// SPDX-License-Identifier: GPL-2.0
#include "report/key.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fmt.h"
#include "base/json.h"
#include "base/shown.h"
#include "export/value.h"
#include "types/walk.h"

/* What a value is, before its bytes. */
enum mark {
	MARK_NONE,
	MARK_FAULT,
	MARK_NO_ENTRY,
	MARK_UNKNOWN,
	MARK_NUMBER,
	MARK_BYTES,
	MARK_CUT,
};

/* Bytes of a key that is no text: a mark and a number, or a name of a task. */
#define FIXED_MAX	(2 * sizeof(uint64_t))

int key_field(const struct layout *l, const char *name)
{
	for (size_t i = 0; i < l->nr_fields; i++)
		if (!strcmp(l->fields[i].name, name))
			return i;
	return NO_FIELD;
}

/* ---- bytes ---- */

static char *put_u64(char *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

static enum mark mark_of(const struct value *v)
{
	if (v->unknown)
		return MARK_UNKNOWN;
	if (v->no_entry)
		return MARK_NO_ENTRY;
	return v->fault ? MARK_FAULT : MARK_NUMBER;
}

/* A number that has names, or a form of its own, is told from others. */
static uint64_t mark_number(const struct value *v, const struct event *e)
{
	uint64_t mark = mark_of(v) | (uint64_t)v->field->format << 8;

	return v->field->type ? mark | (uint64_t)e->shape << 16 : mark;
}

/* Of a structure only what is shown: not the gaps between its members. */
static void put_struct(struct buf *out, const struct value *v, const struct event *e)
{
	_cleanup_free_ uint8_t *mask = malloc(v->length + 1);
	size_t at = out->size;

	buf_put(out, v->text, v->length);
	if (!mask || out->failed) {
		out->failed = true;
		return;
	}
	typed_used(e->layout->types, v->field->type, mask, v->length);
	for (size_t i = 0; i < v->length; i++)
		out->data[at + i] &= mask[i];
}

static void put_string(struct buf *out, const struct value *v, const struct event *e)
{
	bool is_text = v->field->kind != FIELD_STRUCT;
	uint64_t head[2] = {
		(v->cut ? MARK_CUT : MARK_BYTES) | (is_text ? 0 : (uint64_t)e->shape << 16),
		v->length,
	};

	if (v->fault) {
		head[0] = mark_of(v);
		head[1] = 0;
	}
	buf_put(out, (const char *)head, sizeof(head));
	if (v->fault)
		return;
	if (is_text)
		buf_put(out, v->text, v->length);
	else
		put_struct(out, v, e);
}

static void put_element(struct buf *out, const struct value *v,
			const struct event *e)
{
	uint64_t number[2] = { mark_number(v, e), v->fault ? 0 : v->number };

	if (v->field->kind == FIELD_INT)
		buf_put(out, (const char *)number, sizeof(number));
	else
		put_string(out, v, e);
}

/* Arrays, and what has bytes of its own. */
static void put_long(struct buf *out, const struct value *v, const struct event *e)
{
	if (v->elements && !v->fault)
		for (unsigned int i = 0; i < v->field->count; i++)
			put_element(out, &v->elements[i], e);
	else
		put_element(out, v, e);
}

/* @at: in @out, with room for FIXED_MAX bytes. Return: behind the key. */
static char *put_argument(struct buf *out, char *at, int field,
			  const struct event *e, size_t room)
{
	const struct value *v;

	if (field == NO_FIELD)
		return put_u64(put_u64(at, MARK_NONE), 0);
	v = &e->values[field];
	if (v->field->kind == FIELD_INT && !v->elements) {
		at = put_u64(at, mark_number(v, e));
		return put_u64(at, v->fault ? 0 : v->number);
	}
	buf_end(out, at);
	put_long(out, v, e);
	return buf_room(out, room);
}

/* A name may be followed by anything. */
static char *put_comm(char *at, const char *comm)
{
	size_t length = strnlen(comm, KTAP_COMM_LEN);

	memcpy(at, comm, length);
	memset(at + length, 0, KTAP_COMM_LEN - length);
	return at + KTAP_COMM_LEN;
}

void key_bytes(struct buf *out, size_t nr, const struct event_plan *plan,
	       const struct event *e)
{
	size_t room = nr * FIXED_MAX + 1;
	char *at;

	buf_clear(out);
	at = buf_room(out, room);
	for (size_t i = 0; at && i < nr; i++) {
		switch (plan->sources[i]) {
		case REPORT_COMM:
			at = put_comm(at, e->comm);
			break;
		case REPORT_PID:
			at = put_u64(at, e->tgid);
			break;
		case REPORT_TID:
			at = put_u64(at, e->tid);
			break;
		case REPORT_CPU:
			at = put_u64(at, e->cpu);
			break;
		case REPORT_EVENT:
		case REPORT_SYMBOL:
			at = put_u64(at, e->shape);
			break;
		case REPORT_ARGUMENT:
			at = put_argument(out, at, plan->keys[i], e, room);
			break;
		}
	}
	if (at)
		buf_end(out, at);
}

/* ---- text ---- */

static void put_text(struct buf *out, const char *text, bool json)
{
	struct json j;

	if (!json) {
		shown_puts(out, text);
		return;
	}
	json_init(&j, out);
	json_str(&j, text);
}

static void put_number(struct buf *out, uint64_t number)
{
	char digits[FMT_MAX];

	buf_put(out, digits, fmt_u64(digits, number) - digits);
}

static void put_place(struct buf *out, const struct event *e, bool json)
{
	_cleanup_buf_ struct buf place = BUF_INIT;

	place_text(&place, e->layout);
	if (json)
		put_text(out, buf_str(&place), true);
	else
		buf_puts(out, buf_str(&place));
	out->failed |= place.failed;
}

/* What is no text, and what could not be read, has no quotes anyway. */
static void put_value(struct buf *out, const struct event *e, const struct value *v,
		      const struct ksyms *ks, bool plain)
{
	if (plain && v->text && !v->fault && v->field->kind != FIELD_STRUCT)
		shown_put(out, v->text, v->length, 0);
	else
		value_folded(out, e, v, ks);
}

void key_text(struct buf *out, const struct event_plan *plan, size_t key,
	      const struct event *e, const struct ksyms *ks, bool json)
{
	int field = plan->keys[key];

	switch (plan->sources[key]) {
	case REPORT_EVENT:
		put_text(out, e->name, json);
		break;
	case REPORT_COMM:
		put_text(out, e->comm, json);
		break;
	case REPORT_PID:
		put_number(out, e->tgid);
		break;
	case REPORT_TID:
		put_number(out, e->tid);
		break;
	case REPORT_CPU:
		put_number(out, e->cpu);
		break;
	case REPORT_SYMBOL:
		put_place(out, e, json);
		break;
	case REPORT_ARGUMENT:
		if (field != NO_FIELD && json)
			value_json(out, e, &e->values[field],
				   &(struct value_look){ .ks = ks });
		else if (field != NO_FIELD)
			put_value(out, e, &e->values[field], ks, plan->plain[key]);
		break;
	}
}

bool key_is_stack(const struct event_plan *plan, size_t key, const struct event *e)
{
	int field = plan->keys[key];

	return plan->sources[key] == REPORT_ARGUMENT && field != NO_FIELD &&
	       value_is_stack(&e->values[field]);
}
