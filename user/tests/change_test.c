// SPDX-License-Identifier: GPL-2.0
/*
 * Changes between two reports: quantiles against an integral of the t distribution,
 * averages against the formula of Welch's test with sums computed here, and how often a
 * margin has the true change in it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/change.h"

static unsigned int seed;

static double chance(void)
{
	seed = seed * 1103515245 + 12345;
	return ((seed >> 8) & 0xffff) / 65536.0;
}

static void assert_near(double got, double want, double error)
{
	if (fabs(got - want) > error)
		fail_msg("%.6f, and not %.6f", got, want);
}

/* The share of a t distribution from -@x to @x, by Simpson's rule. */
static double share_within(double x, double freedom)
{
	double scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) /
		       sqrt(freedom * M_PI);
	double sum = 0, step = x / 20000;

	for (int i = 0; i <= 20000; i++) {
		double at = i * step;
		double height = pow(1 + at * at / freedom, -(freedom + 1) / 2);

		sum += height * (!i || i == 20000 ? 1 : i % 2 ? 4 : 2);
	}
	return 2 * scale * sum * step / 3;
}

static void test_quantiles(void **state)
{
	for (int freedom = 1; freedom <= 200; freedom++)
		assert_near(share_within(change_quantile(freedom), freedom), 0.95,
			    0.0001);
	assert_near(change_quantile(1e9), 1.959964, 1e-5);
	assert_true(change_quantile(2.9) == change_quantile(2));
	assert_true(change_quantile(0.5) == change_quantile(1));
}

static void fill(struct tally *t, const int *numbers, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(tally_add(t, numbers[i], 1), 0);
}

/* Numbers of a text book: mean and variance are computed by hand. */
static void test_average(void **state)
{
	static const int first[] = { 10, 12, 14 }, second[] = { 20, 20, 26, 30 };
	struct tally a = { 0 }, b = { 0 };
	struct difference d;

	fill(&a, first, 3);
	fill(&b, second, 4);
	d = change_of_average(&a, &b);
	/* means 12 and 24, variances 4 and 24: 4/3 + 24/4 = 7.3333, 4.17 degrees of freedom */
	assert_true(d.known);
	assert_near(d.change, 12, 1e-9);
	assert_near(d.margin, 2.776 * sqrt(22.0 / 3), 1e-6);
	assert_near(d.strength, 12 / (2.776 * sqrt(22.0 / 3)), 1e-9);
	d = change_of_average(&b, &a);
	assert_near(d.change, -12, 1e-9);
	tally_deinit(&a);
	tally_deinit(&b);
}

static void test_average_unknown(void **state)
{
	static const int numbers[] = { 5, 5, 5 }, others[] = { 7, 7 };
	struct tally one = { 0 }, same = { 0 }, more = { 0 };
	struct difference d;

	fill(&one, numbers, 1);
	fill(&same, numbers, 3);
	fill(&more, others, 2);
	assert_false(change_of_average(&one, &same).known);
	assert_false(change_of_average(&same, &one).known);
	d = change_of_average(&same, &more);
	/* variances of 1/12 each: 1/36 + 1/24, 2.27 degrees of freedom */
	assert_true(d.known && d.change == 2);
	assert_near(d.margin, 4.303 * sqrt(5.0 / 72), 1e-6);
	tally_deinit(&one);
	tally_deinit(&same);
	tally_deinit(&more);
}

static void test_rate(void **state)
{
	struct difference d = change_of_rate(100, 10, 400, 20);

	assert_true(d.known);
	assert_near(d.change, 10, 1e-9);
	assert_near(d.margin, 1.959964 * sqrt(1 + 1), 1e-5);
	d = change_of_rate(0, 1, 0, 1);
	assert_near(d.change, 0, 0);
	assert_near(d.margin, 1.959964 * sqrt(2), 1e-5);
	assert_false(change_of_rate(1, 0, 1, 1).known);
	assert_false(change_of_rate(1, 1, 1, 0).known);
}

/* Hits in @seconds, as many a second as @rate on average. */
static unsigned int hits(double rate, double seconds)
{
	unsigned int nr = 0;

	for (double at = -log(1 - chance()) / rate; at < seconds;
	     at -= log(1 - chance()) / rate)
		nr++;
	return nr;
}

/* The true change of a rate is within the margin in 95 of 100 cases. */
static void test_coverage(void **state)
{
	unsigned int within = 0;

	for (int i = 0; i < 4000; i++) {
		struct difference d = change_of_rate(hits(40, 2), 2, hits(50, 3), 3);

		within += fabs(d.change - 10) <= d.margin;
	}
	assert_in_range(within, 4000 * 0.935, 4000 * 0.965);
}

/* ---- rows ---- */

static struct field field = {
	.name = "n", .kind = FIELD_INT, .format = FORMAT_SIGNED, .size = 8,
	.fault = FIELD_NO_FAULT,
};

