// SPDX-License-Identifier: GPL-2.0
/* Adds stacks to the table of a session. */
#include "hit/cost.h"
#include "hit/stacks.h"

#define BUSY		1	/* an id that no stack has: the row is being filled, or given up */
#define BYTES_A_ROW	128	/* of the table: 14 frames and their rows */

/**
 * ktap_stacks_init() - prepare a table
 * @t: filled
 * @mem: zeroed memory
 * @bytes: its size: a multiple of 8, KTAP_STACKS_MIN to KTAP_STACKS_MAX
 * @serial: number that no other table has; not 0
 *
 * Context: any.
 */
void ktap_stacks_init(struct ktap_stacks *t, void *mem, u32 bytes, u64 serial)
{
	u32 rows = 1, most;

	while (2 * rows * BYTES_A_ROW <= bytes)
		rows *= 2;
	most = rows - rows / 4; /* a full index is slow */
	t->head = mem;
	t->head->magic = KTAP_STACKS_MAGIC;
	t->head->order_off = sizeof(*t->head);
	t->head->order_max = most;
	t->head->stacks_end = bytes - rows * sizeof(*t->slots);
	t->head->used = (u64)(sizeof(*t->head) + ALIGN(most * sizeof(u32), 8)) /
			8 << 32;
	t->order = (u32 *)((u8 *)mem + t->head->order_off);
	t->slots = (struct ktap_stack_slot *)((u8 *)mem + t->head->stacks_end);
	t->mask = rows - 1;
	t->serial = serial;
}

static u32 words_of(const struct ktap_stack *s)
{
	return ktap_stack_bytes(s) / sizeof(u64);
}
ENV_NOPROBE(words_of);

/* Both are aligned to words, and so are their sizes. */
static bool same(const struct ktap_stack *a, const struct ktap_stack *b)
{
	const u64 *x = (const u64 *)a, *y = (const u64 *)b;
	u32 i;

	/* the first two words have the number of frames */
	for (i = 0; i < words_of(b); i++)
		if (x[i] != y[i])
			return false;
	return true;
}
ENV_NOPROBE(same);

/* Takes space for a stack. Return: its number, and its place in *@at; or -1. */
static s64 take(const struct ktap_stacks *t, u32 words, u64 *at)
{
	u64 old;

	do {
		old = READ_ONCE(t->head->used);
		*at = old >> 32;
		if ((u32)old == t->head->order_max ||
		    *at + words > t->head->stacks_end / 8)
			return -1;
	} while (!env_try_cmpxchg_shared(&t->head->used, old,
					 old + ((u64)words << 32) + 1));
	return (u32)old;
}
ENV_NOPROBE(take);

/* Fills a row that this hit has claimed. Return: whether there was space. */
static bool fill(const struct ktap_stacks *t, struct ktap_stack_slot *slot,
		 const struct ktap_stack *s)
{
	u32 i, words = words_of(s);
	u64 at, *to;
	s64 nr = take(t, words, &at);

	/*
	 * The row stays busy: were it free again, stacks that have passed it would not be
	 * found any more.
	 */
	if (nr < 0)
		return false;
	to = (u64 *)t->head + at;
	for (i = 0; i < words; i++)
		to[i] = ((const u64 *)s)[i];
	/* K: the stack before its place; pairs with the acquire of a reader */
	smp_store_release(&t->order[nr], (u32)at);
	slot->at = at;
	/* L: the stack and its place in the order before the id; pairs with keep() */
	smp_store_release(&slot->id, s->id);
	return true;
}
ENV_NOPROBE(fill);

/*
 * Return: whether the stack is in the table now. A hit that meets a row that is being
 * filled takes another row, so a stack may be there twice.
 */
static bool keep(const struct ktap_stacks *t, const struct ktap_stack *s)
{
	u32 i, at = s->id >> 32;
	struct ktap_stack_slot *slot;
	u64 id;

	for (i = 0; i < KTAP_STACKS_TRIES && i <= t->mask; i++, at++) {
		slot = &t->slots[at & t->mask];
		/* L: the id before the stack; pairs with fill() */
		id = smp_load_acquire(&slot->id);
		if (!id) {
			if (env_try_cmpxchg_shared(&slot->id, 0, BUSY))
				return fill(t, slot, s);
			id = smp_load_acquire(&slot->id); /* L: likewise */
		}
		if (id == s->id)
			return same((void *)((u64 *)t->head + slot->at), s);
	}
	return false;
}
ENV_NOPROBE(keep);

/**
 * ktap_stacks_keep() - add the stacks of a hit
 * @t: table
 * @stacks: number of bytes that follow, then the stacks
 *
 * Runs before the record with their ids is complete.
 *
 * Context: any, NMI included; preemption disabled.
 * Return: whether all of them are in the table.
 */
bool ktap_stacks_keep(const struct ktap_stacks *t, const u64 *stacks)
{
	const u64 *end = stacks + 1 + *stacks / 8;
	const struct ktap_stack *s;
	bool kept = true;

	for (stacks++; stacks < end; stacks += words_of(s)) {
		s = (const struct ktap_stack *)stacks;
		if (!keep(t, s)) {
			env_inc_shared(&t->head->lost);
			kept = false;
		}
	}
	return kept;
}
ENV_NOPROBE(ktap_stacks_keep);
