/* SPDX-License-Identifier: GPL-2.0 */
/* Variables that are in scope at a point. */
#ifndef KTAP_DEFINE_SCOPE_H
#define KTAP_DEFINE_SCOPE_H

#include "bind/loc/loc.h"
#include "dwarf/debug.h"

/* struct scope - variables: parameters, then others from the inside to the outside */
struct scope {
	struct debug_var *var;
	size_t nr;
};

/* scope_find() - those that a probe can name, at @site: none is hidden by another
 * one; @globals: those of the unit too. -ENOMEM.
 */
int scope_find(const struct site *site, bool globals, struct diag *d,
	       struct scope *ret);
void scope_deinit(struct scope *scope);

#endif /* KTAP_DEFINE_SCOPE_H */
