// SPDX-License-Identifier: GPL-2.0
/*
 * The backend of system calls. It uses two tracepoints of the kernel, sys_enter and
 * sys_exit, and looks the system call number up in a table. So hundreds of system calls
 * can be armed at once. While one of the tracepoints is in use, every task takes the slow
 * path into and out of the kernel for all of its system calls.
 *
 * Programs have the form that they have for a probe on the function that serves the call: the
 * first argument points to the caller's registers, and the return value is the value of the
 * call. They run on a struct pt_regs that contains only these values.
 *
 * A task is in one system call at a time. So the values of an entry program are stored by
 * probe and task. A call that does not end in sys_exit (exit, rt_sigreturn) is not
 * followed, because its stored values would never be released.
 *
 * System call numbers are those of the native ABI. Calls of other ABIs (32-bit programs,
 * x32) have other numbers and are ignored.
 */
#include <asm/syscall.h>
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/tracepoint.h>
#include <linux/unistd.h>

#include "arch/arch.h"
#include "backend/syscall.h"
#include "compat.h"
#include "core/budget.h"
#include "frame/entry.h"
#include "hit/hit_inline.h"

/*
 * Slots per set. A call is stored in one of two sets. If half as many calls are pending
 * as there are slots, all of them find one, but for one case in several hundred.
 */
#define WAYS	16

/* Calls that a probe can store at once, if MAXACTIVE is not given. */
#define KEPT_DEFAULT	128

/**
 * struct cell - per-CPU counts of a return probe
 * @entries: calls whose entry program was to run
 * @returns: calls that returned
 * @no_room: calls that found no free slot
 * @errors: timed calls in scope that returned an error
 * @time: time in timed calls in scope, in ns
 */
struct cell {
	u64 entries;
	u64 returns;
	u64 no_room;
	u64 errors;
	u64 time;
};

/**
 * struct syscall_probe - a probe on a system call, or on its return
 * @p: common part
 * @nr: system call number
 * @at_enter: link in the list for sys_enter (RCU)
 * @at_exit: link in the list for sys_exit (RCU)
 * @entry: entry program, or NULL
 * @cell: return probes: counts
 * @bits: there are 1 << @bits sets of WAYS slots
 * @stride: size of a slot in bytes
 * @times: calls are timed
 * @slots: array of struct slot; NULL if there is no entry program and calls are not timed
 */
struct syscall_probe {
	struct ktap_probe p;
	u32 nr;
	struct hlist_node at_enter;
	struct hlist_node at_exit;
	struct ktap_prog *entry;
	struct cell __percpu *cell;
	u32 bits;
	u32 stride;
	bool times;
	void *slots;
};

/**
 * struct slot - a pending call
 * @task: task in the call, or NULL: free. Only that task accesses the other members
 * @began: start time in ns, if calls are timed
 * @kept: struct ktap_entry; empty without an entry program
 */
struct slot {
	const struct task_struct *task;
	u64 began;
	u64 kept[];
};

/* Armed probes by system call number; changed under ktap_kernel_arming.lock. */
static struct hlist_head entering[KTAP_SYSCALLS_MAX];
static struct hlist_head leaving[KTAP_SYSCALLS_MAX];

static struct syscall_probe *mine(struct ktap_probe *p)
{
	return container_of(p, struct syscall_probe, p);
}

/**
 * ktap_syscall_nr() - system call number of a probe
 * @p: probe of this backend
 *
 * Context: any.
 * Return: number.
 */
u32 ktap_syscall_nr(const struct ktap_probe *p)
{
	return container_of(p, struct syscall_probe, p)->nr;
}

/* ---- pending calls --------------------------------------------------------- */

static struct slot *slot_at(const struct syscall_probe *s, unsigned long i)
{
	return s->slots + i * s->stride;
}

/* The first slot of one of the two sets of this task. */
static __always_inline struct slot *set_of(const struct syscall_probe *s,
					   bool second)
{
	u64 key = (unsigned long)current;

	/* task_structs are slab objects: spread the bits that differ over the key */
	key ^= key >> 17;
	if (second)
		key = rol64(key, 32);
	return slot_at(s, (unsigned long)hash_64(key, s->bits) * WAYS);
}

static __always_inline struct slot *find_in(const struct syscall_probe *s,
					    struct slot *slot)
{
	int i;

	for (i = 0; i < WAYS; i++, slot = (void *)slot + s->stride)
		if (READ_ONCE(slot->task) == current)
			return slot;
	return NULL;
}

/* The slot of this task, or NULL. */
static __always_inline struct slot *find_slot(const struct syscall_probe *s)
{
	return find_in(s, set_of(s, false)) ?: find_in(s, set_of(s, true));
}

static __always_inline struct slot *take_in(const struct syscall_probe *s,
					    struct slot *slot)
{
	int i;

