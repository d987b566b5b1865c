// SPDX-License-Identifier: GPL-2.0
/* Changing a tree where it stands: errors still find their column. */
#include <errno.h>
#include <stdlib.h>

#include "bind/bind_in.h"

int vars_wrap(struct vars *v, struct expr *e, enum expr_kind kind)
{
	struct expr *inner = expr_new(kind, v->d);

	if (!inner)
		return -ENOMEM;
	*inner = *e;
	*e = (struct expr){
		.kind = kind, .at = inner->at, .name_at = inner->name_at,
		.height = inner->height + 1, .base = inner,
	};
	return 0;
}

void vars_unwrap(struct expr *e)
{
	struct expr *inner = e->base;

	e->base = NULL;
	inner->at = e->at;
	free(e->text);
	expr_free(e->right);
	*e = *inner;
	free(inner);
}

void vars_fold(struct expr *e)
{
	struct expr *base = e->base;

	if (base->kind != EXPR_BINARY || base->op != OP_ADD ||
	    base->right->kind != EXPR_IMM)
		return;
	e->value = (int64_t)((uint64_t)e->value +
			     (uint64_t)base->right->value);
	vars_unwrap(base);
}

int vars_op(struct vars *v, struct expr *e, enum expr_op op, int64_t value)
{
	struct expr *right;

	if (e->kind == EXPR_IMM && op == OP_MUL) {
		e->value = (int64_t)((uint64_t)e->value * (uint64_t)value);
		return 0;
	}
	right = expr_new(EXPR_IMM, v->d);
	if (!right)
		return -ENOMEM;
	right->at = e->at;
	right->value = value;
	if (vars_wrap(v, e, EXPR_BINARY)) {
		expr_free(right);
		return -ENOMEM;
	}
	e->op = op;
	e->right = right;
	return 0;
}

int vars_cast(struct vars *v, struct expr *e, enum type_kind kind,
	      unsigned int size)
{
	int err = vars_wrap(v, e, EXPR_CAST);

	e->type.kind = kind;
	e->type.size = size;
	return err;
}
