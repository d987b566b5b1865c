// SPDX-License-Identifier: GPL-2.0
/* By digits, the lowest one first. */
#include "base/sort.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define DIGIT_BITS 16
#define DIGITS (1 << DIGIT_BITS)

/**
 * struct sorting - an array being sorted
 * @nr: elements
 * @size: of one
 * @offset: of the number in it
 * @start: where those with each digit go
 */
struct sorting {
	size_t nr;
	size_t size;
	size_t offset;
	size_t *start;
};

static size_t *start_of(const struct sorting *s, const char *element,
			unsigned int shift)
{
	uint64_t number;

	memcpy(&number, element + s->offset, sizeof(number));
	return &s->start[number >> shift & (DIGITS - 1)];
}

/* What has the same digit stays in its order. */
static void sort_by_digit(const struct sorting *s, const char *from, char *to,
			  unsigned int shift)
{
	const char *end = from + s->nr * s->size, *at;
	size_t i, sum = 0;

	memset(s->start, 0, DIGITS * sizeof(*s->start));
	for (at = from; at < end; at += s->size)
		++*start_of(s, at, shift);
	for (i = 0; i < DIGITS; i++) {
		sum += s->start[i];
		s->start[i] = sum - s->start[i];
	}
	for (at = from; at < end; at += s->size)
		memcpy(to + (*start_of(s, at, shift))++ * s->size, at, s->size);
}

int sort_by_u64(void *array, size_t nr, size_t size, size_t offset)
{
	_cleanup_free_ size_t *start = malloc(DIGITS * sizeof(*start));
	_cleanup_free_ char *other = reallocarray(NULL, nr ? nr : 1, size);
	const struct sorting s = { nr, size, offset, start };

	if (!start || !other)
		return -ENOMEM;
	for (unsigned int shift = 0; shift < 64; shift += 2 * DIGIT_BITS) {
		sort_by_digit(&s, array, other, shift);
		sort_by_digit(&s, other, array, shift + DIGIT_BITS);
	}
	return 0;
}
