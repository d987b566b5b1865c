// SPDX-License-Identifier: GPL-2.0
/*
 * Maps of a session. A table is allocated for each CPU that is online, and for each that
 * comes online later. All of them live as long as the session.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "core/budget.h"
#include "core/maps.h"
#include "hit/pages.h"
#include "hit/scratch.h"

/**
 * struct table - table of a CPU
 * @pages: its pages
 * @mem: the pages, mapped as one area
 * @bytes: charge to the budget
 */
struct table {
	struct ktap_pages pages;
	u8 *mem;
	u64 bytes;
};

/**
 * struct one - a map
 * @map: shape of its tables
 * @room: buffers that hits of registers-only programs need
 * @tables: table of each CPU, or NULL
 */
struct one {
	struct ktap_map map;
	u32 room;
	struct table *tables[];
};

static u64 table_bytes(const struct ktap_map *m)
{
	return PAGE_ALIGN(ktap_map_bytes(m));
}

static void table_free(struct table *t)
{
	if (!t)
		return;
	vunmap(t->mem);
	ktap_pages_free(&t->pages);
	ktap_budget_give(KTAP_MEM_RINGS, t->bytes);
	kfree(t);
}

static struct table *table_alloc(const struct ktap_map *m, unsigned int cpu)
{
	u64 bytes = table_bytes(m);
	struct table *t;
	int err;

	t = kzalloc_node(sizeof(*t), KTAP_GFP, cpu_to_node(cpu));
	if (!t)
		return ERR_PTR(-ENOMEM);
	err = ktap_budget_take(KTAP_MEM_RINGS, bytes, 0, NULL);
	if (err)
		goto err_free;
	t->bytes = bytes;
	err = ktap_pages_alloc(&t->pages, bytes >> PAGE_SHIFT, cpu);
	if (!err)
		t->mem = vmap(t->pages.page, t->pages.nr, VM_MAP, PAGE_KERNEL);
	if (!t->mem) {
		err = -ENOMEM;
		goto err_free;
	}
	ktap_map_begin(m, t->mem, cpu);
	return t;

err_free:
	table_free(t);
	return ERR_PTR(err);
}

static void one_free(struct one *one)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		table_free(one->tables[cpu]);
	ktap_scratch_drop(one->room);
	kfree(one);
}

static struct one *one_alloc(const struct ktap_session_map *arg)
{
	u32 room = arg->key_size + sizeof(u64);
	struct one *one;
	int err;

	one = kzalloc(struct_size(one, tables, nr_cpu_ids), KTAP_GFP);
	if (!one)
		return ERR_PTR(-ENOMEM);
	err = ktap_map_init(&one->map, arg);
	if (!err)
		err = ktap_scratch_hold(room, NULL);
	if (err) {
		kfree(one);
		return ERR_PTR(err);
	}
	one->room = room;
	return one;
}

/* Context: CPU hotplug lock held. */
static int alloc_tables(struct one *one)
{
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		struct table *t = table_alloc(&one->map, cpu);

		if (IS_ERR(t))
			return PTR_ERR(t);
		one->tables[cpu] = t;
	}
	return 0;
}

/**
 * ktap_maps_init() - initialise the maps of a new session
 * @maps: maps
 *
 * Context: any.
 */
void ktap_maps_init(struct ktap_maps *maps)
{
	xa_init(&maps->by_nr);
	maps->nr = 0;
}

/**
 * ktap_maps_create() - create a map
 * @maps: maps of the session
 * @lock: lock of hotplug callbacks
 * @arg: request; the reply is filled in
 *
 * Context: process, under the session's lock; may sleep.
 * Return: 0, -EINVAL, -ENOMEM, -ENOSPC for the limit of memory, or -EMFILE for the limit
 * of maps.
 */
int ktap_maps_create(struct ktap_maps *maps, struct mutex *lock,
		     struct ktap_session_map *arg)
{
	struct one *one;
	int err;

	if (maps->nr == KTAP_NR_MAPS)
		return -EMFILE;
	one = one_alloc(arg);
	if (IS_ERR(one))
		return PTR_ERR(one);
	cpus_read_lock();
	mutex_lock(lock);
	err = alloc_tables(one);
	if (!err)
		err = xa_err(xa_store(&maps->by_nr, maps->nr, one, KTAP_GFP));
	mutex_unlock(lock);
	cpus_read_unlock();
	if (err) {
		one_free(one);
		return err;
	}
	arg->map = maps->nr++;
	arg->bytes = table_bytes(&one->map);
	return 0;
}

