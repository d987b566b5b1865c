// SPDX-License-Identifier: GPL-2.0
/*
 * The kretprobe backend: a hit is a return. The kernel needs an instance for each call
 * that it follows. All instances are allocated when the probe is created.
 *
 * Where the kernel follows calls by rethooks, the ftrace hook serves the entry if it can:
 * the kprobe of the kretprobe stays disabled, and the hook calls that kprobe's handler. It
 * costs less than the way through ftrace and kprobes. The return then goes directly to
 * ktap: the kernel's handler would mark a kprobe as running and as done, although one may
 * be running that the call interrupted.
 *
 * Calls that are pending when a probe is removed are left to the kernel: unregistering
 * clears its pointer to ktap's handlers, and it frees an instance when its call returns
 * or its task exits. ktap does not wait for them.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include "backend/ftrace.h"
#include "backend/kprobe.h"
#include "backend/kretprobe.h"
#include "backend/place.h"
#include "compat.h"
#include "core/budget.h"
#include "core/refused.h"
#include "frame/entry.h"
#include "frame/returns.h"
#include "hit/fetch.h"
#include "hit/hit_inline.h"

/**
 * struct cell - per-CPU counts of followed calls
 * @entries: calls that began on this CPU
 * @returns: calls that returned on this CPU
 */
struct cell {
	u64 entries;
	u64 returns;
};

/**
 * struct kretprobe_probe - a probe with its kretprobe
 * @p: common part
 * @rp: kretprobe
 * @cell: counts
 * @entry: entry program, or NULL
 * @hook: the ftrace hook of its entry. Only what belongs to the hook is used
 * @wants: hook that the user requested
 * @bytes: memory of the instances
 * @missed_before: missed hits of earlier registrations
 * @no_instance_before: calls without an instance in earlier registrations
 * @held: it keeps ftrace enabled
 */
struct kretprobe_probe {
	struct ktap_probe p;
	struct kretprobe rp;
	struct cell __percpu *cell;
	struct ktap_prog *entry;
	struct ktap_kprobe hook;
	enum ktap_hook wants;
	u64 bytes;
	u64 missed_before;
	u64 no_instance_before;
	bool held;
};

static const struct ktap_backend hooked_backend;

static struct kretprobe_probe *mine(struct ktap_probe *p)
{
	return container_of(p, struct kretprobe_probe, p);
}

/* ---- hits ------------------------------------------------------------------ */

/*
 * Gives the probe whose call @ri is. During unregistration, kretprobes that do not use
 * rethook (arm64) have no pointer to the probe any more: such a call is not followed. The
 * kernel's flags have the compiler believe that container_of() of a pointer may be NULL
 * where the pointer is not, so a result that is NULL would be tested once more.
 *
 * Return: whether there is one.
 */
static __always_inline bool find_probe(const struct kretprobe_instance *ri,
				       const struct kretprobe_probe **k)
{
	const struct kretprobe *rp = ktap_kretprobe_of(ri);

	*k = container_of(rp, struct kretprobe_probe, rp);
	return likely(rp);
}

static __always_inline bool count_entry(const struct kretprobe_instance *ri,
					const struct kretprobe_probe **k)
{
	bool found = find_probe(ri, k);

	if (found)
		this_cpu_inc((*k)->cell->entries);
	return found;
}

static int on_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct kretprobe_probe *k;

	if (!count_entry(ri, &k))
		return 1;
	ktap_return_keep(&k->rp, regs);
	return 0;
}
NOKPROBE_SYMBOL(on_entry);

/* Entry handler of probes with an entry program. */
static int on_entry_run(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct kretprobe_probe *k;

	if (!count_entry(ri, &k))
		return 1;
	ktap_return_keep(&k->rp, regs);
	ktap_hit_entry(&k->p.site, k->entry, regs, (void *)ri->data);
	return 0;
}
NOKPROBE_SYMBOL(on_entry_run);

#if KTAP_FTRACE_FOLLOWS
/* The hook's, which has marked the CPU busy. */
static int on_hooked_entry_run(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct kretprobe_probe *k;

	if (!count_entry(ri, &k))
		return 1;
	ktap_hit_entry_busy(&k->p.site, k->entry, regs, (void *)ri->data);
	return 0;
}
NOKPROBE_SYMBOL(on_hooked_entry_run);
#endif

/* Any program, for any number of sessions. */
static noinline void hit_frame(const struct kretprobe_instance *ri,
			       const struct pt_regs *regs,
			       const struct ktap_site *site)
{
	const struct kretprobe_probe *k =
		container_of(site, struct kretprobe_probe, p.site);
	struct ktap_frame frame = {
		.regs = regs,
		.retaddr = instruction_pointer((struct pt_regs *)regs),
	};

	if (k->entry) {
		frame.entry = (const void *)ri->data;
		frame.entry_info = &k->entry->info;
	}
	ktap_hit_frame(site, &frame);
}
NOKPROBE_SYMBOL(hit_frame);

