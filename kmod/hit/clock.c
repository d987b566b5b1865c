// SPDX-License-Identifier: GPL-2.0
/*
 * The raw clock of records: the CPU's counter where it counts alike on all
 * CPUs, else the NMI-safe CLOCK_MONOTONIC. Decided once, when the module
 * comes; every sub-buffer carries both, so that a counter which drifts later
 * is corrected by the reader.
 */
#include <linux/jump_label.h>
#include <linux/ktime.h>

#include "hit/clock.h"
#include "hit/env.h"

DEFINE_STATIC_KEY_TRUE(ktap_clock_is_raw);

/* ktap_clock_init() - choose the clock. Context: module init. */
void ktap_clock_init(void)
{
	if (!ktap_arch_counter_ok())
		static_branch_disable(&ktap_clock_is_raw);
}

/* ktap_clock_kind() - which one it is. Context: any. */
enum ktap_clock ktap_clock_kind(void)
{
	return static_key_enabled(&ktap_clock_is_raw) ? KTAP_ARCH_CLOCK :
							KTAP_CLOCK_MONO;
}

/* ktap_clock_hz() - ticks a second, nominally. Context: any. */
u64 ktap_clock_hz(void)
{
	return static_key_enabled(&ktap_clock_is_raw) ? ktap_arch_counter_hz() :
							NSEC_PER_SEC;
}

/**
 * ktap_clock_now() - one moment on three clocks
 * @raw: ticks
 * @mono: nanoseconds of CLOCK_MONOTONIC
 * @real: nanoseconds of CLOCK_REALTIME
 *
 * Context: any.
 */
void ktap_clock_now(u64 *raw, u64 *mono, u64 *real)
{
	unsigned long flags;

	local_irq_save(flags);
	*raw = env_clock();
	*mono = ktime_get_mono_fast_ns();
	*real = ktime_get_real_fast_ns();
	local_irq_restore(flags);
}
