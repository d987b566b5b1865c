// SPDX-License-Identifier: GPL-2.0
/* The ring with one writer at a time: both modes, losses, forged tails. */
#include <linux/random.h>

#include "ring_rig.h"
#include "pure.h"

/* Writes until the ring is full. Return: number of records written. */
static u32 fill_up(struct rig *rig, u32 seq)
{
	u32 n = 0;

	preempt_disable();
	while (n < RIG_SIZE && rig_write(rig, 0, seq + n, 3))
		n++;
	preempt_enable();
	return n;
}

static void ring_keeps_the_oldest(struct kunit *test)
{
	struct rig *rig = rig_create(test, false);
	struct rig_seen seen = {};
	u64 pos = 0;
	u32 n = fill_up(rig, 0);

	KUNIT_EXPECT_GT(test, n, RIG_SIZE / 80U);
	KUNIT_EXPECT_LT(test, n, (u32)RIG_SIZE / 24);
	KUNIT_EXPECT_EQ(test, fill_up(rig, n), 0U);
	rig_read(rig, &pos, rig_head(rig), &seen);
	KUNIT_EXPECT_EQ(test, seen.records, (u64)n);
	KUNIT_EXPECT_EQ(test, seen.bad + seen.gaps + seen.backwards, 0ULL);
	rig_check_guards(test, rig);
}

static void ring_tells_losses_before_the_next_record(struct kunit *test)
{
	struct rig *rig = rig_create(test, false);
	struct rig_seen seen = {};
	u64 pos = 0;
	u32 n = fill_up(rig, 0); /* one record was lost */

	fill_up(rig, n);
	fill_up(rig, n); /* three lost records so far */
	rig_read(rig, &pos, rig_head(rig), &seen);
	KUNIT_EXPECT_EQ(test, seen.lost, 0ULL);
	smp_store_release(&rig->cons->tail, pos); /* C */
	preempt_disable();
	KUNIT_EXPECT_TRUE(test, rig_write(rig, 0, n, 0));
	preempt_enable();
	rig_read(rig, &pos, rig_head(rig), &seen);
	KUNIT_EXPECT_EQ(test, seen.lost, 3ULL);
	KUNIT_EXPECT_EQ(test, seen.records, (u64)n + 1);
	KUNIT_EXPECT_EQ(test, seen.bad, 0ULL);
}

static void ring_overwrites_the_oldest(struct kunit *test)
{
	struct rig *rig = rig_create(test, true);
	struct rig_seen seen = {};
	u32 i, n = 20000;
	u64 pos, head;

	preempt_disable();
	for (i = 0; i < n; i++)
		if (!rig_write(rig, 0, i, i % 7))
			break;
	preempt_enable();
	KUNIT_EXPECT_EQ(test, i, n);
	head = rig_head(rig);
	pos = ALIGN(head - RIG_SIZE, RIG_SUBBUF);
	rig_read(rig, &pos, head, &seen);
	KUNIT_EXPECT_EQ(test, seen.bad, 0ULL);
	KUNIT_EXPECT_LE_MSG(test, seen.gaps, 1ULL, "the first is not number 0");
	KUNIT_EXPECT_EQ(test, seen.next[0], n);
	KUNIT_EXPECT_GT(test, seen.records, 3ULL * RIG_SUBBUF / 80);
	rig_check_guards(test, rig);
}

static void ring_refuses_what_no_subbuffer_holds(struct kunit *test)
{
	struct rig *rig = rig_create(test, false);
	void *p;

	preempt_disable();
	p = rig_reserve(rig, RIG_SUBBUF / 8);
	ktap_ring_commit(&rig->ring);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, ktap_ring_failed(p), (unsigned long)KTAP_RING_BIG);
	KUNIT_EXPECT_EQ(test, rig_head(rig), 0ULL);
}

static void ring_survives_forged_tails(struct kunit *test)
{
	struct rig *rig = rig_create(test, false);
	struct rig_seen seen = {};
	u64 before, pos = 0;
	u32 i, seq = 0;

	for (i = 0; i < 20000; i++) {
		u64 forged = i % 3 ? get_random_u64() :
				     rig_head(rig) + (s16)get_random_u16();

		WRITE_ONCE(rig->cons->tail, forged);
		before = rig_head(rig);
		preempt_disable();
		seq += rig_write(rig, 0, seq, i % 9);
		preempt_enable();
		KUNIT_ASSERT_LE(test, before, rig_head(rig));
		KUNIT_ASSERT_LE(test, rig_head(rig) - before, 2ULL * RIG_SUBBUF);
	}
	rig_check_guards(test, rig);
	/* the tail is valid again: records must be correct from here on */
	before = rig_head(rig);
	pos = before;
	WRITE_ONCE(rig->cons->tail, before);
	seen.next[0] = seq;
	seen.base = rig->ring.time_base;
	preempt_disable();
	KUNIT_EXPECT_TRUE(test, rig_write(rig, 0, seq, 1));
	preempt_enable();
	rig_read(rig, &pos, rig_head(rig), &seen);
	KUNIT_EXPECT_EQ(test, seen.records, 1ULL);
	KUNIT_EXPECT_EQ(test, seen.bad + seen.gaps, 0ULL);
}

