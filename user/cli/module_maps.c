// SPDX-License-Identifier: GPL-2.0
/*
 * While the module runs, its tables are mapped, as in a session. At the end the device
 * gives all rows, when no hit can change them any more.
 */
#include "cli/module_maps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"
#include "cli/print.h"
#include "cli/saved_maps.h"
#include "cli/say.h"
#include "wire/map_table.h"

/* Where records come faster than they are read, rows do not wait for ever. */
#define PATIENCE_NS	1000000000ULL

void module_maps_init(struct module_maps *m, struct output *out, uint64_t interval_ns)
{
	*m = (struct module_maps){ .out = out, .interval_ns = interval_ns };
	m->began_ns = now_ns();
	m->shown_ns = m->began_ns;
	m->due_ns = m->began_ns + interval_ns;
}

static void drop_rows(struct module_maps *m)
{
	for (size_t i = 0; m->now && i < m->nr; i++)
		rows_deinit(&m->now[i]);
	free(m->now);
	m->now = NULL;
}

int module_maps_probe(struct module_maps *m, const struct datafile_probe *p,
		      struct diag *d)
{
	struct aggregated *map;
	int err;

	if (!layout_aggregates(p->blob, p->blob_size))
		return 0;
	drop_rows(m);
	map = array_grow(m->map, m->nr, sizeof(*map));
	if (!map)
		return diag_no_memory(d);
	m->map = map;
	map += m->nr;
	*map = (struct aggregated){ .name = p->name, .id = p->id };
	err = layout_decode(p->blob, p->blob_size, d, &map->layout);
	if (err)
		return err;
	rows_init(&map->before, map->layout);
	m->nr++;
	aggregated_group(m->map, m->nr - 1, m->nr);
	return 0;
}

/* ---- output ---------------------------------------------------------------------- */

static struct aggregated_look look_of(const struct module_maps *m)
{
	return (struct aggregated_look){
		.decoder = m->decoder, .ks = m->out->ks, .json = m->out->json,
		.ints_text = m->out->ints_text, .depth = m->out->depth,
		.time_ns = m->interval_ns ? m->shown_ns : 0,
	};
}

/* Return: 0 or a negative errno. */
static int show_begin(struct module_maps *m)
{
	int err = output_flush(m->out);

	if (err)
		return err;
	output_block(m->out);
	m->shown_ns = now_ns();
	if (m->interval_ns && !m->out->json)
		aggregated_heading((double)(m->shown_ns - m->began_ns) / 1e9);
	return 0;
}

static int show_end(struct module_maps *m, int err, struct diag *d)
{
	bool any = false;

	for (size_t i = 0; i < m->nr; i++)
		any |= m->map[i].any;
	if (err >= 0 && !any && m->interval_ns && !m->out->json)
		print_line("no hits");
	if (err >= 0 && fflush(stdout))
		err = -errno;
	return err < 0 && err != -EPIPE && !d->code ? say_output(d, err) : err;
}

/* ---- while it runs --------------------------------------------------------------- */

static int take_rows(struct module_maps *m, int fd, struct diag *d)
{
	int err = 0;

	m->now = calloc(m->nr, sizeof(*m->now));
	if (!m->now)
		return diag_no_memory(d);
	for (size_t i = 0; !err && i < m->nr; i++) {
		struct rows *now = &m->now[m->map[i].first];

		rows_init(&m->now[i], m->map[i].layout);
		err = map_table_read(&(struct map_of_module){
			.fd = fd, .nr = i, .nr_cpus = m->nr_cpus,
			.nr_words = now->nr_words,
		}, rows_add, now, d);
	}
	/* large tables take long */
	m->taken_ns = now_ns();
	return err == -ENOMEM ? diag_no_memory(d) : err;
}

int module_maps_look(struct module_maps *m, int fd, struct diag *d)
{
	uint64_t now = now_ns();

	if (!m->interval_ns || !m->nr || !m->decoder)
		return 0;
	if (m->now)
		return now - m->taken_ns < PATIENCE_NS ? 0 : module_maps_drained(m, d);
	return clock_due(&m->due_ns, m->interval_ns, now) ? take_rows(m, fd, d) : 0;
}

int module_maps_drained(struct module_maps *m, struct diag *d)
{
	struct aggregated_look look;
	int err;

	if (!m->now)
		return 0;
	err = show_begin(m);
	look = look_of(m);
	for (size_t i = 0; !err && i < m->nr; i++)
		if (m->map[i].first == i)
			err = aggregated_show(&m->map[i], &m->now[i], &look);
	drop_rows(m);
	return show_end(m, err, d);
}

/* ---- at the end ------------------------------------------------------------------ */

int module_maps_end(struct module_maps *m, const struct datafile *f, struct diag *d)
{
	struct aggregated_look look;
	int err, skipped = 0;

	if (!m->nr)
		return 0;
	drop_rows(m);
	err = show_begin(m);
	look = look_of(m);
	for (size_t i = 0; err >= 0 && i < m->nr; i++) {
		if (m->map[i].first != i)
			continue;
		err = saved_map_show(f, m->map, m->nr, i, &look);
		skipped |= err > 0;
	}
	err = show_end(m, err, d);
	return err < 0 ? err : skipped;
}

void module_maps_deinit(struct module_maps *m)
{
	drop_rows(m);
	for (size_t i = 0; i < m->nr; i++)
		aggregated_deinit(&m->map[i]);
	free(m->map);
}
