/* SPDX-License-Identifier: GPL-2.0 */
/* Functions in the debug information of a file, and which code is theirs. */
#ifndef KTAP_DWARF_FUNC_H
#define KTAP_DWARF_FUNC_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/suggest.h"
#include "dwarf/debug.h"

/**
 * struct debug_func - code of a function: its own, or where it was inlined
 * @die: DW_TAG_subprogram or DW_TAG_inlined_subroutine
 * @owner: the DW_TAG_subprogram that has the code
 * @entry: address; of its own code the symbol's
 * @is_inlined: @die is not @owner
 * @is_rest: it begins in the middle of a call, whose first part is elsewhere
 */
struct debug_func {
	Dwarf_Die die;
	Dwarf_Die owner;
	uint64_t entry;
	bool is_inlined;
	bool is_rest;
};

struct debug_funcs {
	struct debug_func *func;
	size_t nr;
};

/**
 * debug_find() - all code of a function
 * @dbg: debug information
 * @name: function, or the linkage name of one
 * @file: end of the path of the file that defines it; NULL: any
 * @address: where a symbol of that name says that it is; 0: not known. A
 *	function of the unit there that no other unit can see is not looked for
 *	elsewhere.
 * @d: on failure
 * @ret: by address; release with debug_funcs_deinit()
 *
 * Return: 0, also where nothing was found, or -ENOMEM.
 */
int debug_find(struct debug *dbg, const char *name, const char *file,
	       uint64_t address, struct diag *d, struct debug_funcs *ret);

/**
 * debug_funcs_deinit() - release what debug_find() found
 * @funcs: becomes empty
 *
 * DIEs that were copied from it stay valid until debug_free().
 */
void debug_funcs_deinit(struct debug_funcs *funcs);

/* A visitor of functions ends the walk where it returns false; the walk then does,
 * too.
 */
typedef bool (*debug_func_fn)(void *ctx, const struct debug_func *func);

/**
 * debug_file_functions() - call a function for each function that a source file defines
 * @dbg: debug information
 * @file: end of the path of the source file, as in debug_ends_with()
 * @fn: called for each that has code of its own; copies that were inlined are not visited.
 *	It has to copy a struct debug_func that it keeps.
 * @ctx: for @fn
 *
 * Units whose name ends in @file are searched first. All units are searched only if none of
 * these has such a function.
 *
 * Return: false: @fn ended the walk.
 */
bool debug_file_functions(struct debug *dbg, const char *file, debug_func_fn fn,
			  void *ctx);

/**
 * debug_suggest_function() - consider the names of functions as suggestions
 * @dbg: debug information
 * @file: end of the path of the source file that defines them; NULL: any
 * @s: from suggest_init(); it keeps names that are owned by @dbg
 *
 * Functions that are only declared are passed over. All units are read.
 */
void debug_suggest_function(struct debug *dbg, const char *file,
			    struct suggest *s);

/**
 * debug_suggest_file() - consider the names of source files as suggestions
 * @dbg: debug information
 * @s: from suggest_init(), with a word that ends with a NUL; it keeps names that are owned
 *	by @dbg
 *
 * Of each path only as many components from its end are compared as the word has. Only
 * files that a unit is named after are considered, so no headers.
 */
void debug_suggest_file(struct debug *dbg, struct suggest *s);

/**
 * debug_prologue_end() - find where a function has stored its parameters
 * @dbg: debug information
 * @func: the function
 * @ret: address after the prologue, as the file has it; it may be the entry; unchanged on
 *	failure
 *
 * A function that was not optimised first stores its parameters in its frame. Its variables
 * are nowhere before @ret.
 *
 * Return: false: @func is inlined or optimised, or has no variables in its frame, or libdw
 * does not find the place.
 */
bool debug_prologue_end(struct debug *dbg, const struct debug_func *func,
			uint64_t *ret);

/**
 * debug_entry() - find the entry of a function
 * @dbg: debug information
 * @die: DW_TAG_subprogram or DW_TAG_inlined_subroutine
 * @ret: its address, as the file has it; unchanged on failure
 *
 * Compilers may say that a function begins after the room for a tracer at its symbol. If
 * that is at most 16 bytes, the entry of a DW_TAG_subprogram is the address of the symbol.
 *
 * Return: false: @die has no code.
 */
