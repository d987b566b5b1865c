/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How numbers are distributed, in memory that does not grow with how many there are. A
 * bucket is a 64th of a power of two, so a quantile is wrong by less than 1/128 of
 * itself; numbers from -127 to 127 have buckets of their own and are exact.
 */
#ifndef KTAP_REPORT_SKETCH_H
#define KTAP_REPORT_SKETCH_H

#include <linux/ktap.h>
#include <stdint.h>

/* Buckets of a power of two: 2 to the power of this */
#define SKETCH_BITS	6

/**
 * struct sketch - a distribution
 * @octaves: buckets of each power of two from the lowest one that has a number to the
 *	highest one, 1 << SKETCH_BITS of each; NULL: no number; owned
 * @first: number of the first one: octave 0 has 0 to 63, octave 1 has 64 to 127, octave -1
 *	has the negative numbers down to -63
 * @nr: how many
 */
struct sketch {
	uint64_t **octaves;
	int first;
	int nr;
};

/**
 * sketch_deinit() - release a sketch, which is empty then
 * @s: sketch
 */
void sketch_deinit(struct sketch *s);

/**
 * sketch_add() - add a number
 * @s: sketch; zeros when it is empty
 * @value: a number of 64 bits, with a sign or without
 * @times: how often it occurred
 *
 * Return: 0 or -ENOMEM.
 */
int sketch_add(struct sketch *s, __int128 value, uint64_t times);

/**
 * sketch_merge() - add all numbers of another sketch
 * @s: sketch
 * @from: the other sketch
 *
 * Return: 0 or -ENOMEM.
 */
int sketch_merge(struct sketch *s, const struct sketch *from);

/**
 * sketch_at() - the number at a place in the order of all numbers
 * @s: sketch
 * @rank: place, from 1
 *
 * Return: the middle of its bucket; 0: there are not that many.
 */
__int128 sketch_at(const struct sketch *s, uint64_t rank);

/**
 * sketch_log2() - a histogram by powers of two
 * @s: sketch
 * @ret: counts of the buckets of KTAP_MAP_LOG2
 */
void sketch_log2(const struct sketch *s, uint64_t ret[KTAP_NR_LOG2]);

#endif /* KTAP_REPORT_SKETCH_H */
