/* SPDX-License-Identifier: GPL-2.0 */
/* Operators of expressions, for the parser and for those who compute them. */
#ifndef KTAP_BASE_OP_H
#define KTAP_BASE_OP_H

/* Operators of C, and operators of the kernel's string filters. */
enum expr_op {
	OP_NEG, OP_INVERT, OP_NOT,	/* unary: - ~ ! */
	OP_TARGET, OP_ADDRESS,		/* unary: * & */
	OP_LOR, OP_LAND, OP_OR, OP_XOR, OP_AND,
	OP_EQ, OP_NE, OP_MATCH, OP_NO_MATCH,
	OP_LT, OP_LE, OP_GT, OP_GE,
	OP_SHL, OP_SHR, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD,
	OP_NR
};

/**
 * op_text() - an operator as it is written
 * @op: the operator
 *
 * Return: a constant string.
 */
const char *op_text(enum expr_op op);

/**
 * op_precedence() - how strongly an operator binds
 * @op: the operator
 *
 * Return: 1 for the operator that binds least, up to 10; 0 for unary operators.
 */
unsigned int op_precedence(enum expr_op op);

#endif /* KTAP_BASE_OP_H */
