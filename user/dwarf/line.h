/* SPDX-License-Identifier: GPL-2.0 */
/* Lines of source: which code each has. */
#ifndef KTAP_DWARF_LINE_H
#define KTAP_DWARF_LINE_H

#include "dwarf/func.h"

/**
 * struct debug_row - an instruction that begins a line
 * @address: of it
 * @file: that the line is in, as the compiler knew it
 * @line: number
 */
struct debug_row {
	uint64_t address;
	const char *file;
	int line;
};

struct debug_rows {
	struct debug_row *row;
	size_t nr;
};

/**
 * debug_file_of() - return the file that an attribute names
 * @dbg: debug information
 * @die: DIE; where it has no such attribute its origin is asked
 * @name: attribute: DW_AT_decl_file or DW_AT_call_file
 *
 * In DWARF 5 the first file has the number 0, which the library's dwarf_decl_file() treats as
 * none.
 *
 * Return: the path; owned by @dbg, valid until debug_free(); NULL: it is not known.
 */
const char *debug_file_of(struct debug *dbg, Dwarf_Die *die, unsigned int name);

/**
 * debug_decl() - find where a function is declared
 * @dbg: debug information
 * @func: the function
 * @file: path of the file; owned by @dbg, valid until debug_free(); NULL: it is not known
 *
 * Return: the line; 0: it is not known, though @file may be.
 */
int debug_decl(struct debug *dbg, const struct debug_func *func,
	       const char **file);

/**
 * debug_line_at() - find the line of the code at an address
 * @dbg: debug information
 * @address: of an instruction, as the file has it
 * @file: path of the file; owned by @dbg, valid until debug_free(); NULL: it is not known
 *
 * Return: the line; 0: it is not known.
 */
int debug_line_at(struct debug *dbg, uint64_t address, const char **file);

/**
 * debug_ends_with() - report whether a path ends in whole components like another path
 * @path: path; NULL: it does not
 * @end: one or more components; not empty
 *
 * Return: true if @path is @end, or ends in "/@end".
 */
bool debug_ends_with(const char *path, const char *end);

/**
 * debug_func_rows() - the lines of a function's code
 * @dbg: debug information
 * @func: function: its own code or a copy of it
 * @d: on failure
 * @ret: by address, only those that are written in the function; where a line
 *	begins again behind another one it is there again; release with
 *	debug_rows_deinit()
 *
 * Return: 0, -ENOMEM.
 */
int debug_func_rows(struct debug *dbg, const struct debug_func *func,
		    struct diag *d, struct debug_rows *ret);

/* A visitor ends the walk where it returns false; the walk then does, too. */
typedef bool (*debug_row_fn)(void *ctx, const struct debug_row *row);

/**
 * debug_walk_rows() - call a function for each place in a line table where a line begins
 * @lines: the table
 * @nr: its rows
 * @fn: called for each place, with an address of DWARF; the file may be NULL. It has to copy a
 *	row that it keeps.
 * @ctx: for @fn
 *
 * Rows of the same line that follow each other are one place. Rows that begin no statement,
 * and rows of line 0, are passed over.
 *
 * Return: false: @fn ended the walk.
 */
bool debug_walk_rows(Dwarf_Lines *lines, size_t nr, debug_row_fn fn, void *ctx);

/**
 * debug_file_rows() - find the lines of all code that is from a file
 * @dbg: debug information
 * @file: end of the path of the file, as in debug_ends_with()
 * @d: on failure; or NULL
 * @ret: the lines, sorted by address, with addresses of the file; release with
 *	debug_rows_deinit(); empty on failure. Paths are owned by @dbg.
 *
 * If @file has an extension other than .h and .hpp, units whose name ends in @file are
 * searched first. All units are searched only if these have no such line.
 *
 * Return: 0, also where nothing was found, or -ENOMEM.
 */
int debug_file_rows(struct debug *dbg, const char *file, struct diag *d,
		    struct debug_rows *ret);

/**
 * debug_rows_deinit() - release rows
 * @rows: from debug_func_rows() or debug_file_rows(); becomes empty
 *
 * Paths that were copied from it stay valid until debug_free().
 */
void debug_rows_deinit(struct debug_rows *rows);

#endif /* KTAP_DWARF_LINE_H */
