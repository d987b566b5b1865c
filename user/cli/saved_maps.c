// SPDX-License-Identifier: GPL-2.0
#include "cli/saved_maps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "aggregate/saved.h"
#include "base/array.h"
#include "cli/say.h"

static int add_rows(const struct datafile *f, const struct aggregated *map, struct rows *ret)
{
	int err = 0;

	for (size_t i = 0; !err && i < f->nr_maps; i++)
		if (f->maps[i].id == map->id)
			err = rows_load(ret, &f->maps[i]);
	return err;
}

int saved_maps_load(const struct datafile *f, const struct aggregated *map, struct rows *ret)
{
	rows_init(ret, map->layout);
	return add_rows(f, map, ret);
}

/* A decoder knows the last probe of an id. */
static bool is_shown(const struct datafile *f, size_t probe,
		     const struct aggregated_look *look)
{
	const struct datafile_probe *p = &f->probes[probe];
	bool has = false;

	for (size_t i = probe + 1; i < f->nr_probes; i++)
		if (f->probes[i].id == p->id)
			return false;
	for (size_t i = 0; i < f->nr_maps; i++)
		has |= f->maps[i].id == p->id;
	return has && (!look->wanted || look->wanted(look->ctx, p->name));
}

/* A key is a payload of the probe. */
static bool makes_sense(const struct rows *rows, const struct row *row,
			const struct aggregated *map, const struct aggregated_look *look)
{
	struct event e;

	return rows_possible(rows, row) &&
	       (!row->key || decoder_values(look->decoder, map->id, row->key, row->key_size, &e));
}

/* Removes rows that make no sense. Return: whether there were any. */
static bool drop_damaged(struct rows *rows, const struct aggregated *map,
			 const struct aggregated_look *look)
{
	size_t nr = rows->nr;

	rows->nr = 0;
	for (size_t i = 0; i < nr; i++) {
		struct row *row = &rows->row[i];

		if (makes_sense(rows, row, map, look)) {
			rows->row[rows->nr++] = *row;
			continue;
		}
		free(row->key);
		free(row->words);
	}
	return rows->nr < nr;
}

int saved_map_show(const struct datafile *f, struct aggregated *map, size_t nr, size_t first,
		   const struct aggregated_look *look)
{
	bool damaged = false;
	struct rows rows;
	int err = 0;

	rows_init(&rows, map[first].layout);
	for (size_t i = first; !err && i < nr; i++) {
		if (map[i].first != first)
			continue;
		err = add_rows(f, &map[i], &rows);
		damaged |= err == -EBADMSG;
		err = err == -EBADMSG ? 0 : err;
	}
	damaged |= !err && drop_damaged(&rows, &map[first], look);
	if (!err)
		err = aggregated_show(&map[first], &rows, look);
	rows_deinit(&rows);
	return err ? err : damaged;
}

/**
 * struct walk - maps of a recording that are handed on
 * @look: how they are shown, and which
 * @row: takes rows; NULL: they are shown
 * @ctx: for @row
 */
struct walk {
	const struct aggregated_look *look;
	saved_row_fn row;
	void *ctx;
};

static int hand_on(const struct walk *w, const struct datafile *f,
		   const struct aggregated *map)
{
	struct rows rows;
	struct event e;
	int err = saved_maps_load(f, map, &rows);
	bool damaged = err == -EBADMSG;

	for (size_t i = 0; (!err || err == -EBADMSG) && i < rows.nr; i++) {
		const struct row *row = &rows.row[i];

		err = -EBADMSG;
		if (decoder_values(w->look->decoder, map->id, row->key, row->key_size, &e))
			err = w->row(w->ctx, &rows, row, &e);
		damaged |= err == -EBADMSG;
	}
	rows_deinit(&rows);
	return err && err != -EBADMSG ? err : damaged;
}

static int add_map(const struct datafile_probe *p, struct aggregated **maps, size_t *nr,
		   struct diag *d)
{
	struct aggregated *map = array_grow(*maps, *nr, sizeof(*map));

	if (!map)
		return -ENOMEM;
	*maps = map;
	map += (*nr)++;
	*map = (struct aggregated){ .name = p->name, .id = p->id };
	return layout_decode(p->blob, p->blob_size, d, &map->layout);
}

static int walk_maps(const struct walk *w, const struct datafile *f, struct aggregated *maps,
		     size_t nr)
{
	int err = 0, skipped = 0;

	aggregated_group(maps, 0, nr);
	for (size_t i = 0; err >= 0 && i < nr; i++) {
		if (!w->row && maps[i].first != i)
			continue;
		err = w->row ? hand_on(w, f, &maps[i]) :
			       saved_map_show(f, maps, nr, i, w->look);
		skipped |= err > 0;
	}
	return err < 0 ? err : skipped;
}

/* Return: 0; 1: rows made no sense, and were skipped; negative. */
static int walk(const struct walk *w, const struct datafile *f, struct diag *d)
{
	struct aggregated *maps = NULL;
	size_t nr = 0;
	int err = 0;

	for (size_t i = 0; !err && i < f->nr_probes; i++)
		if (is_shown(f, i, w->look))
			err = add_map(&f->probes[i], &maps, &nr, d);
	if (!err)
		err = walk_maps(w, f, maps, nr);
	for (size_t i = 0; i < nr; i++)
		aggregated_deinit(&maps[i]);
	free(maps);
	return err == -ENOMEM ? diag_no_memory(d) : err;
}

int saved_maps_each(const struct datafile *f, const struct aggregated_look *look,
		    saved_row_fn fn, void *ctx, struct diag *d)
{
	const struct walk w = { .look = look, .row = fn, .ctx = ctx };

	return walk(&w, f, d);
}

int saved_maps_show(const struct datafile *f, const struct aggregated_look *look,
		    struct diag *d)
{
	const struct walk w = { .look = look };
	int err = walk(&w, f, d);

	if (err >= 0 && fflush(stdout))
		err = -errno;
	return err < 0 && err != -EPIPE && !d->code ? say_output(d, err) : err;
}

int saved_maps_decoder(const struct datafile *f, struct diag *d, struct decoder **ret)
{
	int err = decoder_create(&f->machine, d, ret);

	for (size_t i = 0; !err && i < f->nr_probes; i++) {
		const struct datafile_probe *p = &f->probes[i];

		err = decoder_probe(*ret, p->id, p->name, p->blob, p->blob_size, d);
	}
	for (size_t i = 0; !err && i < f->nr_stacks; i++)
		err = decoder_stacks(*ret, f->stacks[i].data, f->stacks[i].size, d);
	return err;
}

int saved_maps_show_file(const struct datafile *f, const struct aggregated_look *given,
			 struct diag *d)
{
	struct aggregated_look look = *given;
	struct decoder *dec = NULL;
	int err;

	if (!f->nr_maps)
		return 0;
	err = saved_maps_decoder(f, d, &dec);
	look.decoder = dec;
	if (!err)
		err = saved_maps_show(f, &look, d);
	decoder_destroy(dec);
	return err;
}
