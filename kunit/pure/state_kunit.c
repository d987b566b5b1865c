// SPDX-License-Identifier: GPL-2.0
/* State between probes. */
#include <linux/slab.h>

#include "hit/state.h"
#include "pure.h"

#define NR_ENTRIES	KTAP_STATE_WAYS

static struct ktap_state table;

/* A table of one set. */
static void table_create(struct kunit *test)
{
	table.mask = 0;
	table.sets = kunit_kzalloc(test, sizeof(*table.sets), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, table.sets);
	env_reset();
	env_world.step = 1;
}

static bool put(u64 key, u64 value)
{
	const struct ktap_state_key k = { .key = key };
	bool replaced;

	return ktap_state_put(&table, &k, value, &replaced) && !replaced;
}

/* The value of a key; 0: it has none. */
static u64 get(u64 key, bool take)
{
	const struct ktap_state_key k = { .key = key };
	u64 value;

	return ktap_state_get(&table, &k, take, &value) ? value : 0;
}

static void state_is_taken_once(struct kunit *test)
{
	table_create(test);
	KUNIT_EXPECT_EQ(test, get(7, false), 0);
	KUNIT_EXPECT_TRUE(test, put(7, 70));
	KUNIT_EXPECT_TRUE(test, put(7, 71));
	KUNIT_EXPECT_EQ(test, get(7, false), 71);
	KUNIT_EXPECT_EQ(test, get(7, true), 71);
	KUNIT_EXPECT_EQ(test, get(7, true), 0);
}

static void state_loses_the_oldest(struct kunit *test)
{
	u64 i;

	table_create(test);
	for (i = 1; i <= NR_ENTRIES; i++)
		KUNIT_EXPECT_TRUE(test, put(i, i));
	KUNIT_EXPECT_FALSE(test, put(i, i));
	KUNIT_EXPECT_EQ(test, get(1, false), 0);
	for (i = 2; i <= NR_ENTRIES + 1; i++)
		KUNIT_EXPECT_EQ(test, get(i, false), i);
}

static u64 points, at;

static void interrupt(void)
{
	if (points++ != at)
		return;
	env_world.point = NULL;
	put(7, 71);
	env_world.point = interrupt;
}

/* A store of the same key comes at each moment of a store. */
static void state_of_interrupts(struct kunit *test)
{
	u64 value;

	at = 0;
	do {
		table_create(test);
		points = 0;
		env_world.point = interrupt;
		put(7, 70);
		env_world.point = NULL;
		value = get(7, true);
		KUNIT_EXPECT_TRUE(test, value == 70 || value == 71);
		KUNIT_EXPECT_EQ(test, get(7, true), 0);
	} while (at++ < points);
}

static struct kunit_case state_cases[] = {
	KUNIT_CASE(state_is_taken_once),
	KUNIT_CASE(state_loses_the_oldest),
	KUNIT_CASE(state_of_interrupts),
	{}
};

struct kunit_suite ktap_state_suite = {
	.name = "ktap_state",
	.test_cases = state_cases,
};
