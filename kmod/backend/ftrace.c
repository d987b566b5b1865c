// SPDX-License-Identifier: GPL-2.0
/*
 * Control of the ftrace hook.
 *
 * One struct ftrace_ops serves all probes. A second ops on the same function would make
 * ftrace call both through its list function.
 *
 * An ftrace_ops with an empty filter is called for every function. So its filter always
 * contains one function of this file that is never called.
 *
 * FTRACE_OPS_FL_PERMANENT: while the ops is registered, ftrace cannot be disabled
 * (kernel.ftrace_enabled). The ops is registered when a probe needs it, which is also the
 * only way to find out whether ftrace is enabled. Kprobes at ftrace sites need it too:
 * without it ftrace can be disabled under them, and they stop firing. The ops is
 * unregistered from a work item some time after its last user is removed, because that
 * waits for an RCU tasks grace period. The kernel holds ftrace_lock during the wait and
 * so delays other users of ftrace.
 *
 * Everything is under ktap_kernel_arming.lock, except in the work item.
 */
#include <linux/err.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "arch/ftrace.h"
#include "backend/ftrace.h"
#include "backend/place.h"
#include "core/budget.h"
#include "core/probe.h"

static LIST_HEAD(armed);
static unsigned int nr_armed;
static unsigned int nr_held;

/* Time until an unused ops is unregistered: probes often come in batches. */
#define UNUSED_FOR (10 * HZ)

/* Inside ktap_kernel_arming.lock. A user of the ops sets its flag before taking it. */
static DEFINE_MUTEX(ops_lock);
static bool registered; /* under ops_lock */

static void unregister_unused(struct work_struct *work);
static DECLARE_DELAYED_WORK(unused_work, unregister_unused);

static struct ftrace_ops ops = {
	.func = ktap_ftrace_handler,
	.flags = FTRACE_OPS_FL_PERMANENT | KTAP_FTRACE_FLAGS,
};

/* The filter of the ops. It may contain more if a removal failed. */
static struct ktap_ftrace_ips filter;

/* Never registered: setting its filter shows whether ftrace has a site. */
static struct ftrace_ops scout = {
	.func = ktap_ftrace_handler,
};

/* The function that is always in the filter and is never called. */
static noinline void ktap_ftrace_anchor(void)
{
	barrier();
}

static struct ktap_kprobe *mine(struct ktap_probe *p)
{
	return container_of(p, struct ktap_kprobe, p);
}

/* ---- places ---------------------------------------------------------------- */

static bool known(unsigned long addr)
{
	return !ftrace_set_filter_ip(&scout, addr, 0, 1);
}

/*
 * ftrace_set_filter_ip() accepts each byte address of a site and the address of the
 * function. So the end of the accepted range shows where the site is.
 */
static bool is_site(unsigned long addr)
{
	return known(addr + MCOUNT_INSN_SIZE - 1) &&
	       !known(addr + MCOUNT_INSN_SIZE);
}

/* The ftrace site of the function at address @addr, or 0. */
static unsigned long site_of(unsigned long addr)
{
	static const u8 sites[] = KTAP_FTRACE_SITES;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sites); i++)
		if (is_site(addr + sites[i]))
			return addr + sites[i];
	return 0;
}

/**
 * ktap_ftrace_works() - does this kernel have ftrace?
 *
 * Context: any.
 * Return: true if the kernel has it, even if it is disabled at present.
 */
bool ktap_ftrace_works(void)
{
	return site_of((unsigned long)ktap_ftrace_anchor);
}

/**
 * ktap_ftrace_find_site() - find the ftrace site of a function
 * @addr: address of the function
 *
 * Context: process, under ktap_kernel_arming.lock; may sleep.
 * Return: the ip with which the hook is called, or 0 if @addr is not the entry of a
 * function or ftrace cannot trace it.
 */
