/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_ARCH_X86_64_H
#define KTAP_ARCH_X86_64_H

#include <asm/cpufeature.h>
#include <asm/fsgsbase.h>
#include <asm/msr.h>
#include <asm/page_types.h>
#include <asm/processor.h>
#include <asm/ptrace.h>
#include <asm/segment.h>
#include <asm/sigcontext.h>
#include <asm/tsc.h>
#include <asm/ucontext.h>
#include <asm/vsyscall.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/mm_types.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "compat.h"
#include "hit/user_regs.h"

#define KTAP_ARCH		KTAP_ARCH_X86_64
#define KTAP_ARCH_NR_REGS	__KTAP_X86_64_MAX
#define KTAP_ARCH_CLOCK		KTAP_CLOCK_TSC
#define KTAP_STACK_WORDS	(THREAD_SIZE / sizeof(long))
#define KTAP_ARCH_WATCHES	1
#define KTAP_ARCH_KERNEL_END	VSYSCALL_ADDR
#define KTAP_ARCH_FAULT_GRANULE	PAGE_SIZE
#define KTAP_ARCH_PATCHES_LIVE	true
#define KTAP_ARCH_CALL_PUSHES	1
#define KTAP_ARCH_ARGUMENT	KTAP_X86_64_DI
#define KTAP_ARCH_RETVAL	KTAP_X86_64_AX
#define KTAP_ARCH_PC		KTAP_X86_64_IP

/* Parameters that are in registers if a pointer is before them: System V ABI, AMD64, 3.2.3 */
#define KTAP_ARCH_PARAMS	u64 a0, u64 a1, u64 a2, u64 a3, u64 a4
#define KTAP_ARCH_ARGS		a0, a1, a2, a3, a4

static __always_inline void ktap_arch_set_argument(struct pt_regs *regs,
						   unsigned long value)
{
	regs->di = value;
}

static __always_inline u64 ktap_arch_counter(void)
{
	return rdtsc();
}

/*
 * Atomic on this CPU only. Before 6.5 there is no try_cmpxchg_local(), and the result
 * needs one more comparison.
 */
static __always_inline bool ktap_arch_try_cmpxchg(u64 *p, u64 old, u64 new)
{
	bool done;

	asm volatile("cmpxchgq %[new], %[p]"
		     : "=@ccz" (done), [p] "+m" (*p), "+a" (old)
		     : [new] "r" (new)
		     : "memory");
	return done;
}

/* Atomic on this CPU only: one instruction, which an interrupt does not divide. */
static __always_inline void ktap_arch_add(u64 *p, u64 n)
{
	asm volatile("addq %[n], %[p]" : [p] "+m" (*p) : [n] "er" (n) : "cc");
}

#define ktap_arch_keep_first(p)	asm("" : "+D"(p))

/* One instruction each, relative to the segment register of per-CPU data. */
#define KTAP_ARCH_HERE		__percpu
#define ktap_arch_here(p)	(p)
#define ktap_arch_here_read(v)	this_cpu_read(v)
#define ktap_arch_here_write(v, value)	this_cpu_write(v, value)
#define ktap_arch_here_inc(v)	this_cpu_inc(v)

/* Compares in memory: this_cpu_read() would load the variable first. */
#ifdef __my_cpu_var
#define ktap_arch_here_var(v)	__my_cpu_var(v)
#else
#define ktap_arch_here_var(v)	(v)
#endif
#define ktap_arch_here_is_set(v) ({					\
	bool set;							\
									\
	BUILD_BUG_ON(sizeof(v) != 4);					\
	asm volatile("cmpl $0, " __percpu_arg(1)			\
		     : "=@ccnz" (set)					\
		     : "m" (ktap_arch_here_var(v)));			\
	set;								\
})

/* The flag of the subtraction tells the sign: no second look at the variable. */
#define ktap_arch_here_spend(v) ({					\
	bool over;							\
									\
	BUILD_BUG_ON(sizeof(v) != 4);					\
	asm volatile("decl " __percpu_arg(1)				\
		     : "=@ccs" (over), "+m" (ktap_arch_here_var(v)));	\
	over;								\
})

static inline bool ktap_arch_counter_ok(void)
{
	return boot_cpu_has(X86_FEATURE_TSC) && !check_tsc_unstable();
}

static inline u64 ktap_arch_counter_hz(void)
{
	return (u64)tsc_khz * 1000;
}

/*
 * The kernel does not use %fs. Avoids rdmsrl(), whose tracepoint may be the hit itself.
 */
