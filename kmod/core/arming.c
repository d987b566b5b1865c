// SPDX-License-Identifier: GPL-2.0
/*
 * Arming: makes the set of probes that fire match the set of probes that are attached.
 *
 * A request that adds or removes an attachment, or deletes a probe, records that under
 * ktap_lock and then calls this file without ktap_lock. A probe without attachments goes
 * to the idle list of its arming. The next holder of the arming's lock disarms everything
 * on that list. So no task waits under ktap_lock, and two tasks that change one probe
 * cannot undo each other's work: the later one acts on the state that it finds.
 *
 * Hits of user code may sleep, and the kernel cannot unregister their probe until they
 * return. So each such probe has an arming of its own, and a blocked hit delays that
 * probe alone. A work item always does the disarming there. A request waits for the work
 * item for LONG at most.
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

/* Longest time that a request waits for a sleeping hit. */
#define LONG (HZ / 2)

/* Probes per call of a backend if memory for a larger array is not available. */
#define FEW 64

struct workqueue_struct *ktap_wq;

static DECLARE_WAIT_QUEUE_HEAD(changed); /* a lock was released, or a probe disarmed */

static void reap_work(struct work_struct *work);

struct ktap_arming ktap_kernel_arming = {
	.lock = __MUTEX_INITIALIZER(ktap_kernel_arming.lock),
	.idle = LIST_HEAD_INIT(ktap_kernel_arming.idle),
	.work = __WORK_INITIALIZER(ktap_kernel_arming.work, reap_work),
};

/**
 * ktap_arming_join() - assign a new probe to its arming
 * @p: probe
 *
 * A probe whose hits may sleep gets an arming of its own. All others share
 * ktap_kernel_arming.
 *
 * Context: any.
 */
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
 * Moves the probes that one call of the backend can handle together with list[0] next to
 * it. A glob matches functions of both hooks in mixed order, and each call of the ftrace
 * backend costs as much as patching all of its sites.
 *
 * Return: the number of probes in the group, list[0] included.
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
 * ktap_probes_arm() - arm probes
 * @list: disarmed probes of one arming, whose code is loaded
 * @nr: number of probes
 *
 * Context: process, under the arming's lock; may sleep.
 * Return: 0, -EPERM under kernel lockdown, or the backend's error. On error no probe is
 * armed.
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

/* Return: 0, or -EBUSY if another task holds the lock longer than LONG. */
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
 * ktap_arming_widen() - let a probe fire for tasks that came into an attachment's scope
 * @p: probe of @a
 * @a: attachment
 *
 * Context: process, without ktap locks but the session's; may sleep.
 * Return: 0, -EBUSY while a sleeping hit delays an earlier change, or the backend's
 * error.
 */
int ktap_arming_widen(struct ktap_probe *p, const struct ktap_attach *a)
{
	int err;

	if (!p->backend->sleeps)
		return 0; /* the kernel side does not depend on scope */
	err = enter(p->arming);
	if (err)
		return err;
	if (p->armed && !READ_ONCE(p->gone))
		err = widen(p, a);
	leave(p->arming);
	return err;
}

/*
 * Arms the probes of @nr attachments of one arming. @first has space for their probes.
 * Skips deleted probes: gone is set before removal, and removal holds this lock.
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
 * ktap_arm_for() - arm the probes of new attachments
 * @list: attachments of different probes, already linked for hits
 * @nr: number of attachments
 *
 * Context: process, without ktap locks but a session's; may sleep.
 * Return: 0, -EPERM, -ENOMEM, -EBUSY while a sleeping hit delays an earlier change, or
 * the backend's error. On error some probes may be armed, and the caller must hide all
 * attachments again.
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
 * ktap_idle_mark() - put a probe on the idle list
 * @p: probe that lost its last attachment or was deleted
 *
 * Context: under ktap_lock. The caller must follow up with ktap_idle_queue(), or with
 * ktap_idle_begin() and ktap_idle_wait().
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

/* Fills @list from the idle list, deleted probes first. */
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

