// SPDX-License-Identifier: GPL-2.0
/*
 * Attachments: their life and their accounting.
 *
 * start lets hits find the attachment and arms the probe; stop hides it again;
 * after a grace period settle adds the counts to the probe's past. All under
 * ktap_lock.
 */
#include <linux/cpumask.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "attach.h"
#include "finish.h"
#include "guard.h"
#include "probe.h"
#include "rates.h"
#include "session.h"

static int make_rates(const struct ktap_session *s, struct ktap_attach *a)
{
	return ktap_rates_create(&s->rates, &ktap_finished, &a->rates);
}

/**
 * ktap_attach_create() - tie a probe to a session
 * @p: probe; a reference is taken
 * @s: session, or NULL to count only
 *
 * Context: process, under ktap_lock; may sleep.
 * Return: the attachment, not started yet, or NULL: no memory.
 */
struct ktap_attach *ktap_attach_create(struct ktap_probe *p,
				       struct ktap_session *s)
{
	struct ktap_attach *a = kzalloc(sizeof(*a), GFP_KERNEL_ACCOUNT);

	if (!a)
		return NULL;
	a->cell = alloc_percpu_gfp(struct ktap_cell, GFP_KERNEL_ACCOUNT);
	if (!a->cell || (s && make_rates(s, a))) {
		free_percpu(a->cell);
		kfree(a);
		return NULL;
	}
	a->probe = ktap_probe_get(p);
	a->session = s;
	a->self = s ? s->self : KTAP_NO_TGID;
	a->scope = s ? s->scope.map : NULL;
	a->counting = !s;
	INIT_LIST_HEAD(&a->in_probe);
	INIT_LIST_HEAD(&a->in_session);
	if (s && ktap_session_link(s, a)) {
		a->session = NULL;
		ktap_attach_destroy(a);
		return NULL;
	}
	return a;
}

/* ktap_attach_destroy() - Context: process, under ktap_lock; stopped, settled. */
void ktap_attach_destroy(struct ktap_attach *a)
{
	if (a->session)
		ktap_session_unlink(a);
	ktap_probe_put(a->probe);
	free_percpu(a->cell);
	kfree(a->rates);
	kfree(a);
}

static bool is_alone(const struct ktap_attach *a)
{
	return list_is_singular(&a->probe->site.attached);
}

/**
 * ktap_attach_start() - let hits in
 * @list: attachments of different probes
 * @nr: how many
 *
 * Context: process, under ktap_lock; may sleep.
 * Return: 0; -ENOMEM; what arming the probes gave. Then none has started, and a
 * grace period must pass before they go.
 */
int ktap_attach_start(struct ktap_attach **list, int nr)
{
	struct ktap_probe **first;
	int i, n = 0, err = 0;

	first = kvmalloc_array(nr, sizeof(*first), GFP_KERNEL);
	if (!first)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		list_add_tail_rcu(&list[i]->in_probe,
				  &list[i]->probe->site.attached);
		ktap_site_changed(&list[i]->probe->site);
		if (is_alone(list[i]))
			first[n++] = list[i]->probe;
		else if (!err)
			err = ktap_probe_widen(list[i]->probe, list[i]);
	}
	if (!err)
		err = ktap_probes_arm(first, n);
	kvfree(first);
	for (i = 0; i < nr; i++) {
		if (!err) {
			list[i]->live = true;
			list[i]->probe->overloaded = false;
			continue;
		}
		list_del_rcu(&list[i]->in_probe);
		ktap_site_changed(&list[i]->probe->site);
	}
	if (!err)
		ktap_guard_kick();
	return err;
}

/**
 * ktap_attach_stop() - let no new hits in
 * @list: attachments
 * @nr: how many
 *
 * Handlers that run already may still count until a grace period has passed.
 *
 * Context: process, under ktap_lock; may sleep. Without memory it takes longer.
 */
void ktap_attach_stop(struct ktap_attach **list, int nr)
{
	struct ktap_probe **last, *p;
	int i, n = 0;

	last = kvmalloc_array(nr, sizeof(*last), GFP_KERNEL);
	for (i = 0; i < nr; i++) {
		p = list[i]->probe;
		if (!list[i]->live || list[i]->stopping)
			continue;
		list[i]->stopping = true;
		list_del_rcu(&list[i]->in_probe);
		ktap_site_changed(&p->site);
		if (!list_empty(&p->site.attached))
			continue;
		if (last)
			last[n++] = p;
		else
			ktap_probes_disarm(&p, 1);
	}
	ktap_probes_disarm(last, n);
	kvfree(last);
}

/* ktap_attach_settle() - after stop and a grace period; under ktap_lock. */
void ktap_attach_settle(struct ktap_attach *a)
{
	struct ktap_counts c;

	if (!a->live)
		return;
	a->live = false;
	a->stopping = false;
	ktap_attach_counts(a, -1, &c);
	ktap_counts_add(&a->probe->past, &c);
}

/**
 * ktap_attach_stop_to() - let no new hits in to one attachment
 * @a: attachment
 * @stopped: list that it joins, for ktap_attach_settle_all()
 *
 * Context: process, under ktap_lock; may sleep.
 */
void ktap_attach_stop_to(struct ktap_attach *a, struct list_head *stopped)
{
	ktap_attach_stop(&a, 1);
	list_add(&a->stopped, stopped);
}

/**
 * ktap_attach_settle_all() - wait for the last hits, and keep their counts
 * @stopped: attachments; empty afterwards
 *
 * Context: process, under ktap_lock; sleeps for a grace period.
 */
void ktap_attach_settle_all(struct list_head *stopped)
{
	struct ktap_attach *a, *next;

	if (list_empty(stopped))
		return;
	synchronize_rcu();
	list_for_each_entry_safe(a, next, stopped, stopped) {
		list_del(&a->stopped);
		ktap_attach_settle(a);
	}
}

static void cell_counts(const struct ktap_attach *a, unsigned int cpu,
			struct ktap_counts *c)
{
	const struct ktap_cell *cell = per_cpu_ptr(a->cell, cpu);
	u64 lost;

	*c = (struct ktap_counts){
		.filtered = READ_ONCE(cell->outcome[KTAP_FILTERED]),
		.limited = READ_ONCE(cell->outcome[KTAP_LIMITED]),
		.lost_full = READ_ONCE(cell->outcome[KTAP_LOST_FULL]),
		.lost_big = READ_ONCE(cell->outcome[KTAP_LOST_BIG]),
		.lost_deep = READ_ONCE(cell->outcome[KTAP_LOST_DEEP]),
		.lost_no_ring = READ_ONCE(cell->outcome[KTAP_LOST_NO_RING]),
	};
	lost = c->filtered + c->limited + c->lost_full + c->lost_big +
	       c->lost_deep + c->lost_no_ring;
	/* a handler that runs now may have counted only half of its hit yet */
	c->hits = max(READ_ONCE(cell->hits), lost);
	*(a->session ? &c->recorded : &c->counted) = c->hits - lost;
}

/* ktap_counts_add() - member by member. Context: any. */
void ktap_counts_add(struct ktap_counts *sum, const struct ktap_counts *c)
{
	const u64 *from = (const u64 *)c;
	u64 *to = (u64 *)sum;
	size_t i;

	for (i = 0; i < sizeof(*c) / sizeof(u64); i++)
		to[i] += from[i];
}

/**
 * ktap_attach_counts() - accounting of one attachment
 * @a: attachment
 * @cpu: CPU, or -1 for all
 * @ret: filled; exact once stopped and a grace period has passed
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
