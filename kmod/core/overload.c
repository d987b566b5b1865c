// SPDX-License-Identifier: GPL-2.0
/*
 * Probes that a hit tripped (hit/guard.h) do nothing any more. A work item takes
 * them from everybody, says so, and makes them fit to be armed again. However
 * late it comes, nothing waits for it.
 */
#include <linux/irq_work.h>
#include <linux/workqueue.h>

#include "core/arming.h"
#include "core/netlink.h"
#include "core/overload.h"
#include "core/probe.h"
#include "hit/guard.h"

static void sweep(struct work_struct *work);

static DECLARE_WORK(sweep_work, sweep);

static void queue_sweep(struct irq_work *work)
{
	queue_work(ktap_wq, &sweep_work);
}

static bool over; /* under ktap_lock */

static DEFINE_IRQ_WORK(tripped, queue_sweep);

void ktap_guard_tripped(const struct ktap_site *site)
{
	irq_work_queue(&tripped);
}
NOKPROBE_SYMBOL(ktap_guard_tripped);

static void take_away(struct ktap_probe *p, struct list_head *hidden)
{
	pr_notice("ktap: %s took %u%% of a CPU and was disarmed\n", p->name,
		  READ_ONCE(p->site.share));
	ktap_probe_detach_everybody(p, hidden);
	p->swept = true;
	p->overloaded = true;
	ktap_announce(p, KTAP_CMD_PROBE_SET);
}

/* Hits that were under way are over: it may fire again. */
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
	for (id = 0; !over && (p = ktap_probe_next(id)); id = p->id + 1)
		if (READ_ONCE(p->site.tripped))
			take_away(p, &hidden);
	mutex_unlock(&ktap_lock);
	ktap_attach_settle_all(&hidden);
	mutex_lock(&ktap_lock);
	for (id = 0; (p = ktap_probe_next(id)); id = p->id + 1)
		if (p->swept)
			make_fit(p);
	mutex_unlock(&ktap_lock);
}

/*
 * ktap_overload_stop() - Context: module exit, without ktap_lock, while netlink
 * is there to tell of what was swept; what is tripped later goes with all others.
 */
void ktap_overload_stop(void)
{
	mutex_lock(&ktap_lock);
	over = true;
	mutex_unlock(&ktap_lock);
}

/*
 * ktap_overload_exit() - Context: module exit, without ktap_lock; no probe is
 * left.
 */
void ktap_overload_exit(void)
{
	irq_work_sync(&tripped);
	cancel_work_sync(&sweep_work);
}
