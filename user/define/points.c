// SPDX-License-Identifier: GPL-2.0
/* What a place stands for in debug information. */
#include "define/points.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/scoped.h"
#include "base/suggest.h"
#include "dwarf/func.h"
#include "dwarf/name.h"
#include "dwarf/source.h"

#define TWINS_MAX 5

static int fail_at(struct points *p, struct span at, int err)
{
	diag_at(p->d, p->spec->text, at.start, at.length);
	return err;
}

/* ---- functions --------------------------------------------------------------------------- */

static bool same_function(const struct points *p, const struct debug_func *a,
			  const struct debug_func *b)
{
	const char *file_a, *file_b;
	int line = debug_decl(p->dbg, a, &file_a);

	return line == debug_decl(p->dbg, b, &file_b) && file_a && file_b &&
	       !strcmp(file_a, file_b);
}

/* With parameters, where the language has them in the name; or with its file. */
static void put_twin(const struct points *p, const struct debug_func *func,
		     struct buf *b)
{
	_cleanup_free_ char *name = NULL;
	const struct place_spec *place = &p->spec->place;
	Dwarf_Die die = func->die;
	const char *linkage = debug_linkage_name(&die), *file;
	int line = debug_decl(p->dbg, func, &file);

	if (linkage)
		name = demangle(linkage, true);
	if (!name && !file)
		return;
	buf_puts(b, b->size ? ", " : "");
	if (name)
		buf_printf(b, "'%s'", name);
	else
		buf_printf(b, "%s%s%s@%s (line %d)",
			   place->module ? place->module : "",
			   place->module ? ":" : "", place->symbol, file, line);
}

/* Functions of one name that are not one function */
static bool are_twins(const struct points *p, const struct debug_funcs *funcs)
{
	for (size_t i = 1; i < funcs->nr; i++)
		if (!same_function(p, &funcs->func[0], &funcs->func[i]))
			return true;
	return false;
}

/* How to name each of the functions, where they are not one; the first ones. */
static void put_twins(struct points *p, const struct debug_funcs *funcs,
		      struct buf *b)
{
	size_t i, j, nr = 0;

	if (!are_twins(p, funcs))
		return;
	for (i = 0; i < funcs->nr; i++) {
		for (j = 0; j < i; j++)
			if (same_function(p, &funcs->func[i], &funcs->func[j]))
				break;
		if (j == i && ++nr <= TWINS_MAX)
			put_twin(p, &funcs->func[i], b);
	}
	if (nr > TWINS_MAX)
		buf_printf(b, " and %zu more", nr - TWINS_MAX);
}

/* Which ones there are */
static int refuse_twins(struct points *p, const struct debug_funcs *funcs)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const struct place_spec *place = &p->spec->place;

	put_twins(p, funcs, &b);
	diag_set(p->d, -EINVAL, DIAG_DEBUG_TWINS, place->symbol);
	diag_hint(p->d, "write which one: %s", buf_str(&b));
	return fail_at(p, place->symbol_at, -EINVAL);
}

void points_twins(struct points *p, struct buf *b)
{
	struct debug_funcs funcs;

	if (debug_find(p->dbg, p->spec->place.symbol, NULL, 0, NULL, &funcs))
		return;
	put_twins(p, &funcs, b);
	debug_funcs_deinit(&funcs);
}

/* It is there, but another file defines it: which one. */
static void hint_files(struct points *p)
{
	const struct place_spec *place = &p->spec->place;
	struct debug_funcs funcs;
	const char *file;

	if (debug_find(p->dbg, place->symbol, NULL, 0, NULL, &funcs))
		return;
	if (funcs.nr && debug_decl(p->dbg, &funcs.func[0], &file))
		diag_hint(p->d, "it is in %s", file);
	debug_funcs_deinit(&funcs);
}

static int no_function(struct points *p)
{
	_cleanup_diag_ struct diag why = {};
	const struct place_spec *place = &p->spec->place;
	struct suggest s;

	if (place->source) {
		diag_set(p->d, -ENOENT, DIAG_DEBUG_NO_FUNCTION_IN,
			 place->symbol, place->source);
		hint_files(p);
	} else {
		diag_set(p->d, -ENOENT, DIAG_DEBUG_NO_FUNCTION, place->symbol);
	}
	suggest_init(&s, place->symbol, strlen(place->symbol));
	debug_suggest_function(p->dbg, place->source, &s);
	suggest_hint(&s, "", p->d);
	/* it may be in what is not there */
	if (!p->d->hint && debug_check_there(p->dbg, 0, &why))
		diag_hint(p->d, "%s", why.message);
	return fail_at(p, place->symbol_at, -ENOENT);
}

