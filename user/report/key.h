/* SPDX-License-Identifier: GPL-2.0 */
/* Keys of events: bytes, to find a row, and strings, to show it. Private to report/. */
#ifndef KTAP_REPORT_KEY_H
#define KTAP_REPORT_KEY_H

#include "base/buf.h"
#include "decode/decode.h"
#include "place/ksyms.h"
#include "report/names.h"

/* An event lacks the argument. */
#define NO_FIELD	(-1)

/**
 * struct event_plan - what of the events of a shape is of interest
 * @known: the rest is filled in
 * @wanted: they are counted
 * @sources: where keys come from
 * @plain: REPORT_ARGUMENT: texts have no quotes, like the name of a task
 * @keys: REPORT_ARGUMENT: fields that are keys, or NO_FIELD
 * @values: fields whose numbers are added up, or NO_FIELD
 */
struct event_plan {
	bool known;
	bool wanted;
	enum report_source sources[REPORT_NAMES_MAX];
	bool plain[REPORT_NAMES_MAX];
	int keys[REPORT_NAMES_MAX];
	int values[REPORT_NAMES_MAX];
};

/**
 * key_field() - find an argument
 * @l: layout of the event
 * @name: name of the argument
 *
 * Return: its field; NO_FIELD: there is none.
 */
int key_field(const struct layout *l, const char *name);

/**
 * key_bytes() - the keys of an event as bytes
 * @out: filled; the same bytes mean the same keys
 * @nr: how many keys
 * @plan: of the shape of the event
 * @e: event
 */
void key_bytes(struct buf *out, size_t nr, const struct event_plan *plan,
	       const struct event *e);

/**
 * key_text() - a key of an event in text form
 * @out: appended to
 * @plan: of the shape of the event
 * @key: which key
 * @e: event
 * @ks: names addresses, or NULL
 * @json: as JSON
 */
void key_text(struct buf *out, const struct event_plan *plan, size_t key,
	      const struct event *e, const struct ksyms *ks, bool json);

/**
 * key_is_stack() - whether a key of an event is a stack
 * @plan: of the shape of the event
 * @key: which key
 * @e: event
 *
 * Return: true if it is one.
 */
bool key_is_stack(const struct event_plan *plan, size_t key, const struct event *e);

#endif /* KTAP_REPORT_KEY_H */
