// SPDX-License-Identifier: GPL-2.0
/* Ways through debug information. */
#include "dwarf/walk.h"

#include <dwarf.h>
#include <string.h>

#include "dwarf/unit.h"

bool debug_walk_units(Dwarf *dw, debug_die_fn fn, void *ctx)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (debug_next_unit(dw, &cu, &unit))
		if (!fn(ctx, &unit))
			return false;
	return true;
}

/* struct way - which DIEs are wanted, and in which others they are looked for */
struct way {
	int wanted;
	int inside[2];
};

static bool walk(Dwarf_Die *scope, const struct way *way, debug_die_fn fn,
		 void *ctx, unsigned int depth)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(scope, &child))
		return true;
	do {
		int tag = dwarf_tag(&child);

		if (tag == way->wanted && !fn(ctx, &child))
			return false;
		if ((tag == way->inside[0] || tag == way->inside[1]) &&
		    !walk(&child, way, fn, ctx, depth - 1))
			return false;
	} while (!dwarf_siblingof(&child, &child));
	return true;
}

bool debug_walk_functions(Dwarf_Die *scope, debug_die_fn fn, void *ctx)
{
	static const struct way way = {
		DW_TAG_subprogram, { DW_TAG_namespace, DW_TAG_module },
	};

	return walk(scope, &way, fn, ctx, DEBUG_DEPTH_MAX);
}

bool debug_walk_copies(Dwarf_Die *func, debug_die_fn fn, void *ctx)
{
	static const struct way way = {
		DW_TAG_inlined_subroutine,
		{ DW_TAG_inlined_subroutine, DW_TAG_lexical_block },
	};

	return walk(func, &way, fn, ctx, DEBUG_DEPTH_MAX);
}

bool debug_step_to(Dwarf_Die *die, const Dwarf_Die *inner)
{
	bool found = false;
	Dwarf_Die child;

	if (dwarf_child(die, &child))
		return false;
	/* what is damaged may lead back */
	while (child.addr > die->addr && child.addr <= inner->addr) {
		*die = child;
		found = true;
		if (dwarf_siblingof(&child, &child))
			break;
	}
	return found;
}

bool debug_has_code(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_low_pc) ||
	       dwarf_hasattr(die, DW_AT_ranges);
}

bool debug_is_linked(Dwarf_Die *unit)
{
	const char *name = dwarf_diename(unit);

	return name && !strcmp(name, "<artificial>");
}
