/* SPDX-License-Identifier: GPL-2.0 */
/* Kernel stacks, unwound from the registers of a hit or from the caller of a hook. */
#ifndef KTAP_ARCH_UNWIND_H
#define KTAP_ARCH_UNWIND_H

#include <linux/ktap.h>

struct ktap_caller;
struct ktap_spot;
struct ktap_trail;
struct pt_regs;

#if defined(CONFIG_UNWINDER_ORC) || defined(CONFIG_ARM64)
/**
 * ktap_arch_unwind_prepare() - prepare for walks
 *
 * Looks for what makes walks fast, and for what replaces return addresses, at the first call.
 *
 * Context: process; may sleep.
 */
void ktap_arch_unwind_prepare(void);
#else
/* Walks read the stack and the code, and nothing else. */
static inline void ktap_arch_unwind_prepare(void)
{
}
#endif

/**
 * ktap_arch_unwinder() - what finds the frames of kernel stacks
 *
 * Context: any; after ktap_arch_unwind_prepare() the answer stays.
 * Return: enum ktap_unwinder.
 */
enum ktap_unwinder ktap_arch_unwinder(void);

/**
 * ktap_arch_unwind() - the kernel stack of the probed code
 * @regs: registers at the hit
 * @spot: known properties of the place, or NULL: the registers decide
 * @s: cleared; filled, except for its id
 * @max: frames at most
 *
 * Context: any, NMI included; preemption disabled, CPU marked busy.
 */
void ktap_arch_unwind(const struct pt_regs *regs, const struct ktap_spot *spot,
		      struct ktap_stack *s, u32 max);

/**
 * ktap_arch_unwind_noting() - the same, and note the trail of the stack (arch/trail.h)
 * @regs: registers at the hit
 * @spot: known properties of the place; its address is known
 * @s: cleared; filled, except for its id
 * @max: frames at most
 * @t: trail that ktap_trail_begin() began, or NULL
 *
 * Context: any, NMI included; preemption disabled, CPU marked busy.
 */
void ktap_arch_unwind_noting(const struct pt_regs *regs, const struct ktap_spot *spot,
			     struct ktap_stack *s, u32 max, struct ktap_trail *t);

/**
 * ktap_arch_unwind_caller() - the kernel stack of the caller of a hook
 * @c: caller; the hook has not returned
 * @s: cleared; filled, except for its id
 * @max: frames at most
 *
 * Context: any, NMI included; preemption disabled, CPU marked busy.
 */
void ktap_arch_unwind_caller(const struct ktap_caller *c, struct ktap_stack *s,
			     u32 max);

/* Appends a frame. Return: false: there is no space for it. */
static __always_inline bool ktap_stack_add(struct ktap_stack *s, u32 max,
					   unsigned long frame)
{
	if (s->nr == max) {
		s->end = KTAP_STACK_DEPTH;
		return false;
	}
	s->frames[s->nr++] = frame;
	return true;
}

#endif /* KTAP_ARCH_UNWIND_H */
