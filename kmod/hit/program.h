/* SPDX-License-Identifier: GPL-2.0 */
/* A fetch program in the form that the hit path runs. */
#ifndef KTAP_PROGRAM_H
#define KTAP_PROGRAM_H

#include "hit/gate.h"
#include "hit/verify.h"
#include "hit/walk.h"

/**
 * enum ktap_copy_kind - kinds of stores of a simple program
 * @KTAP_COPY_8: a whole register; _4, _2 and _1 store its low bytes
 * @KTAP_COPY_4_PAIR: 4 bytes of each of two registers, next to each other
 * @KTAP_COPY_4_WIDE: 4 bytes, and zeros in the other half of the word
 * @KTAP_COPY_ZERO: a word of zeros
 */
enum ktap_copy_kind {
	KTAP_COPY_4_PAIR,
	KTAP_COPY_4_WIDE,
	KTAP_COPY_8,
	KTAP_COPY_4,
	KTAP_COPY_2,
	KTAP_COPY_1,
	KTAP_COPY_ZERO,
};

/**
 * struct ktap_copy - one store of a simple program
 * @reg: offset of the register in struct pt_regs
 * @off: offset in the payload
 * @kind: enum ktap_copy_kind
 * @second: KTAP_COPY_4_PAIR: offset of the other register in struct pt_regs
 */
struct ktap_copy {
	u16 reg;
	u16 off;
	u16 kind;
	u16 second;
};

/**
 * struct ktap_text - a string of a plain program
 * @reg: offset in struct pt_regs of the register that holds its address
 * @off: offset of its struct ktap_string in the payload
 * @max: limit
 * @user: it is in user memory
 * @last: last string of the program
 */
struct ktap_text {
	u16 reg;
	u16 off;
	u16 max;
	bool user;
	bool last;
};

/* Largest fixed part of a plain program, in bytes. */
#define KTAP_PLAIN_MAX	64

/**
 * struct ktap_stack_store - store of a stack's id
 * @off: offset in the payload
 * @max: frames of the stack at most; 0: no stack is stored
 */
struct ktap_stack_store {
	u16 off;
	u16 max;
};

/**
 * struct ktap_stores - stores of a simple or plain program, after its gate
 *
 * A plain program has a gate, stores strings at addresses in registers, or the comm of
 * the task and one or both stacks, and does nothing else.
 *
 * @words: offsets in struct pt_regs of the whole registers that fill the payload from its
 *	beginning
 * @copies: the other stores
 * @texts: plain programs: strings, which follow the fixed part
 * @nr_words: length of @words
 * @nr_copies: length of @copies
 * @nr_texts: length of @texts; 0 if the program is not plain
 * @fixed_size: plain programs: size of the fixed part in bytes
 * @name: plain programs: offset of the comm in the payload
 * @has_name: the program stores the comm
 * @kstack: plain programs: the kernel stack
 * @ustack: plain programs: the user stack
 */
struct ktap_stores {
	const u16 *words;
	const struct ktap_copy *copies;
	const struct ktap_text *texts;
	u32 nr_words;
	u32 nr_copies;
	u32 nr_texts;
	u32 fixed_size;
	u16 name;
	bool has_name;
	struct ktap_stack_store kstack;
	struct ktap_stack_store ustack;
};

/**
 * struct ktap_prog - a verified program
 * @info: result of the verifier
 * @gate: gate
 * @is_time: it stores the time and does nothing else
 * @in_place: @stores is the whole program after the gate, without strings
 * @stores: simple and plain programs: all stores after the gate
 * @walk: programs that only read and store: steps after the gate
 * @globs: compiled globs, or NULL
 * @globs_size: size of @globs in bytes
 * @bytes: charge to the budget
 * @insns: instructions, after ktap_globs_make()
 */
struct ktap_prog {
	struct ktap_prog_info info;
	struct ktap_gate gate;
	bool is_time;
	bool in_place;
	struct ktap_stores stores;
	struct ktap_walk walk;
	void *globs;
	size_t globs_size;
	u64 bytes;
	struct ktap_insn insns[];
};

int ktap_prog_verify(const struct ktap_insn *insns, u32 nr,
		     const struct ktap_prog_place *place,
		     struct ktap_prog_info *info, enum ktap_refusal *why,
		     u32 *at);

struct ktap_prog *ktap_prog_create(const struct ktap_insn *insns, u32 nr,
				   const struct ktap_prog_place *place,
				   enum ktap_refusal *why, u32 *at);
u64 ktap_prog_bytes(u32 nr);
void ktap_prog_destroy(struct ktap_prog *prog);

#endif /* KTAP_PROGRAM_H */