/*
 * The arguments are in the order of on_return()'s, so that they stay in their registers.
 */
static noinline void hit_with_entry(const struct kretprobe_instance *ri,
				    const struct pt_regs *regs,
				    const struct ktap_site *site)
{
	const struct ktap_attach *a = READ_ONCE(site->alone);

	/* such a plan is of a program that reads what an entry program stored */
	if (a && a->plan.source == KTAP_PLAN_ELAPSED && !ktap_hit_is_inside())
		ktap_hit_elapsed(site, regs, a, (const void *)ri->data);
	else
		hit_frame(ri, regs, site);
}
NOKPROBE_SYMBOL(hit_with_entry);

/*
 * The kernel has put the return address into the registers. The one in @ri is a
 * trampoline if several probes follow the same call.
 */
static int on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct kretprobe_probe *k;
	const struct ktap_site *site;

	if (!find_probe(ri, &k))
		return 0;
	ktap_kretprobe_settle(ri, regs);
	ktap_return_forget(ri, regs);
	ktap_arch_here_inc(ktap_arch_here(k->cell)->returns);
	site = &k->p.site;
	OPTIMIZER_HIDE_VAR(site);
	if (!ktap_hit_quick(site, regs))
		hit_with_entry(ri, regs, site);
	return 0;
}
NOKPROBE_SYMBOL(on_return);

#if KTAP_FTRACE_FOLLOWS
/* Return of a call that the hook made the kernel follow. */
static KTAP_RETHOOK_HANDLER(on_hooked_return)
{
	on_return(container_of(node, struct kretprobe_instance, node), regs);
}
NOKPROBE_SYMBOL(on_hooked_return);
#endif

/* ---- memory ---------------------------------------------------------------- */

/*
 * A function that sleeps has as many concurrent calls as tasks in it. Any other has one
 * for each CPU, and some for interrupts. 16 for each possible CPU, within these limits,
 * takes one or two pages per CPU (three pages on 64 CPUs), close to the minimum that the
 * kernel allocates.
 */
static u32 maxactive_default(void)
{
	return clamp_t(u32, 16 * num_possible_cpus(), 64, 1024);
}

static int charge(struct kretprobe_probe *k, struct ktap_refused *refused)
{
	u64 bytes = ktap_kretprobe_bytes(k->rp.maxactive, k->rp.data_size);
	int err = ktap_budget_take(KTAP_MEM_CALLS, bytes, KTAP_A_MAXACTIVE,
				   refused);

	if (!err)
		k->bytes = bytes;
	return err;
}

/* ---- backend ---------------------------------------------------------------- */

static int kretprobe_check(struct ktap_probe_args *args,
			   struct ktap_refused *refused)
{
	return ktap_kprobe_check(args, refused) ?:
	       ktap_entry_check(args, refused);
}

static int explain(int err, const struct ktap_probe_args *args,
		   struct ktap_refused *refused)
{
	if (err != -EINVAL || !args)
		return ktap_kprobe_explain(err, args, refused);
	return ktap_refuse(refused, err,
			   args->addr ? KTAP_A_ADDR : KTAP_A_SYMBOL,
			   "the kernel forbids a return probe here: not a function's entry, blacklisted, or not code");
}

static void release(struct kretprobe_probe *k)
{
	ktap_budget_give(KTAP_MEM_CALLS, k->bytes);
	ktap_free_percpu(k->cell);
	ktap_prog_destroy(k->entry);
}

static int prepare(struct kretprobe_probe *k, const struct ktap_probe_args *args,
		   struct ktap_refused *refused)
{
	struct ktap_prog *entry;

	k->cell = ktap_alloc_percpu(struct cell, refused);
	if (!k->cell)
		return -ENOMEM;
	entry = ktap_entry_create(args, refused);
	if (IS_ERR(entry))
		return PTR_ERR(entry);
	k->entry = entry;
	k->wants = args->hook;
	INIT_LIST_HEAD(&k->hook.in_armed);
	k->hook.follows = &k->rp;
	k->hook.regs = entry ? entry->info.regs : 0;
	k->rp.maxactive = args->maxactive ?: maxactive_default();
	k->rp.data_size = ktap_entry_size(k->entry);
	return charge(k, refused);
}

static int kretprobe_add(struct ktap_probe *p,
			 const struct ktap_probe_args *args,
			 struct ktap_refused *refused)
{
	struct kretprobe_probe *k = mine(p);
	int err;

	err = prepare(k, args, refused);
	if (err)
		release(k);
	return err;
}