unsigned long ktap_ftrace_find_site(unsigned long addr)
{
	lockdep_assert_held(&ktap_kernel_arming.lock);
	/* other addresses shortly before a site are the end of another function */
	if (KTAP_FTRACE_KNOWS_FUNCTIONS ? !known(addr) :
					  ktap_place_function(addr) != addr)
		return 0;
	return site_of(addr);
}

/**
 * ktap_ftrace_serves() - does the hook know these registers?
 * @regs: bits of enum ktap_reg_*
 *
 * Context: any.
 */
bool ktap_ftrace_serves(u64 regs)
{
	return !(regs & ~KTAP_FTRACE_REGS);
}

/**
 * ktap_ftrace_behind() - find the place after a site where a kprobe sees the same
 * @site: site at which the kernel would let ftrace serve a kprobe
 * @regs: registers that the probe reads, as bits of enum ktap_reg_*
 *
 * The instruction of a site is a nop or calls ftrace. After it all registers but the
 * instruction pointer have the same values.
 *
 * Context: process, under ktap_kernel_arming.lock; may sleep.
 * Return: the address, or 0 if another function begins there, the function is not known,
 * or @regs includes the instruction pointer.
 */
unsigned long ktap_ftrace_behind(unsigned long site, u64 regs)
{
	unsigned long behind = site + MCOUNT_INSN_SIZE;
	unsigned long function = ktap_place_function(site);

	if (!function || ktap_place_function(behind) != function ||
	    known(behind) || ktap_place_forbidden(behind) ||
	    (regs & KTAP_FTRACE_REGS_LATE))
		return 0;
	return behind;
}

/* ---- the table ------------------------------------------------------------- */

/*
 * A place with several probes takes one slot more than it has probes; at most half of the
 * places do.
 */
static struct ktap_ftrace_table *table_alloc(unsigned int nr)
{
	unsigned int max = 2 * nr;
	unsigned int bits = order_base_2(2 * nr + 2);
	struct ktap_ftrace_table *t;
	size_t size = struct_size(t, slots, (1UL << bits) + max + 1);

	t = ktap_mem_alloc(KTAP_MEM_OTHER, size);
	if (IS_ERR(t))
		return t;
	t->shift = 64 - bits - ilog2(sizeof(*t->slots));
	t->size = size;
	return t;
}

static void table_free(struct ktap_ftrace_table *t)
{
	if (t)
		ktap_mem_free(KTAP_MEM_OTHER, t, t->size);
}

static void slot_add(struct ktap_ftrace_slot *s, unsigned long ip, unsigned long probe)
{
	while (s->ip)
		s++;
	s->ip = ip;
	s->probe = probe;
}

static unsigned long slot_value(const struct ktap_kprobe *k)
{
	return (unsigned long)k | (k->follows ? KTAP_FTRACE_SPECIAL : 0);
}

/* The first slot of an address holds a probe only if it is the only one there. */
static void table_add(struct ktap_ftrace_table *t, struct ktap_kprobe *k)
{
	struct ktap_ftrace_slot *start = ktap_ftrace_first(t, k->site);
	struct ktap_ftrace_slot *s = start;

	t->nr++;
	while (s->ip && s->ip != k->site)
		s++;
	if (!s->ip && !(k->regs & KTAP_FTRACE_REGS_LATE)) {
		slot_add(s, k->site, slot_value(k));
		return;
	}
	if (!s->ip)
		slot_add(s, k->site, KTAP_FTRACE_NONE);
	if (s->probe != KTAP_FTRACE_NONE)
		slot_add(start, k->site, s->probe);
	s->probe = KTAP_FTRACE_NONE;
	slot_add(start, k->site, slot_value(k));
}

static void table_remove(struct ktap_ftrace_table *t, struct ktap_kprobe *k)
{
	struct ktap_ftrace_slot *s = ktap_ftrace_first(t, k->site);

	for (; s->ip; s++)
		if (ktap_ftrace_probe(s->probe) == k)
			WRITE_ONCE(s->probe, KTAP_FTRACE_NONE);
}

