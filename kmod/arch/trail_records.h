/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trails of stacks that a walk over frame records has found: arm64.
 *
 * At the entry of a function a walk uses x30, x29 and the frame records that x29 leads to, and
 * nothing else, unless a record belongs to an exception or to another stack than the task's, or
 * a return probe has replaced a return address. A trail has none of these.
 */
#ifndef KTAP_ARCH_TRAIL_RECORDS_H
#define KTAP_ARCH_TRAIL_RECORDS_H

#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "compat.h"
#include "hit/spot.h"

#define KTAP_ARCH_HAS_TRAILS	true
/* What is read is at places that trails had. So it is on the task's stack: ktap_trail_holds(). */
#define KTAP_TRAIL_MAY_CHANGE	true

/**
 * struct ktap_trail - the trail of a stack, and the id of the stack
 * @place: number of the place of its hits (struct ktap_spot); 0: it is no trail
 * @nr: number of frame records
 * @zeros: the last record has zeros
 * @whole: a walk has noted all of it
 * @id: of the stack, which is in the session's table
 * @lr: x30
 * @last: bits that have to be 0 in what the last record, or x29, leads to: all where that was
 *	0, none where the stack was full
 * @off: places of the records, from the begin of the task's stack
 * @lrs: return addresses in them
 */
struct ktap_trail {
	u32 place;
	u16 nr;
	bool zeros;
	bool whole;
	u64 id;
	u64 lr;
	u64 last;
	u16 off[KTAP_TRAIL_FRAMES];
	u64 lrs[KTAP_TRAIL_FRAMES];
};

/**
 * struct ktap_trail_place - where a hit is
 * @fp: x29
 * @lr: x30
 * @stack: begin of the task's stack
 */
typedef struct ktap_trail_place {
	unsigned long fp;
	unsigned long lr;
	unsigned long stack;
} ktap_trail_place;

static __always_inline ktap_trail_place ktap_trail_place_of(const struct pt_regs *regs)
{
	return (ktap_trail_place){
		.fp = regs->regs[29], .lr = regs->regs[30],
		.stack = (unsigned long)task_stack_page(current),
	};
}

/**
 * ktap_trail_begins() - can there be a trail from a hit?
 * @spot: place of the probe
 * @at: where the hit is
 *
 * Context: any.
 * Return: whether there can.
 */
static __always_inline bool ktap_trail_begins(const struct ktap_spot *spot,
					      const ktap_trail_place *at)
{
	return likely(spot->is_entry && !ktap_follows_calls());
}

/* The low bits are different in most hits of a place that have different stacks. */
static __always_inline u32 ktap_trail_mark(const struct ktap_spot *spot,
					   const ktap_trail_place *at)
{
	return (u32)at->lr >> 2;
}

/* Can a trail have the record, and can all be read that a walk reads around it? */
static __always_inline bool ktap_trail_holds(unsigned long stack, unsigned long fp)
{
	unsigned long off = fp - stack;

	return !(fp & 7) && off >= sizeof(struct pt_regs) &&
	       off <= THREAD_SIZE - sizeof(struct pt_regs);
}

/* Is the record at @fp within registers that an exception stored? See stored_regs(). */
static __always_inline bool ktap_record_in_regs(unsigned long fp)
{
	unsigned long at = fp - offsetof(struct pt_regs, stackframe);

	return ktap_stack_word(at + offsetof(struct pt_regs, sp)) ==
	       at + sizeof(struct pt_regs);
}

/* A record of zeros is the outermost, unless it belongs to an exception in the kernel. */
static __always_inline bool ktap_record_is_last(unsigned long fp)
{
	return ktap_stack_word(fp + 16) != KTAP_RECORD_OF_REGS ||
	       user_mode((struct pt_regs *)(fp - offsetof(struct pt_regs, stackframe)));
}

/**
 * ktap_trail_follow() - does a hit have the stack of a trail?
 * @t: trail of hits at the same place
 * @at: where the hit is
 *
 * A place that a record had is aligned, and on the stack. So comparing it is all of the check.
 * With each read the trail may have become another trail, or a part of one. Its places are as
 * good, but there need be none: a record is read only if its place was compared.
 *
 * Context: any; preemption disabled, not nested in a hit that marked the CPU busy.
 * Return: whether it does.
 */
static __always_inline bool ktap_trail_follow(const struct ktap_trail *t,
					      const ktap_trail_place *at)
{
	unsigned long fp = at->fp, last = 0;
	u32 i;

	if (unlikely(t->lr != at->lr))
		return false;
	for (i = 0; i < t->nr; i++) {
		if (unlikely(fp - at->stack != t->off[i] ||
			     ktap_stack_word(fp + sizeof(long)) != t->lrs[i] ||
			     ktap_record_in_regs(fp)))
			return false;
		last = fp;
		fp = ktap_stack_word(fp);
	}
	if (unlikely(fp & t->last))
		return false;
	return !KTAP_RECORD_OF_REGS || !t->zeros || (last && ktap_record_is_last(last));
}

#endif /* KTAP_ARCH_TRAIL_RECORDS_H */
