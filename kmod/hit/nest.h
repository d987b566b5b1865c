/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who is inside of a hit on this CPU.
 *
 * A hit that calls what can be traced marks its context as busy first. A call
 * that reaches a handler in that same context was made by the hit itself:
 * nothing else runs there before the hit is done. To record it would be to
 * recurse, so it is counted as lost and that is all.
 */
#ifndef KTAP_NEST_H
#define KTAP_NEST_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>

#include "arch/arch.h"

#define KTAP_NEST_CONTEXT	(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)
#define KTAP_NEST_SHIFT		24
/*
 * The kernel's counts, moved to below the number of hits: since 7.3 those of
 * interrupts are in the highest byte, so that others have room.
 */
#define KTAP_NEST_DOWN		(HARDIRQ_SHIFT + 8 - KTAP_NEST_SHIFT)
#define KTAP_NEST_BUSY		2U		/* so that it is never 0 */
#define KTAP_NEST_TRAP		((NMI_OFFSET + HARDIRQ_OFFSET) >> KTAP_NEST_DOWN)
#define KTAP_NEST_ONE		((unsigned int)BIT(KTAP_NEST_SHIFT))
#define KTAP_NEST_MAX		4U	/* a task, softirq, hardirq and NMI */

/*
 * The innermost hit on this CPU that may be calling: its context, as the kernel
 * counts nested interrupts, and in the highest byte how many such hits there
 * are. 0: none. Who interrupts leaves what it found.
 */
DECLARE_PER_CPU(unsigned int, ktap_busy);

static __always_inline unsigned int ktap_context(void)
{
	BUILD_BUG_ON((KTAP_NEST_CONTEXT >> KTAP_NEST_DOWN) &
		     (-KTAP_NEST_ONE | KTAP_NEST_BUSY));
	BUILD_BUG_ON(!(SOFTIRQ_OFFSET >> KTAP_NEST_DOWN));
	return ((preempt_count() & KTAP_NEST_CONTEXT) >> KTAP_NEST_DOWN) |
	       KTAP_NEST_BUSY;
}

/*
 * For a call outside of a hit's own enter() and leave(). Context: any;
 * preemption off until the leave. Return: for the leave.
 */
static __always_inline unsigned int ktap_busy_enter(void)
{
	unsigned int before = this_cpu_read(ktap_busy);

	this_cpu_write(ktap_busy,
		       ktap_context() | (before & -KTAP_NEST_ONE));
	return before;
}

static __always_inline void ktap_busy_leave(unsigned int before)
{
	this_cpu_write(ktap_busy, before);
}

/* This CPU's ktap_busy. */
typedef unsigned int KTAP_ARCH_HERE ktap_busy_here;

/* A hit inside of @before others. */
static __always_inline void ktap_nest_enter(ktap_busy_here *busy,
					    unsigned int before)
{
	ktap_arch_here_write(*busy,
			     ((before & -KTAP_NEST_ONE) + KTAP_NEST_ONE) |
				     ktap_context());
}

/* Hits that this one interrupted, from 0; inside of a hit. */
static __always_inline unsigned int ktap_nest_level(void)
{
	return (this_cpu_read(ktap_busy) >> KTAP_NEST_SHIFT) - 1;
}

/**
 * ktap_is_own() - did a hit make this call?
 * @busy: ktap_busy, not 0
 * @traps: the hook may come by a trap that the kernel counts as an NMI: a
 *	breakpoint on x86 (irqentry_nmi_enter()). Then an NMI that comes right
 *	upon a busy hit looks the same, and is taken for its own.
 *
 * Context: any; preemption off.
 */
static __always_inline bool ktap_is_own(unsigned int busy, bool traps)
{
	unsigned int here = ktap_context();

	busy &= KTAP_NEST_ONE - 1;
	return busy == here ||
	       (traps && in_nmi() &&
		busy == here - KTAP_NEST_TRAP);
}

/**
 * ktap_may_nest() - may a hit begin inside of others?
 * @busy: ktap_busy, not 0
 * @traps: as for ktap_is_own()
 *
 * No more than KTAP_NEST_MAX of them, whoever made the call. A trap in a hit may
 * lead to a hooked function of the kernel's own trap handler, whose context is
 * another one than the hit's; if that hit traps again, and so on, the stack
 * overflows.
 *
 * Context: any; preemption off.
 */
static __always_inline bool ktap_may_nest(unsigned int busy, bool traps)
{
	return busy < KTAP_NEST_MAX * KTAP_NEST_ONE && !ktap_is_own(busy, traps);
}

#endif /* KTAP_NEST_H */
