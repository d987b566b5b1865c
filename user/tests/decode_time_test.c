// SPDX-License-Identifier: GPL-2.0
/* When a record was made, while the end of its sub-buffer is not known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "decode/decode.h"
#include "event_log.h"
#include "one_batch.h"
#include "ring_builder.h"

#define SUBBUF	4096

/* struct live - a decoder, and the times of the events that came out of it */
struct live {
	struct decoder *dec;
	struct ring_builder rb;
	uint64_t done;		/* bytes decoded */
	uint64_t mono[1000];
	size_t nr;
};

static int start(void **state)
{
	static const struct machine m = {
		.nr_cpus = 1, .clock = KTAP_CLOCK_TSC, .clock_hz = 1000000000,
		.subbuf_size = SUBBUF, .ring_size = 16 * SUBBUF,
	};
	_cleanup_free_ void *blob = NULL;
	struct live *l = calloc(1, sizeof(*l));
	size_t size;

	if (!l || decoder_create(&m, NULL, &l->dec))
		return -1;
	blob = log_blob(&log_layout_u64, &size);
	rb_init(&l->rb, SUBBUF);
	*state = l;
	return decoder_probe(l->dec, 16, "n", blob, size, NULL);
}

static int stop(void **state)
{
	struct live *l = *state;

	decoder_destroy(l->dec);
	rb_deinit(&l->rb);
	free(l);
	return 0;
}

static int keep_time(void *ctx, const struct event *e)
{
	struct live *l = ctx;

	assert_true(l->nr < 1000);
	l->mono[l->nr++] = e->mono;
	return 0;
}

static uint64_t event(struct live *l, uint64_t raw)
{
	uint64_t n = 0;

	return rb_event(&l->rb, 16, raw, &n, sizeof(n));
}

static void read_all(struct live *l)
{
	uint64_t end;

	for (; l->done < l->rb.head; l->done = end) {
		end = (l->done / SUBBUF + 1) * SUBBUF;
		if (end > l->rb.head)
			end = l->rb.head;
		assert_int_equal(one_batch(l->dec, 0, l->done,
					   l->rb.bytes + l->done,
					   end - l->done, keep_time, l, NULL), 0);
	}
}

static void clock_pair(struct live *l, uint64_t raw)
{
	const struct ktap_session_state now = {
		.raw = raw, .mono = rb_mono(&l->rb, raw),
	};

	decoder_clock(l->dec, &now);
}

/* The low half of the counter wraps, is half a turn away, or many turns. */
static void test_wraps(void **state)
{
	static const uint64_t raw[] = {
		0xfffffff0, 0xffffffff, 0x100000000, 0x17ffffff0,
		0x17fffffff, 0x180000001, 0x1ffffffff, 0x200000000,
		0x800000000, 0x800000001, 0x100000000000, 0x100000000001,
		0x17fffffff0000, 0x7fffffffffff0000,
	};
	struct live *l = *state;
	size_t i;

	for (i = 0; i < sizeof(raw) / sizeof(*raw); i++)
		event(l, raw[i]);
	read_all(l);
	assert_int_equal(l->nr, i);
	for (i = 0; i < sizeof(raw) / sizeof(*raw); i++)
		assert_int_equal(l->mono[i], raw[i]);
}

/*
 * Older modules told of losses in front of a far time: those are dated too early
 * then, and what follows is not.
 */
static void test_both_orders_of_time_and_losses(void **state)
{
	const uint64_t start = 1ULL << 40, far = start + 3000000000ULL;
	const uint64_t farther = far + 3000000000ULL;
	struct live *l = *state;

	event(l, start);
	l->rb.full = far;
	rb_lost(&l->rb, far, 2);
	l->rb.full = start;
	event(l, far);
	rb_lost(&l->rb, farther, 3);
	event(l, farther);
	read_all(l);
	assert_int_equal(l->nr, 5);
	assert_int_equal(l->mono[0], start);
	assert_int_equal(l->mono[1], far - (1ULL << 32));
	assert_int_equal(l->mono[2], far);
	assert_int_equal(l->mono[3], farther);
	assert_int_equal(l->mono[4], farther);
}

