// SPDX-License-Identifier: GPL-2.0
/* What was read once is kept: a file may be large, or far away. */
#include "define/debug.h"
#include "define/debug_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "place/symtab.h"

void debug_files_close(struct definer *df)
{
	struct debug_file *f;

	while ((f = df->debugs)) {
		df->debugs = f->next;
		debug_map_deinit(&f->map);
		debug_free(f->dbg);
		diag_clear(&f->why);
		free(f->path);
		free(f->module);
		free(f);
	}
}

/* One more of them, empty. */
static struct debug_file *new_file(struct definer *df)
{
	struct debug_file *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->err = -ENOMEM;
	f->next = df->debugs;
	df->debugs = f;
	return f;
}

/* Also that there is nothing to read: a server may have been asked for it. */
static struct debug_file *open_file(struct definer *df, const char *path)
{
	struct debug_file *f = df->debugs;

	while (f && (!f->path || strcmp(f->path, path)))
		f = f->next;
	if (f)
		return f;
	f = new_file(df);
	if (!f)
		return NULL;
	f->path = strdup(path);
	if (!f->path)
		return NULL;
	f->err = debug_open_symbols(path, &f->why, &f->dbg);
	if (!f->err)
		f->err = debug_load(f->dbg, &f->why);
	return f;
}

int debug_files_open(struct definer *df, const char *path, struct diag *d,
		     struct debug **ret)
{
	const struct debug_file *f = open_file(df, path);

	if (!f)
		return diag_no_memory(d);
	*ret = f->err ? NULL : f->dbg;
	return f->err ? diag_copy(d, f->err, &f->why) : 0;
}

int debug_files_symbols(struct definer *df, const char *path, struct diag *d,
			struct debug **ret)
{
	const struct debug_file *f = open_file(df, path);

	if (!f)
		return diag_no_memory(d);
	*ret = f->dbg;
	if (!f->dbg || (f->err && f->why.code != DIAG_DEBUG_NONE))
		return diag_copy(d, f->err, &f->why);
	if (!debug_has_symbols(f->dbg)) {
		diag_set(d, -ENOENT, DIAG_DEBUG_NO_SYMBOLS, path);
		diag_hint(d, "name the vmlinux or module that the build made, before it was stripped");
		return -ENOENT;
	}
	return 0;
}

/* ---- modules ---------------------------------------------------------------------------- */

/* The first file that is of what is loaded; @why the others are not, NULL: no
 * memory, or there is none.
 */
static struct debug_file *search_module(struct definer *df, const char *module,
					struct diag *why)
{
	struct debug_file *f;
	char *path;

	for (unsigned int i = 0; (path = debug_module_path(module, i)); i++) {
		f = open_file(df, path);
		free(path);
		if (!f || (!f->err && !debug_check_module(f->dbg, module, why)))
			return f;
	}
	return NULL;
}

static int no_module(struct debug_file *f, const char *module,
		     const struct diag *why)
{
	f->err = diag_set(&f->why, -ENOENT, DIAG_DEBUG_NO_MODULE, module);
	if (why->code == DIAG_DEBUG_OTHER_MODULE)
		diag_hint(&f->why, "%s", why->message);
	else
		diag_hint(&f->why, "name its file with -m FILE.ko");
	return f->err;
}

int debug_files_module(struct definer *df, const char *module, struct diag *d,
		       struct debug **ret)
{
	_cleanup_diag_ struct diag why = {};
	struct debug_file *f = df->debugs;

	while (f && (!f->module || strcmp(f->module, module)))
		f = f->next;
	if (!f) {
		f = search_module(df, module, &why);
		if (!f)
			f = new_file(df);
		if (!f)
			return diag_no_memory(d);
		f->module = strdup(module);
		if (!f->module)
			return diag_no_memory(d);
		if (!f->path)
			no_module(f, module, &why);
	}
	*ret = f->err ? NULL : f->dbg;
	return f->err ? diag_copy(d, f->err, &f->why) : 0;
}

/* ---- where the kernel is --------------------------------------------------------------- */

/* A module that does not say where KTAP_ANCHOR is may be an old one, or not there. */
#define START "_stext"

