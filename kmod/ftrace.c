// SPDX-License-Identifier: GPL-2.0
/*
 * Control of the ftrace hook. There is one struct ftrace_ops for all probes: a
 * second one on the same function would send both through a list.
 *
 * An ops with an empty filter is called for every function there is. So it is
 * registered with a function of ours in its filter that nobody calls, and stays
 * so until the module goes: unregistering takes long (RCU tasks), and what it
 * would save is nothing.
 *
 * All under ktap_lock.
 */
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "arch/ftrace.h"
#include "ftrace.h"
#include "probe.h"

static LIST_HEAD(armed);
static unsigned int nr_armed;
static bool registered;

static struct ftrace_ops ops = {
	.func = ktap_ftrace_handler,
	.flags = FTRACE_OPS_FL_PERMANENT | KTAP_FTRACE_FLAGS,
};

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

/* ktap_ftrace_works() - has this kernel got it, and not turned it off? */
bool ktap_ftrace_works(void)
{
	return known((unsigned long)ktap_ftrace_anchor);
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

/**
 * ktap_ftrace_find_site() - where the hook would be called for a function
 * @addr: its address
 *
 * Context: process, under ktap_lock; may sleep.
 * Return: what the hook is called with, or 0: @addr is no function's entry, or
 * ftrace does not reach it.
 */
unsigned long ktap_ftrace_find_site(unsigned long addr)
{
	static const u8 sites[] = KTAP_FTRACE_SITES;
	unsigned int i;

	/* what only lies in front of a site is another function's end */
	if (!known(addr))
		return 0;
	for (i = 0; i < ARRAY_SIZE(sites); i++)
		if (is_site(addr + sites[i]))
			return addr + sites[i];
	return 0;
}

/* ktap_ftrace_serves() - does it know these registers? */
bool ktap_ftrace_serves(u64 regs)
{
	return !(regs & ~KTAP_FTRACE_REGS);
}

/* ---- the table ------------------------------------------------------------- */

/* Some places take a slot more than they have probes; half as many at most. */
static struct ktap_ftrace_table *table_alloc(unsigned int nr)
{
	unsigned int max = 2 * nr;
	unsigned int bits = order_base_2(2 * nr + 2);
	struct ktap_ftrace_table *t;

	t = kvzalloc(struct_size(t, slots, (1UL << bits) + max + 1),
		     GFP_KERNEL_ACCOUNT);
	if (t)
		t->shift = 64 - bits;
	return t;
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
	kvfree(old);
}

static int rebuild(void)
{
	struct ktap_ftrace_table *t = table_alloc(nr_armed);
	struct ktap_kprobe *k;

	if (!t)
		return -ENOMEM;
	list_for_each_entry(k, &armed, in_armed)
		table_add(t, k);
	publish(t);
	return 0;
}

/* ---- the filter ------------------------------------------------------------ */

/*
 * All of it anew: the cost is a walk over every function that the kernel could
 * trace, however few are given.
 */
static int set_filter(void)
{
	unsigned long *ips;
	struct ktap_kprobe *k;
	unsigned int nr = 0;
	int err;

	ips = kvmalloc_array(nr_armed + 1, sizeof(*ips), GFP_KERNEL);
	if (!ips)
		return -ENOMEM;
	ips[nr++] = (unsigned long)ktap_ftrace_anchor;
	list_for_each_entry(k, &armed, in_armed)
		ips[nr++] = k->site;
	err = ftrace_set_filter_ips(&ops, ips, nr, 0, 1);
	kvfree(ips);
	return err;
}

static int start(void)
{
	int err;

	err = set_filter();
	if (err || registered)
		return err;
	err = register_ftrace_function(&ops);
	registered = !err;
	return err;
}

static void take_out(struct ktap_probe **probes, int nr)
{
	int i;

	for (i = 0; i < nr; i++) {
		struct ktap_kprobe *k = mine(probes[i]);

		if (list_empty(&k->in_armed))
			continue;
		if (ktap_ftrace_table)
			table_remove(ktap_ftrace_table, k);
		list_del_init(&k->in_armed);
		nr_armed--;
	}
}

/**
 * ktap_ftrace_arm() - let probes fire
 * @probes: disarmed ones of this hook
 * @nr: how many
 *
 * Context: process, under ktap_lock; sleeps.
 * Return: 0; -ENOMEM; what ftrace gave. Then none of them is armed.
 */
int ktap_ftrace_arm(struct ktap_probe **probes, int nr)
{
	int i, err;

	for (i = 0; i < nr; i++)
		list_add_tail(&mine(probes[i])->in_armed, &armed);
	nr_armed += nr;
	err = rebuild();
	if (!err)
		err = start();
	if (err)
		take_out(probes, nr);
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
 * Context: process, under ktap_lock; sleeps. Handlers may still run until
 * ktap_ftrace_wait().
 */
void ktap_ftrace_disarm(struct ktap_probe **probes, int nr)
{
	unsigned int before = nr_armed;

	take_out(probes, nr);
	if (nr_armed != before)
		set_filter();
}

/* ktap_ftrace_exit() - Context: module exit; no probe is left. */
void ktap_ftrace_exit(void)
{
	if (registered)
		unregister_ftrace_function(&ops);
	registered = false;
	ftrace_free_filter(&ops);
	ftrace_free_filter(&scout);
	kvfree(ktap_ftrace_table);
}
