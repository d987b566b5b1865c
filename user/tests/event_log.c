// SPDX-License-Identifier: GPL-2.0
/* Events as text, for tests: see event_log.h. Not the product's format. */
#include "event_log.h"

#include <inttypes.h>
#include <stdlib.h>

static void put_one(struct buf *b, const struct value *v)
{
	if (v->fault)
		buf_puts(b, v->no_entry ? "?" : "!");
	else if (v->field->kind == FIELD_INT)
		buf_printf(b, "%" PRId64, (int64_t)v->number);
	else
		buf_printf(b, "'%.*s'%s", (int)v->length, v->text,
			   v->cut ? "~" : "");
}

static void put_value(struct buf *b, const struct value *v)
{
	unsigned int i;

	buf_printf(b, " %s=", v->field->name);
	if (v->fault || !v->elements) {
		put_one(b, v);
		return;
	}
	for (i = 0; i < v->field->count; i++) {
		buf_putc(b, i ? ',' : '{');
		put_one(b, &v->elements[i]);
	}
	buf_putc(b, '}');
}

int event_log_add(void *ctx, const struct event *e)
{
	struct event_log *log = ctx;
	size_t i;

	log->nr++;
	if (log->stop_at && log->nr == log->stop_at)
		return log->answer;
	buf_printf(&log->text, "%u %" PRIu64, e->cpu, e->mono);
	if (e->lost) {
		buf_printf(&log->text, " lost %" PRIu64 "\n", e->lost);
		return 0;
	}
	buf_printf(&log->text, " %s/%u/%u %s", e->comm, e->tid, e->tgid,
		   e->name);
	for (i = 0; i < e->nr_values; i++)
		put_value(&log->text, &e->values[i]);
	buf_putc(&log->text, '\n');
	return 0;
}

void *log_blob(const struct layout *layout, size_t *ret_size)
{
	void *blob;

	if (layout_encode(layout, &blob, ret_size))
		abort();
	return blob;
}

static struct field log_fields[] = {
	{ "n", FIELD_INT, FORMAT_UNSIGNED, 8, 0, FIELD_NO_FAULT },
};

const struct layout log_layout_u64 = {
	.definition = "p:n f n=%di",
	.symbol = "f",
	.fields = log_fields,
	.nr_fields = 1,
	.fixed_size = 8,
};
