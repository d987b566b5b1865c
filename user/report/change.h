/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What changed from one recording to another: each row of both, with how much more
 * often it occurred and how much larger its numbers were, and how certain that is.
 */
#ifndef KTAP_REPORT_CHANGE_H
#define KTAP_REPORT_CHANGE_H

#include "report/report.h"

/**
 * struct difference - of two measurements
 * @known: both were made; else the rest is 0
 * @change: the second one minus the first one
 * @margin: with a probability of 95 percent the true change is not farther away from it
 * @strength: the change as a multiple of the margin; not negative
 */
struct difference {
	bool known;
	double change;
	double margin;
	double strength;
};

/**
 * change_of_rate() - compare counts
 * @old: hits
 * @old_seconds: in which they occurred
 * @new: hits
 * @new_seconds: in which they occurred
 *
 * The variance of a count is the count, as if hits were independent of each other
 * (Poisson), and at least 1; the difference has a normal distribution.
 *
 * Return: the difference of hits per second; not known if a time is 0.
 */
struct difference change_of_rate(uint64_t old, double old_seconds, uint64_t new,
				 double new_seconds);

/**
 * change_of_average() - compare averages
 * @old: numbers
 * @new: numbers
 *
 * By Welch's t-test, which does not suppose that both have the same variance. A variance is at
 * least that of rounding to whole numbers, 1/12.
 *
 * Return: the difference; not known if one of them has less than two numbers.
 */
struct difference change_of_average(const struct tally *old,
				    const struct tally *new);

/**
 * change_quantile() - how far 95 percent of a t distribution are from 0
 * @freedom: degrees of freedom, at least 1; below 31 they are rounded down
 *
 * Return: the distance.
 */
double change_quantile(double freedom);

/**
 * struct change - a row of two reports
 * @old: row; of a report that lacks it: without hits
 * @new: likewise
 * @strength: by which it is sorted
 */
struct change {
	const struct report_row *old;
	const struct report_row *new;
	double strength;
};

/**
 * struct changes - all rows of two reports, those first that changed most certainly
 * @change: rows; owned
 * @nr: how many
 * @none: a row without hits
 * @old_seconds: duration of the first recording
 * @new_seconds: duration of the second recording
 */
struct changes {
	struct change *change;
	size_t nr;
	struct report_row none;
	double old_seconds;
	double new_seconds;
};

/**
 * changes_find() - compare two reports
 * @c: both durations are set; the rest is filled; release with changes_deinit()
 * @old: report
 * @new: report of the same keys and values
 * @d: on failure
 *
 * Rows are sorted by the strength of the change of the first value, or, if there is no
 * value, of the rate. Row "other" is not among them. The rows stay those of the reports.
 *
 * Return: 0 or -ENOMEM.
 */
int changes_find(struct changes *c, struct report *old, struct report *new,
		 struct diag *d);

/**
 * changes_deinit() - release changes
 * @c: changes, or zeros
 */
void changes_deinit(struct changes *c);

#endif /* KTAP_REPORT_CHANGE_H */
