// SPDX-License-Identifier: GPL-2.0
/*
 * Attachments: lifetime and accounting.
 *
 * ktap_attach_link() and ktap_attach_hide() let hits find an attachment or not, under
 * ktap_lock. arming.c arms and disarms the probe without that lock. After a grace period
 * ktap_attach_settle() adds the final counts to the totals of the probe, under ktap_lock.
 */
#include <linux/cpumask.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "core/arming.h"
#include "core/attach.h"
#include "core/budget.h"
#include "core/lockdown.h"
#include "core/probe.h"
#include "core/session.h"
#include "core/sweep.h"
#include "hit/rates.h"

/* Rates limit records, and not what is stored for other probes. */
static int make_rates(const struct ktap_session *s, struct ktap_attach *a)
{
	if (a->silent)
		return 0;
	return ktap_rates_create(&s->rates, &ktap_sweep_soon, &a->rates);
}

static void make_plan(struct ktap_attach *a, const struct ktap_prog *prog)
{
	if (a->map && prog->gate.whole)
		ktap_plan_make(&a->plan, prog->insns + prog->gate.body, &prog->info, a->map);
}

/**
 * ktap_attach_create() - attach a probe to a session
 * @p: probe; the attachment takes a reference
 * @s: session, or NULL to count only
 * @map: map for its hits, or NULL
 *
 * Context: process, under the session's lock; may sleep.
 * Return: the attachment, not yet linked, or NULL without memory.
 */
struct ktap_attach *ktap_attach_create(struct ktap_probe *p,
				       struct ktap_session *s,
				       const struct ktap_map *map)
{
	struct ktap_attach *a = ktap_mem_alloc(KTAP_MEM_OTHER, sizeof(*a));

	if (IS_ERR(a))
		return NULL;
	a->map = map;
	make_plan(a, p->prog);
	a->silent = !s || (!map && ktap_prog_is_silent(&p->prog->info));
	a->cell = ktap_alloc_percpu(struct ktap_cell, NULL);
	if (!a->cell || (s && make_rates(s, a))) {
		ktap_free_percpu(a->cell);
		ktap_mem_free(KTAP_MEM_OTHER, a, sizeof(*a));
		return NULL;
	}
	ktap_probe_get(p);
	a->probe = p;
	a->session = s;
	a->self = s ? s->self : KTAP_NO_TGID;
	a->scope = s ? s->scope.map : NULL;
	a->counting = !s;
	refcount_set(&a->refs, 1);
	INIT_LIST_HEAD(&a->of_probe);
	INIT_LIST_HEAD(&a->in_session);
	return a;
}

/**
 * ktap_attach_get() - take a reference
 * @a: attachment
 *
 * Context: any; under ktap_lock if @a was looked up.
 */
void ktap_attach_get(struct ktap_attach *a)
{
	refcount_inc(&a->refs);
}

/**
 * ktap_attach_put() - drop a reference
 * @a: attachment; settled before the last reference is dropped
 *
 * Context: process, without ktap_lock.
 */
void ktap_attach_put(struct ktap_attach *a)
{
	if (!refcount_dec_and_test(&a->refs))
		return;
	ktap_probe_put(a->probe);
	ktap_free_percpu(a->cell);
	ktap_mem_free(KTAP_MEM_OTHER, a->rates, sizeof(*a->rates));
	ktap_mem_free(KTAP_MEM_OTHER, a, sizeof(*a));
}

/**
 * ktap_attach_link() - let hits find an attachment
 * @a: attachment of a probe that is not deleted
 *
 * The caller then releases ktap_lock and calls ktap_attach_start(). If linking one of
 * several fails, it calls ktap_attach_stop() for all of them.
 *
 * Context: process, under ktap_lock.
 * Return: 0, or -EDQUOT if the probe would exceed the cost limit of its place.
 */
int ktap_attach_link(struct ktap_attach *a)
{
	struct ktap_probe *p = a->probe;
	int err;

	lockdep_assert_held(&ktap_lock);
	a->live = true;
	list_add_tail(&a->of_probe, &p->attachments);
	list_add_tail_rcu(&a->in_probe, &p->site.attached);
	ktap_site_changed(&p->site);
	err = ktap_place_cost_update(p);
	if (err)
		ktap_attach_hide(a);
	return err;
}

