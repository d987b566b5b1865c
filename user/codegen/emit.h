/* SPDX-License-Identifier: GPL-2.0 */
/* Nodes to instructions. */
#ifndef KTAP_CODEGEN_EMIT_H
#define KTAP_CODEGEN_EMIT_H

#include <stddef.h>
#include <stdint.h>

#include "codegen/node.h"

/**
 * struct patch - an instruction with the value of a parameter
 * @in_entry: it is in the entry program
 * @insn: its number there
 * @param: index of the parameter
 */
struct patch {
	bool in_entry;
	uint16_t insn;
	uint32_t param;
};

/**
 * struct code - a program being made
 * @insns: room for KTAP_PROG_MAX
 * @nr: how many there are
 * @limit: no more than that
 * @full: there were more
 * @patches: instructions that have values of parameters; owned
 * @nr_patches: how many
 * @no_memory: one of them is missing
 * @no_entry: fault bit that says that a frame was not found, or KTAP_NO_FAULT
 * @absent: fault bit that says that a key has no entry, or KTAP_NO_FAULT
 */
struct code {
	struct ktap_insn *insns;
	size_t nr;
	size_t limit;
	bool full;
	struct patch *patches;
	size_t nr_patches;
	bool no_memory;
	unsigned int no_entry;
	unsigned int absent;
};

/**
 * emit_insn() - append an instruction
 * @c: program
 * @insn: instruction; copied
 *
 * If the program has @c->limit instructions already, nothing is appended and @c->full is
 * set.
 */
void emit_insn(struct code *c, struct ktap_insn insn);

/**
 * emit_node() - append the instructions that compute a node
 * @c: program; if there is no room for all instructions, @c->full is set
 * @n: node; stays as it is
 * @slot: slot that gets the value, or becomes bad
 *
 * The instructions overwrite @n->need slots, from @slot on. A KTAP_OP_FRAME gets the fault
 * bit @c->no_entry, a KTAP_OP_STATE_GET @c->absent. Those that have the value of a parameter are noted in @c->patches.
 */
void emit_node(struct code *c, const struct node *n, unsigned int slot);

#endif /* KTAP_CODEGEN_EMIT_H */
