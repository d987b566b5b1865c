/* SPDX-License-Identifier: GPL-2.0 */
/* Variables that are in scope at a point. */
#ifndef KTAP_DEFINE_SCOPE_H
#define KTAP_DEFINE_SCOPE_H

#include "bind/loc/loc.h"
#include "dwarf/var.h"

/* struct scope - variables: parameters, then others from the inside to the outside */
struct scope {
	struct debug_var *var;
	size_t nr;
};

/**
 * scope_find() - find the variables that a probe can name at a point
 * @site: point
 * @globals: those of its unit too
 * @d: on failure
 * @ret: variables, of which none hides another; release with scope_deinit(). Empty on failure
 *
 * Parameters come first, in the order in which the function declares them.
 *
 * Return: 0 or -ENOMEM.
 */
int scope_find(const struct site *site, bool globals, struct diag *d,
	       struct scope *ret);

/**
 * scope_deinit() - free the list of variables
 * @scope: variables; empty afterwards. The debug information stays valid
 */
void scope_deinit(struct scope *scope);

#endif /* KTAP_DEFINE_SCOPE_H */
