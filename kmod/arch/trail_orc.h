/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trails of stacks that a walk over ORC tables has found.
 *
 * For a frame that lies by the stack pointer, an address decides by how much the caller's stack
 * pointer is higher. So the address of the probe and the stack pointer decide where the next
 * return address is, that decides about the one after it, and so on. A trail may have one frame
 * that lies by bp: the kernel's entry from system calls has one, because it moves the stack by
 * a random number. Where bp was read, and that it pointed to the same place of the stack, is a
 * part of the trail; all frames above are at places of the stack.
 */
#ifndef KTAP_ARCH_TRAIL_ORC_H
#define KTAP_ARCH_TRAIL_ORC_H

#include <linux/ptrace.h>
#include <linux/sched.h>

#include "arch/orc.h"
#include "hit/spot.h"

#define KTAP_ARCH_HAS_TRAILS	true
/* Places count from the stack pointer: those of another trail may lie beyond the stack. */
#define KTAP_TRAIL_MAY_CHANGE	false

/**
 * enum ktap_trail_pivot - what points to a place of the stack
 * @KTAP_PIVOT_NONE: nothing has to: the trail has places above the stack pointer only
 * @KTAP_PIVOT_SP: the stack pointer
 * @KTAP_PIVOT_BP: bp
 * @KTAP_PIVOT_WORD: a bp that was saved on the stack
 */
enum ktap_trail_pivot {
	KTAP_PIVOT_NONE,
	KTAP_PIVOT_SP,
	KTAP_PIVOT_BP,
	KTAP_PIVOT_WORD,
};

/**
 * struct ktap_trail - the trail of a stack, and the id of the stack
 *
 * The first @nr_low places are offsets from the stack pointer, the others from the begin of
 * the stack.
 *
 * @place: number of the place of its hits (struct ktap_spot); 0: it is no trail
 * @id: of the stack, which is in the session's table
 * @room: bytes above the stack pointer that have places
 * @high: the lowest place from the begin of the stack that the frame by bp has; at or above
 *	@room, because frames lie ever higher
 * @nr: number of return addresses
 * @nr_low: number of places from the stack pointer
 * @pivot: enum ktap_trail_pivot
 * @pivot_off: KTAP_PIVOT_WORD: its place from the stack pointer
 * @pivot_to: where it points, from the begin of the stack
 * @user: the stack ends at registers with which user code entered the kernel
 * @beyond: the stack was full. The last place has any return address that is followed
 * @whole: a walk has noted all of it
 * @off: places of the return addresses, and one beyond
 * @ips: return addresses
 */
struct ktap_trail {
	u32 place;
	u64 id;
	u16 room;
	u16 high;
	u16 nr;
	u16 nr_low;
	u16 pivot;
	u16 pivot_off;
	u16 pivot_to;
	bool user;
	bool beyond;
	bool whole;
	u16 off[KTAP_TRAIL_FRAMES + 1];
	u64 ips[KTAP_TRAIL_FRAMES];
};

typedef struct ktap_orc_at ktap_trail_place;

static __always_inline ktap_trail_place ktap_trail_place_of(const struct pt_regs *regs)
{
	return ktap_orc_begin(regs->ip, regs->sp, regs->bp);
}

/* Is it a return address that a walk goes on from? */
static __always_inline bool ktap_orc_takes(const struct ktap_orc *o, unsigned long ip)
{
	return likely(ip - 1 - o->text < o->size && ip != o->fakes[0] && ip != o->fakes[1]);
}

/**
 * ktap_trail_begins() - can there be a trail from a hit?
 * @spot: place of the probe
 * @at: where the hit is
 *
 * Where the registers say what the place is, each hit may have a different one.
 *
 * Context: any.
 * Return: whether there can: the hit is on the task's stack.
 */
static __always_inline bool ktap_trail_begins(const struct ktap_spot *spot,
					      const struct ktap_orc_at *at)
{
	return likely(spot->nr &&
		      at->end - at->sp - sizeof(long) <= THREAD_SIZE - sizeof(long));
}

/* The low bits are different in most hits of a place that have different stacks. */
static __always_inline u32 ktap_trail_mark(const struct ktap_spot *spot,
					   const struct ktap_orc_at *at)
{
	return spot->is_entry ? ktap_stack_word(at->sp) : 0;
}

/* Has what points to the stack the value that it had? */
static __always_inline bool ktap_trail_turns(const struct ktap_trail *t,
					     const struct ktap_orc_at *at)
{
	unsigned long stack = at->end - THREAD_SIZE, to;

	if (t->pivot == KTAP_PIVOT_WORD)
		to = ktap_stack_word(at->sp + t->pivot_off);
	else if (t->pivot == KTAP_PIVOT_BP)
		to = at->bp;
	else
		return t->pivot == KTAP_PIVOT_NONE || at->sp - stack == t->pivot_to;
	return likely(to - stack == t->pivot_to && stack + t->high - at->sp >= t->room);
}

/* How the stack ends may depend on what is no return address of it. */
static __always_inline bool ktap_trail_ends(const struct ktap_orc *o,
					    const struct ktap_trail *t,
					    const struct ktap_orc_at *at)
{
	unsigned long base = t->nr < t->nr_low ? at->sp : at->end - THREAD_SIZE;

	if (t->user)
		return likely(user_mode((struct pt_regs *)at->user));
	return !t->beyond || ktap_orc_takes(o, ktap_stack_word(base + t->off[t->nr]));
}

/**
 * ktap_trail_leads() - does a hit have the stack of a trail?
 * @o: tables of the walk that noted it
 * @t: trail of hits at the same place
 * @at: where the hit is
 *
 * Context: any; preemption disabled, not in a nested hit.
 * Return: whether it does.
 */
static __always_inline bool ktap_trail_leads(const struct ktap_orc *o,
					     const struct ktap_trail *t,
					     const struct ktap_orc_at *at)
{
	u32 i = 0, nr_low = min(t->nr, t->nr_low);

	if (unlikely(at->end - at->sp < t->room))
		return false;
	for (; i < nr_low; i++)
		if (unlikely(ktap_stack_word(at->sp + t->off[i]) != t->ips[i]))
			return false;
	if (unlikely(!ktap_trail_turns(t, at)))
		return false;
	for (; i < t->nr; i++)
		if (unlikely(ktap_stack_word(at->end - THREAD_SIZE + t->off[i]) != t->ips[i]))
			return false;
	return ktap_trail_ends(o, t, at);
}

/* As ktap_trail_leads(), by the tables that are in use. */
static __always_inline bool ktap_trail_follow(const struct ktap_trail *t,
					      const ktap_trail_place *at)
{
	return ktap_trail_leads(ktap_orc(), t, at);
}

#endif /* KTAP_ARCH_TRAIL_ORC_H */