static const char mark_text[256] = "phase 2 of 3";

static void ring_writes_marks_of_all_sizes(struct kunit *test)
{
	struct rig *rig = rig_create(test, false);
	struct rig_seen seen = {};
	u64 pos = 0;
	u32 size;

	for (size = 1; size <= KTAP_MARK_MAX; size += 11) {
		preempt_disable();
		KUNIT_EXPECT_TRUE(test, ktap_ring_mark(&rig->ring, mark_text, size));
		preempt_enable();
		rig_read(rig, &pos, rig_head(rig), &seen);
		KUNIT_ASSERT_NOT_NULL(test, seen.mark);
		KUNIT_EXPECT_EQ(test, (u32)seen.mark->head.size,
				(u32)sizeof(seen.mark->head) + ALIGN(size, 8));
		KUNIT_EXPECT_EQ(test, memcmp(seen.mark->text, mark_text, size), 0);
		smp_store_release(&rig->cons->tail, pos); /* C */
	}
	KUNIT_EXPECT_EQ(test, seen.marks, 24ULL);
	KUNIT_EXPECT_EQ(test, seen.bad + seen.records + seen.lost, 0ULL);
	rig_check_guards(test, rig);
}

/* A lost mark counts as a lost record, whatever the next record is. */
static void ring_counts_lost_marks(struct kunit *test)
{
	struct rig *rig = rig_create(test, false);
	struct rig_seen seen = {};
	u64 pos = 0;
	u32 n = fill_up(rig, 0); /* one record was lost */

	preempt_disable();
	KUNIT_EXPECT_FALSE(test, ktap_ring_mark(&rig->ring, mark_text, KTAP_MARK_MAX));
	preempt_enable();
	rig_read(rig, &pos, rig_head(rig), &seen);
	KUNIT_EXPECT_EQ(test, seen.marks + seen.lost, 0ULL);
	smp_store_release(&rig->cons->tail, pos); /* C */
	preempt_disable();
	KUNIT_EXPECT_TRUE(test, ktap_ring_mark(&rig->ring, mark_text, 12));
	preempt_enable();
	rig_read(rig, &pos, rig_head(rig), &seen);
	KUNIT_EXPECT_EQ(test, seen.lost, 2ULL);
	KUNIT_EXPECT_EQ(test, seen.marks, 1ULL);
	KUNIT_EXPECT_EQ(test, seen.records, (u64)n);
	KUNIT_EXPECT_EQ(test, seen.bad, 0ULL);
}

/* Writes a record after one of another task. Return: position of the new state record. */
static u64 write_after_another(struct rig *rig)
{
	u64 pos;

	preempt_disable();
	rig->ring.tid++;
	pos = rig_head(rig);
	rig_write(rig, 0, 1, 0);
	preempt_enable();
	return pos;
}

static void ring_notices_another_task(struct kunit *test)
{
	struct rig *rig = rig_create(test, false);
	const struct ktap_rec_again *again;
	const struct ktap_rec_task *t;

	preempt_disable();
	rig_write(rig, 0, 0, 0);
	preempt_enable();
	again = ktap_ring_at(&rig->ring, write_after_another(rig));
	KUNIT_ASSERT_EQ(test, again->id, KTAP_REC_AGAIN);
	KUNIT_EXPECT_EQ(test, (size_t)again->size, sizeof(*again));
	KUNIT_EXPECT_EQ(test, again->tid, env_world.tid);
	/* as if another task had taken its slot */
	rig->ring.told[env_world.tid % KTAP_NR_TOLD].tid++;
	t = ktap_ring_at(&rig->ring, write_after_another(rig));
	KUNIT_ASSERT_EQ(test, t->head.id, KTAP_REC_TASK);
	KUNIT_EXPECT_EQ(test, t->tid, env_world.tid);
	KUNIT_EXPECT_EQ(test, t->tgid, env_world.tgid);
	KUNIT_EXPECT_STREQ(test, t->comm, (char *)env_world.comm);
}

