/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of a map, which the module writes: of a session, or of a probe module. */
#ifndef KTAP_WIRE_MAP_TABLE_H
#define KTAP_WIRE_MAP_TABLE_H

#include <linux/ktap.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

/**
 * map_row_fn - takes a row of a map
 * @ctx: the caller's
 * @slot: the row, which the module may be changing
 * @key: its key; NULL: it is the row "other"
 *
 * Return: 0 to continue; another value ends the reading, and is returned by it.
 */
typedef int (*map_row_fn)(void *ctx, const struct ktap_map_slot *slot,
			  const void *key);

/**
 * map_table_each() - hand all rows of a table to @fn
 * @h: the table, whose head makes sense
 * @fn: takes rows
 * @ctx: for @fn
 *
 * Return: 0, or what @fn returned.
 */
int map_table_each(const struct ktap_map_head *h, map_row_fn fn, void *ctx);

/**
 * struct map_of_module - a map of a probe module
 * @fd: its device
 * @nr: number of the map: its probe is the one with this number among those that aggregate
 * @nr_cpus: CPU numbers are below this
 * @nr_words: words of a row
 */
struct map_of_module {
	int fd;
	uint32_t nr;
	unsigned int nr_cpus;
	size_t nr_words;
};

/**
 * map_table_read() - hand all rows of a map of a probe module on every CPU to @fn
 * @map: the map
 * @fn: takes rows; several rows may have one key
 * @ctx: for @fn
 * @d: on failure
 *
 * Return: 0, what @fn returned, or a negative errno.
 */
int map_table_read(const struct map_of_module *map, map_row_fn fn, void *ctx,
		   struct diag *d);

#endif /* KTAP_WIRE_MAP_TABLE_H */
