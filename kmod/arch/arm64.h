/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_ARCH_ARM64_H
#define KTAP_ARCH_ARM64_H

#include <asm/arch_timer.h>
#include <asm/cmpxchg.h>
#include <asm/memory.h>
#include <asm/mte-def.h>
#include <asm/sysreg.h>
#include <clocksource/arm_arch_timer.h>
#include <linux/sched.h>

#define KTAP_ARCH		KTAP_ARCH_ARM64
#define KTAP_ARCH_NR_REGS	__KTAP_ARM64_MAX
#define KTAP_ARCH_CLOCK		KTAP_CLOCK_CNTVCT
#define KTAP_STACK_WORDS	(THREAD_SIZE / sizeof(long))
#define KTAP_ARCH_KERNEL_END	(~0UL)
#define KTAP_ARCH_FAULT_GRANULE	MTE_GRANULE_SIZE

/*
 * No KTAP_ARCH_WATCHES: a breakpoint fires before the access, and the kernel
 * steps over it for perf's own handlers only (watchpoint_report()); with any
 * other the access would be tried for ever.
 */

/* Not the bare system register: errata of some CPUs need a second look. */
static __always_inline u64 ktap_arch_counter(void)
{
	return arch_timer_read_counter();
}

/* Atomic against this CPU only: without order. */
static __always_inline bool ktap_arch_try_cmpxchg(u64 *p, u64 old, u64 new)
{
	return cmpxchg_local(p, old, new) == old;
}

/* The architecture promises one system-wide counter. */
static inline bool ktap_arch_counter_ok(void)
{
	return true;
}

static inline u64 ktap_arch_counter_hz(void)
{
	return arch_timer_get_cntfrq();
}

static __always_inline u64 ktap_arch_thread(void)
{
	return read_sysreg(tpidr_el0);
}

/* Kernel threads run with the tables of whoever came before them. */
static __always_inline bool ktap_arch_user_here(void)
{
	return current->mm;
}

/*
 * As in nmi_uaccess_okay(), which is always true here. In the middle of a switch
 * of tasks, and of exec, what is read may be the memory of the one that comes.
 */
static __always_inline bool ktap_arch_user_settled(void)
{
	return true;
}

static __always_inline bool ktap_arch_user_loaded(void)
{
	return true;
}

static inline unsigned long ktap_arch_call_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

static __always_inline unsigned long
ktap_arch_entry_cfa(const struct pt_regs *regs)
{
	return regs->sp;
}

#endif /* KTAP_ARCH_ARM64_H */
