// SPDX-License-Identifier: GPL-2.0
/* Lines that have code. */
#include "cli/listing.h"
#include "dwarf/func.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int append(struct points *p, struct debug_rows *all,
		  const struct debug_rows *more)
{
	struct debug_row *row;

	if (!more->nr)
		return 0;
	row = reallocarray(all->row, all->nr + more->nr, sizeof(*row));
	if (!row)
		return diag_no_memory(p->d);
	memcpy(row + all->nr, more->row, more->nr * sizeof(*row));
	all->row = row;
	all->nr += more->nr;
	return 0;
}

static int compare_rows(const void *a, const void *b)
{
	const struct debug_row *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	if (order)
		return order;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

static void sort(struct debug_rows *rows)
{
	size_t i, nr = 0;

	if (rows->nr)
		qsort(rows->row, rows->nr, sizeof(*rows->row), compare_rows);
	for (i = 0; i < rows->nr; i++)
		if (!nr || compare_rows(&rows->row[nr - 1], &rows->row[i]))
			rows->row[nr++] = rows->row[i];
	rows->nr = nr;
}

static int put_func(struct points *p, const struct debug_func *func,
		    struct listing *l)
{
	struct debug_row entry = { .address = func->entry };
	struct debug_rows one = { &entry, 1 }, rows;
	int err;

	entry.line = debug_decl(p->dbg, func, &entry.file);
	err = debug_func_rows(p->dbg, func, p->d, &rows);
	if (err)
		return err;
	for (size_t i = 0; i < rows.nr; i++)
		if (rows.row[i].line > l->end)
			l->end = rows.row[i].line;
	l->copies += func->is_inlined;
	err = append(p, &l->rows, &rows);
	if (!err)
		err = append(p, &l->rows, &one);
	debug_rows_deinit(&rows);
	return err;
}

static int find_func(struct points *p, struct listing *l)
{
	struct debug_funcs funcs;
	const char *file;
	int err;

	err = points_functions(p, &funcs);
	if (err)
		return err;
	l->base = debug_decl(p->dbg, &funcs.func[0], &file);
	if (!l->base)
		err = points_no_lines(p);
	for (size_t i = 0; !err && i < funcs.nr; i++)
		err = put_func(p, &funcs.func[i], l);
	debug_funcs_deinit(&funcs);
	return err;
}

static int find_file(struct points *p, struct listing *l)
{
	int err = debug_file_rows(p->dbg, p->spec->place.source, p->d,
				  &l->rows);

	return err || l->rows.nr ? err : points_no_file(p);
}

/* Only what is in the range stays; nothing is an error. */
static int cut(struct points *p, const struct line_range *range,
	       struct listing *l)
{
	int64_t first = (int64_t)range->first + l->base;
	int64_t last = (int64_t)range->last + l->base;
	struct debug_rows *rows = &l->rows;
	size_t i, nr = 0;

	if (l->end && last > l->end)
		last = l->end;
	for (i = 0; i < rows->nr && nr == 0; i++)
		nr += rows->row[i].line >= first && rows->row[i].line <= last;
	if (!nr)
		return points_no_code(p, rows, l->base, NULL);
	for (i = 0, nr = 0; i < rows->nr; i++)
		if (rows->row[i].line >= first && rows->row[i].line <= last)
			rows->row[nr++] = rows->row[i];
	rows->nr = nr;
	return 0;
}

int listing_find(struct points *p, const struct line_range *range,
		 struct listing *ret)
{
	struct listing l = {};
	int err;

	err = p->spec->place.kind == PLACE_SOURCE ? find_file(p, &l) :
						    find_func(p, &l);
	if (!err) {
		sort(&l.rows);
		err = cut(p, range, &l);
	}
	if (err)
		listing_deinit(&l);
	else
		*ret = l;
	return err;
}

void listing_deinit(struct listing *listing)
{
	debug_rows_deinit(&listing->rows);
}