static void ring_writes_far_times_in_full(struct kunit *test)
{
	struct rig *rig = rig_create(test, false);
	const struct ktap_rec_time *t;
	u64 pos;

	preempt_disable();
	rig_write(rig, 0, 0, 0);
	rig->ring.time_base -= KTAP_RING_TIME_SPAN;
	pos = rig_head(rig);
	rig_write(rig, 0, 1, 0);
	preempt_enable();
	t = ktap_ring_at(&rig->ring, pos);
	KUNIT_ASSERT_EQ(test, t->head.id, KTAP_REC_TIME);
	KUNIT_EXPECT_EQ(test, (u32)t->raw, t->head.time_low);
	KUNIT_EXPECT_EQ(test, t->raw, rig->ring.time_base);
}

/* Reads all records; errors fail the test. */
static struct rig_seen read_all(struct kunit *test, struct rig *rig)
{
	struct rig_seen seen = {};
	u64 pos = 0;

	rig_read(rig, &pos, rig_head(rig), &seen);
	KUNIT_EXPECT_EQ(test, seen.bad + seen.gaps + seen.backwards, 0ULL);
	rig_check_guards(test, rig);
	return seen;
}

/* A record stays reserved while others are written, and is committed after them. */
static void ring_publishes_with_the_outermost_writer(struct kunit *test)
{
	struct rig *rig = rig_create(test, false);
	struct rig_seen seen;
	void *outer;
	u64 head;

	preempt_disable();
	rig_write(rig, 0, 0, 0);
	head = rig_head(rig);
	outer = rig_reserve(rig, 2);
	KUNIT_EXPECT_FALSE(test, ktap_ring_failed(outer));
	rig_write(rig, 1, 0, 1);
	env_set_task(1, 1, "another");
	rig_write(rig, 2, 0, 1);
	KUNIT_EXPECT_EQ(test, rig_head(rig), head);
	rig_fill(outer, 0, 1);
	ktap_ring_commit(&rig->ring);
	preempt_enable();
	seen = read_all(test, rig);
	KUNIT_EXPECT_EQ(test, seen.records, 4ULL);
}

static struct rig *interrupted;
static u32 interrupts;

/*
 * Writes a record at every fifth interrupt point, so that a retried step is not
 * interrupted each time.
 */
static void interrupt(void)
{
	static bool inside;
	static u32 points;

	if (inside || ++points % 5)
		return;
	inside = true;
	interrupts += rig_write(interrupted, 1, interrupts, interrupts % 3);
	inside = false;
}

/* Times are in the order of reservation, and no state is repeated. */
static void ring_is_interrupted_anywhere(struct kunit *test)
{
	struct rig *rig = rig_create(test, false);
	struct rig_seen seen;
	u32 n;

	interrupted = rig;
	interrupts = 0;
	env_world.point = interrupt;
	preempt_disable();
	for (n = 0; n < 20; n++) {
		env_set_task(n % 5, n % 5, "writer");
		if (!rig_write(rig, 0, n, n % 4))
			break;
	}
	preempt_enable();
	env_world.point = NULL;
	KUNIT_EXPECT_EQ(test, n, 20U);
	KUNIT_EXPECT_GE(test, interrupts, 10U);
	seen = read_all(test, rig);
	KUNIT_EXPECT_EQ(test, seen.records, (u64)n + interrupts);
	KUNIT_EXPECT_EQ(test, rig->ring.nest, 0U);
}

static void ring_turns_to_another_task(struct kunit *test)
{
	const struct ktap_ring_want want = {
		ktap_ring_front(RIG_ID, sizeof(struct ktap_rec_head) +
					sizeof(struct rig_payload)),
		sizeof(struct ktap_rec_head) + sizeof(struct rig_payload),
	};
	struct rig *rig = rig_create(test, false);
	u32 told = 0, seq = 1, i;
	struct rig_seen seen;
	u8 *payload;

	preempt_disable();
	rig_write(rig, 0, 0, 0);
	KUNIT_EXPECT_FALSE_MSG(test, ktap_ring_turn(&rig->ring), "the same task");
	for (i = 0; i < 8; i++) {
		env_set_task(10 + i % 2, 10, "turns");
		told += ktap_ring_turn(&rig->ring);
		if (ktap_ring_try(&rig->ring, rig->ring.prod, env_task(), &want, &payload)) {
			rig_fill(payload, 0, seq++);
			ktap_ring_publish(&rig->ring, rig->ring.prod);
		}
	}
	env_set_task(99, 99, "last");
	KUNIT_EXPECT_TRUE(test, ktap_ring_turn(&rig->ring));
	ktap_ring_settle(&rig->ring);
	rig_reserve(rig, 0);
	KUNIT_EXPECT_FALSE_MSG(test, ktap_ring_turn(&rig->ring), "nothing is easy inside");
	ktap_ring_commit(&rig->ring);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, told, 8U);
	KUNIT_EXPECT_EQ(test, seq, 9U);
	seen = (struct rig_seen){};
	rig_read(rig, &(u64){ 0 }, rig_head(rig), &seen);
	KUNIT_EXPECT_EQ(test, seen.records, 9ULL);
}

