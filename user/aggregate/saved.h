/* SPDX-License-Identifier: GPL-2.0 */
/* Rows of a map in a recording. */
#ifndef KTAP_AGGREGATE_SAVED_H
#define KTAP_AGGREGATE_SAVED_H

#include "aggregate/rows.h"
#include "record/datafile.h"

/**
 * rows_save() - write the rows of a map to a recording
 * @rows: rows
 * @id: of their probe
 * @w: recording
 * @d: on failure
 *
 * Return: 0, -ENOMEM, or the error of writing.
 */
int rows_save(const struct rows *rows, uint32_t id, struct datafile_writer *w,
	      struct diag *d);

/**
 * rows_load() - add the rows of a recording
 * @rows: rows; not merged afterwards, and those without hits are left out
 * @map: rows of the same probe
 *
 * Return: 0; -EBADMSG: they do not fit the layout of @rows; -ENOMEM.
 */
int rows_load(struct rows *rows, const struct datafile_map *map);

#endif /* KTAP_AGGREGATE_SAVED_H */
