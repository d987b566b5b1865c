/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overload guard: hits measure themselves in time windows that each CPU opens by its
 * own clock. A probe whose handlers take too much of a CPU in two consecutive windows is
 * tripped by its own hit, and does nothing from the next hit on. A work item later
 * detaches it from all sessions.
 *
 * The decision uses no lock, timer or work item, because an overloaded machine may not
 * run them in time.
 */
#ifndef KTAP_HIT_GUARD_H
#define KTAP_HIT_GUARD_H

#include <linux/percpu.h>
#include <linux/types.h>

#include "arch/arch.h"

struct ktap_site;

/**
 * struct ktap_cost - cost of the hits of a probe on one CPU
 * @spent: ticks in handlers in window @window
 * @window: number of the last window with a hit
 * @share: share of that window in percent
 * @strikes: number of consecutive windows before it that were over the limit
 * @over: it is over the limit so far
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
 * @from: end of the previous window
 * @last: end of the last hit in the open window
 * @elapsed: counted ticks in the open window, in hits and between them
 * @spent: ticks in the handlers of all probes in the open window
 * @most: largest cost of one probe in the open window
 * @window: number of the open window, or of the next one
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

/* Ticks between two windows; U64_MAX: no windows. */
extern u64 ktap_guard_pause;

/* Is @now in a window of this CPU, or past a window that is still open? */
static __always_inline bool ktap_guard_due(u64 now)
{
	/* modulo 2^64: after a clock jump backwards the difference is huge */
	return now - ktap_arch_here_read(ktap_arch_here(&ktap_guard)->from) >=
	       READ_ONCE(ktap_guard_pause);
}

void ktap_guard_init(void);
u64 ktap_guard_quiet(u64 now);
void ktap_guard_measure(const struct ktap_site *site, u64 begin);

/* Supplied by core/sweep.c: a probe was tripped. Context: any, NMI included. */
void ktap_guard_tripped(const struct ktap_site *site);

#endif /* KTAP_HIT_GUARD_H */
