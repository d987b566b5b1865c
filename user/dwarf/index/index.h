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

#include "dwarf/index/format.h"
#include "dwarf/var.h"

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

/**
 * index_made_deinit() - release the description of an index that was made
 * @made: becomes empty
 *
 * The file of the index stays.
 */
void index_made_deinit(struct index_made *made);

/**
 * index_encode() - make an index in memory
 * @dbg: debug information
 * @step: as in index_make()
 * @ctx: for @step
 * @d: on failure; or NULL
 * @ret: an empty buffer; gets the bytes of the index, incomplete ones on failure; the caller
 *	releases it with buf_deinit()
 * @made: its sizes are set, also on failure; its path is unchanged
 *
 * Return: 0; -EINVAL: the file cannot have an index: its addresses are not fixed, it has no
 * build-id, its debug information is split or too large, or the index would be; -ENOMEM.
 */
int index_encode(struct debug *dbg, void (*step)(void *ctx, size_t nr),
		 void *ctx, struct diag *d, struct buf *ret,
		 struct index_made *made);

/**
 * index_layout() - compute the layout in struct index_header
 * @dbg: debug information
 *
 * The hash is over the file that has the debug information: the size and the offset of each
 * section, and samples of the content of the sections .debug_*.
 *
 * Return: the hash; 0: no memory.
 */
uint64_t index_layout(struct debug *dbg);

/**
 * index_checksum() - compute the checksum in struct index_header
 * @data: index, with its header
 * @size: bytes; not less than the header has
 *
 * Return: XXH64 of everything after the magic and the checksum.
 */
uint64_t index_checksum(const void *data, size_t size);

/* ---- where it is -------------------------------------------------------------------- */

/**
 * index_is_off() - report whether the environment forbids the use of an index
 *
 * Return: true if KTAP_INDEX is "off".
 */
bool index_is_off(void);

/**
 * index_read() - map the file of an index
 * @id: build-id
 * @id_size: bytes of @id
 * @data: the file, mapped for reading; release with munmap(); may be changed on failure
 * @size: bytes of it
 *
 * The content is not checked: index_open() does that.
 *
 * Return: false: there is none that can be trusted: it or its directory does not exist, is
 * owned by another user, or can be written by others.
 */
bool index_read(const uint8_t *id, size_t id_size, const void **data,
		size_t *size);

/**
 * index_write() - write the file of an index
 * @id: build-id
 * @id_size: bytes of @id
 * @b: the index
 * @d: on failure; or NULL
 * @path: on success: path of the file, malloc'ed
 *
 * The file appears as a whole, and replaces an older one.
 *
 * Return: 0; -EPERM: the directory is owned by another user, or others could write to it;
 * -ENOENT: neither $XDG_CACHE_HOME nor $HOME is an absolute path, or the parent of the cache
 * directory does not exist; -ENOMEM, or the error of a system call.
 */
int index_write(const uint8_t *id, size_t id_size, const struct buf *b,
		struct diag *d, char **path);

/* ---- looking ------------------------------------------------------------------------ */

/**
 * index_open() - check an index, and open it
 * @dbg: debug information that it has to be of
 * @data: the index, aligned to 8 bytes; has to outlive it, and is not released with it
 * @size: bytes of @data
 *
 * @dbg does not use the index: index_of() opens the one that it uses.
 *
 * Return: the index; release with index_free(); NULL: it is not of @dbg, is damaged, or no
 * memory.
 */
struct index *index_open(struct debug *dbg, const void *data, size_t size);

/**
 * index_free() - close an index
 * @x: the index; may be NULL
 *
 * Paths that came from it are invalid afterwards. Offsets of DIEs remain valid.
 */
void index_free(struct index *x);

/**
 * index_of() - return the index that a file uses
 * @dbg: debug information
 *
 * The first call reads it from the cache directory, unless index_is_off().
 *
 * Return: the index; owned by @dbg; NULL: there is none, or it was found to be damaged.
 */
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

/**
 * index_find() - find the functions that may have a name
 * @x: the index
 * @name: as debug_is_named() takes it
 * @ret: all functions and copies that debug_is_named() might accept, and others with the same
 *	key; sorted, each once; release with index_dies_deinit(); empty on failure
 *
 * Return: false: the index is damaged, or no memory.
 */
