/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The format of an index: a header, then sections. All numbers are little-endian;
 * DIEs are their offsets in .debug_info, which has to be smaller than 4 GiB. Streams
 * are of LEB128 numbers. What is sorted begins with the smallest.
 */
#ifndef KTAP_DWARF_INDEX_FORMAT_H
#define KTAP_DWARF_INDEX_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define INDEX_MAGIC "ktapidx"
/* Raise it with every change of the format, and of what is looked for by name. */
#define INDEX_VERSION 4
#define INDEX_ID_MAX 64
/* No larger file is read or written. */
#define INDEX_SIZE_MAX (256u << 20)

enum index_section {
	INDEX_UNITS,	/* struct index_unit, by die */
	INDEX_FUNCS,	/* stream: of each unit, its functions that have code */
	INDEX_ADDRESSES,	/* struct index_range, by start: the file's own table */
	INDEX_RANGES,	/* struct index_range, by unit: what units say */
	INDEX_NAMES,	/* struct index_name, by key */
	INDEX_LISTS,	/* stream: of each name, functions and copies */
	INDEX_TYPES,	/* struct index_type, by key and die */
	INDEX_FILES,	/* struct index_source */
	INDEX_STRINGS,	/* text: the paths of files, each with its NUL */
	INDEX_ROWS,	/* stream: of each file, its lines in each unit */
	INDEX_TABLES,	/* stream: of each unit, what it calls its files */
	INDEX_NR
};

/**
 * struct index_header - in front of the sections
 * @magic: INDEX_MAGIC
 * @checksum: XXH64 of all that follows
 * @version: INDEX_VERSION
 * @id_size: bytes of the build-id
 * @id: build-id
 * @layout: of the file that has the debug information: a hash of where its sections
 *	are, and of samples of what is in them
 * @size: of the index
 * @section: where each begins, and how many bytes it has
 */
struct index_header {
	char magic[8];
	uint64_t checksum;
	uint32_t version;
	uint32_t id_size;
	uint8_t id[INDEX_ID_MAX];
	uint64_t layout;
	uint64_t size;
	struct {
		uint32_t start;
		uint32_t size;
	} section[INDEX_NR];
};

/* struct index_unit - @funcs: in INDEX_FUNCS: how many, then the distance of each
 * from the one before it, or from the unit; @table: in INDEX_TABLES: how many, then
 * of each file, from the unit's number 0 on, its number in INDEX_FILES (zigzag
 * distance from the one before it)
 */
struct index_unit {
	uint32_t die;
	uint32_t funcs;
	uint32_t table;
};

/* struct index_range - addresses of DWARF of a unit's code; @unit: its number */
struct index_range {
	uint64_t start;
	uint64_t end;
	uint32_t unit;
	uint32_t zero;
};

/* struct index_name - @list: in INDEX_LISTS: how many functions, then the distance
 * of each from the one before it; the same of copies
 */
struct index_name {
	uint32_t key;
	uint32_t list;
};

/* struct index_type - the first definition of a type; of structures and unions, the
 * first of each that debug_likeness() tells apart; those of one size in one line of a
 * header are taken for one
 */
struct index_type {
	uint32_t key;
	uint32_t die;
};

/* struct index_source - @path: in INDEX_STRINGS; @rows: in INDEX_ROWS: how many
 * units, then of each: its number (distance from the one before it), bytes, and
 * rows: address and line (zigzag distances from the row before it)
 */
struct index_source {
	uint32_t path;
	uint32_t rows;
};

#endif /* KTAP_DWARF_INDEX_FORMAT_H */
