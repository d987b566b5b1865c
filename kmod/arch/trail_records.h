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

#define KTAP_ARCH_HAS_TRAILS	true

/**
 * struct ktap_trail - the trail of a stack, and the id of the stack
 * @key: ktap_trail_key() of the hits that may follow it; 0: it is no trail
 * @id: of the stack, which is in the session's table
 * @lr: x30
 * @pc: of the hit: a module may come back at another address
 * @nr: number of frame records
 * @complete: the last record, or x29, leads to no other
 * @zeros: the last record has zeros
 * @whole: a walk has noted all of it
 * @off: places of the records, from the begin of the task's stack
 * @ip: return addresses in them
 */
struct ktap_trail {
	u64 key;
	u64 id;
	u64 lr;
	u64 pc;
	u16 nr;
	bool complete;
	bool zeros;
	bool whole;
	u16 off[KTAP_TRAIL_FRAMES];
	u64 ip[KTAP_TRAIL_FRAMES];
};

/**
 * struct ktap_trail_place - where a hit is
 * @fp: x29
 * @lr: x30
 * @pc: of the hit
 * @stack: begin of the task's stack
 */
typedef struct ktap_trail_place {
	unsigned long fp;
	unsigned long lr;
	unsigned long pc;
	unsigned long stack;
} ktap_trail_place;

static __always_inline ktap_trail_place ktap_trail_place_of(const struct pt_regs *regs)
{
	return (ktap_trail_place){
		.fp = regs->regs[29], .lr = regs->regs[30], .pc = regs->pc,
		.stack = (unsigned long)task_stack_page(current),
	};
}

/**
 * ktap_trail_key() - by what hits with a common trail are known
 * @id: id of the probe, not 0
 * @is_entry: it is at the entry of a function
 * @at: where the hit is
 *
 * Context: any.
 * Return: key; 0: the hit has no trail.
 */
static __always_inline u64 ktap_trail_key(u32 id, bool is_entry, const ktap_trail_place *at)
{
	if (!is_entry || unlikely(ktap_follows_calls()))
		return 0;
	return (u64)id << 32 | (u32)at->lr;
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
	return !ktap_record_is_regs(fp) ||
	       user_mode((struct pt_regs *)(fp - offsetof(struct pt_regs, stackframe)));
}

/**
 * ktap_trail_follow() - does a hit have the stack of a trail?
 * @t: trail
 * @key: key of the hit, not 0
 * @at: where the hit is
 *
 * A place that a record had is aligned, and on the stack. So comparing it is all of the check.
 *
 * Context: any; preemption disabled, not in a nested hit.
 * Return: whether it does.
 */
static __always_inline bool ktap_trail_follow(const struct ktap_trail *t, u64 key,
					      const ktap_trail_place *at)
{
	unsigned long fp = at->fp, last = 0;
	u32 i;

	if (unlikely(t->key != key || t->lr != at->lr || t->pc != at->pc))
		return false;
	for (i = 0; i < t->nr; i++) {
		if (unlikely(fp - at->stack != t->off[i] ||
			     ktap_stack_word(fp + sizeof(long)) != t->ip[i] ||
			     ktap_record_in_regs(fp)))
			return false;
		last = fp;
		fp = ktap_stack_word(fp);
	}
	return !t->complete || (!fp && (!t->zeros || ktap_record_is_last(last)));
}

#endif /* KTAP_ARCH_TRAIL_RECORDS_H */
