// SPDX-License-Identifier: GPL-2.0
/*
 * One struct kprobe for all probes at an address. Each session has a probe of its own. With
 * a kprobe each, the kernel would walk its list of them at each hit (aggr_pre_handler()),
 * which costs nearly as much as the hit itself.
 *
 * A probe joins the kprobe when its code is loaded, and leaves it when it is unloaded. The
 * kprobe is registered, disabled, for the first one, and unregistered after the last one
 * has left. It is enabled while at least one of them is armed.
 *
 * The kprobe has one of two handlers. While there is one member, handle_one() serves it as
 * if the kprobe were its own. Otherwise handle_many() walks the list and passes over
 * members that are not armed. A new member is at the end of the list before the handler
 * changes. When only one is left, the handler changes after the grace period that leaving
 * takes anyway: then each hit sees that one as the first.
 *
 * Handlers run with preemption disabled, so a grace period waits for them. A member that
 * left keeps its link until then. The kprobe is freed after a further grace period, because
 * readers of nmissed may still have its address.
 *
 * What the kernel misses at the kprobe (nmissed) it misses for each member. A probe counts
 * that from when it joins until it leaves, armed or not, as the kernel counts it for each of
 * several kprobes at an address.
 *
 * Return probes and the fork hook have kprobes of their own.
 *
 * All but the handlers is under ktap_kernel_arming.lock.
 */
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "backend/kprobe.h"
#include "backend/shared_kprobe.h"
#include "hit/hit_inline.h"

/* Globs match thousands of functions. */
#define TABLE_BITS 10

static DEFINE_HASHTABLE(by_addr, TABLE_BITS);
static DEFINE_HASHTABLE(by_asked, TABLE_BITS);

static struct ktap_kprobe *mine(struct ktap_probe *p)
{
	return container_of(p, struct ktap_kprobe, p);
}

/* ---- hits ------------------------------------------------------------------ */

static __always_inline const struct ktap_kprobe *
member(const struct ktap_site *site)
{
	return container_of(site, struct ktap_kprobe, p.site);
}

static int handle_one(struct kprobe *kp, struct pt_regs *regs)
{
	const struct ktap_shared_kprobe *s =
		container_of(kp, struct ktap_shared_kprobe, kp);

	const struct ktap_site *site = READ_ONCE(s->first);

	/* where the functions that serve other hits take it: a move less */
	ktap_arch_keep_first(site);
	ktap_hit_inline(site, regs);
	return 0;
}
NOKPROBE_SYMBOL(handle_one);

static __always_inline bool is_on(const struct ktap_site *site)
{
	/* either value will do; a plain read may be a part of the comparison */
	return likely(data_race(member(site)->on));
}

static __always_inline const struct ktap_site *next_of(const struct ktap_site *site)
{
	return READ_ONCE(member(site)->next);
}

/* A hit that interrupts another, which may have called what is probed. */
static noinline void hit_inside(const struct ktap_site *site,
				const struct pt_regs *regs)
{
	for (; site; site = next_of(site))
		if (is_on(site))
			ktap_hit_any(site, regs);
}
NOKPROBE_SYMBOL(hit_inside);

static int handle_many(struct kprobe *kp, struct pt_regs *regs)
{
	const struct ktap_shared_kprobe *s =
		container_of(kp, struct ktap_shared_kprobe, kp);
	const struct ktap_site *site = READ_ONCE(s->first); /* T: address dependency */

	if (ktap_hit_is_inside()) {
		hit_inside(site, regs);
		return 0;
	}
	do {
		if (is_on(site))
			ktap_hit_outside(site, regs);
		site = next_of(site);
	} while (site);
	return 0;
}
NOKPROBE_SYMBOL(handle_many);

/* ---- the kprobe ------------------------------------------------------------ */

static unsigned long addr_of(const struct ktap_shared_kprobe *s)
{
	return (unsigned long)s->kp.addr;
}

/*
 * The kprobe that is at @addr, or that was requested there. One in code that has been
 * freed does not count: the kernel decides what may be at that address now.
 */
static struct ktap_shared_kprobe *find(unsigned long addr)
{
	struct ktap_shared_kprobe *s;

