/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that were inlined, and how often. */
#ifndef KTAP_DWARF_INLINES_H
#define KTAP_DWARF_INLINES_H

#include "dwarf/debug.h"

/**
 * struct debug_inline - a function that was inlined
 * @name: of it
 * @file: where it is declared; or NULL
 * @line: there
 * @copies: places where it was inlined
 * @has_code: it has code of its own as well
 */
struct debug_inline {
	const char *name;
	const char *file;
	int line;
	size_t copies;
	bool has_code;
};

/* struct debug_inlines - by name; those of one name by file and line */
struct debug_inlines {
	struct debug_inline *item;
	size_t nr;
};

/**
 * debug_inlines() - all functions that were inlined
 * @dbg: debug information
 * @pattern: only those whose name this glob matches
 * @step: called with the number of units that were looked at so far; or NULL
 * @ctx: for @step
 * @d: on failure
 * @ret: on success; release with debug_inlines_deinit()
 *
 * Return: 0, also where there are none, or -ENOMEM.
 */
int debug_inlines(struct debug *dbg, const char *pattern,
		  void (*step)(void *ctx, size_t nr), void *ctx,
		  struct diag *d, struct debug_inlines *ret);

/**
 * debug_inlines_deinit() - release what debug_inlines() found
 * @inlines: becomes empty
 *
 * Names and paths that were copied from it stay valid until debug_free().
 */
void debug_inlines_deinit(struct debug_inlines *inlines);

#endif /* KTAP_DWARF_INLINES_H */
