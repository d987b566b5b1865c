/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_BASE_CLOCK_H
#define KTAP_BASE_CLOCK_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/**
 * now_ns() - read CLOCK_MONOTONIC
 *
 * It may be called in a signal handler.
 *
 * Return: the time in nanoseconds.
 */
static inline uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/**
 * poll_ms() - get how long poll() is to wait
 * @ns: time to wait, in nanoseconds
 *
 * Return: the time in milliseconds, rounded up; INT_MAX, nearly 25 days, if it is longer.
 */
static inline int poll_ms(uint64_t ns)
{
	uint64_t ms = ns / 1000000 + !!(ns % 1000000);

	return ms < INT_MAX ? ms : INT_MAX;
}

/**
 * clock_due() - report whether it is time for what is done at regular times
 * @due: time when that is, in nanoseconds of now_ns(); moves on when it is time
 * @interval: between two, in nanoseconds; 0: it is never time
 * @now: now_ns()
 *
 * A late one does not move those after it. What was missed altogether is done once.
 *
 * Return: whether it is time.
 */
static inline bool clock_due(uint64_t *due, uint64_t interval, uint64_t now)
{
	if (!interval || now < *due)
		return false;
	*due += interval;
	if (*due <= now)
		*due = now + interval;
	return true;
}

#endif /* KTAP_BASE_CLOCK_H */
