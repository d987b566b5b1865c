/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_ARCH_ARM64_H
#define KTAP_ARCH_ARM64_H

#include <asm/arch_timer.h>
#include <asm/cmpxchg.h>
#include <asm/memory.h>
#include <asm/mte.h>
#include <asm/processor.h>
#include <asm/sysreg.h>
#include <asm/ucontext.h>
#include <clocksource/arm_arch_timer.h>
#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/signal.h>

#include "hit/user_regs.h"

#define KTAP_ARCH		KTAP_ARCH_ARM64
#define KTAP_ARCH_NR_REGS	__KTAP_ARM64_MAX
#define KTAP_ARCH_CLOCK		KTAP_CLOCK_CNTVCT
#define KTAP_STACK_WORDS	(THREAD_SIZE / sizeof(long))
#define KTAP_ARCH_KERNEL_END	(~0UL)
#define KTAP_ARCH_FAULT_GRANULE	MTE_GRANULE_SIZE
#define KTAP_ARCH_PATCHES_LIVE	false
#define KTAP_ARCH_CALL_PUSHES	0
#define KTAP_ARCH_ARGUMENT	KTAP_ARM64_X0
#define KTAP_ARCH_RETVAL	KTAP_ARM64_X0
#define KTAP_ARCH_PC		KTAP_ARM64_PC

/* Parameters that are in registers if a pointer is before them: AAPCS64, 6.8.2 */
#define KTAP_ARCH_PARAMS	u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5, u64 a6
#define KTAP_ARCH_ARGS		a0, a1, a2, a3, a4, a5, a6

static __always_inline void ktap_arch_set_argument(struct pt_regs *regs,
						   unsigned long value)
{
	regs->regs[0] = value;
}

/*
 * KTAP_ARCH_WATCHES is not defined: a breakpoint fires before the access, and the kernel
 * steps over it for perf's own handlers only (watchpoint_report()). With any other
 * handler the access would be retried for ever.
 */

/*
 * Not a plain read of the system register: some CPUs have errata that need a second read.
 */
static __always_inline u64 ktap_arch_counter(void)
{
	return arch_timer_read_counter();
}

/* Atomic on this CPU only, without ordering. */
static __always_inline bool ktap_arch_try_cmpxchg(u64 *p, u64 old, u64 new)
{
	return cmpxchg_local(p, old, new) == old;
}

#define ktap_arch_keep_first(p)	OPTIMIZER_HIDE_VAR(p)

/*
 * this_cpu_read() and this_cpu_inc() have compiler barriers before and after, or even
 * calls. After each the compiler computes the per-CPU address again and reloads values.
 * With preemption disabled this is not needed.
 */
#define KTAP_ARCH_HERE
#define ktap_arch_here(p)	raw_cpu_ptr(p)
#define ktap_arch_here_read(v)	READ_ONCE(v)
#define ktap_arch_here_write(v, value)	WRITE_ONCE(v, value)
#define ktap_arch_here_is_set(v)	(READ_ONCE(v) != 0)
#define ktap_arch_here_inc(v)	ktap_arch_inc(&(v))
#define ktap_arch_here_spend(v)	ktap_arch_spend(&(v))

/* Atomic on this CPU only. */
static __always_inline void ktap_arch_inc(u64 *p)
{
	atomic64_inc((atomic64_t *)p);
}

/* Atomic on this CPU only. */
static __always_inline void ktap_arch_add(u64 *p, u64 n)
{
	atomic64_add(n, (atomic64_t *)p);
}

/* Between the two an interrupt may write a number, which is lost then. */
static __always_inline bool ktap_arch_spend(s32 *p)
{
	s32 left = READ_ONCE(*p) - 1;

	WRITE_ONCE(*p, left);
	return left < 0;
}

/* The architecture guarantees one system-wide counter. */
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

/* A kernel thread uses the page tables of the task that ran before. */
static __always_inline bool ktap_arch_user_here(void)
{
	return current->mm;
}

/*
 * Same as nmi_uaccess_okay(), which is always true on arm64. During a task switch or exec
 * a read may see the memory of the next task or program.
 */
static __always_inline bool ktap_arch_user_settled(void)
{
	return true;
}

static __always_inline bool ktap_arch_user_loaded(void)
{
	return true;
}

/* The instruction that the breakpoint of a kprobe replaces. */
static inline u32 ktap_arch_insn(const struct kprobe *kp)
{
	return le32_to_cpu((__force __le32)kp->opcode);
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

/*
 * x29 has the address of the caller's frame record, at the entry and at the return. Between them
 * the function's own record has it.
 */
static __always_inline unsigned long
ktap_arch_return_place(const struct pt_regs *regs)
{
	return regs->regs[29];
}

static __always_inline unsigned long
ktap_arch_return_address(const struct pt_regs *regs)
{
	return regs->regs[30];
}

static __always_inline unsigned long
ktap_arch_returned_place(const struct pt_regs *regs, unsigned long fp)
{
	return regs->regs[29];
}

/* A read of an unmapped kernel address only faults, so all addresses are allowed. */
static __always_inline bool ktap_arch_canonical(u64 addr)
{
	return true;
}

static __always_inline unsigned long ktap_arch_vdso(const struct mm_struct *mm)
{
	return (unsigned long)mm->context.vdso;
}

/*
 * The ASID, with its generation: new_context() gives an ASID to one address space only, until
 * all have been given away, when the next generation begins. A task that runs has one.
 */
static __always_inline u64 ktap_arch_mm_id(const struct mm_struct *mm)
{
	return atomic64_read(&mm->context.id);
}

/* The frame of a signal: struct siginfo, struct ucontext. Its head is not in a header. */
#define KTAP_ARCH_SIG(reg)						\
	(sizeof(struct siginfo) + offsetof(struct ucontext, uc_mcontext.reg))
#define KTAP_ARCH_USER_SIG {						\
	.fp = KTAP_ARCH_SIG(regs[29]),					\
	.lr = KTAP_ARCH_SIG(regs[30]),					\
	.sp = KTAP_ARCH_SIG(sp),					\
	.ip = KTAP_ARCH_SIG(pc),					\
}

/* The frame record may be anywhere in the frame. */
#define KTAP_ARCH_FP_TELLS_SP	false

/* The call leaves the stack pointer as it is. */
static __always_inline u64 ktap_arch_user_call_sp(u64 cfa, u64 ra_at)
{
	return cfa;
}

/*
 * Pointer authentication puts a signature into the bits above the address. The processor may
 * have fewer bits of an address than the kernel is built for.
 */
static __always_inline u64 ktap_arch_user_address(u64 address)
{
	return address & ((1UL << vabits_actual) - 1);
}

/* mov x8, #139; svc #0 */
static __always_inline bool ktap_arch_sigreturn(u64 code)
{
	return code == 0xd4000001d2801168ULL;
}

static __always_inline bool ktap_arch_user_is_native(struct pt_regs *regs)
{
	return !compat_user_mode(regs);
}

static __always_inline struct ktap_user_regs
ktap_arch_user_regs(const struct pt_regs *regs)
{
	return (struct ktap_user_regs){
		.ip = regs->pc, .sp = regs->sp, .fp = regs->regs[29],
		.lr = ktap_arch_user_address(regs->regs[30]),
	};
}

#endif /* KTAP_ARCH_ARM64_H */
