/* SPDX-License-Identifier: GPL-2.0 */
/* Maps of a session, into which the module adds up the hits of probes that aggregate. */
#ifndef KTAP_CLI_MAPS_H
#define KTAP_CLI_MAPS_H

#include "cli/aggregated.h"
#include "cli/capture.h"

/**
 * struct maps - maps of a session
 * @map: one for each probe that aggregates; owned
 * @nr: how many
 * @any: the last output had rows
 */
struct maps {
	struct aggregated *map;
	size_t nr;
	bool any;
};

/**
 * maps_begin() - create the maps of all targets that aggregate
 * @m: maps; release with maps_deinit(), also on failure
 * @c: session, to which nothing is attached yet
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int maps_begin(struct maps *m, struct capture *c, struct diag *d);

/**
 * maps_read() - read the rows of a map on all CPUs, and hand on the stacks that are new
 * @map: map
 * @c: session
 * @ret: filled, not merged; release with rows_deinit(), also on failure
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int maps_read(const struct aggregated *map, struct capture *c, struct rows *ret,
	      struct diag *d);

/**
 * maps_show() - print the rows of all maps
 * @m: maps
 * @c: session
 * @look: how
 * @d: on failure
 *
 * Return: 0; -EPIPE: stdout has no reader; or another negative errno.
 */
int maps_show(struct maps *m, struct capture *c, const struct aggregated_look *look,
	      struct diag *d);

/**
 * maps_note_other() - report hits that found all rows of a map taken
 * @sum: outcomes of all hits
 * @hint: what can be done, or ""
 */
void maps_note_other(const struct ktap_counts *sum, const char *hint);

/**
 * maps_deinit() - release all
 * @m: maps
 */
void maps_deinit(struct maps *m);

/**
 * maps_show_recorded() - print the rows of all maps of a recording
 * @f: recording
 * @look: how; its decoder knows the probes and the stacks of @f
 * @d: on failure
 *
 * Return: as maps_show(); 1: rows made no sense, and were skipped.
 */
int maps_show_recorded(const struct datafile *f, const struct aggregated_look *look,
		       struct diag *d);

/**
 * maps_show_file() - as maps_show_recorded(), of a recording that is in a file
 * @f: recording
 * @look: how; its decoder is not used
 * @d: on failure
 *
 * Return: as maps_show_recorded().
 */
int maps_show_file(const struct datafile *f, const struct aggregated_look *look,
		   struct diag *d);

#endif /* KTAP_CLI_MAPS_H */
