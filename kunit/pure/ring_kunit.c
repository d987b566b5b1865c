// SPDX-License-Identifier: GPL-2.0
/*
 * The ring, one writer at a time: both modes, losses, forged tails.
 */
#include <linux/random.h>

#include "ring_rig.h"
#include "pure.h"

/* Write until there is no room for one more. Return: records written. */
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
	u32 n = fill_up(rig, 0); /* one was lost */

	fill_up(rig, n);
	fill_up(rig, n); /* three by now */
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
	/* honest again: what is written now must be right */
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

/* A record after another task's, as it seems. Return: position of what is new. */
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
	/* as if its place had been taken */
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

/* A clock that ticks, and somebody who runs. */
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
	KUNIT_CASE(ring_notices_another_task),
	KUNIT_CASE(ring_writes_far_times_in_full),
	{}
};

struct kunit_suite ktap_ring_suite = {
	.name = "ktap_ring",
	.init = ring_init,
	.test_cases = ring_cases,
};