/* Due state is written by the slow path too. */
static void ring_takes_the_slow_way_when_it_must(struct kunit *test)
{
	struct rig *rig = rig_create(test, false);

	preempt_disable();
	env_world.quiet = 100;
	rig_write(rig, 0, 0, 0);
	KUNIT_EXPECT_LE(test, rig->ring.time_span, 200ULL);
	env_world.clock += 1000;
	env_world.quiet = 0;
	rig_write(rig, 0, 1, 0);
	KUNIT_EXPECT_EQ(test, rig->ring.time_span, 0ULL);
	env_world.quiet = ~0ULL;
	rig_write(rig, 0, 2, 0);
	KUNIT_EXPECT_EQ(test, rig->ring.time_span, KTAP_RING_TIME_SPAN);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, read_all(test, rig).records, 3ULL);
}

/*
 * After the raw counter restarts, the next record begins a sub-buffer with a new clock
 * pair.
 */
static void ring_begins_anew_with_another_clock(struct kunit *test)
{
	struct rig *rig = rig_create(test, false);
	const struct ktap_rec_subbuf *s;

	env_world.clock = 1ULL << 40;
	preempt_disable();
	rig_write(rig, 0, 0, 0);
	env_world.clock = 5;
	rig_write(rig, 0, 1, 0);
	preempt_enable();
	s = ktap_ring_at(&rig->ring, RIG_SUBBUF);
	KUNIT_EXPECT_EQ(test, s->head.id, KTAP_REC_SUBBUF);
	KUNIT_EXPECT_EQ(test, s->seq, 1ULL);
	KUNIT_EXPECT_LT(test, s->raw, 100ULL);
}

static void ring_wakes_at_the_watermark(struct kunit *test)
{
	struct rig *rig = rig_create(test, false);
	u32 n;

	rig->ring.watermark = RIG_SUBBUF;
	rig->ring.wake_at = RIG_SUBBUF;
	preempt_disable();
	for (n = 0; rig_head(rig) <= RIG_SUBBUF; n++)
		rig_write(rig, 0, n, 0);
	KUNIT_EXPECT_EQ(test, rig->wakes, 1U);
	while (rig_write(rig, 0, n, 0))
		n++;
	preempt_enable();
	KUNIT_EXPECT_GE(test, rig->wakes, 3U);
}

/* Starts a ticking clock and sets a task. */
static int ring_init(struct kunit *test)
{
	env_reset();
	env_world.clock = 1000;
	env_world.step = 3;
	env_set_task(4711, 4700, "writer");
	return 0;
}

static struct kunit_case ring_cases[] = {
	KUNIT_CASE(ring_keeps_the_oldest),
	KUNIT_CASE(ring_tells_losses_before_the_next_record),
	KUNIT_CASE(ring_overwrites_the_oldest),
	KUNIT_CASE(ring_refuses_what_no_subbuffer_holds),
	KUNIT_CASE(ring_survives_forged_tails),
	KUNIT_CASE(ring_writes_marks_of_all_sizes),
	KUNIT_CASE(ring_counts_lost_marks),
	KUNIT_CASE(ring_notices_another_task),
	KUNIT_CASE(ring_writes_far_times_in_full),
	KUNIT_CASE(ring_publishes_with_the_outermost_writer),
	KUNIT_CASE(ring_is_interrupted_anywhere),
	KUNIT_CASE(ring_turns_to_another_task),
	KUNIT_CASE(ring_takes_the_slow_way_when_it_must),
	KUNIT_CASE(ring_begins_anew_with_another_clock),
	KUNIT_CASE(ring_wakes_at_the_watermark),
	{}
};

struct kunit_suite ktap_ring_suite = {
	.name = "ktap_ring",
	.init = ring_init,
	.test_cases = ring_cases,
};
