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

/**
 * debug_files_open() - open a file for its debug information, once
 * @df: definer
 * @path: file; compared as a string with those that were opened
 * @d: on failure
 * @ret: the definer's, until debug_files_close(); NULL on failure
 *
 * A failure is remembered too: the next call returns the same error without opening the file.
 *
 * Return: 0, -ENOENT if there is no debug information, -EINVAL for a damaged file, -ENOMEM,
 *	or the error of open().
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

/**
 * debug_files_slide() - find how far the running kernel is from the addresses of its file
 * @df: definer, with symbols
 * @dbg: file of the running kernel
 * @d: on failure
 * @ret: what is to be added to addresses of the file
 *
 * Return: 0; -EINVAL: the file or the symbols lack the begin of the code.
 */
int debug_files_slide(struct definer *df, struct debug *dbg, struct diag *d, uint64_t *ret);

/**
 * debug_files_module() - find the debug information of a module of the running kernel, once
 * @df: definer
 * @module: as the kernel calls it
 * @d: on failure
 * @ret: the definer's, until debug_files_close(); NULL on failure
 *
 * The first file that debug_module_path() names is used that has debug information and is
 * not of another module than the loaded one. A failure is remembered too.
 *
 * Return: 0, -ENOENT if there is no such file, -ENOMEM.
 */
int debug_files_module(struct definer *df, const char *module, struct diag *d,
		       struct debug **ret);

/**
 * debug_files_close() - close all files, and free their maps
 * @df: definer, whose list is empty afterwards
 *
 * Every struct debug, struct site and struct debug_map that came from these files becomes
 * invalid; so do binaries that have their symbols by binary_add_symbols().
 */
void debug_files_close(struct definer *df);

/**
 * debug_files_forget_maps() - find again where the files are in memory
 * @df: definer, whose slide has changed
 */
void debug_files_forget_maps(struct definer *df);

/**
 * debug_files_map() - where the kernel or a module is in memory
 * @df: definer; if the running kernel is mapped, with symbols
 * @dbg: one of the definer's files
 * @d: on failure
 * @ret: on success: the definer's, until debug_files_forget_maps() or debug_files_close()
 *
 * If @df is offline, it is where its file says, plus the slide. Of a module each section
 * has an area of its own, whose address may be unknown.
 *
 * Return: 0; -EINVAL: it is not known how far the running kernel is from where its file
 *	says; -ENOMEM.
 */
int debug_files_map(struct definer *df, const struct debug *dbg,
		    struct diag *d, const struct debug_map **ret);

#endif /* KTAP_DEFINE_DEBUG_FILES_H */
