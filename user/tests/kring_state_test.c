// SPDX-License-Identifier: GPL-2.0
/*
 * What the ring's writer adds to records, whom it trusts and whom it wakes.
 * needs: kmod/hit/ring.c user/tests/kring/rig.c user/tests/kring/single.c
 */
#include "kring/single.h"

/* ---- state: time and task --------------------------------------------------- */

static void test_time_that_is_near_needs_no_record(void **state)
{
	env_world.step = 0;
	put_ok(72);
	env_world.clock = (1ULL << 31) - 1;
	put_ok(72);
	read_all();
	assert_int_equal(reader.states, 0);
	assert_int_equal(events[1].time, (1ULL << 31) - 1);
}

static void test_time_record_when_the_distance_is_large(void **state)
{
	static const u64 jumps[] = { 1ULL << 31, 1ULL << 32, (1ULL << 33) + 5,
				     1ULL << 62 };
	unsigned int i;
	u64 at = 7;

	env_world.step = 0;
	env_world.clock = at;
	put_ok(72);
	for (i = 0; i < 4; i++) {
		at += jumps[i];
		env_world.clock = at;
		put_ok(72);
		read_all();
		assert_int_equal(reader.states, i + 1);
		assert_int_equal(events[i + 1].time, at);
	}
}

/* Steps that are each near, and far together. */
static void test_time_drifts_away_from_the_last_full_one(void **state)
{
	unsigned int i;

	make(64 * BYTES, 64 * SUBBUF, 0, false);
	env_world.step = 0;
	for (i = 0; i < 40; i++) {
		env_world.clock += 1ULL << 29;
		put_ok(72);
	}
	read_all();
	/* the first is the sub-buffer's, then every fourth */
	assert_int_equal(reader.states, 9);
	assert_int_equal(events[39].time, 40ULL << 29);
}

static void test_sub_buffer_renews_the_full_time(void **state)
{
	env_world.step = 0;
	put_ok(SUBBUF - FIRST);
	env_world.clock = 3ULL << 31;
	put_ok(72);
	read_all();
	assert_int_equal(reader.states, 0);
	assert_int_equal(events[1].time, 3ULL << 31);
}

/* A counter that went back is told in full: it is not in the future. */
static void test_clock_that_goes_back(void **state)
{
	struct ktap_rec_time rec;

	env_world.step = 0;
	env_world.clock = 1000;
	put_ok(72);
	env_world.clock = 999;
	put_ok(72);
	memcpy(&rec, rig.ring.data + FIRST + 72, sizeof(rec));
	assert_int_equal(rec.head.id, KTAP_REC_TIME);
	assert_int_equal(rec.raw, 999);
}

/* A record at @clock, from the last full time, which is 0. Return: time_span. */
static u64 span_after(u64 clock, u64 quiet)
{
	env_world.clock = clock;
	env_world.quiet = quiet;
	put_ok(72);
	assert_int_equal(rig.ring.time_base, 0);
	return rig.ring.time_span;
}

/* What env_quiet() asks for counts from now, and is asked on the slow path. */
static void test_hits_are_slow_when_they_are_to_be(void **state)
{
	const u64 span = KTAP_RING_TIME_SPAN;

	make(64 * BYTES, 64 * SUBBUF, 0, false);
	rig.wild = true;
	env_world.step = 0;
	assert_int_equal(span_after(0, 1000), 1000);
	assert_int_equal(span_after(999, 5), 1000);
	assert_int_equal(span_after(1000, 5), 1005);
	assert_int_equal(span_after(1004, 1), 1005);
	assert_int_equal(span_after(2000, 0), 0);
	assert_int_equal(span_after(2000, 0), 0);
	assert_int_equal(span_after(2000, 1), 2001);
	assert_int_equal(span_after(2001, span), span);
	assert_int_equal(span_after(span - 1, 0), span);
	rig.ring.time_span = 0;
	assert_int_equal(span_after(span - 2, 1), span - 1);
	assert_int_equal(span_after(span - 1, 1), span);
	rig.ring.time_span = 0;
	assert_int_equal(span_after(span - 1, 2), span);
	rig.ring.time_span = 0;
	assert_int_equal(span_after(5, ~0ULL), span);
	rig.ring.time_span = 0;
	assert_int_equal(span_after(5, ~0ULL - 4), span);
	read_all();
	assert_int_equal(reader.states, 0);
}

