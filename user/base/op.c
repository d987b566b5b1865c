// SPDX-License-Identifier: GPL-2.0
/* How operators are written, and how strongly they bind. */
#include "base/op.h"

static const struct {
	const char *text;
	unsigned int precedence;
} ops[] = {
	[OP_NEG] = { "-", 0 },
	[OP_INVERT] = { "~", 0 },
	[OP_NOT] = { "!", 0 },
	[OP_TARGET] = { "*", 0 },
	[OP_ADDRESS] = { "&", 0 },
	[OP_LOR] = { "||", 1 },
	[OP_LAND] = { "&&", 2 },
	[OP_OR] = { "|", 3 },
	[OP_XOR] = { "^", 4 },
	[OP_AND] = { "&", 5 },
	[OP_EQ] = { "==", 6 },
	[OP_NE] = { "!=", 6 },
	[OP_MATCH] = { "~", 6 },
	[OP_NO_MATCH] = { "!~", 6 },
	[OP_LT] = { "<", 7 },
	[OP_LE] = { "<=", 7 },
	[OP_GT] = { ">", 7 },
	[OP_GE] = { ">=", 7 },
	[OP_SHL] = { "<<", 8 },
	[OP_SHR] = { ">>", 8 },
	[OP_ADD] = { "+", 9 },
	[OP_SUB] = { "-", 9 },
	[OP_MUL] = { "*", 10 },
	[OP_DIV] = { "/", 10 },
	[OP_MOD] = { "%", 10 },
};

const char *op_text(enum expr_op op)
{
	return ops[op].text;
}

unsigned int op_precedence(enum expr_op op)
{
	return ops[op].precedence;
}
