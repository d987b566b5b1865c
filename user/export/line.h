/* SPDX-License-Identifier: GPL-2.0 */
/* One event, one line: what the sink and its formats share. Private to export/. */
#ifndef KTAP_EXPORT_LINE_H
#define KTAP_EXPORT_LINE_H

#include "decode/decode.h"
#include "resolve/ksyms.h"
#include "types/walk.h"
#include "util/buf.h"

struct json;

/**
 * struct look - how values are shown
 * @ks: names addresses, or NULL
 * @depth: structures inside of structures that are shown
 * @pretty: text: their members have lines of their own
 */
struct look {
	const struct ksyms *ks;
	unsigned int depth;
	bool pretty;
};

/**
 * line_fn - append an event as a line
 * @out: where to
 * @e: event
 * @ns: its time, as the user wants it
 * @look: how
 */
typedef void (*line_fn)(struct buf *out, const struct event *e, int64_t ns,
			const struct look *look);

void line_text(struct buf *out, const struct event *e, int64_t ns,
	       const struct look *look);
void line_json(struct buf *out, const struct event *e, int64_t ns,
	       const struct look *look);

/* Values whose type is in the table @types: FIELD_STRUCT, numbers with names. */
void typed_text(struct buf *out, const struct btf *types,
		const struct value *v, const struct look *look);
void typed_json(struct json *j, const struct btf *types, const struct value *v,
		const struct look *look);

/* typed_of() - what @v is to typed_walk() */
struct typed typed_of(const struct btf *types, const struct value *v,
		      const struct look *look);

/* Parts of text: a quoted text, a letter, a hexadecimal number, a function. */
void text_string(struct buf *out, const char *s, size_t size, bool is_cut);
void text_char(struct buf *out, char c);
void text_hex(struct buf *out, uint64_t value);
void text_address(struct buf *out, uint64_t address, const struct ksyms *ks);
/* And of JSON: the function as a text. */
void json_address(struct json *j, uint64_t address, const struct ksyms *ks);

/* value_errno() - "ENOENT" for -2; NULL: it is no error. */
const char *value_errno(const struct value *v);

#endif /* KTAP_EXPORT_LINE_H */
