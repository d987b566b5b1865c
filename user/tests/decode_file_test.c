// SPDX-License-Identifier: GPL-2.0
/* Whole recordings: merging, time, and damage that is counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "base/cleanup.h"
#include "decode/decode.h"
#include "event_log.h"
#include "ring_builder.h"

#define SUBBUF	256
#define CPUS	3

/* struct recording - the file, as it lies in memory, and what it holds */
struct recording {
	struct ring_builder rb[CPUS];
	struct datafile f;
	struct datafile_probe probe;
	struct datafile_batch batches[4000];
	struct ktap_session_state clocks[4];
	uint64_t done[CPUS];
	struct event_log log;
	struct decode_summary summary;
	uint64_t counts[65536];
};

static int start(void **state)
{
	struct recording *r = calloc(1, sizeof(*r));
	int i;

	for (i = 0; i < CPUS; i++)
		rb_init(&r->rb[i], SUBBUF);
	r->probe = (struct datafile_probe){ .id = 16, .name = "n" };
	r->probe.blob = log_blob(&log_layout_u64, &r->probe.blob_size);
	r->f = (struct datafile){
		.machine = {
			.nr_cpus = CPUS, .clock_hz = 1000000000,
			.clock = KTAP_CLOCK_TSC, .subbuf_size = SUBBUF,
		},
		.probes = &r->probe,
		.nr_probes = 1,
		.batches = r->batches,
		.clocks = r->clocks,
		.complete = true,
	};
	*state = r;
	return 0;
}

static int stop(void **state)
{
	struct recording *r = *state;
	int i;

	for (i = 0; i < CPUS; i++)
		rb_deinit(&r->rb[i]);
	free((void *)r->probe.blob);
	buf_deinit(&r->log.text);
	free(r);
	return 0;
}

static uint64_t event(struct recording *r, unsigned int cpu, uint64_t raw,
		      uint64_t n)
{
	return rb_event(&r->rb[cpu], 16, raw, &n, sizeof(n));
}

/* Move what was built on @cpu to the file, as a reader of the ring would. */
static void flush(struct recording *r, unsigned int cpu)
{
	struct ring_builder *rb = &r->rb[cpu];
	uint64_t end;

	for (; r->done[cpu] < rb->head; r->done[cpu] = end) {
		end = (r->done[cpu] / SUBBUF + 1) * SUBBUF;
		if (end > rb->head)
			end = rb->head;
		assert_true(r->f.nr_batches < 4000);
		r->batches[r->f.nr_batches++] = (struct datafile_batch){
			.cpu = cpu,
			.position = r->done[cpu],
			.size = end - r->done[cpu],
		};
	}
}

/* The builder's memory moves while it grows: the pointers come last. */
static int decode(struct recording *r)
{
	struct datafile_batch *b;
	size_t i;

	for (i = 0; i < r->f.nr_batches; i++) {
		b = &r->batches[i];
		b->data = r->rb[b->cpu].bytes + b->position;
	}
	r->log.nr = 0;
	buf_clear(&r->log.text);
	memset(r->counts, 0, sizeof(r->counts));
	r->summary.events = r->counts;
	return decode_file(&r->f, event_log_add, &r->log, &r->summary, NULL);
}

static void end_clock(struct recording *r, uint64_t raw)
{
	r->clocks[r->f.nr_clocks++] = (struct ktap_session_state){
		.raw = raw, .mono = rb_mono(&r->rb[0], raw),
	};
}

/* ---- order ---- */

static void test_two_cpus(void **state)
{
	struct recording *r = *state;

	event(r, 0, 10, 1);
	event(r, 0, 30, 3);
	event(r, 1, 20, 2);
	rb_task(&r->rb[1], 7, 7, "sh");
	event(r, 1, 40, 4);
	rb_lost(&r->rb[1], 50, 3);
	rb_event(&r->rb[1], KTAP_REC_MARK, 55, "phase 2", 8);
	flush(r, 1);
	flush(r, 0);
	event(r, 0, 60, 5);
	flush(r, 0);
	assert_int_equal(decode(r), 0);
	assert_string_equal(buf_str(&r->log.text),
			    "0 10 cat/212/200 n n=1\n"
			    "1 20 cat/212/200 n n=2\n"
			    "0 30 cat/212/200 n n=3\n"
			    "1 40 sh/7/7 n n=4\n"
			    "1 50 lost 3\n"
			    "1 55 sh/7/7 mark text='phase 2'\n"
			    "0 60 cat/212/200 n n=5\n");
	assert_int_equal(r->summary.total, 5);
	assert_int_equal(r->summary.lost, 3);
	assert_int_equal(r->summary.marks, 1);
	assert_int_equal(r->summary.damaged, 0);
	assert_int_equal(r->counts[16], 5);
	assert_int_equal(r->counts[KTAP_REC_MARK], 0);
	r->summary.events = NULL;
	assert_int_equal(decode_file(&r->f, event_log_add, &r->log, &r->summary, NULL), 0);
	assert_int_equal(r->summary.total, 5);
}

