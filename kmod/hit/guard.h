/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overload guard: hits measure themselves in windows of time that each CPU
 * opens by its own clock. A probe whose handlers take too much of a CPU in two
 * windows running is tripped by its own hit: from the next hit on it does
 * nothing. A work item takes it from everybody later.
 *
 * That decision needs nothing that an overloaded machine may no longer run: no
 * lock, no timer, no work item.
 */
#ifndef KTAP_HIT_GUARD_H
#define KTAP_HIT_GUARD_H

#include <linux/percpu.h>
#include <linux/types.h>

#include "arch/arch.h"

struct ktap_site;

/**
 * struct ktap_cost - what the hits of a probe cost on one CPU
 * @spent: ticks in handlers, in window @window
 * @window: number of the last window in which it was hit
 * @share: of the time in that one, in percent
 * @strikes: windows running, before that one, in which it took too much
 * @over: it does in that one, so far
 */
struct ktap_cost {
	u64 spent;
	u32 window;
	u32 share;
	u16 strikes;
	bool over;
};

/**
 * struct ktap_guard - windows of one CPU
 * @from: when the last one was closed
 * @last: when the last hit of the one that is open ended
 * @elapsed: ticks in hits, and between them, in that one
 * @spent: ticks in handlers of all probes, in that one
 * @most: of one probe
 * @window: number of the one that is open, or that comes next
 */
struct ktap_guard {
	u64 from;
	u64 last;
	u64 elapsed;
	u64 spent;
	u64 most;
	u32 window;
};

DECLARE_PER_CPU(struct ktap_guard, ktap_guard);

/* Ticks from the end of a window to the beginning of the next; U64_MAX: no windows. */
extern u64 ktap_guard_pause;

/* Is @now, on this CPU, in a window or past one that nobody has closed? */
static __always_inline bool ktap_guard_due(u64 now)
{
	/* modulo 2^64: a clock that jumped back makes a huge distance */
	return now - ktap_arch_here_read(ktap_arch_here(&ktap_guard)->from) >=
	       READ_ONCE(ktap_guard_pause);
}

void ktap_guard_init(void);
u64 ktap_guard_quiet(u64 now);
void ktap_guard_measure(const struct ktap_site *site, u64 begin);

/* Supplied by who detaches probes: one was tripped. Context: any, NMI included. */
void ktap_guard_tripped(const struct ktap_site *site);

#endif /* KTAP_HIT_GUARD_H */
