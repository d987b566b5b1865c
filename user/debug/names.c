// SPDX-License-Identifier: GPL-2.0
/* Names that are near to one that is not there. */
#include <dwarf.h>
#include <string.h>

#include "debug/file.h"
#include "debug/line.h"

#define DEPTH_MAX 64

/* Functions in @die, a unit or a scope of names in it. */
static void try_functions(Dwarf_Die *die, const char *file, struct suggest *s,
			  unsigned int depth)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		const char *name;

		if (tag == DW_TAG_namespace || tag == DW_TAG_module)
			try_functions(&child, file, s, depth - 1);
		if (tag != DW_TAG_subprogram ||
		    dwarf_hasattr(&child, DW_AT_declaration))
			continue;
		name = dwarf_diename(&child);
		if (name && (!file || debug_ends_with(dwarf_decl_file(&child),
						      file)))
			suggest_try(s, name);
	} while (!dwarf_siblingof(&child, &child));
}

void debug_suggest_function(struct debug *dbg, const char *file,
			    struct suggest *s)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;

	while (!dwarf_get_units(dbg->dw, cu, &cu, NULL, &type, &unit, NULL))
		if (type != DW_UT_type)
			try_functions(&unit, file, s, DEPTH_MAX);
}

static size_t count_slashes(const char *path)
{
	size_t nr = 0;

	for (; *path; path++)
		nr += *path == '/';
	return nr;
}

/* As much of the end of @path as was typed */
static const char *end_of(const char *path, size_t slashes)
{
	const char *end = path + strlen(path);

	while (end > path && (end[-1] != '/' || slashes--))
		end--;
	return end;
}

void debug_suggest_file(struct debug *dbg, struct suggest *s)
{
	size_t slashes = count_slashes(s->word);
	Dwarf_CU *cu = NULL;
	const char *name;
	Dwarf_Die unit;
	uint8_t type;

	while (!dwarf_get_units(dbg->dw, cu, &cu, NULL, &type, &unit, NULL)) {
		name = type != DW_UT_type ? dwarf_diename(&unit) : NULL;
		if (name)
			suggest_try(s, end_of(name, slashes));
	}
}