static __always_inline u64 ktap_arch_thread(void)
{
	if (boot_cpu_has(X86_FEATURE_FSGSBASE))
		return rdfsbase();
	return __rdmsr(MSR_FS_BASE);
}

/*
 * User memory may be read if this CPU uses the page tables of the current task. That is
 * not so in a kernel thread, during a switch of address spaces, and while the kernel uses
 * another one temporarily. The kernel's own check is not exported (nmi_uaccess_okay(),
 * cpu_tlbstate.loaded_mm). So compare CR3: with and without page table isolation the
 * kernel half of the tables is at mm->pgd. Reading CR3 is expensive in some virtual
 * machines, so it is the last resort: see KTAP_MM_CPUMASK_IS_EXACT.
 */
static __always_inline bool ktap_arch_user_loaded(void)
{
	return current->mm->pgd == __va(read_cr3_pa());
}

static __always_inline bool ktap_arch_user_here(void)
{
	struct mm_struct *mm = current->mm;

	if (!mm)
		return false;
	if (!KTAP_MM_CPUMASK_IS_EXACT)
		return ktap_arch_user_loaded();
	return cpumask_test_cpu(raw_smp_processor_id(), mm_cpumask(mm));
}

/* While interrupts are enabled, no switch is in progress. */
static __always_inline bool ktap_arch_user_settled(void)
{
	return !KTAP_MM_CPUMASK_IS_EXACT || !irqs_disabled();
}

/* Breakpoints do not hide instructions from the kernel's unwinder. */
static inline u32 ktap_arch_insn(const struct kprobe *kp)
{
	return 0;
}

/* The return address was on the stack: 4 bytes in 32-bit code, else 8. */
static inline unsigned long ktap_arch_call_sp(const struct pt_regs *regs)
{
	return regs->sp - (regs->cs == __USER32_CS ? 4 : 8);
}

/*
 * At a function's entry: the CFA, which is the stack pointer before the call. ftrace
 * leaves cs at 0.
 */
static __always_inline unsigned long
ktap_arch_entry_cfa(const struct pt_regs *regs)
{
	return regs->sp + (regs->cs == __USER32_CS ? 4 : 8);
}

static __always_inline unsigned long
ktap_arch_return_place(const struct pt_regs *regs)
{
	return regs->sp;
}

static __always_inline unsigned long
ktap_arch_return_address(const struct pt_regs *regs)
{
	return READ_ONCE_NOCHECK(*(unsigned long *)regs->sp);
}

static __always_inline unsigned long
ktap_arch_returned_place(const struct pt_regs *regs, unsigned long fp)
{
	return fp;
}

/*
 * Whether a read of a kernel address can only succeed or fault. The kernel's own check
 * uses the address width that the CPU supports. If it runs with fewer page table levels,
 * addresses in between cause a general protection fault, about which it warns.
 */
static __always_inline bool ktap_arch_canonical(u64 addr)
{
	return addr >= -1UL << __VIRTUAL_MASK_SHIFT;
}

static __always_inline unsigned long ktap_arch_vdso(const struct mm_struct *mm)
{
	return (unsigned long)mm->context.vdso;
}

/* init_new_context() counts these upwards; they are never used again (asm/mmu.h). */
static __always_inline u64 ktap_arch_mm_id(const struct mm_struct *mm)
{
	return mm->context.ctx_id;
}

/* When the handler has returned, the stack pointer is at the struct ucontext. */
#define KTAP_ARCH_USER_SIG {						\
	.fp = offsetof(struct ucontext, uc_mcontext.bp),		\
	.sp = offsetof(struct ucontext, uc_mcontext.sp),		\
	.ip = offsetof(struct ucontext, uc_mcontext.ip),		\
}

#define KTAP_ARCH_FP_TELLS_SP	true

/* The call has put the return address there. */
static __always_inline u64 ktap_arch_user_call_sp(u64 cfa, u64 ra_at)
{
	return ra_at;
}

static __always_inline u64 ktap_arch_user_address(u64 address)
{
	return address;
}

/* mov $15,%rax, and the first byte of syscall */
static __always_inline bool ktap_arch_sigreturn(u64 code)
{
	return code == 0x0f0000000fc0c748ULL;
}

static __always_inline bool ktap_arch_user_is_native(struct pt_regs *regs)
{
	return user_64bit_mode(regs);
}

static __always_inline struct ktap_user_regs
ktap_arch_user_regs(const struct pt_regs *regs)
{
	return (struct ktap_user_regs){
		.ip = regs->ip, .sp = regs->sp, .fp = regs->bp,
	};
}

#endif /* KTAP_ARCH_X86_64_H */
