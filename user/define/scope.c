// SPDX-License-Identifier: GPL-2.0
/* Which variables can be named. */
#include "define/scope.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "dwarf/var.h"

static const char *name_of(const struct debug_var *var)
{
	Dwarf_Die die = var->die;

	return dwarf_diename(&die);
}

static struct debug_var *find(const struct scope *scope, const char *name)
{
	for (size_t i = 0; i < scope->nr; i++)
		if (!strcmp(name_of(&scope->var[i]), name))
			return &scope->var[i];
	return NULL;
}

/* The first one of a name hides the others, unless it only declares them. */
static int put(void *ctx, const struct debug_var *var)
{
	struct scope *scope = ctx;
	const char *name = name_of(var);
	struct debug_var *more = name ? find(scope, name) : NULL;

	if (!name || (more && !dwarf_hasattr(&more->die, DW_AT_declaration)))
		return 0;
	if (more) {
		*more = *var;
		return 0;
	}
	more = array_grow(scope->var, scope->nr, sizeof(*more));
	if (!more)
		return -ENOMEM;
	scope->var = more;
	more[scope->nr++] = *var;
	return 0;
}

/* Where the function itself declares it, of which this may be a copy */
static Dwarf_Off order_of(const struct debug_var *var)
{
	Dwarf_Die die = var->die, origin;
	Dwarf_Attribute attr;

	if (dwarf_attr(&die, DW_AT_abstract_origin, &attr) &&
	    dwarf_formref_die(&attr, &origin))
		die = origin;
	return dwarf_dieoffset(&die);
}

static bool is_before(const struct debug_var *a, const struct debug_var *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind;
	return a->kind == DEBUG_PARAM && order_of(a) < order_of(b);
}

/* Parameters in their order; of other kinds those of a kind stay as they are. */
static void sort(struct scope *scope)
{
	for (size_t i = 1; i < scope->nr; i++) {
		struct debug_var var = scope->var[i];
		size_t at = i;

		for (; at && is_before(&var, &scope->var[at - 1]); at--)
			scope->var[at] = scope->var[at - 1];
		scope->var[at] = var;
	}
}

int scope_find(const struct site *site, bool globals, struct diag *d,
	       struct scope *ret)
{
	int err;

	*ret = (struct scope){};
	err = debug_vars(site->dbg, &site->func, site->address, globals, put,
			 ret);
	if (err) {
		scope_deinit(ret);
		return diag_no_memory(d);
	}
	sort(ret);
	return 0;
}

void scope_deinit(struct scope *scope)
{
	free(scope->var);
	*scope = (struct scope){};
}