/**
 * ktap_maps_cpu_comes() - make the tables of a CPU that comes online
 * @maps: maps of the session
 * @cpu: CPU
 *
 * The CPU comes online even if a table cannot be allocated. Its hits then count as
 * no_ring.
 *
 * Context: CPU hotplug callback; may sleep.
 */
void ktap_maps_cpu_comes(struct ktap_maps *maps, unsigned int cpu)
{
	struct table *t;
	struct one *one;
	unsigned long nr;

	xa_for_each(&maps->by_nr, nr, one) {
		if (one->tables[cpu])
			continue;
		t = table_alloc(&one->map, cpu);
		if (!IS_ERR(t))
			/* pairs with table_of() */
			smp_store_release(&one->tables[cpu], t);
	}
}

/**
 * ktap_maps_destroy() - free all maps
 * @maps: maps of a session without attachments
 *
 * Context: process.
 */
void ktap_maps_destroy(struct ktap_maps *maps)
{
	struct one *one;
	unsigned long nr;

	xa_for_each(&maps->by_nr, nr, one)
		one_free(one);
	xa_destroy(&maps->by_nr);
}

/**
 * ktap_maps_find() - find a map
 * @maps: maps of the session
 * @nr: its number
 *
 * Context: any.
 * Return: the map or NULL.
 */
const struct ktap_map *ktap_maps_find(struct ktap_maps *maps, u32 nr)
{
	struct one *one = xa_load(&maps->by_nr, nr);

	return one ? &one->map : NULL;
}

/**
 * ktap_maps_table() - table of a CPU
 * @m: map that ktap_maps_find() returned
 * @cpu: CPU
 *
 * Context: under the lock of hotplug callbacks.
 * Return: the table or NULL.
 */
u8 *ktap_maps_table(const struct ktap_map *m, unsigned int cpu)
{
	const struct one *one = container_of(m, struct one, map);

	return one->tables[cpu] ? one->tables[cpu]->mem : NULL;
}

/* A reader needs no lock: a table is freed only with the session. */
static struct table *table_of(const struct one *one, unsigned int cpu)
{
	/* pairs with ktap_maps_cpu_comes() */
	return smp_load_acquire(&one->tables[cpu]);
}

/**
 * ktap_maps_peek() - table of a CPU, for a reader
 * @m: map that ktap_maps_find() returned
 * @cpu: CPU
 *
 * Context: process.
 * Return: the table or NULL.
 */
const u8 *ktap_maps_peek(const struct ktap_map *m, unsigned int cpu)
{
	const struct table *t = table_of(container_of(m, struct one, map), cpu);

	return t ? t->mem : NULL;
}

/**
 * ktap_maps_bytes() - memory of all tables
 * @maps: maps of the session
 *
 * Context: process.
 * Return: bytes.
 */
u64 ktap_maps_bytes(struct ktap_maps *maps)
{
	unsigned int cpu;
	unsigned long nr;
	struct one *one;
	u64 bytes = 0;

	xa_for_each(&maps->by_nr, nr, one)
		for (cpu = 0; cpu < nr_cpu_ids; cpu++)
			bytes += one->tables[cpu] ? table_bytes(&one->map) : 0;
	return bytes;
}

/**
 * ktap_maps_mmap() - map a table into user space, read-only
 * @maps: maps of the session
 * @nr: number of the map * nr_cpu_ids + CPU
 * @vma: mapping
 * @page: first page
 *
 * Context: process, mmap lock held.
 * Return: 0, -ENXIO if there is no such table, or the error of ktap_pages_map().
 */
int ktap_maps_mmap(struct ktap_maps *maps, u64 nr, struct vm_area_struct *vma,
		   unsigned long page)
{
	struct table *t;
	struct one *one;

	if (nr / nr_cpu_ids >= KTAP_NR_MAPS)
		return -ENXIO;
	one = xa_load(&maps->by_nr, nr / nr_cpu_ids);
	if (!one)
		return -ENXIO;
	t = table_of(one, nr % nr_cpu_ids);
	return t ? ktap_pages_map(&t->pages, vma, page, false) : -ENXIO;
}
