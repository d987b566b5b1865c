/* SPDX-License-Identifier: GPL-2.0 */
/* Rate limits of an attachment. */
#ifndef KTAP_RATES_H
#define KTAP_RATES_H

#include <linux/atomic.h>
#include <linux/ktap.h>
#include <linux/types.h>

#include "hit/env.h"

struct irq_work;

/**
 * struct ktap_rates - limits and usage
 * @want: limits that the user set
 * @begin: raw clock at the start
 * @second: ticks per second
 * @second_end: @by_second: raw clock at the end of the second of @window, or of an
 *	earlier one; otherwise always in the past
 * @shut_until: @by_second: @second_end of a second that has all its records, or an
 *	earlier one; no record is allowed before it
 * @by_second: per_second is the only limit
 * @window: per_second: number of the second, and its records (low half)
 * @taken: max: records that were made or are being made
 * @made: max: records that were made
 * @done: max was reached: the attachment is to be detached
 * @finished: queued when @done is set
 */
struct ktap_rates {
	struct ktap_session_rates want;
	u64 begin;
	u64 second;
	u64 second_end;
	u64 shut_until;
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
 * enum ktap_verdict - result of the fast check of rates
 * @KTAP_REFUSED: no record is allowed
 * @KTAP_ADMITTED: a record is allowed, without ktap_rates_settle()
 * @KTAP_UNDECIDED: call ktap_rates_admit()
 */
enum ktap_verdict {
	KTAP_REFUSED,
	KTAP_ADMITTED,
	KTAP_UNDECIDED,
};

/* Has a hit noted that the second of @now has all its records? */
static __always_inline bool ktap_rates_are_shut(const struct ktap_rates *r,
						u64 now)
{
	/* modulo 2^64 */
	return (s64)(now - READ_ONCE(r->shut_until)) < 0;
}

/**
 * ktap_rates_judge() - fast check whether one more record is allowed
 * @r: rates
 * @now: raw clock, which the raw counter is
 *
 * Context: any, NMI included; preemption disabled.
 * Return: verdict.
 */
static __always_inline enum ktap_verdict ktap_rates_judge(struct ktap_rates *r,
							  u64 now)
{
	u64 second_end = READ_ONCE(r->second_end);
	s64 old;

	/*
	 * modulo 2^64. If the end is newer than the window read below, the exchange fails
	 */
	if (unlikely((s64)(now - second_end) >= 0))
		return KTAP_UNDECIDED;
	old = atomic64_read(&r->window);
	if (unlikely((u32)old >= r->want.per_second)) {
		/*
		 * The end may be newer than that window. A window read after the end is of
		 * the same second or a later one; if full, no record is allowed before the end
		 */
		smp_rmb(); /* H: read the end before the window; pairs with admit_second() */
		if ((u32)atomic64_read(&r->window) >= r->want.per_second)
			WRITE_ONCE(r->shut_until, second_end);
		return KTAP_REFUSED;
	}
	if (unlikely(!atomic64_try_cmpxchg(&r->window, &old, old + 1)))
		return KTAP_UNDECIDED;
	return KTAP_ADMITTED;
}

bool ktap_rates_admit(struct ktap_rates *r, u64 __percpu *passed);
void ktap_rates_settle(struct ktap_rates *r, bool recorded);

#endif /* KTAP_RATES_H */
