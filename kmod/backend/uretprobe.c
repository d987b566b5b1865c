// SPDX-License-Identifier: GPL-2.0
/*
 * The uretprobe backend: a hit is the return of a function of user code.
 *
 * The kernel stores the pending calls of a task (at most MAX_URETPROBE_DEPTH), without a
 * place for data of the consumer. So the values of an entry program are stored here, by
 * task and by the stack pointer at the entry. Calls that never return are detected like
 * this:
 *
 * - longjmp: a later entry or return of the task has a higher stack pointer, and drops
 *   the calls below it.
 * - exit: calls hold the task's struct pid, so that no new task matches it. Calls of
 *   tasks that have exited are swept when the table is full.
 * - exec: calls of the previous program do not match (self_exec_id).
 * - fork: the kernel copies the pending calls to the child. The child has no stored
 *   values, which are then flagged as unknown.
 *
 * Handlers run preemptible in the task that hit. The lock protects the tables only.
 */
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "backend/uprobe.h"
#include "core/budget.h"
#include "frame/entry.h"
#include "hit/fetch.h"
#include "hit/hit.h"
#include "hit/user_wait.h"

#define CALLS_DEFAULT	4096
#define CALLS_BITS	6
#define SWEEP_MAX	64

/**
 * struct call - a pending call
 * @in_table: link by task
 * @by_age: link in the list of all calls, oldest first
 * @pid: pid of the task; referenced
 * @exec_id: self_exec_id of the task
 * @sp: stack pointer at the entry
 * @entry: values that the entry program stored
 */
struct call {
	struct hlist_node in_table;
	struct list_head by_age;
	struct pid *pid;
	u64 exec_id;
	unsigned long sp;
	struct ktap_entry entry;
};

/**
 * struct cell - per-CPU counts
 * @entries: calls that the kernel follows
 * @returns: calls that returned
 * @too_deep: calls that the kernel does not follow
 * @no_instance: calls whose entry values were not stored
 */
struct cell {
	u64 entries;
	u64 returns;
	u64 too_deep;
	u64 no_instance;
};

/**
 * struct uretprobe_probe - a probe that follows calls
 * @u: part shared with uprobes
 * @entry: entry program, or NULL
 * @cell: counts
 * @max: limit of @nr
 * @lock: protects the members below
 * @nr: number of stored calls
 * @by_age: all stored calls, oldest first
 * @table: hash table by task
 */
struct uretprobe_probe {
	struct ktap_uprobe u;
	struct ktap_prog *entry;
	struct cell __percpu *cell;
	u32 max;
	spinlock_t lock; /* protects nr, by_age, table */
	u32 nr;
	struct list_head by_age;
	struct hlist_head table[1 << CALLS_BITS];
};

static struct uretprobe_probe *mine(const struct ktap_probe *p)
{
	return container_of(p, struct uretprobe_probe, u.p);
}

static struct uretprobe_probe *of_consumer(struct uprobe_consumer *uc)
{
	return container_of(uc, struct uretprobe_probe, u.uc);
}

/* ---- the table: under its lock ----------------------------------------------- */

static struct hlist_head *calls_of_current(struct uretprobe_probe *r)
{
	return &r->table[hash_ptr(task_pid(current), CALLS_BITS)];
}

static void unlink_call(struct uretprobe_probe *r, struct call *c)
{
	hlist_del(&c->in_table);
	list_del(&c->by_age);
	r->nr--;
}

/* Context: any. */
static void free_call(struct call *c)
{
	if (!c)
		return;
	put_pid(c->pid);
	kfree(c);
}

/*
 * Drops calls of this task that cannot return any more: calls below @sp and calls of the
 * previous program. The kernel follows at most MAX_URETPROBE_DEPTH calls, so older ones
 * were left by longjmp, from the same place each time.
 */
static void drop_dead(struct uretprobe_probe *r, unsigned long sp)
{
	unsigned int kept = 0;
	struct hlist_node *next;
	struct call *c;

	hlist_for_each_entry_safe(c, next, calls_of_current(r), in_table) {
		if (c->pid != task_pid(current))
			continue;
		if (c->sp >= sp && c->exec_id == current->self_exec_id &&
		    ++kept <= MAX_URETPROBE_DEPTH)
			continue;
		unlink_call(r, c);
		free_call(c);
	}
}