	for (i = 0; i < WAYS; i++, slot = (void *)slot + s->stride)
		if (!READ_ONCE(slot->task) &&
		    !cmpxchg(&slot->task, NULL, current))
			return slot;
	return NULL;
}

static __always_inline struct slot *take_slot(const struct syscall_probe *s)
{
	return take_in(s, set_of(s, false)) ?: take_in(s, set_of(s, true));
}

static __always_inline void give_slot(struct slot *slot)
{
	/* pairs with take_slot(): the next owner writes after these reads */
	smp_store_release(&slot->task, NULL);
}

/* Discards values that an earlier call of this task left: its end was not seen. */
static void follow(const struct syscall_probe *s, const struct pt_regs *regs)
{
	struct slot *slot = find_slot(s);

	this_cpu_inc(s->cell->entries);
	if (!ktap_hit_wanted(&s->p.site)) {
		if (slot)
			give_slot(slot);
		return;
	}
	if (!slot)
		slot = take_slot(s);
	if (!slot) {
		this_cpu_inc(s->cell->no_room);
		return;
	}
	if (s->entry)
		ktap_hit_entry(&s->p.site, s->entry, regs, (void *)slot->kept);
	if (s->times)
		slot->began = ktap_fetch_ctx(KTAP_CTX_TIME, NULL);
}
NOKPROBE_SYMBOL(follow);

/* ---- hits ------------------------------------------------------------------ */

static __always_inline bool is_native(long nr)
{
	return (unsigned long)nr < KTAP_SYSCALLS_MAX &&
	       !ktap_in_compat_syscall();
}

static void on_enter(void *unused, struct pt_regs *caller, long nr)
{
	const struct syscall_probe *s;
	struct pt_regs regs;

	if (!is_native(nr))
		return;
	ktap_arch_set_argument(&regs, (unsigned long)caller);
	/* faultable tracepoints run with preemption enabled */
	preempt_disable_notrace();
	hlist_for_each_entry_rcu_notrace(s, &entering[nr], at_enter) {
		if (s->slots)
			follow(s, &regs);
		else
			ktap_hit_inline(&s->p.site, &regs);
	}
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(on_enter);

static noinline void hit_general(const struct syscall_probe *s,
				 const struct pt_regs *regs,
				 const struct slot *slot)
{
	struct ktap_frame frame = {
		.regs = regs,
		.retaddr = instruction_pointer((struct pt_regs *)regs),
	};

	if (s->entry) {
		frame.entry = (const void *)slot->kept;
		frame.entry_info = &s->entry->info;
	}
	ktap_hit_frame(&s->p.site, &frame);
}
NOKPROBE_SYMBOL(hit_general);

static __always_inline void count_time(const struct syscall_probe *s,
				       const struct slot *slot, long ret)
{
	if (!s->times)
		return;
	this_cpu_add(s->cell->time,
		     ktap_fetch_ctx(KTAP_CTX_TIME, NULL) - slot->began);
	if (IS_ERR_VALUE(ret))
		this_cpu_inc(s->cell->errors);
}

/* A call whose begin was not seen, or that found no free slot, is not followed. */
static void hit_followed(const struct syscall_probe *s,
			 const struct pt_regs *regs, long ret)
{
	struct slot *slot = find_slot(s);

	if (!slot)
		return;
	count_time(s, slot, ret);
	hit_general(s, regs, slot);
	give_slot(slot);
}
NOKPROBE_SYMBOL(hit_followed);

static void on_exit(void *unused, struct pt_regs *caller, long ret)
{
	long nr = syscall_get_nr(current, caller);
	const struct syscall_probe *s;
	struct pt_regs regs;

	if (!is_native(nr))
		return;
	regs_set_return_value(&regs, ret);
	instruction_pointer_set(&regs, _RET_IP_);
	preempt_disable_notrace();
	hlist_for_each_entry_rcu_notrace(s, &leaving[nr], at_exit) {
		this_cpu_inc(s->cell->returns);
		if (s->slots)
			hit_followed(s, &regs, ret);
		else if (!ktap_hit_quick(&s->p.site, &regs))
			hit_general(s, &regs, NULL);
	}
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(on_exit);

/* ---- the tracepoints: under ktap_kernel_arming.lock ------------------------ */

/**
 * struct hook - use of one tracepoint
 * @name: name of the tracepoint
 * @fn: probe function
 * @tp: tracepoint; NULL: not looked up yet
 * @users: armed probes that need it
 */
struct hook {
	const char *name;
	void *fn;
	struct tracepoint *tp;
	unsigned int users;
};

static struct hook enter_hook = { .name = "sys_enter", .fn = on_enter };
static struct hook exit_hook = { .name = "sys_exit", .fn = on_exit };

static void look_at(struct tracepoint *tp, void *ctx)
{
	struct hook *hook = ctx;

	if (!strcmp(tp->name, hook->name))
		hook->tp = tp;
}

static int hook_hold(struct hook *hook)
{
	int err = 0;

	lockdep_assert_held(&ktap_kernel_arming.lock);
	if (!hook->tp)
		for_each_kernel_tracepoint(look_at, hook);
	if (!hook->tp)
		return -ENOENT;
	if (!hook->users)
		err = tracepoint_probe_register(hook->tp, hook->fn, NULL);
	hook->users += !err;
	return err;
}

static void hook_release(struct hook *hook)
{
	lockdep_assert_held(&ktap_kernel_arming.lock);
	if (!--hook->users)
		tracepoint_probe_unregister(hook->tp, hook->fn, NULL);
}

static bool is_return(const struct syscall_probe *s)
{
	return s->p.type == KTAP_TYPE_SYSRET;
}

static bool wants_enter(const struct syscall_probe *s)
{
	return s->slots || !is_return(s);
}

/* ---- the backend ----------------------------------------------------------- */

/* The other registers would be whatever is on the stack. */
static bool reads_others(const struct ktap_insn *insns, u32 nr, u64 regs)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (insns[i].op == KTAP_OP_STACK ||
		    insns[i].op == KTAP_OP_KSTACK)
			return true;
		if (insns[i].op == KTAP_OP_REG &&
		    (insns[i].imm > 63 || !(regs & BIT_ULL(insns[i].imm))))
			return true;
	}
	return false;
}

