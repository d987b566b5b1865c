/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values to be computed: typed trees between the syntax and the instructions.
 * All have 64 bits. What a node can be is known as a range, which decides about
 * signs as in C (with an int of 64 bits: narrower values keep theirs) and finds
 * what is always or never true.
 */
#ifndef KTAP_CODEGEN_NODE_H
#define KTAP_CODEGEN_NODE_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "codegen/term.h"

typedef __int128 wide;	/* any value, signed or not */

enum node_kind {
	NODE_LEAF,	/* insn alone: a constant is a KTAP_OP_IMM */
	NODE_UNARY,	/* insn on args[0] */
	NODE_BINARY,	/* insn, a KTAP_OP_ALU, on args[0] and args[1] */
	NODE_AND,	/* args[0] && args[1] */
	NODE_OR,	/* args[0] || args[1] */
	NODE_COND,	/* args[0] ? args[1] : args[2] */
	NODE_MATCH,	/* insn, a KTAP_OP_MATCH, on the text at args[0] */
};

#define NODE_ARGS 3

/**
 * struct node - one value
 * @kind: which members mean something
 * @at: where it stands in the definition
 * @insn: all but its slots
 * @pattern: of NODE_MATCH: insn.imm bytes; owned
 * @is_unsigned: it has 64 bits and no sign; all others are signed
 * @low: it is no less
 * @high: it is no more
 * @can_fail: it may turn out bad
 * @need: slots to compute it in
 * @args: operands; owned
 */
struct node {
	enum node_kind kind;
	struct span at;
	struct ktap_insn insn;
	char *pattern;
	bool is_unsigned;
	wide low;
	wide high;
	bool can_fail;
	unsigned int need;
	struct node *args[NODE_ARGS];
};

void node_free(struct node *n);
DEFINE_CLEANUP(struct node, node_free)

/*
 * The makers take their operands, also when they fail: then they return NULL,
 * which as an operand makes the next one fail too. Memory is the only reason.
 */

/* node_leaf() - what @insn gives, an unsigned number of @bits bits. */
struct node *node_leaf(struct span at, struct ktap_insn insn,
		       unsigned int bits, bool can_fail);
struct node *node_const(struct span at, uint64_t value, bool is_unsigned);
bool node_is_const(const struct node *n, uint64_t *ret);

/* node_load() - 8 bytes at @base + @displacement */
struct node *node_load(struct span at, struct node *base, int64_t displacement,
		       bool user);
/* node_frame() - value @nr of what was kept of the frame whose CFA is @cfa */
struct node *node_frame(struct span at, struct node *cfa, unsigned int nr);
/* node_add() - an address plus @displacement */
struct node *node_add(struct span at, struct node *base, int64_t displacement);
/* node_cast() - the low @bits bits, with their sign if @is_signed */
struct node *node_cast(struct span at, struct node *n, unsigned int bits,
		       bool is_signed);
/* node_narrow() - where @n reads memory and only its low @bits bits are
 * wanted, read no more: they come first. False: it is something else.
 */
bool node_narrow(struct node *n, unsigned int bits);
/* node_match() - whether the text at @address matches; @pattern is copied. */
struct node *node_match(struct span at, struct node *address, bool user,
			const char *pattern, size_t size);

/* node_unary(), node_binary(), node_cond() - as in C. */
struct node *node_unary(struct span at, enum expr_op op, struct node *n);
struct node *node_binary(struct span at, enum expr_op op, struct node *left,
			 struct node *right);
struct node *node_cond(struct span at, struct node *test, struct node *yes,
		       struct node *no);
/* node_bool() - 1 where @n is not 0 */
struct node *node_bool(struct node *n);

#endif /* KTAP_CODEGEN_NODE_H */
