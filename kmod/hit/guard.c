// SPDX-License-Identifier: GPL-2.0
/*
 * The overload guard, at a hit. core/sweep.c disarms the probe afterwards.
 *
 * Outside measurement windows, hits that write a record pay nothing: the clock check of
 * the ring sends them to the slow path when a window is due (env_quiet()). Other programs
 * read the clock once more. Hits that return early (counted only, out of scope) are not
 * measured: they cost no more than the kernel's way to the handler.
 */
#include <linux/kprobes.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>

#include "frame/calls.h"
#include "hit/clock.h"
#include "hit/env.h"
#include "hit/guard.h"
#include "hit/hit.h"

#define PERIODS_HZ	2	/* windows per second */
#define WINDOW_PART	32	/* fraction of the time that is measured */
#define STRIKES		2	/* consecutive windows over the limit */

/*
 * Time in which a hypervisor runs another guest, or a long interrupt, is neither the
 * probe's cost nor the time of the probed code. So a hit counts for at most 1/PIECE_PART
 * of a window, far more than the worst cost of a program (hit_cost_max), and so does the
 * time between two hits. If hits are that far apart, the ignored time cannot raise a
 * share above one half.
 */
#define PIECE_PART	16

/* A window with fewer than 1/EVIDENCE_PART of its time counted is not judged. */
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

/* A ring whose slow path was not due checks again at its next time record. */
static int set_limit(const char *text, const struct kernel_param *param)
{
	int err = param_set_uint(text, param);

	open_windows();
	return err;
}

/**
 * ktap_guard_init() - compute the windows, after the clock was chosen
 *
 * Context: module init.
 */
void ktap_guard_init(void)
{
	period_ticks = ktap_clock_hz() / PERIODS_HZ;
	window_ticks = period_ticks / WINDOW_PART;
	open_windows();
}

/**
 * ktap_guard_quiet() - time until hits on this CPU must measure themselves
 * @now: raw clock
 *
 * Context: any, NMI included; preemption disabled.
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
 * Hits write nothing else of a site. ktap_site_changed() may concurrently write @only or
 * @alone with an older value; then the next window trips the guard again.
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

/*
 * First hit of a site in a window: judges the site's previous window and resets the sums.
 */
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
 * All probes of a CPU share the limit; the one with the largest cost is disarmed. The
 * result after the last hit of a window is the one that counts.
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
	if (likely(begin > g->last)) /* unless a measured hit interrupted this one */
		g->elapsed += min(begin - g->last, window_ticks / PIECE_PART);
	g->last = end;
	g->spent += ticks;
	cost->spent += ticks;
	g->most = max(g->most, cost->spent);
	weigh(g, cost);
}
NOKPROBE_SYMBOL(add);

/**
 * ktap_guard_measure() - account for a hit for which ktap_guard_due() was true
 * @site: site of the probe, which also pays for its companion at the entry
 * @begin: raw clock at the beginning of the hit
 *
 * A hit that interrupts this one may change the sums concurrently. That makes the sums of
 * a window slightly wrong and has no other effect.
 *
 * Context: any, NMI included; preemption disabled, CPU marked busy.
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