/**
 * ktap_ftrace_wait() - wait until no handler uses a removed probe
 *
 * Handlers run with preemption disabled, which an RCU grace period covers, except in the
 * idle loop where RCU does not watch. There interrupts are disabled.
 *
 * Context: process; sleeps.
 */
void ktap_ftrace_wait(void)
{
	synchronize_rcu();
	kick_all_cpus_sync();
}

/* A handler sees the new table completely, or the old one. */
static void publish(struct ktap_ftrace_table *t)
{
	struct ktap_ftrace_table *old = ktap_ftrace_table;

	smp_store_release(&ktap_ftrace_table, t); /* pairs with ktap_ftrace_handler() */
	if (!old)
		return;
	ktap_ftrace_wait();
	table_free(old);
}

static int rebuild(void)
{
	struct ktap_ftrace_table *t = table_alloc(nr_armed);
	struct ktap_kprobe *k;

	lockdep_assert_held(&ktap_kernel_arming.lock);
	if (IS_ERR(t))
		return PTR_ERR(t);
	/* a call that is followed has another return address for what is hit after that */
	list_for_each_entry(k, &armed, in_armed)
		if (!k->follows)
			table_add(t, k);
	list_for_each_entry(k, &armed, in_armed)
		if (k->follows)
			table_add(t, k);
	publish(t);
	return 0;
}

/* ---- the filter ------------------------------------------------------------ */

/* Moves the addresses that ftrace still knows to the front. Return: their number. */
static unsigned int keep_known(unsigned long *ips, unsigned int nr)
{
	unsigned int i, n = 0;

	for (i = 0; i < nr; i++)
		if (known(ips[i]))
			ips[n++] = ips[i];
	return n;
}

/*
 * Sets the whole filter: the cost is a walk over all functions that ftrace knows, however
 * few addresses it contains.
 *
 * ftrace refuses the whole filter because of one unknown address. Probes are removed from
 * code before ftrace forgets it (core/modules.c), so there should be none. If there is
 * one, only its probe does not fire.
 */
static int set_filter(void)
{
	struct ktap_ftrace_ips set = {};
	struct ktap_kprobe *k;
	int err;

	set.ips = kvmalloc_array(nr_armed + 1, sizeof(*set.ips), KTAP_GFP);
	if (!set.ips)
		return -ENOMEM;
	set.ips[set.nr++] = site_of((unsigned long)ktap_ftrace_anchor);
	list_for_each_entry(k, &armed, in_armed)
		set.ips[set.nr++] = k->site;
	err = ktap_ftrace_set_filter(&ops, &set, &filter);
	if (err == -EINVAL) {
		pr_warn_once("ktap: ftrace does not know an armed function any more\n");
		set.nr = keep_known(set.ips, set.nr);
		err = set.nr ? ktap_ftrace_set_filter(&ops, &set, &filter) : err;
	}
	kvfree(filter.ips);
	filter = set;
	return err;
}

/* ---- registration ---------------------------------------------------------- */

static bool is_used(void)
{
	return READ_ONCE(nr_armed) || READ_ONCE(nr_held);
}

static void unregister_unused(struct work_struct *work)
{
	mutex_lock(&ops_lock);
	if (registered && !is_used())
		registered = unregister_ftrace_function(&ops);
	mutex_unlock(&ops_lock);
}

static void unregister_later(void)
{
	if (!is_used())
		mod_delayed_work(ktap_any_wq, &unused_work, UNUSED_FOR);
}

/* Sets the filter first: an empty filter means all functions. */
static int register_ops(void)
{
	int err = set_filter();

	if (!err)
		err = register_ftrace_function(&ops);
	registered = !err;
	return err == -EBUSY ? -ENXIO : err;
}

/**
 * ktap_ftrace_hold() - keep ftrace enabled
 *
 * Lasts until ktap_ftrace_release().
 *
 * Context: process, under ktap_kernel_arming.lock; sleeps.
 * Return: 0, -ENXIO if ftrace is disabled, -ENOMEM, or the error from ftrace.
 */
