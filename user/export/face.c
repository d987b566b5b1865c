// SPDX-License-Identifier: GPL-2.0
/*
 * Lines of one shape differ in few places. What is between them is put together
 * once; a hit is then a row of copies and numbers, into room that is there.
 */
#include <stdlib.h>
#include <string.h>

#include "export/line.h"
#include "util/array.h"
#include "util/fmt.h"

/* A number with what is in front of it. */
#define NUMBER_MAX (FMT_MAX + 2)

void face_part(struct face *f, enum how how)
{
	struct face_part *parts = array_grow(f->parts, f->nr_parts,
					     sizeof(*parts));

	if (!parts) {
		f->text.failed = true;
		return;
	}
	f->parts = parts;
	f->parts[f->nr_parts++] = (struct face_part){ f->text.size, how };
	f->room = f->text.size + f->nr_parts * NUMBER_MAX;
}

void face_deinit(struct face *f)
{
	buf_deinit(&f->text);
	free(f->parts);
	*f = (struct face){ .text = BUF_INIT };
}

char *face_put(char *at, const struct face *f, size_t i)
{
	size_t start = i ? f->parts[i - 1].end : 0;
	size_t size = f->parts[i].end - start;

	memcpy(at, f->text.data + start, size);
	return at + size;
}

static char *put_hex(char *at, uint64_t value)
{
	memcpy(at, "0x", 2);
	return fmt_hex(at + 2, value);
}

static char *put_other(struct buf *out, char *at, const struct event *e,
		       const struct value *v, const struct line *l,
		       value_fn put)
{
	buf_end(out, at);
	put(out, e, v, l->look);
	return buf_room(out, l->face->room + 1);
}

char *line_values(struct buf *out, char *at, const struct event *e,
		  const struct line *l, value_fn put)
{
	const struct face_part *part = l->face->parts + FACE_VALUES;
	const struct value *v = e->values;
	size_t i;

	for (i = 0; at && i < e->nr_values; i++, v++) {
		at = face_put(at, l->face, FACE_VALUES + i);
		switch (v->fault ? HOW_VALUE : part[i].how) {
		case HOW_UNSIGNED:
			at = fmt_u64(at, v->number);
			break;
		case HOW_SIGNED:
			at = fmt_i64(at, v->number);
			break;
		case HOW_HEX:
			at = put_hex(at, v->number);
			break;
		case HOW_VALUE:
			at = put_other(out, at, e, v, l, put);
			break;
		}
	}
	return at;
}
