// SPDX-License-Identifier: GPL-2.0
/* Changing a tree where it stands: errors still find their column. */
#include <errno.h>
#include <stdlib.h>

#include "bind/bind_in.h"

int vars_wrap(struct vars *v, struct term *e, enum term_kind kind)
{
	struct term *inner = term_new(kind, v->d);

	if (!inner)
		return -ENOMEM;
	*inner = *e;
	*e = (struct term){
		.kind = kind, .at = inner->at, .name_at = inner->name_at,
		.height = inner->height + 1, .base = inner,
	};
	return 0;
}

void vars_unwrap(struct term *e)
{
	struct term *inner = e->base;

	e->base = NULL;
	inner->at = e->at;
	free(e->text);
	term_free(e->right);
	*e = *inner;
	free(inner);
}

void vars_fold(struct term *e)
{
	struct term *base = e->base;

	if (base->kind != TERM_BINARY || base->op != OP_ADD ||
	    base->right->kind != TERM_IMM)
		return;
	e->value = (int64_t)((uint64_t)e->value +
			     (uint64_t)base->right->value);
	vars_unwrap(base);
}

int vars_op(struct vars *v, struct term *e, enum expr_op op, int64_t value)
{
	struct term *right;

	if (e->kind == TERM_IMM && op == OP_MUL) {
		e->value = (int64_t)((uint64_t)e->value * (uint64_t)value);
		return 0;
	}
	right = term_new(TERM_IMM, v->d);
	if (!right)
		return -ENOMEM;
	right->at = e->at;
	right->value = value;
	if (vars_wrap(v, e, TERM_BINARY)) {
		term_free(right);
		return -ENOMEM;
	}
	e->op = op;
	e->right = right;
	return 0;
}

int vars_cast(struct vars *v, struct term *e, enum show_kind kind,
	      unsigned int size)
{
	int err = vars_wrap(v, e, TERM_CAST);

	e->type.kind = kind;
	e->type.size = size;
	return err;
}