static void kretprobe_remove(struct ktap_probe **probes, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		release(mine(probes[i]));
}

/* Clears what an earlier registration left in the kretprobe. */
static int register_disabled(struct kretprobe_probe *k)
{
	k->rp = (struct kretprobe){
		.handler = on_return,
		.entry_handler = k->entry ? on_entry_run : on_entry,
		.maxactive = k->rp.maxactive,
		.data_size = k->rp.data_size,
		.kp.flags = KPROBE_FLAG_DISABLED,
	};
	ktap_kprobe_place(&k->rp.kp, &k->p);
	return register_kretprobe(&k->rp);
}

/* The ip of the ftrace hook that can serve the entry, or 0. */
static unsigned long find_site(struct kretprobe_probe *k)
{
	if (!KTAP_FTRACE_FOLLOWS || k->wants == KTAP_HOOK_KPROBE ||
	    !kprobe_ftrace(&k->rp.kp) || !ktap_ftrace_serves(k->hook.regs))
		return 0;
	return ktap_ftrace_find_site((unsigned long)k->rp.kp.addr);
}

static int no_site(const struct kretprobe_probe *k, struct ktap_refused *refused)
{
	if (!KTAP_FTRACE_FOLLOWS && ktap_ftrace_works())
		return ktap_refuse(refused, -EOPNOTSUPP, KTAP_A_HOOK,
				   "the ftrace hook cannot follow a call on this kernel");
	return ktap_kprobe_no_site(k->hook.regs, refused);
}

/* Before the first call is followed. */
static void serve_by_ftrace(struct kretprobe_probe *k, unsigned long site)
{
#if KTAP_FTRACE_FOLLOWS
	k->hook.site = site;
	if (k->entry)
		k->rp.entry_handler = on_hooked_entry_run;
	rcu_assign_pointer(k->rp.rh->handler, on_hooked_return);
	k->p.backend = &hooked_backend;
#endif
}

static int choose_hook(struct kretprobe_probe *k, const struct ktap_probe_args *args,
		       struct ktap_refused *refused)
{
	unsigned long site, addr = (unsigned long)k->rp.kp.addr;
	const char *why = ktap_place_unfollowed(addr);
	int err = why ? ktap_refuse(refused, -EINVAL,
				    k->p.addr ? KTAP_A_ADDR : KTAP_A_SYMBOL, why) :
			ktap_kprobe_allowed(addr, 0, refused);

	if (err)
		return err;
	if (kprobe_ftrace(&k->rp.kp) && !ktap_ftrace_is_on())
		return ktap_kprobe_explain(-ENXIO, args, refused);
	site = find_site(k);
	if (!site && k->wants == KTAP_HOOK_FTRACE)
		return no_site(k, refused);
	if (site)
		serve_by_ftrace(k, site);
	else
		k->p.backend = &ktap_kretprobe_backend;
	return 0;
}

static int kretprobe_load(struct ktap_probe *p,
			  const struct ktap_probe_args *args,
			  struct ktap_refused *refused)
{
	struct kretprobe_probe *k = mine(p);
	int err = ktap_kprobe_allowed(p->addr, KTAP_A_ADDR, refused);

	if (err)
		return err;
	err = explain(register_disabled(k), args, refused);
	if (err)
		return err;
	err = choose_hook(k, args, refused);
	if (err)
		unregister_kretprobe(&k->rp);
	else
		p->where = (unsigned long)k->rp.kp.addr;
	return err;
}

/* A return probe exists at the entry only: it cannot move past the ftrace instruction. */
static int hold_ftrace(struct kretprobe_probe *k)
{
	int err = kprobe_ftrace(&k->rp.kp) ? ktap_ftrace_hold() : 0;

	k->held = !err && kprobe_ftrace(&k->rp.kp);
	return err;
}

static void release_ftrace(struct kretprobe_probe *k)
{
	if (k->held)
		ktap_ftrace_release();
	k->held = false;
}

/*
 * The kernel counts what it misses for all kprobes at an address, a disabled one included,
 * whose calls the hook follows.
 */
static u64 missed_by_kprobe(const struct kretprobe_probe *k)
{
	return k->p.backend == &hooked_backend ? 0 : READ_ONCE(k->rp.kp.nmissed);
}

static void remember_missed(struct kretprobe_probe *k)
{
	k->missed_before += missed_by_kprobe(k);
	k->no_instance_before += (u32)k->rp.nmissed;
	k->rp.kp.nmissed = 0;
	k->rp.nmissed = 0;
}

