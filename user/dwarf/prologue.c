// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that were not optimised: they store their parameters first, and until
 * then those are not where they are said to be.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/func.h"

/* What the compiler was called with, if it says that: gcc does. NULL: it does not. */
static const char *options_of(Dwarf_Die *owner)
{
	const char *producer = NULL;
	Dwarf_Attribute attr;
	Dwarf_Die unit;

	if (dwarf_diecu(owner, &unit, NULL, NULL) &&
	    dwarf_attr(&unit, DW_AT_producer, &attr))
		producer = dwarf_formstring(&attr);
	if (!producer || strncmp(producer, "GNU ", 4))
		return NULL;
	return strstr(producer, " -");
}

/* The last one counts: -O, -O2, -Os; but not -O0. */
static bool has_level(const char *options)
{
	bool ret = false;

	while ((options = strstr(options, " -O"))) {
		options += strlen(" -O");
		ret = *options != '0';
	}
	return ret;
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

/* struct in_frame - how many there are, of parameters and of all variables */
struct in_frame {
	unsigned int params;
	unsigned int params_elsewhere;
	unsigned int all;
};

static struct in_frame count_variables(Dwarf_Die *owner)
{
	struct in_frame ret = {};
	Dwarf_Die child;

	if (dwarf_child(owner, &child))
		return ret;
	do {
		int tag = dwarf_tag(&child);
		bool is_param = tag == DW_TAG_formal_parameter;

		if (!is_param && tag != DW_TAG_variable)
			continue;
		if (is_in_frame(&child)) {
			ret.params += is_param;
			ret.all++;
		} else {
			ret.params_elsewhere += is_param;
		}
	} while (!dwarf_siblingof(&child, &child));
	return ret;
}

/*
 * Of functions in which they looked at all calls compilers say so; gcc also of
 * those that have none. A function of clang that keeps all that it is given in
 * its frame is not optimised even if its unit is.
 */
static bool is_optimised(Dwarf_Die *owner, const struct in_frame *in)
{
	const char *options = options_of(owner);

	if (options)
		return has_level(options);
	if (in->params && !in->params_elsewhere)
		return false;
	return dwarf_hasattr(owner, DW_AT_call_all_calls) ||
	       dwarf_hasattr(owner, DW_AT_GNU_all_call_sites);
}

bool debug_prologue_end(struct debug *dbg, const struct debug_func *func,
			uint64_t *ret)
{
	Dwarf_Die owner = func->owner;
	struct in_frame in = count_variables(&owner);
	Dwarf_Addr *points = NULL;
	bool found;

	if (func->is_inlined || !in.all || is_optimised(&owner, &in))
		return false;
	found = dwarf_entry_breakpoints(&owner, &points) > 0;
	if (found)
		*ret = points[0] - debug_to_dwarf(dbg, 0);
	free(points);
	return found;
}
