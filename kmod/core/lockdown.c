// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel lockdown.
 *
 * The state is checked when a probe is added or armed. Lockdown can be raised at any time
 * without notification, so it is also checked once a second while any probe is armed, and
 * whenever a reader asks for the state of its session. A hit does not check it: a hit
 * must not call functions that can be traced or that sleep. Once lockdown forbids probes,
 * all probes are detached from all sessions and flagged. Lockdown is never lowered, so
 * they are not armed again.
 */
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/security.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "core/lockdown.h"
#include "core/netlink.h"
#include "core/probe.h"

#define PERIOD HZ

static void lockdown_turn(struct work_struct *work);
static DECLARE_DELAYED_WORK(lockdown_work, lockdown_turn);

static bool armed; /* a probe may be armed; written under ktap_lock */
static bool over; /* module exit has begun; under ktap_lock */

/**
 * ktap_lockdown() - does kernel lockdown forbid probes?
 *
 * Context: process.
 * Return: 0 or -EPERM.
 */
int ktap_lockdown(void)
{
	return security_locked_down(LOCKDOWN_KPROBES);
}

/**
 * ktap_lockdown_kick() - start the periodic check, because a probe was armed
 *
 * Context: process, under ktap_lock.
 */
void ktap_lockdown_kick(void)
{
	lockdep_assert_held(&ktap_lock);
	if (over)
		return;
	WRITE_ONCE(armed, true);
	queue_delayed_work(ktap_any_wq, &lockdown_work, PERIOD);
}

/**
 * ktap_lockdown_look() - check now
 *
 * Context: process, without ktap_lock; an open session holds the module.
 */
void ktap_lockdown_look(void)
{
	if (READ_ONCE(armed) && ktap_lockdown())
		mod_delayed_work(ktap_any_wq, &lockdown_work, 0);
}

/**
 * ktap_lockdown_exit() - stop the periodic check
 *
 * Context: module exit, without ktap_lock, before the netlink family is unregistered,
 * because a running check may still send notifications.
 */
void ktap_lockdown_exit(void)
{
	mutex_lock(&ktap_lock);
	over = true;
	mutex_unlock(&ktap_lock);
	cancel_delayed_work_sync(&lockdown_work);
}

static bool any_attached(void)
{
	struct ktap_probe *p;
	u32 id = 0;

	for (; (p = ktap_probe_next(id)); id = p->id + 1)
		if (!list_empty(&p->site.attached))
			return true;
	return false;
}

/*
 * Hides all attachments first, so that one wait covers them: each wait is time in which
 * the remaining probes still record.
 */
static void hide_all(struct list_head *hidden)
{
	struct ktap_probe *p;
	u32 id = 0;

	pr_notice("ktap: kernel lockdown was raised: all probes are disarmed\n");
	for (; (p = ktap_probe_next(id)); id = p->id + 1) {
		if (list_empty(&p->site.attached))
			continue;
		p->locked_down = true;
		ktap_probe_detach_everybody(p, hidden);
		ktap_announce(p, KTAP_CMD_PROBE_SET);
	}
}

static void lockdown_turn(struct work_struct *work)
{
	LIST_HEAD(hidden);
	bool any;

	mutex_lock(&ktap_lock);
	any = any_attached();
	if (any && ktap_lockdown()) {
		hide_all(&hidden);
		any = false;
	}
	WRITE_ONCE(armed, any);
	if (any && !over)
		queue_delayed_work(ktap_any_wq, &lockdown_work, PERIOD);
	mutex_unlock(&ktap_lock);
	ktap_attach_settle_all(&hidden);
}
