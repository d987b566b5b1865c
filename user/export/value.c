// SPDX-License-Identifier: GPL-2.0
#include "export/value.h"

#include "export/line.h"

void value_text(struct buf *out, const struct event *e, const struct value *v,
		const struct ksyms *ks)
{
	const struct look look = { .ks = ks, .depth = TYPED_DEPTH };

	text_value(out, e, v, &look);
}

void value_json(struct buf *out, const struct event *e, const struct value *v,
		const struct ksyms *ks)
{
	const struct look look = { .ks = ks, .depth = TYPED_DEPTH };

	json_value(out, e, v, &look);
}