/* Drops calls of tasks that have exited; checks a bounded number of the oldest. */
static void sweep(struct uretprobe_probe *r)
{
	struct call *c, *next;
	unsigned int i = 0;
	bool gone;

	list_for_each_entry_safe(c, next, &r->by_age, by_age) {
		if (++i > SWEEP_MAX)
			break;
		rcu_read_lock();
		gone = !pid_task(c->pid, PIDTYPE_PID);
		rcu_read_unlock();
		if (gone) {
			unlink_call(r, c);
			free_call(c);
		} else {
			list_move_tail(&c->by_age, &r->by_age);
		}
	}
}

static bool link_call(struct uretprobe_probe *r, struct call *c)
{
	if (r->nr >= r->max)
		sweep(r);
	if (r->nr >= r->max)
		return false;
	hlist_add_head(&c->in_table, calls_of_current(r));
	list_add_tail(&c->by_age, &r->by_age);
	r->nr++;
	return true;
}

/* The latest call with stack pointer @sp, or NULL. */
static struct call *find_call(struct uretprobe_probe *r, unsigned long sp)
{
	struct call *c;

	hlist_for_each_entry(c, calls_of_current(r), in_table)
		if (c->pid == task_pid(current) && c->sp == sp &&
		    c->exec_id == current->self_exec_id)
			return c;
	return NULL;
}

/* Context: process; no handler runs. */
static void forget_all(struct uretprobe_probe *r)
{
	struct call *c, *next;

	list_for_each_entry_safe(c, next, &r->by_age, by_age) {
		unlink_call(r, c);
		free_call(c);
	}
}

/* ---- entries ----------------------------------------------------------------- */

/* Runs the entry program. NULL: no attachment needs the call, or no memory. */
static __always_inline struct call *make_call(struct uretprobe_probe *r,
					      struct pt_regs *regs)
{
	struct ktap_user_wait wait;
	const struct ktap_frame frame = {
		.regs = regs, .memory = ENV_USER, .wait = &wait,
	};
	struct call *c;

	/*
	 * Zeroed: a program may copy more of a string than was stored. NORETRY, because
	 * reclaim has no bounded time.
	 */
	c = kzalloc(offsetof(struct call, entry) + ktap_entry_size(r->entry),
		    GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN);
	if (!c)
		return NULL;
	c->pid = get_pid(task_pid(current));
	c->exec_id = current->self_exec_id;
	c->sp = user_stack_pointer(regs);
	ktap_user_wait_begin(&wait);
	ktap_fetch_run(r->entry->insns, &r->entry->info, &frame,
		       c->entry.payload, &c->entry.faults);
	return c;
}

/*
 * A call that is not stored drops an older one with the same stack pointer, whose values
 * would otherwise be reported for it.
 */
static __always_inline void follow(struct uretprobe_probe *r, struct pt_regs *regs)
{
	bool wanted = ktap_hit_wanted(&r->u.p.site), kept = false;
	struct call *c = wanted ? make_call(r, regs) : NULL;
	unsigned long sp = user_stack_pointer(regs);

	spin_lock(&r->lock);
	drop_dead(r, c ? sp : sp + 1);
	if (c)
		kept = link_call(r, c);
	if (c && !kept)
		drop_dead(r, sp + 1);
	spin_unlock(&r->lock);
	if (kept)
		return;
	if (wanted)
		this_cpu_inc(r->cell->no_instance);
	free_call(c);
}

/* The kernel checks the depth after the handlers, and only logs the result. */
static KTAP_UPROBE_HANDLER(on_entry)
{
	struct uretprobe_probe *r = of_consumer(uc);

	if (current->utask->depth >= MAX_URETPROBE_DEPTH) {
		this_cpu_inc(r->cell->too_deep);
		return 0;
	}
	this_cpu_inc(r->cell->entries);
	if (r->entry)
		follow(r, regs);
	return 0;
}
NOKPROBE_SYMBOL(on_entry);

/* ---- returns ------------------------------------------------------------------- */

static struct call *take_call(struct uretprobe_probe *r,
			      const struct pt_regs *regs)
{
	unsigned long sp = ktap_arch_call_sp(regs);
	struct call *c;

	spin_lock(&r->lock);
	drop_dead(r, sp);
	c = find_call(r, sp);
	if (c)
		unlink_call(r, c);
	spin_unlock(&r->lock);
	return c;
}

/* The kernel has put the return address into the registers. */
static noinline void hit_program(struct uretprobe_probe *r,
				 const struct pt_regs *regs)
{
	struct ktap_frame frame = {
		.regs = regs,
		.retaddr = instruction_pointer((struct pt_regs *)regs),
	};
	struct call *c = NULL;

	if (!r->entry && ktap_hit_user_quick(&r->u.p.site, regs))
		return;
	if (r->entry) {
		c = take_call(r, regs);
		frame.entry = c ? &c->entry : NULL;
		frame.entry_info = &r->entry->info;
	}
	ktap_hit_user(&r->u.p.site, &frame);
	free_call(c);
}
NOKPROBE_SYMBOL(hit_program);