static const char others[] =
	"only the first argument, the value and the return address can be read here";

#define AT_ENTER	BIT_ULL(KTAP_ARCH_ARGUMENT)
#define AT_EXIT		(BIT_ULL(KTAP_ARCH_RETVAL) | BIT_ULL(KTAP_ARCH_PC))

static int check_place(const struct ktap_probe_args *args,
		       struct ktap_refused *refused)
{
	if (args->syscall >= KTAP_SYSCALLS_MAX)
		return ktap_refuse(refused, -EINVAL, KTAP_A_SYSCALL,
				   "no system call has this number");
	if (args->offset)
		return ktap_refuse(refused, -EINVAL, KTAP_A_OFFSET,
				   "a system call takes no offset");
	return 0;
}

static int syscall_check(struct ktap_probe_args *args,
			 struct ktap_refused *refused)
{
	if (reads_others(args->insns, args->nr_insns, AT_ENTER))
		return ktap_refuse(refused, -EINVAL, KTAP_A_PROG, others);
	return check_place(args, refused);
}

static int sysret_check(struct ktap_probe_args *args,
			struct ktap_refused *refused)
{
	if (reads_others(args->insns, args->nr_insns, AT_EXIT))
		return ktap_refuse(refused, -EINVAL, KTAP_A_PROG, others);
	if (reads_others(args->entry_insns, args->nr_entry_insns, AT_ENTER))
		return ktap_refuse(refused, -EINVAL, KTAP_A_ENTRY_PROG, others);
	return check_place(args, refused) ?: ktap_entry_check(args, refused);
}

static size_t slots_size(const struct syscall_probe *s)
{
	return ((size_t)WAYS << s->bits) * s->stride;
}

static int make_slots(struct syscall_probe *s, u32 max,
		      struct ktap_refused *refused)
{
	u32 sets = DIV_ROUND_UP(2 * (max ?: KEPT_DEFAULT), WAYS);
	int err;

	s->bits = order_base_2(sets) ?: 1;
	s->stride = ALIGN(sizeof(struct slot) + ktap_entry_size(s->entry), 8);
	s->slots = ktap_mem_alloc(KTAP_MEM_CALLS, slots_size(s));
	if (!IS_ERR(s->slots))
		return 0;
	err = PTR_ERR(s->slots);
	s->slots = NULL;
	return ktap_budget_explain(err, slots_size(s), KTAP_A_MAXACTIVE,
				   refused);
}

static void release(struct syscall_probe *s)
{
	if (s->slots)
		ktap_mem_free(KTAP_MEM_CALLS, s->slots, slots_size(s));
	if (s->cell)
		ktap_free_percpu(s->cell);
	ktap_prog_destroy(s->entry);
}

static bool is_left(u32 nr)
{
	return nr != __NR_exit && nr != __NR_exit_group &&
	       nr != __NR_rt_sigreturn;
}

static int prepare(struct syscall_probe *s, const struct ktap_probe_args *args,
		   struct ktap_refused *refused)
{
	struct ktap_prog *entry;

	s->cell = ktap_alloc_percpu(struct cell, refused);
	if (!s->cell)
		return -ENOMEM;
	entry = ktap_entry_create(args, refused);
	if (IS_ERR(entry))
		return PTR_ERR(entry);
	s->entry = entry;
	s->times = args->flags & KTAP_PROBE_F_TIMES;
	return entry || s->times ? make_slots(s, args->maxactive, refused) : 0;
}

