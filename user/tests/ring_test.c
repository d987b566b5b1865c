// SPDX-License-Identifier: GPL-2.0
/* The ring reader over bytes that the test lays out itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

#include "ring_builder.h"
#include "wire/ring.h"

#define SUBBUF	256
#define SIZE	(8 * SUBBUF)

/* struct region - a ring in memory, and what the reader handed over */
struct region {
	struct ktap_ring_consumer consumer;
	struct {
		struct ktap_ring_producer producer;
		unsigned char data[SIZE];
	} p;
	unsigned char copy[SUBBUF];
	struct ring ring;
	struct ring_builder rb;

	unsigned char got[64 * SIZE];
	uint64_t first;		/* position of the first batch */
	uint64_t next;		/* position that the next batch should have */
	unsigned int gaps;
	unsigned int batches;
	unsigned int refuse;	/* number of the batch that is refused */
	uint64_t tail_seen;	/* tail while the batch was looked at */
};

static struct ktap_ring_producer good_producer(void)
{
	return (struct ktap_ring_producer){
		.magic = KTAP_RING_MAGIC,
		.cpu = 3,
		.size = SIZE,
		.data_offset = offsetof(struct region, p.data) -
			       offsetof(struct region, p),
		.subbuf_size = SUBBUF,
	};
}

static void region_init(struct region *g, bool overwrite)
{
	memset(g, 0, sizeof(*g));
	g->p.producer = good_producer();
	rb_init(&g->rb, SUBBUF);
	ring_init(&g->ring, &g->consumer, &g->p.producer,
		  overwrite ? g->copy : NULL);
}

/* Publish all that was built. */
static void region_publish(struct region *g)
{
	rb_lay(&g->rb, g->p.data, SIZE);
	g->p.producer.reserve = g->rb.head;
	g->p.producer.head = g->rb.head;
}

static int take_batch(void *ctx, unsigned int cpu, uint64_t position,
		      const void *data, size_t size)
{
	struct region *g = ctx;

	assert_int_equal(cpu, 3);
	assert_true(size > 0 && size % 8 == 0);
	assert_int_equal(position / SUBBUF, (position + size - 1) / SUBBUF);
	g->tail_seen = g->consumer.tail;
	if (++g->batches == g->refuse)
		return -ECANCELED;
	if (g->batches == 1)
		g->first = position;
	else if (position != g->next)
		g->gaps++;
	g->next = position + size;
	assert_true(g->next <= sizeof(g->got));
	memcpy(g->got + position, data, size);
	return 0;
}

static void events(struct region *g, unsigned int n, uint64_t raw)
{
	uint64_t payload[2] = { 1, 2 };

	while (n--) {
		payload[0]++;
		rb_event(&g->rb, 16, raw++, payload, sizeof(payload));
	}
}

static void test_in_place(void **state)
{
	struct region *g = *state;

	region_init(g, false);
	assert_int_equal(ring_read(&g->ring, take_batch, g), 0);
	assert_int_equal(g->batches, 0);

	/* 56 + 8 * 24 = 248, so one more record starts a second sub-buffer */
	events(g, 9, 1000);
	region_publish(g);
	assert_int_equal(g->rb.head, 256 + 56 + 24);
	assert_int_equal(ring_read(&g->ring, take_batch, g), g->rb.head);
	assert_int_equal(g->batches, 2);
	assert_int_equal(g->tail_seen, 256);
	assert_int_equal(g->consumer.tail, g->rb.head);
	assert_memory_equal(g->got, g->rb.bytes, g->rb.head);
	assert_int_equal(ring_read(&g->ring, take_batch, g), 0);
}

static void test_wraps(void **state)
{
	struct region *g = *state;
	int round;

	region_init(g, false);
	for (round = 0; round < 40; round++) {
		events(g, 1 + round % 17, 5000 + 100 * round);
		region_publish(g);
		assert_true(ring_read(&g->ring, take_batch, g) > 0);
		assert_int_equal(g->consumer.tail, g->rb.head);
	}
	assert_true(g->rb.head > 2 * SIZE);
	assert_int_equal(g->gaps, 0);
	assert_memory_equal(g->got, g->rb.bytes, g->rb.head);
}