static void test_ties_go_by_cpu(void **state)
{
	struct recording *r = *state;
	unsigned int i, cpu;

	for (cpu = CPUS; cpu--;) {
		for (i = 0; i < 2; i++)
			event(r, cpu, 100, 10 * cpu + i);
		flush(r, cpu);
	}
	assert_int_equal(decode(r), 0);
	assert_string_equal(buf_str(&r->log.text),
			    "0 100 cat/212/200 n n=0\n"
			    "0 100 cat/212/200 n n=1\n"
			    "1 100 cat/212/200 n n=10\n"
			    "1 100 cat/212/200 n n=11\n"
			    "2 100 cat/212/200 n n=20\n"
			    "2 100 cat/212/200 n n=21\n");
}

/* struct order - checks a stream of events against its rules */
struct order {
	uint64_t mono;
	uint64_t n[CPUS];
	uint64_t nr;
};

static int check_order(void *ctx, const struct event *e)
{
	struct order *o = ctx;

	assert_true(e->mono >= o->mono);
	assert_int_equal(e->values[0].number, o->n[e->cpu]);
	assert_int_equal(e->mono, 10 + e->values[0].number * 10 / (e->cpu + 1));
	o->n[e->cpu]++;
	o->mono = e->mono;
	o->nr++;
	return 0;
}

static void test_many(void **state)
{
	struct recording *r = *state;
	struct order o = {};
	uint64_t i, want = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		/* each at a rate of its own, in chunks that come late */
		for (i = 0; i < 3000 * (cpu + 1); i++, want++)
			event(r, cpu, 10 + i * 10 / (cpu + 1), i);
		flush(r, cpu);
	}
	assert_int_equal(decode(r), 0);
	assert_int_equal(r->log.nr, want);
	assert_int_equal(decode_file(&r->f, check_order, &o, &r->summary, NULL), 0);
	assert_int_equal(o.nr, want);
}

static void test_stop(void **state)
{
	struct recording *r = *state;

	event(r, 0, 10, 1);
	event(r, 1, 20, 2);
	flush(r, 0);
	flush(r, 1);
	r->log.stop_at = 2;
	r->log.answer = -EPIPE;
	assert_int_equal(decode(r), -EPIPE);
	assert_string_equal(buf_str(&r->log.text), "0 10 cat/212/200 n n=1\n");
}

static void test_empty(void **state)
{
	struct recording *r = *state;

	assert_int_equal(decode(r), 0);
	assert_int_equal(r->summary.total, 0);
	r->probe.blob_size = 3;
	assert_int_equal(decode(r), -EBADMSG);
}

/* ---- time ---- */

/* struct times - expected CLOCK_MONOTONIC of event n */
struct times {
	uint64_t mono[400];
	uint64_t nr;
	uint64_t tolerance;
};

static int check_time(void *ctx, const struct event *e)
{
	struct times *t = ctx;
	uint64_t want = t->mono[e->values[0].number];

	t->nr++;
	assert_in_range(e->mono, want - t->tolerance, want + t->tolerance);
	return 0;
}

/* A counter of 2.99 GHz that says 1 GHz, over an hour: only pairs are right. */
static void test_interpolation(void **state)
{
	struct recording *r = *state;
	struct times t = { .tolerance = 2 };
	uint64_t i, raw = 0x123456789abc;

	r->rb[0].mono_base = 77777777;
	r->rb[0].mono_num = 1000;
	r->rb[0].mono_den = 2990;
	for (i = 0; i < 400; i++, raw += 2990000000ULL * 9) {
		t.mono[i] = rb_mono(&r->rb[0], raw);
		event(r, 0, raw, i);
	}
	flush(r, 0);
	end_clock(r, 1);
	end_clock(r, raw);
	assert_int_equal(decode(r), 0);
	assert_int_equal(decode_file(&r->f, check_time, &t, &r->summary, NULL), 0);
	assert_int_equal(t.nr, 400);
}

