// SPDX-License-Identifier: GPL-2.0
/* Functions of a file of source. */
#include <dwarf.h>

#include "dwarf/file.h"
#include "dwarf/func.h"
#include "dwarf/line.h"
#include "dwarf/unit.h"
#include "dwarf/walk.h"

/* struct in_file - functions being looked for; @path: the last one, which @matches */
struct in_file {
	struct debug *dbg;
	const char *file;
	debug_func_fn fn;
	void *ctx;
	const char *path;
	bool matches;
	bool found;
};

/* Paths of one file are the same string, as long as its unit is the same. */
static bool is_in_file(struct in_file *in, const char *path)
{
	if (path != in->path) {
		in->path = path;
		in->matches = debug_ends_with(path, in->file);
	}
	return in->matches;
}

static bool take_function(void *ctx, Dwarf_Die *die)
{
	struct debug_func func = { .die = *die, .owner = *die };
	struct in_file *in = ctx;

	if (!debug_has_code(die) ||
	    !is_in_file(in, debug_file_of(in->dbg, die, DW_AT_decl_file)) ||
	    !debug_entry(in->dbg, die, &func.entry))
		return true;
	in->found = true;
	return in->fn(in->ctx, &func);
}

static bool walk(struct in_file *in, bool by_name)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (debug_next_unit(in->dbg->dw, &cu, &unit)) {
		if (by_name && !debug_ends_with(dwarf_diename(&unit), in->file))
			continue;
		in->path = NULL;
		in->matches = false;
		if (!debug_walk_functions(&unit, take_function, in))
			return false;
	}
	return true;
}

/* What is not included is in the unit that is called like it. */
bool debug_file_functions(struct debug *dbg, const char *file, debug_func_fn fn,
			  void *ctx)
{
	struct in_file in = {
		.dbg = dbg, .file = file, .fn = fn, .ctx = ctx,
	};

	if (!walk(&in, true))
		return false;
	return in.found || walk(&in, false);
}
