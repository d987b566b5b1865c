// SPDX-License-Identifier: GPL-2.0
#include "report/sketch.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NR_BUCKETS	(1 << SKETCH_BITS)
#define OCTAVE_BYTES	(NR_BUCKETS * sizeof(uint64_t))

/* struct where - the bucket of a number */
struct where {
	int octave;
	unsigned int bucket;
};

/* Negative numbers have the octaves below 0, the farther from 0 the larger they are. */
static struct where find_where(__int128 value)
{
	bool negative = value < 0;
	uint64_t size = negative ? -value : value;
	struct where w = { .bucket = size };

	if (size >= NR_BUCKETS) {
		int shift = 63 - SKETCH_BITS - __builtin_clzll(size);

		w.octave = shift + 1;
		w.bucket = (size >> shift) - NR_BUCKETS;
	}
	if (negative)
		w.octave = -1 - w.octave;
	return w;
}

/* The middle of a bucket. */
static __int128 middle(struct where w)
{
	int octave = w.octave < 0 ? -1 - w.octave : w.octave;
	__int128 low = w.bucket, value;

	if (octave)
		low = (low + NR_BUCKETS) << (octave - 1);
	value = octave > 1 ? low + ((__int128)1 << (octave - 2)) : low;
	return w.octave < 0 ? -value : value;
}

void sketch_deinit(struct sketch *s)
{
	for (int i = 0; i < s->nr; i++)
		free(s->octaves[i]);
	free(s->octaves);
	*s = (struct sketch){ 0 };
}

/* The range of octaves reaches as far as @octave. */
static int widen(struct sketch *s, int octave)
{
	int first = s->nr && s->first < octave ? s->first : octave;
	int end = s->nr && s->first + s->nr > octave + 1 ? s->first + s->nr :
							   octave + 1;
	uint64_t **more;

	more = reallocarray(s->octaves, end - first, sizeof(*more));
	if (!more)
		return -ENOMEM;
	s->octaves = more;
	if (s->nr && first < s->first)
		memmove(more + (s->first - first), more, s->nr * sizeof(*more));
	for (int i = first; i < end; i++)
		if (!s->nr || i < s->first || i >= s->first + s->nr)
			more[i - first] = NULL;
	s->first = first;
	s->nr = end - first;
	return 0;
}

/* The buckets of an octave; NULL: no memory. */
static uint64_t *need_octave(struct sketch *s, int octave)
{
	uint64_t **at;

	if ((octave < s->first || octave >= s->first + s->nr) && widen(s, octave))
		return NULL;
	at = &s->octaves[octave - s->first];
	if (!*at)
		*at = calloc(1, OCTAVE_BYTES);
	return *at;
}

int sketch_add(struct sketch *s, __int128 value, uint64_t times)
{
	struct where w = find_where(value);
	uint64_t *buckets = need_octave(s, w.octave);

	if (!buckets)
		return -ENOMEM;
	buckets[w.bucket] += times;
	return 0;
}

int sketch_merge(struct sketch *s, const struct sketch *from)
{
	for (int i = 0; i < from->nr; i++) {
		uint64_t *to;

		if (!from->octaves[i])
			continue;
		to = need_octave(s, from->first + i);
		if (!to)
			return -ENOMEM;
		for (unsigned int b = 0; b < NR_BUCKETS; b++)
			to[b] += from->octaves[i][b];
	}
	return 0;
}

/* Find the number in an octave, or take the numbers of it off @rank. */
static bool find_rank(const uint64_t *buckets, int octave, uint64_t *rank,
		      unsigned int *ret)
{
	for (unsigned int i = 0; buckets && i < NR_BUCKETS; i++) {
		unsigned int b = octave < 0 ? NR_BUCKETS - 1 - i : i;

		if (*rank <= buckets[b]) {
			*ret = b;
			return true;
		}
		*rank -= buckets[b];
	}
	return false;
}

__int128 sketch_at(const struct sketch *s, uint64_t rank)
{
	struct where w;

	for (int i = 0; i < s->nr; i++) {
		w.octave = s->first + i;
		if (find_rank(s->octaves[i], w.octave, &rank, &w.bucket))
			return middle(w);
	}
	return 0;
}

/* Which bucket of KTAP_MAP_LOG2 has the numbers of a bucket. */
static unsigned int log2_of(struct where w)
{
	if (w.octave < 0)
		return 0;
	if (w.octave)
		return SKETCH_BITS + w.octave + 1;
	return w.bucket ? 33 - __builtin_clz(w.bucket) : 1;
}

void sketch_log2(const struct sketch *s, uint64_t ret[KTAP_NR_LOG2])
{
	memset(ret, 0, KTAP_NR_LOG2 * sizeof(*ret));
	for (int i = 0; i < s->nr; i++) {
		struct where w = { .octave = s->first + i };

		for (w.bucket = 0; s->octaves[i] && w.bucket < NR_BUCKETS; w.bucket++)
			ret[log2_of(w)] += s->octaves[i][w.bucket];
	}
}
