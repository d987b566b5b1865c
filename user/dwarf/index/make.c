// SPDX-License-Identifier: GPL-2.0
/* Collecting what an index has: what searches without one meet, unit by unit. */
#include "dwarf/index/make.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/scoped.h"
#include "dwarf/file.h"
#include "dwarf/likeness.h"
#include "dwarf/line.h"
#include "dwarf/name.h"
#include "dwarf/var.h"
#include "dwarf/walk.h"

/* struct collector - units being collected; @step is told how many */
struct collector {
	struct collected *c;
	void (*step)(void *ctx, size_t nr);
	void *ctx;
};

#define PUT(c, array, nr, ...)						\
	({								\
		__typeof__(array) more_ = array_grow(array, nr,		\
						     sizeof(*more_));	\
		(c)->failed |= !more_;					\
		if (more_) {						\
			(array) = more_;				\
			(array)[(nr)++] = (__typeof__(*more_))__VA_ARGS__; \
		}							\
		!!more_;						\
	})

static uint32_t offset_of(Dwarf_Die *die)
{
	return dwarf_dieoffset(die);
}

/* ---- strings that were met --------------------------------------------------------- */

/* Where @text is in @table, or would be */
static struct met *find(const struct mets *table, uint32_t key, int tag,
			const char *text)
{
	for (size_t i = key;; i++) {
		struct met *met = &table->met[i & (table->room - 1)];

		if (!met->text || (met->key == key && met->tag == tag &&
				   !strcmp(met->text, text)))
			return met;
	}
}

static bool grow(struct mets *table)
{
	struct mets more = { .room = table->room ? 2 * table->room : 1024 };

	more.met = calloc(more.room, sizeof(*more.met));
	if (!more.met)
		return false;
	for (size_t i = 0; i < table->room; i++) {
		const struct met *met = &table->met[i];

		if (met->text)
			*find(&more, met->key, met->tag, met->text) = *met;
	}
	more.nr = table->nr;
	free(table->met);
	*table = more;
	return true;
}

/* The number of @text, which may be a new one; -1: no memory. */
static int64_t meet(struct mets *table, uint32_t key, int tag, const char *text,
		    bool *is_new)
{
	struct met *met;

	if (2 * table->nr >= table->room && !grow(table))
		return -1;
	met = find(table, key, tag, text);
	*is_new = !met->text;
	if (*is_new)
		*met = (struct met){ text, key, tag, table->nr++ };
	return met->number;
}

/* ---- functions ---------------------------------------------------------------------- */

static bool put_name(struct collected *c, struct index_pairs *to,
		     Dwarf_Die *die, const char *name, size_t length)
{
	return PUT(c, to->pair, to->nr,
		   { index_func_key(name, length), offset_of(die) });
}

/* What it stands for, which may have a last part that is not the DIE's own name */
static bool put_demangled(struct collected *c, struct index_pairs *to,
			  Dwarf_Die *die, const char *linkage, const char *own)
{
	_cleanup_free_ char *name = demangle(linkage, false);
	struct scoped_part last;

	if (!name)
		return true;
	last = scoped_last(name, strlen(name));
	if (own && index_func_key(own, strlen(own)) ==
		   index_func_key(last.text, last.length))
		return true;
	return put_name(c, to, die, last.text, last.length);
}

static bool put_names(struct collected *c, struct index_pairs *to,
		      Dwarf_Die *die)
{
	const char *own = dwarf_diename(die);
	const char *linkage = debug_linkage_name(die);

	if (own && !put_name(c, to, die, own, strlen(own)))
		return false;
	return !linkage || (put_name(c, to, die, linkage, strlen(linkage)) &&
			    put_demangled(c, to, die, linkage, own));
}

static bool put_copy(void *ctx, Dwarf_Die *die)
{
	struct collected *c = ctx;

	return put_names(c, &c->copies, die);
}

static bool put_function(void *ctx, Dwarf_Die *die)
{
	struct collected *c = ctx;
	bool has_code = debug_has_code(die);

	if (!has_code && dwarf_hasattr(die, DW_AT_declaration))
		return true;
	if (!put_names(c, &c->funcs, die))
		return false;
	if (!has_code)
		return true;
	return PUT(c, c->codes.pair, c->codes.nr,
		   { c->nr_units - 1, offset_of(die) }) &&
	       debug_walk_copies(die, put_copy, c);
}

