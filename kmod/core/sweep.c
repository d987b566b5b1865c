// SPDX-License-Identifier: GPL-2.0
/*
 * Work that hits leave behind. A handler unregisters nothing. It sets a flag and queues
 * one work item, which does the rest. No task waits for the work item:
 *
 * - attachments that made the requested number of records (hit/rates.h) are detached;
 * - probes that tripped the overload guard (hit/guard.h), and do nothing since, are
 *   detached from all sessions, announced, and reset so that they can be armed again.
 */
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/workqueue.h>

#include "core/arming.h"
#include "core/netlink.h"
#include "core/probe.h"
#include "core/sweep.h"
#include "hit/guard.h"
#include "hit/rates.h"

static void sweep(struct work_struct *work);

static DECLARE_WORK(sweep_work, sweep);

static void queue_sweep(struct irq_work *work)
{
	queue_work(ktap_wq, &sweep_work);
}

static bool over; /* under ktap_lock: tripped probes are no longer handled */

DEFINE_IRQ_WORK(ktap_sweep_soon, queue_sweep);

void ktap_guard_tripped(const struct ktap_site *site)
{
	irq_work_queue(&ktap_sweep_soon);
}
NOKPROBE_SYMBOL(ktap_guard_tripped);

static bool is_done(const struct ktap_attach *a)
{
	return a->live && a->rates && READ_ONCE(a->rates->done);
}

static void hide_done(struct ktap_probe *p, struct list_head *hidden)
{
	struct ktap_attach *a, *next;

	list_for_each_entry_safe(a, next, &p->site.attached, in_probe)
		if (is_done(a))
			ktap_attach_hide_to(a, hidden);
}

static void take_away(struct ktap_probe *p, struct list_head *hidden)
{
	pr_notice("ktap: %s took %u%% of a CPU and was disarmed\n", p->name,
		  READ_ONCE(p->site.share));
	ktap_probe_detach_everybody(p, hidden);
	p->swept = true;
	p->overloaded = true;
	ktap_announce(p, KTAP_CMD_PROBE_SET);
}

/* Hits that were running have finished: the probe may fire again. */
static void make_fit(struct ktap_probe *p)
{
	p->swept = false;
	WRITE_ONCE(p->site.tripped, false);
	ktap_site_changed(&p->site);
}

static void sweep(struct work_struct *work)
{
	struct ktap_probe *p;
	LIST_HEAD(hidden);
	u32 id;

	mutex_lock(&ktap_lock);
	for (id = 0; (p = ktap_probe_next(id)); id = p->id + 1) {
		hide_done(p, &hidden);
		if (!over && READ_ONCE(p->site.tripped))
			take_away(p, &hidden);
	}
	mutex_unlock(&ktap_lock);
	ktap_attach_settle_all(&hidden);
	mutex_lock(&ktap_lock);
	for (id = 0; (p = ktap_probe_next(id)); id = p->id + 1)
		if (p->swept)
			make_fit(p);
	mutex_unlock(&ktap_lock);
}

/**
 * ktap_sweep_stop() - stop handling probes that tripped the guard
 *
 * Probes that trip later are removed with all others at exit.
 *
 * Context: module exit, without ktap_lock, before the netlink family is unregistered,
 * because a running sweep sends notifications.
 */
void ktap_sweep_stop(void)
{
	mutex_lock(&ktap_lock);
	over = true;
	mutex_unlock(&ktap_lock);
}

/**
 * ktap_sweep_exit() - wait for queued work
 *
 * Context: module exit, without ktap_lock; no probe and no session is left.
 */
void ktap_sweep_exit(void)
{
	irq_work_sync(&ktap_sweep_soon);
	cancel_work_sync(&sweep_work);
}
