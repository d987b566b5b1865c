/* SPDX-License-Identifier: GPL-2.0 */
/* Random bytes for fuzz targets. */
#ifndef KTAP_TESTS_FUZZ_RANDOM_H
#define KTAP_TESTS_FUZZ_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* fuzz_randomly() - many cases, the same ones each time; fails the test. */
void fuzz_randomly(const char *(*target)(const uint8_t *data, size_t size),
		   unsigned int cases);

#endif /* KTAP_TESTS_FUZZ_RANDOM_H */
