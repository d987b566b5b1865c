/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interpreter of verified fetch programs.
 */
#ifndef KTAP_FETCH_H
#define KTAP_FETCH_H

#include <linux/ktap.h>

#include "hit/env.h"
#include "hit/verify.h"

#define KTAP_FETCH_FILTERED	(-1)
#define KTAP_FETCH_AGAIN	(-2)

/**
 * struct ktap_entry - what the entry program of a return probe stored
 * @faults: its fault bits
 * @payload: what it stored
 */
struct ktap_entry {
	u64 faults;
	u8 payload[];
};

/**
 * struct ktap_frame - what a hook hands over to programs
 * @regs: registers at the hit
 * @args: arguments, or NULL: the hook has none
 * @entry: return probes: what was stored at the entry, or NULL
 * @entry_info: of the program that stored it
 * @retaddr: return probes: the address returned to
 * @calls: entries of the function the probe is in, or NULL
 * @memory: whose memory programs read; ENV_ANY: as they say
 * @retry: a read of user memory that fails makes KTAP_FETCH_AGAIN of the
 *	result: the caller will run the program where it may wait
 * @wait: the hit may wait for user memory: all memory is the user's; or NULL
 */
struct ktap_frame {
	ktap_regs *regs;
	const u64 *args;
	const struct ktap_entry *entry;
	const struct ktap_prog_info *entry_info;
	u64 retaddr;
	struct ktap_calls *calls;
	enum env_memory memory;
	bool retry;
	struct ktap_user_wait *wait;
};

/* The low @size bytes, 1 to 8, of a value, extended to all of it. Context: any. */
static __always_inline u64 ktap_fetch_extend(u64 value, u8 size, bool is_signed)
{
	unsigned int shift = 64 - 8 * size;

	value <<= shift;
	return is_signed ? (u64)((s64)value >> shift) : value >> shift;
}

/**
 * ktap_fetch_string() - make a string of a record of what was read
 * @s: to fill
 * @text: what was read, in its place, with room for @max bytes
 * @len: what env_string() says of it
 * @max: its limit
 *
 * Return: bytes of @text that belong to the record.
 */
static __always_inline u32 ktap_fetch_string(struct ktap_string *s, char *text,
					     long len, u32 max)
{
	u32 flags = 0;

	if (likely((unsigned long)len < max)) {
		len++; /* the NUL is there */
	} else if (len < 0) {
		flags = KTAP_STRING_F_FAULT;
		len = 0;
	} else {
		flags = KTAP_STRING_F_CUT;
		len = max;
		text[len - 1] = 0;
	}
	s->len = len;
	s->flags = flags;
	return len;
}

/**
 * ktap_fetch_finish() - end a payload
 * @payload: with room for a word beyond the largest
 * @end: bytes of it that are written
 *
 * What the last word holds beyond the end is not the record's.
 *
 * Return: bytes of whole words.
 */
static __always_inline u32 ktap_fetch_finish(u8 *payload, u32 end)
{
	const u64 zero = 0;

	memcpy(payload + end, &zero, sizeof(zero));
	return ALIGN(end, 8);
}

u64 ktap_fetch_ctx(u64 what, const struct ktap_user_wait *wait);
int ktap_fetch_run(const struct ktap_insn *insns,
		   const struct ktap_prog_info *info,
		   const struct ktap_frame *frame, u8 *payload,
		   u64 *ret_faults);

#endif /* KTAP_FETCH_H */
