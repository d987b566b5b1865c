/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Environment of verify.c, fetch.c and ring.c. Those files are plain C over the small set
 * of inline functions declared here. So the same source is compiled into the module, the
 * KUnit suites, and user-space tests and fuzzers, which supply their own env_user.h. The
 * pure suites use a simulated environment: see kunit/pure/.
 */
#ifndef KTAP_ENV_H
#define KTAP_ENV_H

#ifndef __KERNEL__
#include "env_user.h"
#elif defined(KTAP_MADE_WORLD)
#include "world.h"
#else

#include <asm/barrier.h>
#include <asm/cmpxchg.h>
#include <linux/bitops.h>
#include <linux/cgroup.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/cred.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>

#include "arch/arch.h"
#include "arch/trail.h"
#include "arch/unwind.h"
#include "compat.h"
#include "frame/calls.h"
#include "hit/counter.h"
#include "hit/guard.h"
#include "hit/spot.h"
#include "hit/stack_id.h"
#include "hit/state_cell.h"
#include "hit/user_wait.h"

typedef const struct pt_regs ktap_regs;
typedef const struct task_struct ktap_task;

/* ---- the ring's hooks -------------------------------------------------- */

/*
 * A ring is written by its own CPU only, with preemption disabled; interrupts and NMIs of
 * that CPU may nest. So read-modify-write needs to be atomic on this CPU only: x86 omits
 * the lock prefix, arm64 the ordering.
 */
static __always_inline u64 env_cmpxchg(u64 *p, u64 old, u64 new)
{
	return cmpxchg_local(p, old, new);
}

/* Returns whether *@p was @old; x86 has that in a flag. */
static __always_inline bool env_try_cmpxchg(u64 *p, u64 old, u64 new)
{
	return ktap_arch_try_cmpxchg(p, old, new);
}

/* Atomic on all CPUs, and a full barrier. */
static __always_inline bool env_try_cmpxchg_shared(u64 *p, u64 old, u64 new)
{
	return cmpxchg(p, old, new) == old;
}

/* Atomic on all CPUs. */
static __always_inline void env_inc_shared(u64 *p)
{
	atomic64_inc((atomic64_t *)p);
}

static __always_inline u64 env_xchg(u64 *p, u64 new)
{
	u64 old;

	do {
		old = READ_ONCE(*p);
	} while (env_cmpxchg(p, old, new) != old);
	return old;
}

static __always_inline void env_add(u64 *p, u64 n)
{
	ktap_arch_add(p, n);
}

/* Number of the highest bit that is set, from 1; 0: none is. */
static __always_inline u32 env_fls(u64 value)
{
	return fls64(value);
}

/* The raw clock of records; see clock.c. */
extern struct static_key_true ktap_clock_is_raw;

static __always_inline bool env_clock_is_raw(void)
{
	return static_branch_likely(&ktap_clock_is_raw);
}

static __always_inline u64 env_clock_raw(void)
{
	return ktap_arch_counter();
}

static __always_inline u64 env_clock(void)
{
	if (env_clock_is_raw())
		return env_clock_raw();
	return ktime_get_mono_fast_ns();
}

/*
 * Reads the raw clock and CLOCK_MONOTONIC at one moment: an interrupt between the two
 * reads would shift all times that the reader computes from the pair.
 */
static __always_inline u64 env_clock_pair(u64 *mono)
{
	unsigned long flags;
	u64 now;

	raw_local_irq_save(flags);
	now = env_clock();
	*mono = ktime_get_mono_fast_ns();
	raw_local_irq_restore(flags);
	return now;
}

/* Ticks from @now until hits must take the slow path again; 0: immediately. */
static __always_inline u64 env_quiet(u64 now)
{
	return ktap_guard_quiet(now); /* measurement windows: see guard.c */
}

/* The current task. Read once per hit, because each read costs an instruction. */
static __always_inline ktap_task *env_task(void)
{
	return current;
}

static __always_inline u32 env_tid(ktap_task *task)
{
	return task->pid;
}

/* Another thread may be renaming the task; a torn comm is acceptable. */
static __always_inline u64 env_comm_half(ktap_task *task,
					 unsigned int half)
{
	u64 value;

	BUILD_BUG_ON(TASK_COMM_LEN != 2 * sizeof(value));
	memcpy(&value, task->comm + half * sizeof(value), sizeof(value));
	return value;
}

static __always_inline u32 env_tgid(ktap_task *task)
{
	return task->tgid;
}

/* ---- the interpreter's hooks ------------------------------------------- */

static __always_inline u64 env_reg(ktap_regs *regs, u64 index)
{
	return *(const unsigned long *)((const u8 *)regs +
					ktap_arch_regs[index]);
}

/* Offset of a register in struct pt_regs. */
static __always_inline u16 env_reg_offset(u64 index)
{
	return ktap_arch_regs[index];
}

static __always_inline u64 env_reg_at(ktap_regs *regs, u16 offset)
{
	return *(const unsigned long *)((const u8 *)regs + offset);
}

static __always_inline unsigned int env_nr_regs(void)
{
	return KTAP_ARCH_NR_REGS;
}