static int syscall_add(struct ktap_probe *p, const struct ktap_probe_args *args,
		       struct ktap_refused *refused)
{
	struct syscall_probe *s = mine(p);
	int err;

	s->nr = args->syscall;
	if (!is_return(s))
		return 0;
	err = prepare(s, args, refused);
	if (err)
		release(s);
	return err;
}

static void forget_all(struct syscall_probe *s)
{
	unsigned long i;

	for (i = 0; s->slots && i < (unsigned long)WAYS << s->bits; i++)
		give_slot(slot_at(s, i));
}

/* exit_group does not return, and rt_sigreturn returns with another number. */
static int arm_one(struct syscall_probe *s)
{
	int err = is_return(s) ? hook_hold(&exit_hook) : 0;

	if (!err && wants_enter(s)) {
		err = hook_hold(&enter_hook);
		if (err && is_return(s))
			hook_release(&exit_hook);
	}
	if (err)
		return err;
	forget_all(s);
	if (is_return(s))
		hlist_add_head_rcu(&s->at_exit, &leaving[s->nr]);
	if (wants_enter(s) && (!is_return(s) || is_left(s->nr)))
		hlist_add_head_rcu(&s->at_enter, &entering[s->nr]);
	return 0;
}

static void disarm_one(struct syscall_probe *s)
{
	hlist_del_init_rcu(&s->at_enter);
	hlist_del_init_rcu(&s->at_exit);
	if (wants_enter(s))
		hook_release(&enter_hook);
	if (is_return(s))
		hook_release(&exit_hook);
}

/*
 * Waits before a link is reused: a hit that follows a link that is in the list again
 * would see some probes twice.
 */
static void syscall_disarm(struct ktap_probe **probes, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		disarm_one(mine(probes[i]));
	synchronize_rcu();
}

static int syscall_arm(struct ktap_probe **probes, int nr)
{
	int i, err = 0;

	for (i = 0; !err && i < nr; i++)
		err = arm_one(mine(probes[i]));
	if (err && --i)
		syscall_disarm(probes, i);
	return err;
}

static void syscall_remove(struct ktap_probe **probes, int nr)
{
	int i, armed = 0;

	for (i = 0; i < nr; i++) {
		if (!probes[i]->armed)
			continue;
		disarm_one(mine(probes[i]));
		armed++;
	}
	/* also for probes disarmed earlier: the probe functions may still run */
	tracepoint_synchronize_unregister();
	for (i = 0; i < nr; i++)
		release(mine(probes[i]));
}

static void sysret_describe(const struct ktap_probe *p,
			    struct ktap_probe_details *ret)
{
	const struct syscall_probe *s =
		container_of(p, struct syscall_probe, p);

	ret->maxactive = s->slots ? WAYS / 2 << s->bits : 0;
}

/*
 * Without an entry program the begin of calls is not counted, so the number of entries is
 * the number of returns. Reads the returns before the entries, so that each return has
 * its entry.
 */
static void sysret_returns(const struct ktap_probe *p, struct ktap_returns *ret)
{
	const struct syscall_probe *s =
		container_of(p, struct syscall_probe, p);
	const struct cell *cell;
	u64 returns = 0;
	int cpu;

	*ret = (struct ktap_returns){};
	for_each_possible_cpu(cpu)
		returns += READ_ONCE(per_cpu_ptr(s->cell, cpu)->returns);
	smp_rmb(); /* orders the two sums; no pair is needed, counters only grow */
	for_each_possible_cpu(cpu) {
		cell = per_cpu_ptr(s->cell, cpu);
		ret->entries += READ_ONCE(cell->entries);
		ret->no_instance += READ_ONCE(cell->no_room);
		ret->errors += READ_ONCE(cell->errors);
		ret->time += READ_ONCE(cell->time);
	}
	ret->entries = max(ret->entries, returns);
	ret->pending = ret->entries - returns;
}

const struct ktap_backend ktap_syscall_backend = {
	.name = "syscall",
	.feature = KTAP_FEATURE_SYSCALL,
	.probe_size = sizeof(struct syscall_probe),
	.check = syscall_check,
	.add = syscall_add,
	.remove = syscall_remove,
	.arm_many = syscall_arm,
	.disarm_many = syscall_disarm,
};

const struct ktap_backend ktap_sysret_backend = {
	.name = "syscall",
	.feature = KTAP_FEATURE_SYSCALL,
	.probe_size = sizeof(struct syscall_probe),
	.check = sysret_check,
	.add = syscall_add,
	.remove = syscall_remove,
	.arm_many = syscall_arm,
	.disarm_many = syscall_disarm,
	.describe = sysret_describe,
	.returns = sysret_returns,
};