static void unregister_some(struct ktap_probe **probes, int nr)
{
	struct kretprobe **rps;
	int i;

	rps = kvmalloc_array(nr, sizeof(*rps), GFP_KERNEL);
	for (i = 0; i < nr; i++) {
		struct kretprobe *rp = &mine(probes[nr - 1 - i])->rp;

		ktap_kprobe_disable(&rp->kp);
		if (rps)
			rps[i] = rp;
		else
			unregister_kretprobe(rp);
	}
	if (rps)
		unregister_kretprobes(rps, nr);
	kvfree(rps);
}

static void kretprobe_unload(struct ktap_probe **probes, int nr)
{
	int i;

	ktap_kprobe_unregister(probes, nr, unregister_some);
	for (i = 0; i < nr; i++) {
		ktap_returns_forget(&mine(probes[i])->rp);
		release_ftrace(mine(probes[i]));
		remember_missed(mine(probes[i]));
	}
}

static int kretprobe_arm(struct ktap_probe *p)
{
	struct kretprobe_probe *k = mine(p);
	int err = hold_ftrace(k) ?: enable_kretprobe(&k->rp);

	if (err)
		release_ftrace(k);
	return err;
}

static void kretprobe_disarm(struct ktap_probe *p)
{
	ktap_kprobe_disable(&mine(p)->rp.kp);
	release_ftrace(mine(p));
}

static u64 kretprobe_missed(const struct ktap_probe *p)
{
	const struct kretprobe_probe *k =
		container_of(p, struct kretprobe_probe, p);

	return k->missed_before + missed_by_kprobe(k) + atomic64_read(&k->hook.missed);
}

static void kretprobe_describe(const struct ktap_probe *p,
			       struct ktap_probe_details *ret)
{
	const struct kretprobe_probe *k =
		container_of(p, struct kretprobe_probe, p);

	ret->maxactive = k->rp.maxactive;
	if (p->backend == &hooked_backend)
		ret->frame_hook = "ftrace";
}

/* Reads the returns before the entries, so that each return has its entry. */
static void kretprobe_returns(const struct ktap_probe *p,
			      struct ktap_returns *ret)
{
	const struct kretprobe_probe *k =
		container_of(p, struct kretprobe_probe, p);
	u64 returns = 0;
	int cpu;

	*ret = (struct ktap_returns){
		.no_instance = k->no_instance_before +
			       (u32)READ_ONCE(k->rp.nmissed),
	};
	for_each_possible_cpu(cpu)
		returns += READ_ONCE(per_cpu_ptr(k->cell, cpu)->returns);
	smp_rmb(); /* orders the two sums; no pair is needed, counters only grow */
	for_each_possible_cpu(cpu)
		ret->entries += READ_ONCE(per_cpu_ptr(k->cell, cpu)->entries);
	ret->pending = ret->entries - returns;
}

const struct ktap_backend ktap_kretprobe_backend = {
	.name = "kretprobe",
	.feature = KTAP_FEATURE_KRETPROBE,
	.probe_size = sizeof(struct kretprobe_probe),
	.check = kretprobe_check,
	.add = kretprobe_add,
	.remove = kretprobe_remove,
	.load = kretprobe_load,
	.unload = kretprobe_unload,
	.arm = kretprobe_arm,
	.disarm = kretprobe_disarm,
	.missed = kretprobe_missed,
	.describe = kretprobe_describe,
	.returns = kretprobe_returns,
};

/* ---- the ftrace hook ------------------------------------------------------- */

static void hooks_of(struct ktap_probe **probes, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		probes[i] = &mine(probes[i])->hook.p;
}

static void probes_of(struct ktap_probe **hooks, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		hooks[i] = &container_of(hooks[i], struct kretprobe_probe, hook.p)->p;
}

/* The list of the caller holds the hooks meanwhile: there may be no memory for another. */
static int hooked_arm(struct ktap_probe **probes, int nr)
{
	int err;

	hooks_of(probes, nr);
	err = ktap_ftrace_arm(probes, nr);
	probes_of(probes, nr);
	return err;
}

static void hooked_disarm(struct ktap_probe **probes, int nr)
{
	hooks_of(probes, nr);
	ktap_ftrace_disarm(probes, nr);
	probes_of(probes, nr);
}

/* A call that the hook still has to follow needs the instances of the kretprobe. */
static void hooked_unload(struct ktap_probe **probes, int nr)
{
	hooked_disarm(probes, nr);
	ktap_ftrace_wait();
	kretprobe_unload(probes, nr);
}

/* load() assigns it. */
static const struct ktap_backend hooked_backend = {
	.name = "kretprobe",
	.remove = kretprobe_remove,
	.load = kretprobe_load,
	.unload = hooked_unload,
	.arm_many = hooked_arm,
	.disarm_many = hooked_disarm,
	.missed = kretprobe_missed,
	.describe = kretprobe_describe,
	.returns = kretprobe_returns,
};