/* A batch that the caller did not want is offered again. */
static void test_refused_batch(void **state)
{
	struct region *g = *state;

	region_init(g, false);
	events(g, 9, 1000);
	region_publish(g);
	g->refuse = 2;
	assert_int_equal(ring_read(&g->ring, take_batch, g), -ECANCELED);
	assert_int_equal(g->consumer.tail, 256);
	assert_int_equal(ring_read(&g->ring, take_batch, g), g->rb.head - 256);
	assert_memory_equal(g->got, g->rb.bytes, g->rb.head);
}

static void test_impossible_head(void **state)
{
	struct region *g = *state;

	region_init(g, false);
	g->p.producer.head = SIZE + 8;
	assert_int_equal(ring_read(&g->ring, take_batch, g), -EPROTO);
	g->p.producer.head = (uint64_t)-8;
	assert_int_equal(ring_read(&g->ring, take_batch, g), -EPROTO);
	assert_int_equal(g->batches, 0);
	g->p.producer.head = SIZE;
	assert_int_equal(ring_read(&g->ring, take_batch, g), SIZE);
}

static void test_overwrite_whole(void **state)
{
	struct region *g = *state;

	region_init(g, true);
	events(g, 20, 1000);
	region_publish(g);
	assert_int_equal(ring_read(&g->ring, take_batch, g), g->rb.head);
	assert_int_equal(g->first, 0);
	assert_memory_equal(g->got, g->rb.bytes, g->rb.head);
}

/* A reader that was lapped goes on at the oldest sub-buffer that is whole. */
static void test_overwrite_lapped(void **state)
{
	struct region *g = *state;
	uint64_t oldest;

	region_init(g, true);
	events(g, 3, 1000);
	region_publish(g);
	assert_true(ring_read(&g->ring, take_batch, g) > 0);

	events(g, 400, 2000);
	region_publish(g);
	oldest = (g->rb.head - SIZE + SUBBUF - 1) / SUBBUF * SUBBUF;
	assert_int_equal(ring_read(&g->ring, take_batch, g),
			 g->rb.head - oldest);
	assert_int_equal(g->gaps, 1);
	assert_memory_equal(g->got + oldest, g->rb.bytes + oldest,
			    g->rb.head - oldest);
	assert_int_equal(ring_read(&g->ring, take_batch, g), 0);
}

/* Space that is given out but not published counts against the copy. */
static void test_overwrite_reserved(void **state)
{
	struct region *g = *state;

	region_init(g, true);
	events(g, 60, 1000);
	region_publish(g);
	assert_true(g->rb.head <= SIZE);
	g->p.producer.reserve = SIZE + 8;
	assert_int_equal(ring_read(&g->ring, take_batch, g),
			 g->rb.head - SUBBUF);
	assert_int_equal(g->first, SUBBUF);
}

/* Resync past the published head: nothing can be read, nothing breaks. */
static void test_overwrite_past_head(void **state)
{
	struct region *g = *state;

	region_init(g, true);
	events(g, 2, 1000);
	region_publish(g);
	g->p.producer.reserve = g->rb.head + SIZE;
	assert_int_equal(ring_read(&g->ring, take_batch, g), 0);
	assert_int_equal(g->batches, 0);
	g->p.producer.head = g->p.producer.reserve;
	assert_true(ring_read(&g->ring, take_batch, g) > 0);
	assert_int_equal(g->first, SUBBUF);
}

