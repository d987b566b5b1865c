/* SPDX-License-Identifier: GPL-2.0 */
/* Maps of a session: their tables, one per CPU. */
#ifndef KTAP_MAPS_H
#define KTAP_MAPS_H

#include <linux/ktap.h>
#include <linux/xarray.h>

#include "hit/map.h"

struct mutex;
struct vm_area_struct;

/**
 * struct ktap_maps - maps of a session
 * @by_nr: maps by number; lookups need no lock, because none is removed before the session
 *	is freed
 * @nr: number of maps
 */
struct ktap_maps {
	struct xarray by_nr;
	u32 nr;
};

void ktap_maps_init(struct ktap_maps *maps);
int ktap_maps_create(struct ktap_maps *maps, struct mutex *lock,
		     struct ktap_session_map *arg);
void ktap_maps_cpu_comes(struct ktap_maps *maps, unsigned int cpu);
void ktap_maps_destroy(struct ktap_maps *maps);
const struct ktap_map *ktap_maps_find(struct ktap_maps *maps, u32 nr);
u8 *ktap_maps_table(const struct ktap_map *m, unsigned int cpu);
const u8 *ktap_maps_peek(const struct ktap_map *m, unsigned int cpu);
u64 ktap_maps_bytes(struct ktap_maps *maps);
int ktap_maps_mmap(struct ktap_maps *maps, u64 nr, struct vm_area_struct *vma,
		   unsigned long page);

#endif /* KTAP_MAPS_H */
