/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Glob patterns over strings of a known length.
 */
#ifndef KTAP_MATCH_H
#define KTAP_MATCH_H

#include <linux/ktap.h>

#include "hit/env.h"

/* A state before each element of the longest pattern, and one behind the last. */
#define KTAP_GLOB_WORDS	((KTAP_PATTERN_MAX + 1) / 64)

/**
 * struct ktap_glob - a pattern made ready
 * @words: of a set of states
 * @done: the last one: all elements were found
 * @stay: states that take any letter and remain: there is a * in front of their
 *	element
 * @class: of each letter: those that no element tells apart have one number
 * @takes: for each class, @words of the states whose element takes its letters
 *
 * State n says that the first n elements describe what was read so far. A * is
 * no element.
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

/* The pattern of a KTAP_OP_MATCH that ktap_globs_make() has seen. */
static __always_inline const struct ktap_glob *
ktap_glob_of(const struct ktap_insn *match)
{
	return (const struct ktap_glob *)(unsigned long)match[1].imm;
}

#endif /* KTAP_MATCH_H */
