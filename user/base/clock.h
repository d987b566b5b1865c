/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_BASE_CLOCK_H
#define KTAP_BASE_CLOCK_H

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

#endif /* KTAP_BASE_CLOCK_H */
