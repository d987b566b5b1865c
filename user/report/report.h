/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events to rows: one for each combination of keys, with how often it occurred and what
 * the numbers of arguments were. Memory grows with rows and not with events:
 * when there are as many rows as were allowed, events with further keys are added up in
 * one row, "other".
 */
#ifndef KTAP_REPORT_REPORT_H
#define KTAP_REPORT_REPORT_H

#include "base/cleanup.h"
#include "decode/decode.h"
#include "place/ksyms.h"
#include "report/names.h"
#include "report/tally.h"

/**
 * struct report_options - what a report is of
 * @keys: what rows differ in
 * @values: arguments whose numbers are added up
 * @events: patterns of names; an event that matches none is skipped
 * @nr_events: how many; 0: all events are of interest
 * @rows_max: rows that it may have beside the row "other"
 * @json: keys are kept in the form of JSON, not of text
 */
struct report_options {
	const struct report_names *keys;
	const struct report_names *values;
	const char *const *events;
	size_t nr_events;
	size_t rows_max;
	bool json;
};

/**
 * struct report_row - a combination of keys
 * @texts: of all keys, each with a NUL at its end; an empty one: the event has no such
 *	argument; NULL: the row "other"; owned
 * @texts_size: bytes of @texts
 * @stacks: which keys are stacks, a bit for each
 * @key: bytes of the keys, behind @texts
 * @key_size: how many
 * @hash: of @key
 * @count: events
 * @tallies: one for each value; owned
 */
struct report_row {
	char *texts;
	size_t texts_size;
	uint32_t stacks;
	const void *key;
	size_t key_size;
	uint64_t hash;
	uint64_t count;
	struct tally *tallies;
};

struct report;

/**
 * report_create() - begin without rows
 * @opt: options; names and patterns must live as long as the report
 * @d: on failure
 * @ret: release with report_destroy()
 *
 * Return: 0 or -ENOMEM.
 */
int report_create(const struct report_options *opt, struct diag *d,
		  struct report **ret);

/**
 * report_destroy() - release a report
 * @r: report, or NULL
 */
void report_destroy(struct report *r);
DEFINE_CLEANUP(struct report, report_destroy)

/**
 * report_wants() - whether events of a name are reported
 * @r: report, which notes that the recording has such an event
 * @name: name
 *
 * Return: whether they are.
 */
bool report_wants(struct report *r, const char *name);

/**
 * report_probe() - take the layout of an event of the recording
 * @r: report
 * @name: of the event
 * @blob: its encoded layout
 * @size: bytes
 * @d: on failure
 *
 * Return: 0; -EINVAL: an argument whose numbers are wanted is no number there, or there is
 *	only a histogram of them; -ENOMEM,
 *	or what decoding of the layout said.
 */
int report_probe(struct report *r, const char *name, const void *blob,
		 size_t size, struct diag *d);

/**
 * report_found_also() - let names count as found that another report has found
 * @r: report
 * @other: report with the same options
 */
void report_found_also(struct report *r, const struct report *other);

/**
 * report_check() - whether the recording has all requested names
 * @r: report, which took all layouts
 * @d: on failure
 *
 * Return: 0; -EINVAL: a name is no argument of any event of interest, or a pattern
 *	matches no event.
 */
int report_check(const struct report *r, struct diag *d);

/**
 * report_symbols() - name addresses by symbols from here on
 * @r: report
 * @ks: symbols, which live as long as events come
 */
void report_symbols(struct report *r, const struct ksyms *ks);

/**
 * report_event() - add an event; an event_fn
 * @report: struct report
 * @event: event; all of them come from one decoder
 *
 * Return: 0 or -ENOMEM.
 */
int report_event(void *report, const struct event *event);

/**
 * report_row() - add a row that the kernel added up
 * @r: report
 * @rows: rows of a map
 * @row: one of them
 * @e: the event that its key is, by decoder_values()
 *
 * The row has the hits of a task and a CPU only if it has keys of these names. What the
 * kernel had no room for is in the row "other", unless the only keys are of the event.
 *
 * Return: 0; -EBADMSG: the row was not added: no machine has this many hits, or not such a sum
 *	of as many; -ENOMEM.
 */
int report_row(struct report *r, const struct rows *rows, const struct row *row,
	       const struct event *e);

/**
 * report_other() - what had no room in a row of its own
 * @r: report
 *
 * Return: the row "other", whose count is 0 if everything had room.
 */
struct report_row *report_other(struct report *r);

/**
 * report_add_other() - add a row to the row "other"
 * @r: report
 * @row: row, which stays as it is
 *
 * Return: 0 or -ENOMEM.
 */
int report_add_other(struct report *r, const struct report_row *row);

/**
 * report_fold() - add rows up in the row "other"
 * @r: report
 * @from: the first row that is not kept, as report_sort() has them
 *
 * Return: 0 or -ENOMEM.
 */
int report_fold(struct report *r, size_t from);

/**
 * report_clear() - remove all rows
 * @r: report
 */
void report_clear(struct report *r);

/**
 * report_sort() - sort rows
 * @r: report
 * @column: "count", "percent", "sum", "avg", "min", "max", "p50" or another percentile,
 *	"faults", or a key; of the first value, or "avg(NAME)" for the value NAME
 * @d: on failure
 * @ret: rows, without the row "other"; of the report; valid until an event is added or
 *	rows are removed
 * @nr: how many
 *
 * Rows whose keys look the same become one. Numbers are sorted from the largest to the
 * smallest, and texts by their bytes. Rows that are the same in that come with the
 * largest count first.
 *
 * Return: 0; -EINVAL: there is no such column; -ENOMEM.
 */
int report_sort(struct report *r, const char *column, struct diag *d,
		struct report_row **ret, size_t *nr);

/**
 * report_sortable() - whether there is a column
 * @r: report
 * @column: as report_sort()
 * @d: on failure
 *
 * Return: 0; -EINVAL: there is no such column.
 */
int report_sortable(const struct report *r, const char *column, struct diag *d);

/**
 * report_total() - events in all rows
 * @r: report
 *
 * Return: how many.
 */
uint64_t report_total(const struct report *r);

#endif /* KTAP_REPORT_REPORT_H */