/* A record may be a little older than the full time before it. */
static void test_before_full(void **state)
{
	struct live *l = *state;
	uint64_t at;

	event(l, 0x500000000);
	at = event(l, 0x500000001);
	((struct ktap_rec_head *)(l->rb.bytes + at))->time_low = -7;
	read_all(l);
	assert_int_equal(l->mono[1], 0x4fffffff9);
}

/* The counter is twice as fast as it says: what is measured counts. */
static void test_clock_pairs(void **state)
{
	struct live *l = *state;
	uint64_t raw;
	size_t i;

	l->rb.mono_den = 2;
	l->rb.mono_base = 5000;
	clock_pair(l, 1000);
	clock_pair(l, 400000000);
	/* in front of the last pair, around it, and behind it */
	for (raw = 300000000; raw < 500000000; raw += 1000000)
		event(l, raw);
	read_all(l);
	assert_int_equal(l->nr, 200);
	for (i = 0, raw = 300000000; i < l->nr; i++, raw += 1000000)
		assert_in_range(l->mono[i], rb_mono(&l->rb, raw) - 2,
				rb_mono(&l->rb, raw) + 2);
}

/*
 * A pair right behind the start of a sub-buffer bounds what is before it; its
 * noise must not be drawn out over what comes behind.
 */
static void test_close_pair(void **state)
{
	const struct ktap_session_state now = {
		.raw = 1000001000, .mono = 1000001500,
	};
	struct live *l = *state;

	event(l, 1000000000);
	read_all(l);
	decoder_clock(l->dec, &now);
	event(l, 1000000500);
	event(l, 1000001000);
	event(l, 1100001000);
	read_all(l);
	assert_int_equal(l->nr, 4);
	assert_int_equal(l->mono[0], 1000000000);
	assert_in_range(l->mono[1], 1000000749, 1000000750);
	assert_in_range(l->mono[2], 1000001499, 1000001500);
	assert_int_equal(l->mono[3], 1100001500);
}

/* Without any pair but those of the ring, the nominal frequency has to do. */
static void test_nominal(void **state)
{
	struct live *l = *state;

	l->rb.mono_base = 123456789;
	event(l, 1000);
	event(l, 3001000);
	read_all(l);
	assert_int_equal(l->mono[0], 123456789 + 1000);
	assert_int_equal(l->mono[1], 123456789 + 3001000);
}

/* The nominal frequency was too slow by half: time waits, and never returns. */
static void test_never_back(void **state)
{
	struct live *l = *state;
	uint64_t raw;
	size_t i;

	l->rb.mono_den = 2;
	for (raw = 0; l->rb.head < 3 * SUBBUF; raw += 1000)
		event(l, raw);
	read_all(l);
	for (i = 1; i < l->nr; i++)
		assert_true(l->mono[i] >= l->mono[i - 1]);
	/* a sub-buffer holds about 250: the guess was off */
	assert_true(l->mono[200] > rb_mono(&l->rb, 200 * 1000) + 50000);
}

/* Many small batches: the same times as in one. */
static void test_batch_by_batch(void **state)
{
	struct live *l = *state;
	uint64_t raw;
	size_t i;

	for (raw = 500; raw < 400 * 777; raw += 777) {
		event(l, raw);
		read_all(l);
	}
	for (i = 0, raw = 500; i < l->nr; i++, raw += 777)
		assert_int_equal(l->mono[i], raw);
}

#define live_test(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		live_test(test_wraps),
		live_test(test_both_orders_of_time_and_losses),
		live_test(test_before_full),
		live_test(test_clock_pairs),
		live_test(test_close_pair),
		live_test(test_nominal),
		live_test(test_never_back),
		live_test(test_batch_by_batch),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
