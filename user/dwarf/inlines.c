// SPDX-License-Identifier: GPL-2.0
/* Counting the places where functions were inlined, in all units of a file. */
#include "dwarf/inlines.h"

#include <dwarf.h>
#include <errno.h>
#include <fnmatch.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "dwarf/file.h"
#include "dwarf/line.h"
#include "dwarf/unit.h"
#include "dwarf/walk.h"

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
 * @dbg: in this debug information
 * @pattern: of their names
 * @step: told how many units were looked at, ...
 * @step_ctx: ... with this
 * @nr_units: how many
 * @items: a tree of struct debug_inline
 * @origins: a tree of struct origin
 * @nr_origins: how many
 * @is_shared: other units than those that have them may refer to them
 * @elsewhere: copies are counted whose function is in another unit; else those of
 *	the same
 * @failed: out of memory
 * @ret: what is left of them
 */
struct count {
	struct debug *dbg;
	const char *pattern;
	void (*step)(void *ctx, size_t nr);
	void *step_ctx;
	size_t nr_units;
	void *items;
	void *origins;
	size_t nr_origins;
	bool is_shared;
	bool elsewhere;
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

static bool take_function(void *ctx, Dwarf_Die *die)
{
	struct count *c = ctx;
	struct debug_inline like = { .name = dwarf_diename(die) }, *item;
	struct origin origin = { .addr = die->addr };
	bool has_code = debug_has_code(die);

	if (!like.name || fnmatch(c->pattern, like.name, 0) ||
	    (!has_code && dwarf_hasattr(die, DW_AT_declaration)))
		return true;
	like.file = debug_file_of(c->dbg, die, DW_AT_decl_file);
	dwarf_decl_line(die, &like.line);
	item = find_or_add(c, &c->items, &like, sizeof(like), compare_items);
	if (!item)
		return false;
	item->has_code |= has_code;
	origin.item = item;
	/* link-time optimisation does not say which ones it inlines */
	if (has_code)
		return true;
	if (!find_or_add(c, &c->origins, &origin, sizeof(origin),
			 compare_origins))
		return false;
	c->nr_origins++;
	return true;
}

static bool count_copy(void *ctx, Dwarf_Die *die)
{
	struct count *c = ctx;
	struct origin like = {}, *const *found;
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	if (!dwarf_attr(die, DW_AT_abstract_origin, &attr) ||
	    !dwarf_formref_die(&attr, &origin) ||
	    (origin.cu != die->cu) != c->elsewhere)
		return true;
	like.addr = origin.addr;
	found = tfind(&like, &c->origins, compare_origins);
	if (found)
		(*found)->item->copies++;
	return true;
}

static bool count_function(void *ctx, Dwarf_Die *die)
{
	return !debug_has_code(die) || debug_walk_copies(die, count_copy, ctx);
}

/* ---- units ----------------------------------------------------------------------- */

static bool take_unit(void *ctx, Dwarf_Die *unit)
{
	struct count *c = ctx;
	size_t before = c->nr_origins;

	if (!debug_walk_functions(unit, take_function, c))
		return false;
	if (c->nr_origins > before) {
		debug_walk_functions(unit, count_function, c);
		c->is_shared |= dwarf_tag(unit) == DW_TAG_partial_unit;
	}
	c->nr_units++;
	if (c->step)
		c->step(c->step_ctx, c->nr_units);
	return true;
}

static bool take_elsewhere(void *ctx, Dwarf_Die *unit)
{
	struct count *c = ctx;

	return (!c->is_shared && !debug_is_linked(unit)) ||
	       debug_walk_functions(unit, count_function, c);
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
	struct count c = {
		.dbg = dbg, .pattern = pattern, .step = step, .step_ctx = ctx,
		.is_shared = debug_have_siblings(dbg->dw), .ret = ret,
	};

	*ret = (struct debug_inlines){};
	if (debug_walk_units(dbg->dw, take_unit, &c)) {
		c.elsewhere = true;
		debug_walk_units(dbg->dw, take_elsewhere, &c);
	}
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
