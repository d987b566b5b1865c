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

/* clock_line_through() - false when @b does not come after @a. */
bool clock_line_through(struct clock_line *l, struct clock_pair a,
			struct clock_pair b);

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

/* clock_track_add() - pairs that are not later than the last are ignored. */
void clock_track_add(struct clock_track *t, struct clock_pair p);

/* clock_track_line() - the line through @at with the slope of late. */
void clock_track_line(const struct clock_track *t, struct clock_pair at,
		      struct clock_line *l);

#endif /* KTAP_DECODE_CLOCK_H */
