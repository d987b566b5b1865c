/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fetch program as the hit path runs it.
 */
#ifndef KTAP_PROGRAM_H
#define KTAP_PROGRAM_H

#include "verify.h"

#define KTAP_COPY_ZERO	U16_MAX

/**
 * struct ktap_copy - one store of a simple program
 * @reg: its byte in struct pt_regs, or KTAP_COPY_ZERO to clear
 * @off: its byte in the payload
 * @size: bytes to store
 */
struct ktap_copy {
	u16 reg;
	u16 off;
	u16 size;
};

/**
 * struct ktap_stores - a simple program
 * @words: whole registers that fill the payload from its start: where each is
 *	in struct pt_regs
 * @words_end: behind the last one
 * @copies: the other stores
 * @copies_end: behind the last one
 */
struct ktap_stores {
	const u16 *words;
	const u16 *words_end;
	const struct ktap_copy *copies;
	const struct ktap_copy *copies_end;
};

/**
 * struct ktap_prog - a verified program
 * @info: what the verifier found
 * @stores: simple programs: the whole program
 * @insns: the program
 */
struct ktap_prog {
	struct ktap_prog_info info;
	struct ktap_stores stores;
	struct ktap_insn insns[];
};

struct ktap_prog *ktap_prog_create(const struct ktap_insn *insns, u32 nr,
				   const struct ktap_prog_place *place,
				   enum ktap_refusal *why, u32 *at);
void ktap_prog_destroy(struct ktap_prog *prog);

#endif /* KTAP_PROGRAM_H */
