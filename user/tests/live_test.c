// SPDX-License-Identifier: GPL-2.0
/* Live events of several CPUs: in the order of time, each once, none too early. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "decode/decode.h"
#include "event_log.h"
#include "ring_builder.h"

#define SUBBUF		4096
#define CPUS		3
#define EVENTS		3000

struct seen {
	struct decoder *dec;
	struct live *live;
	struct decode_summary summary;
	struct ring_builder rb[CPUS];
	uint64_t done[CPUS];
	uint64_t until;		/* nothing later may come */
	uint64_t last;
	size_t nr;
	uint64_t sum;
};

static int begin(struct seen *s, bool strict)
{
	static const struct machine m = {
		.nr_cpus = CPUS, .clock = KTAP_CLOCK_TSC,
		.clock_hz = 1000000000, .subbuf_size = SUBBUF,
		.ring_size = 256 * SUBBUF,
	};
	_cleanup_free_ void *blob = NULL;
	size_t size;

	*s = (struct seen){ 0 };
	if (decoder_create(&m, NULL, &s->dec) ||
	    live_create(s->dec, strict ? NULL : &s->summary, NULL, &s->live))
		return -1;
	blob = log_blob(&log_layout_u64, &size);
	for (int cpu = 0; cpu < CPUS; cpu++)
		rb_init(&s->rb[cpu], SUBBUF);
	return decoder_probe(s->dec, 16, "n", blob, size, NULL);
}

static void end(struct seen *s)
{
	live_destroy(s->live);
	decoder_destroy(s->dec);
	for (int cpu = 0; cpu < CPUS; cpu++)
		rb_deinit(&s->rb[cpu]);
}

static int see(void *ctx, const struct event *e)
{
	struct seen *s = ctx;

	assert_true(e->mono >= s->last);
	assert_true(e->mono <= s->until);
	s->last = e->mono;
	s->nr++;
	s->sum += e->values[0].number;
	return 0;
}

/* What is there of a CPU's ring, at most @max bytes of it. */
static void hand_over(struct seen *s, uint32_t cpu, uint64_t max)
{
	struct ring_builder *rb = &s->rb[cpu];
	struct datafile_batch b = {
		.cpu = cpu, .position = s->done[cpu],
		.data = rb->bytes + s->done[cpu],
	};
	uint64_t left = SUBBUF - s->done[cpu] % SUBBUF;

	b.size = rb->head - s->done[cpu];
	if (b.size > left)
		b.size = left;
	if (b.size > max)
		b.size = max;
	assert_int_equal(live_batch(s->live, &b, NULL), 0);
	s->done[cpu] += b.size;
}

static void flush(struct seen *s, uint64_t until)
{
	s->until = until;
	assert_int_equal(live_flush(s->live, until, see, s, NULL), 0);
}

/* Three CPUs by chance, read in turns, whole records in each batch. */
static void check_order(unsigned int seed)
{
	uint64_t n, sum = 0, now = 1000;
	struct seen s;

	srand(seed);
	assert_int_equal(begin(&s, true), 0);
	for (n = 0; n < EVENTS; n++) {
		now += rand() % 3 * 500;
		rb_event(&s.rb[rand() % CPUS], 16, now, &n, sizeof(n));
		sum += n;
		if (rand() % 50)
			continue;
		for (uint32_t cpu = 0; cpu < CPUS; cpu++)
			while (s.done[cpu] < s.rb[cpu].head)
				hand_over(&s, cpu, SUBBUF);
		flush(&s, now - rand() % 5000);
	}
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		while (s.done[cpu] < s.rb[cpu].head)
			hand_over(&s, cpu, SUBBUF);
	flush(&s, UINT64_MAX);
	assert_int_equal(s.nr, EVENTS);
	assert_true(s.sum == sum);
	end(&s);
}

static void test_order(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 20; seed++)
		check_order(seed);
}

/* A flush ends within a batch of one CPU; what is older comes to another later. */
static void test_later_company(void **state)
{
	uint64_t n = 1;
	struct seen s;

	(void)state;
	assert_int_equal(begin(&s, true), 0);
	rb_event(&s.rb[0], 16, 100, &n, sizeof(n));
	rb_event(&s.rb[0], 16, 300, &n, sizeof(n));
	hand_over(&s, 0, SUBBUF);
	flush(&s, 200);
	assert_int_equal(s.nr, 1);
	rb_event(&s.rb[1], 16, 250, &n, sizeof(n));
	hand_over(&s, 1, SUBBUF);
	flush(&s, 299);
	assert_int_equal(s.nr, 2);
	flush(&s, 300);
	assert_int_equal(s.nr, 3);
	end(&s);
}

/* What comes behind a record that does not fit its probe is shown all the same. */
static void test_goes_on(void **state)
{
	uint64_t n = 1;
	struct seen s;

	(void)state;
	assert_int_equal(begin(&s, true), 0);
	rb_event(&s.rb[0], 17, 100, &n, sizeof(n)); /* no such probe */
	rb_event(&s.rb[0], 16, 200, &n, sizeof(n));
	hand_over(&s, 0, SUBBUF);
	s.until = 300;
	assert_int_equal(live_flush(s.live, 300, see, &s, NULL), -EBADMSG);
	assert_int_equal(s.nr, 1);
	assert_int_equal(live_flush(s.live, 300, see, &s, NULL), 0);
	end(&s);
}

static int refuse(void *ctx, const struct event *e)
{
	(void)e;
	return *(int *)ctx;
}

/* What the taker says comes back, and what makes no sense is told, or counted. */
static void test_failures(void **state)
{
	struct datafile_batch no_cpu = { .cpu = CPUS, .data = "", .size = 0 };
	struct datafile_batch junk = { .cpu = 2, .data = "12345678", .size = 8 };
	int answer = -EPIPE;
	uint64_t n = 1;
	struct seen s;

	(void)state;
	for (int strict = 0; strict <= 1; strict++) {
		assert_int_equal(begin(&s, strict), 0);
		rb_event(&s.rb[0], 16, 100, &n, sizeof(n));
		hand_over(&s, 0, SUBBUF);
		assert_int_equal(live_flush(s.live, 100, refuse, &answer, NULL),
				 -EPIPE);
		assert_int_equal(live_batch(s.live, &no_cpu, NULL),
				 strict ? -EBADMSG : 0);
		assert_int_equal(live_batch(s.live, &junk, NULL), 0);
		assert_int_equal(live_flush(s.live, 0, see, &s, NULL),
				 strict ? -EBADMSG : 0);
		assert_int_equal(s.summary.damaged, strict ? 0 : 2);
		end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_later_company),
		cmocka_unit_test(test_goes_on),
		cmocka_unit_test(test_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