static int find_all(struct points *p, uint64_t address, struct debug_funcs *ret)
{
	const struct place_spec *place = &p->spec->place;

	return debug_find(p->dbg, place->symbol, place->source, address, p->d,
			  ret);
}

/*
 * As a probe on the function is on the one that has the symbol, so are its lines.
 * Without an index its unit is looked at first, and maybe no other; with one the
 * symbol is looked for where several functions have the name.
 */
static int find_functions(struct points *p, struct debug_funcs *ret)
{
	uint64_t address;
	int err;

	if (debug_has_index(p->dbg)) {
		err = find_all(p, 0, ret);
		if (err || !are_twins(p, ret))
			return err;
		debug_funcs_deinit(ret);
	}
	if (!debug_symbol(p->dbg, p->spec->place.symbol, &address))
		address = 0;
	return find_all(p, address, ret);
}

int points_functions(struct points *p, struct debug_funcs *ret)
{
	int err = find_functions(p, ret);

	if (err)
		return err;
	if (!ret->nr)
		err = no_function(p);
	else if (are_twins(p, ret))
		err = refuse_twins(p, ret);
	if (err)
		debug_funcs_deinit(ret);
	return err;
}

static int put(struct points *p, const struct debug_func *func,
	       uint64_t address)
{
	struct debug_func *more = array_grow(p->func, p->nr, sizeof(*more));

	if (!more)
		return diag_no_memory(p->d);
	p->func = more;
	p->func[p->nr] = *func;
	p->func[p->nr++].entry = address;
	return 0;
}

/*
 * A call is seen once, where it begins. If its rest begins there too, that is
 * the inner one, which may have the variables.
 */
static bool begins(const struct debug_funcs *funcs, const struct debug_func *f)
{
	size_t i;

	for (i = 0; f->is_rest && i < funcs->nr; i++)
		if (!funcs->func[i].is_rest &&
		    funcs->func[i].entry == f->entry)
			return true;
	return !f->is_rest;
}

/* A return is seen by a whole function only. */
static int put_entries(struct points *p, const struct debug_funcs *funcs)
{
	bool is_return = p->spec->place.is_return;
	int err = 0;

	for (size_t i = 0; !err && i < funcs->nr; i++)
		if (begins(funcs, &funcs->func[i]) &&
		    (!is_return || !funcs->func[i].is_inlined))
			err = put(p, &funcs->func[i], funcs->func[i].entry);
	return err;
}

/* ---- functions of a file ---------------------------------------------------------------- */

/* struct matching - functions being compared with a pattern */
struct matching {
	struct points *p;
	size_t nr;
	int err;
};

/* Also what the linker calls it, with its scopes where the language has some. */
static bool is_matched(const char *pattern, const struct debug_func *func)
{
	_cleanup_free_ char *scoped = NULL;
	Dwarf_Die die = func->die;
	const char *name = dwarf_diename(&die);
	const char *linkage = debug_linkage_name(&die);

	if (!name)
		return false;
	if (!fnmatch(pattern, name, 0))
		return true;
	if (linkage)
		scoped = demangle(linkage, false);
	return scoped && !fnmatch(pattern, scoped, 0);
}

