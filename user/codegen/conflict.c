// SPDX-License-Identifier: GPL-2.0
/*
 * Conditions on one value that cannot hold together. Each comparison with a
 * constant allows an interval; of intervals that overlap in pairs all overlap.
 */
#include "codegen/conflict.h"

#include <stdint.h>
#include <string.h>

/* struct bound - what one comparison allows of @value */
struct bound {
	const struct node *value;
	bool is_signed;
	bool is_either;	/* it says the same of both kinds of numbers */
	wide low;
	wide high;
};

static bool is_same(const struct node *a, const struct node *b)
{
	if (!a || !b)
		return a == b;
	if (a->kind != b->kind || a->pattern || b->pattern || a->param != b->param ||
	    memcmp(&a->insn, &b->insn, sizeof(a->insn)) != 0)
		return false;
	for (int i = 0; i < NODE_ARGS; i++)
		if (!is_same(a->args[i], b->args[i]))
			return false;
	return true;
}

static wide number(uint64_t value, bool is_signed)
{
	return is_signed ? (wide)(int64_t)value : (wide)value;
}

/* @value OP @constant, or the other way round if it is @reversed. */
static bool set_bound(struct bound *b, const struct node *value,
		      enum ktap_alu op, uint64_t constant, bool reversed)
{
	bool or_equal = op == KTAP_ALU_LEU || op == KTAP_ALU_LES;
	wide c;

	*b = (struct bound){
		.value = value,
		.is_signed = op == KTAP_ALU_LTS || op == KTAP_ALU_LES,
		.is_either = op == KTAP_ALU_EQ,
	};
	b->low = b->is_signed ? INT64_MIN : 0;
	b->high = b->is_signed ? INT64_MAX : (wide)UINT64_MAX;
	c = number(constant, b->is_signed);
	switch (op) {
	case KTAP_ALU_EQ:
		b->low = c;
		b->high = c;
		return true;
	case KTAP_ALU_LTU:
	case KTAP_ALU_LEU:
	case KTAP_ALU_LTS:
	case KTAP_ALU_LES:
		if (reversed)
			b->low = c + !or_equal;
		else
			b->high = c - !or_equal;
		return true;
	default:
		return false;
	}
}

static bool bound_of(const struct node *n, struct bound *b)
{
	uint64_t value;

	/* a parameter can be anything */
	if (n->param)
		return false;
	if (n->insn.op == KTAP_OP_ALUI)
		return set_bound(b, n->args[0], n->insn.size, n->insn.imm,
				 false);
	if (n->insn.op == KTAP_OP_ALU && node_is_const(n->args[0], &value))
		return set_bound(b, n->args[1], n->insn.size, value, true);
	return false;
}

static void make_signed(struct bound *b)
{
	b->low = number((uint64_t)b->low, true);
	b->high = b->low;
	b->is_signed = true;
}

static bool is_disjoint(struct bound a, struct bound b)
{
	if (a.is_either && b.is_signed)
		make_signed(&a);
	if (b.is_either && a.is_signed)
		make_signed(&b);
	return a.is_signed == b.is_signed &&
	       (a.high < b.low || b.high < a.low);
}

bool node_conflict(const struct node *a, const struct node *b)
{
	struct bound x, y;

	if (a->kind == NODE_AND)
		return node_conflict(a->args[0], b) ||
		       node_conflict(a->args[1], b);
	if (b->kind == NODE_AND)
		return node_conflict(a, b->args[0]) ||
		       node_conflict(a, b->args[1]);
	return bound_of(a, &x) && bound_of(b, &y) &&
	       is_same(x.value, y.value) && is_disjoint(x, y);
}
