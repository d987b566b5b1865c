/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the raw counter to CLOCK_MONOTONIC: straight lines through moments at
 * which both were read. Private to decode/.
 */
#ifndef KTAP_DECODE_CLOCK_H
#define KTAP_DECODE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* struct clock_pair - one moment on both clocks */
struct clock_pair {
	uint64_t raw;
	uint64_t mono;
};

/**
 * struct clock_line - mono = at.mono + (raw - at.raw) * mult / 2^shift
 * @at: a moment on it
 * @mult: slope, with as many bits as there is room for
 * @shift: of @mult; large enough that rounding stays below a nanosecond
 */
struct clock_line {
	struct clock_pair at;
	uint64_t mult;
	unsigned int shift;
};

/**
 * clock_line_through() - make the line through two moments
 * @l: set on success; else unchanged
 * @a: a moment
 * @b: a later moment
 *
 * Return: true; false: the raw counter did not increase from @a to @b, CLOCK_MONOTONIC
 *	decreased, or a tick would take 2^32 ns or more.
 */
bool clock_line_through(struct clock_line *l, struct clock_pair a,
			struct clock_pair b);

/**
 * clock_line_mono() - convert a raw time
 * @l: line
 * @raw: raw counter, before or after @l->at, less than 2^63 ticks from it
 *
 * Return: CLOCK_MONOTONIC in nanoseconds; 0 if it would be negative.
 */
uint64_t clock_line_mono(const struct clock_line *l, uint64_t raw);

/**
 * struct clock_track - the slope of late, for time that no later pair bounds
 * @hz: nominal frequency of the raw counter
 * @nr: pairs seen, 2 for more
 * @base: the slope is taken from here ...
 * @middle: next @base
 * @last: ... to here
 */
struct clock_track {
	uint64_t hz;
	unsigned int nr;
	struct clock_pair base;
	struct clock_pair middle;
	struct clock_pair last;
};

/**
 * clock_track_add() - learn from a moment on both clocks
 * @t: track; before the first pair all members except @hz are 0
 * @p: the pair; ignored unless its raw time is later, and its CLOCK_MONOTONIC not earlier,
 *	than in the last pair
 *
 * As soon as the pairs span a second, the slope is taken over at least a second, which
 * makes the noise of reading two clocks small.
 */
void clock_track_add(struct clock_track *t, struct clock_pair p);

/**
 * clock_track_line() - make the line through a moment with the slope of late
 * @t: track
 * @at: the moment; the track need not have it
 * @l: set
 *
 * The slope comes from the pairs if they span at least 1/20 of a second. Otherwise it comes
 * from the nominal frequency @t->hz, and if that is 0 it is a nanosecond per tick.
 */
void clock_track_line(const struct clock_track *t, struct clock_pair at,
		      struct clock_line *l);

#endif /* KTAP_DECODE_CLOCK_H */
