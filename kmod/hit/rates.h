/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rates of an attachment: how many of its hits become records.
 */
#ifndef KTAP_RATES_H
#define KTAP_RATES_H

#include <linux/atomic.h>
#include <linux/ktap.h>
#include <linux/types.h>

struct irq_work;

/**
 * struct ktap_rates - what is wanted, and how much there was
 * @want: by the user
 * @begin: raw counter when it began
 * @second: ticks of it
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
	atomic64_t window;
	atomic64_t taken;
	atomic64_t made;
	bool done;
	struct irq_work *finished;
};

int ktap_rates_create(const struct ktap_session_rates *want,
		      struct irq_work *finished, struct ktap_rates **ret);
bool ktap_rates_admit(struct ktap_rates *r, u64 __percpu *passed);
void ktap_rates_settle(struct ktap_rates *r, bool recorded);

#endif /* KTAP_RATES_H */
