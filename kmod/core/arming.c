// SPDX-License-Identifier: GPL-2.0
/*
 * Arming: what fires follows what is wanted.
 *
 * Who lets an attachment in or out, or deletes a probe, says so under ktap_lock
 * and then comes here without it. A probe that nobody wants any more is on its
 * arming's list of idle ones; whoever holds the arming's lock next takes it off.
 * So nobody waits under ktap_lock, and two who change the same probe cannot undo
 * each other's work: the last who comes finds what is wanted then.
 *
 * Hits of user code may sleep, and the kernel lets nobody unregister meanwhile.
 * So each such probe is an arming of its own: what hangs there hangs alone. It
 * is always a work item that takes it off; who needs to know waits for that, but
 * not for longer than LONG.
 */
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "core/arming.h"
#include "core/attach.h"
#include "core/lockdown.h"
#include "core/probe.h"

/* How long anybody waits for what a hit that sleeps holds up. */
#define LONG (HZ / 2)

/* Probes that one call of a backend can do, where there is no memory for more. */
#define FEW 64

struct workqueue_struct *ktap_wq;

static DECLARE_WAIT_QUEUE_HEAD(changed); /* a lock is free, a probe is off */

static void reap_work(struct work_struct *work);

struct ktap_arming ktap_kernel_arming = {
	.lock = __MUTEX_INITIALIZER(ktap_kernel_arming.lock),
	.idle = LIST_HEAD_INIT(ktap_kernel_arming.idle),
	.work = __WORK_INITIALIZER(ktap_kernel_arming.work, reap_work),
};

/* ktap_arming_join() - a new probe gets its place. Context: any. */
void ktap_arming_join(struct ktap_probe *p)
{
	INIT_LIST_HEAD(&p->in_idle);
	if (!p->backend->sleeps) {
		p->arming = &ktap_kernel_arming;
		return;
	}
	p->arming = &p->own_arming;
	mutex_init(&p->own_arming.lock);
	INIT_LIST_HEAD(&p->own_arming.idle);
	INIT_WORK(&p->own_arming.work, reap_work);
}

/*
 * Moves to the front what one call of a backend can do together with the first.
 * A pattern finds functions of both hooks, mixed; and to ftrace each call costs as
 * much as the patching of all of its sites.
 * Return: how many those are.
 */
static int gather(struct ktap_probe **list, int nr)
{
	int i, run = 1;

	for (i = 1; i < nr; i++) {
		if (list[i]->backend != list[0]->backend ||
		    list[i]->waiting != list[0]->waiting)
			continue;
		swap(list[i], list[run]);
		run++;
	}
	return run;
}

/* ---- arming ---------------------------------------------------------------- */

static int arm_run(struct ktap_probe **list, int nr)
{
	const struct ktap_backend *b = list[0]->backend;
	int i, err;

	if (b->arm_many)
		return b->arm_many(list, nr);
	for (i = 0; i < nr; i++) {
		err = b->arm(list[i]);
		if (err) {
			while (i--)
				b->disarm(list[i]);
			return err;
		}
	}
	return 0;
}

static void disarm_run(struct ktap_probe **list, int nr)
{
	const struct ktap_backend *b = list[0]->backend;
	int i;

	if (b->disarm_many) {
		b->disarm_many(list, nr);
		return;
	}
	for (i = 0; i < nr; i++)
		b->disarm(list[i]);
}

static void disarm(struct ktap_probe **list, int nr)
{
	int i, j, run;

	for (i = 0; i < nr; i += run) {
		run = gather(list + i, nr - i);
		disarm_run(list + i, run);
		for (j = i; j < i + run; j++)
			list[j]->armed = false;
	}
}

/**
 * ktap_probes_arm() - let probes fire
 * @list: disarmed ones of one arming, whose code is there
 * @nr: how many
 *
 * Context: process, under the arming's lock; may sleep.
 * Return: 0; -EPERM; what a backend gave. Then none is armed.
 */
int ktap_probes_arm(struct ktap_probe **list, int nr)
{
	int err = ktap_lockdown(), i, j, run;

	for (i = 0; !err && i < nr; i += run) {
		lockdep_assert_held(&list[i]->arming->lock);
		run = gather(list + i, nr - i);
		err = arm_run(list + i, run);
		for (j = i; !err && j < i + run; j++)
			list[j]->armed = true;
		if (err)
			disarm(list, i);
	}
	return err;
}

/* Return: 0, or -EBUSY where somebody holds it for long. */
static int enter(struct ktap_arming *g)
{
	if (g == &ktap_kernel_arming) {
		mutex_lock(&g->lock);
		return 0;
	}
	return wait_event_timeout(changed, mutex_trylock(&g->lock), LONG) ?
	       0 : -EBUSY;
}

static void leave(struct ktap_arming *g)
{
	mutex_unlock(&g->lock);
	if (g != &ktap_kernel_arming)
		wake_up_all(&changed);
}

