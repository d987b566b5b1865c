/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rates of an attachment: how many of its hits become records.
 */
#ifndef KTAP_RATES_H
#define KTAP_RATES_H

#include <linux/atomic.h>
#include <linux/ktap.h>
#include <linux/types.h>

#include "hit/env.h"

struct irq_work;

/**
 * struct ktap_rates - what is wanted, and how much there was
 * @want: by the user
 * @begin: raw counter when it began
 * @second: ticks of it
 * @second_end: @by_second: raw counter at the end of the second that @window is
 *	of, or of one before it; otherwise it is over at any time
 * @by_second: per_second is all that is wanted
 * @window: per_second: number of the second, and records in it (low half)
 * @taken: max: records that were made or are being made
 * @made: max: records that were made
 * @done: max was reached: to be detached
 * @finished: queued then
 */
struct ktap_rates {
	struct ktap_session_rates want;
	u64 begin;
	u64 second;
	u64 second_end;
	bool by_second;
	atomic64_t window;
	atomic64_t taken;
	atomic64_t made;
	bool done;
	struct irq_work *finished;
};

int ktap_rates_create(const struct ktap_session_rates *want,
		      struct irq_work *finished, struct ktap_rates **ret);
/**
 * enum ktap_verdict - of rates on a hit, where that is easy
 * @KTAP_REFUSED: no record is wanted
 * @KTAP_ADMITTED: one is, and ktap_rates_settle() need not follow
 * @KTAP_UNDECIDED: ktap_rates_admit() knows
 */
enum ktap_verdict {
	KTAP_REFUSED,
	KTAP_ADMITTED,
	KTAP_UNDECIDED,
};

/**
 * ktap_rates_judge() - is one more record wanted, if that is easy to tell?
 * @r: rates
 *
 * Context: any, NMI included; preemption off, and the raw counter is the clock.
 */
static __always_inline enum ktap_verdict ktap_rates_judge(struct ktap_rates *r)
{
	s64 old;

	/* modulo 2^64. Who sees the end before the window fails to exchange it */
	if (unlikely((s64)(env_clock_raw() - READ_ONCE(r->second_end)) >= 0))
		return KTAP_UNDECIDED;
	old = atomic64_read(&r->window);
	if ((u32)old >= r->want.per_second)
		return KTAP_REFUSED;
	if (unlikely(!atomic64_try_cmpxchg(&r->window, &old, old + 1)))
		return KTAP_UNDECIDED;
	return KTAP_ADMITTED;
}

bool ktap_rates_admit(struct ktap_rates *r, u64 __percpu *passed);
void ktap_rates_settle(struct ktap_rates *r, bool recorded);

#endif /* KTAP_RATES_H */