static __always_inline void env_comm(void *dst)
{
	memcpy(dst, current->comm, TASK_COMM_LEN);
}

static __always_inline u64 env_cgroup(void)
{
#ifdef CONFIG_CGROUPS
	u64 id;

	/* a program of user code may be preemptible */
	rcu_read_lock();
	id = cgroup_id(task_dfl_cgroup(current));
	rcu_read_unlock();
	return id;
#else
	return 0;
#endif
}

/* The parent changes when it exits. */
static __always_inline u64 env_parent(void)
{
	u64 tgid;

	/* a program of user code may be preemptible */
	rcu_read_lock();
	tgid = rcu_dereference(current->real_parent)->tgid;
	rcu_read_unlock();
	return tgid;
}

/* CPU of the hit. The caller runs with preemption disabled, or may have waited. */
static __always_inline unsigned int env_cpu(const struct ktap_user_wait *wait)
{
	return wait ? wait->cpu : raw_smp_processor_id();
}

/* KTAP_CTX_*, except KTAP_CTX_RETADDR. @wait: of a hit that may wait, or NULL. */
static __always_inline u64 env_ctx(u64 what, const struct ktap_user_wait *wait)
{
	switch (what) {
	case KTAP_CTX_CPU:
		return env_cpu(wait);
	case KTAP_CTX_TGID:
		return current->tgid;
	case KTAP_CTX_TID:
		return current->pid;
	case KTAP_CTX_UID:
		return __kuid_val(current_uid());
	case KTAP_CTX_CGROUP:
		return env_cgroup();
	case KTAP_CTX_TIME:
		return ktime_get_mono_fast_ns();
	case KTAP_CTX_COMM:
		return (unsigned long)current->comm;
	case KTAP_CTX_TASK:
		return (unsigned long)current;
	case KTAP_CTX_PERCPU:
		return per_cpu_offset(env_cpu(wait));
	case KTAP_CTX_PPID:
		return env_parent();
	default: /* KTAP_CTX_THREAD */
		return ktap_arch_thread();
	}
}

/* Address space of a read. */
enum env_memory {
	ENV_ANY,
	ENV_USER,
};

/*
 * As in the kernel's fetch arguments, an address below the top of user space is user
 * memory even without KTAP_INSN_F_USER, because the two ranges do not overlap. A kernel
 * address with the flag is never read, except for the comm of the task, whose address
 * KTAP_CTX_COMM provides to programs of all kinds.
 */
static __always_inline bool env_is_user(u64 addr, u32 size,
					enum env_memory memory)
{
	u64 at = addr - (unsigned long)current->comm;

	return addr < TASK_SIZE_MAX ||
	       (memory != ENV_ANY &&
		(at >= TASK_COMM_LEN || size > TASK_COMM_LEN - at));
}

static __always_inline int env_read_user(void *dst, u64 addr, u32 size)
{
	const void __user *src = (const void __user *)addr;

	/*
	 * A kernel thread uses the page tables of the task that ran before. Only on x86
	 * does the kernel check that.
	 */
	if (unlikely(!current->mm))
		return -EFAULT;
	if (!KTAP_NOFAULT_LOOKS && unlikely(!ktap_arch_user_loaded()))
		return -EFAULT;
	return copy_from_user_nofault(dst, src, size);
}

static __always_inline int env_read(void *dst, u64 addr, u32 size,
				    enum env_memory memory)
{
	if (env_is_user(addr, size, memory))
		return env_read_user(dst, addr, size);
	if (unlikely(!ktap_arch_canonical(addr)))
		return -EFAULT;
	return copy_from_kernel_nofault(dst, (const void *)addr, size);
}

/*
 * Reads without a call, for addresses that are certainly kernel memory: text.c explains
 * the assumptions.
 */
#define ENV_GET(type, addr, value, label) ({				\
	type got;							\
	__get_kernel_nofault(&got, (const type *)(addr), type, label);	\
	*(value) = got;							\
})

static __always_inline int env_kernel_value(u64 *value, u64 addr, u32 size)
{
	int err = 0;

	pagefault_disable();
	if (likely(size == 8))
		ENV_GET(u64, addr, value, fault);
	else if (size == 4)
		ENV_GET(u32, addr, value, fault);
	else if (size == 2)
		ENV_GET(u16, addr, value, fault);
	else
		ENV_GET(u8, addr, value, fault);
out:
	pagefault_enable();
	return err;
fault:
	*value = 0;
	err = -EFAULT;
	goto out;
}

/* Reads an integer of @size bytes, 1, 2, 4 or 8, zero-extended. */
static __always_inline int env_value(u64 *value, u64 addr, u32 size,
				     enum env_memory memory)
{
	if (likely(memory == ENV_ANY && addr >= PAGE_OFFSET &&
		   addr <= KTAP_ARCH_KERNEL_END - sizeof(*value)))
		return env_kernel_value(value, addr, size);
	*value = 0;
	return env_read(value, addr, size, memory);
}

/* Address of a word on the stack of the probed code. */
static __always_inline u64 env_stack_at(ktap_regs *regs, u64 n)
{
	return kernel_stack_pointer((struct pt_regs *)regs) + n * sizeof(long);
}

