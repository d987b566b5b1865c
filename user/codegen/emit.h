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

/* Where there is no room both do nothing but say so, in @full. */
void emit_insn(struct code *c, struct ktap_insn insn);
/* emit_node() - @n's value, or bad, into @slot; those above it are used. */
void emit_node(struct code *c, const struct node *n, unsigned int slot);

#endif /* KTAP_CODEGEN_EMIT_H */
