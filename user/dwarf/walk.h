/* SPDX-License-Identifier: GPL-2.0 */
/* Ways through debug information: each in the order of the file. */
#ifndef KTAP_DWARF_WALK_H
#define KTAP_DWARF_WALK_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* Deeper is nothing that a compiler writes. */
#define DEBUG_DEPTH_MAX 256

/* A visitor ends the walk where it returns false; the walk then does, too. */
typedef bool (*debug_die_fn)(void *ctx, Dwarf_Die *die);

/* debug_walk_units() - all units but those of types */
bool debug_walk_units(Dwarf *dw, debug_die_fn fn, void *ctx);

/* debug_walk_functions() - the functions in @scope, a unit or a scope of names */
bool debug_walk_functions(Dwarf_Die *scope, debug_die_fn fn, void *ctx);

/* debug_walk_copies() - what was inlined into @func, and what was inlined there */
bool debug_walk_copies(Dwarf_Die *func, debug_die_fn fn, void *ctx);

/* debug_step_to() - the child of *@die that has @inner in it, or is it, becomes *@die;
 * false: there is none.
 */
bool debug_step_to(Dwarf_Die *die, const Dwarf_Die *inner);

/* debug_has_code() - whether a function is not only declared, or inlined */
bool debug_has_code(Dwarf_Die *die);

/* debug_is_linked() - whether link-time optimisation made @unit: it has copies of
 * what other units define.
 */
bool debug_is_linked(Dwarf_Die *unit);

#endif /* KTAP_DWARF_WALK_H */
