// SPDX-License-Identifier: GPL-2.0
/* Where the parts of a file are in memory: a list, which is searched. */
#include "dwarf/map.h"

#include <stdlib.h>

#include "base/array.h"

bool debug_map_add(struct debug_map *map, struct debug_area area)
{
	struct debug_area *more = array_grow(map->area, map->nr, sizeof(*more));

	if (!more)
		return false;
	map->area = more;
	more[map->nr++] = area;
	return true;
}

void debug_map_deinit(struct debug_map *map)
{
	free(map->area);
	*map = (struct debug_map){};
}

struct debug_area debug_map_find(const struct debug_map *map, uint64_t address)
{
	const struct debug_area unknown = { .kind = DEBUG_AREA_UNKNOWN };

	if (!map)
		return (struct debug_area){ .end = UINT64_MAX };
	for (size_t i = 0; i < map->nr; i++) {
		const struct debug_area *a = &map->area[i];

		if (address >= a->start && address < a->end)
			return *a;
	}
	return unknown;
}

bool debug_map_has(const struct debug_map *map, uint64_t value)
{
	for (size_t i = 0; map && i < map->nr; i++) {
		const struct debug_area *a = &map->area[i];

		if ((a->kind == DEBUG_AREA_THERE ||
		     a->kind == DEBUG_AREA_PERCPU) &&
		    value - a->slide >= a->start && value - a->slide < a->end)
			return true;
	}
	return false;
}

bool debug_map_back(const struct debug_map *map, uint64_t address,
		    uint64_t *ret)
{
	for (size_t i = 0; i < map->nr; i++) {
		const struct debug_area *a = &map->area[i];

		uint64_t found = address - a->slide;

		if (a->kind == DEBUG_AREA_THERE && found >= a->start &&
		    found < a->end) {
			*ret = found;
			return true;
		}
	}
	return false;
}
