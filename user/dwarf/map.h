/* SPDX-License-Identifier: GPL-2.0 */
/* Where the parts of a file are in memory. */
#ifndef KTAP_DWARF_MAP_H
#define KTAP_DWARF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum debug_area_kind {
	DEBUG_AREA_THERE,
	DEBUG_AREA_PERCPU,	/* variables that each CPU has: offsets */
	DEBUG_AREA_FREED,	/* was there while it was initialised */
	DEBUG_AREA_UNKNOWN,	/* not loaded, or nobody says where */
};

/**
 * struct debug_area - part of a file
 * @start: address of its first byte, as the file has it
 * @end: behind the last one
 * @slide: what is added to its addresses to make those of memory
 * @kind: what is there
 */
struct debug_area {
	uint64_t start;
	uint64_t end;
	uint64_t slide;
	enum debug_area_kind kind;
};

/**
 * struct debug_map - all of a file
 * @area: of several that have an address the first one counts; owned
 * @nr: how many
 */
struct debug_map {
	struct debug_area *area;
	size_t nr;
};

/* debug_map_add() - false: no memory. */
bool debug_map_add(struct debug_map *map, struct debug_area area);
void debug_map_deinit(struct debug_map *map);

/* debug_map_find() - what has @address of the file; where nothing has it, what is
 * not known. Without a @map the file is where it says.
 */
struct debug_area debug_map_find(const struct debug_map *map, uint64_t address);

/* debug_map_has() - whether @value can be an address in memory of what is there, or
 * a variable of each CPU.
 */
bool debug_map_has(const struct debug_map *map, uint64_t value);

/* debug_map_back() - the address in the file of what is at @address in memory;
 * false: it is not of the file.
 */
bool debug_map_back(const struct debug_map *map, uint64_t address,
		    uint64_t *ret);

#endif /* KTAP_DWARF_MAP_H */
