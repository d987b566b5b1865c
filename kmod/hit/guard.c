// SPDX-License-Identifier: GPL-2.0
/*
 * The overload guard at a hit. Control (core/sweep.c) only sweeps up.
 *
 * Hits outside of windows pay nothing for it where they write a record: the
 * ring's own look at the clock sends them the long way when a window is due
 * (env_quiet()). Programs read the clock once more. Hits that leave at once
 * (counted only, out of scope) are not measured: they cost no more than what
 * the kernel pays to get here.
 */
#include <linux/kprobes.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>

#include "frame/calls.h"
#include "hit/clock.h"
#include "hit/env.h"
#include "hit/guard.h"
#include "hit/hit.h"

#define PERIODS_HZ	2	/* windows in a second */
#define WINDOW_PART	32	/* of the time that windows are */
#define STRIKES		2	/* windows running that are too much */

/*
 * A processor that a hypervisor gives to somebody else for a while, or a long
 * interrupt, is neither the probe's doing nor the time of what is probed. So no
 * hit counts for more than PIECE_PART of a window, far above a program's worst
 * cost (hit_cost_max), and no time between two hits either. Where hits are that
 * far apart, what is left out makes no share of more than a half.
 */
#define PIECE_PART	16

/* Less of a window than this says nothing. */
#define EVIDENCE_PART	8

static unsigned int overload_percent = 75;
static int set_limit(const char *text, const struct kernel_param *param);
static const struct kernel_param_ops limit_ops = {
	.set = set_limit,
	.get = param_get_uint,
};
module_param_cb(overload_percent, &limit_ops, &overload_percent, 0644);
MODULE_PARM_DESC(overload_percent,
		 "share of a CPU that the handlers of one probe may take; 0: no limit");

DEFINE_PER_CPU(struct ktap_guard, ktap_guard);

/* No windows before ktap_guard_init(), and none without a limit. */
u64 ktap_guard_pause = U64_MAX;
static u64 period_ticks;
static u64 window_ticks;

static void open_windows(void)
{
	WRITE_ONCE(ktap_guard_pause,
		   period_ticks && READ_ONCE(overload_percent) ?
			   period_ticks - window_ticks : U64_MAX);
}

/* A ring that has been quiet so far looks again with its next time record. */
static int set_limit(const char *text, const struct kernel_param *param)
{
	int err = param_set_uint(text, param);

	open_windows();
	return err;
}

/* ktap_guard_init() - after the clock was chosen. Context: module init. */
void ktap_guard_init(void)
{
	period_ticks = ktap_clock_hz() / PERIODS_HZ;
	window_ticks = period_ticks / WINDOW_PART;
	open_windows();
}

/**
 * ktap_guard_quiet() - how long hits on this CPU need not measure themselves
 * @now: raw time
 *
 * Context: any, NMI included; preemption off.
 * Return: ticks; 0 in a window.
 */
u64 ktap_guard_quiet(u64 now)
{
	u64 since = now - this_cpu_read(ktap_guard.from);
	u64 pause = READ_ONCE(ktap_guard_pause);

	return since < pause ? pause - since : 0;
}
NOKPROBE_SYMBOL(ktap_guard_quiet);

/*
 * Sites are constant to hits, but for this. Control may be about to write @only
 * or @alone again, from before: then the next window trips it once more.
 */
static void trip(struct ktap_site *site, u32 share)
{
	WRITE_ONCE(site->share, share);
	WRITE_ONCE(site->tripped, true);
	WRITE_ONCE(site->only, NULL);
	WRITE_ONCE(site->alone, NULL);
	ktap_guard_tripped(site);
}
NOKPROBE_SYMBOL(trip);

/* The site's first hit in a window: judge by its last one, and sum anew. */
static void cost_turn(struct ktap_site *site, struct ktap_cost *cost, u32 window)
{
	bool running = cost->over && cost->window == window - 1;

	cost->strikes = running ? cost->strikes + 1 : 0;
	if (cost->strikes >= STRIKES) {
		cost->strikes = 0;
		trip(site, cost->share);
	}
	cost->window = window;
	cost->spent = 0;
	cost->over = false;
}
NOKPROBE_SYMBOL(cost_turn);

/*
 * All probes of a CPU share its limit; the one that took most of it goes. What
 * is known after each hit stands when the window is over.
 */
static void weigh(const struct ktap_guard *g, struct ktap_cost *cost)
{
	u64 limit = g->elapsed * min(READ_ONCE(overload_percent), 100U);

	cost->share = div64_u64(cost->spent * 100, max(g->elapsed, 1ULL));
	cost->over = limit && g->spent * 100 > limit &&
		     cost->spent >= g->most &&
		     g->elapsed >= window_ticks / EVIDENCE_PART;
}
NOKPROBE_SYMBOL(weigh);

static void add(const struct ktap_site *site, struct ktap_guard *g, u64 begin,
		u64 end)
{
	u64 ticks = min(end - begin, window_ticks / PIECE_PART);
	struct ktap_cost *cost = this_cpu_ptr(site->cost);

	if (cost->window != g->window)
		cost_turn((struct ktap_site *)site, cost, g->window);
	g->elapsed += ticks;
	if (likely(begin > g->last)) /* not a hit that was interrupted by one */
		g->elapsed += min(begin - g->last, window_ticks / PIECE_PART);
	g->last = end;
	g->spent += ticks;
	cost->spent += ticks;
	g->most = max(g->most, cost->spent);
	weigh(g, cost);
}
NOKPROBE_SYMBOL(add);

/**
 * ktap_guard_measure() - a hit ends that ktap_guard_due() was true of
 * @site: of the probe, or of its companion at the entry: the probe pays for both
 * @begin: raw time when it began
 *
 * A hit that interrupts this one may change the sums under it; that makes a
 * window's sum a little wrong, and nothing else.
 *
 * Context: any, NMI included; preemption off; busy is marked.
 */
noinline void ktap_guard_measure(const struct ktap_site *site, u64 begin)
{
	struct ktap_guard *g = this_cpu_ptr(&ktap_guard);
	u64 now = env_clock();

	if (site->keeps)
		site = site->keeps->site;

	if (begin - g->from - ktap_guard_pause < window_ticks) {
		add(site, g, begin, now);
		return;
	}
	/* the window is over, or the clock jumped */
	*g = (struct ktap_guard){
		.from = now,
		.last = now + ktap_guard_pause,
		.window = g->window + 1,
	};
}
NOKPROBE_SYMBOL(ktap_guard_measure);
