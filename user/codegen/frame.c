// SPDX-License-Identifier: GPL-2.0
/*
 * Values at the entry of the function that a probe is in. The kernel keeps
 * registers there and finds them again by the frame's CFA, which the probe
 * computes from its own registers.
 */
#include "codegen/frame.h"

#include <errno.h>

#include "codegen/lower.h"

/* The number of a register among those that are kept, or -1: too many. */
static int number_of(struct frame_regs *f, uint8_t reg)
{
	unsigned int i;

	for (i = 0; i < f->nr; i++)
		if (f->regs[i] == reg)
			return (int)i;
	if (f->nr == KTAP_NR_FRAME_REGS)
		return -1;
	f->regs[f->nr] = reg;
	return (int)f->nr++;
}

int lower_frame(struct lower *l, const struct term *e, struct node **ret)
{
	struct node *cfa = NULL;
	int err, nr;

	if (l->place->is_entry && !l->is_return)
		return lower_done(l, node_leaf(e->at, (struct ktap_insn){
			.op = KTAP_OP_REG, .imm = (uint64_t)e->value,
		}, 64, false), ret);
	if (!l->place->has_frame || l->is_return)
		return lower_quote(l, e, DIAG_COMPILE_NO_FRAME);
	nr = number_of(l->frame, (uint8_t)e->value);
	if (nr < 0)
		return lower_fail(l, e, DIAG_COMPILE_FRAME_REGS,
				  KTAP_NR_FRAME_REGS);
	err = lower_value(l, e->base, &cfa);
	return err ? err : lower_done(l, node_frame(e->at, cfa, (unsigned int)nr),
				      ret);
}

bool node_has(const struct node *n, enum ktap_op op)
{
	size_t i;

	if (!n)
		return false;
	for (i = 0; i < NODE_ARGS; i++)
		if (node_has(n->args[i], op))
			return true;
	return n->insn.op == op;
}