/* Skips probes that were attached again, and probes that were never armed. */
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

/* A probe that was deleted or released again meanwhile is on the idle list again. */
static void idle_done(struct ktap_probe **list, int nr_gone, int nr)
{
	LIST_HEAD(settled);
	int i;

	mutex_lock(&ktap_lock);
	for (i = 0; i < nr; i++) {
		if (i < nr_gone)
			ktap_probe_bury(list[i], &settled);
		/* pairs with the acquire in ktap_idle_wait() */
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

/* Each batch waits for one set of grace periods, whatever its size. */
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

/*
 * Empties the idle list: a task that marked a probe before it took the lock needs to look
 * no further.
 */
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
	/* the reference that ktap_idle_queue() took */
	if (g != &ktap_kernel_arming)
		ktap_probe_put(container_of(g, struct ktap_probe, own_arming));
}

/**
 * ktap_idle_queue() - queue the disarming or removal of an idle probe
 * @p: probe
 *
 * Context: process; does not sleep.
 */
void ktap_idle_queue(struct ktap_probe *p)
{
	if (p->arming == &ktap_kernel_arming) {
		queue_work(ktap_wq, &ktap_kernel_arming.work);
		return;
	}
	ktap_probe_get(p);
	/* the caller holds a reference, so this is not the last one */
	if (!queue_work(ktap_wq, &p->arming->work))
		ktap_probe_put(p);
}

/**
 * ktap_idle_begin() - announce a later call of ktap_idle_wait()
 * @p: probe
 *
 * Called for each probe of a request before the first ktap_idle_wait(), so that the waits
 * for sleeping hits overlap.
 *
 * Context: process.
 */
void ktap_idle_begin(struct ktap_probe *p)
{
	if (p->arming != &ktap_kernel_arming && READ_ONCE(p->idling))
		ktap_idle_queue(p);
}

/**
 * ktap_idle_wait() - wait until an idle probe was disarmed or removed
 * @p: probe; the caller holds a reference
 *
 * If a sleeping hit delays that for longer than LONG, returns and leaves the rest to the
 * work item.
 *
 * Context: process, without ktap locks but a session's.
 */
void ktap_idle_wait(struct ktap_probe *p)
{
	/* pairs with the release in idle_done() */
	if (!smp_load_acquire(&p->idling))
		return;
	if (p->arming == &ktap_kernel_arming) {
		mutex_lock(&ktap_kernel_arming.lock);
		reap(&ktap_kernel_arming);
		mutex_unlock(&ktap_kernel_arming.lock);
		return;
	}
	/* pairs with the release in idle_done() */
	wait_event_timeout(changed, !smp_load_acquire(&p->idling), LONG);
}

/**
 * ktap_arming_enter() - lock the arming of all probes on kernel code
 *
 * Called by the module notifier. Disarms and removes all idle probes first. A holder of
 * the lock waits only for grace periods and for text patching, so the wait is bounded.
 *
 * Context: process, without ktap locks.
 */
void ktap_arming_enter(void)
{
	mutex_lock(&ktap_kernel_arming.lock);
	reap(&ktap_kernel_arming);
}

/**
 * ktap_arming_leave() - unlock what ktap_arming_enter() locked
 *
 * Context: process.
 */
void ktap_arming_leave(void)
{
	mutex_unlock(&ktap_kernel_arming.lock);
}

/**
 * ktap_arming_init() - create the workqueue
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int ktap_arming_init(void)
{
	ktap_wq = alloc_workqueue("ktap", WQ_UNBOUND, 0);
	return ktap_wq ? 0 : -ENOMEM;
}

/**
 * ktap_arming_exit() - wait for all queued work, sleeping hits included
 *
 * Context: module exit, without locks, when no more work can be queued.
 */
void ktap_arming_exit(void)
{
	destroy_workqueue(ktap_wq);
}
