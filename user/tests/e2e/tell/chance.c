// SPDX-License-Identifier: GPL-2.0
/* Chance that is the same for the same seed. */
#include "chance.h"

/* Steele, Lea and Flood's splitmix64. */
uint64_t chance_next(struct chance *c)
{
	uint64_t z = c->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

unsigned int chance_below(struct chance *c, unsigned int n)
{
	return chance_next(c) % n;
}

bool chance_of(struct chance *c, unsigned int percent)
{
	return chance_below(c, 100) < percent;
}

struct chance chance_seed(uint64_t seed, const char *name)
{
	struct chance c = { .state = seed };

	while (*name) {
		c.state ^= *name++;
		c.state = chance_next(&c);
	}
	return c;
}

/* Powers of two, one more and one less, or what the bits say. */
uint64_t chance_odd(struct chance *c)
{
	uint64_t r = chance_next(c);
	uint64_t power = 1ULL << (r & 63);

	switch (r >> 61) {
	case 0:
		return 0;
	case 1:
		return ~0ULL;
	case 2:
	case 3:
		return power;
	case 4:
		return power - 1;
	case 5:
		return power + 1;
	case 6:
		return -power;
	default:
		return chance_next(c);
	}
}
