/* SPDX-License-Identifier: GPL-2.0 */
/*
 * "Did you mean": the names nearest to a mistyped word, by the number of
 * letters inserted, left out, changed or exchanged with their neighbour.
 */
#ifndef KTAP_BASE_SUGGEST_H
#define KTAP_BASE_SUGGEST_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

#define SUGGEST_MAX 4

/**
 * struct suggest - the nearest names so far; all at the same distance
 * @word: what was typed; not NUL-terminated
 * @length: its bytes
 * @letters: set of its letters
 * @distance: of @names; names that are further away are of no interest
 * @names: nearest first; the caller keeps them alive
 * @nr: how many
 */
struct suggest {
	const char *word;
	size_t length;
	uint32_t letters;
	unsigned int distance;
	const char *names[SUGGEST_MAX];
	size_t nr;
};

void suggest_init(struct suggest *s, const char *word, size_t length);

/* suggest_try() - consider @name. */
void suggest_try(struct suggest *s, const char *name);

/* suggest_put() - take @name at a @distance that the caller knows better. */
void suggest_put(struct suggest *s, const char *name, unsigned int distance);

/* suggest_hint() - "did you mean '%di' or '%dx'?", where there is something;
 * @prefix ("%") stands before each name.
 */
void suggest_hint(const struct suggest *s, const char *prefix, struct diag *d);

#endif /* KTAP_BASE_SUGGEST_H */
