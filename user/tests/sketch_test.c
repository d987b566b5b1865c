// SPDX-License-Identifier: GPL-2.0
/*
 * Percentiles, sums and histograms of a tally, against those of the sorted list of the
 * same numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "report/tally.h"

#define NR	5000

static __int128 list[NR];
static unsigned int seed;

static uint64_t chance(void)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) & 0xffff;
}

static uint64_t wide_chance(void)
{
	return chance() << 48 | chance() << 32 | chance() << 16 | chance();
}

/* Any length in bits is as frequent as any other. */
static uint64_t any_length(void)
{
	return wide_chance() >> (chance() % 64);
}

static __int128 any_signed(void)
{
	return (int64_t)any_length() * (chance() & 1 ? 1 : -1);
}

static __int128 any_unsigned(void)
{
	return any_length();
}

static __int128 small(void)
{
	return (int64_t)(chance() % 255) - 127;
}

/* Times of a function, of which few are long. */
static __int128 times(void)
{
	return chance() % 100 ? 1000 + chance() % 500 : wide_chance() >> 30;
}

static int compare(const void *a, const void *b)
{
	const __int128 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void fill(struct tally *t, __int128 (*next)(void), size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		list[i] = next();
		assert_int_equal(tally_add(t, list[i], 1), 0);
	}
	qsort(list, nr, sizeof(*list), compare);
}

/* The smallest number that is not below @percent of a hundred of all. */
static __int128 exact(size_t nr, unsigned int percent)
{
	size_t below = 0;

	while (100 * (below + 1) < percent * nr)
		below++;
	return list[below];
}

static void check_percentiles(const struct tally *t, size_t nr)
{
	for (unsigned int p = 1; p <= 100; p++) {
		__int128 want = exact(nr, p), got = tally_percentile(t, p);
		__int128 error = got > want ? got - want : want - got;
		__int128 size = want < 0 ? -want : want;

		assert_true(error * 128 <= size);
		if (size < 128)
			assert_true(!error);
	}
}

static void check_sums(const struct tally *t, size_t nr)
{
	double mean = 0, squares = 0, variance = tally_variance(t);
	__int128 sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += list[i];
	mean = (double)sum / nr;
	for (size_t i = 0; i < nr; i++)
		squares += ((double)list[i] - mean) * ((double)list[i] - mean);
	assert_int_equal(t->total.n, nr);
	assert_true(t->total.sum == sum);
	assert_true(t->total.min == list[0]);
	assert_true(t->total.max == list[nr - 1]);
	squares /= nr - 1;
	assert_true(variance > squares * 0.999999 - 1e-9);
	assert_true(variance < squares * 1.000001 + 1e-9);
}

/* In which bucket of 'ktap hist' a number is, by division. */
static unsigned int log2_bucket(__int128 value)
{
	unsigned int bucket = 1;

	if (value < 0)
		return 0;
	for (; value; value /= 2)
		bucket++;
	return bucket;
}

static void check_histogram(const struct tally *t, size_t nr)
{
	uint64_t want[KTAP_NR_LOG2] = { 0 }, got[KTAP_NR_LOG2];

	for (size_t i = 0; i < nr; i++)
		want[log2_bucket(list[i])]++;
	sketch_log2(&t->sketch, got);
	assert_memory_equal(got, want, sizeof(want));
}

static void check_all(__int128 (*next)(void), size_t nr)
{
	struct tally t = { 0 };

	fill(&t, next, nr);
	check_percentiles(&t, nr);
	check_sums(&t, nr);
	check_histogram(&t, nr);
	tally_deinit(&t);
}

static void test_distributions(void **state)
{
	static __int128 (*const all[])(void) = {
		any_signed, any_unsigned, small, times,
	};
	static const size_t sizes[] = { 2, 3, 10, 99, 100, 101, NR };

	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 7; k++)
			check_all(all[i], sizes[k]);
}

/* The bound is not generous: somewhere nearly all of it is needed. */
static void test_bound(void **state)
{
	double worst = 0;

	for (uint64_t value = 1; value < 1 << 20; value++) {
		struct sketch s = { 0 };
		double got, error;

		assert_int_equal(sketch_add(&s, value, 1), 0);
		got = sketch_at(&s, 1);
		error = (got > value ? got - value : value - got) / value;
		worst = error > worst ? error : worst;
		sketch_deinit(&s);
	}
	assert_true(worst <= 1.0 / 128);
	assert_true(worst > 0.9 / 128);
}

