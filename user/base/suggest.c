// SPDX-License-Identifier: GPL-2.0
/* The names nearest to a mistyped word. Sees every symbol of a kernel: fast. */
#include "base/suggest.h"

#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"

/* Longer words are not compared: nobody types them. */
#define WORD_MAX 128

/* A few letters may be wrong in a long word, one in a short one. */
static unsigned int distance_max(size_t length)
{
	if (length < 6)
		return 1;
	return length < 12 ? 2 : 3;
}

static uint32_t letters_of(const char *s, size_t length)
{
	uint32_t letters = 0;

	while (length--)
		letters |= 1U << (*s++ & 31);
	return letters;
}

void suggest_init(struct suggest *s, const char *word, size_t length)
{
	*s = (struct suggest){
		.word = word,
		.length = length,
		.letters = letters_of(word, length),
		.distance = distance_max(length),
	};
}

/* Every letter that only one of them has costs at least one edit. */
static unsigned int least_distance(uint32_t a, uint32_t b)
{
	unsigned int only_a = __builtin_popcount(a & ~b);
	unsigned int only_b = __builtin_popcount(b & ~a);

	return only_a > only_b ? only_a : only_b;
}

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	if (b < a)
		a = b;
	return c < a ? c : a;
}

/* Optimal string alignment; only the last three rows of the matrix are kept. */
static unsigned int distance_of(const char *a, size_t na, const char *b,
				size_t nb)
{
	unsigned int rows[3][WORD_MAX + 1];
	unsigned int *before = rows[0], *last = rows[1], *row = rows[2], *spare;
	size_t i, j;

	for (j = 0; j <= nb; j++)
		last[j] = j;
	for (i = 1; i <= na; i++) {
		row[0] = i;
		for (j = 1; j <= nb; j++) {
			row[j] = min3(last[j] + 1, row[j - 1] + 1,
				      last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
		spare = before;
		before = last;
		last = row;
		row = spare;
	}
	return last[nb];
}

void suggest_try(struct suggest *s, const char *name)
{
	size_t length = strlen(name);
	size_t differ = length > s->length ? length - s->length :
					     s->length - length;
	unsigned int distance;

	if (!s->length || s->length > WORD_MAX || length > WORD_MAX ||
	    differ > s->distance)
		return;
	if (least_distance(s->letters, letters_of(name, length)) > s->distance)
		return;
	distance = distance_of(s->word, s->length, name, length);
	if (distance <= s->distance)
		suggest_put(s, name, distance);
}

static size_t common_start(const struct suggest *s, const char *name)
{
	size_t i = 0;

	while (i < s->length && name[i] == s->word[i])
		i++;
	return i;
}

/* At the same distance, what starts alike is nearer. */
static int compare(const struct suggest *s, const char *a, const char *b)
{
	size_t start_a = common_start(s, a), start_b = common_start(s, b);

	if (start_a != start_b)
		return start_a > start_b ? -1 : 1;
	return strcmp(a, b);
}

void suggest_put(struct suggest *s, const char *name, unsigned int distance)
{
	size_t at, move;
	int order;

	if (distance > s->distance)
		return;
	if (distance < s->distance) {
		s->distance = distance;
		s->nr = 0;
	}
	for (at = 0; at < s->nr; at++) {
		order = compare(s, name, s->names[at]);
		if (!order)
			return;
		if (order < 0)
			break;
	}
	if (at == SUGGEST_MAX)
		return;
	if (s->nr < SUGGEST_MAX)
		s->nr++;
	move = s->nr - 1 - at;
	memmove(&s->names[at + 1], &s->names[at], move * sizeof(s->names[0]));
	s->names[at] = name;
}

void suggest_hint(const struct suggest *s, const char *prefix, struct diag *d)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	size_t i;

	if (!s->nr)
		return;
	for (i = 0; i < s->nr; i++) {
		if (i)
			buf_puts(&b, i + 1 == s->nr ? " or " : ", ");
		buf_printf(&b, "'%s%s'", prefix, s->names[i]);
	}
	diag_hint(d, "did you mean %s?", buf_str(&b));
}
