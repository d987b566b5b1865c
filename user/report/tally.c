// SPDX-License-Identifier: GPL-2.0
#include "report/tally.h"

void tally_deinit(struct tally *t)
{
	sketch_deinit(&t->sketch);
	*t = (struct tally){ 0 };
}

static void add_extremes(struct total *to, __int128 min, __int128 max)
{
	if (!to->n || min < to->min)
		to->min = min;
	if (!to->n || max > to->max)
		to->max = max;
}

int tally_add(struct tally *t, __int128 value, uint64_t times)
{
	struct total *total = &t->total;
	double offset;

	if (!total->n)
		t->origin = value;
	add_extremes(total, value, value);
	total->n += times;
	total->sum += value * times;
	offset = (double)value - t->origin;
	t->offsets += offset * times;
	t->squares += offset * offset * times;
	return sketch_add(&t->sketch, value, times);
}

void tally_add_total(struct tally *t, const struct total *from, bool extremes)
{
	t->total.faulted += from->faulted;
	if (!from->n)
		return;
	add_extremes(&t->total, from->min, from->max);
	t->total.n += from->n;
	t->total.sum += from->sum;
	t->summed += from->n;
	t->no_extremes |= !extremes;
}

/* The sums of @from, counted from the origin of @t. */
static void add_offsets(struct tally *t, const struct tally *from)
{
	double shift = from->origin - t->origin, n = from->total.n;

	t->squares += from->squares + 2 * shift * from->offsets + n * shift * shift;
	t->offsets += from->offsets + n * shift;
}

int tally_merge(struct tally *t, const struct tally *from)
{
	struct total *to = &t->total;
	const struct total *add = &from->total;

	to->faulted += add->faulted;
	if (!add->n)
		return 0;
	if (!to->n)
		t->origin = from->origin;
	add_extremes(to, add->min, add->max);
	t->summed += from->summed;
	t->no_extremes |= from->no_extremes;
	add_offsets(t, from);
	to->n += add->n;
	to->sum += add->sum;
	return sketch_merge(&t->sketch, &from->sketch);
}

__int128 tally_percentile(const struct tally *t, unsigned int percent)
{
	uint64_t n = t->total.n;
	uint64_t rank = n / 100 * percent + (n % 100 * percent + 99) / 100;
	__int128 value = sketch_at(&t->sketch, rank);

	if (value < t->total.min)
		return t->total.min;
	return value > t->total.max ? t->total.max : value;
}

double tally_variance(const struct tally *t)
{
	double n = t->total.n, sum;

	if (t->total.n < 2)
		return 0;
	sum = t->squares - t->offsets * t->offsets / n;
	return sum > 0 ? sum / (n - 1) : 0;
}
