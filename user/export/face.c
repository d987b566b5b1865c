// SPDX-License-Identifier: GPL-2.0
/*
 * Lines of one shape differ in few places. What is between them is put together
 * once; a hit is then a row of copies and numbers, into room that is there.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fmt.h"
#include "export/line.h"

/* A number with what is around it: "0x" and 16 digits, in quotes; or digits. */
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

static char *put_part(char *at, const struct face *f, size_t i)
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

static char *room_for(struct buf *out, const struct face *f)
{
	return buf_room(out, f->room + 1);
}

char *line_face(struct buf *out, char *at, const struct event *e,
		const struct line *l, const struct format *format)
{
	const struct face_part *part = l->face->parts + FACE_VALUES;
	const struct value *v = e->values;
	size_t i;

	at = put_part(at, l->face, FACE_BEFORE);
	if (e->layout->is_return) {
		buf_end(out, at);
		format->returned(out, e->return_address, l->look->ks);
		at = room_for(out, l->face);
	}
	if (at)
		at = put_part(at, l->face, FACE_AFTER);
	for (i = 0; at && i < e->nr_values; i++, v++) {
		at = put_part(at, l->face, FACE_VALUES + i);
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
		case HOW_HEX_TEXT:
			*at++ = '"';
			at = put_hex(at, v->number);
			*at++ = '"';
			break;
		case HOW_VALUE:
			buf_end(out, at);
			format->value(out, e, v, l->look);
			at = room_for(out, l->face);
			break;
		}
	}
	return at;
}
