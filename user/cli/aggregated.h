/* SPDX-License-Identifier: GPL-2.0 */
/* Rows of a map on stdout: a table, histograms, or JSON. */
#ifndef KTAP_CLI_AGGREGATED_H
#define KTAP_CLI_AGGREGATED_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stdint.h>

#include "aggregate/rows.h"
#include "decode/decode.h"
#include "place/ksyms.h"

/**
 * struct aggregated - a map of a session or of a recording
 * @name: of its event; the caller's
 * @id: of its probe, for the decoder
 * @layout: of its probe; owned
 * @first: index of the first map of the event, with which its rows are shown
 * @shape: as the module knows it
 * @before: rows at the last output; owned
 * @any: the last output had rows
 */
struct aggregated {
	const char *name;
	uint32_t id;
	struct layout *layout;
	size_t first;
	struct ktap_session_map shape;
	struct rows before;
	bool any;
};

/**
 * struct aggregated_look - how rows are shown
 * @decoder: knows the probe
 * @ks: names addresses, or NULL
 * @json: one object per row
 * @ints_text: JSON: integers of 64 bits are texts there
 * @depth: structures inside of structures that are shown in keys; 0: the default
 * @wanted: of a recording: whether the map of an event is shown; NULL: all are
 * @ctx: for @wanted
 * @limit: rows of a map that are shown; the others are added up in one; 0: all
 * @time_ns: what came since the last output is shown, at this time; 0: all of it
 */
struct aggregated_look {
	struct decoder *decoder;
	struct ksyms *ks;
	bool json;
	bool ints_text;
	unsigned int depth;
	bool (*wanted)(void *ctx, const char *name);
	void *ctx;
	size_t limit;
	uint64_t time_ns;
};

/**
 * aggregated_deinit() - release what a map owns
 * @map: map
 */
void aggregated_deinit(struct aggregated *map);

/**
 * aggregated_group() - find the maps whose rows are added up: those of the points of an event
 * @map: maps; @first is set
 * @from: index of the first one that is new
 * @nr: how many there are
 *
 * Maps with the same name whose rows have different meanings are shown one by one.
 */
void aggregated_group(struct aggregated *map, size_t from, size_t nr);

/**
 * aggregated_heading() - print the line before the tables of an interval
 * @seconds: since the beginning
 */
void aggregated_heading(double seconds);

/**
 * aggregated_show() - merge rows and print them
 * @map: map
 * @now: all rows of all CPUs; merged
 * @look: how
 *
 * Return: 0 or -ENOMEM.
 */
int aggregated_show(struct aggregated *map, struct rows *now,
		    const struct aggregated_look *look);

#endif /* KTAP_CLI_AGGREGATED_H */
