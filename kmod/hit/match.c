// SPDX-License-Identifier: GPL-2.0
/*
 * Globs: * matches any string, ? any character, [a-z] and [!a-z] one of a set, \ the next
 * character literally. A [ without its ] and a \ at the end stand for themselves.
 *
 * A glob is compiled to tables when its probe is created. Matching then takes one step
 * per character and 64 elements, whatever the glob: a bit set holds all prefixes of the
 * glob that match the characters so far.
 */
#include "hit/match.h"

/* ---- compiling ------------------------------------------------------------- */

/**
 * struct element - part of a glob that matches one character
 * @at: its first character
 * @end: past its last character
 * @is_set: it includes its brackets
 * @any: it matches every character
 */
struct element {
	const u8 *at;
	const u8 *end;
	bool is_set;
	bool any;
};

/* Past the ] of the set that begins at @p, or NULL if it is not a set. */
static const u8 *set_end(const u8 *p, const u8 *end)
{
	p++;
	if (p < end && *p == '!')
		p++;
	/* a ] in the first position is a member of the set */
	for (p++; p < end; p++)
		if (*p == ']')
			return p + 1;
	return NULL;
}

/* Is @c in the set [@p, @end), brackets included? */
static bool in_set(const u8 *p, const u8 *end, u8 c)
{
	bool negated = p[1] == '!', found = false;

	p += 1 + negated;
	end--;
	while (p < end) {
		u8 low = *p, high = low;

		if (p + 2 < end && p[1] == '-') {
			high = p[2];
			p += 2;
		}
		p++;
		found |= low <= c && c <= high;
	}
	return found != negated;
}

static bool takes(const struct element *e, u8 c)
{
	return e->any || (e->is_set ? in_set(e->at, e->end, c) : *e->at == c);
}

/* The element at @at, which is not a *. */
static struct element element_at(const u8 *at, const u8 *end)
{
	struct element e = { .at = at, .end = at + 1 };

	if (*at == '[') {
		const u8 *behind = set_end(at, end);

		e.is_set = behind;
		if (behind)
			e.end = behind;
	} else if (*at == '\\' && at + 1 < end) {
		e.at++;
		e.end++;
	} else {
		e.any = *at == '?';
	}
	return e;
}

/* Splits the character classes that @e matches only in part. */
static u32 split_classes(u8 *class, u32 nr, const struct element *e)
{
	bool refused[256] = {};
	u8 apart[256] = {};
	u32 c;

	for (c = 0; c < 256; c++)
		if (!takes(e, c))
			refused[class[c]] = true;
	for (c = 0; c < 256; c++) {
		u8 old = class[c];

		if (!refused[old] || !takes(e, c))
			continue;
		/* a new class never has the number 0 */
		if (!apart[old])
			apart[old] = nr++;
		class[c] = apart[old];
	}
	return nr;
}

static u32 classify(u8 *class, const u8 *pattern, u32 len)
{
	const u8 *end = pattern + len;
	u32 nr = 1;

	memset(class, 0, 256);
	while (pattern < end) {
		struct element e = element_at(pattern, end);

		if (*pattern != '*')
			nr = split_classes(class, nr, &e);
		pattern = *pattern == '*' ? pattern + 1 : e.end;
	}
	return nr;
}

/**
 * ktap_glob_words() - steps per character of a string
 * @pattern: glob
 * @len: its length, at most KTAP_PATTERN_MAX
 *
 * Context: any; pure.
 * Return: number of steps.
 */
u32 ktap_glob_words(const u8 *pattern, u32 len)
{
	const u8 *end = pattern + len;
	u32 states = 1;

	while (pattern < end) {
		if (*pattern == '*') {
			pattern++;
			continue;
		}
		pattern = element_at(pattern, end).end;
		states++;
	}
	return (states + 63) / 64;
}

/**
 * ktap_glob_size() - size of a compiled glob
 * @pattern: glob
 * @len: its length, at most KTAP_PATTERN_MAX
 *
 * Context: any; pure.
 * Return: bytes, a multiple of 8; at most 8.5 KiB.
 */
size_t ktap_glob_size(const u8 *pattern, u32 len)
{
	u8 class[256];
	u32 nr = classify(class, pattern, len);

	return sizeof(struct ktap_glob) +
	       sizeof(u64) * nr * ktap_glob_words(pattern, len);
}

