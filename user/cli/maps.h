/* SPDX-License-Identifier: GPL-2.0 */
/* Maps of a session, into which the module adds up the hits of probes that aggregate. */
#ifndef KTAP_CLI_MAPS_H
#define KTAP_CLI_MAPS_H

#include "cli/aggregated.h"
#include "cli/capture.h"
#include "define/addresses.h"

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
 * maps_save() - write the rows of a map to a recording, after their addresses
 * @rows: rows; merged
 * @id: of their probe
 * @addresses: that are in the recording
 * @w: recording
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int maps_save(struct rows *rows, uint32_t id, struct addresses *addresses,
	      struct datafile_writer *w, struct diag *d);

/**
 * maps_note_recording() - say what is in a recording that was written
 * @path: file
 * @sum: outcomes of all hits
 * @any: there are maps
 * @size: bytes of the file
 */
void maps_note_recording(const char *path, const struct ktap_counts *sum, bool any,
			 uint64_t size);

/**
 * maps_note_unused() - report options that nothing needs: no definition aggregates
 * @opt: options; of them @interval_ns, @nr_rows and @quiet matter
 */
void maps_note_unused(const struct capture_options *opt);

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

#endif /* KTAP_CLI_MAPS_H */
