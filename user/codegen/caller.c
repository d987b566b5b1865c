// SPDX-License-Identifier: GPL-2.0
/* $caller: the address that the function returns to, and in which function that is. */
#include "codegen/lower.h"

#include <errno.h>

#include "place/symtab.h"

/* At a return the program counter is it; before, it is where the call left it. */
int lower_caller(struct lower *l, const struct term *e, struct node **ret)
{
	unsigned int reg = l->is_return ? l->arch->pc : l->arch->link;
	struct ktap_insn insn = { .op = KTAP_OP_REG, .imm = reg };

	if (!l->is_return && !l->place->at_ret && !lower_at_entry(l)) {
		lower_fail(l, e, DIAG_COMPILE_CALLER);
		diag_hint(l->d, "probe the function's entry, or its return with %%return");
		return -EINVAL;
	}
	if (reg == ARCH_ON_STACK)
		insn = (struct ktap_insn){ .op = KTAP_OP_STACK };
	return lower_done(l, node_leaf(e->at, insn, 64,
				       insn.op == KTAP_OP_STACK), ret);
}

/* Whether the call was between @start and @end. A call that does not come back can be the
 * last instruction of its function: then what follows is another one.
 */
static struct node *is_between(struct lower *l, const struct term *e,
			       uint64_t start, uint64_t end)
{
	struct node *n = NULL;

	if (lower_caller(l, e, &n))
		return NULL;
	n = node_binary(e->at, OP_SUB, n, node_const(e->at, start + 1, true));
	return node_binary(e->at, OP_LT, n,
			   node_const(e->at, end - start, true));
}

static int no_function(struct lower *l, const struct term *name)
{
	lower_fail(l, name, DIAG_COMPILE_CALLER_NAME, name->text);
	diag_hint(l->d, "'ktap funcs GLOB' lists functions");
	return -EINVAL;
}

/* Of several functions that have the name any will do. */
static int is_in(struct lower *l, const struct term *e, const struct term *name,
		 struct node **ret)
{
	struct node *any = NULL, *one;
	struct ksym sym;
	uint64_t end;
	size_t pos = 0;

	while (ksyms_find(l->ks, name->text, &pos, &sym)) {
		if (!ksym_is_text(&sym))
			continue;
		if (ksyms_text_end(l->ks, sym.address, &end))
			return lower_done(l, NULL, ret);
		one = is_between(l, e, sym.address, end);
		any = any ? node_binary(e->at, OP_LOR, any, one) : one;
		if (!any)
			return l->d && l->d->code ? -EINVAL :
						    lower_done(l, NULL, ret);
	}
	*ret = any;
	return any ? 0 : no_function(l, name);
}

bool lower_is_caller(const struct term *e)
{
	return e->kind == TERM_BINARY &&
	       (e->base->kind == TERM_FUNCTION ||
		e->right->kind == TERM_FUNCTION);
}

int lower_compare_caller(struct lower *l, const struct term *e,
			 struct node **ret)
{
	bool first = e->base->kind == TERM_FUNCTION;
	const struct term *name = first ? e->base : e->right;
	const struct term *caller = first ? e->right : e->base;
	struct node *n = NULL;
	int err;

	if (l->place->path)
		return lower_fail(l, name, DIAG_COMPILE_CALLER_PROGRAM);
	if (!l->ks)
		return lower_fail(l, name, DIAG_COMPILE_NO_SYMBOLS, name->text);
	if (ksyms_hidden(l->ks)) {
		lower_fail(l, name, DIAG_KSYMS_HIDDEN, name->text);
		addresses_hint(l->d);
		return -EINVAL;
	}
	err = is_in(l, caller, name, &n);
	if (err)
		return err;
	if (e->op == OP_NE)
		n = node_unary(e->at, OP_NOT, n);
	return lower_done(l, n, ret);
}
