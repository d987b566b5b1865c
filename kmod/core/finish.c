// SPDX-License-Identifier: GPL-2.0
/*
 * Attachments that made all the records wanted of them are detached by a work
 * item: nothing is unregistered inside of a handler.
 */
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/workqueue.h>

#include "core/arming.h"
#include "core/finish.h"
#include "core/probe.h"
#include "hit/rates.h"

static void detach_finished(struct work_struct *work);

static DECLARE_WORK(detach_work, detach_finished);

static void queue_detach(struct irq_work *work)
{
	queue_work(ktap_wq, &detach_work);
}

DEFINE_IRQ_WORK(ktap_finished, queue_detach);

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

static void detach_finished(struct work_struct *work)
{
	struct ktap_probe *p;
	LIST_HEAD(hidden);
	u32 id = 0;

	mutex_lock(&ktap_lock);
	for (; (p = ktap_probe_next(id)); id = p->id + 1)
		hide_done(p, &hidden);
	mutex_unlock(&ktap_lock);
	ktap_attach_settle_all(&hidden);
}

/* ktap_finish_exit() - Context: module exit, without locks; no session is left. */
void ktap_finish_exit(void)
{
	irq_work_sync(&ktap_finished);
	cancel_work_sync(&detach_work);
}
