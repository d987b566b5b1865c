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

/**
 * suggest_init() - begin to search for names near a word
 * @s: filled; it owns nothing and needs no release
 * @word: what was typed; not NUL-terminated; it must live as long as @s is used
 * @length: bytes of @word
 *
 * Only near names count: one edit away from a word of less than 6 bytes, two from one of
 * less than 12, else three.
 */
void suggest_init(struct suggest *s, const char *word, size_t length);

/**
 * suggest_try() - keep a name if it is near to the word and none of those so far is nearer
 * @s: names so far
 * @name: string; not copied: it must live until suggest_hint()
 *
 * It is fast for names that are not near. Words and names of more than 128 bytes are not
 * compared.
 */
void suggest_try(struct suggest *s, const char *name);

/**
 * suggest_put() - keep a name at a distance that the caller knows better
 * @s: names so far
 * @name: string; not copied: it must live until suggest_hint()
 * @distance: edits from the word; 0 is nearer than any other name
 *
 * The name is ignored if it is not near enough or others are nearer; if they are further
 * away, it replaces them. Of the names at one distance SUGGEST_MAX are kept: those that share
 * the longest beginning with the word.
 */
void suggest_put(struct suggest *s, const char *name, unsigned int distance);

/**
 * suggest_hint() - add the hint "did you mean '%di' or '%dx'?"
 * @s: names; without any, no hint is added
 * @prefix: string before each name, such as "%"; may be ""
 * @d: where; NULL is allowed; it keeps a hint that it has
 */
void suggest_hint(const struct suggest *s, const char *prefix, struct diag *d);

#endif /* KTAP_BASE_SUGGEST_H */
