/* SPDX-License-Identifier: GPL-2.0 */
/* The numbers that an argument had, added up. */
#ifndef KTAP_REPORT_TALLY_H
#define KTAP_REPORT_TALLY_H

#include "aggregate/rows.h"
#include "report/sketch.h"

/**
 * struct tally - numbers of an argument, added up
 * @total: how many, and how many that could not be read; sum, smallest and largest
 * @origin: the first number, from which @offsets and @squares count
 * @offsets: sum of the distances from @origin
 * @squares: sum of their squares
 * @sketch: distribution
 * @summed: numbers of @total that came as a sum: nothing else has them
 * @no_extremes: of some of these the extremes are not known
 */
struct tally {
	struct total total;
	double origin;
	double offsets;
	double squares;
	struct sketch sketch;
	uint64_t summed;
	bool no_extremes;
};

/**
 * tally_deinit() - release a tally, which is empty then
 * @t: tally
 */
void tally_deinit(struct tally *t);

/**
 * tally_add() - add a number
 * @t: tally; zeros when it is empty
 * @value: a number of 64 bits, with a sign or without
 * @times: how often it occurred; not 0
 *
 * Return: 0 or -ENOMEM.
 */
int tally_add(struct tally *t, __int128 value, uint64_t times);

/**
 * tally_add_total() - add numbers of which the sum is known
 * @t: tally; zeros when it is empty
 * @from: the sum, with the smallest and the largest of them if @extremes is true
 * @extremes: these are known
 */
void tally_add_total(struct tally *t, const struct total *from, bool extremes);

/**
 * tally_merge() - add all numbers of another tally
 * @t: tally
 * @from: the other tally
 *
 * Return: 0 or -ENOMEM.
 */
int tally_merge(struct tally *t, const struct tally *from);

/**
 * tally_percentile() - the number that is not exceeded by a share of the numbers
 * @t: tally
 * @percent: the share, from 1 to 100
 *
 * That is the one at the place ceil(n * @percent / 100) in their order. It differs from
 * what is returned by at most 1/128 of itself.
 *
 * Return: the number; 0 if there is none. It makes no sense if tally_has_each() is false.
 */
__int128 tally_percentile(const struct tally *t, unsigned int percent);

/**
 * tally_variance() - how far the numbers lie from each other
 * @t: tally
 *
 * Return: the variance of what they are a sample of; 0 for fewer than two numbers. It makes
 *	no sense if tally_has_each() is false.
 */
double tally_variance(const struct tally *t);

/**
 * tally_has_extremes() - whether the smallest and the largest number are known
 * @t: tally
 *
 * Return: true if they are.
 */
static inline bool tally_has_extremes(const struct tally *t)
{
	return t->total.n && !t->no_extremes;
}

/**
 * tally_has_each() - whether each number is known, and so their distribution
 * @t: tally
 *
 * Return: true if it is.
 */
static inline bool tally_has_each(const struct tally *t)
{
	return t->total.n && !t->summed;
}

#endif /* KTAP_REPORT_TALLY_H */
