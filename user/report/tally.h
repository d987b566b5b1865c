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
 */
struct tally {
	struct total total;
	double origin;
	double offsets;
	double squares;
	struct sketch sketch;
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
 *
 * Return: 0 or -ENOMEM.
 */
int tally_add(struct tally *t, __int128 value);

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
 * Return: the number; 0 if there is none.
 */
__int128 tally_percentile(const struct tally *t, unsigned int percent);

/**
 * tally_variance() - how far the numbers lie from each other
 * @t: tally
 *
 * Return: the variance of what they are a sample of; 0 for fewer than two numbers.
 */
double tally_variance(const struct tally *t);

#endif /* KTAP_REPORT_TALLY_H */
