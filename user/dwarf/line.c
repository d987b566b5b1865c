// SPDX-License-Identifier: GPL-2.0
/* The line table: where the statements of a file begin. */
#include "dwarf/line.h"

#include <dwarf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "dwarf/file.h"
#include "dwarf/func.h"
#include "dwarf/index/index.h"
#include "dwarf/unit.h"

/**
 * struct lines - rows being collected
 * @dbg: debug information
 * @file: of this file, by the end of its path
 * @within: only in this code; or NULL
 * @path: the last path that was compared, ...
 * @matches: ... and whether it is @file
 * @failed: out of memory
 * @ret: rows
 */
struct lines {
	struct debug *dbg;
	const char *file;
	Dwarf_Die *within;
	const char *path;
	bool matches;
	bool failed;
	struct debug_rows *ret;
};

void debug_rows_deinit(struct debug_rows *rows)
{
	free(rows->row);
	*rows = (struct debug_rows){};
}

bool debug_ends_with(const char *path, const char *end)
{
	size_t length = path ? strlen(path) : 0, more = strlen(end);

	return length >= more && !strcmp(path + length - more, end) &&
	       (length == more || path[length - more - 1] == '/' ||
		*end == '/');
}

/* libdw reads all of a unit's table of lines for its files: the index has them. */
static const char *file_at(struct debug *dbg, Dwarf_Die *unit, Dwarf_Word number)
{
	struct index *x = index_of(dbg);
	const char *ret = NULL;
	Dwarf_Files *files;
	size_t nr;

	if (x && dwarf_cu_getdwarf(unit->cu) == dbg->dw)
		ret = index_file(x, dwarf_dieoffset(unit), number);
	if (ret || dwarf_getsrcfiles(unit, &files, &nr) || number >= nr)
		return ret;
	return dwarf_filesrc(files, number, NULL, NULL);
}

const char *debug_file_of(struct debug *dbg, Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Half version;
	Dwarf_Word number;
	Dwarf_Die unit;

	if (!dwarf_attr_integrate(die, name, &attr) ||
	    dwarf_formudata(&attr, &number) ||
	    dwarf_cu_info(attr.cu, &version, NULL, &unit, NULL, NULL, NULL,
			  NULL) ||
	    (!number && version < 5))
		return NULL;
	return file_at(dbg, &unit, number);
}

int debug_decl(struct debug *dbg, const struct debug_func *func,
	       const char **file)
{
	Dwarf_Die die = func->die;
	int line;

	*file = debug_file_of(dbg, &die, DW_AT_decl_file);
	return *file && !dwarf_decl_line(&die, &line) ? line : 0;
}

/* Paths of one file are the same string. */
static bool is_in_file(struct lines *ls, const char *path)
{
	if (path != ls->path) {
		ls->path = path;
		ls->matches = debug_ends_with(path, ls->file);
	}
	return ls->matches;
}

static void put(struct lines *ls, const struct debug_row *row)
{
	struct debug_rows *rows = ls->ret;
	struct debug_row *more = array_grow(rows->row, rows->nr, sizeof(*more));

	if (!more) {
		ls->failed = true;
		return;
	}
	rows->row = more;
	more[rows->nr++] = *row;
}

/* One row of the table; false: it says nothing. */
static bool get_row(Dwarf_Line *line, struct debug_row *ret, bool *ends,
		    bool *begins)
{
	Dwarf_Addr address;

	ret->file = dwarf_linesrc(line, NULL, NULL);
	if (dwarf_lineaddr(line, &address) || dwarf_lineno(line, &ret->line) ||
	    dwarf_lineendsequence(line, ends) ||
	    dwarf_linebeginstatement(line, begins))
		return false;
	ret->address = address;
	return true;
}

/*
 * A line whose instructions follow each other is one place, however many rows
 * it has.
 */
bool debug_walk_rows(Dwarf_Lines *lines, size_t nr, debug_row_fn fn, void *ctx)
{
	struct debug_row row, last = {};
	bool ends, begins;

	for (size_t i = 0; i < nr; i++) {
		if (!get_row(dwarf_onesrcline(lines, i), &row, &ends, &begins))
			continue;
		if (ends) {
			last = (struct debug_row){};
			continue;
		}
		if (!begins || !row.line ||
		    (row.line == last.line && row.file == last.file))
			continue;
		last = row;
		if (!fn(ctx, &row))
			return false;
	}
	return true;
}

static bool take_row(void *ctx, const struct debug_row *row)
{
	struct lines *ls = ctx;
	struct debug_row own = *row;

	if (!is_in_file(ls, row->file) ||
	    (ls->within && !debug_has_pc(ls->within, row->address)))
		return true;
	own.address -= debug_to_dwarf(ls->dbg, 0);
	put(ls, &own);
	return !ls->failed;
}

static int finish(struct lines *ls, struct diag *d)
{
	if (!ls->failed)
		return 0;
	debug_rows_deinit(ls->ret);
	return diag_no_memory(d);
}

