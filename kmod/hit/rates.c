// SPDX-License-Identifier: GPL-2.0
/*
 * Rates: one hit of so many, so many in a second, so many in all. Asked after
 * scope and filter, before space is reserved. What they refuse is counted as
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
 * ktap_rates_create() - rates for a new attachment
 * @want: what is wanted
 * @finished: queued when all records that are wanted were made
 * @ret: the rates, to be freed by kfree(), or NULL where all hits are wanted
 *
 * Context: process; may sleep.
 * Return: 0, -ENOMEM, -ENOSPC.
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
	/* long before what any CPU reads */
	r->second_end = r->begin - (1ULL << 62);
	r->by_second = want->per_second && want->every <= 1 && !want->max;
	*ret = r;
	return 0;
}

/*
 * One word holds the second and its records, so that all CPUs agree without a
 * lock; once a second is full, a hit only reads it. Counters of CPUs may differ
 * by a little: a CPU that lags behind the border stays in the new second.
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
	/* late, it is the end of a second that is over: nobody relies on that */
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
 * ktap_rates_admit() - is one more record wanted?
 * @r: rates
 * @passed: this attachment's counter of calls on each CPU
 *
 * If so, ktap_rates_settle() must follow.
 *
 * Context: any, NMI included; preemption off.
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
 * ktap_rates_settle() - what became of a hit that was admitted
 * @r: rates
 * @recorded: a record was made
 *
 * Context: any, NMI included; preemption off.
 */
void ktap_rates_settle(struct ktap_rates *r, bool recorded)
{
	if (!r->want.max)
		return;
	if (!recorded) {
		atomic64_dec(&r->taken); /* another hit shall have its place */
		return;
	}
	if (atomic64_inc_return(&r->made) == r->want.max) {
		WRITE_ONCE(r->done, true);
		irq_work_queue(r->finished); /* a full barrier */
	}
}
NOKPROBE_SYMBOL(ktap_rates_settle);
