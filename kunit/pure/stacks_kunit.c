// SPDX-License-Identifier: GPL-2.0
/* The table of stacks. */
#include <linux/slab.h>

#include "hit/stacks.h"
#include "pure.h"

/* struct hit - what a program leaves after its payload: one stack of four frames */
struct hit {
	u64 size;
	struct ktap_stack stack;
	u64 frames[4];
};

static struct hit hit_of(u64 last)
{
	struct hit h = {
		.size = sizeof(h) - sizeof(h.size),
		.stack = { .nr = 4, .end = KTAP_STACK_COMPLETE },
		.frames = { 1, 2, 3, last },
	};

	h.stack.id = ktap_stack_id(&h.stack);
	return h;
}

static void keep(const struct ktap_stacks *t, u64 last)
{
	struct hit h = hit_of(last);

	ktap_stacks_keep(t, &h.size);
}

static struct ktap_stacks *table_create(struct kunit *test)
{
	struct ktap_stacks *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	void *mem = kunit_kzalloc(test, KTAP_STACKS_MIN, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	KUNIT_ASSERT_NOT_NULL(test, mem);
	env_reset();
	ktap_stacks_init(t, mem, KTAP_STACKS_MIN, 1);
	return t;
}

/* How often a stack is in the table. */
static u32 times(const struct ktap_stacks *t, u64 last)
{
	struct hit h = hit_of(last);
	u32 i, n = 0, nr = t->head->used;

	for (i = 0; i < nr; i++)
		n += !memcmp((u64 *)t->head + t->order[i], &h.stack, h.size);
	return n;
}

static void stacks_are_kept_once(struct kunit *test)
{
	struct ktap_stacks *t = table_create(test);

	keep(t, 10);
	keep(t, 11);
	keep(t, 10);
	KUNIT_EXPECT_EQ(test, (u32)t->head->used, 2);
	KUNIT_EXPECT_EQ(test, times(t, 10), 1);
	KUNIT_EXPECT_EQ(test, times(t, 11), 1);
	KUNIT_EXPECT_EQ(test, t->head->lost, 0);
}

static void stacks_are_counted_when_lost(struct kunit *test)
{
	struct ktap_stacks *t = table_create(test);
	u64 i, kept = 0;

	for (i = 0; i < 4096; i++)
		keep(t, i);
	for (i = 0; i < 4096; i++)
		kept += times(t, i);
	KUNIT_EXPECT_GT(test, kept, 300);
	KUNIT_EXPECT_EQ(test, kept, (u32)t->head->used);
	KUNIT_EXPECT_EQ(test, kept + t->head->lost, 4096);
}

static const struct ktap_stacks *nested;
static u64 points;

/* An interrupt adds the stack that is being added, and one of its own. */
static void interrupt(void)
{
	env_world.point = NULL;
	keep(nested, 10);
	keep(nested, 1000 + points++);
	env_world.point = interrupt;
}

static void stacks_of_interrupts(struct kunit *test)
{
	struct ktap_stacks *t = table_create(test);
	u64 i;

	nested = t;
	points = 0;
	env_world.point = interrupt;
	keep(t, 10);
	env_world.point = NULL;
	KUNIT_EXPECT_GE(test, times(t, 10), 1);
	KUNIT_EXPECT_LE(test, times(t, 10), 2);
	for (i = 0; i < points; i++)
		KUNIT_EXPECT_EQ(test, times(t, 1000 + i), 1);
	KUNIT_EXPECT_EQ(test, t->head->lost, 0);
}

/* struct big - likewise: a stack that does not fit where one of four frames does */
struct big {
	u64 size;
	struct ktap_stack stack;
	u64 frames[100];
};

static struct hit small;

/* An interrupt after the row was claimed: before the point of taking space. */
static void second_point(void)
{
	if (points++ != 1)
		return;
	env_world.point = NULL;
	ktap_stacks_keep(nested, &small.size);
}

/* What passed a row is found again, also if the stack of that row had no space. */
static void stacks_pass_rows_given_up(struct kunit *test)
{
	struct ktap_stacks *t = table_create(test);
	struct big *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	u64 words = sizeof(small) / sizeof(u64) - 1, last = 0;

	KUNIT_ASSERT_NOT_NULL(test, b);
	b->size = sizeof(*b) - sizeof(b->size);
	b->stack.nr = ARRAY_SIZE(b->frames);
	b->stack.end = KTAP_STACK_COMPLETE;
	b->stack.id = ktap_stack_id(&b->stack);
	do {
		small = hit_of(last++);
	} while ((small.stack.id >> 32 & t->mask) != (b->stack.id >> 32 & t->mask));
	t->head->used = (t->head->stacks_end / 8 - words) << 32;
	nested = t;
	points = 0;
	env_world.point = second_point;
	ktap_stacks_keep(t, &b->size);
	env_world.point = NULL;
	KUNIT_EXPECT_EQ(test, t->head->lost, 1);
	KUNIT_EXPECT_EQ(test, times(t, last - 1), 1);
	ktap_stacks_keep(t, &small.size);
	KUNIT_EXPECT_EQ(test, t->head->lost, 1);
}

static struct kunit_case stacks_cases[] = {
	KUNIT_CASE(stacks_are_kept_once),
	KUNIT_CASE(stacks_are_counted_when_lost),
	KUNIT_CASE(stacks_of_interrupts),
	KUNIT_CASE(stacks_pass_rows_given_up),
	{}
};

struct kunit_suite ktap_stacks_suite = {
	.name = "ktap_stacks",
	.test_cases = stacks_cases,
};
