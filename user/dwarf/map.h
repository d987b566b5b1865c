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

/**
 * debug_map_add() - append an area to a map
 * @map: map; all zeros at the start
 * @area: copied; areas that were added before it take precedence in debug_map_find()
 *
 * Return: false: no memory, and @map is unchanged.
 */
bool debug_map_add(struct debug_map *map, struct debug_area area);

/**
 * debug_map_deinit() - release a map
 * @map: becomes empty, and can be used again
 */
void debug_map_deinit(struct debug_map *map);

/**
 * debug_map_find() - find the area that has an address of the file
 * @map: the map; NULL: everything is where the file says, with a slide of 0
 * @address: as the file has it
 *
 * Return: the first area that has @address; if there is none, an area of kind
 * DEBUG_AREA_UNKNOWN.
 */
struct debug_area debug_map_find(const struct debug_map *map, uint64_t address);

/**
 * debug_map_has() - report whether a number can be an address in memory of part of a file
 * @map: the map; NULL: false is returned
 * @value: an address in memory, or an offset of a variable that each CPU has
 *
 * Areas that were freed, or whose place is unknown, do not count. Each area is checked alone:
 * the order of the areas has no effect.
 *
 * Return: true if it can be one.
 */
bool debug_map_has(const struct debug_map *map, uint64_t value);

/**
 * debug_map_back() - convert an address in memory to an address of the file
 * @map: the map; not NULL
 * @address: in memory
 * @ret: as the file has it
 *
 * Only areas of kind DEBUG_AREA_THERE are searched.
 *
 * Return: false: @address is not in one of them, and @ret is unchanged.
 */
bool debug_map_back(const struct debug_map *map, uint64_t address,
		    uint64_t *ret);

#endif /* KTAP_DWARF_MAP_H */