static void test_geometry(void **state)
{
	struct ktap_ring_producer p = good_producer();
	size_t all = p.data_offset + SIZE;

	assert_int_equal(ring_bytes(&p), all);
	p.magic++;
	assert_int_equal(ring_bytes(&p), 0);
	p = good_producer();
	p.size--;
	assert_int_equal(ring_bytes(&p), 0);
	p = good_producer();
	p.size = 0;
	assert_int_equal(ring_bytes(&p), 0);
	p.size = 1ULL << 63;
	assert_int_equal(ring_bytes(&p), 0);
	p = good_producer();
	p.subbuf_size = 2 * SIZE;
	assert_int_equal(ring_bytes(&p), 0);
	p.subbuf_size = 32;
	assert_int_equal(ring_bytes(&p), 0);
	p.subbuf_size = 3 * 64;
	assert_int_equal(ring_bytes(&p), 0);
	p = good_producer();
	p.data_offset = 8;
	assert_int_equal(ring_bytes(&p), 0);
	p.data_offset = 4095;
	assert_int_equal(ring_bytes(&p), 0);
}

/* ---- a writer that overwrites while the reader copies ---- */

#define RACE_WORDS (SIZE / 8)

/* struct race - every word of the ring holds its own position */
struct race {
	struct ktap_ring_consumer consumer;
	struct {
		struct ktap_ring_producer producer;
		uint64_t data[RACE_WORDS];
	} p;
	uint64_t copy[SUBBUF / 8];
	bool stop;
	uint64_t bad;
	uint64_t good;
};

static void *race_writer(void *arg)
{
	struct race *r = arg;
	uint64_t pos, end = 0;

	while (!__atomic_load_n(&r->stop, __ATOMIC_RELAXED)) {
		pos = end;
		end += SUBBUF / 4;
		__atomic_store_n(&r->p.producer.reserve, end, __ATOMIC_RELAXED);
		__atomic_thread_fence(__ATOMIC_RELEASE);
		for (; pos < end; pos += 8)
			__atomic_store_n(&r->p.data[pos / 8 % RACE_WORDS], pos,
					 __ATOMIC_RELAXED);
		__atomic_store_n(&r->p.producer.head, end, __ATOMIC_RELEASE);
	}
	return NULL;
}

static int race_batch(void *ctx, unsigned int cpu, uint64_t position,
		      const void *data, size_t size)
{
	const uint64_t *words = data;
	struct race *r = ctx;
	size_t i;

	for (i = 0; i < size / 8; i++) {
		if (words[i] == position + 8 * i)
			r->good++;
		else
			r->bad++;
	}
	return 0;
}

static void test_overwrite_race(void **state)
{
	struct race *r = calloc(1, sizeof(*r));
	pthread_t writer;
	struct ring ring;
	uint64_t until = 20 * 1000 * 1000 / 8;
	ssize_t got = 0;

	assert_non_null(r);
	r->p.producer = good_producer();
	r->p.producer.data_offset = offsetof(struct race, p.data) -
				    offsetof(struct race, p);
	ring_init(&ring, &r->consumer, &r->p.producer, r->copy);
	assert_int_equal(pthread_create(&writer, NULL, race_writer, r), 0);
	while (got >= 0 && r->good + r->bad < until)
		got = ring_read(&ring, race_batch, r);
	__atomic_store_n(&r->stop, true, __ATOMIC_RELAXED);
	pthread_join(writer, NULL);
	assert_true(got >= 0);
	assert_int_equal(r->bad, 0);
	free(r);
}

static int make_region(void **state)
{
	*state = calloc(1, sizeof(struct region));
	return *state ? 0 : -1;
}

static int free_region(void **state)
{
	struct region *g = *state;

	rb_deinit(&g->rb);
	free(g);
	return 0;
}

#define region_test(f) cmocka_unit_test_setup_teardown(f, make_region, free_region)

int main(void)
{
	const struct CMUnitTest tests[] = {
		region_test(test_in_place),
		region_test(test_wraps),
		region_test(test_refused_batch),
		region_test(test_impossible_head),
		region_test(test_overwrite_whole),
		region_test(test_overwrite_lapped),
		region_test(test_overwrite_reserved),
		region_test(test_overwrite_past_head),
		cmocka_unit_test(test_geometry),
		cmocka_unit_test(test_overwrite_race),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
