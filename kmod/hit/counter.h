/* SPDX-License-Identifier: GPL-2.0 */
/* Events of perf whose counters programs read: what a hit needs to know of them. */
#ifndef KTAP_COUNTER_H
#define KTAP_COUNTER_H

#include <linux/ktap.h>
#include <linux/perf_event.h>

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#endif

struct ktap_counter;

/**
 * ktap_counter_is_known() - may a program name this event?
 * @event: as in KTAP_OP_COUNTER, from anybody
 *
 * Whether the machine can count it is for perf to say.
 *
 * Context: any; pure.
 * Return: whether it may.
 */
static inline bool ktap_counter_is_known(__u64 event)
{
	__u32 type = KTAP_COUNTER_TYPE(event);

	return (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_SOFTWARE) &&
	       KTAP_COUNTER_CONFIG(event) < KTAP_COUNTER_CONFIGS;
}

/**
 * ktap_counter_is_asked() - does a hit have to ask for the count of an event?
 * @event: known event
 *
 * The kernel itself adds to the counts of all other events, when they happen.
 *
 * Context: any; pure.
 * Return: true for hardware and clocks.
 */
static inline bool ktap_counter_is_asked(__u64 event)
{
	return event == KTAP_COUNTER(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK) ||
	       event == KTAP_COUNTER(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK) ||
	       KTAP_COUNTER_TYPE(event) == PERF_TYPE_HARDWARE;
}

#ifdef __KERNEL__
bool ktap_counter_read(const struct ktap_counter *c, unsigned int cpu, u64 *ret);
#endif

#endif /* KTAP_COUNTER_H */
