/* SPDX-License-Identifier: GPL-2.0 */
/* Interpreter of verified fetch programs. */
#ifndef KTAP_FETCH_H
#define KTAP_FETCH_H

#include <linux/ktap.h>

#include "hit/env.h"
#include "hit/verify.h"

#define KTAP_FETCH_FILTERED	(-1)
#define KTAP_FETCH_AGAIN	(-2)

#define KTAP_ENTRY_NOT_RUN	(~0ULL)

/**
 * struct ktap_entry - result of the entry program of a return probe
 * @faults: its fault bits; KTAP_ENTRY_NOT_RUN: the program did not run, and @payload is zeros
 * @payload: its payload
 */
struct ktap_entry {
	u64 faults;
	u8 payload[];
};

/**
 * struct ktap_frame - what a hook passes to programs
 * @regs: registers at the hit, or NULL: the hook has none
 * @spot: known properties of the place, or NULL: the registers decide
 * @caller: without registers: caller of the hook, where stacks begin
 * @args: arguments that registers had, or NULL: the hook has no arguments
 * @nr_args: how many these are
 * @stack_args: address of the arguments after them, of 8 bytes each; they need not exist
 * @entry: return probes: result of the entry program, or NULL
 * @entry_info: return probes: verified properties of the entry program
 * @retaddr: return probes: return address
 * @calls: calls of the function that contains the probe, or NULL
 * @trails: of kernel stacks, for the hit of one session; or NULL
 * @memory: address space that programs read; ENV_ANY: each read decides
 * @retry: a failed read of user memory ends the run with KTAP_FETCH_AGAIN: the caller
 *	runs the program again where it may wait
 * @wait: the hit may wait for user memory, and all memory is user memory; or NULL
 */
struct ktap_frame {
	ktap_regs *regs;
	union {
		const struct ktap_spot *spot;
		const struct ktap_caller *caller;
	};
	const u64 *args;
	u32 nr_args;
	u64 stack_args;
	const struct ktap_entry *entry;
	const struct ktap_prog_info *entry_info;
	u64 retaddr;
	struct ktap_calls *calls;
	struct ktap_trail_use *trails;
	enum env_memory memory;
	bool retry;
	struct ktap_user_wait *wait;
};

/* Extends the low @size bytes, 1 to 8, of a value to 64 bits. Context: any. */
static __always_inline u64 ktap_fetch_extend(u64 value, u8 size, bool is_signed)
{
	unsigned int shift = 64 - 8 * size;

	value <<= shift;
	return is_signed ? (u64)((s64)value >> shift) : value >> shift;
}

/**
 * ktap_fetch_string() - fill the descriptor of a string that was read
 * @s: filled
 * @text: string, in its place in the payload, with space for @max bytes
 * @len: result of env_string()
 * @max: limit of the string
 *
 * Return: bytes of @text that belong to the record.
 */
static __always_inline u32 ktap_fetch_string(struct ktap_string *s, char *text,
					     long len, u32 max)
{
	u32 flags = 0;

	if (likely((unsigned long)len < max)) {
		len++; /* the NUL was read too */
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
 * ktap_fetch_finish() - clear the rest of the last word of a payload
 * @payload: payload, with space for one word past its largest size
 * @end: size so far
 *
 * The bytes past the end are not part of the record's data.
 *
 * Return: size in whole words, in bytes.
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
