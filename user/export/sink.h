/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events to text or JSON lines. Numbers are formatted here, nowhere else.
 *
 * Text:
 *
 *	cat-212 [001] 3.141592: open: (do_sys_openat2+0x0) dfd=-100 file="/x"
 *	cat-212 [001] 3.141592: r: (do_sys_open+0x5e <- do_sys_openat2) fd=3
 *	[001] 3.141593: [LOST 5 EVENTS]
 *	ktap-214 [001] 3.141594: mark: phase 2
 *
 * A structure is {.m = 1, .n = {2, 3}}; what is left out of it, or was not
 * recorded, is "...". A value that could not be read is (fault), or (no entry)
 * where the entry of the function was not seen; a string that was cut at its
 * limit has ... behind its closing quote; what is not printable is escaped as
 * in C. ktap-json(5) tells of the JSON.
 */
#ifndef KTAP_EXPORT_SINK_H
#define KTAP_EXPORT_SINK_H

#include <stdint.h>
#include <stdio.h>

#include "decode/decode.h"
#include "place/ksyms.h"

/**
 * enum sink_time - what the time of an event counts from
 * @SINK_TIME_MONO: CLOCK_MONOTONIC
 * @SINK_TIME_WALL: the epoch; as text it is a date and a time of day, here
 * @SINK_TIME_REL: the first event
 */
enum sink_time {
	SINK_TIME_MONO,
	SINK_TIME_WALL,
	SINK_TIME_REL,
};

struct exporter;

/**
 * struct sink_options - how events are written
 * @out: file; stays the caller's
 * @exporter: format; NULL: text
 * @time: what times count from
 * @wall_offset: CLOCK_REALTIME - CLOCK_MONOTONIC, ns
 * @ks: names addresses; stays the caller's; NULL: they stay numbers
 * @depth: structures inside of structures that are shown; 0: the default
 * @pretty: text: members of structures have lines of their own
 * @aligned: text: times are below each other, for a terminal
 * @ints_text: JSON: integers of 64 bits are texts, for readers that have doubles
 */
struct sink_options {
	FILE *out;
	const struct exporter *exporter;
	enum sink_time time;
	int64_t wall_offset;
	const struct ksyms *ks;
	unsigned int depth;
	bool pretty;
	bool ints_text;
	bool aligned;
};

struct sink;

/* Lines for people, and one object of JSON per line */
extern const struct exporter exporter_text;
extern const struct exporter exporter_json;

/**
 * exporter_find() - a format by its name
 * @name: "text", "json"
 *
 * Return: the exporter; NULL: there is none.
 */
const struct exporter *exporter_find(const char *name);

/**
 * sink_create() - begin an output of events
 * @opt: options; copied, and what they point to must live as long as the sink, but see
 *	sink_symbols(). Options that the format does not have are ignored.
 * @d: on failure
 * @ret: on success; release with sink_destroy()
 *
 * Nothing is written yet.
 *
 * Return: 0 or -ENOMEM.
 */
int sink_create(const struct sink_options *opt, struct diag *d,
		struct sink **ret);

/**
 * sink_symbols() - replace the symbols that name addresses
 * @sink: sink; a format without symbols ignores the call
 * @ks: symbols for the events that follow, which must live as long as those come; NULL:
 *	addresses are numbers
 *
 * The symbols before are not used any more, and the caller may free them.
 */
void sink_symbols(struct sink *sink, const struct ksyms *ks);

/**
 * sink_destroy() - release a sink
 * @sink: sink, or NULL
 *
 * Lines that were not flushed are lost: call sink_end() before. The file and the symbols
 * of the options remain valid, and the file stays open.
 */
void sink_destroy(struct sink *sink);

/**
 * sink_event() - add an event to the output; an event_fn
 * @sink: struct sink
 * @event: event; all events that have a shape come from one decoder
 *
 * Lines are collected and written many at a time, so an error appears later than the event
 * that caused it. After an error nothing is collected or written any more.
 *
 * Return: 0; -ENOMEM, or the negative errno of a write: at the call that fails, and at all
 *	later ones.
 */
int sink_event(void *sink, const struct event *event);

/**
 * sink_flush() - write the lines that were collected
 * @sink: sink
 *
 * Return: 0 or a negative errno: of this write or of an earlier one; -ENOMEM: a line could
 *	not be made, and none of the collected lines was written.
 */
int sink_flush(struct sink *sink);

/**
 * sink_end() - no more events come: write what there is, and what ends the output
 * @sink: the sink; sink_event() must not be called for it after this
 *
 * Return: 0 or a negative errno.
 */
int sink_end(struct sink *sink);

#endif /* KTAP_EXPORT_SINK_H */
