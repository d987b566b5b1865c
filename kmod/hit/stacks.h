/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Table of the stacks of a session: see include/uapi/linux/ktap.h. Hits on all CPUs add to
 * it, in any context, without a lock. Nothing in it is removed or changed, so a stack that
 * was found stays valid.
 *
 * struct ktap_stacks_head, the order in which stacks came, the stacks, and an index of them
 * by id, which only hits use.
 */
#ifndef KTAP_STACKS_H
#define KTAP_STACKS_H

#include <linux/ktap.h>

#include "hit/env.h"

#define KTAP_STACKS_MIN		0x10000U	/* bytes of the smallest table: 64 KiB */
#define KTAP_STACKS_MAX		0x40000000U	/* bytes of the largest one: 1 GiB */

/**
 * struct ktap_stack_slot - a row of the index
 * @id: 0: free; BUSY (stacks.c): being filled, or given up; else the id of a stack
 * @at: the stack, in units of 8 bytes from the begin of the table
 */
struct ktap_stack_slot {
	u64 id;
	u64 at;
};

/**
 * struct ktap_stacks - table of a session
 * @head: begin of the table
 * @order: where the stacks are, as they came
 * @slots: index
 * @mask: number of slots - 1
 * @serial: not 0; no other table has it
 */
struct ktap_stacks {
	struct ktap_stacks_head *head;
	u32 *order;
	struct ktap_stack_slot *slots;
	u32 mask;
	u64 serial;
};

/* Bytes of a stack with its frames. */
static __always_inline u32 ktap_stack_bytes(const struct ktap_stack *s)
{
	return sizeof(*s) + s->nr * sizeof(s->frames[0]);
}

/* Mixes a word into a hash: two rounds of multiplication and rotation. */
static __always_inline u64 ktap_stack_mix(u64 h, u64 word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15ULL;
	h ^= h >> 29;
	h *= 0xbf58476d1ce4e5b9ULL;
	return h ^ h >> 32;
}

/**
 * ktap_stack_id() - id of a stack
 * @s: stack
 *
 * Context: any.
 * Return: hash of all but the id; neither 0 nor KTAP_STACK_BUSY.
 */
static __always_inline u64 ktap_stack_id(const struct ktap_stack *s)
{
	u64 h = ktap_stack_mix(((const u64 *)s)[1], s->nr);
	u32 i;

	for (i = 0; i < s->nr; i++)
		h = ktap_stack_mix(h, s->frames[i]);
	return h | 2;
}

/* The frame that is appended next, if there is space, is where code was interrupted. */
static __always_inline void ktap_stack_interrupted(struct ktap_stack *s, u32 max)
{
	u32 i;

	for (i = 0; s->nr && s->nr < max && i < KTAP_STACK_INTERRUPTED_MAX; i++) {
		if (s->interrupted[i])
			continue;
		s->interrupted[i] = s->nr;
		break;
	}
}

void ktap_stacks_init(struct ktap_stacks *t, void *mem, u32 bytes, u64 serial);
bool ktap_stacks_keep(const struct ktap_stacks *t, const u64 *stacks);

#endif /* KTAP_STACKS_H */
