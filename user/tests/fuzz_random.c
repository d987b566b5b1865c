// SPDX-License-Identifier: GPL-2.0
/* Random bytes for fuzz targets; no test of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fuzz_random.h"

#define SIZE_MAX_CASE	1024

static uint64_t next(uint64_t *seed)
{
	uint64_t x;

	*seed += 0x9e3779b97f4a7c15;
	x = (*seed ^ *seed >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

void fuzz_randomly(const char *(*target)(const uint8_t *data, size_t size),
		   unsigned int cases)
{
	uint8_t data[SIZE_MAX_CASE];
	const char *problem;
	unsigned int i;

	for (i = 0; i < cases; i++) {
		uint64_t seed = i;
		size_t size = next(&seed) % (sizeof(data) + 1), at;

		for (at = 0; at < size; at++)
			data[at] = next(&seed);
		problem = target(data, size);
		if (problem)
			fail_msg("case %u: %s", i, problem);
	}
}