/* ---- types -------------------------------------------------------------------------- */

static uint32_t number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	return !dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &value) ?
	       0 : value;
}

/* The file that the last unit calls @number; NULL: not known */
static const char *path_of(const struct collected *c, size_t number)
{
	size_t at = c->unit_files + number;

	return at < c->tables.nr ? c->files[c->tables.pair[at].die] : NULL;
}

/* Whether the structure @die was met: the one of that size in that line of a header. */
static int meet_line(struct collected *c, Dwarf_Die *die, uint32_t key,
		     const char *name, bool *is_new)
{
	const char *path = path_of(c, number_of(die, DW_AT_decl_file));
	const uint32_t where[] = {
		path ? index_key(path, strlen(path)) : 0,
		number_of(die, DW_AT_decl_line),
		number_of(die, DW_AT_byte_size),
	};
	size_t length = path ? strlen(path) : 0;

	*is_new = true;
	/* sources that are included are mostly so to mean something else */
	if (length < 2 || !strcmp(path + length - 2, ".c"))
		return 0;
	key ^= index_key((const char *)where, sizeof(where));
	return meet(&c->type_lines, key, dwarf_tag(die), name, is_new);
}

/* Whether nothing like the structure @die was met: there are thousands of each. */
static bool is_other(struct collected *c, Dwarf_Die *die, uint32_t key,
		     const char *name, bool *is_new)
{
	if (meet_line(c, die, key, name, is_new) < 0)
		return false;
	return !*is_new ||
	       meet(&c->type_names, key ^ (uint32_t)debug_likeness(die),
		    dwarf_tag(die), name, is_new) >= 0;
}

static bool put_type(struct collected *c, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	const char *name;
	uint32_t key;
	bool is_new;

	if (!debug_is_type(tag, DEBUG_TYPEDEF) &&
	    !debug_is_type(tag, DEBUG_STRUCT))
		return true;
	name = dwarf_diename(die);
	if (!name || dwarf_hasattr(die, DW_AT_declaration))
		return true;
	key = index_key(name, strlen(name));
	if (debug_is_struct(tag) ? !is_other(c, die, key, name, &is_new) :
				   meet(&c->type_names, key, tag, name, &is_new) < 0)
		c->failed = true;
	else if (is_new)
		PUT(c, c->types.pair, c->types.nr, { key, offset_of(die) });
	return !c->failed;
}

static bool put_types(struct collected *c, Dwarf_Die *unit)
{
	Dwarf_Die child;

	if (dwarf_child(unit, &child))
		return true;
	do {
		if (!put_type(c, &child))
			return false;
	} while (!dwarf_siblingof(&child, &child));
	return true;
}

/* ---- lines -------------------------------------------------------------------------- */

static bool put_file(struct collected *c, const char *path)
{
	bool is_new;
	int64_t nr;

	c->path = path;
	nr = meet(&c->paths, index_key(path, strlen(path)), 0, path, &is_new);
	if (nr < 0)
		c->failed = true;
	else if (is_new)
		PUT(c, c->files, c->nr_files, path);
	c->file = nr;
	return !c->failed;
}

static bool put_row(void *ctx, const struct debug_row *row)
{
	struct collected *c = ctx;

	if (!row->file || row->line <= 0)
		return true;
	/* paths of one file are mostly the same string */
	if (row->file != c->path && !put_file(c, row->file))
		return false;
	return PUT(c, c->rows, c->nr_rows,
		   { row->address, c->file, c->nr_units - 1, row->line });
}

/* As they are numbered; each of them may be where a function is written. */
static bool put_table(struct collected *c, Dwarf_Die *unit)
{
	Dwarf_Files *files;
	size_t nr;

	c->unit_files = c->tables.nr;
	if (dwarf_getsrcfiles(unit, &files, &nr))
		return true;
	for (size_t i = 0; i < nr; i++) {
		const char *path = dwarf_filesrc(files, i, NULL, NULL);

		if (!put_file(c, path ? path : "") ||
		    !PUT(c, c->tables.pair, c->tables.nr,
			 { c->nr_units - 1, c->file }))
			return false;
	}
	return true;
}

