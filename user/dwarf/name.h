/* SPDX-License-Identifier: GPL-2.0 */
/* Names of functions, as people write them. */
#ifndef KTAP_DWARF_NAME_H
#define KTAP_DWARF_NAME_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "base/scoped.h"

/* debug_is_named() - whether @name is that of the function @die: its own, the one
 * that the linker knows, or either end of ns::Class::method, with or without the
 * arguments of templates; with parameters, those are the function's.
 */
/* An index finds functions by index_func_key(): of all that this says yes to, their own
 * name, the linker's, or the last part of what that stands for has the key of @name or
 * of its last part. Else more has to be put into the index, and a new version of it.
 */
bool debug_is_named(Dwarf_Die *die, const char *name);

/* debug_name_match() - how well @name, which is that of the function @die, says it */
enum scoped_match debug_name_match(Dwarf_Die *die, const char *name);

/* debug_is_scoped() - the function @func is in a class or a namespace. */
bool debug_is_scoped(Dwarf_Die *func);

/* debug_sees() - how many scopes of names, as classes and namespaces, the variable @var
 * is in, all of which the function @func is in, too; -1: it is in others.
 */
int debug_sees(Dwarf_Die *func, Dwarf_Die *var);

/* debug_linkage_name() - what the linker calls it, or NULL */
const char *debug_linkage_name(Dwarf_Die *die);

#endif /* KTAP_DWARF_NAME_H */
