/* SPDX-License-Identifier: GPL-2.0 */
/* What values nodes can have: sets is_unsigned, low and high, nothing else. */
#ifndef KTAP_CODEGEN_RANGE_H
#define KTAP_CODEGEN_RANGE_H

#include "codegen/node.h"

/**
 * range_set() - set the range of a node, and make the node signed
 * @n: node
 * @low: smallest value
 * @high: largest value
 */
void range_set(struct node *n, wide low, wide high);

/**
 * range_set_bits() - let a node be any number of some bits
 * @n: node; it becomes unsigned if @bits is 64 and @is_signed is false, else signed
 * @bits: 1 to 64
 * @is_signed: the highest bit is the sign
 */
void range_set_bits(struct node *n, unsigned int bits, bool is_signed);

/**
 * range_fits() - whether some bits have room for every value of a node
 * @n: node
 * @bits: 1 to 64
 * @is_signed: the highest bit is the sign
 *
 * Return: true if they have.
 */
bool range_fits(const struct node *n, unsigned int bits, bool is_signed);

/**
 * range_join() - set the range of a node that is one of two others
 * @n: node
 * @a: one of them
 * @b: the other
 *
 * If @a or @b is unsigned, @n is, and negative values become the unsigned values that
 * have the same 64 bits.
 */
void range_join(struct node *n, const struct node *a, const struct node *b);

/**
 * range_of() - set the range of a node that is the result of an operator
 * @n: node
 * @op: binary operator, but not OP_LAND, OP_LOR, OP_MATCH or OP_NO_MATCH
 * @a: left operand
 * @b: right operand
 *
 * If the result may not fit into 64 bits, the range is all numbers of 64 bits.
 */
void range_of(struct node *n, enum expr_op op, const struct node *a,
	      const struct node *b);

/**
 * range_signed() - whether an operator works on signed numbers
 * @op: binary operator
 * @a: left operand; it alone decides about shifts
 * @b: right operand
 *
 * Return: true if it does; false if an operand that decides is unsigned.
 */
bool range_signed(enum expr_op op, const struct node *a, const struct node *b);

#endif /* KTAP_CODEGEN_RANGE_H */
