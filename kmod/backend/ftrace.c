// SPDX-License-Identifier: GPL-2.0
/*
 * Control of the ftrace hook. There is one struct ftrace_ops for all probes: a
 * second one on the same function would send both through a list.
 *
 * An ops with an empty filter is called for every function there is. So it is
 * registered with a function of ours in its filter that nobody calls.
 *
 * While it is registered nobody can turn ftrace off (kernel.ftrace_enabled):
 * FTRACE_OPS_FL_PERMANENT. It is registered when a place wants it, which is also
 * the only way to find out whether ftrace is on; by kprobes at ftrace sites too,
 * which the kernel would leave there to fire no more. Some time after the last one
 * has gone it is unregistered, from a work item, for that takes long (RCU tasks).
 * The kernel holds ftrace_lock meanwhile: who wants ftrace then has to wait.
 *
 * All under ktap_kernel_arming.lock, but for the work item.
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

/* How long it stays registered for nobody: most come in batches. */
#define UNUSED_FOR (10 * HZ)

/* Inside of ktap_kernel_arming.lock. Whoever needs the ops tells before taking it. */
static DEFINE_MUTEX(ops_lock);
static bool registered; /* under ops_lock */

static void unregister_unused(struct work_struct *work);
static DECLARE_DELAYED_WORK(unused_work, unregister_unused);

static struct ftrace_ops ops = {
	.func = ktap_ftrace_handler,
	.flags = FTRACE_OPS_FL_PERMANENT | KTAP_FTRACE_FLAGS,
};

/* What is in its filter; more, where it could not be taken out. */
static struct ktap_ftrace_ips filter;

/* Never registered: setting its filter tells whether ftrace has a place. */
static struct ftrace_ops scout = {
	.func = ktap_ftrace_handler,
};

/* The function that is always in the filter, and never called. */
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
 * ftrace knows a site by each byte of its instruction, and by the address of
 * the function: only the last byte tells where it is.
 */
static bool is_site(unsigned long addr)
{
	return known(addr + MCOUNT_INSN_SIZE - 1) &&
	       !known(addr + MCOUNT_INSN_SIZE);
}

/* The site of a function of which @addr is the address, or 0. */
static unsigned long site_of(unsigned long addr)
{
	static const u8 sites[] = KTAP_FTRACE_SITES;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sites); i++)
		if (is_site(addr + sites[i]))
			return addr + sites[i];
	return 0;
}

/* ktap_ftrace_works() - has this kernel got it? It may be turned off for now. */
bool ktap_ftrace_works(void)
{
	return site_of((unsigned long)ktap_ftrace_anchor);
}

/**
 * ktap_ftrace_find_site() - where the hook would be called for a function
 * @addr: its address
 *
 * Context: process, under ktap_kernel_arming.lock; may sleep.
 * Return: what the hook is called with, or 0: @addr is no function's entry, or
 * ftrace does not reach it.
 */
unsigned long ktap_ftrace_find_site(unsigned long addr)
{
	lockdep_assert_held(&ktap_kernel_arming.lock);
	/* what only lies in front of a site is another function's end */
	if (KTAP_FTRACE_KNOWS_FUNCTIONS ? !known(addr) :
					  ktap_place_function(addr) != addr)
		return 0;
	return site_of(addr);
}

/* ktap_ftrace_serves() - does it know these registers? */
bool ktap_ftrace_serves(u64 regs)
{
	return !(regs & ~KTAP_FTRACE_REGS);
}

/**
 * ktap_ftrace_behind() - where the same is true as at a site
 * @site: where the kernel would have ftrace serve a kprobe
 * @regs: what it is to know, as bits of enum ktap_reg_*
 *
 * The instruction of a site does nothing, or calls ftrace. Behind it the registers
 * are the same, but for the instruction pointer.
 *
 * Context: process, under ktap_kernel_arming.lock; may sleep.
 * Return: the address, or 0: another function begins there, or nobody knows, or it
 * would not be the same.
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

/* Some places take a slot more than they have probes; half as many at most. */
static struct ktap_ftrace_table *table_alloc(unsigned int nr)
{
	unsigned int max = 2 * nr;
	unsigned int bits = order_base_2(2 * nr + 2);
	struct ktap_ftrace_table *t;
	size_t size = struct_size(t, slots, (1UL << bits) + max + 1);

	t = ktap_mem_alloc(KTAP_MEM_OTHER, size);
	if (IS_ERR(t))
		return t;
	t->shift = 64 - bits;
	t->size = size;
	return t;
}

static void table_free(struct ktap_ftrace_table *t)
{
	if (t)
		ktap_mem_free(KTAP_MEM_OTHER, t, t->size);
}

static void slot_add(struct ktap_ftrace_slot *s, unsigned long ip,
		     struct ktap_kprobe *k)
{
	while (s->ip)
		s++;
	s->ip = ip;
	s->probe = k;
}