/**
 * ktap_attach_hide() - stop new hits from finding an attachment
 * @a: attachment
 *
 * Running handlers may count until a grace period has passed. If this was the last
 * attachment of the probe, the probe becomes idle: see ktap_idle_mark().
 *
 * Context: process, under ktap_lock.
 * Return: true, or false if it was hidden already.
 */
bool ktap_attach_hide(struct ktap_attach *a)
{
	struct ktap_probe *p = a->probe;

	lockdep_assert_held(&ktap_lock);
	if (!a->live || a->stopping)
		return false;
	a->stopping = true;
	list_del_rcu(&a->in_probe);
	ktap_site_changed(&p->site);
	ktap_place_cost_update(p); /* a lower cost is never refused */
	if (p->counting == a)
		WRITE_ONCE(p->counting, NULL);
	if (list_empty(&p->site.attached))
		ktap_idle_mark(p);
	return true;
}

/**
 * ktap_attach_hide_to() - hide an attachment and queue the disarming of its probe
 * @a: attachment
 * @hidden: list that @a joins, for ktap_attach_settle_all()
 *
 * Context: process, under ktap_lock.
 */
void ktap_attach_hide_to(struct ktap_attach *a, struct list_head *hidden)
{
	if (!ktap_attach_hide(a))
		return;
	ktap_attach_get(a);
	list_add(&a->stopped, hidden);
	if (a->probe->idling)
		ktap_idle_queue(a->probe);
}

static void count_in_session(struct ktap_attach *a, int change)
{
	a->session->nr_attached += change;
	if (!a->map && !a->silent)
		a->session->nr_recording += change;
}

/**
 * ktap_attach_settle() - add the final counts of an attachment to its probe
 * @a: hidden attachment; a grace period has passed since
 * @settled: list for ktap_attach_free_all(); a counting attachment joins it
 *
 * Several tasks may call this for one attachment. The first call does the work.
 *
 * Context: process, under ktap_lock.
 */
void ktap_attach_settle(struct ktap_attach *a, struct list_head *settled)
{
	struct ktap_counts c;

	lockdep_assert_held(&ktap_lock);
	if (!a->live)
		return;
	a->live = false;
	a->stopping = false;
	list_del_init(&a->of_probe);
	ktap_attach_counts(a, -1, &c);
	ktap_counts_add(&a->probe->past, &c);
	if (a->counting)
		list_add(&a->in_session, settled);
	else if (a->started)
		count_in_session(a, -1);
	a->started = false;
}

/**
 * ktap_attach_free_all() - free settled counting attachments
 * @settled: list that ktap_attach_settle() filled
 *
 * Context: process, without ktap_lock.
 */
void ktap_attach_free_all(struct list_head *settled)
{
	struct ktap_attach *a, *next;

	list_for_each_entry_safe(a, next, settled, in_session) {
		list_del_init(&a->in_session);
		ktap_attach_put(a);
	}
}

/* Runs before the probes can fire, so that it does not overwrite what a hit sets. */
static void begin_anew(struct ktap_attach **list, int nr)
{
	int i;

	mutex_lock(&ktap_lock);
	for (i = 0; i < nr; i++) {
		list[i]->probe->overloaded = false;
		list[i]->probe->locked_down = false;
	}
	mutex_unlock(&ktap_lock);
}

/* The probes are armed. Skips attachments that were stopped meanwhile. */
static void tell_sessions(struct ktap_attach **list, int nr)
{
	int i;

	mutex_lock(&ktap_lock);
	for (i = 0; i < nr; i++) {
		struct ktap_attach *a = list[i];

		if (!a->live || a->counting)
			continue;
		a->started = true;
		count_in_session(a, 1);
	}
	ktap_lockdown_kick();
	mutex_unlock(&ktap_lock);
}

/**
 * ktap_attach_start() - arm the probes of linked attachments
 * @list: attachments of different probes; the caller holds references
 * @nr: number of attachments
 *
 * Context: process, without ktap locks but a session's; may sleep.
 * Return: 0, -ENOMEM, or the error from arming. On error all of them are stopped.
 */
int ktap_attach_start(struct ktap_attach **list, int nr)
{
	int err;

	if (!nr)
		return 0;
	err = ktap_lockdown();
	if (!err) {
		begin_anew(list, nr);
		err = ktap_arm_for(list, nr);
	}
	if (err) {
		ktap_attach_stop(list, nr);
		return err;
	}
	tell_sessions(list, nr);
	return 0;
}

