/* SPDX-License-Identifier: GPL-2.0 */
/* What the module does with an argument of a definition that aggregates. */
#ifndef KTAP_BASE_AGGREGATE_H
#define KTAP_BASE_AGGREGATE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * enum aggregate_kind - role of an argument
 * @AGGREGATE_NONE: it is recorded
 * @AGGREGATE_KEY: it is part of the key: after 'by'
 * @AGGREGATE_SUM: sum(EXPR)
 * @AGGREGATE_STATS: stats(EXPR): also the smallest and the largest value
 * @AGGREGATE_LOG2: hist(EXPR): a histogram by powers of two
 * @AGGREGATE_LINEAR: hist(EXPR,MIN,MAX,STEP): a histogram by steps
 */
enum aggregate_kind {
	AGGREGATE_NONE,
	AGGREGATE_KEY,
	AGGREGATE_SUM,
	AGGREGATE_STATS,
	AGGREGATE_LOG2,
	AGGREGATE_LINEAR,
	AGGREGATE_NR
};

/**
 * struct aggregate - role of an argument
 * @kind: role
 * @optional: of what a command does with values: a definition need not have one
 * @nr: AGGREGATE_LINEAR: number of steps
 * @min: AGGREGATE_LINEAR: lower end of the first step
 * @step: AGGREGATE_LINEAR: width of a step
 */
struct aggregate {
	enum aggregate_kind kind;
	bool optional;
	unsigned int nr;
	int64_t min;
	uint64_t step;
};

/**
 * aggregate_is_value() - whether an argument is a value
 * @a: its role
 *
 * Return: true: it is one; false: it is a key, or is recorded.
 */
static inline bool aggregate_is_value(const struct aggregate *a)
{
	return a->kind > AGGREGATE_KEY;
}

#endif /* KTAP_BASE_AGGREGATE_H */