static bool take_match(void *ctx, const struct debug_func *func)
{
	struct matching *m = ctx;

	m->nr++;
	if (is_matched(m->p->spec->place.symbol, func))
		m->err = put(m->p, func, func->entry);
	return !m->err;
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

/*
 * perf counts lines of other functions, which were inlined, from the beginning of the
 * function that they are inlined in. Here those are lines of their file.
 */
static bool hint_file_line(struct points *p, const char *file, int line)
{
	struct debug_rows rows;
	bool found = false;

	if (!file || debug_file_rows(p->dbg, file, NULL, &rows))
		return false;
	for (size_t i = 0; !found && i < rows.nr; i++)
		found = rows.row[i].line == line;
	debug_rows_deinit(&rows);
	if (found)
		diag_hint(p->d, "it is written in another function: '%s:%d' means its code",
			  file, line);
	return found;
}

int points_no_code(struct points *p, const struct debug_rows *rows, int base,
		   const char *file)
{
	const struct place_spec *place = &p->spec->place;

	if (place->pattern) {
		diag_set(p->d, -ENOENT, DIAG_DEBUG_NO_MATCH, place->pattern);
	} else if (place->line_last > place->line) {
		diag_set(p->d, -ENOENT, DIAG_DEBUG_NO_CODES);
		hint_lines(p, rows, place->line + base, base);
	} else {
		diag_set(p->d, -ENOENT, DIAG_DEBUG_NO_CODE, place->line);
		if (!hint_file_line(p, file, place->line + base))
			hint_lines(p, rows, place->line + base, base);
	}
	return fail_at(p, place->line_at, -ENOENT);
}

/* Whether a line is meant: by its number, or by what it looks like. */
static bool is_meant(const struct points *p, const struct source *source,
		     int line, int base)
{
	const struct place_spec *place = &p->spec->place;

	if (!place->pattern)
		return line >= (int)place->line + base &&
		       line - base <= (int)place->line_last;
	return source_matches(source, line, place->pattern);
}

/* The source that patterns are compared with; NULL: none is wanted. */
static int open_source(struct points *p, const char *file,
		       struct source **ret)
{
	const struct place_spec *place = &p->spec->place;
	int err;

	*ret = NULL;
	if (!place->pattern)
		return 0;
	err = source_open(p->dbg, file, p->source, p->d, ret);
	return err ? fail_at(p, place->line_at, err) : 0;
}

int points_no_lines(struct points *p)
{
	diag_set(p->d, -ENOENT, DIAG_DEBUG_NO_LINES, p->spec->place.symbol);
	return fail_at(p, p->spec->place.symbol_at, -ENOENT);
}

static int put_func_lines(struct points *p, const struct debug_func *func,
			  const struct source *source,
			  struct debug_rows *all)
{
	struct debug_rows rows;
	const char *file;
	int err, base = debug_decl(p->dbg, func, &file);

	err = debug_func_rows(p->dbg, func, p->d, &rows);
	if (err)
		return err;
	/* line 0 is the entry, whichever line its first instruction has */
	if (is_meant(p, source, base, base))
		err = put(p, func, func->entry);
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

	base = debug_decl(p->dbg, &funcs->func[0], &file);
	if (!base)
		return points_no_lines(p);
	err = open_source(p, file, &source);
	for (size_t i = 0; !err && i < funcs->nr; i++)
		err = put_func_lines(p, &funcs->func[i], source, &rows);
	if (!err && !p->nr)
		err = points_no_code(p, &rows, base, file);
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
	line = debug_decl(p->dbg, ret, &file);
	if (line && line <= row->line && !strcmp(file, row->file))
		return true;
	if (!debug_func_at(p->dbg, row->address, false, &func))
		return true;
	line = debug_decl(p->dbg, &func, &file);
	if (line && line <= row->line && !strcmp(file, row->file))
		*ret = func;
	return true;
}

int points_no_file(struct points *p)
{
	const struct place_spec *place = &p->spec->place;
	struct suggest s;

	diag_set(p->d, -ENOENT, DIAG_DEBUG_NO_FILE, place->source);
	suggest_init(&s, place->source, strlen(place->source));
	debug_suggest_file(p->dbg, &s);
	suggest_hint(&s, "", p->d);
	return fail_at(p, place->source_at, -ENOENT);
}

static int put_file_lines(struct points *p)
{
	_cleanup_(source_freep) struct source *source = NULL;
	const struct place_spec *place = &p->spec->place;
	struct debug_func func;
	struct debug_rows rows;
	int err;

	err = debug_file_rows(p->dbg, place->source, p->d, &rows);
	if (!err && !rows.nr)
		err = points_no_file(p);
	if (!err)
		err = open_source(p, rows.row[0].file, &source);
	for (size_t i = 0; !err && i < rows.nr; i++)
		if (is_meant(p, source, rows.row[i].line, 0) &&
		    func_of_row(p, &rows.row[i], &func))
			err = put(p, &func, rows.row[i].address);
	if (!err && !p->nr)
		err = points_no_code(p, &rows, 0, NULL);
	debug_rows_deinit(&rows);
	return err;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int compare_points(const void *a, const void *b)
{
	const struct debug_func *x = a, *y = b;

	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	/* in debug information what is inside of another comes behind it */
	return (x->die.addr > y->die.addr) - (x->die.addr < y->die.addr);
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

static int find(struct points *p)
{
	const struct place_spec *place = &p->spec->place;
	struct debug_funcs funcs;
	int err;

	if (place->kind == PLACE_SOURCE)
		return put_file_lines(p);
	err = points_functions(p, &funcs);
	if (err)
		return err;
	err = place->line_at.length ? put_lines(p, &funcs) :
				      put_entries(p, &funcs);
	debug_funcs_deinit(&funcs);
	return err;
}

int points_find(struct points *p)
{
	int err = find(p);

	if (!err && !p->nr)
		err = no_function(p);
	sort_points(p);
	return err;
}

/* The symbol that begins at @func. */
static const char *symbol_of(const struct points *p,
			     const struct debug_func *func)
{
	const char *name;
	uint64_t at;
	int pos = 0;

	return debug_symbol_in(p->dbg, func->entry, func->entry + 1, &pos, &name,
			       &at) ? name : NULL;
}

/* gcc inlined the beginning of the function, and calls the rest as FUNC.part.N. */
static bool is_part(const char *symbol)
{
	return symbol && strstr(symbol, ".part.");
}

/* @symbol: the code of the function outside its callers, or NULL */
static int no_return(struct points *p, const char *symbol)
{
	const struct place_spec *place = &p->spec->place;

	diag_set(p->d, -EINVAL, DIAG_DEBUG_NO_RETURN, place->symbol);
	if (symbol)
		diag_hint(p->d, "'%s%%return' is the return of %s that was not inlined",
			  symbol, is_part(symbol) ? "the part" : "a copy");
	else
		diag_hint(p->d, "its calls can be probed: '%s'", place->symbol);
	return fail_at(p, place->symbol_at, -EINVAL);
}

int points_returns(struct points *p)
{
	const char *symbol = NULL;
	struct debug_funcs funcs;
	bool is_whole = true;
	int err;

	err = points_functions(p, &funcs);
	if (err)
		return err;
	for (size_t i = 0; !err && i < funcs.nr; i++) {
		const struct debug_func *func = &funcs.func[i];

		if (func->is_inlined) {
			is_whole = false;
			continue;
		}
		symbol = symbol_of(p, func);
		is_whole &= !is_part(symbol);
		err = put(p, func, func->entry);
	}
	debug_funcs_deinit(&funcs);
	if (!err && (!is_whole || !p->nr))
		err = no_return(p, symbol);
	sort_points(p);
	return err;
}

/* Where it ends in one piece; of a function in several, its first part. */
static int past_end(struct points *p, struct debug_func *func)
{
	const struct place_spec *place = &p->spec->place;
	Dwarf_Addr low = 0, high = 0;

	dwarf_lowpc(&func->die, &low);
	dwarf_highpc(&func->die, &high);
	diag_set(p->d, -EINVAL, DIAG_KSYMS_PAST_END, place->symbol,
		 (unsigned long long)place->offset,
		 (unsigned long long)(high - low));
	return fail_at(p, place->offset_at, -EINVAL);
}

int points_inside(struct points *p)
{
	struct debug_func there;
	size_t i, nr = 0;
	int err = points_find(p);

	if (err)
		return err;
	for (i = 0; i < p->nr; i++)
		if (!p->func[i].is_inlined)
			p->func[nr++] = p->func[i];
	p->nr = nr;
	if (nr != 1)
		return no_function(p);
	p->func[0].entry += p->spec->place.offset;
	if (!debug_func_at(p->dbg, p->func[0].entry, false, &there) ||
	    there.die.addr != p->func[0].die.addr)
		return past_end(p, &p->func[0]);
	return 0;
}

int points_matches(struct points *p)
{
	const struct place_spec *place = &p->spec->place;
	struct matching m = { .p = p };

	debug_file_functions(p->dbg, place->source, take_match, &m);
	if (!m.err && !m.nr)
		m.err = points_no_file(p);
	if (!m.err && !p->nr) {
		diag_set(p->d, -ENOENT, DIAG_DEBUG_NO_FUNCTION_IN,
			 place->symbol, place->source);
		m.err = fail_at(p, place->symbol_at, -ENOENT);
	}
	sort_points(p);
	return m.err;
}

/*
 * The one that has its code at @address; where all of them were inlined, any; NULL:
 * those that are there are not it.
 */
static const struct debug_func *func_at(const struct debug_funcs *funcs,
					uint64_t address)
{
	bool all_inlined = true;

	for (size_t i = 0; i < funcs->nr; i++) {
		if (funcs->func[i].is_inlined)
			continue;
		all_inlined = false;
		if (funcs->func[i].entry == address)
			return &funcs->func[i];
	}
	return all_inlined ? funcs->func : NULL;
}

int points_copies(struct points *p, uint64_t address)
{
	const struct debug_func *meant;
	struct debug_funcs funcs;
	int err;

	err = debug_find(p->dbg, p->spec->place.symbol, NULL, address, p->d,
			 &funcs);
	meant = func_at(&funcs, address);
	for (size_t i = 0; !err && meant && i < funcs.nr; i++)
		if (same_function(p, meant, &funcs.func[i]) &&
		    begins(&funcs, &funcs.func[i]))
			err = put(p, &funcs.func[i], funcs.func[i].entry);
	debug_funcs_deinit(&funcs);
	sort_points(p);
	return err;
}

void points_deinit(struct points *p)
{
	free(p->func);
	p->func = NULL;
	p->nr = 0;
}
