// SPDX-License-Identifier: GPL-2.0
/*
 * Clock lines. A line through two pairs is exact at both to less than a
 * nanosecond, and the next line starts at a pair again: nothing drifts.
 */
#include "decode/clock.h"

#define NSEC_PER_SEC 1000000000ULL

bool clock_line_through(struct clock_line *l, struct clock_pair a,
			struct clock_pair b)
{
	uint64_t ticks = b.raw - a.raw, ns = b.mono - a.mono;
	unsigned int bits;

	if (b.raw <= a.raw || b.mono < a.mono)
		return false;
	/* bits of the whole part of the slope; the rest is for the fraction */
	bits = ns / ticks ? 64 - __builtin_clzll(ns / ticks) : 0;
	if (bits > 32)
		return false;
	l->at = a;
	l->shift = 63 - bits;
	l->mult = ((__uint128_t)ns << l->shift) / ticks;
	return true;
}

uint64_t clock_line_mono(const struct clock_line *l, uint64_t raw)
{
	uint64_t ns;

	if ((int64_t)(raw - l->at.raw) >= 0)
		return l->at.mono +
		       (uint64_t)((__uint128_t)(raw - l->at.raw) * l->mult >> l->shift);
	ns = (__uint128_t)(l->at.raw - raw) * l->mult >> l->shift;
	return ns < l->at.mono ? l->at.mono - ns : 0;
}

void clock_track_add(struct clock_track *t, struct clock_pair p)
{
	if (!t->nr) {
		t->base = p;
		t->middle = p;
		t->last = p;
		t->nr = 1;
		return;
	}
	if (p.raw <= t->last.raw || p.mono < t->last.mono)
		return;
	t->last = p;
	t->nr = 2;
	/* A second of distance makes the noise of reading two clocks small. */
	if (p.raw - t->middle.raw < t->hz)
		return;
	t->base = t->middle;
	t->middle = p;
}

void clock_track_line(const struct clock_track *t, struct clock_pair at,
		      struct clock_line *l)
{
	const struct clock_pair zero = {}, second = { t->hz, NSEC_PER_SEC };
	const struct clock_pair same = { NSEC_PER_SEC, NSEC_PER_SEC };

	if (t->nr < 2 || t->last.raw - t->base.raw < t->hz / 20 ||
	    !clock_line_through(l, t->base, t->last))
		if (!clock_line_through(l, zero, second))
			clock_line_through(l, zero, same);
	l->at = at;
}
