// SPDX-License-Identifier: GPL-2.0
#include "cli/maps.h"

#include <errno.h>
#include <stdlib.h>

#include "aggregate/saved.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "cli/account.h"
#include "cli/say.h"

/* ---- of a session ---- */

/* A probe that was deleted meanwhile cannot be attached, which is reported then. */
static uint32_t find_record_max(const struct ctl_probes *all, uint32_t id)
{
	for (size_t i = 0; i < all->nr; i++)
		if (all->probes[i].id == id)
			return all->probes[i].record_max;
	return sizeof(struct ktap_rec_head);
}

static int begin_map(struct aggregated *map, struct capture *c,
		     const struct ctl_probes *all, struct target *t, struct diag *d)
{
	uint64_t nr_rows = c->opt->nr_rows ? c->opt->nr_rows : MAP_ROWS_DEFAULT;
	int err;

	*map = (struct aggregated){ .name = t->name, .id = t->id };
	err = layout_decode(t->blob, t->blob_size, d, &map->layout);
	if (err)
		return err;
	rows_init(&map->before, map->layout);
	err = rows_shape(map->layout, find_record_max(all, t->id), nr_rows, d,
			 &map->shape);
	if (!err)
		err = session_map(c->session, &map->shape, d);
	t->map = &map->shape;
	return err;
}

int maps_begin(struct maps *m, struct capture *c, struct diag *d)
{
	struct ctl_probes all = { 0 };
	int err;

	*m = (struct maps){ .map = calloc(c->targets.nr + 1, sizeof(*m->map)) };
	if (!m->map)
		return diag_no_memory(d);
	err = ctl_probes_get(c->ctl, d, &all);
	for (size_t i = 0; !err && i < c->targets.nr; i++) {
		struct target *t = &c->targets.target[i];

		if (layout_aggregates(t->blob, t->blob_size))
			err = begin_map(&m->map[m->nr++], c, &all, t, d);
	}
	ctl_probes_deinit(&all);
	if (!err && !m->nr)
		maps_note_unused(c->opt);
	return err;
}

int maps_read(const struct aggregated *map, struct capture *c, struct rows *ret,
	      struct diag *d)
{
	int err;

	rows_init(ret, map->layout);
	err = session_map_read(c->session, &map->shape, rows_add, ret, d);
	if (err == -ENOMEM)
		diag_no_memory(d);
	/* after the rows: the module adds a stack before the first row that has its id */
	return err ? err : capture_stacks(c, d);
}

int maps_show(struct maps *m, struct capture *c, const struct aggregated_look *look,
	      struct diag *d)
{
	struct rows now;
	int err = 0;

	m->any = false;
	for (size_t i = 0; !err && i < m->nr; i++) {
		err = maps_read(&m->map[i], c, &now, d);
		if (!err)
			err = aggregated_show(&m->map[i], &now, look);
		rows_deinit(&now);
		m->any |= m->map[i].any;
	}
	if (!err && fflush(stdout))
		err = -errno;
	return err && err != -EPIPE && !d->code ? say_output(d, err) : err;
}

/* ktap.data: 12 records, 0 lost, 340 hits in maps, 4096 bytes */
void maps_note_recording(const char *path, const struct ktap_counts *sum, bool any,
			 uint64_t size)
{
	_cleanup_buf_ struct buf maps = BUF_INIT;

	if (any)
		buf_printf(&maps, " %llu hits in maps,",
			   (unsigned long long)(sum->aggregated + sum->other));
	say_note("%s: %llu records, %llu lost,%s %llu bytes", path,
		 (unsigned long long)sum->recorded,
		 (unsigned long long)account_lost(sum), buf_str(&maps),
		 (unsigned long long)size);
}

int maps_save(struct rows *rows, uint32_t id, struct addresses *addresses,
	      struct datafile_writer *w, struct diag *d)
{
	int err = 0;

	rows_merge(rows);
	for (size_t i = 0; !err && i < rows->nr; i++)
		if (rows->row[i].key)
			err = addresses_payload(addresses, id, rows->row[i].key,
						rows->row[i].key_size, d);
	return err ? err : rows_save(rows, id, w, d);
}