bool index_find(struct index *x, const char *name, struct index_dies *ret);

/**
 * index_dies_deinit() - release what index_find() found
 * @dies: becomes empty
 */
void index_dies_deinit(struct index_dies *dies);

/**
 * index_owner() - find the function that may have a copy
 * @x: the index
 * @die: offset of the copy's DIE in .debug_info
 * @ret: offset of the last function with code before @die in its unit; unchanged on failure
 *
 * Return: false: the index is damaged, or no memory.
 */
bool index_owner(struct index *x, uint64_t die, uint64_t *ret);

/**
 * index_funcs() - list the functions with code of a unit
 * @x: the index
 * @unit: offset of the unit's DIE in .debug_info
 * @ret: offsets of their DIEs, malloc'ed; NULL or unchanged on failure
 * @nr: how many
 *
 * Return: false: the index is damaged, or no memory.
 */
bool index_funcs(struct index *x, uint64_t unit, uint64_t **ret, size_t *nr);

/**
 * index_unit_at() - find the unit at an address
 * @x: the index
 * @pc: address of DWARF
 * @ret: offset of the unit's DIE in .debug_info; 0: no unit has code there
 *
 * The table of addresses of the file comes first, then the ranges of the units.
 *
 * Return: false: the index is damaged.
 */
bool index_unit_at(struct index *x, uint64_t pc, uint64_t *ret);

/**
 * index_file() - return the path of a source file
 * @x: the index
 * @unit: offset of the unit's DIE in .debug_info
 * @number: number of the file in that unit, as DW_AT_decl_file has it
 *
 * Return: the path; owned by the index; NULL: it is not known, or the index is damaged.
 */
const char *index_file(struct index *x, uint64_t unit, uint64_t number);

/**
 * index_types() - find the types that may have a name
 * @x: the index
 * @name: name of the type, without a keyword
 * @ret: types with the key of @name, in the order of the file; owned by the index
 * @nr: how many
 *
 * Two names may have one key: the caller compares the names of the DIEs.
 *
 * Return: true: the search cannot fail.
 */
bool index_types(struct index *x, const char *name,
		 const struct index_type **ret, size_t *nr);

/* struct index_row - a row of a line table; @file is the index's, @unit a DIE */
struct index_row {
	uint64_t unit;
	uint64_t address;
	const char *file;
	int line;
};

/**
 * index_rows() - call a function for each row of the line tables of some files
 * @x: the index
 * @end: end of the paths of the files, as in debug_ends_with()
 * @fn: called for each row; returns false to end. It has to copy a row that it keeps.
 * @ctx: for @fn
 *
 * Return: false: @fn returned false, or the index is damaged; in both cases the index is not
 * used again.
 */
bool index_rows(struct index *x, const char *end,
		bool (*fn)(void *ctx, const struct index_row *row), void *ctx);

/* ---- what others ask, too --------------------------------------------------------- */

/**
 * debug_is_type() - report whether a keyword stands for a DIE's type
 * @tag: tag of the DIE
 * @kind: DEBUG_STRUCT stands for structures and classes, DEBUG_UNION for unions, DEBUG_ENUM
 *	for enumerations; DEBUG_TYPEDEF, which has no keyword, for all of these, typedefs
 *	and base types
 *
 * Return: true if it does.
 */
bool debug_is_type(int tag, enum debug_type_kind kind);

/* ---- keys --------------------------------------------------------------------------- */

/**
 * index_key() - compute the key of a name
 * @name: name; need not end with a NUL
 * @length: bytes of it
 *
 * Return: the key: the low 32 bits of XXH64. Two names may have one key.
 */
uint32_t index_key(const char *name, size_t length);

/**
 * index_func_key() - compute the key of a function's name
 * @name: name; need not end with a NUL
 * @length: bytes of it
 *
 * Blanks do not count. The arguments of templates do not count either: the name ends before
 * its first '<', unless it begins with that. Only the first 64 of the remaining bytes count.
 *
 * Return: the key, as of index_key().
 */
uint32_t index_func_key(const char *name, size_t length);

#endif /* KTAP_DWARF_INDEX_INDEX_H */
