/* SPDX-License-Identifier: GPL-2.0 */
/* One stack: its size, its id, and what it says of its frames. */
#ifndef KTAP_STACK_ID_H
#define KTAP_STACK_ID_H

#include <linux/ktap.h>

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

/* Where a hit's next stack is taken, cleared: after *@size bytes of others. */
static __always_inline struct ktap_stack *ktap_stack_begin(u64 *size)
{
	struct ktap_stack *s = (struct ktap_stack *)((u8 *)(size + 1) + *size);

	*s = (struct ktap_stack){};
	return s;
}

/* The stack that was begun is taken. Return: its id, which the walk may have computed. */
static __always_inline u64 ktap_stack_taken(struct ktap_stack *s, u64 *size)
{
	if (!s->id)
		s->id = ktap_stack_id(s);
	*size += ktap_stack_bytes(s);
	return s->id;
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

#endif /* KTAP_STACK_ID_H */
