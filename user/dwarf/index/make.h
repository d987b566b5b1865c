/* SPDX-License-Identifier: GPL-2.0 */
/* What an index is made of, before it has its format. */
#ifndef KTAP_DWARF_INDEX_MAKE_H
#define KTAP_DWARF_INDEX_MAKE_H

#include "dwarf/index/index.h"

/* struct index_pair - a DIE, or a number; @key: that it is found by */
struct index_pair {
	uint32_t key;
	uint32_t die;
};

struct index_pairs {
	struct index_pair *pair;
	size_t nr;
};

/* struct index_line - a row of the line table of @unit; numbers count from 0 */
struct index_line {
	uint64_t address;
	uint32_t file;
	uint32_t unit;
	int line;
};

/* struct met - a string that was met, with a tag of DWARF or 0; @text is libdw's */
struct met {
	const char *text;
	uint32_t key;
	int tag;
	uint32_t number;
};

/* struct mets - a hash table of them */
struct mets {
	struct met *met;
	size_t nr;
	size_t room;
};

/**
 * struct collected - all of it; what is in it is owned, texts are libdw's
 * @units: DIEs
 * @funcs: functions, by their names and those of the linker
 * @copies: what was inlined, likewise
 * @codes: functions with code: the key is the number of the unit
 * @tables: what units call their files, as they have them: the key is the number of
 *	the unit, the other one that of the file
 * @types: the first definition of each, of structures of all that differ
 * @addresses: code of units, by the table of addresses
 * @ranges: by the units themselves
 * @rows: lines, by unit
 * @files: their paths
 * @type_names: types that are there
 * @type_lines: structures that are there, by where they are written
 * @unit_files: where the last unit begins in @tables
 * @paths: files that are there
 * @path: the last one of the unit
 * @file: its number
 * @failed: out of memory
 */
struct collected {
	uint32_t *units;
	size_t nr_units;
	struct index_pairs funcs;
	struct index_pairs copies;
	struct index_pairs codes;
	struct index_pairs tables;
	struct index_pairs types;
	struct index_range *addresses;
	size_t nr_addresses;
	struct index_range *ranges;
	size_t nr_ranges;
	struct index_line *rows;
	size_t nr_rows;
	const char **files;
	size_t nr_files;
	struct mets type_names;
	struct mets type_lines;
	size_t unit_files;
	struct mets paths;
	const char *path;
	uint32_t file;
	bool failed;
};

/**
 * index_collect() - collect the content of an index
 * @dbg: debug information
 * @step: as in index_make()
 * @ctx: for @step
 * @d: on failure; or NULL
 * @ret: the content, not sorted by keys yet; release with collected_deinit(), also on
 *	failure
 *
 * Return: 0; -EINVAL: the file cannot have an index: its addresses are not fixed, it has no
 * build-id, or its debug information is split or too large; -ENOMEM.
 */
int index_collect(struct debug *dbg, void (*step)(void *ctx, size_t nr),
		  void *ctx, struct diag *d, struct collected *ret);

/**
 * collected_deinit() - release what index_collect() collected
 * @c: becomes empty
 *
 * Strings that were copied from it are owned by libdw, and stay valid until debug_free().
 */
void collected_deinit(struct collected *c);

#endif /* KTAP_DWARF_INDEX_MAKE_H */