int ktap_ftrace_hold(void)
{
	int err;

	lockdep_assert_held(&ktap_kernel_arming.lock);
	WRITE_ONCE(nr_held, nr_held + 1);
	mutex_lock(&ops_lock);
	err = registered ? 0 : register_ops();
	mutex_unlock(&ops_lock);
	if (err)
		WRITE_ONCE(nr_held, nr_held - 1);
	return err;
}

/**
 * ktap_ftrace_release() - undo ktap_ftrace_hold()
 *
 * Context: process, under ktap_kernel_arming.lock.
 */
void ktap_ftrace_release(void)
{
	lockdep_assert_held(&ktap_kernel_arming.lock);
	WRITE_ONCE(nr_held, nr_held - 1);
	unregister_later();
}

/**
 * ktap_ftrace_is_on() - is ftrace enabled?
 *
 * Context: process, under ktap_kernel_arming.lock; sleeps.
 * Return: false if the kernel has no ftrace, or it is disabled.
 */
bool ktap_ftrace_is_on(void)
{
	if (ktap_ftrace_hold())
		return false;
	ktap_ftrace_release();
	return true;
}

/*
 * The probes are in the list of armed ones already, so the work item does not unregister
 * the ops.
 */
static int start(void)
{
	int err;

	mutex_lock(&ops_lock);
	err = registered ? set_filter() : register_ops();
	mutex_unlock(&ops_lock);
	return err;
}

static void take_out(struct ktap_probe **probes, int nr)
{
	int i;

	lockdep_assert_held(&ktap_kernel_arming.lock);
	for (i = 0; i < nr; i++) {
		struct ktap_kprobe *k = mine(probes[i]);

		if (list_empty(&k->in_armed))
			continue;
		if (ktap_ftrace_table)
			table_remove(ktap_ftrace_table, k);
		list_del_init(&k->in_armed);
		WRITE_ONCE(nr_armed, nr_armed - 1);
	}
}

/**
 * ktap_ftrace_arm() - arm probes
 * @probes: disarmed probes of this hook
 * @nr: number of probes
 *
 * Context: process, under ktap_kernel_arming.lock; sleeps.
 * Return: 0, -ENXIO if ftrace is disabled, -ENOMEM, or the error from ftrace. On error
 * none of them is armed.
 */
int ktap_ftrace_arm(struct ktap_probe **probes, int nr)
{
	int i, err;

	for (i = 0; i < nr; i++)
		list_add_tail(&mine(probes[i])->in_armed, &armed);
	WRITE_ONCE(nr_armed, nr_armed + nr);
	err = rebuild();
	if (!err)
		err = start();
	if (err) {
		take_out(probes, nr);
		unregister_later();
	}
	return err;
}

/**
 * ktap_ftrace_disarm() - disarm probes
 * @probes: probes of this hook; those that are not armed are skipped
 * @nr: number of probes
 *
 * Cannot fail. Without memory for a new filter the functions call the hook, which finds
 * no probe, until the filter is set the next time.
 *
 * Context: process, under ktap_kernel_arming.lock; sleeps. Handlers may run until
 * ktap_ftrace_wait() returns.
 */
void ktap_ftrace_disarm(struct ktap_probe **probes, int nr)
{
	unsigned int before = nr_armed;

	take_out(probes, nr);
	if (nr_armed == before)
		return;
	set_filter();
	unregister_later();
}

/**
 * ktap_ftrace_exit() - unregister the ops
 *
 * Context: module exit; no probe is left.
 */
void ktap_ftrace_exit(void)
{
	cancel_delayed_work_sync(&unused_work);
	if (registered)
		unregister_ftrace_function(&ops);
	registered = false;
	ktap_ftrace_free_filter(&ops);
	ktap_ftrace_free_filter(&scout);
	kvfree(filter.ips);
	filter = (struct ktap_ftrace_ips){};
	table_free(ktap_ftrace_table);
	ktap_ftrace_table = NULL;
}
