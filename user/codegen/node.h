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
 * @param: insn.imm is the value of a parameter: 1 + its index; 0: it is none
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
	unsigned int param;
	char *pattern;
	bool is_unsigned;
	wide low;
	wide high;
	bool can_fail;
	unsigned int need;
	struct node *args[NODE_ARGS];
};

/**
 * node_free() - free a node and its operands
 * @n: node; or NULL
 */
void node_free(struct node *n);
DEFINE_CLEANUP(struct node, node_free)

/*
 * The makers take their operands, also when they fail: then they return NULL,
 * which as an operand makes the next one fail too. Memory is the only reason.
 */

/**
 * node_leaf() - make the node of an instruction that has no operands
 * @at: its position in the definition
 * @insn: instruction; its slots are set when it is emitted
 * @bits: width of the value, which is unsigned; at most 64
 * @can_fail: the instruction may make its slot bad
 *
 * Return: the node, to be freed with node_free(); NULL: no memory.
 */
struct node *node_leaf(struct span at, struct ktap_insn insn,
		       unsigned int bits, bool can_fail);

/**
 * node_const() - make a constant
 * @at: its position in the definition
 * @value: its 64 bits
 * @is_unsigned: they are a number without a sign; else they have one
 *
 * Return: the node, to be freed with node_free(); NULL: no memory.
 */
struct node *node_const(struct span at, uint64_t value, bool is_unsigned);

/**
 * node_param() - make the value of a parameter
 * @at: its position in the definition
 * @param: parameter; its value may be replaced by any other one of its type in the program
 * @index: of the parameter
 *
 * It is no constant: nothing is computed with the value before the program runs.
 *
 * Return: the node, to be freed with node_free(); NULL: no memory.
 */
struct node *node_param(struct span at, const struct param *param,
			unsigned int index);

/**
 * node_is_const() - whether a node is a constant
 * @n: node
 * @ret: set if it is one: its 64 bits
 *
 * Return: true if it is one.
 */
bool node_is_const(const struct node *n, uint64_t *ret);

/**
 * node_load() - read 8 bytes of memory
 * @at: its position in the definition
 * @base: address; taken
 * @displacement: bytes that are added to @base
 * @user: the memory is a program's
 *
 * The value is unsigned, and bad if the memory cannot be read.
 *
 * Return: the node; NULL: no memory.
 */
struct node *node_load(struct span at, struct node *base, int64_t displacement,
		       bool user);

/**
 * node_frame() - read a register that the kernel stored at the entry of the function
 * @at: its position in the definition
 * @cfa: the CFA of the frame, by which the kernel finds it; taken
 * @nr: index of the register in struct frame_regs
 *
 * The value is unsigned, and bad if the kernel has no such frame.
 *
 * Return: the node; NULL: no memory.
 */
struct node *node_frame(struct span at, struct node *cfa, unsigned int nr);

/**
 * node_state() - load what was stored for other probes
 * @at: its position in the definition
 * @key: key; taken
 * @flags: KTAP_INSN_F_TASK, KTAP_INSN_F_TAKE
 *
 * The value is unsigned, and bad if nothing is stored under that key.
 *
 * Return: the node; NULL: no memory.
 */
struct node *node_state(struct span at, struct node *key, unsigned int flags);

/**
 * node_add() - add a constant to an address
 * @at: its position in the definition
 * @base: address; taken
 * @displacement: bytes; 0: the node is @base itself
 *
 * Return: the node; NULL: no memory.
 */
struct node *node_add(struct span at, struct node *base, int64_t displacement);

/**
 * node_cast() - take the low bits of a value
 * @at: its position in the definition
 * @n: value; taken
 * @bits: how many; 1 to 64
 * @is_signed: the highest of them is the sign
 *
 * Return: the node, which may be @n, changed; NULL: no memory.
 */
struct node *node_cast(struct span at, struct node *n, unsigned int bits,
		       bool is_signed);

/**
 * node_narrow() - make a node read fewer bytes
 * @n: node of which only the low bits are needed; changed in place
 * @bits: how many; at least 8
 *
 * A node can be changed if it is a KTAP_OP_LOAD or a KTAP_OP_ENTRY without sign extension,
 * and @bits is a size that can be read. The low bytes come first in memory.
 *
 * Return: true if @n reads @bits bits, without a sign, from here on; false: it is
 *	unchanged.
 */
bool node_narrow(struct node *n, unsigned int bits);

/**
 * node_match() - compare a string in memory with a pattern
 * @at: its position in the definition
 * @address: of the string; taken
 * @user: the string is in the memory of a program
 * @pattern: a glob as KTAP_OP_MATCH has it; copied
 * @size: bytes of @pattern, without a NUL; at most KTAP_PATTERN_MAX
 *
 * The value is 1 or 0, and bad if the string cannot be read. The kernel compares the first
 * KTAP_MATCH_MAX bytes of the string.
 *
 * Return: the node; NULL: no memory.
 */
struct node *node_match(struct span at, struct node *address, bool user,
			const char *pattern, size_t size);

/**
 * node_unary() - apply a unary operator as C does
 * @at: its position in the definition
 * @op: OP_NEG, OP_INVERT or OP_NOT
 * @n: operand; taken
 *
 * Return: the node; NULL: no memory.
 */
struct node *node_unary(struct span at, enum expr_op op, struct node *n);

/**
 * node_binary() - apply a binary operator as C does, with an int of 64 bits
 * @at: its position in the definition
 * @op: a binary operator, but not OP_MATCH or OP_NO_MATCH, which node_match() is for
 * @left: operand; taken
 * @right: operand; taken
 *
 * The right operand of OP_LAND and OP_LOR is evaluated only if C evaluates it. Of the other
 * operators, a result that is known and cannot fail becomes a constant. A division by zero
 * gives a bad value.
 *
 * Return: the node; NULL: no memory.
 */
struct node *node_binary(struct span at, enum expr_op op, struct node *left,
			 struct node *right);

/**
 * node_cond() - choose one of two values
 * @at: its position in the definition
 * @test: condition; taken
 * @yes: value if @test is not 0; taken
 * @no: value if @test is 0; taken
 *
 * Only the value that is chosen is evaluated. If @test is bad, the result is bad.
 *
 * Return: the node; NULL: no memory.
 */
struct node *node_cond(struct span at, struct node *test, struct node *yes,
		       struct node *no);

/**
 * node_bool() - turn a value into a truth value
 * @n: value; taken; or NULL
 *
 * Return: a node that is 1 if @n is not 0, and else 0; @n itself if its range is within
 *	0 and 1; NULL: no memory.
 */
struct node *node_bool(struct node *n);

#endif /* KTAP_CODEGEN_NODE_H */
