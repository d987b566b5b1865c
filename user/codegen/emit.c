// SPDX-License-Identifier: GPL-2.0
/*
 * Nodes to instructions. A value is made in the slot it is wanted in; what is
 * needed beside it goes to those above.
 */
#include "codegen/emit.h"

#include <string.h>

#include "base/array.h"

void emit_insn(struct code *c, struct ktap_insn insn)
{
	if (c->nr == c->limit)
		c->full = true;
	else
		c->insns[c->nr++] = insn;
}

/* The instruction of @n: it comes next. */
static void emit_own(struct code *c, const struct node *n, struct ktap_insn insn)
{
	struct patch *more;

	if (n->param && c->nr < c->limit) {
		more = array_grow(c->patches, c->nr_patches, sizeof(*more));
		if (more) {
			c->patches = more;
			more[c->nr_patches++] = (struct patch){
				.insn = c->nr, .param = n->param - 1,
			};
		}
		c->no_memory |= !more;
	}
	emit_insn(c, insn);
}

static void emit_leaf(struct code *c, const struct node *n, unsigned int slot)
{
	struct ktap_insn insn = n->insn;

	insn.dst = slot;
	emit_own(c, n, insn);
}

static void emit_unary(struct code *c, const struct node *n, unsigned int slot)
{
	struct ktap_insn insn = n->insn;

	emit_node(c, n->args[0], slot);
	insn.dst = slot;
	insn.a = slot;
	if (insn.op == KTAP_OP_FRAME)
		insn.b = c->no_entry;
	if (insn.op == KTAP_OP_STATE_GET)
		insn.b = c->absent;
	emit_own(c, n, insn);
}

/* The operand that needs more slots comes first: no operand has effects. */
static void emit_binary(struct code *c, const struct node *n, unsigned int slot)
{
	bool right_first = n->args[1]->need > n->args[0]->need;
	struct ktap_insn insn = n->insn;

	emit_node(c, n->args[right_first], slot);
	emit_node(c, n->args[!right_first], slot + 1);
	insn.dst = slot;
	insn.a = slot + right_first;
	insn.b = slot + !right_first;
	emit_insn(c, insn);
}

static void emit_match(struct code *c, const struct node *n, unsigned int slot)
{
	size_t left = n->insn.imm, at = 0, size;

	emit_unary(c, n, slot);
	for (; left; at += size, left -= size) {
		struct ktap_insn data = { .op = KTAP_OP_DATA };

		size = left < sizeof(data.imm) ? left : sizeof(data.imm);
		memcpy(&data.imm, n->pattern + at, size);
		emit_insn(c, data);
	}
}

/* ---- jumps ---- */

/* A jump whose distance is not known yet; its place. */
static size_t emit_jump(struct code *c, enum ktap_op op, unsigned int slot)
{
	emit_insn(c, (struct ktap_insn){
		.op = op, .a = op == KTAP_OP_JZ ? slot : 0,
	});
	return c->nr - 1;
}

/* The jump at @jump leads to what comes next. */
static void land(struct code *c, size_t jump)
{
	if (!c->full)
		c->insns[jump].imm = c->nr - 1 - jump;
}

static void emit_and(struct code *c, const struct node *n, unsigned int slot)
{
	size_t over;

	emit_node(c, n->args[0], slot);
	over = emit_jump(c, KTAP_OP_JZ, slot);
	emit_node(c, n->args[1], slot);
	land(c, over);
}

/* slot = slot || slot + 1, where slot is 0 or bad: true only needs the one. */
static void emit_late_or(struct code *c, unsigned int slot)
{
	size_t no, end;

	no = emit_jump(c, KTAP_OP_JZ, slot + 1);
	emit_insn(c, (struct ktap_insn){
		.op = KTAP_OP_IMM, .dst = slot, .imm = 1,
	});
	end = emit_jump(c, KTAP_OP_JMP, 0);
	land(c, no);
	emit_insn(c, (struct ktap_insn){
		.op = KTAP_OP_ALU, .size = KTAP_ALU_OR,
		.dst = slot, .a = slot, .b = slot + 1,
	});
	land(c, end);
}

static void emit_or(struct code *c, const struct node *n, unsigned int slot)
{
	bool can_fail = n->args[0]->can_fail;
	size_t no, end;

	emit_node(c, n->args[0], slot);
	no = emit_jump(c, KTAP_OP_JZ, slot);
	end = emit_jump(c, KTAP_OP_JMP, 0);
	land(c, no);
	emit_node(c, n->args[1], slot + can_fail);
	if (can_fail)
		emit_late_or(c, slot);
	land(c, end);
}

/* Where the test is bad the value is: 0 or bad is added to the one for 0. */
static void emit_cond(struct code *c, const struct node *n, unsigned int slot)
{
	bool can_fail = n->args[0]->can_fail;
	size_t no, end;

	emit_node(c, n->args[0], slot);
	no = emit_jump(c, KTAP_OP_JZ, slot);
	emit_node(c, n->args[1], slot);
	end = emit_jump(c, KTAP_OP_JMP, 0);
	land(c, no);
	emit_node(c, n->args[2], slot + can_fail);
	if (can_fail)
		emit_insn(c, (struct ktap_insn){
			.op = KTAP_OP_ALU, .size = KTAP_ALU_ADD,
			.dst = slot, .a = slot, .b = slot + 1,
		});
	land(c, end);
}

static void (*const emitters[])(struct code *c, const struct node *n,
				unsigned int slot) = {
	[NODE_LEAF] = emit_leaf,
	[NODE_UNARY] = emit_unary,
	[NODE_BINARY] = emit_binary,
	[NODE_AND] = emit_and,
	[NODE_OR] = emit_or,
	[NODE_COND] = emit_cond,
	[NODE_MATCH] = emit_match,
};

void emit_node(struct code *c, const struct node *n, unsigned int slot)
{
	emitters[n->kind](c, n, slot);
}
