/* SPDX-License-Identifier: GPL-2.0 */
/* One event, one line: what the sink and its formats share. Private to export/. */
#ifndef KTAP_EXPORT_LINE_H
#define KTAP_EXPORT_LINE_H

#include "decode/decode.h"
#include "resolve/ksyms.h"
#include "util/buf.h"

/**
 * line_fn - append an event as a line
 * @out: where to
 * @e: event
 * @ns: its time, as the user wants it
 * @ks: names addresses, or NULL
 */
typedef void (*line_fn)(struct buf *out, const struct event *e, int64_t ns,
			const struct ksyms *ks);

void line_text(struct buf *out, const struct event *e, int64_t ns,
	       const struct ksyms *ks);
void line_json(struct buf *out, const struct event *e, int64_t ns,
	       const struct ksyms *ks);

/* value_errno() - "ENOENT" for -2; NULL: it is no error. */
const char *value_errno(const struct value *v);

#endif /* KTAP_EXPORT_LINE_H */
