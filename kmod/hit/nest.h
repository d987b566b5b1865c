/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Nesting of hits on a CPU.
 *
 * A hit that calls functions which can be traced marks its context busy first. If a
 * handler is then reached in the same context, the hit itself made the call, because
 * nothing else runs in that context before the hit is done. Recording it would recurse,
 * so it is only counted as lost.
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
 * Shift of the kernel's preempt count so that it fits below the number of hits. Since 7.3
 * the interrupt counts are in the highest byte.
 */
#define KTAP_NEST_DOWN		(HARDIRQ_SHIFT + 8 - KTAP_NEST_SHIFT)
#define KTAP_NEST_BUSY		2U		/* so that the value is not 0 */
#define KTAP_NEST_TRAP		((NMI_OFFSET + HARDIRQ_OFFSET) >> KTAP_NEST_DOWN)
#define KTAP_NEST_ONE		((unsigned int)BIT(KTAP_NEST_SHIFT))
#define KTAP_NEST_MAX		4U	/* a task, softirq, hardirq and NMI */

/*
 * Innermost hit on this CPU that may call traceable functions: its context, as the kernel
 * counts nested interrupts, and in the highest byte the number of such hits. 0: none. A
 * hit restores the value that it interrupted.
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
 * Marks the CPU busy for a call outside a hit. Context: any; preemption disabled until
 * the leave. Return: value for the leave.
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

/* Enters a hit nested in @before others. */
static __always_inline void ktap_nest_enter(ktap_busy_here *busy,
					    unsigned int before)
{
	ktap_arch_here_write(*busy,
			     ((before & -KTAP_NEST_ONE) + KTAP_NEST_ONE) |
				     ktap_context());
}

/* Number of hits that this one interrupted; called inside a hit. */
static __always_inline unsigned int ktap_nest_level(void)
{
	return (this_cpu_read(ktap_busy) >> KTAP_NEST_SHIFT) - 1;
}

/**
 * ktap_is_own() - was this handler called by a hit?
 * @busy: ktap_busy, not 0
 * @traps: the hook may use a trap that the kernel counts as an NMI: a breakpoint on x86
 *	(irqentry_nmi_enter()). An NMI right after the busy mark looks the same, and its hit
 *	counts as one made by the hit
 *
 * Context: any; preemption disabled.
 * Return: whether it was.
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
 * ktap_may_nest() - may a hit begin inside others?
 * @busy: ktap_busy, not 0
 * @traps: as for ktap_is_own()
 *
 * Limits the depth to KTAP_NEST_MAX in all cases. A trap in a hit may call a hooked
 * function of the kernel's trap handler, whose context differs from the hit's. If that
 * hit traps again, and so on, the stack would overflow.
 *
 * Context: any; preemption disabled.
 * Return: whether it may.
 */
static __always_inline bool ktap_may_nest(unsigned int busy, bool traps)
{
	return busy < KTAP_NEST_MAX * KTAP_NEST_ONE && !ktap_is_own(busy, traps);
}

#endif /* KTAP_NEST_H */
