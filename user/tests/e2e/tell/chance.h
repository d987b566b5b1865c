/* SPDX-License-Identifier: GPL-2.0 */
/* Chance that is the same for the same seed. */
#ifndef KTAP_TESTS_CHANCE_H
#define KTAP_TESTS_CHANCE_H

#include <stdbool.h>
#include <stdint.h>

struct chance {
	uint64_t state;
};

uint64_t chance_next(struct chance *c);

/* chance_below() - Return: 0 to @n - 1. */
unsigned int chance_below(struct chance *c, unsigned int n);

/* chance_of() - Return: true @percent times out of a hundred. */
bool chance_of(struct chance *c, unsigned int percent);

/* chance_seed() - the same for the same @seed and @name. */
struct chance chance_seed(uint64_t seed, const char *name);

/* chance_odd() - a number that code is likely not to expect. */
uint64_t chance_odd(struct chance *c);

#endif /* KTAP_TESTS_CHANCE_H */
