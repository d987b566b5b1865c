// SPDX-License-Identifier: GPL-2.0
/*
 * Maps of a probe module. They are made with its session, and their rows are read after its
 * exit, when no hit can change them any more.
 */
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/sched.h>

#include <linux/ktap_data.h>

#include "core/image.h"
#include "core/probe.h"
#include "core/session.h"

static int refuse_map(const struct ktap_image *image, u32 probe, int err)
{
	const struct ktap_session_map *map = image->maps[probe];
	const char *name = image->probes[probe]->name;

	if (map->key_size > KTAP_MAP_KEY_MAX)
		pr_err("ktap: %s: %s: the keys have %u bytes, and a map has keys of at most %u\n",
		       image->name, name, map->key_size, KTAP_MAP_KEY_MAX);
	else if (err == -ENOMEM || err == -ENOSPC)
		pr_err("ktap: %s: %s: no memory for a map of %u rows (error %d)\n",
		       image->name, name, map->nr_slots, err);
	else
		pr_err("ktap: %s: %s: its map is refused (error %d)\n", image->name,
		       name, err);
	return err;
}

/**
 * ktap_image_make_maps() - make the maps of the probes
 * @image: probe module, whose session was set up
 * @rows: keys that each map has room for; 0: as in the image
 *
 * Context: process, under the session's lock; may sleep.
 * Return: 0 or a negative errno, which the kernel's log explains.
 */
int ktap_image_make_maps(struct ktap_image *image, u32 rows)
{
	int err = 0;
	u32 i;

	if (rows > KTAP_MAP_SLOTS_MAX) {
		pr_err("ktap: %s: rows=%u: a map has at most %u rows\n", image->name,
		       rows, KTAP_MAP_SLOTS_MAX);
		return -EINVAL;
	}
	for (i = 0; !err && i < image->nr_probes; i++) {
		struct ktap_session_map *map = image->maps[i];

		if (!map)
			continue;
		/* one without keys has one row */
		if (rows && map->nr_slots > 1)
			map->nr_slots = roundup_pow_of_two(rows);
		err = ktap_session_map(image->session, map);
		if (err)
			err = refuse_map(image, i, err);
	}
	return err;
}

/**
 * ktap_image_map() - the map of a probe
 * @image: probe module, after ktap_image_make_maps()
 * @probe: number of the probe
 *
 * Context: any.
 * Return: the map, or NULL.
 */
const struct ktap_map *ktap_image_map(const struct ktap_image *image, u32 probe)
{
	const struct ktap_session_map *map = image->maps[probe];

	return map ? ktap_maps_find(&image->session->maps, map->map) : NULL;
}

/* Bytes of a row at most. */
static size_t row_max(const struct ktap_map *m)
{
	return sizeof(struct ktap_data_row) + m->key_at * sizeof(u64) + m->key_size;
}

/**
 * ktap_image_row_max() - how much room ktap_image_next_rows() needs
 * @image: probe module
 *
 * Context: process.
 * Return: bytes; 0: there are no maps.
 */
size_t ktap_image_row_max(const struct ktap_image *image)
{
	size_t most = 0;
	u32 i;

	for (i = 0; i < image->nr_probes; i++) {
		const struct ktap_map *m = ktap_image_map(image, i);

		if (m)
			most = max(most, row_max(m));
	}
	return most ? sizeof(struct ktap_data_map) + most : 0;
}

/* Return: bytes; 0: the slot is free. */
static size_t put_row(const struct ktap_map *m, const u8 *table, u32 slot, u8 *to)
{
	const struct ktap_map_head *h = (const void *)table;
	const struct ktap_map_slot *from = (const void *)
		(table + h->slots_off + (u64)slot * m->slot_size);
	struct ktap_data_row *row = (void *)to;
	size_t words = m->key_at * sizeof(u64);
	bool is_other = slot == m->nr_slots;
	u32 key = is_other ? 0 : from->key_size;

	/* no hit comes any more: no key is being written, and the tag orders nothing */
	if (!from->count || (!is_other && from->tag <= KTAP_MAP_BUSY))
		return 0;
	*row = (struct ktap_data_row){
		.count = from->count,
		.key_size = is_other ? KTAP_DATA_NO_KEY : key,
	};
	memcpy(row->words, from->words, words + key);
	return sizeof(*row) + words + key;
}

/* As many rows of one table as there is room for. Return: their bytes. */
static size_t put_rows(const struct ktap_map *m, const u8 *table, u32 *slot,
		       u8 *to, size_t room, u64 *nr)
{
	size_t size = 0, n;

	for (; *slot <= m->nr_slots && room - size >= row_max(m); ++*slot) {
		n = put_row(m, table, *slot, to + size);
		size += n;
		*nr += !!n;
		if (!(*slot % 1024))
			cond_resched();
	}
	return size;
}

/* Goes to the next table when the one at @at was read. */
static void advance(struct ktap_image_rows *at, const struct ktap_map *m)
{
	if (m && at->slot <= m->nr_slots)
		return;
	at->slot = 0;
	if (m && ++at->cpu < nr_cpu_ids)
		return;
	at->cpu = 0;
	at->probe++;
}

/**
 * ktap_image_next_rows() - make the payload of a MAP
 * @image: probe module that has ended
 * @at: how far its maps were read; zeros at first
 * @to: payload
 * @room: its bytes, at least ktap_image_row_max()
 *
 * Context: process; may sleep.
 * Return: bytes; 0: all rows were read.
 */
size_t ktap_image_next_rows(const struct ktap_image *image, struct ktap_image_rows *at,
			    void *to, size_t room)
{
	struct ktap_data_map *head = to;
	size_t size = 0;

	while (!size && at->probe < image->nr_probes) {
		const struct ktap_map *m = ktap_image_map(image, at->probe);
		const u8 *table = m ? ktap_maps_peek(m, at->cpu) : NULL;

		*head = (struct ktap_data_map){
			.id = image->probes[at->probe]->id,
			.nr_words = m ? m->key_at : 0,
		};
		if (table)
			size = put_rows(m, table, &at->slot, (u8 *)(head + 1),
					room - sizeof(*head), &head->nr_rows);
		else if (m)
			at->slot = m->nr_slots + 1;
		advance(at, m);
	}
	return size ? sizeof(*head) + size : 0;
}
