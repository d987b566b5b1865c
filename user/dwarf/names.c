// SPDX-License-Identifier: GPL-2.0
/* Names that are near to one that is not there. */
#include <dwarf.h>
#include <string.h>

#include "dwarf/file.h"
#include "dwarf/func.h"
#include "dwarf/line.h"
#include "dwarf/walk.h"

/* struct near - names being considered; @file: see debug_suggest_function() */
struct near {
	struct debug *dbg;
	const char *file;
	struct suggest *s;
};

static bool try_function(void *ctx, Dwarf_Die *die)
{
	const struct near *near = ctx;
	const char *name;

	if (dwarf_hasattr(die, DW_AT_declaration))
		return true;
	name = dwarf_diename(die);
	if (name && (!near->file ||
		     debug_ends_with(debug_file_of(near->dbg, die, DW_AT_decl_file),
				     near->file)))
		suggest_try(near->s, name);
	return true;
}

static bool try_functions(void *ctx, Dwarf_Die *unit)
{
	return debug_walk_functions(unit, try_function, ctx);
}

void debug_suggest_function(struct debug *dbg, const char *file,
			    struct suggest *s)
{
	struct near near = { dbg, file, s };

	debug_walk_units(dbg->dw, try_functions, &near);
}

/* As much of the end of @path as was typed */
static const char *end_of(const char *path, size_t slashes)
{
	const char *end = path + strlen(path);

	while (end > path && (end[-1] != '/' || slashes--))
		end--;
	return end;
}

/* struct near_file - paths of that many parts */
struct near_file {
	size_t slashes;
	struct suggest *s;
};

static bool try_file(void *ctx, Dwarf_Die *unit)
{
	const struct near_file *near = ctx;
	const char *name = dwarf_diename(unit);

	if (name)
		suggest_try(near->s, end_of(name, near->slashes));
	return true;
}

void debug_suggest_file(struct debug *dbg, struct suggest *s)
{
	struct near_file near = { .s = s };

	for (const char *c = s->word; *c; c++)
		near.slashes += *c == '/';
	debug_walk_units(dbg->dw, try_file, &near);
}
