/* SPDX-License-Identifier: GPL-2.0 */
/* Files with debug information that a definer opened, and where they are in memory. */
#ifndef KTAP_DEFINE_DEBUG_FILES_H
#define KTAP_DEFINE_DEBUG_FILES_H

#include "define/define.h"
#include "dwarf/debug.h"
#include "dwarf/map.h"

/**
 * struct debug_file - a file that was looked into, also where that failed
 * @path: of it; owned; NULL: it stands for a module that has none
 * @module: of the kernel that it is of, and was looked for by; owned; or NULL
 * @dbg: it; or NULL if it cannot be opened
 * @err: why @dbg is NULL or has no debug information, or 0: ...
 * @why: ... in words
 * @map: where it is in memory, ...
 * @has_map: ... once that was found
 * @next: another one
 */
struct debug_file {
	char *path;
	char *module;
	struct debug *dbg;
	int err;
	struct diag why;
	struct debug_map map;
	bool has_map;
	struct debug_file *next;
};

/* debug_files_open() - the debug information of @path; it is read once, and that
 * there is none is found once.
 */
int debug_files_open(struct definer *df, const char *path, struct diag *d,
		     struct debug **ret);
/**
 * debug_files_symbols() - open a file for its symbols, once
 * @df: definer
 * @path: file, which may lack debug information
 * @d: on failure
 * @ret: the definer's; see debug_open_symbols()
 *
 * Return: 0, -ENOENT if there are no symbols, or the error of debug_open_symbols()
 */
int debug_files_symbols(struct definer *df, const char *path, struct diag *d,
			struct debug **ret);

/* debug_files_module() - that of a module of the kernel that runs, wherever it is
 * found.
 */
int debug_files_module(struct definer *df, const char *module, struct diag *d,
		       struct debug **ret);
void debug_files_close(struct definer *df);

/**
 * debug_files_forget_maps() - find again where the files are in memory
 * @df: definer, whose slide has changed
 */
void debug_files_forget_maps(struct definer *df);

/* debug_files_map() - where @dbg, of the kernel or a module, is in memory: the
 * definer's.
 */
int debug_files_map(struct definer *df, const struct debug *dbg,
		    struct diag *d, const struct debug_map **ret);

#endif /* KTAP_DEFINE_DEBUG_FILES_H */
