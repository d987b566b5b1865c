// SPDX-License-Identifier: GPL-2.0
/* Raw counter to CLOCK_MONOTONIC, against arithmetic with 128 bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "decode/clock.h"

/* a.mono + (raw - a.raw) * (b.mono - a.mono) / (b.raw - a.raw), rounded down */
static uint64_t exact(struct clock_pair a, struct clock_pair b, uint64_t raw)
{
	__uint128_t ns = b.mono - a.mono;

	return a.mono + (uint64_t)(ns * (raw - a.raw) / (b.raw - a.raw));
}

/* Frequencies of real counters, and distances from a burst to a month. */
static void test_interpolation(void **state)
{
	static const uint64_t hz[] = {
		1000000, 19200000, 24000000, 25000000, 62500000, 1000000000,
		2400000000, 2999999997, 5800000000,
	};
	static const uint64_t seconds_e6[] = { 1, 1000, 1000000, 3600000000, 2592000000000 };
	struct clock_pair a = { 0x123456789abcdef, 987654321012345 }, b;
	struct clock_line l;
	uint64_t want, got, raw, last;
	size_t i, j, k;

	for (i = 0; i < sizeof(hz) / sizeof(*hz); i++) {
		for (j = 0; j < sizeof(seconds_e6) / sizeof(*seconds_e6); j++) {
			b.raw = a.raw + (uint64_t)((__uint128_t)hz[i] * seconds_e6[j] / 1000000);
			b.mono = a.mono + 1000 * seconds_e6[j];
			assert_true(clock_line_through(&l, a, b));
			last = a.mono;
			for (k = 0; k <= 1000; k++) {
				raw = a.raw + (uint64_t)((__uint128_t)(b.raw - a.raw) * k / 1000);
				want = exact(a, b, raw);
				got = clock_line_mono(&l, raw);
				assert_true(got <= want && want - got <= 1);
				assert_true(got >= last);
				last = got;
			}
		}
	}
}

static void test_before_the_pair(void **state)
{
	const struct clock_pair a = { 3000, 1000 }, b = { 6000, 2000 };
	struct clock_line l;

	assert_true(clock_line_through(&l, a, b));
	assert_in_range(clock_line_mono(&l, 2700), 900, 901);
	assert_in_range(clock_line_mono(&l, 0), 0, 1);
	l.at.mono = 5;
	assert_int_equal(clock_line_mono(&l, 0), 0);
}

static void test_no_line(void **state)
{
	const struct clock_pair a = { 3000, 1000 };
	struct clock_line l;

	assert_false(clock_line_through(&l, a, a));
	assert_false(clock_line_through(&l, a, (struct clock_pair){ 2999, 2000 }));
	assert_false(clock_line_through(&l, a, (struct clock_pair){ 4000, 999 }));
	assert_false(clock_line_through(&l, a, (struct clock_pair){ 3001, UINT64_MAX }));
	assert_true(clock_line_through(&l, a, (struct clock_pair){ UINT64_MAX, 1000 }));
	assert_int_equal(clock_line_mono(&l, 99999), 1000);
}

static void test_nominal(void **state)
{
	struct clock_track t = { .hz = 2000000000 };
	struct clock_line l;

	clock_track_line(&t, (struct clock_pair){ 1000, 7000 }, &l);
	assert_int_equal(clock_line_mono(&l, 1000 + 2000000), 7000 + 1000000);
	t.hz = 0;
	clock_track_line(&t, (struct clock_pair){ 1000, 7000 }, &l);
	assert_int_equal(clock_line_mono(&l, 1500), 7500);
}

/* Two pairs that are close tell little of the slope: the noise is large. */
static void test_close_pairs_are_noise(void **state)
{
	struct clock_track t = { .hz = 1000000000 };
	struct clock_line l;

	clock_track_add(&t, (struct clock_pair){ 0, 0 });
	clock_track_add(&t, (struct clock_pair){ 1000, 2000 });
	clock_track_line(&t, t.last, &l);
	assert_int_equal(clock_line_mono(&l, 1001000), 2000 + 1000000);
}

/* The counter runs 1 % fast until 10 s, then 1 % slow: the slope follows. */
static void test_slope_follows(void **state)
{
	struct clock_track t = { .hz = 1000000000 };
	uint64_t raw, mono = 0;
	struct clock_line l;
	int i;

	for (i = 0, raw = 0; i <= 100; i++, raw += 100000000) {
		clock_track_add(&t, (struct clock_pair){ raw, mono });
		mono += 99000000;
	}
	clock_track_line(&t, t.last, &l);
	assert_int_equal((clock_line_mono(&l, t.last.raw + 100000000) -
			  t.last.mono + 500) / 1000, 99000);
	mono = t.last.mono;
	for (i = 0, raw = t.last.raw; i <= 30; i++, raw += 100000000) {
		clock_track_add(&t, (struct clock_pair){ raw, mono });
		mono += 101000000;
	}
	clock_track_line(&t, t.last, &l);
	assert_int_equal((clock_line_mono(&l, t.last.raw + 100000000) -
			  t.last.mono + 500) / 1000, 101000);
}

static void test_old_pairs_are_ignored(void **state)
{
	struct clock_track t = { .hz = 1000 };

	clock_track_add(&t, (struct clock_pair){ 5000, 5000 });
	clock_track_add(&t, (struct clock_pair){ 4000, 6000 });
	clock_track_add(&t, (struct clock_pair){ 6000, 4000 });
	clock_track_add(&t, (struct clock_pair){ 5000, 5000 });
	assert_int_equal(t.last.raw, 5000);
	assert_int_equal(t.last.mono, 5000);
	clock_track_add(&t, (struct clock_pair){ 5001, 5000 });
	assert_int_equal(t.last.raw, 5001);
}

/* What poll() cannot wait is cut, and never negative. */
static void test_poll_ms(void **state)
{
	assert_int_equal(poll_ms(0), 0);
	assert_int_equal(poll_ms(1), 1);
	assert_int_equal(poll_ms(1000000), 1);
	assert_int_equal(poll_ms(1000001), 2);
	assert_int_equal(poll_ms(2147483646000000), INT_MAX - 1);
	assert_int_equal(poll_ms(3000000000000000), INT_MAX);
	assert_int_equal(poll_ms(4294967500000000), INT_MAX);
	assert_int_equal(poll_ms(UINT64_MAX), INT_MAX);
}

/* A late output does not move those that follow; of missed ones there is one. */
static void test_due(void **state)
{
	uint64_t due = 100;

	assert_false(clock_due(&due, 100, 99));
	assert_true(clock_due(&due, 100, 100));
	assert_false(clock_due(&due, 100, 199));
	assert_true(clock_due(&due, 100, 290));
	assert_true(clock_due(&due, 100, 300));
	assert_true(clock_due(&due, 100, 955));
	assert_false(clock_due(&due, 100, 1054));
	assert_true(clock_due(&due, 100, 1055));
	assert_false(clock_due(&due, 0, 5000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interpolation),
		cmocka_unit_test(test_before_the_pair),
		cmocka_unit_test(test_no_line),
		cmocka_unit_test(test_nominal),
		cmocka_unit_test(test_close_pairs_are_noise),
		cmocka_unit_test(test_slope_follows),
		cmocka_unit_test(test_old_pairs_are_ignored),
		cmocka_unit_test(test_poll_ms),
		cmocka_unit_test(test_due),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
