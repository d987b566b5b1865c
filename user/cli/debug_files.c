// SPDX-License-Identifier: GPL-2.0
/* What was read once is kept: a file may be large, or far away. */
#include "cli/debug_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "resolve/symtab.h"

/* Where the kernel's code begins: where that is tells where all of it is. */
#define ANCHOR "_stext"

void debug_files_close(struct definer *df)
{
	struct debug_file *f;

	while ((f = df->debugs)) {
		df->debugs = f->next;
		debug_map_deinit(&f->map);
		debug_free(f->dbg);
		diag_clear(&f->why);
		free(f->path);
		free(f);
	}
}

static struct debug_file *find_file(const struct definer *df, const char *path)
{
	struct debug_file *f = df->debugs;

	while (f && strcmp(f->path, path))
		f = f->next;
	return f;
}

/* Also that there is nothing to read: a server may have been asked for it. */
static struct debug_file *open_file(struct definer *df, const char *path)
{
	struct debug_file *f = find_file(df, path);

	if (f)
		return f;
	f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->path = strdup(path);
	if (!f->path) {
		free(f);
		return NULL;
	}
	f->err = debug_open(path, &f->why, &f->dbg);
	f->next = df->debugs;
	df->debugs = f;
	return f;
}

int debug_files_open(struct definer *df, const char *path, struct diag *d,
		     struct debug **ret)
{
	const struct debug_file *f = open_file(df, path);

	if (!f)
		return diag_no_memory(d);
	*ret = f->dbg;
	return f->err ? diag_copy(d, f->err, &f->why) : 0;
}

/* ---- where the kernel is --------------------------------------------------------------- */

static int find_slide(struct definer *df, struct debug *dbg, struct diag *d,
		      uint64_t *ret)
{
	struct ksym sym;
	uint64_t anchor;
	size_t pos = 0;

	if (!debug_symbol(dbg, ANCHOR, &anchor) ||
	    !ksyms_find(df->ks, ANCHOR, &pos, &sym) || !sym.address)
		return diag_set(d, -EINVAL, DIAG_DEBUG_SLIDE, debug_path(dbg));
	*ret = sym.address - anchor;
	return 0;
}

/* Where they are numbered from 0, they are not where the kernel is. */
static bool add_percpu(struct debug *dbg, uint64_t slide,
		       struct debug_map *map)
{
	struct debug_area area = { .kind = DEBUG_AREA_PERCPU };
	uint64_t size;

	if (!debug_section(dbg, ".data..percpu", &area.start, &size))
		return true;
	area.end = area.start + size;
	area.slide = area.start ? slide : 0;
	return debug_map_add(map, area);
}

/* What the kernel frees when it has started */
static bool add_init(struct debug *dbg, struct debug_map *map)
{
	struct debug_area area = { .kind = DEBUG_AREA_FREED };

	if (!debug_symbol(dbg, "__init_begin", &area.start) ||
	    !debug_symbol(dbg, "__init_end", &area.end))
		return true;
	return debug_map_add(map, area);
}

/* Of what is not the kernel that runs, it is where its file says. */
static int map_kernel(struct definer *df, struct debug *dbg, struct diag *d,
		      struct debug_map *map)
{
	struct debug_area rest = { .end = UINT64_MAX };
	bool runs = !definer_is_offline(df);
	int err = 0;

	if (runs)
		err = find_slide(df, dbg, d, &rest.slide);
	if (err)
		return err;
	if (!add_percpu(dbg, rest.slide, map) || (runs && !add_init(dbg, map)) ||
	    !debug_map_add(map, rest))
		return diag_no_memory(d);
	return 0;
}

int debug_files_map(struct definer *df, const struct debug *dbg,
		    struct diag *d, const struct debug_map **ret)
{
	struct debug_file *f = df->debugs;
	int err = 0;

	while (f->dbg != dbg)
		f = f->next;
	if (!f->has_map)
		err = map_kernel(df, f->dbg, d, &f->map);
	f->has_map = !err;
	*ret = &f->map;
	return err;
}
