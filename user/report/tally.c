// SPDX-License-Identifier: GPL-2.0
#include "report/tally.h"

void tally_deinit(struct tally *t)
{
	sketch_deinit(&t->sketch);
	*t = (struct tally){ 0 };
}

int tally_add(struct tally *t, __int128 value)
{
	struct total *total = &t->total;
	double offset;

	if (!total->n) {
		total->min = value;
		total->max = value;
		t->origin = value;
	}
	if (value < total->min)
		total->min = value;
	if (value > total->max)
		total->max = value;
	total->n++;
	total->sum += value;
	offset = (double)value - t->origin;
	t->offsets += offset;
	t->squares += offset * offset;
	return sketch_add(&t->sketch, value);
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
	if (!to->n) {
		to->min = add->min;
		to->max = add->max;
		t->origin = from->origin;
	}
	if (add->min < to->min)
		to->min = add->min;
	if (add->max > to->max)
		to->max = add->max;
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
