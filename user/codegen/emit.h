/* SPDX-License-Identifier: GPL-2.0 */
/* Nodes to instructions. */
#ifndef KTAP_CODEGEN_EMIT_H
#define KTAP_CODEGEN_EMIT_H

#include <stddef.h>

#include "codegen/node.h"

/**
 * struct code - a program being made
 * @insns: room for KTAP_PROG_MAX
 * @nr: how many there are
 * @limit: no more than that
 * @full: there were more
 * @no_entry: fault bit that says that a frame was not found, or KTAP_NO_FAULT
 */
struct code {
	struct ktap_insn *insns;
	size_t nr;
	size_t limit;
	bool full;
	unsigned int no_entry;
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
 * bit @c->no_entry.
 */
void emit_node(struct code *c, const struct node *n, unsigned int slot);

#endif /* KTAP_CODEGEN_EMIT_H */
