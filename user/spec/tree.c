// SPDX-License-Identifier: GPL-2.0
/* Trees of expressions: made, copied and freed. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "spec/spec.h"

struct expr *expr_new(enum expr_kind kind, struct diag *d)
{
	struct expr *e = calloc(1, sizeof(*e));

	if (e)
		e->kind = kind;
	else
		diag_no_memory(d);
	return e;
}

void expr_free(struct expr *expr)
{
	while (expr) {
		struct expr *base = expr->base;

		expr_free(expr->right);
		expr_free(expr->third);
		free(expr->text);
		free(expr);
		expr = base;
	}
}

/* The operands of @e, copied in place; false: no memory. */
static bool copy_operands(struct expr *e)
{
	struct expr **const operands[] = { &e->base, &e->right, &e->third };
	bool ok = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(operands); i++) {
		if (!*operands[i])
			continue;
		*operands[i] = expr_copy(*operands[i]);
		ok &= !!*operands[i];
	}
	return ok;
}

struct expr *expr_copy(const struct expr *expr)
{
	struct expr *e = expr ? malloc(sizeof(*e)) : NULL;
	bool ok;

	if (!e)
		return NULL;
	*e = *expr;
	if (e->text)
		e->text = strdup(e->text);
	ok = copy_operands(e) && (e->text || !expr->text);
	if (ok)
		return e;
	expr_free(e);
	return NULL;
}