/* The counter's rate changes at every sub-buffer; time is exact there. */
static void test_changing_rate(void **state)
{
	struct recording *r = *state;
	struct times t = { .tolerance = 2 };
	uint64_t i, raw = 0, mono = 1000000000;

	for (i = 0; i < 400; i++) {
		/* +- 500 ppm around 1:1, 12 events to a sub-buffer */
		r->rb[0].mono_base = mono - raw;
		t.mono[i] = mono;
		event(r, 0, raw, i);
		raw += 1000000;
		mono += 1000000 + (i / 12 % 2 ? 500 : -500);
	}
	flush(r, 0);
	r->clocks[r->f.nr_clocks++] = (struct ktap_session_state){
		.raw = raw, .mono = mono,
	};
	assert_int_equal(decode(r), 0);
	assert_int_equal(decode_file(&r->f, check_time, &t, &r->summary, NULL), 0);
	assert_int_equal(t.nr, 400);
}

/* Without an end there is no pair behind the last sub-buffer. */
static void test_time_of_a_cut_recording(void **state)
{
	struct recording *r = *state;
	struct times t = { .tolerance = 2 };
	uint64_t i, raw = 1000;

	r->rb[0].mono_den = 3;
	for (i = 0; i < 400; i++, raw += 300000000) {
		t.mono[i] = rb_mono(&r->rb[0], raw);
		event(r, 0, raw, i);
	}
	flush(r, 0);
	r->f.complete = false;
	assert_int_equal(decode(r), 0);
	assert_int_equal(decode_file(&r->f, check_time, &t, &r->summary, NULL), 0);
	assert_int_equal(t.nr, 400);
}

/* ---- gaps and damage ---- */

/* Overwritten sub-buffers are missing from the file, and nothing else is. */
static void test_gap(void **state)
{
	struct recording *r = *state;
	uint64_t i;

	for (i = 0; i < 48; i++)
		event(r, 0, i, i);
	flush(r, 0);
	/* four sub-buffers of 12; the second is gone */
	assert_int_equal(r->f.nr_batches, 4);
	memmove(&r->batches[1], &r->batches[2], 2 * sizeof(r->batches[0]));
	r->f.nr_batches = 3;
	assert_int_equal(decode(r), 0);
	assert_int_equal(r->log.nr, 36);
	assert_int_equal(r->summary.damaged, 0);
	assert_null(strstr(buf_str(&r->log.text), "n=12\n"));
	assert_non_null(strstr(buf_str(&r->log.text), "0 24 cat/212/200 n n=24\n"));
}

static void test_damage_is_counted(void **state)
{
	struct recording *r = *state;
	uint64_t i, at1, at2;

	for (i = 0; i < 48; i++)
		event(r, 0, i, i);
	flush(r, 0);
	event(r, 1, 5, 100);
	flush(r, 1);
	/* a record of nobody, a lost border, a sub-buffer without its start */
	at1 = 56 + 3 * 16;
	r->rb[0].bytes[at1] = 99;
	at2 = SUBBUF + 56 + 16;
	r->rb[0].bytes[at2 + 2] = 3;
	r->rb[0].bytes[2 * SUBBUF] = 77;
	assert_int_equal(decode(r), 0);
	assert_int_equal(r->summary.damaged, 3);
	assert_int_equal(r->log.nr, 11 + 1 + 12 + 1);
	assert_int_equal(r->summary.total, r->log.nr);
	assert_non_null(strstr(buf_str(&r->log.text), "0 47 cat/212/200 n n=47\n"));
	assert_non_null(strstr(buf_str(&r->log.text), "1 5 cat/212/200 n n=100\n"));
}

#define recording_test(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		recording_test(test_two_cpus),
		recording_test(test_ties_go_by_cpu),
		recording_test(test_many),
		recording_test(test_stop),
		recording_test(test_empty),
		recording_test(test_interpolation),
		recording_test(test_changing_rate),
		recording_test(test_time_of_a_cut_recording),
		recording_test(test_gap),
		recording_test(test_damage_is_counted),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
