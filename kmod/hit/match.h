/* SPDX-License-Identifier: GPL-2.0 */
/* Globs over strings of known length. */
#ifndef KTAP_MATCH_H
#define KTAP_MATCH_H

#include <linux/ktap.h>

#include "hit/env.h"

/* One state before each element of the longest glob, and one after the last. */
#define KTAP_GLOB_WORDS	((KTAP_PATTERN_MAX + 1) / 64)

/**
 * struct ktap_glob - compiled glob
 * @words: words of a set of states
 * @done: the last state: all elements have matched
 * @stay: states that match any character and remain: a * precedes their element
 * @class: class of each character: characters that all elements treat alike share one
 * @takes: for each class, @words words of the states whose element matches it
 *
 * State n means that the first n elements match the characters so far. A * is not an
 * element.
 */
struct ktap_glob {
	u32 words;
	u32 done;
	u64 stay[KTAP_GLOB_WORDS];
	u8 class[256];
	u64 takes[];
};

size_t ktap_glob_size(const u8 *pattern, u32 len);
void ktap_glob_make(struct ktap_glob *glob, const u8 *pattern, u32 len);
u32 ktap_glob_words(const u8 *pattern, u32 len);
bool ktap_match(const struct ktap_glob *glob, const u8 *text, u32 len);

size_t ktap_globs_size(const struct ktap_insn *insns);
void ktap_globs_make(struct ktap_insn *insns, void *memory);

/* The compiled glob of a KTAP_OP_MATCH, after ktap_globs_make(). */
static __always_inline const struct ktap_glob *
ktap_glob_of(const struct ktap_insn *match)
{
	return (const struct ktap_glob *)(unsigned long)match[1].imm;
}

#endif /* KTAP_MATCH_H */
