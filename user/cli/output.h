/* SPDX-License-Identifier: GPL-2.0 */
/* Events to stdout, and the options that say how. */
#ifndef KTAP_CLI_OUTPUT_H
#define KTAP_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/naming.h"
#include "cli/options.h"
#include "export/sink.h"

#define OUTPUT_ROWS \
	{ OPT_TIME, "time", "CLOCK", "mono, wall or rel (since the first hit)" }, \
	{ OPT_PRETTY, "pretty", NULL, "print each member of a structure on its own line" }, \
	OUTPUT_ROW_INTS, \
	OUTPUT_ROW_DEPTH
#define OUTPUT_ROW_INTS \
	{ OPT_JSON_INTS, "json-ints", "FORM", "print 64-bit integers as number or string" }
#define OUTPUT_ROW_DEPTH \
	{ OPT_DEPTH, "depth", "N", "show N levels of structures (default: 2)" }

/**
 * struct output - where events go
 * @json: as JSON
 * @ints_text: integers of 64 bits are texts there
 * @lost: also the marks where records were lost
 * @pretty: members of structures have lines of their own
 * @depth: structures inside of structures that are shown; 0: the default
 * @time: clock
 * @naming: names addresses of a recording
 * @ks: names addresses; owned; or NULL
 * @any: an event was written
 * @sink: the library's side
 */
struct output {
	bool json;
	bool ints_text;
	bool lost;
	bool pretty;
	unsigned int depth;
	enum sink_time time;
	struct naming naming;
	struct ksyms *ks;
	bool any;
	struct sink *sink;
};

/**
 * output_option() - take --json or an option of OUTPUT_ROWS
 * @o: output; zeros before the first option
 * @key: key of the option
 * @value: its value, of which nothing is kept; NULL: it takes none
 * @d: on failure
 *
 * Return: 0; 1: it is another option; -EINVAL: the option does not take that value.
 */
int output_option(struct output *o, int key, const char *value, struct diag *d);

/**
 * output_open() - begin to write events to stdout
 * @o: output, after its options; @o->ks may be set already; release it with output_close(),
 *	also on failure
 * @wall_offset: CLOCK_REALTIME - CLOCK_MONOTONIC, in nanoseconds
 * @d: on failure
 *
 * Return: 0 or -ENOMEM.
 */
int output_open(struct output *o, int64_t wall_offset, struct diag *d);

/**
 * output_close() - write the events that wait, and release the sink and the symbols
 * @o: output, open or not; its options remain
 *
 * Errors of this last write are not reported: output_flush() reports them.
 */
void output_close(struct output *o);

struct datafile;

/**
 * output_symbols() - take the symbols of a recording, in place of those before
 * @o: output, open or not yet
 * @f: recording
 * @d: on failure
 *
 * Return: as naming_symbols().
 */
int output_symbols(struct output *o, const struct datafile *f, struct diag *d);

/**
 * output_event() - write an event; an event_fn
 * @output: struct output, which is open
 * @event: event; a mark of lost records is skipped unless @output->lost is set
 *
 * Events are collected, and written many at a time: see output_flush().
 *
 * Return: 0; or a negative errno if writing failed, now or before; -EPIPE: the reader of
 * stdout left.
 */
int output_event(void *output, const struct event *event);

/**
 * output_block() - have a blank line between the events and the table that follows
 * @o: output
 */
void output_block(const struct output *o);

/**
 * output_flush() - write the events that wait
 * @o: output, which is open
 *
 * Return: as output_event().
 */
int output_flush(struct output *o);

#endif /* KTAP_CLI_OUTPUT_H */
