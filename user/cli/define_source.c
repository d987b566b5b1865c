// SPDX-License-Identifier: GPL-2.0
/*
 * Places that debug information knows: lines of source, functions by the file
 * that defines them, and where functions were inlined. Each may be several
 * points, which are one event.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/define_debug.h"
#include "debug/line.h"
#include "debug/source.h"

/**
 * struct points - what a place stands for
 * @df: definer
 * @def: the definition
 * @dbg: debug information
 * @d: where errors go
 * @slide: from addresses there to those of the kernel
 * @func: functions, each with the address of its point as its entry; owned
 * @nr: how many
 */
struct points {
	struct definer *df;
	struct definition *def;
	struct debug *dbg;
	struct diag *d;
	uint64_t slide;
	struct debug_func *func;
	size_t nr;
};

bool define_needs_source(const struct definition *def)
{
	const struct place_spec *place = &def->spec->place;

	return place->kind == PLACE_SOURCE || place->source ||
	       place->line_at.length;
}

static int fail_at(struct points *p, struct span at, int err)
{
	diag_at(p->d, p->def->spec->text, at.start, at.length);
	return err;
}

/* ---- functions --------------------------------------------------------------------------- */

static bool same_function(const struct debug_func *a,
			  const struct debug_func *b)
{
	const char *file_a, *file_b;
	int line = debug_decl(a, &file_a);

	return line == debug_decl(b, &file_b) && file_a && file_b &&
	       !strcmp(file_a, file_b);
}

/* Functions of one name that are not one function: which ones there are. */
static int check_twins(struct points *p, const struct debug_funcs *funcs)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const struct place_spec *place = &p->def->spec->place;
	const char *file;
	size_t i, j;
	int line;

	for (i = 1; i < funcs->nr; i++)
		if (!same_function(&funcs->func[0], &funcs->func[i]))
			break;
	if (i >= funcs->nr)
		return 0;
	for (i = 0; i < funcs->nr; i++) {
		for (j = 0; j < i; j++)
			if (same_function(&funcs->func[i], &funcs->func[j]))
				break;
		line = debug_decl(&funcs->func[i], &file);
		if (j == i && file)
			buf_printf(&b, "%s%s@%s (line %d)", b.size ? ", " : "",
				   place->symbol, file, line);
	}
	diag_set(p->d, -EINVAL, DIAG_DEBUG_TWINS, place->symbol);
	diag_hint(p->d, "write which one: %s", buf_str(&b));
	return fail_at(p, place->symbol_at, -EINVAL);
}

static int no_function(struct points *p)
{
	const struct place_spec *place = &p->def->spec->place;

	if (place->source)
		diag_set(p->d, -ENOENT, DIAG_DEBUG_NO_FUNCTION_IN,
			 place->symbol, place->source);
	else
		diag_set(p->d, -ENOENT, DIAG_DEBUG_NO_FUNCTION, place->symbol);
	return fail_at(p, place->symbol_at, -ENOENT);
}

/* The code of the one function that the place names. */
static int find_functions(struct points *p, uint64_t address,
			  struct debug_funcs *ret)
{
	const struct place_spec *place = &p->def->spec->place;
	int err;

	err = debug_find(p->dbg, place->symbol, place->source, address, p->d,
			 ret);
	if (err)
		return err;
	err = ret->nr ? check_twins(p, ret) : no_function(p);
	if (err)
		debug_funcs_deinit(ret);
	return err;
}

static int put(struct points *p, const struct debug_func *func,
	       uint64_t address)
{
	struct debug_func *more = p->func;

	if (!(p->nr & (p->nr - 1)))
		more = reallocarray(more, p->nr ? 2 * p->nr : 1,
				    sizeof(*more));
	if (!more)
		return diag_no_memory(p->d);
	p->func = more;
	p->func[p->nr] = *func;
	p->func[p->nr++].entry = address;
	return 0;
}