static bool put_rows(struct collected *c, Dwarf_Die *unit)
{
	Dwarf_Lines *lines;
	size_t nr;

	c->path = NULL;
	return dwarf_getsrclines(unit, &lines, &nr) ||
	       debug_walk_rows(lines, nr, put_row, c);
}

/* ---- units -------------------------------------------------------------------------- */

static bool put_ranges(struct collected *c, Dwarf_Die *unit)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &start, &end)) > 0)
		if (!PUT(c, c->ranges, c->nr_ranges,
			 { start, end, c->nr_units - 1, 0 }))
			return false;
	return true;
}

static bool take_unit(void *ctx, Dwarf_Die *unit)
{
	struct collector *col = ctx;
	struct collected *c = col->c;

	if (!PUT(c, c->units, c->nr_units, offset_of(unit)) ||
	    !put_ranges(c, unit) ||
	    !debug_walk_functions(unit, put_function, c) ||
	    !put_table(c, unit) || !put_types(c, unit) || !put_rows(c, unit))
		return false;
	if (col->step)
		col->step(col->ctx, c->nr_units);
	return true;
}

static int compare_units(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool put_address(struct collected *c, Dwarf_Arange *arange)
{
	Dwarf_Addr start;
	Dwarf_Word length;
	Dwarf_Off offset;
	uint32_t die, *unit;

	if (dwarf_getarangeinfo(arange, &start, &length, &offset))
		return true;
	die = offset;
	unit = bsearch(&die, c->units, c->nr_units, sizeof(die), compare_units);
	return !unit || PUT(c, c->addresses, c->nr_addresses,
			    { start, start + length, unit - c->units, 0 });
}

/* ---- which files --------------------------------------------------------------------- */

static bool is_whole(void *ctx, Dwarf_Die *unit)
{
	Dwarf_Half version;
	uint8_t type;

	if (dwarf_cu_info(unit->cu, &version, &type, NULL, NULL, NULL, NULL,
			  NULL))
		return true;
	return type != DW_UT_skeleton && type != DW_UT_split_compile &&
	       dwarf_dieoffset(unit) < UINT32_MAX - (256 << 20);
}

/* NULL: @dbg can have one. */
static const char *why_not(struct debug *dbg)
{
	Elf *elf = dwarf_getelf(dbg->dw);
	GElf_Ehdr header;
	size_t nr;

	if (!gelf_getehdr(elf, &header) || header.e_type == ET_REL)
		return "its addresses are not fixed yet";
	if (!debug_build_id(dbg, &nr) || nr > INDEX_ID_MAX)
		return "it has no build-id";
	if (!debug_walk_units(dbg->dw, is_whole, NULL))
		return "its debug information is split, or too large";
	return NULL;
}

int index_collect(struct debug *dbg, void (*step)(void *ctx, size_t nr),
		  void *ctx, struct diag *d, struct collected *ret)
{
	struct collector col = { ret, step, ctx };
	const char *why = why_not(dbg);
	Dwarf_Aranges *aranges;
	size_t nr;

	*ret = (struct collected){};
	if (why)
		return diag_set(d, -EINVAL, DIAG_DEBUG_INDEX_NOT,
				debug_path(dbg), why);
	/* the library has the addresses sorted */
	if (debug_walk_units(dbg->dw, take_unit, &col) &&
	    !dwarf_getaranges(dbg->dw, &aranges, &nr))
		for (size_t i = 0; i < nr; i++)
			if (!put_address(ret, dwarf_onearange(aranges, i)))
				break;
	return ret->failed ? diag_no_memory(d) : 0;
}

void collected_deinit(struct collected *c)
{
	free(c->units);
	free(c->funcs.pair);
	free(c->copies.pair);
	free(c->codes.pair);
	free(c->tables.pair);
	free(c->types.pair);
	free(c->addresses);
	free(c->ranges);
	free(c->rows);
	free(c->files);
	free(c->type_names.met);
	free(c->type_lines.met);
	free(c->paths.met);
	*c = (struct collected){};
}