void maps_note_unused(const struct capture_options *opt)
{
	if (opt->quiet || !(opt->interval_ns || opt->nr_rows))
		return;
	say_note("no definition aggregates: %s changes nothing",
		 opt->interval_ns ? "--interval" : "--rows");
}

void maps_note_other(const struct ktap_counts *sum, const char *hint)
{
	if (sum->other)
		say_note("%llu of %llu hits are in '(other)', because all rows were taken%s",
			 (unsigned long long)sum->other,
			 (unsigned long long)(sum->aggregated + sum->other), hint);
}

void maps_deinit(struct maps *m)
{
	for (size_t i = 0; i < m->nr; i++)
		aggregated_deinit(&m->map[i]);
	free(m->map);
}

/* ---- of a recording ---- */

int maps_load(const struct datafile *f, const struct aggregated *map, struct rows *ret)
{
	int err = 0;

	rows_init(ret, map->layout);
	for (size_t i = 0; !err && i < f->nr_maps; i++)
		if (f->maps[i].id == map->id)
			err = rows_load(ret, &f->maps[i]);
	return err;
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

/* Removes rows whose keys are no payload of the probe. Return: whether there were any. */
static bool drop_damaged(struct rows *rows, const struct aggregated *map,
			 const struct aggregated_look *look)
{
	size_t nr = rows->nr;
	struct event e;

	rows->nr = 0;
	for (size_t i = 0; i < nr; i++) {
		struct row *row = &rows->row[i];

		if (!row->key ||
		    decoder_values(look->decoder, map->id, row->key, row->key_size, &e)) {
			rows->row[rows->nr++] = *row;
			continue;
		}
		free(row->key);
		free(row->words);
	}
	return rows->nr < nr;
}

int maps_show_saved(const struct datafile *f, struct aggregated *map,
		    const struct aggregated_look *look)
{
	bool damaged = false;
	struct rows rows;
	int err;

	err = maps_load(f, map, &rows);
	if (!err) {
		damaged = drop_damaged(&rows, map, look);
		err = aggregated_show(map, &rows, look);
	}
	rows_deinit(&rows);
	return err == -EBADMSG || (!err && damaged) ? 1 : err;
}

static int show_recorded(const struct datafile *f, const struct datafile_probe *p,
			 const struct aggregated_look *look, struct diag *d)
{
	struct aggregated map = { .name = p->name, .id = p->id };
	int err;

	err = layout_decode(p->blob, p->blob_size, d, &map.layout);
	if (!err)
		err = maps_show_saved(f, &map, look);
	aggregated_deinit(&map);
	return err;
}

int maps_show_recorded(const struct datafile *f, const struct aggregated_look *look,
		       struct diag *d)
{
	int err = 0, skipped = 0;

	for (size_t i = 0; err >= 0 && i < f->nr_probes; i++) {
		if (!is_shown(f, i, look))
			continue;
		err = show_recorded(f, &f->probes[i], look, d);
		skipped |= err > 0;
	}
	if (err >= 0 && fflush(stdout))
		err = -errno;
	if (err < 0)
		return err != -EPIPE && !d->code ? say_output(d, err) : err;
	return skipped;
}

int maps_show_file(const struct datafile *f, const struct aggregated_look *given,
		   struct diag *d)
{
	struct aggregated_look look = *given;
	struct decoder *dec = NULL;
	int err;

	if (!f->nr_maps)
		return 0;
	err = decoder_create(&f->machine, d, &dec);
	for (size_t i = 0; !err && i < f->nr_probes; i++) {
		const struct datafile_probe *p = &f->probes[i];

		err = decoder_probe(dec, p->id, p->name, p->blob, p->blob_size, d);
	}
	for (size_t i = 0; !err && i < f->nr_stacks; i++)
		err = decoder_stacks(dec, f->stacks[i].data, f->stacks[i].size, d);
	look.decoder = dec;
	if (!err)
		err = maps_show_recorded(f, &look, d);
	decoder_destroy(dec);
	return err;
}
