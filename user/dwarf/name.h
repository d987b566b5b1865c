/* SPDX-License-Identifier: GPL-2.0 */
/* Names of functions, as people write them. */
#ifndef KTAP_DWARF_NAME_H
#define KTAP_DWARF_NAME_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "base/scoped.h"

/**
 * debug_is_named() - report whether a name is the name of a function
 * @die: the function, a copy that was inlined, or a variable
 * @name: its own name, its linkage name, or either end of ns::Class::method, with or without
 *	the arguments of templates; with parameters, they have to be the function's
 *
 * An index finds functions by index_func_key(): if this returns true, then the function's own
 * name, its linkage name, or the last part of the demangled linkage name has the key of @name
 * or of the last part of @name. If that changes, more has to be put into the index, and the
 * index needs a new version.
 *
 * Return: true if it is.
 */
bool debug_is_named(Dwarf_Die *die, const char *name);

/**
 * debug_name_match() - report how well a name describes a function
 * @die: the function, or a copy that was inlined
 * @name: a name that debug_is_named() accepts for it
 *
 * Return: SCOPED_PART, SCOPED_WHOLE or SCOPED_SYMBOL; a larger value is a better match.
 */
enum scoped_match debug_name_match(Dwarf_Die *die, const char *name);

/**
 * debug_is_scoped() - report whether a function is in a class or a namespace
 * @func: the function, or a copy that was inlined
 *
 * Return: true if it is; false also where memory ran out.
 */
bool debug_is_scoped(Dwarf_Die *func);

/**
 * debug_sees() - count the scopes that a variable is in, if a function is in all of them
 * @func: the function
 * @var: the variable
 *
 * Scopes are classes, namespaces and the like. Their names are compared from the outside on.
 *
 * Return: how many, 0 of a variable outside all scopes; -1: @func is not in all of them, or
 * memory ran out.
 */
int debug_sees(Dwarf_Die *func, Dwarf_Die *var);

/**
 * debug_linkage_name() - return the name by which the linker knows a function or a variable
 * @die: the function or variable
 *
 * Return: the name; owned by libdw, valid until debug_free(); NULL: there is none, as for most
 * functions in C.
 */
const char *debug_linkage_name(Dwarf_Die *die);

#endif /* KTAP_DWARF_NAME_H */
