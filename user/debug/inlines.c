// SPDX-License-Identifier: GPL-2.0
/* Counting the places where functions were inlined, in all units of a file. */
#include "debug/inlines.h"

#include <dwarf.h>
#include <errno.h>
#include <fnmatch.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "debug/file.h"
#include "util/array.h"

#define DEPTH_MAX 256

/**
 * struct origin - a DIE of a function, which code that was inlined refers to
 * @addr: of the DIE, in memory
 * @item: the function
 */
struct origin {
	const void *addr;
	struct debug_inline *item;
};

/**
 * struct count - functions being counted
 * @dbg: debug information
 * @pattern: of their names
 * @items: a tree of struct debug_inline
 * @origins: a tree of struct origin
 * @nr_origins: how many
 * @failed: out of memory
 * @ret: what is left of them
 */
struct count {
	struct debug *dbg;
	const char *pattern;
	void *items;
	void *origins;
	size_t nr_origins;
	bool failed;
	struct debug_inlines *ret;
};

static int compare_items(const void *a, const void *b)
{
	const struct debug_inline *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (!order && x->file != y->file)
		order = strcmp(x->file ? x->file : "", y->file ? y->file : "");
	return order ? order : x->line - y->line;
}

static int compare_origins(const void *a, const void *b)
{
	const struct origin *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* A copy of @like in @tree, or what is there already; NULL: no memory. */
static void *find_or_add(struct count *c, void **tree, const void *like,
			 size_t size, int (*compare)(const void *a, const void *b))
{
	void **found = tfind(like, tree, compare), *made;

	if (found)
		return *found;
	made = malloc(size);
	if (made) {
		memcpy(made, like, size);
		if (tsearch(made, tree, compare))
			return made;
	}
	free(made);
	c->failed = true;
	return NULL;
}

/* ---- functions ------------------------------------------------------------------- */

static bool has_code(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_low_pc) ||
	       dwarf_hasattr(die, DW_AT_ranges);
}

static void take_function(struct count *c, Dwarf_Die *die)
{
	struct debug_inline like = { .name = dwarf_diename(die) }, *item;
	struct origin origin = { .addr = die->addr };
	bool inlined = dwarf_func_inline(die);

	if (!like.name || (!inlined && !has_code(die)) ||
	    fnmatch(c->pattern, like.name, 0))
		return;
	like.file = dwarf_decl_file(die);
	dwarf_decl_line(die, &like.line);
	item = find_or_add(c, &c->items, &like, sizeof(like), compare_items);
	if (!item)
		return;
	item->has_code |= has_code(die);
	origin.item = item;
	if (!inlined)
		return;
	if (find_or_add(c, &c->origins, &origin, sizeof(origin),
			compare_origins))
		c->nr_origins++;
}

static void count_copy(struct count *c, Dwarf_Die *die)
{
	struct origin like = {}, *const *found;
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	if (!dwarf_attr(die, DW_AT_abstract_origin, &attr) ||
	    !dwarf_formref_die(&attr, &origin))
		return;
	like.addr = origin.addr;
	found = tfind(&like, &c->origins, compare_origins);
	if (found)
		(*found)->item->copies++;
}

/* What was inlined into @die, and what was inlined there */
static void count_copies(struct count *c, Dwarf_Die *die, unsigned int depth)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_inlined_subroutine)
			count_copy(c, &child);
		if (tag == DW_TAG_inlined_subroutine ||
		    tag == DW_TAG_lexical_block)
			count_copies(c, &child, depth - 1);
	} while (!dwarf_siblingof(&child, &child));
}

/* @fn for each function in @die, a unit or a scope of names in it */
static void each_function(struct count *c, Dwarf_Die *die,
			  void (*fn)(struct count *c, Dwarf_Die *die),
			  unsigned int depth)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram)
			fn(c, &child);
		else if (tag == DW_TAG_namespace || tag == DW_TAG_module)
			each_function(c, &child, fn, depth - 1);
	} while (!c->failed && !dwarf_siblingof(&child, &child));
}

static void count_function(struct count *c, Dwarf_Die *die)
{
	if (has_code(die))
		count_copies(c, die, DEPTH_MAX);
}

/* ---- units ----------------------------------------------------------------------- */

/* Code of link-time optimisation has copies of what other units define. */
static bool is_linked(Dwarf_Die *unit)
{
	const char *name = dwarf_diename(unit);

	return name && !strcmp(name, "<artificial>");
}

static void take_unit(struct count *c, Dwarf_Die *unit)
{
	size_t before = c->nr_origins;

	each_function(c, unit, take_function, DEPTH_MAX);
	if (c->nr_origins > before && !is_linked(unit))
		each_function(c, unit, count_function, DEPTH_MAX);
}

static void take_all(struct count *c, void (*step)(void *ctx, size_t nr),
		     void *ctx)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;
	size_t nr = 0;

	while (!c->failed && !dwarf_get_units(c->dbg->dw, cu, &cu, NULL, &type,
					      &unit, NULL)) {
		if (type != DW_UT_type)
			take_unit(c, &unit);
		nr++;
		if (step)
			step(ctx, nr);
	}
	cu = NULL;
	while (!c->failed && !dwarf_get_units(c->dbg->dw, cu, &cu, NULL, &type,
					      &unit, NULL))
		if (type != DW_UT_type && is_linked(&unit))
			each_function(c, &unit, count_function, DEPTH_MAX);
}

/* ---- all of them ----------------------------------------------------------------- */

static void keep(const void *node, VISIT which, void *ctx)
{
	const struct debug_inline *item = *(struct debug_inline *const *)node;
	struct count *c = ctx;
	struct debug_inlines *ret = c->ret;
	struct debug_inline *more;

	if ((which != postorder && which != leaf) || !item->copies ||
	    c->failed)
		return;
	more = array_grow(ret->item, ret->nr, sizeof(*more));
	c->failed |= !more;
	if (!more)
		return;
	ret->item = more;
	more[ret->nr++] = *item;
}

int debug_inlines(struct debug *dbg, const char *pattern,
		  void (*step)(void *ctx, size_t nr), void *ctx,
		  struct diag *d, struct debug_inlines *ret)
{
	struct count c = { .dbg = dbg, .pattern = pattern, .ret = ret };

	*ret = (struct debug_inlines){};
	take_all(&c, step, ctx);
	twalk_r(c.items, keep, &c);
	tdestroy(c.origins, free);
	tdestroy(c.items, free);
	if (!c.failed)
		return 0;
	debug_inlines_deinit(ret);
	return diag_no_memory(d);
}

void debug_inlines_deinit(struct debug_inlines *inlines)
{
	free(inlines->item);
	*inlines = (struct debug_inlines){};
}
