/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fetch program as the hit path runs it.
 */
#ifndef KTAP_PROGRAM_H
#define KTAP_PROGRAM_H

#include "hit/gate.h"
#include "hit/verify.h"
#include "hit/walk.h"

/**
 * enum ktap_copy_kind - what a store of a simple program writes
 * @KTAP_COPY_8: all of a register; the others its low bytes
 * @KTAP_COPY_4_PAIR: 4 bytes each of two registers, side by side
 * @KTAP_COPY_4_WIDE: 4 bytes, and zeroes in the other half of their word
 * @KTAP_COPY_ZERO: a word of zeroes
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
 * @reg: its byte in struct pt_regs
 * @off: its byte in the payload
 * @kind: enum ktap_copy_kind
 * @second: KTAP_COPY_4_PAIR: the other register's byte in struct pt_regs
 */
struct ktap_copy {
	u16 reg;
	u16 off;
	u16 kind;
	u16 second;
};

/**
 * struct ktap_text - a string of a plain program
 * @reg: the register with its address, as a byte in struct pt_regs
 * @off: its struct ktap_string, as a byte in the payload
 * @max: its limit
 * @user: it is the user's
 * @last: of its program
 */
struct ktap_text {
	u16 reg;
	u16 off;
	u16 max;
	bool user;
	bool last;
};

/* Bytes of the fixed part of a plain program. */
#define KTAP_PLAIN_MAX	64

/**
 * struct ktap_stores - a simple program, or a plain one: one that has a gate,
 * stores strings at addresses in registers, or the name of the task, and does no
 * more. They are what follows the gate
 * @words: whole registers that fill the payload from its start: where each is
 *	in struct pt_regs
 * @copies: the other stores
 * @texts: plain programs: the strings, which lie behind the fixed part
 * @nr_words: how many
 * @nr_copies: likewise
 * @nr_texts: likewise; 0: it is not plain
 * @fixed_size: plain programs: bytes of the fixed part
 * @name: plain programs: where the name of the task is stored
 * @has_name: it is
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
};

/**
 * struct ktap_prog - a verified program
 * @info: what the verifier found
 * @gate: its beginning
 * @in_place: @stores has all that follows the gate, and no string
 * @stores: simple and plain programs: all that follows the gate
 * @walk: programs that only read and store: what follows the gate
 * @globs: its patterns, or NULL
 * @globs_size: bytes of them
 * @bytes: of the budget
 * @insns: the program, as ktap_globs_make() left it
 */
struct ktap_prog {
	struct ktap_prog_info info;
	struct ktap_gate gate;
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