int debug_files_slide(struct definer *df, struct debug *dbg, struct diag *d, uint64_t *ret)
{
	struct ksym sym;
	uint64_t address;
	size_t pos = 0;

	define_ask(df, NULL);
	if (df->info.anchor && debug_symbol(dbg, KTAP_ANCHOR, &address)) {
		*ret = df->info.anchor - address;
		return 0;
	}
	if (!debug_symbol(dbg, START, &address) ||
	    !ksyms_find(df->ks, START, &pos, &sym) || !sym.address)
		return diag_set(d, -EINVAL, DIAG_DEBUG_SLIDE, debug_path(dbg));
	*ret = sym.address - address;
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
	struct debug_area rest = { .end = UINT64_MAX, .slide = df->slide };
	bool runs = !definer_is_offline(df);
	int err = 0;

	if (runs)
		err = debug_files_slide(df, dbg, d, &rest.slide);
	if (err)
		return err;
	if (!add_percpu(dbg, rest.slide, map) || (runs && !add_init(dbg, map)) ||
	    !debug_map_add(map, rest))
		return diag_no_memory(d);
	return 0;
}

/* ---- where a module is ------------------------------------------------------------------ */

/* Of a section of such variables the kernel tells nothing, but of the symbols in it. */
static void find_percpu(struct definer *df, struct debug *dbg,
			const char *module, struct debug_area *area)
{
	const char *name;
	uint64_t address;
	struct ksym sym;
	int at = 0;

	area->kind = DEBUG_AREA_UNKNOWN;
	while (debug_symbol_in(dbg, area->start, area->end, &at, &name,
			       &address)) {
		size_t pos = 0, nr = 0;

		while (ksyms_find(df->ks, name, &pos, &sym)) {
			if (!sym.module || strcmp(sym.module, module))
				continue;
			area->slide = sym.address - address;
			nr++;
		}
		if (nr != 1)
			continue;
		area->kind = DEBUG_AREA_PERCPU;
		return;
	}
}

static struct debug_area find_section(struct definer *df, struct debug *dbg,
				      const char *module, bool is_live,
				      const struct debug_section *s)
{
	struct debug_area area = { .start = s->start, .end = s->start + s->size };
	bool is_percpu = !strcmp(s->name, ".data..percpu");
	uint64_t address;

	if (!module) {
		area.slide = definer_module_slide(df);
		if (is_percpu)
			area.kind = DEBUG_AREA_PERCPU;
		return area;
	}
	if (is_percpu)
		find_percpu(df, dbg, module, &area);
	else if (is_live && !strncmp(s->name, ".init", strlen(".init")))
		area.kind = DEBUG_AREA_FREED;
	else if (debug_module_section(module, s->name, &address))
		area.slide = address - s->start;
	else
		area.kind = DEBUG_AREA_UNKNOWN;
	return area;
}

/* Each of its sections may be anywhere. Without @module it is where its file says. */
static int map_module(struct definer *df, struct debug *dbg, const char *module,
		      struct diag *d, struct debug_map *map)
{
	bool is_live = module && debug_module_is_live(module);
	struct debug_section s;

	for (size_t i = 0; debug_section_at(dbg, i, &s); i++) {
		if (!s.is_loaded || !s.size)
			continue;
		if (!debug_map_add(map, find_section(df, dbg, module, is_live, &s)))
			return diag_no_memory(d);
	}
	return 0;
}

void debug_files_forget_maps(struct definer *df)
{
	for (struct debug_file *f = df->debugs; f; f = f->next) {
		debug_map_deinit(&f->map);
		f->map = (struct debug_map){};
		f->has_map = false;
	}
}

static int make_map(struct definer *df, struct debug_file *f, struct diag *d)
{
	_cleanup_free_ char *name = NULL;

	if (!debug_is_module(f->dbg))
		return map_kernel(df, f->dbg, d, &f->map);
	if (definer_is_offline(df))
		return map_module(df, f->dbg, NULL, d, &f->map);
	name = debug_module_name(f->dbg);
	if (!name)
		return diag_no_memory(d);
	return map_module(df, f->dbg, name, d, &f->map);
}

int debug_files_map(struct definer *df, const struct debug *dbg,
		    struct diag *d, const struct debug_map **ret)
{
	struct debug_file *f = df->debugs;
	int err = 0;

	while (f->dbg != dbg)
		f = f->next;
	if (!f->has_map)
		err = make_map(df, f, d);
	f->has_map = !err;
	*ret = &f->map;
	return err;
}