/* The first slot of an address has a probe only where that is all there is. */
static void table_add(struct ktap_ftrace_table *t, struct ktap_kprobe *k)
{
	struct ktap_ftrace_slot *start = &t->slots[ktap_ftrace_hash(t, k->site)];
	struct ktap_ftrace_slot *s = start;

	t->nr++;
	while (s->ip && s->ip != k->site)
		s++;
	if (!s->ip && !(k->regs & KTAP_FTRACE_REGS_LATE)) {
		slot_add(s, k->site, k);
		return;
	}
	if (!s->ip)
		slot_add(s, k->site, NULL);
	if (s->probe)
		slot_add(start, k->site, s->probe);
	s->probe = NULL;
	slot_add(start, k->site, k);
}

static void table_remove(struct ktap_ftrace_table *t, struct ktap_kprobe *k)
{
	struct ktap_ftrace_slot *s = &t->slots[ktap_ftrace_hash(t, k->site)];

	for (; s->ip; s++)
		if (s->probe == k)
			WRITE_ONCE(s->probe, NULL);
}

/**
 * ktap_ftrace_wait() - until no handler knows what was taken out
 *
 * Handlers run with preemption off, which is enough for RCU but in the idle
 * loop where it does not watch; interrupts are off there.
 *
 * Context: process; sleeps.
 */
void ktap_ftrace_wait(void)
{
	synchronize_rcu();
	kick_all_cpus_sync();
}

/* The new table is seen with all that is in it, or not at all. */
static void publish(struct ktap_ftrace_table *t)
{
	struct ktap_ftrace_table *old = ktap_ftrace_table;

	smp_store_release(&ktap_ftrace_table, t); /* ktap_ftrace_handler() */
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
	list_for_each_entry(k, &armed, in_armed)
		table_add(t, k);
	publish(t);
	return 0;
}

/* ---- the filter ------------------------------------------------------------ */

/* Return: how many of them ftrace still knows; those come first. */
static unsigned int keep_known(unsigned long *ips, unsigned int nr)
{
	unsigned int i, n = 0;

	for (i = 0; i < nr; i++)
		if (known(ips[i]))
			ips[n++] = ips[i];
	return n;
}

/*
 * All of it anew: the cost is a walk over every function that the kernel could
 * trace, however few are given.
 *
 * One that ftrace does not know makes it refuse all. Probes are taken off what is
 * freed before ftrace forgets it (core/modules.c), so there should be none; if
 * there is one, it is that probe alone that does not fire.
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
		pr_warn_once("ktap: ftrace has forgotten a function that is armed\n");
		set.nr = keep_known(set.ips, set.nr);
		err = set.nr ? ktap_ftrace_set_filter(&ops, &set, &filter) : err;
	}
	kvfree(filter.ips);
	filter = set;
	return err;
}

/* ---- being registered ------------------------------------------------------ */

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

/* With the filter first: an empty one means everything. */
static int register_ops(void)
{
	int err = set_filter();

	if (!err)
		err = register_ftrace_function(&ops);
	registered = !err;
	return err == -EBUSY ? -ENXIO : err;
}

/**
 * ktap_ftrace_hold() - let nobody turn ftrace off
 *
 * Context: process, under ktap_kernel_arming.lock; sleeps.
 * Return: 0, until ktap_ftrace_release(); -ENXIO: it is off; -ENOMEM; what ftrace
 * gave.
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

/*
 * ktap_ftrace_release() - undo ktap_ftrace_hold(). Context: process, under
 * ktap_kernel_arming.lock.
 */
void ktap_ftrace_release(void)
{
	lockdep_assert_held(&ktap_kernel_arming.lock);
	WRITE_ONCE(nr_held, nr_held - 1);
	unregister_later();
}

/**
 * ktap_ftrace_is_on() - would a function that is traced now call the hook?
 *
 * Context: process, under ktap_kernel_arming.lock; sleeps.
 * Return: false where ftrace is missing, or turned off.
 */
bool ktap_ftrace_is_on(void)
{
	if (ktap_ftrace_hold())
		return false;
	ktap_ftrace_release();
	return true;
}

/* What was armed is in the list already, so that the work item leaves the ops. */
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
 * ktap_ftrace_arm() - let probes fire
 * @probes: disarmed ones of this hook
 * @nr: how many
 *
 * Context: process, under ktap_kernel_arming.lock; sleeps.
 * Return: 0; -ENXIO: ftrace is turned off; -ENOMEM; what ftrace gave. Then none of
 * them is armed.
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
 * ktap_ftrace_disarm() - stop probes
 * @probes: of this hook; those that are not armed are left alone
 * @nr: how many
 *
 * It cannot fail: without memory for a new filter the functions go on calling
 * the hook, which finds nothing, until the filter is set the next time.
 *
 * Context: process, under ktap_kernel_arming.lock; sleeps. Handlers may still run until
 * ktap_ftrace_wait().
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

/* ktap_ftrace_exit() - Context: module exit; no probe is left. */
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
