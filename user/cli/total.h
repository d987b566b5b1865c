/* SPDX-License-Identifier: GPL-2.0 */
/* What was added up of a value: cells of tables, and histograms. */
#ifndef KTAP_CLI_TOTAL_H
#define KTAP_CLI_TOTAL_H

#include "aggregate/rows.h"
#include "base/buf.h"
#include "base/json.h"

/**
 * put_wide() - an integer of 128 bits in decimal
 * @b: appended to
 * @value: the integer
 */
void put_wide(struct buf *b, __int128 value);

/**
 * total_sum() - the sum of a value
 * @b: appended to
 * @t: what was added up
 */
void total_sum(struct buf *b, const struct total *t);

/**
 * total_average() - the average of a value
 * @b: appended to: "-" where no value could be read
 * @t: what was added up
 */
void total_average(struct buf *b, const struct total *t);

/**
 * total_min() - the smallest value
 * @b: appended to: "-" where no value could be read
 * @t: what was added up
 */
void total_min(struct buf *b, const struct total *t);

/**
 * total_max() - the largest value
 * @b: appended to: "-" where no value could be read
 * @t: what was added up
 */
void total_max(struct buf *b, const struct total *t);

/**
 * total_buckets() - print a histogram
 * @f: the value
 * @t: what was added up
 *
 * Return: 0 or -ENOMEM.
 */
int total_buckets(const struct field *f, const struct total *t);

/**
 * total_json_buckets() - write a histogram as a member "buckets"
 * @j: writer, in an object
 * @f: the value
 * @t: what was added up
 * @text: integers are strings of digits
 */
void total_json_buckets(struct json *j, const struct field *f,
			const struct total *t, bool text);

#endif /* KTAP_CLI_TOTAL_H */