/* A return is seen by a whole function only. */
static int put_entries(struct points *p, const struct debug_funcs *funcs)
{
	bool is_return = p->def->spec->place.is_return;
	int err = 0;

	for (size_t i = 0; !err && i < funcs->nr; i++)
		if (!is_return || !funcs->func[i].is_inlined)
			err = put(p, &funcs->func[i], funcs->func[i].entry);
	return err;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* The lines with code around one that has none. */
static void hint_lines(struct points *p, const struct debug_rows *rows, int line,
		       int base)
{
	int before = -1, after = -1;

	for (size_t i = 0; i < rows->nr; i++) {
		int n = rows->row[i].line;

		if (n < line && n > before)
			before = n;
		if (n > line && (after < 0 || n < after))
			after = n;
	}
	if (before >= base && after >= 0)
		diag_hint(p->d, "the nearest lines that have some are %d and %d",
			  before - base, after - base);
	else if (before >= base || after >= 0)
		diag_hint(p->d, "the nearest line that has some is %d",
			  (after >= 0 ? after : before) - base);
}

static int no_code(struct points *p, const struct debug_rows *rows, int base)
{
	const struct place_spec *place = &p->def->spec->place;

	if (place->pattern) {
		diag_set(p->d, -ENOENT, DIAG_DEBUG_NO_MATCH, place->pattern);
	} else {
		diag_set(p->d, -ENOENT, DIAG_DEBUG_NO_CODE, place->line);
		hint_lines(p, rows, place->line + base, base);
	}
	return fail_at(p, place->line_at, -ENOENT);
}

/* Whether a line is meant: by its number, or by what it looks like. */
static bool is_meant(const struct points *p, const struct source *source,
		     int line, int base)
{
	const struct place_spec *place = &p->def->spec->place;

	if (!place->pattern)
		return line == (int)place->line + base;
	return source_matches(source, line, place->pattern);
}

/* The source that patterns are compared with; NULL: none is wanted. */
static int open_source(struct points *p, const char *file,
		       struct source **ret)
{
	const struct place_spec *place = &p->def->spec->place;
	int err;

	*ret = NULL;
	if (!place->pattern)
		return 0;
	err = source_open(p->dbg, file, p->df->source, p->d, ret);
	return err ? fail_at(p, place->line_at, err) : 0;
}

static int put_func_lines(struct points *p, const struct debug_func *func,
			  const struct source *source,
			  struct debug_rows *all)
{
	struct debug_rows rows;
	const char *file;
	int err, base = debug_decl(func, &file);

	err = debug_func_rows(p->dbg, func, file, p->d, &rows);
	if (err)
		return err;
	for (size_t i = 0; !err && i < rows.nr; i++)
		if (is_meant(p, source, rows.row[i].line, base))
			err = put(p, func, rows.row[i].address);
	debug_rows_deinit(all);
	*all = rows;
	return err;
}

static int put_lines(struct points *p, const struct debug_funcs *funcs)
{
	_cleanup_(source_freep) struct source *source = NULL;
	struct debug_rows rows = {};
	const char *file;
	int base, err = 0;

	base = debug_decl(&funcs->func[0], &file);
	if (!base) {
		diag_set(p->d, -ENOENT, DIAG_DEBUG_NO_LINES,
			 p->def->spec->place.symbol);
		return fail_at(p, p->def->spec->place.line_at, -ENOENT);
	}
	err = open_source(p, file, &source);
	for (size_t i = 0; !err && i < funcs->nr; i++)
		err = put_func_lines(p, &funcs->func[i], source, &rows);
	if (!err && !p->nr)
		err = no_code(p, &rows, base);
	debug_rows_deinit(&rows);
	return err;
}

/* The innermost function there that is written around that line. */
static bool func_of_row(struct points *p, const struct debug_row *row,
			struct debug_func *ret)
{
	struct debug_func func;
	const char *file;
	int line;

	if (!debug_func_at(p->dbg, row->address, true, ret))
		return false;
	line = debug_decl(ret, &file);
	if (line && line <= row->line && !strcmp(file, row->file))
		return true;
	if (!debug_func_at(p->dbg, row->address, false, &func))
		return true;
	line = debug_decl(&func, &file);
	if (line && line <= row->line && !strcmp(file, row->file))
		*ret = func;
	return true;
}

static int put_file_lines(struct points *p)
{
	_cleanup_(source_freep) struct source *source = NULL;
	const struct place_spec *place = &p->def->spec->place;
	struct debug_func func;
	struct debug_rows rows;
	int err;

	err = debug_file_rows(p->dbg, place->source, p->d, &rows);
	if (!err && !rows.nr) {
		diag_set(p->d, -ENOENT, DIAG_DEBUG_NO_FILE, place->source);
		err = fail_at(p, place->source_at, -ENOENT);
	}
	if (!err)
		err = open_source(p, rows.row[0].file, &source);
	for (size_t i = 0; !err && i < rows.nr; i++)
		if (is_meant(p, source, rows.row[i].line, 0) &&
		    func_of_row(p, &rows.row[i], &func))
			err = put(p, &func, rows.row[i].address);
	if (!err && !p->nr)
		err = no_code(p, &rows, 0);
	debug_rows_deinit(&rows);
	return err;
}

/* ---- points to definitions ------------------------------------------------------------------- */

/* The place of the code at @address, as if that had been written. */
static int resolve_address(struct points *p, uint64_t address,
			   struct place *ret)
{
	struct probe_spec spec = *p->def->spec;
	struct place *places;
	size_t nr;
	int err;

	spec.place.kind = PLACE_ADDRESS;
	spec.place.address = address + p->slide;
	spec.place.symbol_at = spec.place.at;
	if (!p->def->bin)
		return ksyms_resolve(p->df->ks, &spec, p->d, ret);
	err = binary_resolve((struct binary *)p->def->bin, &spec, p->def->arch,
			     p->d, &places, &nr);
	if (err)
		return err;
	*ret = places[0];
	places[0] = (struct place){};
	places_free(places, nr);
	return 0;
}

static int set_point(struct points *p, struct definition *point,
		     const struct debug_func *func)
{
	int err = resolve_address(p, func->entry, &point->place);

	point->func = *func;
	point->has_func = !err;
	return err;
}

static int compare_points(const void *a, const void *b)
{
	const struct debug_func *x = a, *y = b;

	return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Each address is one point: of the innermost function that is there. */
static void sort_points(struct points *p)
{
	size_t i, nr = 0;

	if (p->nr)
		qsort(p->func, p->nr, sizeof(*p->func), compare_points);
	for (i = 0; i < p->nr; i++) {
		if (nr && p->func[nr - 1].entry == p->func[i].entry)
			nr--;
		p->func[nr++] = p->func[i];
	}
	p->nr = nr;
}

/* The points are further ones of the definition; the first is it, unless it
 * @has_place.
 */
static int make_points(struct points *p, bool has_place)
{
	struct definition *point;
	int err = 0;

	sort_points(p);
	for (size_t i = 0; !err && i < p->nr; i++) {
		if (has_place && p->func[i].entry + p->slide ==
				 p->def->place.address) {
			p->def->func = p->func[i];
			p->def->has_func = true;
			continue;
		}
		point = i || has_place ? define_append(p->def, p->d) : p->def;
		err = point ? set_point(p, point, &p->func[i]) : -ENOMEM;
	}
	return err;
}

static int open_points(struct points *p, bool must)
{
	int err = define_debug(p->df, p->def, must, p->d, &p->dbg);

	if (!err && p->dbg && !p->def->bin)
		err = define_slide(p->df, p->dbg, p->d, &p->slide);
	return err;
}

static int find_points(struct points *p)
{
	const struct place_spec *place = &p->def->spec->place;
	struct debug_funcs funcs;
	int err;

	if (place->kind == PLACE_SOURCE)
		return put_file_lines(p);
	err = find_functions(p, 0, &funcs);
	if (err)
		return err;
	err = place->line_at.length ? put_lines(p, &funcs) :
				      put_entries(p, &funcs);
	debug_funcs_deinit(&funcs);
	return err;
}

int define_source(struct definer *df, struct definition *def, struct diag *d)
{
	struct points p = { .df = df, .def = def, .d = d };
	int err = open_points(&p, true);

	if (!err)
		err = find_points(&p);
	if (!err && !p.nr)
		err = no_function(&p);
	if (!err)
		err = make_points(&p, false);
	free(p.func);
	return err;
}

/* Whether a name means a function, with all code that it has. */
static bool has_copies(const struct definition *def)
{
	const struct place_spec *place = &def->spec->place;

	return place->kind == PLACE_SYMBOL && !place->offset_at.length &&
	       !place->is_return && !def->spec->kernel_syntax &&
	       !place->version && !def->place.module_absent;
}

int define_copies(struct definer *df, struct definition *def, struct diag *d)
{
	struct points p = { .df = df, .def = def, .d = d };
	struct debug_funcs funcs = {};
	int err = 0;

	if (!has_copies(def))
		return 0;
	err = open_points(&p, false);
	if (err || !p.dbg)
		return err;
	err = debug_find(p.dbg, def->spec->place.symbol, NULL,
			 def->place.address - p.slide, d, &funcs);
	for (size_t i = 0; !err && i < funcs.nr; i++)
		if (same_function(&funcs.func[0], &funcs.func[i]))
			err = put(&p, &funcs.func[i], funcs.func[i].entry);
	if (!err)
		err = make_points(&p, true);
	debug_funcs_deinit(&funcs);
	free(p.func);
	return err;
}

int define_inlined(struct definer *df, struct definition *def)
{
	struct points p = { .df = df, .def = def };
	int err = -ENOENT;

	if (has_copies(def) && !open_points(&p, false) && p.dbg)
		err = find_points(&p);
	if (!err && !p.nr)
		err = -ENOENT;
	if (!err)
		err = make_points(&p, false);
	free(p.func);
	return err;
}