static int widen(struct ktap_probe *p, const struct ktap_attach *a)
{
	return p->backend->widen ? p->backend->widen(p, a) : 0;
}

/**
 * ktap_arming_widen() - an attachment has more tasks in scope
 * @p: its probe
 * @a: attachment
 *
 * Context: process, without locks of ours but the session's; may sleep.
 * Return: 0; -EBUSY while a hit that sleeps holds up another change; what the
 * backend gave.
 */
int ktap_arming_widen(struct ktap_probe *p, const struct ktap_attach *a)
{
	int err;

	if (!p->backend->sleeps)
		return 0; /* hits do not depend on who is in scope */
	err = enter(p->arming);
	if (err)
		return err;
	if (p->armed && !READ_ONCE(p->gone))
		err = widen(p, a);
	leave(p->arming);
	return err;
}

/*
 * A deleted probe may have been removed already: it was marked before that, and
 * what removes it holds this lock. @list is @nr attachments of one arming;
 * @first has room for their probes.
 */
static int arm_locked(struct ktap_attach **list, int nr,
		      struct ktap_probe **first)
{
	struct ktap_probe *p;
	int i, n = 0, err = 0;

	for (i = 0; !err && i < nr; i++) {
		p = list[i]->probe;
		if (READ_ONCE(p->gone))
			continue;
		if (p->armed)
			err = widen(p, list[i]);
		else if (!p->waiting)
			first[n++] = p;
	}
	return err ?: ktap_probes_arm(first, n);
}

/**
 * ktap_arm_for() - let those fire that are wanted now
 * @list: attachments of different probes, which hits find already
 * @nr: how many
 *
 * Context: process, without locks of ours but a session's; may sleep.
 * Return: 0; -EPERM; -ENOMEM; -EBUSY while a hit that sleeps holds up another
 * change; what a backend gave. Then some may be armed, and all shall be hidden
 * again.
 */
int ktap_arm_for(struct ktap_attach **list, int nr)
{
	struct ktap_probe **first;
	int i, run, err = 0;

	first = kvmalloc_array(nr, sizeof(*first), GFP_KERNEL);
	if (!first)
		return -ENOMEM;
	for (i = 0; !err && i < nr; i += run) {
		struct ktap_arming *g = list[i]->probe->arming;

		for (run = 1; i + run < nr; run++)
			if (list[i + run]->probe->arming != g)
				break;
		err = enter(g);
		if (err)
			break;
		err = arm_locked(list + i, run, first);
		leave(g);
	}
	kvfree(first);
	return err;
}

/* ---- disarming and removing ------------------------------------------------ */

/**
 * ktap_idle_mark() - nobody wants a probe any more, or it is deleted
 * @p: probe
 *
 * Context: under ktap_lock. The caller sees to it that somebody comes:
 * ktap_idle_queue(), or ktap_idle_begin() and ktap_idle_wait().
 */
void ktap_idle_mark(struct ktap_probe *p)
{
	lockdep_assert_held(&ktap_lock);
	if (!list_empty(&p->in_idle))
		return;
	ktap_probe_get(p);
	p->idling = true;
	list_add_tail(&p->in_idle, &p->arming->idle);
	p->arming->nr_idle++;
}

static void idle_take(struct ktap_probe *p)
{
	list_del_init(&p->in_idle);
	p->arming->nr_idle--;
}

/* Deleted ones come first. */
static void take_idle(struct ktap_arming *g, struct ktap_probe **list, int room,
		      int *nr_gone, int *nr)
{
	struct ktap_probe *p, *next;
	int gone = 0, at = room;

	mutex_lock(&ktap_lock);
	list_for_each_entry_safe(p, next, &g->idle, in_idle) {
		if (gone == at)
			break;
		idle_take(p);
		list[p->gone ? gone++ : --at] = p;
	}
	mutex_unlock(&ktap_lock);
	memmove(list + gone, list + at, (room - at) * sizeof(*list));
	*nr_gone = gone;
	*nr = gone + room - at;
}

static void remove_all(struct ktap_probe **list, int nr)
{
	const struct ktap_backend *b;
	int i, run;

	for (i = 0; i < nr; i += run) {
		run = gather(list + i, nr - i);
		b = list[i]->backend;
		if (b->unload && !list[i]->waiting)
			b->unload(list + i, run);
		if (b->remove)
			b->remove(list + i, run);
	}
}

/* Those that somebody wants again, or that never were armed, are left alone. */
static void disarm_unwanted(struct ktap_probe **list, int nr)
{
	struct ktap_probe *p;
	int i, n = 0;

	mutex_lock(&ktap_lock);
	for (i = 0; i < nr; i++) {
		p = list[i];
		if (!p->armed || !list_empty(&p->site.attached))
			continue;
		list[i] = list[n];
		list[n++] = p;
	}
	mutex_unlock(&ktap_lock);
	disarm(list, n);
}