static const struct layout layout = {
	.definition = "d", .symbol = "f", .fields = &field, .nr_fields = 1,
	.fixed_size = 8,
};

static struct report_names keys, values;

static struct report *begin_of(size_t rows_max)
{
	const struct report_options opt = {
		.keys = &keys, .values = &values, .rows_max = rows_max,
	};
	struct report *r = NULL;

	assert_int_equal(report_create(&opt, NULL, &r), 0);
	return r;
}

static struct report *begin(void)
{
	return begin_of(100);
}

static void give(struct report *r, uint32_t pid, int n, unsigned int times)
{
	const struct value v = { .field = &field, .number = n };
	const struct event e = {
		.tgid = pid, .name = "f", .layout = &layout, .values = &v,
		.nr_values = 1, .shape = 1,
	};

	while (times--)
		assert_int_equal(report_event(r, &e), 0);
}

static int pid_of(const struct change *c)
{
	return atoi(c->new->texts ? c->new->texts : c->old->texts);
}

/* Sorted by how sure a change is, not by its size. */
static void test_rows(void **state)
{
	static const int order[] = { 4, 3, 2, 1 };
	struct changes c = { .old_seconds = 1, .new_seconds = 1 };
	struct report *old, *new;

	assert_int_equal(report_names_add(&keys, "pid", NULL), 0);
	old = begin();
	new = begin();
	give(old, 1, 0, 1000);
	give(new, 1, 0, 1000);
	give(old, 2, 0, 10000);
	give(new, 2, 0, 10100);
	give(old, 3, 0, 20);
	give(new, 4, 0, 60);
	assert_int_equal(changes_find(&c, old, new, NULL), 0);
	assert_int_equal(c.nr, 4);
	for (size_t i = 0; i < c.nr; i++)
		assert_int_equal(pid_of(&c.change[i]), order[i]);
	assert_int_equal(c.change[0].old->count, 0);
	assert_int_equal(c.change[1].new->count, 0);
	changes_deinit(&c);
	report_destroy(old);
	report_destroy(new);
	report_names_deinit(&keys);
}

/* Of a key that one report shows, the other report may have hits in its row "other". */
static void test_rows_full(void **state)
{
	static const struct {
		size_t old_max, new_max, nr;
		unsigned int old_other, new_other;
	} rows[] = {
		{ 100, 100, 3, 0, 0 },
		/* the old one has no room for 2: it might have had none for 3 */
		{ 1, 100, 1, 7, 9 },
		{ 100, 1, 1, 7, 9 },
		{ 1, 1, 1, 7, 9 },
	};

	assert_int_equal(report_names_add(&keys, "pid", NULL), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct changes c = { .old_seconds = 1, .new_seconds = 1 };
		struct report *old = begin_of(rows[i].old_max);
		struct report *new = begin_of(rows[i].new_max);

		give(old, 1, 0, 5);
		give(old, 2, 0, 7);
		give(new, 1, 0, 5);
		give(new, 3, 0, 9);
		assert_int_equal(changes_find(&c, old, new, NULL), 0);
		assert_int_equal(c.nr, rows[i].nr);
		assert_int_equal(report_other(old)->count, rows[i].old_other);
		assert_int_equal(report_other(new)->count, rows[i].new_other);
		changes_deinit(&c);
		report_destroy(old);
		report_destroy(new);
	}
	report_names_deinit(&keys);
}

static void test_rows_with_values(void **state)
{
	struct changes c = { .old_seconds = 1, .new_seconds = 1 };
	struct report *old, *new;

	values.arguments = true;
	assert_int_equal(report_names_add(&keys, "pid", NULL), 0);
	assert_int_equal(report_names_add(&values, "n", NULL), 0);
	old = begin();
	new = begin();
	for (int i = 0; i < 100; i++) {
		give(old, 1, i, 1);
		give(new, 1, i, 5);
		give(old, 2, i, 1);
		give(new, 2, i + 100, 1);
	}
	/* a few equal numbers say less than they seem to */
	give(old, 3, 4096, 2);
	give(new, 3, 4097, 2);
	assert_int_equal(changes_find(&c, old, new, NULL), 0);
	assert_int_equal(pid_of(&c.change[0]), 2);
	assert_near(change_of_average(&c.change[0].old->tallies[0],
				      &c.change[0].new->tallies[0]).change, 100, 1e-9);
	assert_int_equal(pid_of(&c.change[1]), 3);
	assert_true(c.change[1].strength > 0 && c.change[1].strength < 1);
	changes_deinit(&c);
	report_destroy(old);
	report_destroy(new);
	report_names_deinit(&keys);
	report_names_deinit(&values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_average),
		cmocka_unit_test(test_average_unknown),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_rows_full),
		cmocka_unit_test(test_rows_with_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