/* Where the next function of the file begins, as far as the unit knows */
static int next_decl(struct debug *dbg, const struct debug_func *func, int line,
		     const char *file)
{
	Dwarf_Die origin = debug_origin(func), unit, child;
	int other, ret = INT_MAX;

	if (!dwarf_diecu(&origin, &unit, NULL, NULL) ||
	    dwarf_child(&unit, &child))
		return ret;
	do {
		const char *in;

		if (dwarf_tag(&child) != DW_TAG_subprogram ||
		    dwarf_hasattr(&child, DW_AT_declaration) ||
		    dwarf_decl_line(&child, &other) || other <= line ||
		    other >= ret)
			continue;
		in = debug_file_of(dbg, &child, DW_AT_decl_file);
		if (in && !strcmp(in, file))
			ret = other;
	} while (!dwarf_siblingof(&child, &child));
	return ret;
}

/* What is not written in the function is of others, which were inlined there, or
 * around it; compilers are not exact with the latter.
 */
static void cut(struct debug_rows *rows, int first, int end)
{
	size_t i, nr = 0;

	for (i = 0; i < rows->nr; i++)
		if (rows->row[i].line >= first && rows->row[i].line < end)
			rows->row[nr++] = rows->row[i];
	rows->nr = nr;
}

int debug_func_rows(struct debug *dbg, const struct debug_func *func,
		    struct diag *d, struct debug_rows *ret)
{
	Dwarf_Die die = func->die, unit;
	struct lines ls = { .dbg = dbg, .within = &die, .ret = ret };
	Dwarf_Lines *lines;
	int line;
	size_t nr;

	*ret = (struct debug_rows){};
	line = debug_decl(dbg, func, &ls.file);
	if (line && dwarf_diecu(&die, &unit, NULL, NULL) &&
	    !dwarf_getsrclines(&unit, &lines, &nr)) {
		debug_walk_rows(lines, nr, take_row, &ls);
		cut(ret, line, next_decl(dbg, func, line, ls.file));
	}
	return finish(&ls, d);
}

static bool has_file(Dwarf_Die *unit, const char *file)
{
	Dwarf_Files *files;
	size_t nr, i;

	if (debug_ends_with(dwarf_diename(unit), file))
		return true;
	if (dwarf_getsrcfiles(unit, &files, &nr))
		return false;
	for (i = 0; i < nr; i++)
		if (debug_ends_with(dwarf_filesrc(files, i, NULL, NULL), file))
			return true;
	return false;
}

/* What is included lies in all units that include it; what is not, in one. */
static bool is_source(const char *file)
{
	const char *dot = strrchr(file, '.');

	return dot && strcmp(dot, ".h") && strcmp(dot, ".hpp");
}

static void search(struct lines *ls, bool by_name)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Lines *lines;
	Dwarf_Die unit;
	size_t nr;

	while (!ls->failed && debug_next_unit(ls->dbg->dw, &cu, &unit)) {
		if (by_name ? !debug_ends_with(dwarf_diename(&unit), ls->file) :
			      !has_file(&unit, ls->file))
			continue;
		if (!dwarf_getsrclines(&unit, &lines, &nr))
			debug_walk_rows(lines, nr, take_row, ls);
	}
}

/* ---- lines of a file, with an index ---------------------------------------------- */

/* struct indexed - rows of an index; @by_name: of units that are called like the file;
 * @unit: the last one, which @is_meant
 */
struct indexed {
	struct lines *ls;
	bool by_name;
	uint64_t unit;
	bool is_meant;
};

static bool is_meant(struct indexed *in, uint64_t unit)
{
	Dwarf_Die die;

	if (in->by_name && unit != in->unit) {
		in->unit = unit;
		in->is_meant = dwarf_offdie(in->ls->dbg->dw, unit, &die) &&
			       debug_ends_with(dwarf_diename(&die),
					       in->ls->file);
	}
	return !in->by_name || in->is_meant;
}

static bool take_indexed(void *ctx, const struct index_row *row)
{
	struct indexed *in = ctx;
	struct debug_row own = {
		row->address - debug_to_dwarf(in->ls->dbg, 0), row->file,
		row->line,
	};

	if (is_meant(in, row->unit))
		put(in->ls, &own);
	return !in->ls->failed;
}

/* False: there is no index that is any good. */
static bool search_index(struct lines *ls, bool by_name)
{
	struct indexed in = { .ls = ls, .by_name = by_name };
	struct index *x = index_of(ls->dbg);

	if (x && index_rows(x, ls->file, take_indexed, &in))
		return true;
	debug_rows_deinit(ls->ret);
	return false;
}

static int compare_rows(const void *a, const void *b)
{
	const struct debug_row *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return strcmp(x->file, y->file);
}

int debug_file_rows(struct debug *dbg, const char *file, struct diag *d,
		    struct debug_rows *ret)
{
	struct lines ls = { .dbg = dbg, .file = file, .ret = ret };

	*ret = (struct debug_rows){};
	if (!search_index(&ls, is_source(file)) && !ls.failed)
		search(&ls, is_source(file));
	if (!ret->nr && is_source(file) && !search_index(&ls, false) &&
	    !ls.failed)
		search(&ls, false);
	if (ret->nr)
		qsort(ret->row, ret->nr, sizeof(*ret->row), compare_rows);
	return finish(&ls, d);
}