/* What of them was deleted since, or let go again, is on the list once more. */
static void idle_done(struct ktap_probe **list, int nr_gone, int nr)
{
	LIST_HEAD(settled);
	int i;

	mutex_lock(&ktap_lock);
	for (i = 0; i < nr; i++) {
		if (i < nr_gone)
			ktap_probe_bury(list[i], &settled);
		/* pairs with ktap_idle_wait() */
		smp_store_release(&list[i]->idling,
				  !list_empty(&list[i]->in_idle));
	}
	mutex_unlock(&ktap_lock);
	wake_up_all(&changed);
	ktap_attach_free_all(&settled);
	for (i = 0; i < nr; i++) {
		if (i < nr_gone)
			ktap_probe_put(list[i]);
		ktap_probe_put(list[i]);
	}
}

/* Each batch costs one wait for grace periods, however large it is. */
static void reap_some(struct ktap_arming *g, int room)
{
	struct ktap_probe *few[FEW], **many = NULL, **list;
	int nr_gone, nr;

	if (room > FEW)
		many = kvmalloc_array(room, sizeof(*many), GFP_KERNEL);
	list = many ?: few;
	take_idle(g, list, many ? room : FEW, &nr_gone, &nr);
	remove_all(list, nr_gone);
	disarm_unwanted(list + nr_gone, nr - nr_gone);
	idle_done(list, nr_gone, nr);
	kvfree(many);
}

/* Until nothing is idle: who asked for it before has the lock now. */
static void reap(struct ktap_arming *g)
{
	int room = READ_ONCE(g->nr_idle);

	lockdep_assert_held(&g->lock);
	while (room) {
		reap_some(g, room);
		room = READ_ONCE(g->nr_idle);
	}
}

static void reap_work(struct work_struct *work)
{
	struct ktap_arming *g = container_of(work, struct ktap_arming, work);

	mutex_lock(&g->lock);
	reap(g);
	leave(g);
	/* that of ktap_idle_queue() */
	if (g != &ktap_kernel_arming)
		ktap_probe_put(container_of(g, struct ktap_probe, own_arming));
}

/**
 * ktap_idle_queue() - have an idle probe taken off
 * @p: probe
 *
 * Context: any process context; does not wait.
 */
void ktap_idle_queue(struct ktap_probe *p)
{
	if (p->arming == &ktap_kernel_arming) {
		queue_work(ktap_wq, &ktap_kernel_arming.work);
		return;
	}
	ktap_probe_get(p);
	/* not the last one: the caller has one */
	if (!queue_work(ktap_wq, &p->arming->work))
		ktap_probe_put(p);
}

/**
 * ktap_idle_begin() - a call of ktap_idle_wait() will follow
 * @p: probe
 *
 * So those that wait for sleepers wait at the same time.
 *
 * Context: process.
 */
void ktap_idle_begin(struct ktap_probe *p)
{
	if (p->arming != &ktap_kernel_arming && READ_ONCE(p->idling))
		ktap_idle_queue(p);
}

/**
 * ktap_idle_wait() - until an idle probe was taken off
 * @p: probe; the caller has a reference
 *
 * Where a hit that sleeps holds that up, a work item goes on with it alone.
 *
 * Context: process, without locks of ours but a session's.
 */
void ktap_idle_wait(struct ktap_probe *p)
{
	/* pairs with idle_done() */
	if (!smp_load_acquire(&p->idling))
		return;
	if (p->arming == &ktap_kernel_arming) {
		mutex_lock(&ktap_kernel_arming.lock);
		reap(&ktap_kernel_arming);
		mutex_unlock(&ktap_kernel_arming.lock);
		return;
	}
	/* likewise */
	wait_event_timeout(changed, !smp_load_acquire(&p->idling), LONG);
}

/**
 * ktap_arming_enter() - hold probes on kernel code as they are
 *
 * For what module loading calls: what was to go is gone then.
 *
 * Context: process, without locks of ours. The waits of who holds it are bounded:
 * for grace periods and for text to be patched.
 */
void ktap_arming_enter(void)
{
	mutex_lock(&ktap_kernel_arming.lock);
	reap(&ktap_kernel_arming);
}

/* ktap_arming_leave() - Context: process. */
void ktap_arming_leave(void)
{
	mutex_unlock(&ktap_kernel_arming.lock);
}

/* ktap_arming_init() - Context: module init. Return: 0 or -ENOMEM. */
int ktap_arming_init(void)
{
	ktap_wq = alloc_workqueue("ktap", WQ_UNBOUND, 0);
	return ktap_wq ? 0 : -ENOMEM;
}

/*
 * ktap_arming_exit() - wait for all that was queued, also for hits that sleep.
 * Context: module exit, without locks; nothing queues any more.
 */
void ktap_arming_exit(void)
{
	destroy_workqueue(ktap_wq);
}