	hash_for_each_possible(by_addr, s, by_addr, addr)
		if (addr_of(s) == addr && !kprobe_gone(&s->kp))
			return s;
	hash_for_each_possible(by_asked, s, by_asked, addr)
		if (s->asked == addr && !kprobe_gone(&s->kp))
			return s;
	return NULL;
}

static struct ktap_shared_kprobe *create(const struct ktap_probe *p,
					 unsigned long addr)
{
	struct ktap_shared_kprobe *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	int err;

	if (!s)
		return ERR_PTR(-ENOMEM);
	s->end = &s->first;
	s->asked = addr;
	s->kp.pre_handler = handle_one;
	s->kp.flags = KPROBE_FLAG_DISABLED;
	if (addr)
		s->kp.addr = (kprobe_opcode_t *)addr;
	else
		ktap_kprobe_place(&s->kp, p);
	err = register_kprobe(&s->kp);
	if (err) {
		kfree(s);
		return ERR_PTR(err);
	}
	s->kp.symbol_name = NULL; /* the probe's: it may be freed before the kprobe */
	return s;
}

/* For a probe that has only a symbol, registering a kprobe is the way to look it up. */
static struct ktap_shared_kprobe *create_or_find(const struct ktap_probe *p,
						 unsigned long addr)
{
	struct ktap_shared_kprobe *s = create(p, addr), *other;

	if (IS_ERR(s))
		return s;
	other = find(addr_of(s));
	if (other) {
		unregister_kprobe(&s->kp);
		kfree(s);
		return other;
	}
	hash_add(by_addr, &s->by_addr, addr_of(s));
	if (addr)
		hash_add(by_asked, &s->by_asked, addr);
	return s;
}

/* The caller becomes a user. */
static struct ktap_shared_kprobe *get(const struct ktap_probe *p,
				      unsigned long addr)
{
	struct ktap_shared_kprobe *s;

	lockdep_assert_held(&ktap_kernel_arming.lock);
	s = addr ? find(addr) : NULL;
	if (!s)
		s = create_or_find(p, addr);
	if (!IS_ERR(s))
		s->users++;
	return s;
}

/* ---- joining and leaving --------------------------------------------------- */

static void choose_handler(struct ktap_shared_kprobe *s)
{
	bool many = s->first && member(s->first)->next;

	WRITE_ONCE(s->kp.pre_handler, many ? handle_many : handle_one);
}

/* For a user who is not a member yet. */
static void join(struct ktap_kprobe *k, struct ktap_shared_kprobe *s)
{
	k->on = false;
	k->next = NULL;
	k->missed_at = READ_ONCE(s->kp.nmissed);
	k->link = s->end;
	s->end = &k->next;
	smp_store_release(k->link, &k->p.site); /* T */
	choose_handler(s);
	smp_store_release(&k->shared, s); /* S: missed_at before it */
}

/**
 * ktap_shared_kprobe_join() - put a probe at an address, disarmed
 * @k: probe without a kprobe
 * @addr: address; 0: what @k's probe has
 *
 * Context: process, under ktap_kernel_arming.lock; may sleep.
 * Return: 0, -ENOMEM, or the error of register_kprobe().
 */
int ktap_shared_kprobe_join(struct ktap_kprobe *k, unsigned long addr)
{
	struct ktap_shared_kprobe *s = get(&k->p, addr);

	if (IS_ERR(s))
		return PTR_ERR(s);
	join(k, s);
	return 0;
}

/* Return: the kprobe, if that was the last user: it must be unregistered; or NULL. */
static struct kprobe *take_out(struct ktap_kprobe *k)
{
	struct ktap_shared_kprobe *s = k->shared;

	if (!s)
		return NULL;
	ktap_shared_kprobe_disarm(k);
	if (!--s->users) {
		hash_del(&s->by_addr);
		hash_del(&s->by_asked);
		return &s->kp;
	}
	if (k->next)
		container_of(k->next, struct ktap_kprobe, p.site)->link = k->link;
	else
		s->end = k->link;
	/* its own next stays, for handlers that are there */
	WRITE_ONCE(*k->link, k->next);
	return NULL;
}