static void test_extremes(void **state)
{
	static const __int128 values[] = {
		INT64_MIN, -1, 0, 1, INT64_MAX, UINT64_MAX,
	};

	for (size_t i = 0; i < 6; i++) {
		struct tally t = { 0 };

		assert_int_equal(tally_add(&t, values[i], 1), 0);
		for (unsigned int p = 1; p <= 100; p++)
			assert_true(tally_percentile(&t, p) == values[i]);
		tally_deinit(&t);
	}
}

/* Numbers in three parts are the same as all of them in one. */
static void test_merge(void **state)
{
	struct tally all = { 0 }, parts[3] = { 0 }, sum = { 0 };

	for (size_t i = 0; i < NR; i++) {
		__int128 value = i % 3 ? times() : any_signed();

		list[i] = value;
		assert_int_equal(tally_add(&all, value, 1), 0);
		assert_int_equal(tally_add(&parts[i % 3], value, 1), 0);
	}
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(tally_merge(&sum, &parts[i]), 0);
	qsort(list, NR, sizeof(*list), compare);
	check_sums(&sum, NR);
	check_percentiles(&sum, NR);
	check_histogram(&sum, NR);
	for (unsigned int p = 1; p <= 100; p++)
		assert_true(tally_percentile(&sum, p) == tally_percentile(&all, p));
	for (size_t i = 0; i < 3; i++)
		tally_deinit(&parts[i]);
	tally_deinit(&all);
	tally_deinit(&sum);
}

/* A number that occurred several times is as many numbers. */
static void test_times(void **state)
{
	struct tally one = { 0 }, many = { 0 };

	for (unsigned int i = 0; i < 1000; i++) {
		__int128 value = any_signed();
		unsigned int nr = 1 + i % 5;

		assert_int_equal(tally_add(&many, value, nr), 0);
		for (unsigned int k = 0; k < nr; k++)
			assert_int_equal(tally_add(&one, value, 1), 0);
	}
	assert_int_equal(many.total.n, one.total.n);
	assert_true(many.total.sum == one.total.sum);
	for (unsigned int p = 1; p <= 100; p++)
		assert_true(tally_percentile(&many, p) == tally_percentile(&one, p));
	assert_true(fabs(tally_variance(&many) / tally_variance(&one) - 1) < 1e-6);
	tally_deinit(&one);
	tally_deinit(&many);
}

/* Of numbers that came as a sum, the rest is not known. */
static void test_total(void **state)
{
	const struct total sum = { .n = 4, .faulted = 1, .sum = 10 };
	const struct total stats = { .n = 2, .sum = -7, .min = -8, .max = 1 };
	struct tally t = { 0 }, all = { 0 };

	tally_add_total(&t, &stats, true);
	assert_true(tally_has_extremes(&t) && !tally_has_each(&t));
	assert_int_equal(tally_add(&t, 3, 1), 0);
	assert_true(t.total.min == -8 && t.total.max == 3);
	assert_int_equal(tally_add(&all, 5, 1), 0);
	assert_true(tally_has_each(&all));
	assert_int_equal(tally_merge(&all, &t), 0);
	assert_true(tally_has_extremes(&all) && !tally_has_each(&all));
	assert_true(all.total.n == 4 && all.total.sum == 1 && all.total.max == 5);
	tally_add_total(&t, &sum, false);
	assert_false(tally_has_extremes(&t));
	assert_int_equal(tally_merge(&all, &t), 0);
	assert_false(tally_has_extremes(&all));
	assert_true(all.total.n == 11 && all.total.sum == 7 && all.total.faulted == 1);
	tally_add_total(&t, &(struct total){ .faulted = 2 }, true);
	assert_true(t.total.n == 7 && t.total.faulted == 3);
	tally_deinit(&t);
	tally_deinit(&all);
}

static void test_nothing(void **state)
{
	struct tally t = { 0 }, from = { .total.faulted = 3 };

	assert_true(tally_percentile(&t, 50) == 0);
	assert_true(tally_variance(&t) == 0);
	assert_int_equal(tally_merge(&t, &from), 0);
	assert_int_equal(t.total.faulted, 3);
	assert_int_equal(t.total.n, 0);
	tally_deinit(&t);
}

/* Memory depends on the range of the numbers, not on how many there are. */
static void test_memory(void **state)
{
	struct tally t = { 0 };
	int nr;

	fill(&t, any_signed, NR);
	nr = t.sketch.nr;
	for (size_t i = 0; i < 200; i++)
		fill(&t, any_signed, NR);
	assert_true(t.sketch.nr >= nr && t.sketch.nr <= 118);
	tally_deinit(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_distributions),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_total),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