/* Sets the bit of state @n in the classes whose characters its element matches. */
static void put_element(struct ktap_glob *glob, u32 n, const struct element *e)
{
	u32 c;

	for (c = 0; c < 256; c++)
		if (takes(e, c))
			glob->takes[glob->class[c] * glob->words + n / 64] |=
				1ULL << n % 64;
}

/**
 * ktap_glob_make() - compile a glob
 * @glob: ktap_glob_size() zeroed bytes
 * @pattern: glob
 * @len: its length, at most KTAP_PATTERN_MAX
 *
 * Context: any; pure.
 */
void ktap_glob_make(struct ktap_glob *glob, const u8 *pattern, u32 len)
{
	const u8 *end = pattern + len;
	u32 n = 0;

	glob->words = ktap_glob_words(pattern, len);
	classify(glob->class, pattern, len);
	while (pattern < end) {
		struct element e = element_at(pattern, end);

		if (*pattern == '*') {
			glob->stay[n / 64] |= 1ULL << n % 64;
			pattern++;
			continue;
		}
		put_element(glob, n++, &e);
		pattern = e.end;
	}
	glob->done = n;
}

/* ---- globs of a program ---------------------------------------------------- */

static void pattern_of(const struct ktap_insn *match, u8 *pattern)
{
	u32 at;

	for (at = 0; at < match->imm; at += 8)
		memcpy(pattern + at, &match[1 + at / 8].imm, 8);
}

/**
 * ktap_globs_size() - size of all compiled globs of a program
 * @insns: verified program
 *
 * Context: any; pure.
 * Return: bytes.
 */
size_t ktap_globs_size(const struct ktap_insn *insns)
{
	u8 pattern[KTAP_PATTERN_MAX + 1];
	size_t size = 0;

	for (; insns->op != KTAP_OP_END; insns++) {
		if (insns->op != KTAP_OP_MATCH)
			continue;
		pattern_of(insns, pattern);
		size += ktap_glob_size(pattern, insns->imm);
	}
	return size;
}

/**
 * ktap_globs_make() - compile all globs of a program
 * @insns: verified program; the first KTAP_OP_DATA of each glob is replaced by the
 *	address of the compiled glob
 * @memory: ktap_globs_size() zeroed bytes, which must live as long as the program
 *
 * Context: any; pure.
 */
void ktap_globs_make(struct ktap_insn *insns, void *memory)
{
	u8 pattern[KTAP_PATTERN_MAX + 1];

	for (; insns->op != KTAP_OP_END; insns++) {
		if (insns->op != KTAP_OP_MATCH)
			continue;
		pattern_of(insns, pattern);
		ktap_glob_make(memory, pattern, insns->imm);
		insns[1].imm = (unsigned long)memory;
		memory = (u8 *)memory + ktap_glob_size(pattern, insns->imm);
	}
}

/* ---- matching -------------------------------------------------------------- */

/* For globs of fewer than 64 elements. */
static bool match_short(const struct ktap_glob *glob, const u8 *text, u32 len)
{
	const u64 stay = glob->stay[0];
	u64 states = 1;

	for (; len && states; len--, text++)
		states = (states & glob->takes[glob->class[*text]]) << 1 |
			 (states & stay);
	return states >> glob->done & 1;
}
ENV_NOPROBE(match_short);

/*
 * Matches one character; @takes is the row of its class. Return: 0 if no state is left.
 */
static __always_inline u64 step(u64 *states, const u64 *takes, const u64 *stay,
				u32 words)
{
	u64 carry = 0, any = 0, moved;
	u32 w;

	for (w = 0; w < words; w++) {
		moved = states[w] & takes[w];
		states[w] = moved << 1 | carry | (states[w] & stay[w]);
		carry = moved >> 63;
		any |= states[w];
	}
	return any;
}

/**
 * ktap_match() - does a glob match a whole string?
 * @glob: compiled glob
 * @text: string
 * @len: its length
 *
 * Takes at most @len times @glob->words steps.
 *
 * Context: any; pure.
 * Return: whether it does.
 */
bool ktap_match(const struct ktap_glob *glob, const u8 *text, u32 len)
{
	u64 states[KTAP_GLOB_WORDS] = { 1 };
	u32 words = glob->words;

	if (likely(words == 1))
		return match_short(glob, text, len);
	for (; len; len--, text++)
		if (!step(states, glob->takes + glob->class[*text] * words,
			  glob->stay, words))
			return false;
	return states[glob->done / 64] >> (glob->done % 64) & 1;
}
ENV_NOPROBE(ktap_match);