/* After a grace period. */
static void settle(struct ktap_kprobe *k)
{
	struct ktap_shared_kprobe *s = k->shared;

	if (!s)
		return;
	k->missed_before += READ_ONCE(s->kp.nmissed) - k->missed_at;
	WRITE_ONCE(k->shared, NULL);
	choose_handler(s);
}

/* @kps has space for @nr. */
static void leave(struct ktap_probe **probes, int nr, struct kprobe **kps)
{
	int i, n = 0;

	for (i = nr; i--;) {
		kps[n] = take_out(mine(probes[i]));
		n += !!kps[n];
	}
	if (n)
		unregister_kprobes(kps, n);
	if (n < nr)
		synchronize_rcu(); /* for probes whose kprobe stays */
	for (i = 0; i < nr; i++)
		settle(mine(probes[i]));
	/* who counts what was missed may still look at it */
	for (i = 0; i < n; i++)
		kfree_rcu(container_of(kps[i], struct ktap_shared_kprobe, kp), rcu);
}

static void leave_some(struct ktap_probe **probes, int nr)
{
	struct kprobe **kps, *one;
	int i;

	kps = kvmalloc_array(nr, sizeof(*kps), GFP_KERNEL);
	if (kps)
		leave(probes, nr, kps);
	else
		for (i = nr; i--;)
			leave(&probes[i], 1, &one);
	kvfree(kps);
}

/**
 * ktap_shared_kprobe_leave() - take probes from their places, armed or not
 * @probes: probes of struct ktap_kprobe; those without a kprobe are passed over
 * @nr: number of probes
 *
 * Context: process, under ktap_kernel_arming.lock; sleeps. No handler uses them any more
 * when it returns.
 */
void ktap_shared_kprobe_leave(struct ktap_probe **probes, int nr)
{
	lockdep_assert_held(&ktap_kernel_arming.lock);
	ktap_kprobe_unregister(probes, nr, leave_some);
}

/**
 * ktap_shared_kprobe_move() - put a disarmed probe at another address
 * @k: probe at some address
 * @addr: address
 *
 * The others stay where they are.
 *
 * Context: process, under ktap_kernel_arming.lock; sleeps.
 * Return: 0, -ENOMEM, or the error of register_kprobe(); then @k is where it was.
 */
int ktap_shared_kprobe_move(struct ktap_kprobe *k, unsigned long addr)
{
	struct ktap_shared_kprobe *s = get(&k->p, addr);
	struct ktap_probe *p = &k->p;

	if (IS_ERR(s))
		return PTR_ERR(s);
	ktap_shared_kprobe_leave(&p, 1);
	join(k, s);
	return 0;
}

/* ---- firing ---------------------------------------------------------------- */

/**
 * ktap_shared_kprobe_arm() - let a probe fire
 * @k: disarmed probe
 *
 * Context: process, under ktap_kernel_arming.lock; may sleep.
 * Return: 0, or the error of enable_kprobe().
 */
int ktap_shared_kprobe_arm(struct ktap_kprobe *k)
{
	struct ktap_shared_kprobe *s = k->shared;
	int err;

	lockdep_assert_held(&ktap_kernel_arming.lock);
	WRITE_ONCE(k->on, true);
	/* does nothing if it is enabled, and refuses if its code has been freed */
	err = enable_kprobe(&s->kp);
	if (err)
		WRITE_ONCE(k->on, false);
	else
		s->nr_on++;
	return err;
}

/**
 * ktap_shared_kprobe_disarm() - let a probe fire no more
 * @k: probe at some address, armed or not
 *
 * Cannot fail. Handlers may run until a grace period has passed.
 *
 * Context: process, under ktap_kernel_arming.lock; may sleep.
 */
void ktap_shared_kprobe_disarm(struct ktap_kprobe *k)
{
	lockdep_assert_held(&ktap_kernel_arming.lock);
	if (!k->on)
		return;
	WRITE_ONCE(k->on, false);
	if (!--k->shared->nr_on)
		ktap_kprobe_disable(&k->shared->kp);
}
