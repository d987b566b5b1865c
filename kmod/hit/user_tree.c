// SPDX-License-Identifier: GPL-2.0
/*
 * Looks up the mapping of an address in bounded time, without a lock.
 *
 * Mappings are in a maple tree, whose nodes RCU protects. A writer replaces a node by another
 * one and marks the old one as dead. mas_walk() begins again at each dead node. But 6.1 marks
 * a node before it replaces it (mas_wr_node_store()), so a hit that interrupts the writer on
 * its CPU would begin again for ever. This walk goes down once, and gives up at a dead node.
 *
 * The layout of nodes is that of include/linux/maple_tree.h, which is the same from 6.1 to
 * 7.3: bits 3 to 6 of a pointer to a node have its type, and a dead node is its own parent.
 */
#include <linux/kprobes.h>
#include <linux/minmax.h>

#include "compat.h"
#include "hit/user_regs.h"
#include "hit/user_tree.h"

#if KTAP_VMA_LOOKUP
#include <linux/maple_tree.h>

#define LEVELS_MAX	16	/* a tree of 2^64 mappings has fewer, even half full */

/**
 * struct level - a node on the way down
 * @node: the node
 * @pivots: last address of each slot but the last one
 * @slots: nodes below, or mappings
 * @end: number of the last slot that is used
 */
struct level {
	const struct maple_node *node;
	const unsigned long *pivots;
	void __rcu *const *slots;
	u32 end;
};

/* Only the root is marked as a node. Others are recognized by the type of what contains them. */
static bool root_is_node(unsigned long entry)
{
	return (entry & 3) == 2 && entry > MAPLE_RESERVED_RANGE;
}
NOKPROBE_SYMBOL(root_is_node);

static enum maple_type type_of(unsigned long entry)
{
	return (entry >> MAPLE_NODE_TYPE_SHIFT) & MAPLE_NODE_TYPE_MASK;
}
NOKPROBE_SYMBOL(type_of);

/* A range node has a number of its last slot only if its last pivot is not in use. */
static void open_range(struct level *l, unsigned long max)
{
	const struct maple_range_64 *n = &l->node->mr64;
	unsigned long last = READ_ONCE(n->pivot[MAPLE_RANGE64_SLOTS - 2]);

	l->pivots = n->pivot;
	l->slots = n->slot;
	if (!last)
		l->end = min_t(u32, READ_ONCE(n->meta.end), MAPLE_RANGE64_SLOTS - 2);
	else
		l->end = MAPLE_RANGE64_SLOTS - 1 - (last == max);
}
NOKPROBE_SYMBOL(open_range);

static void open_arange(struct level *l)
{
	const struct maple_arange_64 *n = &l->node->ma64;

	l->pivots = n->pivot;
	l->slots = n->slot;
	l->end = min_t(u32, READ_ONCE(n->meta.end), MAPLE_ARANGE64_SLOTS - 1);
}
NOKPROBE_SYMBOL(open_arange);

/* Return: false: address spaces have no such nodes. */
static bool open_level(struct level *l, unsigned long entry, unsigned long max)
{
	enum maple_type type = type_of(entry);

	l->node = (void *)(entry & ~MAPLE_NODE_MASK);
	if (type == maple_arange_64)
		open_arange(l);
	else if (type == maple_leaf_64 || type == maple_range_64)
		open_range(l, max);
	else
		return false;
	return true;
}
NOKPROBE_SYMBOL(open_level);

static bool is_dead(const struct maple_node *node)
{
	unsigned long parent;

	/* pairs with the barriers of the writers of a maple tree: what was read, then the mark */
	smp_rmb();
	parent = (unsigned long)READ_ONCE(node->parent);
	return (parent & ~MAPLE_NODE_MASK) == (unsigned long)node;
}
NOKPROBE_SYMBOL(is_dead);

/* The slot of an address. @max: last address of the node; set to the slot's. */
static void __rcu *const *slot_of(const struct level *l, unsigned long at, unsigned long *max)
{
	unsigned long pivot;
	u32 i;

	for (i = 0; i < l->end; i++) {
		pivot = READ_ONCE(l->pivots[i]);
		if (pivot >= at) {
			*max = pivot;
			break;
		}
	}
	return &l->slots[i];
}
NOKPROBE_SYMBOL(slot_of);

static void note(struct ktap_user_way *way, u32 step, const void *slot, unsigned long entry)
{
	if (way && step < KTAP_USER_LEVELS_MAX) {
		way->steps[step].slot = (u64)(unsigned long)slot;
		way->steps[step].entry = entry;
	}
}
NOKPROBE_SYMBOL(note);

/**
 * ktap_user_vma() - the mapping of an address
 * @tree: mappings of an address space, if RCU protects them: ktap_vma_is_rcu()
 * @at: address
 * @vma: set to the address of its struct vm_area_struct, which may be freed; 0: none
 * @way: set to the way to it; or NULL
 *
 * Context: any, NMI included; preemption disabled, or under rcu_read_lock().
 * Return: false: the tree was changed meanwhile.
 */
bool ktap_user_vma(const struct maple_tree *tree, unsigned long at, u64 *vma,
		   struct ktap_user_way *way)
{
	unsigned long entry = (unsigned long)READ_ONCE(tree->ma_root);
	unsigned long max = ULONG_MAX;
	struct level l;
	int i;

	*vma = 0;
	if (way)
		way->nr = 0;
	/* a tree of one entry is its root; address spaces that end have none */
	if (!root_is_node(entry))
		return true;
	note(way, 0, &tree->ma_root, entry);
	for (i = 0; i < LEVELS_MAX && entry; i++) {
		enum maple_type type = type_of(entry);
		void __rcu *const *slot;

		if (!open_level(&l, entry, max))
			return false;
		slot = slot_of(&l, at, &max);
		entry = (unsigned long)READ_ONCE(*slot);
		if (is_dead(l.node))
			return false;
		note(way, i + 1, slot, entry);
		if (type == maple_leaf_64) {
			if (way && i + 1 < KTAP_USER_LEVELS_MAX)
				way->nr = i + 2;
			*vma = entry;
			return true;
		}
	}
	return false;
}
NOKPROBE_SYMBOL(ktap_user_vma);

/**
 * ktap_user_way_leads() - the mapping that a way still leads to
 * @tree: as for ktap_user_vma()
 * @way: way in this tree
 *
 * A node is read only after the one above it has led to it, so RCU keeps it. The mapping may
 * have another range than it had.
 *
 * Context: any, NMI included; preemption disabled, or under rcu_read_lock().
 * Return: address of the mapping that it led to; 0: it leads there no more.
 */
u64 ktap_user_way_leads(const struct maple_tree *tree, const struct ktap_user_way *way)
{
	u32 i;

	if (unlikely((unsigned long)READ_ONCE(tree->ma_root) != way->steps[0].entry))
		return 0;
	for (i = 1; i < way->nr; i++) {
		unsigned long slot = way->steps[i].slot;

		if (READ_ONCE(*(unsigned long *)slot) != way->steps[i].entry ||
		    is_dead((void *)(slot & ~MAPLE_NODE_MASK)))
			return 0;
	}
	return way->steps[i - 1].entry;
}
NOKPROBE_SYMBOL(ktap_user_way_leads);
#endif
