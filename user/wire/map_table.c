// SPDX-License-Identifier: GPL-2.0
#include "wire/map_table.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int map_table_each(const struct ktap_map_head *h, map_row_fn fn, void *ctx)
{
	const char *table = (const char *)h;
	int err = 0;

	for (uint32_t i = 0; !err && i <= h->nr_slots; i++) {
		const struct ktap_map_slot *slot = (const void *)
			(table + h->slots_off + (size_t)i * h->slot_size);
		bool is_row = i < h->nr_slots;

		/* I: the tag before the key; pairs with the module's claim() */
		if (is_row && __atomic_load_n(&slot->tag, __ATOMIC_ACQUIRE) <=
				      KTAP_MAP_BUSY)
			continue;
		err = fn(ctx, slot, is_row ? (const char *)slot + h->key_off :
					     NULL);
	}
	return err;
}

/* ---- of a probe module ---- */

static bool head_is_good(const struct map_of_module *map,
			 const struct ktap_map_head *h, unsigned int cpu)
{
	return h->magic == KTAP_MAP_MAGIC && h->cpu == cpu &&
	       h->nr_slots <= KTAP_MAP_SLOTS_MAX && h->slots_off >= sizeof(*h) &&
	       h->key_off == sizeof(struct ktap_map_slot) +
			     map->nr_words * sizeof(uint64_t) &&
	       h->slot_size >= h->key_off;
}

static int fail_map(unsigned int cpu, struct diag *d)
{
	return diag_set(d, -errno, DIAG_SESSION_MAP_TABLE, cpu, strerror(errno));
}

/* The head says how much there is to map. Return: bytes; 0: there is no table; negative. */
static ssize_t table_size(const struct map_of_module *map, unsigned int cpu,
			  off_t at, struct diag *d)
{
	size_t page = sysconf(_SC_PAGESIZE);
	const struct ktap_map_head *h;
	ssize_t size;

	h = mmap(NULL, page, PROT_READ, MAP_SHARED, map->fd, at);
	if (h == MAP_FAILED)
		return errno == ENXIO ? 0 : fail_map(cpu, d);
	size = !head_is_good(map, h, cpu) ?
		       diag_set(d, -EPROTO, DIAG_SESSION_BAD_TABLE, cpu) :
		       h->slots_off + ((ssize_t)h->nr_slots + 1) * h->slot_size;
	munmap((void *)h, page);
	return size;
}

static int read_cpu(const struct map_of_module *map, unsigned int cpu,
		    map_row_fn fn, void *ctx, struct diag *d)
{
	off_t at = KTAP_MMAP_MAPS +
		   ((uint64_t)map->nr * map->nr_cpus + cpu) * KTAP_MMAP_STRIDE;
	ssize_t size = table_size(map, cpu, at, d);
	void *table;
	int err;

	if (size <= 0)
		return size;
	table = mmap(NULL, size, PROT_READ, MAP_SHARED, map->fd, at);
	if (table == MAP_FAILED)
		return fail_map(cpu, d);
	err = map_table_each(table, fn, ctx);
	munmap(table, size);
	return err;
}

int map_table_read(const struct map_of_module *map, map_row_fn fn, void *ctx,
		   struct diag *d)
{
	int err = 0;

	for (unsigned int cpu = 0; !err && cpu < map->nr_cpus; cpu++)
		err = read_cpu(map, cpu, fn, ctx, d);
	return err;
}
