// SPDX-License-Identifier: GPL-2.0
/*
 * The overload guard. A work item looks at all armed probes: for a short window
 * their hits measure themselves, so that the hit path pays nothing for it at
 * any other time. What the handlers of a probe took of a CPU during a window is
 * its share. A probe that exceeds the limit on some CPU in two windows running
 * is disarmed and detached from everybody.
 *
 * What it costs to get into a handler and out again is not in the share: that
 * is the kernel's, and nothing here can measure it.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/workqueue.h>

#include "env.h"
#include "guard.h"
#include "netlink.h"
#include "probe.h"

#define PERIOD		(HZ / 2)	/* from window to window */
#define WINDOW		max(HZ / 32, 1)
#define STRIKES		2		/* windows in which it was too much */

/* The guard itself takes no more than one part in so many of a CPU. */
#define IDLE_FACTOR	64

static unsigned int overload_percent = 75;
module_param(overload_percent, uint, 0644);
MODULE_PARM_DESC(overload_percent,
		 "share of a CPU that the handlers of one probe may take; 0: no limit");

static void guard_turn(struct work_struct *work);
static DECLARE_DELAYED_WORK(guard_work, guard_turn);

static bool in_window;		/* all under ktap_lock */
static u64 window_begin;
static bool over;

static bool armed(const struct ktap_probe *p)
{
	return !list_empty(&p->site.attached);
}

/* ktap_guard_kick() - a probe is armed. Context: process, under ktap_lock. */
void ktap_guard_kick(void)
{
	if (READ_ONCE(overload_percent) && !over)
		queue_delayed_work(system_unbound_wq, &guard_work, PERIOD);
}

/*
 * ktap_guard_exit() - Context: module exit, without ktap_lock, while netlink is
 * there to tell of what it does; later armed probes are not looked at.
 */
void ktap_guard_exit(void)
{
	mutex_lock(&ktap_lock);
	over = true;
	mutex_unlock(&ktap_lock);
	cancel_delayed_work_sync(&guard_work);
}

static void set_measured(struct ktap_probe *p, bool on)
{
	WRITE_ONCE(p->site.measured, on);
	ktap_site_changed(&p->site);
}

/* Return: whether any probe is armed. */
static bool open_window(void)
{
	struct ktap_probe *p;
	bool any = false;
	u32 id = 0;

	for (; (p = ktap_probe_next(id)); id = p->id + 1) {
		if (!armed(p))
			continue;
		set_measured(p, true);
		any = true;
	}
	window_begin = env_clock();
	return any;
}

/* The largest share of a CPU since the last call, in percent. */
static u32 largest_share(struct ktap_probe *p, u64 elapsed)
{
	u64 most = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct ktap_cost *cost = per_cpu_ptr(p->site.cost, cpu);
		u64 ticks = READ_ONCE(cost->ticks);

		most = max(most, ticks - cost->seen);
		cost->seen = ticks;
	}
	return most * 100 / elapsed;
}

static void measure(struct ktap_probe *p, u64 elapsed, u32 limit)
{
	p->share = largest_share(p, elapsed);
	p->strikes = limit && p->share > limit && armed(p) ? p->strikes + 1 : 0;
}

/* Return: whether a probe has to be disarmed. */
static bool close_window(void)
{
	u64 elapsed = max(env_clock() - window_begin, 1ULL);
	u32 limit = READ_ONCE(overload_percent);
	struct ktap_probe *p;
	bool any = false;
	u32 id = 0;

	for (; (p = ktap_probe_next(id)); id = p->id + 1) {
		if (!p->site.measured)
			continue;
		set_measured(p, false);
		measure(p, elapsed, limit);
		any |= p->strikes >= STRIKES;
	}
	return any;
}

static void disarm_all(void)
{
	struct ktap_probe *p;
	u32 id = 0;

	for (; (p = ktap_probe_next(id)); id = p->id + 1) {
		if (p->strikes < STRIKES)
			continue;
		pr_notice("ktap: %s took %u%% of a CPU and was disarmed\n",
			  p->name, p->share);
		p->strikes = 0;
		ktap_probe_detach_all(p);
		p->overloaded = true;
		ktap_announce(p, KTAP_CMD_PROBE_SET);
	}
}

static void guard_turn(struct work_struct *work)
{
	bool again = true, any = false;
	unsigned long begin, pause;

	mutex_lock(&ktap_lock);
	begin = jiffies;
	if (in_window)
		any = close_window();
	else
		again = open_window();
	in_window = !in_window && again;
	pause = in_window ? WINDOW : max_t(unsigned long, PERIOD - WINDOW,
					   (jiffies - begin) * IDLE_FACTOR);
	if (any)
		disarm_all();
	mutex_unlock(&ktap_lock);
	if (again)
		queue_delayed_work(system_unbound_wq, &guard_work, pause);
}
