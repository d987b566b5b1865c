/* SPDX-License-Identifier: GPL-2.0 */
/* Rows of a map: the tables of all CPUs become one, with one row per key. */
#ifndef KTAP_AGGREGATE_ROWS_H
#define KTAP_AGGREGATE_ROWS_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "schema/layout.h"

/* Keys that a map has room for on each CPU, where the user says nothing. */
#define MAP_ROWS_DEFAULT	4096

/**
 * struct row - a key and what was added up for it
 * @key: payload with zeros in place of the values; owned; NULL: the row "other"
 * @key_size: its bytes
 * @count: hits
 * @words: words of all values, as in struct ktap_map_slot; owned
 */
struct row {
	void *key;
	size_t key_size;
	uint64_t count;
	uint64_t *words;
};

/**
 * struct rows - rows of a map
 * @layout: of its probes; the caller's
 * @nr_words: words of each row
 * @row: rows; owned
 * @nr: how many
 */
struct rows {
	const struct layout *layout;
	size_t nr_words;
	struct row *row;
	size_t nr;
};

/**
 * struct total - what was added up of a value
 * @n: values
 * @faulted: values that could not be read
 * @sum: their sum: AGGREGATE_SUM, AGGREGATE_STATS
 * @min: smallest: AGGREGATE_STATS
 * @max: largest: AGGREGATE_STATS
 * @buckets: histogram: numbers of values, in the order of enum ktap_map_kind
 * @nr_buckets: length of @buckets
 */
struct total {
	uint64_t n;
	uint64_t faulted;
	__int128 sum;
	__int128 min;
	__int128 max;
	const uint64_t *buckets;
	size_t nr_buckets;
};

/**
 * rows_shape() - the map that a layout needs
 * @layout: layout, which aggregates
 * @record_max: bytes of its largest record
 * @nr_rows: keys that a table has room for; rounded up
 * @d: on failure
 * @ret: filled
 *
 * Return: 0; -E2BIG: the key or the number of values is too large.
 */
int rows_shape(const struct layout *layout, uint32_t record_max,
	       uint32_t nr_rows, struct diag *d, struct ktap_session_map *ret);

/**
 * rows_init() - begin without rows
 * @rows: filled
 * @layout: of the probes; must live as long as @rows
 */
void rows_init(struct rows *rows, const struct layout *layout);

/**
 * rows_deinit() - release all rows
 * @rows: rows
 */
void rows_deinit(struct rows *rows);

/**
 * rows_add() - copy a row of a table; a map_row_fn
 * @rows: struct rows
 * @slot: row
 * @key: its key, or NULL: the row "other"
 *
 * Return: 0 or -ENOMEM.
 */
int rows_add(void *rows, const struct ktap_map_slot *slot, const void *key);

/**
 * rows_copy() - copy all rows
 * @to: filled
 * @from: rows
 *
 * Return: 0; -ENOMEM: @to is empty.
 */
int rows_copy(struct rows *to, const struct rows *from);

/**
 * rows_merge() - make one row per key
 * @rows: rows; the largest come first, "other" comes last
 *
 * Keys are equal if all is equal that is shown of them: not the gaps between members.
 *
 * Return: 0 or -ENOMEM.
 */
int rows_merge(struct rows *rows);

/**
 * rows_subtract() - what came since
 * @rows: rows that were merged; those that did not change are removed
 * @before: merged rows of the same map, earlier; they change their order
 *
 * The smallest and the largest value stay those since the beginning.
 */
void rows_subtract(struct rows *rows, struct rows *before);

/**
 * rows_fold() - add rows up in the row "other"
 * @rows: rows that were merged
 * @limit: how many are kept beside it
 */
void rows_fold(struct rows *rows, size_t limit);

/**
 * rows_possible() - can its sums be those of as many hits?
 * @rows: rows
 * @row: one of them
 *
 * Return: whether they can; what the kernel has added up always can.
 */
bool rows_possible(const struct rows *rows, const struct row *row);

/**
 * rows_total() - what was added up of a value
 * @rows: rows
 * @row: one of them
 * @field: a field of their layout that is a value
 * @ret: filled
 */
void rows_total(const struct rows *rows, const struct row *row,
		const struct field *field, struct total *ret);

/**
 * rows_bucket() - bounds of a bucket
 * @field: value with a histogram
 * @index: of the bucket in struct total
 * @min: smallest value that the bucket counts
 * @max: largest value that the bucket counts
 */
void rows_bucket(const struct field *field, size_t index, __int128 *min,
		 __int128 *max);

#endif /* KTAP_AGGREGATE_ROWS_H */
