/* SPDX-License-Identifier: GPL-2.0 */
/* Programs for the kernel and for user space, and memory that both know. */
#ifndef KTAP_TESTS_FUZZ_PROGRAMS_H
#define KTAP_TESTS_FUZZ_PROGRAMS_H

#include "env_user.h"
#include "fuzzer.h"
#include "hit/fetch.h"
#include "hit/verify.h"
#include "made_program.h"

#define NR_VALUES	6	/* arguments of what is called */
#define IMAGE_SIZE	(4 * 4096)
#define INSNS_MAX	(MADE_PROGRAM_MAX + 8)

/**
 * struct scene - a hit
 * @kind: what is probed
 * @values: arguments of the function, or of the tracepoint
 * @image: address of the kernel's memory that is known; 0: none is
 */
struct scene {
	const struct kind *kind;
	u64 values[NR_VALUES];
	uint64_t image;
};

/**
 * struct kind - of probe
 * @type: KTAP_TYPE_*
 * @hook: forced, or NULL
 * @is_user: its memory is the user's
 * @is_return: it has an entry program, too
 * @no_regs: it has arguments instead
 */
struct kind {
	const char *name;
	uint32_t type;
	const char *hook;
	bool is_user;
	bool is_return;
	bool no_regs;
};

/* ---- memory ------------------------------------------------------------------------ */

/* memory_open() - ours, at an address that no seed changes. */
void memory_open(uint64_t image);

/* memory_address() - somewhere in it, near its ends, or nowhere. */
uint64_t memory_address(struct chance *c);

/**
 * struct spent - what a run of the interpreter did to memory
 * @ps: at the prices of hit/cost.h, at least
 * @strange: it read what only the kernel knows: the result says nothing
 */
struct spent {
	uint64_t ps;
	bool strange;
};

extern struct spent memory_spent;

/* ---- programs ---------------------------------------------------------------------- */

/* shape_program() - one for this hit. Return: instructions. */
uint32_t shape_program(struct chance *c, const struct kind *kind, bool at_entry,
		       struct ktap_insn *insns);

#endif /* KTAP_TESTS_FUZZ_PROGRAMS_H */
