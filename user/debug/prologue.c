// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that were not optimised: they store their parameters first, and until
 * then those are not where they are said to be.
 */
#include <dwarf.h>
#include <stdlib.h>

#include "debug/debug.h"

/* Compilers say this of functions in which they looked at all calls. */
static bool is_optimised(Dwarf_Die *owner)
{
	return dwarf_hasattr(owner, DW_AT_call_all_calls) ||
	       dwarf_hasattr(owner, DW_AT_GNU_all_call_sites);
}

/* At one place of the frame, wherever it is looked at. */
static bool is_in_frame(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	return dwarf_attr_integrate(die, DW_AT_location, &attr) &&
	       !dwarf_getlocation(&attr, &ops, &nr) && nr &&
	       ops[0].atom == DW_OP_fbreg;
}

static bool has_variables(Dwarf_Die *owner)
{
	Dwarf_Die child;

	if (dwarf_child(owner, &child))
		return false;
	do {
		int tag = dwarf_tag(&child);

		if ((tag == DW_TAG_formal_parameter ||
		     tag == DW_TAG_variable) && is_in_frame(&child))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

bool debug_prologue_end(struct debug *dbg, const struct debug_func *func,
			uint64_t *ret)
{
	Dwarf_Die owner = func->owner;
	Dwarf_Addr *points = NULL;
	bool found;

	if (func->is_inlined || is_optimised(&owner) || !has_variables(&owner))
		return false;
	found = dwarf_entry_breakpoints(&owner, &points) > 0;
	if (found)
		*ret = points[0] - debug_to_dwarf(dbg, 0);
	free(points);
	return found;
}
