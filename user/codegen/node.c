// SPDX-License-Identifier: GPL-2.0
/* Making nodes: which instruction, how many slots, what can be told already. */
#include "codegen/node.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "codegen/conflict.h"
#include "codegen/range.h"

void node_free(struct node *n)
{
	size_t i;

	if (!n)
		return;
	for (i = 0; i < NODE_ARGS; i++)
		node_free(n->args[i]);
	free(n->pattern);
	free(n);
}

static unsigned int max_of(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

/* ---- what needs no operator ---- */

struct node *node_leaf(struct span at, struct ktap_insn insn,
		       unsigned int bits, bool can_fail)
{
	struct node *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->kind = NODE_LEAF;
	n->at = at;
	n->insn = insn;
	n->can_fail = can_fail;
	n->need = 1;
	range_set_bits(n, bits, false);
	return n;
}

struct node *node_const(struct span at, uint64_t value, bool is_unsigned)
{
	struct node *n;

	n = node_leaf(at, (struct ktap_insn){ .op = KTAP_OP_IMM, .imm = value },
		      64, false);
	if (!n)
		return NULL;
	n->is_unsigned = is_unsigned;
	n->low = is_unsigned ? (wide)value : (wide)(int64_t)value;
	n->high = n->low;
	return n;
}

struct node *node_param(struct span at, const struct param *param,
			unsigned int index)
{
	struct node *n;

	n = node_leaf(at, (struct ktap_insn){
		.op = KTAP_OP_IMM, .imm = param->value,
	}, 64, false);
	if (!n)
		return NULL;
	n->param = index + 1;
	range_set_bits(n, param->size * 8, param->kind == PARAM_SIGNED);
	return n;
}

/* A constant, or the value of a parameter: the operand of a KTAP_OP_ALUI */
static bool is_immediate(const struct node *n)
{
	return n->kind == NODE_LEAF && n->insn.op == KTAP_OP_IMM;
}

bool node_is_const(const struct node *n, uint64_t *ret)
{
	if (!is_immediate(n) || n->param)
		return false;
	*ret = n->insn.imm;
	return true;
}

/* ---- one operand ---- */

/* @insn on @base: what it gives is for the caller to say. */
static struct node *one(struct span at, struct node *base,
			struct ktap_insn insn)
{
	struct node *n = base ? calloc(1, sizeof(*n)) : NULL;

	if (!n) {
		node_free(base);
		return NULL;
	}
	n->kind = NODE_UNARY;
	n->at = at;
	n->insn = insn;
	n->can_fail = base->can_fail;
	n->need = base->need;
	n->args[0] = base;
	range_set_bits(n, 64, false);
	return n;
}

static struct ktap_insn alui(enum ktap_alu op, uint64_t imm)
{
	return (struct ktap_insn){
		.op = KTAP_OP_ALUI, .size = op, .imm = imm,
	};
}

static struct node *can_fail(struct node *n)
{
	if (n)
		n->can_fail = true;
	return n;
}

struct node *node_load(struct span at, struct node *base, int64_t displacement,
		       bool user)
{
	return can_fail(one(at, base, (struct ktap_insn){
		.op = KTAP_OP_LOAD,
		.size = 8,
		.flags = user ? KTAP_INSN_F_USER : 0,
		.imm = (uint64_t)displacement,
	}));
}

struct node *node_frame(struct span at, struct node *cfa, unsigned int nr)
{
	return can_fail(one(at, cfa, (struct ktap_insn){
		.op = KTAP_OP_FRAME, .b = KTAP_NO_FAULT, .imm = nr,
	}));
}

struct node *node_state(struct span at, struct node *key, unsigned int flags)
{
	return can_fail(one(at, key, (struct ktap_insn){
		.op = KTAP_OP_STATE_GET, .b = KTAP_NO_FAULT, .flags = flags,
	}));
}

struct node *node_add(struct span at, struct node *base, int64_t displacement)
{
	uint64_t value;

	if (!base || !displacement)
		return base;
	if (node_is_const(base, &value)) {
		node_free(base);
		return node_const(at, value + (uint64_t)displacement, true);
	}
	return one(at, base, alui(KTAP_ALU_ADD, (uint64_t)displacement));
}

bool node_narrow(struct node *n, unsigned int bits)
{
	unsigned int size = bits / 8;

	if ((n->insn.op != KTAP_OP_LOAD && n->insn.op != KTAP_OP_ENTRY) || bits % 8 || n->insn.size < size ||
	    size & (size - 1) || n->insn.flags & KTAP_INSN_F_SIGNED)
		return false;
	n->insn.size = size;
	range_set_bits(n, bits, false);
	return true;
}

static struct node *cast_const(struct node *n, uint64_t value,
			       unsigned int bits, bool is_signed)
{
	struct span at = n->at;

	node_free(n);
	value <<= 64 - bits;
	value = is_signed ? (uint64_t)((int64_t)value >> (64 - bits)) :
			    value >> (64 - bits);
	return node_const(at, value, bits == 64 && !is_signed);
}

/* All 64 bits stay: only what they mean changes. */
static struct node *cast_whole(struct node *n, bool is_signed)
{
	if (range_fits(n, 64, is_signed))
		n->is_unsigned = !is_signed;
	else
		range_set_bits(n, 64, is_signed);
	return n;
}

static struct node *cut_bits(struct span at, struct node *n, unsigned int bits,
			     bool is_signed)
{
	if (is_signed) {
		n = one(at, n, alui(KTAP_ALU_SHL, 64 - bits));
		n = one(at, n, alui(KTAP_ALU_SAR, 64 - bits));
	} else {
		n = one(at, n, alui(KTAP_ALU_AND, (1ULL << bits) - 1));
	}
	if (n)
		range_set_bits(n, bits, is_signed);
	return n;
}

struct node *node_cast(struct span at, struct node *n, unsigned int bits,
		       bool is_signed)
{
	uint64_t value;

	if (!n)
		return NULL;
	if (node_is_const(n, &value))
		return cast_const(n, value, bits, is_signed);
	if (node_narrow(n, bits)) {
		if (is_signed)
			n->insn.flags |= KTAP_INSN_F_SIGNED;
		range_set_bits(n, bits, is_signed);
		return n;
	}
	if (bits == 64)
		return cast_whole(n, is_signed);
	if (!range_fits(n, bits, is_signed))
		return cut_bits(at, n, bits, is_signed);
	n->is_unsigned = false;
	return n;
}

struct node *node_match(struct span at, struct node *address, bool user,
			const char *pattern, size_t size)
{
	struct node *n;

	n = one(at, address, (struct ktap_insn){
		.op = KTAP_OP_MATCH,
		.flags = user ? KTAP_INSN_F_USER : 0,
		.imm = size,
	});
	if (!n)
		return NULL;
	n->kind = NODE_MATCH;
	n->can_fail = true;
	range_set(n, 0, 1);
	n->pattern = calloc(1, size + 1);
	if (!n->pattern) {
		node_free(n);
		return NULL;
	}
	memcpy(n->pattern, pattern, size);
	return n;
}

/* ---- operators ---- */

/* What can only be one value, and is there, is a constant. */
static struct node *settle(struct node *n)
{
	struct node *made;

	if (!n || n->can_fail || n->low != n->high || is_immediate(n))
		return n;
	made = node_const(n->at, (uint64_t)n->low, n->is_unsigned);
	node_free(n);
	return made;
}

struct node *node_bool(struct node *n)
{
	struct node *made;
	bool never, always;

	if (!n || (n->low >= 0 && n->high <= 1))
		return n;
	never = !n->low && !n->high;
	always = n->low > 0 || n->high < 0;
	made = one(n->at, n, alui(KTAP_ALU_NE, 0));
	if (made)
		range_set(made, always, !never);
	return settle(made);
}

struct node *node_unary(struct span at, enum expr_op op, struct node *n)
{
	bool is_unsigned;

	if (!n)
		return NULL;
	is_unsigned = n->is_unsigned;
	if (op == OP_INVERT)
		return node_binary(at, OP_XOR, n,
				   node_const(at, UINT64_MAX, is_unsigned));
	if (op == OP_NEG)
		return node_binary(at, OP_SUB, node_const(at, 0, is_unsigned),
				   n);
	return node_binary(at, OP_EQ, n, node_const(at, 0, false));
}

/* struct alu - what an operator is on unsigned and on signed numbers */
struct alu {
	enum ktap_alu u;
	enum ktap_alu s;
	bool swap;
};

static const struct alu alus[OP_NR] = {
	[OP_OR] = { KTAP_ALU_OR, KTAP_ALU_OR },
	[OP_XOR] = { KTAP_ALU_XOR, KTAP_ALU_XOR },
	[OP_AND] = { KTAP_ALU_AND, KTAP_ALU_AND },
	[OP_EQ] = { KTAP_ALU_EQ, KTAP_ALU_EQ },
	[OP_NE] = { KTAP_ALU_NE, KTAP_ALU_NE },
	[OP_LT] = { KTAP_ALU_LTU, KTAP_ALU_LTS },
	[OP_LE] = { KTAP_ALU_LEU, KTAP_ALU_LES },
	[OP_GT] = { KTAP_ALU_LTU, KTAP_ALU_LTS, true },
	[OP_GE] = { KTAP_ALU_LEU, KTAP_ALU_LES, true },
	[OP_SHL] = { KTAP_ALU_SHL, KTAP_ALU_SHL },
	[OP_SHR] = { KTAP_ALU_SHR, KTAP_ALU_SAR },
	[OP_ADD] = { KTAP_ALU_ADD, KTAP_ALU_ADD },
	[OP_SUB] = { KTAP_ALU_SUB, KTAP_ALU_SUB },
	[OP_MUL] = { KTAP_ALU_MUL, KTAP_ALU_MUL },
	[OP_DIV] = { KTAP_ALU_DIVU, KTAP_ALU_DIVS },
	[OP_MOD] = { KTAP_ALU_MODU, KTAP_ALU_MODS },
};

static bool commutes(enum ktap_alu op)
{
	return op == KTAP_ALU_ADD || op == KTAP_ALU_MUL || op == KTAP_ALU_AND ||
	       op == KTAP_ALU_OR || op == KTAP_ALU_XOR || op == KTAP_ALU_EQ ||
	       op == KTAP_ALU_NE;
}

static void swap(struct node **a, struct node **b)
{
	struct node *c = *a;

	*a = *b;
	*b = c;
}

/* Both operands at once: the one that needs more slots comes first. */
static unsigned int need_of_two(const struct node *a, const struct node *b)
{
	return a->need == b->need ? a->need + 1 : max_of(a->need, b->need);
}

/* A division by a parameter may be one by zero. */
static struct node *make_alui(struct span at, enum ktap_alu op,
			      struct node *left, struct node *right)
{
	bool divides = op >= KTAP_ALU_DIVU, can_fail = left->can_fail;
	uint64_t value = right->insn.imm;
	unsigned int param = right->param;
	struct node *n;

	node_free(right);
	n = one(at, left, alui(op, value));
	if (!n)
		return NULL;
	n->param = param;
	if (divides)
		n->can_fail = can_fail || !value || param;
	return n;
}

static struct node *make_alu(struct span at, enum ktap_alu op,
			     struct node *left, struct node *right)
{
	bool divides = op >= KTAP_ALU_DIVU, can_fail;
	struct node *n;

	if (commutes(op) && is_immediate(left))
		swap(&left, &right);
	can_fail = left->can_fail || right->can_fail || divides;
	if (is_immediate(right))
		return make_alui(at, op, left, right);
	n = node_leaf(at, (struct ktap_insn){ .op = KTAP_OP_ALU, .size = op },
		      64, can_fail);
	if (!n) {
		node_free(left);
		node_free(right);
		return NULL;
	}
	n->kind = NODE_BINARY;
	n->need = need_of_two(left, right);
	n->args[0] = left;
	n->args[1] = right;
	return n;
}

/*
 * Each operand only where the one before it says so. They are not settled: who
 * looks for what is never true wants to find the part that is not.
 */
static struct node *make_logic(struct span at, enum node_kind kind,
			       struct node *test, struct node *yes,
			       struct node *no)
{
	struct node *n;

	if (!test || !yes || (kind == NODE_COND && !no))
		n = NULL;
	else
		n = calloc(1, sizeof(*n));
	if (!n) {
		node_free(test);
		node_free(yes);
		node_free(no);
		return NULL;
	}
	n->kind = kind;
	n->at = at;
	n->args[0] = test;
	n->args[1] = yes;
	n->args[2] = no;
	n->can_fail = test->can_fail || yes->can_fail || (no && no->can_fail);
	n->need = max_of(test->need, yes->need);
	return n;
}

static struct node *make_and(struct span at, struct node *left,
			     struct node *right)
{
	struct node *n = make_logic(at, NODE_AND, node_bool(left),
				    node_bool(right), NULL);

	if (n)
		range_set(n, n->args[0]->low && n->args[1]->low,
			  n->args[0]->high && n->args[1]->high &&
				  !node_conflict(n->args[0], n->args[1]));
	return n;
}

/* Where the first may be bad, it is kept while the second is looked at. */
static struct node *make_or(struct span at, struct node *left,
			    struct node *right)
{
	struct node *n = make_logic(at, NODE_OR, node_bool(left),
				    node_bool(right), NULL);

	if (!n)
		return NULL;
	range_set(n, n->args[0]->low || n->args[1]->low,
		  n->args[0]->high || n->args[1]->high);
	if (n->args[0]->can_fail)
		n->need = max_of(n->need, n->args[1]->need + 1);
	return n;
}

struct node *node_cond(struct span at, struct node *test, struct node *yes,
		       struct node *no)
{
	struct node *n = make_logic(at, NODE_COND, test, yes, no);
	unsigned int more;

	if (!n)
		return NULL;
	more = n->args[0]->can_fail;
	n->need = max_of(n->need, n->args[2]->need + more);
	range_join(n, n->args[1], n->args[2]);
	return settle(n);
}

struct node *node_binary(struct span at, enum expr_op op, struct node *left,
			 struct node *right)
{
	const struct alu *alu = &alus[op];
	struct node range = {};
	struct node *n;

	if (op == OP_LAND)
		return make_and(at, left, right);
	if (op == OP_LOR)
		return make_or(at, left, right);
	if (!left || !right) {
		node_free(left);
		node_free(right);
		return NULL;
	}
	range_of(&range, op, left, right);
	if (alu->swap)
		swap(&left, &right);
	n = make_alu(at, range_signed(op, left, right) ? alu->s : alu->u, left,
		     right);
	if (!n)
		return NULL;
	n->is_unsigned = range.is_unsigned;
	n->low = range.low;
	n->high = range.high;
	return settle(n);
}