static KTAP_UPROBE_RET_HANDLER(on_return)
{
	struct uretprobe_probe *r = of_consumer(uc);

	this_cpu_inc(r->cell->returns);
	if (r->entry || r->u.p.site.prog)
		hit_program(r, regs);
	else
		ktap_hit_user_regs(&r->u.p.site, regs);
	return 0;
}
NOKPROBE_SYMBOL(on_return);

/* ---- backend -------------------------------------------------------------------- */

static int uretprobe_check(struct ktap_probe_args *args,
			   struct ktap_refused *refused)
{
	return ktap_uprobe_check(args, refused) ?:
	       ktap_entry_check(args, refused);
}

static void release(struct uretprobe_probe *r)
{
	forget_all(r);
	ktap_free_percpu(r->cell);
	ktap_prog_destroy(r->entry);
}

static int prepare(struct uretprobe_probe *r,
		   const struct ktap_probe_args *args,
		   struct ktap_refused *refused)
{
	struct ktap_prog *entry;

	spin_lock_init(&r->lock);
	INIT_LIST_HEAD(&r->by_age);
	r->max = args->maxactive ?: CALLS_DEFAULT;
	r->cell = ktap_alloc_percpu(struct cell, refused);
	if (!r->cell)
		return -ENOMEM;
	entry = ktap_entry_create(args, refused);
	if (IS_ERR(entry))
		return PTR_ERR(entry);
	r->entry = entry;
	return 0;
}

static int uretprobe_add(struct ktap_probe *p,
			 const struct ktap_probe_args *args,
			 struct ktap_refused *refused)
{
	struct uretprobe_probe *r = mine(p);
	int err;

	err = prepare(r, args, refused) ?: ktap_uprobe_add(p, args, refused);
	if (err) {
		release(r);
		return err;
	}
	r->u.uc.handler = on_entry;
	r->u.uc.ret_handler = on_return;
	return 0;
}

static void uretprobe_remove(struct ktap_probe **probes, int nr)
{
	int i;

	ktap_uprobe_remove(probes, nr);
	for (i = 0; i < nr; i++)
		release(mine(probes[i]));
}

/* Calls stored while it was armed before may have returned unseen. */
static int uretprobe_arm(struct ktap_probe *p)
{
	ktap_uprobe_drain(p);
	forget_all(mine(p));
	return ktap_uprobe_arm(p);
}

static void uretprobe_describe(const struct ktap_probe *p,
			       struct ktap_probe_details *ret)
{
	ktap_uprobe_describe(p, ret);
	ret->maxactive = mine(p)->max;
}

static void add_cell(const struct cell *c, struct ktap_returns *ret)
{
	ret->entries += READ_ONCE(c->entries);
	ret->too_deep += READ_ONCE(c->too_deep);
	ret->no_instance += READ_ONCE(c->no_instance);
}

/*
 * Reads the returns before the entries. Returns without an entry then are those of forked
 * children, and of calls that another consumer followed before this probe was armed.
 */
static void uretprobe_returns(const struct ktap_probe *p,
			      struct ktap_returns *ret)
{
	const struct uretprobe_probe *r = mine(p);
	u64 returns = 0;
	int cpu;

	*ret = (struct ktap_returns){};
	for_each_possible_cpu(cpu)
		returns += READ_ONCE(per_cpu_ptr(r->cell, cpu)->returns);
	smp_rmb(); /* orders the two sums; no pair is needed, counters only grow */
	for_each_possible_cpu(cpu)
		add_cell(per_cpu_ptr(r->cell, cpu), ret);
	ret->pending = ret->entries - min(returns, ret->entries);
}

const struct ktap_backend ktap_uretprobe_backend = {
	.name = "uretprobe",
	.feature = KTAP_FEATURE_UPROBE,
	.probe_size = sizeof(struct uretprobe_probe),
	.sleeps = true,
	.check = uretprobe_check,
	.add = uretprobe_add,
	.remove = uretprobe_remove,
	.arm = uretprobe_arm,
	.disarm = ktap_uprobe_disarm,
	.widen = ktap_uprobe_widen,
	.describe = uretprobe_describe,
	.returns = uretprobe_returns,
};