/* A clock that goes back is no reason to be quick again. */
static void test_hits_stay_slow_when_the_clock_goes_back(void **state)
{
	env_world.step = 0;
	env_world.clock = 1000;
	put_ok(72);
	env_world.clock = 1010;
	rig.ring.time_span = 0;
	env_world.quiet = 0;
	put_ok(72);
	assert_int_equal(rig.ring.time_span, 0);
	env_world.clock = 1005;
	env_world.quiet = ~0ULL;
	put_ok(72);
	assert_int_equal(rig.ring.time_span, KTAP_RING_TIME_SPAN);
}

static void test_task_changes(void **state)
{
	static const struct {
		u32 tid;
		const char *comm;
		u64 states;
	} steps[] = {
		{ 1, "test", 0 },
		{ 2, "test", 1 },
		{ 2, "tesT", 2 },
		{ 2, "tesT56789", 3 },
		{ 2, "tesT56789012345", 4 },
		{ 2, "tesT56789012345", 4 },
		{ 1, "test", 5 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		env_set_task(steps[i].tid, 100 + steps[i].tid, steps[i].comm);
		put_ok(72);
		read_all();
		assert_int_equal(reader.states, steps[i].states);
	}
}

/* What a change of task takes of the ring: its place in bytes, before the record. */
static u64 turn_to(u32 tid, u32 tgid, const char *comm)
{
	u64 before = rig.prod->head;

	env_set_task(tid, tgid, comm);
	put_ok(72);
	read_all();
	return rig.prod->head - before - 72;
}

static void test_known_tasks_are_only_named(void **state)
{
	const u64 full = sizeof(struct ktap_rec_task);
	const u64 name = sizeof(struct ktap_rec_again);

	make(BYTES, 2 * SUBBUF, 0, false);
	turn_to(1, 1, "test"); /* told by the sub-buffer itself */
	assert_int_equal(turn_to(2, 1, "other"), full);
	assert_int_equal(turn_to(1, 1, "test"), name);
	assert_int_equal(turn_to(2, 1, "other"), name);
	assert_int_equal(turn_to(2, 1, "othes"), full);
	assert_int_equal(turn_to(1, 1, "test"), name);
	assert_int_equal(turn_to(2, 1, "other"), full);
	/* a thread of another process, with the number and the name */
	assert_int_equal(turn_to(1, 1, "test"), name);
	assert_int_equal(turn_to(2, 3, "other"), full);
	/* one whose place is taken */
	assert_int_equal(turn_to(1 + KTAP_NR_TOLD, 1, "test"), full);
	assert_int_equal(turn_to(1, 1, "test"), full);
	assert_int_equal(turn_to(2, 3, "other"), name);
	assert_int_equal(reader.again, 5);
}

/* Each sub-buffer can be read without those before it. */
static void test_sub_buffers_know_their_own_tasks_only(void **state)
{
	turn_to(1, 1, "test");
	turn_to(2, 2, "other");
	while (rig.prod->head <= SUBBUF)
		put_ok(72);
	assert_int_equal(turn_to(1, 1, "test"), sizeof(struct ktap_rec_task));
	assert_int_equal(turn_to(2, 2, "other"), sizeof(struct ktap_rec_again));
}

static void test_everything_at_once(void **state)
{
	unsigned int lost = 0;

	while (!put(104))
		continue;
	for (lost = 1; lost < 7; lost++)
		assert_int_equal(put(104), KTAP_RING_FULL);
	read_all();
	env_set_task(9, 8, "another");
	env_world.clock += 5ULL << 32;
	/* in a new sub-buffer it is one record, in the middle of one it is two */
	put_ok(104);
	env_set_task(7, 6, "third");
	env_world.clock += 5ULL << 32;
	put_ok(104);
	read_all();
	assert_int_equal(reader.lost, lost);
	assert_int_equal(reader.states, 2);
}

/* ---- what a forger can do ----------------------------------------------------- */

static void test_forged_tails_lose_records_only(void **state)
{
	static const u64 tails[] = { 1, 7, 8, BYTES, ~0ULL, ~0ULL - BYTES,
				     1ULL << 63, (1ULL << 63) - 1, 12345 };
	u64 before, seed = 1;
	unsigned int i;

	for (i = 0; i < 10000; i++) {
		before = rig.prod->reserve;
		seed = seed * 6364136223846793005 + 1442695040888963407;
		if (i % 2)
			rig.cons.tail = before + (__s64)(seed >> 51) - 4096;
		else
			rig.cons.tail = before - tails[i / 2 % 9];
		if (put(72 + 8 * (seed % 100)))
			assert_int_equal(rig.prod->reserve, before);
		else
			assert_true(rig.prod->reserve - before <= 2 * SUBBUF);
		/* the data is never beyond the ring: the sanitizer sees to it */
	}
	/* an honest reader that takes over finds whole records */
	reader.position = ALIGN(rig.prod->head, SUBBUF);
	while (rig.prod->head <= reader.position + SUBBUF) {
		rig.cons.tail = rig.prod->head;
		put_ok(72);
	}
	read_all();
	assert_true(reader.events >= 13);
}

static void test_tail_far_ahead_loses_all(void **state)
{
	put_ok(72);
	rig.cons.tail = rig.prod->head + BYTES;
	/* the sub-buffer that was found free stays so: look again */
	rig.ring.soft_end = 0;
	assert_int_equal(put(72), KTAP_RING_FULL);
	rig.cons.tail = rig.prod->head + (1ULL << 40);
	assert_int_equal(put(72), KTAP_RING_FULL);
	rig.cons.tail = rig.prod->head;
	put_ok(72);
}

/* Positions are free-running: nothing is special about 2^32 or 2^64. */
static void test_positions_run_on(void **state)
{
	static const u64 starts[] = { (1ULL << 32) - BYTES, (1ULL << 63) - BYTES,
				      0ULL - 2 * BYTES };
	unsigned int s, i;

	for (s = 0; s < 3; s++) {
		make(BYTES, SUBBUF, 0, false);
		rig_at(&rig, starts[s]);
		reader.position = starts[s];
		for (i = 0; i < 15; i++) {
			put_ok(200);
			read_all();
		}
		assert_int_equal(reader.events, 15);
	}
}

/* ---- waking ----------------------------------------------------------------------- */

static void test_wakes_for_any_record(void **state)
{
	put_ok(72);
	assert_int_equal(env_world.wakes, 1);
	put_ok(72);
	assert_int_equal(env_world.wakes, 2);
}

static void test_wakes_at_the_watermark(void **state)
{
	make(BYTES, SUBBUF, FIRST + 3 * 100 - 4, false);
	put_ok(96);
	put_ok(96);
	put_ok(96);
	assert_int_equal(env_world.wakes, 0);
	put_ok(96);
	assert_int_equal(env_world.wakes, 1);
	put_ok(96);
	assert_int_equal(env_world.wakes, 1);
}

/*
 * The reader took what was there when it looked, and sleeps with up to a
 * watermark unread, just after the last wake-up. The ring fills: it must be
 * woken before or when the first record is lost, or it would sleep for ever.
 */
static void test_a_sleeper_is_woken_before_records_are_lost(void **state)
{
	u32 watermark = BYTES / 2;

	make(BYTES, SUBBUF, watermark, false);
	while (!env_world.wakes)
		put_ok(104);
	rig.cons.tail = rig.prod->head - watermark;
	env_world.wakes = 0;
	while (!put(104))
		continue;
	assert_true(env_world.wakes > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SINGLE_TEST(test_time_that_is_near_needs_no_record),
		SINGLE_TEST(test_time_record_when_the_distance_is_large),
		SINGLE_TEST(test_time_drifts_away_from_the_last_full_one),
		SINGLE_TEST(test_sub_buffer_renews_the_full_time),
		SINGLE_TEST(test_clock_that_goes_back),
		SINGLE_TEST(test_hits_are_slow_when_they_are_to_be),
		SINGLE_TEST(test_hits_stay_slow_when_the_clock_goes_back),
		SINGLE_TEST(test_task_changes),
		SINGLE_TEST(test_known_tasks_are_only_named),
		SINGLE_TEST(test_sub_buffers_know_their_own_tasks_only),
		SINGLE_TEST(test_everything_at_once),
		SINGLE_TEST(test_forged_tails_lose_records_only),
		SINGLE_TEST(test_tail_far_ahead_loses_all),
		SINGLE_TEST(test_positions_run_on),
		SINGLE_TEST(test_wakes_for_any_record),
		SINGLE_TEST(test_wakes_at_the_watermark),
		SINGLE_TEST(test_a_sleeper_is_woken_before_records_are_lost),
	};

	return cmocka_run_group_tests_name("kring_state", tests, NULL, NULL);
}