/* Reads a word of that stack. */
static __always_inline int env_stack_word(ktap_regs *regs, u64 n, u64 *ret,
					  enum env_memory memory)
{
	unsigned long sp = kernel_stack_pointer((struct pt_regs *)regs);
	unsigned long at = env_stack_at(regs, n);

	if (memory != ENV_ANY)
		return env_read_user(ret, at, sizeof(long));
	if ((at ^ sp) & ~(THREAD_SIZE - 1))
		return -EFAULT;
	return copy_from_kernel_nofault(ret, (void *)at, sizeof(long));
}

/* The id of the kernel stack of a hit, if a trail leads to it; else 0. */
static __always_inline u64 env_kstack_find(const struct ktap_trail_use *use, ktap_regs *regs)
{
	return ktap_trail_find(use, regs);
}

/*
 * The kernel stack of the probed code, of at most @max frames; see arch/. @use: to leave a
 * trail, or NULL.
 */
static inline void env_kstack(ktap_regs *regs, const struct ktap_spot *spot,
			      struct ktap_stack *s, u32 max, struct ktap_trail_use *use)
{
	ktap_arch_unwind_noting(regs, spot, s, max, use ? ktap_trail_begin(use, regs) : NULL);
	s->id = ktap_stack_id(s);
	if (use)
		use->id = s->id;
}

/* The same for a hook without registers. */
static inline void env_kstack_of_caller(const struct ktap_caller *caller,
					struct ktap_stack *s, u32 max)
{
	ktap_arch_unwind_caller(caller, s, max);
}

/* ---- user stacks --------------------------------------------------------- */

#define ENV_USER_SIG		KTAP_ARCH_USER_SIG
#define ENV_USER_FP_TELLS_SP	KTAP_ARCH_FP_TELLS_SP

/* See user_map.c and user_stack.c. */
bool env_user_map(u64 at, struct ktap_user_map *m, struct ktap_user_note *note);
bool env_user_return(u64 sp, u64 *ip);
void env_ustack(struct ktap_stack *s, u32 max);
bool env_has_ustack(void);

/*
 * Reads a word of user memory. env_ustack() has checked that this CPU may read that of the
 * current task.
 */
static __always_inline int env_user_word(u64 addr, u64 *ret)
{
	const char __user *src = (const char __user *)addr;
	int err = -EFAULT;
	u64 value;

	pagefault_disable();
	if (likely(ktap_user_read_begin(&src, sizeof(value)))) {
		unsafe_get_user(value, (const u64 __user *)src, fault);
		*ret = value;
		err = 0;
fault:
		user_read_access_end();
	}
	pagefault_enable();
	return err;
}

static __always_inline u64 env_user_address(u64 address)
{
	return ktap_arch_user_address(address);
}

static __always_inline u64 env_user_call_sp(u64 cfa, u64 ra_at)
{
	return ktap_arch_user_call_sp(cfa, ra_at);
}

/* Whether code, which begins with the word @code, returns from a signal handler. */
static __always_inline bool env_user_sigreturn(u64 code)
{
	return ktap_arch_sigreturn(code);
}

/* See text.c. */
long env_string(char *dst, u64 addr, u32 max, enum env_memory memory);

/* User memory could not be read: wait for it and read again. */
static inline int env_read_waiting(struct ktap_user_wait *wait, void *dst,
				   u64 addr, u32 size)
{
	return ktap_user_read(wait, dst, addr, size);
}

static inline long env_string_waiting(struct ktap_user_wait *wait, char *dst,
				      u64 addr, u32 max)
{
	return ktap_user_string(wait, dst, addr, max);
}

/* See calls.c. */
static inline bool env_frame(struct ktap_calls *calls, u64 cfa, u64 nr,
			     u64 *ret)
{
	return ktap_calls_find(calls, cfa, nr, ret);
}

static inline void env_no_entry(struct ktap_calls *calls)
{
	ktap_calls_no_entry(calls);
}

/* When a task started. @task may be any number. Return: whether it could be read. */
static inline bool env_task_start(u64 task, u64 *ret)
{
	u64 at = task + offsetof(struct task_struct, start_time);

	BUILD_BUG_ON(sizeof(current->start_time) != sizeof(*ret));
	return at >= PAGE_OFFSET && at <= KTAP_ARCH_KERNEL_END - sizeof(*ret) &&
	       !env_kernel_value(ret, at, sizeof(*ret));
}

/* @what: enum ktap_state_count */
static inline void env_state_count(struct ktap_state_cell __percpu *cells,
				   unsigned int what)
{
	this_cpu_inc(cells->n[what]);
}

/* @wait: of a hit that may wait, or NULL. Return: whether the counter could be read. */
static inline bool env_counter(const struct ktap_counter *counter, u64 event,
			       const struct ktap_user_wait *wait, u64 *ret)
{
	return ktap_counter_read(counter, env_cpu(wait), ret);
}

#define ENV_NOPROBE(fn) NOKPROBE_SYMBOL(fn)

#endif /* __KERNEL__ */
#endif /* KTAP_ENV_H */