/**
 * ktap_attach_stop() - hide attachments and wait for their last hits
 * @list: attachments; the caller holds references
 * @nr: number of attachments
 *
 * Their counts are final on return, whichever task hid them first.
 *
 * Context: process, without ktap locks but a session's; sleeps for a grace period and for
 * ktap_idle_wait().
 */
void ktap_attach_stop(struct ktap_attach **list, int nr)
{
	LIST_HEAD(settled);
	int i;

	if (!nr)
		return;
	mutex_lock(&ktap_lock);
	for (i = 0; i < nr; i++)
		ktap_attach_hide(list[i]);
	mutex_unlock(&ktap_lock);
	for (i = 0; i < nr; i++)
		ktap_idle_begin(list[i]->probe);
	for (i = 0; i < nr; i++)
		ktap_idle_wait(list[i]->probe);
	synchronize_rcu();
	mutex_lock(&ktap_lock);
	for (i = 0; i < nr; i++)
		ktap_attach_settle(list[i], &settled);
	mutex_unlock(&ktap_lock);
	ktap_attach_free_all(&settled);
}

/**
 * ktap_attach_settle_all() - wait for the last hits and settle the counts
 * @hidden: hidden attachments; empty on return
 *
 * Context: process, without locks; sleeps for a grace period.
 */
void ktap_attach_settle_all(struct list_head *hidden)
{
	struct ktap_attach *a, *next;
	LIST_HEAD(settled);

	if (list_empty(hidden))
		return;
	synchronize_rcu();
	mutex_lock(&ktap_lock);
	list_for_each_entry(a, hidden, stopped)
		ktap_attach_settle(a, &settled);
	mutex_unlock(&ktap_lock);
	ktap_attach_free_all(&settled);
	list_for_each_entry_safe(a, next, hidden, stopped) {
		list_del(&a->stopped);
		ktap_attach_put(a);
	}
}

static void cell_counts(const struct ktap_attach *a, unsigned int cpu,
			struct ktap_counts *c)
{
	const struct ktap_cell *cell = per_cpu_ptr(a->cell, cpu);
	u64 rest, *derived = &c->recorded;

	*c = (struct ktap_counts){
		.filtered = READ_ONCE(cell->outcome[KTAP_FILTERED]),
		.limited = READ_ONCE(cell->outcome[KTAP_LIMITED]),
		.lost_full = READ_ONCE(cell->outcome[KTAP_LOST_FULL]),
		.lost_big = READ_ONCE(cell->outcome[KTAP_LOST_BIG]),
		.lost_deep = READ_ONCE(cell->outcome[KTAP_LOST_DEEP]),
		.lost_no_ring = READ_ONCE(cell->outcome[KTAP_LOST_NO_RING]),
		.other = READ_ONCE(cell->outcome[KTAP_OTHER]),
	};
	rest = c->filtered + c->limited + c->lost_full + c->lost_big +
	       c->lost_deep + c->lost_no_ring + c->other;
	/* a handler that runs now may have counted its outcome but not yet its hit */
	c->hits = max(READ_ONCE(cell->hits), rest);
	if (a->map)
		derived = &c->aggregated;
	else if (a->silent)
		derived = &c->counted;
	*derived = c->hits - rest;
}

/**
 * ktap_counts_add() - add counts member by member
 * @sum: sum
 * @c: added to @sum
 *
 * Context: any.
 */
void ktap_counts_add(struct ktap_counts *sum, const struct ktap_counts *c)
{
	const u64 *from = (const u64 *)c;
	u64 *to = (u64 *)sum;
	size_t i;

	for (i = 0; i < sizeof(*c) / sizeof(u64); i++)
		to[i] += from[i];
}

/**
 * ktap_attach_counts() - read the counts of an attachment
 * @a: attachment
 * @cpu: CPU, or -1 for all
 * @ret: filled; exact once @a was hidden and a grace period has passed
 *
 * Context: process.
 */
void ktap_attach_counts(const struct ktap_attach *a, int cpu,
			struct ktap_counts *ret)
{
	struct ktap_counts c;

	*ret = (struct ktap_counts){};
	if (cpu >= 0) {
		cell_counts(a, cpu, ret);
		return;
	}
	for_each_possible_cpu(cpu) {
		cell_counts(a, cpu, &c);
		ktap_counts_add(ret, &c);
	}
}
