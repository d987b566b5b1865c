/* SPDX-License-Identifier: GPL-2.0 */
/* What names in the code of a function mean: types and variables. */
#ifndef KTAP_DWARF_VAR_H
#define KTAP_DWARF_VAR_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "dwarf/func.h"
#include "dwarf/types.h"

/* ---- types -------------------------------------------------------------------- */

/* What the keyword in front of a type's name says that it is. */
enum debug_type_kind {
	DEBUG_STRUCT,
	DEBUG_UNION,
	DEBUG_ENUM,
	DEBUG_TYPEDEF,	/* no keyword */
};

/**
 * debug_find_type() - find a type by its name
 * @dbg: debug information
 * @func: its unit is searched first; only its DIE is used; NULL: no unit comes first
 * @kind: what the keyword says
 * @name: name of the type, without the keyword
 * @ret: the type, valid until debug_free(); of kind CTYPE_NONE where memory ran out;
 *	unchanged on failure
 *
 * Only types are found that are defined at the top of a unit, not inside a function, a class
 * or a namespace. A type that is only declared is not found.
 *
 * Return: true if there is one.
 */
bool debug_find_type(struct debug *dbg, const struct debug_func *func,
		     enum debug_type_kind kind, const char *name,
		     struct ctype *ret);

/* ---- variables ---------------------------------------------------------------- */

enum debug_var_kind {
	DEBUG_PARAM,
	DEBUG_LOCAL,
	DEBUG_GLOBAL,
};

/**
 * struct debug_var - one that is in scope
 * @die: DIE
 * @kind: what it is
 * @is_twin: it is of a block without code, and another such block has one of that
 *	name
 */
struct debug_var {
	Dwarf_Die die;
	enum debug_var_kind kind;
	bool is_twin;
};

/* A visitor of variables ends the walk where it returns other than 0. */
typedef int (*debug_var_fn)(void *ctx, const struct debug_var *var);

/**
 * debug_vars() - what is in scope, the innermost first
 * @dbg: debug information
 * @func: of this function
 * @address: at this address of it
 * @globals: those of its unit too
 * @fn: called for each, also where an inner one hides it
 * @ctx: for @fn
 *
 * Return: what @fn returned.
 */
int debug_vars(struct debug *dbg, const struct debug_func *func,
	       uint64_t address, bool globals, debug_var_fn fn, void *ctx);

/**
 * debug_find_var() - find a variable by its name
 * @dbg: debug information
 * @func: the function that asks
 * @address: at this address of it, as the file has it
 * @name: name of the variable; in C++ and Rust also with scopes: "ns::var"
 * @ret: the variable; unchanged on failure
 *
 * The first of these that has the variable is taken: the blocks of @func at @address, the
 * innermost first; functions that were inlined there; classes and namespaces of @func; the
 * unit; functions that @func was inlined into. If none of these has it, a static variable of
 * a block whose code is elsewhere is found; is_twin is set if there are several of those.
 *
 * Return: false: there is no such variable.
 */
bool debug_find_var(struct debug *dbg, const struct debug_func *func,
		    uint64_t address, const char *name, struct debug_var *ret);

/**
 * debug_put_decl() - append the declaration of a variable in C
 * @die: the variable, a parameter or a member
 * @named: with the name; false: its type alone
 * @b: gets the declaration; its failed is set where memory ran out
 */
void debug_put_decl(Dwarf_Die *die, bool named, struct buf *b);

/**
 * struct debug_range - part of a function
 * @start: address of the first byte
 * @end: behind the last one
 * @first: line of the code there; 0: not known
 * @last: line of the last instruction
 */
struct debug_range {
	uint64_t start;
	uint64_t end;
	int first;
	int last;
};

/**
 * struct debug_ranges - where a variable has a value
 * @start: of the function that has the code: offsets are written from there
 * @always: everywhere in its scope; then there are no ranges
 * @range: in the order of the file; owned
 * @nr: how many; 0: nowhere, unless @always
 */
struct debug_ranges {
	uint64_t start;
	bool always;
	struct debug_range *range;
	size_t nr;
};

/**
 * debug_ranges() - list where a variable has a value
 * @dbg: debug information
 * @func: the function in whose scope the variable is
 * @die: the variable
 * @ret: the ranges, with addresses of the file; release with debug_ranges_deinit(); empty on
 *	failure
 *
 * A constant, and a variable whose DW_AT_location has DW_FORM_exprloc (DWARF 4 and later),
 * have a value everywhere in their scope.
 *
 * Return: 0 or -ENOMEM.
 */
int debug_ranges(struct debug *dbg, const struct debug_func *func,
		 Dwarf_Die *die, struct debug_ranges *ret);

/**
 * debug_ranges_deinit() - release what debug_ranges() found
 * @ranges: becomes empty
 */
void debug_ranges_deinit(struct debug_ranges *ranges);

/**
 * debug_put_range() - append a range in text form
 * @ranges: from debug_ranges()
 * @i: number of the range, less than @ranges->nr
 * @b: gets "+0x4..+0x10 (lines 3 and 5)": offsets in bytes from the start of @ranges, and the
 *	lines where they are known; of a range before that start, addresses
 *
 * The second offset is of the byte after the range.
 */
void debug_put_range(const struct debug_ranges *ranges, size_t i,
		     struct buf *b);

/**
 * debug_put_ranges() - append the first ranges of a variable for a hint
 * @dbg: debug information
 * @func: the function in whose scope the variable is
 * @die: the variable
 * @b: gets at most four of them, and "and more" if there are more
 *
 * Nothing is appended where the variable has a value everywhere, or nowhere, or memory ran
 * out.
 */
void debug_put_ranges(struct debug *dbg, const struct debug_func *func,
		      Dwarf_Die *die, struct buf *b);

#endif /* KTAP_DWARF_VAR_H */