bool debug_entry(struct debug *dbg, Dwarf_Die *die, uint64_t *ret);

/**
 * struct debug_call - one function of a chain of inlined calls
 * @name: of the function; NULL: it has none
 * @linkage: its debug_linkage_name(); NULL: it has none
 * @file: that has the call that became its code; NULL: it was not inlined
 * @line: of the call
 */
struct debug_call {
	const char *name;
	const char *linkage;
	const char *file;
	int line;
};

struct debug_chain {
	struct debug_call *call;
	size_t nr;
};

/**
 * debug_chain() - list the inlined calls that lead to a function's code
 * @dbg: debug information
 * @func: the function
 * @d: on failure; or NULL
 * @ret: first @func, then the function that it was inlined into, and so on to the function
 *	that has the code; release with debug_chain_deinit(); empty on failure. Names and
 *	paths are owned by @dbg.
 *
 * Return: 0 or -ENOMEM.
 */
int debug_chain(struct debug *dbg, const struct debug_func *func,
		struct diag *d, struct debug_chain *ret);

/**
 * debug_chain_deinit() - release what debug_chain() found
 * @chain: becomes empty
 *
 * Names and paths that were copied from it stay valid until debug_free().
 */
void debug_chain_deinit(struct debug_chain *chain);

/**
 * debug_first() - move an address from the symbol of a function to its first instruction
 * @dbg: debug information
 * @func: the function that has the code
 * @address: of code, as the file has it
 *
 * Compilers may say that a function begins after its symbol. Location lists then do not
 * cover the addresses between them.
 *
 * Return: the address of the first instruction of @func's owner, if @address is at its
 * symbol or between the symbol and that instruction; else @address.
 */
uint64_t debug_first(struct debug *dbg, const struct debug_func *func,
		     uint64_t address);

/**
 * debug_origin() - return the DIE that all code of a function has in common
 * @func: code of the function
 *
 * Two pieces of code are of the same function if these DIEs have the same addr.
 *
 * Return: the DIE that DW_AT_abstract_origin refers to; without that, the DIE of @func.
 */
Dwarf_Die debug_origin(const struct debug_func *func);

/**
 * debug_func_at() - find the function at an address
 * @dbg: debug information
 * @address: of code, as the file has it
 * @inlined: prefer the innermost function that was inlined there
 * @ret: the function; is_rest is always false
 *
 * A function is also found at addresses between its symbol and its first instruction, if
 * these are at most 16 bytes apart.
 *
 * Return: false: no function has code there, and @ret is unchanged.
 */
bool debug_func_at(struct debug *dbg, uint64_t address, bool inlined,
		   struct debug_func *ret);

/**
 * debug_unit() - find the unit at an address
 * @dbg: debug information
 * @address: of code, as the file has it
 * @ret: memory for the DIE of the unit; of a unit that was split off the whole one, from its
 *	.dwo file, if that is there
 *
 * Return: @ret; NULL: no unit has the code.
 */
Dwarf_Die *debug_unit(struct debug *dbg, uint64_t address, Dwarf_Die *ret);

/**
 * debug_to_dwarf() - convert an address of the file to an address of DWARF
 * @dbg: debug information, loaded
 * @address: as the symbols of the file have it
 *
 * To convert an address of DWARF, subtract debug_to_dwarf(@dbg, 0) from it.
 *
 * Return: the address as DWARF has it.
 */
uint64_t debug_to_dwarf(const struct debug *dbg, uint64_t address);

/**
 * debug_has_pc() - report whether a DIE has code at an address
 * @die: a unit, a function or a block
 * @pc: address of DWARF
 *
 * Return: true if it has; false also where its ranges cannot be read.
 */
bool debug_has_pc(Dwarf_Die *die, uint64_t pc);

/**
 * debug_begins_at() - report whether a DIE has an empty range at an address
 * @die: DIE
 * @pc: address, as in the debug information
 *
 * Return: whether it has.
 */
bool debug_begins_at(Dwarf_Die *die, uint64_t pc);

#endif /* KTAP_DWARF_FUNC_H */
