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

/**
 * debug_walk_units() - call a function for each unit
 * @dw: debug information
 * @fn: called with the DIE of each unit, except type units; of a unit that was split off,
 *	with the DIE in its .dwo file, if that can be read
 * @ctx: for @fn
 *
 * Return: false: @fn ended the walk.
 */
bool debug_walk_units(Dwarf *dw, debug_die_fn fn, void *ctx);

/**
 * debug_walk_functions() - call a function for each function of a scope
 * @scope: a unit or a namespace
 * @fn: called with each DW_TAG_subprogram in @scope, and in the namespaces and modules there;
 *	not with those inside classes and functions
 * @ctx: for @fn
 *
 * Functions without code are visited, too.
 *
 * Return: false: @fn ended the walk.
 */
bool debug_walk_functions(Dwarf_Die *scope, debug_die_fn fn, void *ctx);

/**
 * debug_walk_copies() - call a function for each copy that was inlined into a function
 * @func: the function
 * @fn: called with each DW_TAG_inlined_subroutine in @func, in its blocks, and in other
 *	copies; an outer one comes first
 * @ctx: for @fn
 *
 * Return: false: @fn ended the walk.
 */
bool debug_walk_copies(Dwarf_Die *func, debug_die_fn fn, void *ctx);

/**
 * debug_step_to() - step from a DIE to its child on the path to another DIE
 * @die: becomes the child that has @inner inside, or is @inner; unchanged on failure
 * @inner: DIE of the same unit
 *
 * Children are compared by their place in the file. The caller makes sure that @inner is
 * inside @die.
 *
 * Return: false: there is no such child.
 */
bool debug_step_to(Dwarf_Die *die, const Dwarf_Die *inner);

/**
 * debug_has_code() - report whether a DIE has code
 * @die: a function, a copy or a block
 *
 * Return: true if it has DW_AT_low_pc or DW_AT_ranges; a function has none if it is only
 * declared, or was only inlined.
 */
bool debug_has_code(Dwarf_Die *die);

/**
 * debug_is_linked() - report whether gcc's link-time optimisation made a unit
 * @unit: the unit
 *
 * Such a unit has copies of functions that other units define.
 *
 * Return: true if its name is "<artificial>".
 */
bool debug_is_linked(Dwarf_Die *unit);

#endif /* KTAP_DWARF_WALK_H */
