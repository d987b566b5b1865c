// SPDX-License-Identifier: GPL-2.0
/*
 * Raw clock of records: the CPU's counter if it is the same on all CPUs, else the
 * NMI-safe CLOCK_MONOTONIC. The choice is made once, at module init. Every sub-buffer
 * header has both clocks, so that the reader corrects a counter that drifts later.
 */
#include <linux/jump_label.h>
#include <linux/ktime.h>

#include "hit/clock.h"
#include "hit/env.h"

DEFINE_STATIC_KEY_TRUE(ktap_clock_is_raw);

/**
 * ktap_clock_init() - choose the raw clock
 *
 * Context: module init.
 */
void ktap_clock_init(void)
{
	if (!ktap_arch_counter_ok())
		static_branch_disable(&ktap_clock_is_raw);
}

/**
 * ktap_clock_kind() - the raw clock in use
 *
 * Context: any.
 * Return: enum ktap_clock.
 */
enum ktap_clock ktap_clock_kind(void)
{
	return static_key_enabled(&ktap_clock_is_raw) ? KTAP_ARCH_CLOCK :
							KTAP_CLOCK_MONO;
}

/**
 * ktap_clock_hz() - nominal frequency of the raw clock
 *
 * Context: any.
 * Return: Hz.
 */
u64 ktap_clock_hz(void)
{
	return static_key_enabled(&ktap_clock_is_raw) ? ktap_arch_counter_hz() :
							NSEC_PER_SEC;
}

/**
 * ktap_clock_now() - read three clocks at one moment
 * @raw: raw clock, in ticks
 * @mono: CLOCK_MONOTONIC, in ns
 * @real: CLOCK_REALTIME, in ns
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
