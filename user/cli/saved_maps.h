/* SPDX-License-Identifier: GPL-2.0 */
/* Maps of a recording, which have the hits that the kernel added up. */
#ifndef KTAP_CLI_SAVED_MAPS_H
#define KTAP_CLI_SAVED_MAPS_H

#include "cli/aggregated.h"
#include "record/datafile.h"

/**
 * saved_maps_load() - the rows of a map that a recording has
 * @f: recording
 * @map: map
 * @ret: filled, not merged; release with rows_deinit(), also on failure
 *
 * Return: 0; -EBADMSG: they do not fit the layout of @map; -ENOMEM.
 */
int saved_maps_load(const struct datafile *f, const struct aggregated *map, struct rows *ret);

/**
 * saved_map_show() - print the rows of an event that a recording has
 * @f: recording
 * @map: maps, grouped
 * @nr: how many
 * @first: of the event
 * @look: how; its decoder knows the probe and the stacks of @f
 *
 * Return: 0; 1: rows made no sense, and were skipped; -ENOMEM.
 */
int saved_map_show(const struct datafile *f, struct aggregated *map, size_t nr, size_t first,
		   const struct aggregated_look *look);

/**
 * saved_maps_show() - print the rows of all maps of a recording
 * @f: recording
 * @look: how; its decoder knows the probes and the stacks of @f
 * @d: on failure
 *
 * Return: as maps_show(); 1: rows made no sense, and were skipped.
 */
int saved_maps_show(const struct datafile *f, const struct aggregated_look *look,
		    struct diag *d);

/**
 * saved_maps_show_file() - as saved_maps_show(), of a recording that is in a file
 * @f: recording
 * @look: how; its decoder is not used
 * @d: on failure
 *
 * Return: as saved_maps_show().
 */
int saved_maps_show_file(const struct datafile *f, const struct aggregated_look *look,
			 struct diag *d);

/**
 * saved_row_fn - takes a row of a map
 * @ctx: the one given
 * @rows: rows of the map
 * @row: one of them
 * @e: the event that its key is, without values if it is the row "other"
 *
 * Return: 0; -EBADMSG: the row makes no sense; or what ends the walk.
 */
typedef int (*saved_row_fn)(void *ctx, const struct rows *rows, const struct row *row,
			    const struct event *e);

/**
 * saved_maps_each() - hand on the rows of all maps of a recording
 * @f: recording
 * @look: its decoder, which knows the probes and the stacks of @f, and which maps are wanted
 * @fn: takes the rows of a key, which may be several, in any order
 * @ctx: for @fn
 * @d: on failure
 *
 * Return: 0; 1: rows made no sense, and were skipped; a negative errno, or what @fn said.
 */
int saved_maps_each(const struct datafile *f, const struct aggregated_look *look,
		    saved_row_fn fn, void *ctx, struct diag *d);

/**
 * saved_maps_decoder() - a decoder that knows the probes and the stacks of a file
 * @f: recording
 * @d: on failure
 * @ret: release with decoder_destroy(), also on failure
 *
 * Return: 0 or a negative errno.
 */
int saved_maps_decoder(const struct datafile *f, struct diag *d, struct decoder **ret);

#endif /* KTAP_CLI_SAVED_MAPS_H */
