// SPDX-License-Identifier: GPL-2.0
/* Maps and their plans. */
#include <linux/slab.h>

#include "hit/plan.h"
#include "pure.h"

/* struct rig - a program that stores register 0 as a value and register 1 last, and a map */
struct rig {
	struct run *r;
	struct ktap_insn insns[8];
	struct ktap_map map;
	struct ktap_plan plan;
	u8 *run;
	u8 *planned;
};

static u8 *table_create(struct kunit *test, const struct ktap_map *m)
{
	u8 *table = kunit_kzalloc(test, ktap_map_bytes(m), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, table);
	ktap_map_begin(m, table, 0);
	return table;
}

/* @words: of the payload, at least two. */
static void rig_create(struct rig *g, struct kunit *test, u32 words, u32 nr_slots)
{
	const struct ktap_insn insns[] = {
		REG(0, 0), STORE(0, 8, 0, NOBIT), REG(1, 1),
		STORE(1, 4, 8 * (words - 1), NOBIT), END(),
	};
	const struct ktap_session_map arg = {
		.nr_slots = nr_slots, .key_size = 8 * words, .nr_values = 1,
		.values = { { .kind = KTAP_MAP_LOG2, .size = 8, .fault = NOBIT } },
	};

	g->r = run_create(test);
	memcpy(g->insns, insns, sizeof(insns));
	run_program(g->r, insns, ARRAY_SIZE(insns));
	KUNIT_ASSERT_EQ(test, ktap_map_init(&g->map, &arg), 0);
	KUNIT_ASSERT_EQ(test, ktap_map_check(&g->map, &g->r->info), 0);
	ktap_plan_make(&g->plan, g->insns, &g->r->info, &g->map);
	g->run = table_create(test, &g->map);
	g->planned = table_create(test, &g->map);
}

static struct ktap_map_slot *row_of(struct rig *g, u64 key)
{
	u64 words[KTAP_PLAN_WORDS];

	g->r->regs.r[1] = key;
	ktap_plan_key(&g->plan, &g->r->regs, words);
	return ktap_map_row(&g->map, g->planned, words, 8 * g->plan.nr_words);
}

/* Adds a hit in both ways. Return: its row, or NULL for "other". */
static struct ktap_map_slot *hit(struct rig *g, u64 key, u64 value)
{
	struct ktap_map_slot *row = row_of(g, key), *to = row;
	u64 payload[KTAP_PLAN_WORDS] = { value };
	bool added;

	payload[g->plan.nr_words - 1] = (u32)key;
	added = ktap_map_hit(&g->map, g->run, (u8 *)payload, 8 * g->plan.nr_words);
	KUNIT_EXPECT_EQ(g->r->test, added, !!row);
	if (!to)
		to = ktap_map_other(&g->map, g->planned);
	else
		KUNIT_EXPECT_TRUE(g->r->test, ktap_plan_is_row(&g->plan, g->plan.kind, to,
							       &g->r->regs));
	env_add(&to->count, 1);
	ktap_plan_value(&g->plan, g->plan.kind, to, value);
	return row;
}

static void expect_same(struct rig *g)
{
	KUNIT_EXPECT_EQ(g->r->test, 0, memcmp(g->run, g->planned, ktap_map_bytes(&g->map)));
}

/* Only the low half of the register is stored. */
static void map_of_each_key_size(struct kunit *test)
{
	struct ktap_map_slot *first;
	struct rig g;
	u32 words;

	for (words = 2; words <= KTAP_PLAN_WORDS; words++) {
		rig_create(&g, test, words, 8);
		KUNIT_ASSERT_EQ(test, (int)g.plan.kind, (int)KTAP_PLAN_PARTED);
		KUNIT_EXPECT_EQ(test, (u32)g.plan.nr_words, words);
		first = hit(&g, 5, 0);
		KUNIT_EXPECT_PTR_EQ(test, hit(&g, 5 + (1ULL << 32), 1), first);
		KUNIT_EXPECT_PTR_NE(test, hit(&g, 6, U64_MAX), first);
		g.r->regs.r[1] = 6;
		KUNIT_EXPECT_FALSE(test, ktap_plan_is_row(&g.plan, g.plan.kind, first,
							  &g.r->regs));
		KUNIT_EXPECT_EQ(test, first->count, 2);
		expect_same(&g);
	}
	rig_create(&g, test, KTAP_PLAN_WORDS + 1, 8);
	KUNIT_EXPECT_EQ(test, (int)g.plan.kind, (int)KTAP_PLAN_NONE);
}

/* The search of each key goes over all slots. */
static void map_collides_and_is_full(struct kunit *test)
{
	struct rig g;
	u64 key;

	rig_create(&g, test, 2, 4);
	for (key = 0; key < 4; key++)
		KUNIT_EXPECT_NOT_NULL(test, hit(&g, key, key));
	KUNIT_EXPECT_NULL(test, hit(&g, 4, 4));
	KUNIT_EXPECT_NULL(test, hit(&g, 5, 5));
	for (key = 0; key < 4; key++)
		KUNIT_EXPECT_EQ(test, hit(&g, key, key)->count, 2);
	KUNIT_EXPECT_EQ(test, ktap_map_other(&g.map, g.planned)->count, 2);
	expect_same(&g);
}

/* The hit that was interrupted has claimed a row, whose key it is writing. */
static void map_takes_another_than_a_busy_row(struct kunit *test)
{
	struct ktap_map_slot *busy, *row;
	struct rig g;
	u64 tag;

	rig_create(&g, test, 2, 4);
	busy = row_of(&g, 7);
	KUNIT_ASSERT_NOT_NULL(test, busy);
	tag = busy->tag;
	busy->tag = KTAP_MAP_BUSY;
	row = row_of(&g, 7);
	KUNIT_ASSERT_NOT_NULL(test, row);
	KUNIT_EXPECT_PTR_NE(test, row, busy);
	KUNIT_EXPECT_PTR_EQ(test, row_of(&g, 7), row);
	KUNIT_EXPECT_EQ(test, row->tag, tag);
	busy->tag = tag;
	KUNIT_EXPECT_PTR_EQ(test, row_of(&g, 7), busy);
}

static struct kunit_case map_cases[] = {
	KUNIT_CASE(map_of_each_key_size),
	KUNIT_CASE(map_collides_and_is_full),
	KUNIT_CASE(map_takes_another_than_a_busy_row),
	{}
};

struct kunit_suite ktap_map_suite = {
	.name = "ktap_map",
	.test_cases = map_cases,
};
