/* SPDX-License-Identifier: GPL-2.0 */
/* Lines of source: which code each has. */
#ifndef KTAP_DWARF_LINE_H
#define KTAP_DWARF_LINE_H

#include "dwarf/debug.h"

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

/* debug_file_of() - the file that an attribute of @die or of its origin names, such as
 * DW_AT_decl_file; or NULL. In DWARF 5 the first file has the number 0, which the
 * library's dwarf_decl_file() takes for none.
 */
const char *debug_file_of(struct debug *dbg, Dwarf_Die *die, unsigned int name);

/* debug_decl() - where @func is declared: its line; 0: not known. */
int debug_decl(struct debug *dbg, const struct debug_func *func,
	       const char **file);

/* debug_line_at() - the line of the code at @address; 0: not known. */
int debug_line_at(struct debug *dbg, uint64_t address, const char **file);

/* debug_ends_with() - @path is @end, or ends in "/@end". */
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

/* debug_walk_rows() - where lines begin in a table; addresses are those of DWARF */
bool debug_walk_rows(Dwarf_Lines *lines, size_t nr, debug_row_fn fn, void *ctx);

/* debug_file_rows() - the same of all code that is from the file whose path ends
 * in @file.
 */
int debug_file_rows(struct debug *dbg, const char *file, struct diag *d,
		    struct debug_rows *ret);
void debug_rows_deinit(struct debug_rows *rows);

#endif /* KTAP_DWARF_LINE_H */
