/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An index of one file's debug information, in the user's cache directory: without
 * it names, lines and addresses are looked for in all units. It says where to look;
 * what is found is what libdw reads there.
 */
#ifndef KTAP_DWARF_INDEX_INDEX_H
#define KTAP_DWARF_INDEX_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dwarf/debug.h"
#include "dwarf/index/format.h"

struct index;

/* ---- making one ------------------------------------------------------------------ */

/**
 * struct index_made - an index that was made
 * @path: where it is; owned
 * @size: bytes
 * @nr_units: of the file
 * @nr_names: of functions
 */
struct index_made {
	char *path;
	size_t size;
	size_t nr_units;
	size_t nr_names;
};

/**
 * index_make() - make an index, and put it where debug_open() looks for it
 * @dbg: debug information
 * @step: called with the number of units that were looked at so far; or NULL
 * @ctx: for @step
 * @d: on failure
 * @ret: on success; release with index_made_deinit()
 *
 * Return: 0, -EINVAL for a file that cannot have one, -EPERM where others could write
 * to it, -ENOMEM, or the error of a system call.
 */
int index_make(struct debug *dbg, void (*step)(void *ctx, size_t nr), void *ctx,
	       struct diag *d, struct index_made *ret);
void index_made_deinit(struct index_made *made);

/* index_encode() - the same into memory; @made has no path. */
int index_encode(struct debug *dbg, void (*step)(void *ctx, size_t nr),
		 void *ctx, struct diag *d, struct buf *ret,
		 struct index_made *made);

/* index_layout() - what struct index_header has of the file with debug information */
uint64_t index_layout(struct debug *dbg);

/* index_checksum() - what struct index_header has of @size bytes of an index */
uint64_t index_checksum(const void *data, size_t size);

/* ---- where it is -------------------------------------------------------------------- */

/* index_is_off() - the environment says that none is wanted: KTAP_INDEX=off. */
bool index_is_off(void);

/* index_read() - the file for a build-id, mapped; false: none that can be trusted,
 * because it or its directory is another user's, or can be written by others.
 */
bool index_read(const uint8_t *id, size_t id_size, const void **data,
		size_t *size);

/* index_write() - put it there: it appears as a whole. *@path is malloc'ed. */
int index_write(const uint8_t *id, size_t id_size, const struct buf *b,
		struct diag *d, char **path);

/* ---- looking ------------------------------------------------------------------------ */

/* index_open() - @data, which outlives it, if it is the index of @dbg. NULL: it is
 * not, is damaged, or there is no memory.
 */
struct index *index_open(struct debug *dbg, const void *data, size_t size);
void index_free(struct index *x);

/* index_of() - the index of @dbg, looked for once; NULL: there is none. */
struct index *index_of(struct debug *dbg);

/*
 * What follows fails where the index is damaged in a way that index_open() does not
 * see; then look without one: index_of() returns NULL from there on.
 */

/**
 * struct index_dies - DIEs that may be meant, in the order of the file
 * @func: functions, and what is only declared to be inlined
 * @copy: where those were inlined
 */
struct index_dies {
	uint64_t *func;
	size_t nr_funcs;
	uint64_t *copy;
	size_t nr_copies;
};

/* index_find() - all functions that debug_is_named() might say have that @name */
bool index_find(struct index *x, const char *name, struct index_dies *ret);
void index_dies_deinit(struct index_dies *dies);

/* index_owner() - the function with code that may have the copy at @die */
bool index_owner(struct index *x, uint64_t die, uint64_t *ret);

/* index_funcs() - the functions with code of the unit at @unit; *@ret is malloc'ed */
bool index_funcs(struct index *x, uint64_t unit, uint64_t **ret, size_t *nr);

/* index_unit_at() - the unit that has the code at @pc, first by the file's table of
 * addresses; *@ret is 0: none has.
 */
bool index_unit_at(struct index *x, uint64_t pc, uint64_t *ret);

/* index_file() - the path of the file that @unit calls @number; NULL: not known */
const char *index_file(struct index *x, uint64_t unit, uint64_t number);

/* index_types() - DIEs of types that may be called @name; in the order of the file */
bool index_types(struct index *x, const char *name,
		 const struct index_type **ret, size_t *nr);

/* struct index_row - a row of a line table; @file is the index's, @unit a DIE */
struct index_row {
	uint64_t unit;
	uint64_t address;
	const char *file;
	int line;
};

/* index_rows() - @fn for each row of the files whose paths end in @end; it returns
 * false to end, which is a failure then.
 */
bool index_rows(struct index *x, const char *end,
		bool (*fn)(void *ctx, const struct index_row *row), void *ctx);

/* ---- what others ask, too --------------------------------------------------------- */

/* debug_is_type() - whether DIEs of that tag are types that the keyword stands for */
bool debug_is_type(int tag, enum debug_type_kind kind);

/* ---- keys --------------------------------------------------------------------------- */

/* index_key() - of a name; index_func_key(): of one of a function, without blanks, the
 * arguments of templates, and what comes behind 64 bytes. Two names may have one key.
 */
uint32_t index_key(const char *name, size_t length);
uint32_t index_func_key(const char *name, size_t length);

#endif /* KTAP_DWARF_INDEX_INDEX_H */
