/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Verifier of fetch programs: an accepted program ends, stays inside its slots and its
 * record, and accesses memory by checked reads only.
 */
#ifndef KTAP_VERIFY_H
#define KTAP_VERIFY_H

#include <linux/ktap.h>

#include "hit/env.h"

struct ktap_counter;
struct ktap_state;
struct ktap_state_cell;

/* Reasons to refuse a program, each with its extack string. */
#define KTAP_REFUSALS(R)						\
	R(EMPTY, "program has no instructions")				\
	R(TOO_LONG, "program has too many instructions")		\
	R(NO_END, "program does not finish with END")			\
	R(EARLY_END, "END before the last instruction")			\
	R(BAD_OP, "unknown operation")					\
	R(BAD_SLOT, "slot number out of range")				\
	R(UNSET_SLOT, "slot is read before it is written")		\
	R(BAD_REG, "no such register on this architecture")		\
	R(BAD_SIZE, "size must be 1, 2, 4 or 8 bytes")			\
	R(BAD_FLAGS, "unknown instruction flag")			\
	R(RESERVED, "unused part of an instruction is not zero")	\
	R(BAD_STACK, "stack word lies beyond the stack")		\
	R(BAD_ALU, "unknown arithmetic operation")			\
	R(BAD_JUMP, "jump leaves the program")				\
	R(BAD_OFFSET, "store does not fit into a record")		\
	R(UNALIGNED, "store is not naturally aligned")			\
	R(BAD_STRING, "string limit is zero or too large")		\
	R(BAD_FAULT, "fault bit out of range")				\
	R(NO_FAULTS, "fault bits are used but never stored")		\
	R(LATE_FAULT, "fault bit is used after the fault mask was stored") \
	R(NARROW_FAULTS, "fault mask is too narrow for its bits")	\
	R(TOO_BIG, "record would be too large")				\
	R(BAD_CTX, "unknown context value")		\
	R(NO_RETURN, "only a return probe has this context value")		\
	R(BAD_ARG, "this kind of probe has no such argument")	\
	R(BAD_BYTES, "number of bytes is zero or too large")		\
	R(BAD_PATTERN, "pattern is empty, too long or incomplete")	\
	R(STRAY_DATA, "data that belongs to no pattern")		\
	R(NO_ENTRY, "no entry program stores that")			\
	R(NO_FRAME, "no such register of the frame is stored")		\
	R(NO_REGS, "this kind of probe has no registers")		\
	R(NO_STACK, "this kind of program has no kernel stack")		\
	R(NO_USTACK, "an entry program cannot take a user stack")	\
	R(NO_MAPPINGS, "user stacks need Linux 6.1, where hits can look up mappings") \
	R(BAD_DEPTH, "a stack has 1 to 127 frames")			\
	R(MANY_STACKS, "a program may take four stacks")		\
	R(NO_STATE, "this kind of program cannot store or load state")	\
	R(BAD_COUNTER, "unknown event to count")			\
	R(MANY_COUNTERS, "a program may read counters of eight events")

enum ktap_refusal {
	KTAP_REFUSE_NONE,
#define R(name, text) KTAP_REFUSE_##name,
	KTAP_REFUSALS(R)
#undef R
	KTAP_REFUSE_NR
};

/**
 * struct ktap_counter_use - an event whose counter a program reads
 * @event: as in KTAP_OP_COUNTER
 * @counter: filled by ktap_counters_join()
 */
struct ktap_counter_use {
	u64 event;
	struct ktap_counter *counter;
};

/**
 * struct ktap_prog_info - properties of an accepted program
 * @fixed_size: bytes of the payload's fixed part
 * @record_max: bytes of its largest record, with header, a multiple of 8
 * @room: bytes of the buffer that it needs to build a payload, a multiple of 8
 * @stacks_off: offset of the stacks in that buffer; 0: it takes none
 * @nr_stacks: number of stacks that it takes
 * @nr_kstacks: how many of them are kernel stacks
 * @stack_frames: frames of all of them
 * @has_ustack: one of them is a user stack
 * @nr_strings: number of stored strings that a program at the return can use
 * @string_off: offset of the struct ktap_string of each
 * @string_max: limit of each
 * @regs: bit mask of the registers that it reads; reads of stack words also need the
 *	stack pointer
 * @simple: it stores registers only and can write the record in place
 * @has_filter: it may end without a record
 * @has_state: it stores or loads state
 * @has_store: it stores state
 * @state: its table; filled by ktap_state_join(), as @state_cells is
 * @state_cells: counts of its stores and loads
 * @nr_counters: length of @counters
 * @counters: all events whose counters it reads
 * @cost: worst cost of a hit for one session, in ns; ktap_cost_sum() fills it and the
 *	following members
 * @cost_again: cost of each further session, in ns
 * @dearest: enum ktap_cost_kind with the largest part
 */
struct ktap_prog_info {
	u32 fixed_size;
	u32 record_max;
	u32 room;
	u32 stacks_off;
	u32 nr_stacks;
	u32 nr_kstacks;
	u32 stack_frames;
	bool has_ustack;
	u32 nr_strings;
	u16 string_off[KTAP_NR_ENTRY_STRINGS];
	u16 string_max[KTAP_NR_ENTRY_STRINGS];
	u64 regs;
	bool simple;
	bool has_filter;
	bool has_state;
	bool has_store;
	const struct ktap_state *state;
	struct ktap_state_cell __percpu *state_cells;
	u32 nr_counters;
	struct ktap_counter_use counters[KTAP_NR_COUNTERS];
	u32 cost;
	u32 cost_again;
	u32 dearest;
};

/**
 * struct ktap_prog_place - where a program will run
 * @nr_args: number of arguments that the hook passes
 * @no_regs: the hook passes no registers; stacks begin at its caller
 * @is_user: all memory is user memory, the stack included
 * @no_stacks: stacks are not to be taken
 * @no_state: it cannot store or load state
 * @is_return: at a return
 * @entry: returns: properties of the entry program, or NULL
 * @nr_frame_regs: number of registers stored at the entry of the function that contains
 *	it
 */
struct ktap_prog_place {
	u32 nr_args;
	bool no_regs;
	bool is_user;
	bool no_stacks;
	bool no_state;
	bool is_return;
	const struct ktap_prog_info *entry;
	u32 nr_frame_regs;
};

/**
 * ktap_entry_place() - where the entry program of a return probe will run
 * @is_user: all memory is user memory, the stack included
 *
 * The return program takes the stack and handles state; an entry program only keeps what
 * the return needs.
 *
 * Context: any.
 * Return: the place.
 */
static inline struct ktap_prog_place ktap_entry_place(bool is_user)
{
	return (struct ktap_prog_place){
		.is_user = is_user, .no_stacks = true, .no_state = true,
	};
}

/**
 * ktap_prog_is_silent() - does a program only store state?
 * @info: verified properties of the program
 *
 * Context: any.
 * Return: whether its records would be empty.
 */
static inline bool ktap_prog_is_silent(const struct ktap_prog_info *info)
{
	return info->has_store && info->record_max == sizeof(struct ktap_rec_head);
}

enum ktap_refusal ktap_verify(const struct ktap_insn *insns, u32 nr,
			      const struct ktap_prog_place *place,
			      struct ktap_prog_info *info, u32 *at);
const char *ktap_refusal_text(enum ktap_refusal why);

#endif /* KTAP_VERIFY_H */
