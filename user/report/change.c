// SPDX-License-Identifier: GPL-2.0
#include "report/change.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "report/report_in.h"

/* 95 percent of a normal distribution are not farther from 0. */
#define NORMAL_95 1.959963984540054

/* ---- two measurements ---- */

static struct difference make_difference(double change, double error,
					 double quantile)
{
	return (struct difference){
		.known = true,
		.change = change,
		.margin = quantile * error,
		.strength = fabs(change) / (quantile * error),
	};
}

struct difference change_of_rate(uint64_t old, double old_seconds, uint64_t new,
				 double new_seconds)
{
	double a = sqrt(old ? old : 1) / old_seconds;
	double b = sqrt(new ? new : 1) / new_seconds;

	if (old_seconds <= 0 || new_seconds <= 0)
		return (struct difference){ 0 };
	return make_difference(new / new_seconds - old / old_seconds,
			       sqrt(a * a + b * b), NORMAL_95);
}

double change_quantile(double freedom)
{
	static const double table[] = {
		12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
		2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
		2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
	};
	double z = NORMAL_95, cube = z * z * z;

	if (freedom < ARRAY_SIZE(table) + 1)
		return table[freedom < 1 ? 0 : (size_t)freedom - 1];
	/* the first terms of its expansion around the normal distribution */
	return z + (cube + z) / (4 * freedom) +
	       (5 * cube * z * z + 16 * cube + 3 * z) / (96 * freedom * freedom);
}

/* Equal numbers vary, too, by less than what whole numbers can show. */
static double variance(const struct tally *t)
{
	return fmax(tally_variance(t), 1.0 / 12);
}

struct difference change_of_average(const struct tally *old,
				    const struct tally *new)
{
	double m = old->total.n, n = new->total.n, a, b, freedom, change;

	if (m < 2 || n < 2 || !tally_has_each(old) || !tally_has_each(new))
		return (struct difference){ 0 };
	change = (double)new->total.sum / n - (double)old->total.sum / m;
	a = variance(old) / m;
	b = variance(new) / n;
	freedom = (a + b) * (a + b) / (a * a / (m - 1) + b * b / (n - 1));
	return make_difference(change, sqrt(a + b), change_quantile(freedom));
}

/* ---- rows ---- */

static double strength_of(const struct changes *c, const struct change *change,
			  bool values)
{
	if (values)
		return change_of_average(&change->old->tallies[0],
					 &change->new->tallies[0]).strength;
	return change_of_rate(change->old->count, c->old_seconds, change->new->count,
			      c->new_seconds).strength;
}

static uint64_t count_of(const struct change *c)
{
	return c->old->count + c->new->count;
}

static const struct report_row *with_texts(const struct change *c)
{
	return c->new->texts ? c->new : c->old;
}

static int compare_changes(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->strength != y->strength)
		return x->strength > y->strength ? -1 : 1;
	if (count_of(x) != count_of(y))
		return count_of(x) > count_of(y) ? -1 : 1;
	return report_compare(with_texts(x), with_texts(y));
}

static void add_change(struct changes *c, const struct report_row *old,
		       const struct report_row *new)
{
	c->change[c->nr++] = (struct change){ .old = old, .new = new };
}

/*
 * Both are sorted by their texts. Of a row that only one report has, the other report may have hits
 * in its row "other".
 */
static int pair_rows(struct changes *c, struct report *old, struct report *new)
{
	bool in_old = report_other(old)->count, in_new = report_other(new)->count;
	size_t i = 0, k = 0;
	int err = 0;

	while (!err && (i < old->nr || k < new->nr)) {
		int order;

		if (i == old->nr)
			order = 1;
		else if (k == new->nr)
			order = -1;
		else
			order = report_compare(&old->rows[i], &new->rows[k]);
		if (order < 0 && in_new)
			err = report_add_other(old, &old->rows[i++]);
		else if (order < 0)
			add_change(c, &old->rows[i++], &c->none);
		else if (order > 0 && in_old)
			err = report_add_other(new, &new->rows[k++]);
		else if (order > 0)
			add_change(c, &c->none, &new->rows[k++]);
		else
			add_change(c, &old->rows[i++], &new->rows[k++]);
	}
	return err;
}

int changes_find(struct changes *c, struct report *old, struct report *new,
		 struct diag *d)
{
	bool values = new->opt.values->nr;

	if (report_merge(old) || report_merge(new))
		return diag_no_memory(d);
	c->change = calloc(old->nr + new->nr + 1, sizeof(*c->change));
	c->none.tallies = calloc(new->opt.values->nr + 1, sizeof(*c->none.tallies));
	if (!c->change || !c->none.tallies)
		return diag_no_memory(d);
	if (pair_rows(c, old, new))
		return diag_no_memory(d);
	for (size_t i = 0; i < c->nr; i++)
		c->change[i].strength = strength_of(c, &c->change[i], values);
	if (c->nr)
		qsort(c->change, c->nr, sizeof(*c->change), compare_changes);
	return 0;
}

void changes_deinit(struct changes *c)
{
	free(c->change);
	free(c->none.tallies);
}
