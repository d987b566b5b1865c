// SPDX-License-Identifier: GPL-2.0
#include "export/value.h"

#include "export/line.h"

static struct look full_look(const struct value_look *look)
{
	return (struct look){
		.ks = look->ks, .depth = look->depth ? look->depth : TYPED_DEPTH,
		.ints_text = look->ints_text,
	};
}

void value_text(struct buf *out, const struct event *e, const struct value *v,
		const struct value_look *look)
{
	const struct look full = full_look(look);

	text_value(out, e, v, &full);
}

void value_remarks(struct buf *out, const struct event *e)
{
	json_remarks(out, e);
}

void value_json(struct buf *out, const struct event *e, const struct value *v,
		const struct value_look *look)
{
	const struct look full = full_look(look);

	json_value(out, e, v, &full);
}
