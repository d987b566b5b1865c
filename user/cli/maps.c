// SPDX-License-Identifier: GPL-2.0
#include "cli/maps.h"

#include <errno.h>
#include <stdlib.h>

#include "aggregate/saved.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "cli/account.h"
#include "cli/say.h"
#include "define/running.h"

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
	if (!err)
		aggregated_group(m->map, 0, m->nr);
	if (!err && !m->nr)
		maps_note_unused(c->opt);
	return err;
}

static int add_rows(const struct aggregated *map, struct capture *c, struct rows *ret,
		    struct diag *d)
{
	int err = session_map_read(c->session, &map->shape, rows_add, ret, d);

	if (err == -ENOMEM)
		diag_no_memory(d);
	/* after the rows: the module adds a stack before the first row that has its id */
	return err ? err : capture_stacks(c, d);
}

int maps_read(const struct aggregated *map, struct capture *c, struct rows *ret,
	      struct diag *d)
{
	rows_init(ret, map->layout);
	return add_rows(map, c, ret, d);
}

/* Of all points of an event. */
static int show_event(struct maps *m, size_t first, struct capture *c,
		      const struct aggregated_look *look, struct diag *d)
{
	struct rows now;
	int err = 0;

	rows_init(&now, m->map[first].layout);
	for (size_t i = first; !err && i < m->nr; i++)
		if (m->map[i].first == first)
			err = add_rows(&m->map[i], c, &now, d);
	running_symbols_follow(c->ctl, look->ks);
	if (!err)
		err = aggregated_show(&m->map[first], &now, look);
	rows_deinit(&now);
	m->any |= m->map[first].any;
	return err;
}

int maps_show(struct maps *m, struct capture *c, const struct aggregated_look *look,
	      struct diag *d)
{
	int err = 0;

	m->any = false;
	for (size_t i = 0; !err && i < m->nr; i++)
		if (m->map[i].first == i)
			err = show_event(m, i, c, look, d);
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
	int err = rows_merge(rows);

	if (err)
		return diag_no_memory(d);
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
