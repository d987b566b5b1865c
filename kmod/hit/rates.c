// SPDX-License-Identifier: GPL-2.0
/*
 * Rate limits of an attachment: one of N hits, N records per second, N records in total.
 * Checked after scope and filter, before space is reserved. Rejected hits are counted as
 * limited.
 */
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>

#include "core/budget.h"
#include "hit/clock.h"
#include "hit/env.h"
#include "hit/rates.h"

/**
 * ktap_rates_create() - create the rate limits of a new attachment
 * @want: limits
 * @finished: queued after the last allowed record
 * @ret: rates, freed with kfree(), or NULL if there is no limit
 *
 * Context: process; may sleep.
 * Return: 0, -ENOMEM or -ENOSPC.
 */
int ktap_rates_create(const struct ktap_session_rates *want,
		      struct irq_work *finished, struct ktap_rates **ret)
{
	struct ktap_rates *r;

	*ret = NULL;
	if (want->every <= 1 && !want->per_second && !want->max)
		return 0;
	r = ktap_mem_alloc(KTAP_MEM_OTHER, sizeof(*r));
	if (IS_ERR(r))
		return PTR_ERR(r);
	r->want = *want;
	r->finished = finished;
	r->begin = env_clock();
	r->second = ktap_clock_hz();
	/* long before the clock of any CPU */
	r->second_end = r->begin - (1ULL << 62);
	r->shut_until = r->second_end;
	r->by_second = want->per_second && want->every <= 1 && !want->max;
	*ret = r;
	return 0;
}

/*
 * One word holds the number of the second and its records, so that all CPUs agree without
 * a lock. Once a second is full, hits only read it. The counters of CPUs may differ
 * slightly: a CPU that lags stays in the newer second.
 */
static bool admit_second(struct ktap_rates *r)
{
	s64 since = env_clock() - r->begin;
	u64 second = max(since, 0LL) / r->second;
	s64 old = atomic64_read(&r->window), new;

	do {
		if (second > (u64)old >> 32)
			new = second << 32 | 1;
		else if ((u32)old < r->want.per_second)
			new = old + 1;
		else
			return false;
	} while (!atomic64_try_cmpxchg(&r->window, &old, new));
	/*
	 * H: after the exchange, which is a full barrier. A late store may be the end of an
	 * older second, which is harmless
	 */
	if (r->by_second)
		WRITE_ONCE(r->second_end,
			   r->begin + (((u64)new >> 32) + 1) * r->second);
	return true;
}
NOKPROBE_SYMBOL(admit_second);

static bool admit_max(struct ktap_rates *r)
{
	s64 max = r->want.max;

	if (atomic64_read(&r->taken) >= max)
		return false;
	if (atomic64_inc_return(&r->taken) <= max)
		return true;
	atomic64_dec(&r->taken);
	return false;
}
NOKPROBE_SYMBOL(admit_max);

/**
 * ktap_rates_admit() - is one more record allowed?
 * @r: rates
 * @passed: per-CPU count of calls of this attachment
 *
 * If so, the caller must call ktap_rates_settle().
 *
 * Context: any, NMI included; preemption disabled.
 * Return: whether it is.
 */
bool ktap_rates_admit(struct ktap_rates *r, u64 __percpu *passed)
{
	u32 every = r->want.every;

	if (every > 1 && (this_cpu_inc_return(*passed) - 1) % every)
		return false;
	if (r->want.per_second && !admit_second(r))
		return false;
	return !r->want.max || admit_max(r);
}
NOKPROBE_SYMBOL(ktap_rates_admit);

/**
 * ktap_rates_settle() - report the outcome of an admitted hit
 * @r: rates
 * @recorded: a record was made
 *
 * Context: any, NMI included; preemption disabled.
 */
void ktap_rates_settle(struct ktap_rates *r, bool recorded)
{
	if (!r->want.max)
		return;
	if (!recorded) {
		atomic64_dec(&r->taken); /* another hit may be recorded instead */
		return;
	}
	if (atomic64_inc_return(&r->made) == r->want.max) {
		WRITE_ONCE(r->done, true);
		irq_work_queue(r->finished); /* a full barrier */
	}
}
NOKPROBE_SYMBOL(ktap_rates_settle);
