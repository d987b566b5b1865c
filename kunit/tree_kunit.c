// SPDX-License-Identifier: GPL-2.0
/*
 * The look-up of mappings (kmod/hit/user_tree.c): the kernel's own maple tree is the judge,
 * in a tree that grows and shrinks, and beside a writer on another CPU.
 */
#include <linux/kthread.h>
#include <linux/prandom.h>
#include <linux/rcupdate.h>

#include "compat.h"
#include "hit/user_regs.h"
#include "hit/user_tree.h"
#include "suites.h"

#if KTAP_VMA_LOOKUP
#include <linux/maple_tree.h>

#define ADDRESSES	0x100000UL
#define STEPS		4000
#define LOOKS		20
#define ROUNDS		500
#define MAPPING(at)	((void *)(0xffff888000000000UL + ((at) << 8)))

struct forest {
	struct maple_tree tree;
	struct rnd_state chance;
};

static unsigned long any(struct rnd_state *chance, unsigned long below)
{
	return prandom_u32_state(chance) % below;
}

/* A mapping comes, maybe over others, or goes. */
static void change(struct forest *f)
{
	unsigned long at = any(&f->chance, ADDRESSES);
	unsigned long last = at + any(&f->chance, 256);

	if (any(&f->chance, 3))
		mtree_store_range(&f->tree, at, last, MAPPING(at), GFP_KERNEL);
	else
		mtree_erase(&f->tree, at);
}

static bool is_same(struct forest *f)
{
	unsigned long at = any(&f->chance, ADDRESSES + 512);
	bool found;
	u64 vma;

	rcu_read_lock();
	found = ktap_user_vma(&f->tree, at, &vma, NULL);
	rcu_read_unlock();
	return found && (void *)(unsigned long)vma == mtree_load(&f->tree, at);
}

static void forest_init(struct forest *f)
{
	mt_init_flags(&f->tree, MT_FLAGS_ALLOC_RANGE | MT_FLAGS_USE_RCU);
	prandom_seed_state(&f->chance, 2026);
}

static void tree_finds_what_the_kernel_finds(struct kunit *test)
{
	struct forest f;
	int i, look, wrong = 0;

	forest_init(&f);
	KUNIT_EXPECT_TRUE(test, is_same(&f));
	for (i = 0; i < STEPS; i++) {
		change(&f);
		for (look = 0; look < LOOKS; look++)
			wrong += !is_same(&f);
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
	mtree_destroy(&f.tree);
}

/* Return: whether the tree has the mapping, from @vma's own address on or behind it. */
static bool has(struct forest *f, u64 vma)
{
	unsigned long at = (vma - (u64)(unsigned long)MAPPING(0UL)) >> 8;
	unsigned long last = at + 256;
	void *entry;

	mt_for_each(&f->tree, entry, at, last)
		if ((u64)(unsigned long)entry == vma)
			return true;
	return false;
}

/* A way that still leads, leads to a mapping that is there; it does if nothing has changed. */
static void tree_follows_ways(struct kunit *test)
{
	int i, changes, wrong = 0, lost = 0, led = 0;
	struct ktap_user_way way;
	struct forest f;
	u64 vma, now;

	forest_init(&f);
	for (i = 0; i < ROUNDS; i++) {
		unsigned long at = any(&f.chance, ADDRESSES);

		for (changes = any(&f.chance, 16); changes; changes--)
			change(&f);
		rcu_read_lock();
		if (!ktap_user_vma(&f.tree, at, &vma, &way) || !vma)
			way.nr = 0;
		lost += way.nr && ktap_user_way_leads(&f.tree, &way) != vma;
		rcu_read_unlock();
		if (!way.nr)
			continue;
		for (changes = any(&f.chance, 16); changes; changes--)
			change(&f);
		rcu_read_lock();
		now = ktap_user_way_leads(&f.tree, &way);
		if (now) {
			led++;
			wrong += now != vma || !has(&f, now);
		}
		rcu_read_unlock();
		cond_resched();
	}
	KUNIT_EXPECT_EQ(test, lost, 0);
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_GT(test, led, ROUNDS / 10);
	mtree_destroy(&f.tree);
}

/* As a writer of 6.1 does before it replaces the node. */
static void tree_gives_up_at_a_dead_node(struct kunit *test)
{
	struct maple_pnode *parent;
	struct maple_node *root;
	struct forest f;
	u64 vma;
	int i;

	forest_init(&f);
	for (i = 0; i < STEPS; i++)
		change(&f);
	root = (void *)((unsigned long)f.tree.ma_root & ~MAPLE_NODE_MASK);
	parent = root->parent;
	rcu_read_lock();
	WRITE_ONCE(root->parent, (void *)root);
	KUNIT_EXPECT_FALSE(test, ktap_user_vma(&f.tree, 1000, &vma, NULL));
	WRITE_ONCE(root->parent, parent);
	KUNIT_EXPECT_TRUE(test, ktap_user_vma(&f.tree, 1000, &vma, NULL));
	rcu_read_unlock();
	mtree_destroy(&f.tree);
}

static int write_on(void *arg)
{
	while (!kthread_should_stop()) {
		change(arg);
		cond_resched();
	}
	return 0;
}

/* What is found is a mapping that was stored there, and the walk ends. */
static void tree_is_read_beside_a_writer(struct kunit *test)
{
	struct task_struct *writer;
	struct rnd_state chance;
	int i, found = 0;
	struct forest f;

	forest_init(&f);
	for (i = 0; i < STEPS; i++)
		change(&f);
	prandom_seed_state(&chance, 7);
	writer = kthread_run(write_on, &f, "ktap_tree");
	KUNIT_ASSERT_FALSE(test, IS_ERR(writer));
	for (i = 0; i < STEPS * LOOKS; i++) {
		unsigned long at = any(&chance, ADDRESSES);
		bool whole;
		u64 vma;

		rcu_read_lock();
		whole = ktap_user_vma(&f.tree, at, &vma, NULL);
		rcu_read_unlock();
		if (!whole || !vma)
			continue;
		found++;
		vma = (vma - (u64)(unsigned long)MAPPING(0UL)) >> 8;
		if (vma > at || at - vma >= 256)
			KUNIT_FAIL(test, "%lu has the mapping of %llu", at, vma);
		cond_resched();
	}
	kthread_stop(writer);
	KUNIT_EXPECT_GT(test, found, STEPS);
	mtree_destroy(&f.tree);
}
#endif

static struct kunit_case tree_cases[] = {
#if KTAP_VMA_LOOKUP
	KUNIT_CASE(tree_finds_what_the_kernel_finds),
	KUNIT_CASE(tree_follows_ways),
	KUNIT_CASE(tree_gives_up_at_a_dead_node),
	KUNIT_CASE(tree_is_read_beside_a_writer),
#endif
	{}
};

struct kunit_suite ktap_tree_suite = {
	.name = "ktap_tree",
	.test_cases = tree_cases,
};
