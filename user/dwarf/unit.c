// SPDX-License-Identifier: GPL-2.0
/* Units: what -gsplit-dwarf leaves in a program only says where the rest is. */
#include "dwarf/unit.h"

#include <dwarf.h>

/*
 * Whether a unit was split off, and is there. libdw ends the program when it is
 * asked for the file of something in such a unit before it was for all files.
 */
static bool is_split(uint8_t type, Dwarf_Die *whole)
{
	Dwarf_Files *files;
	size_t nr;

	return type == DW_UT_skeleton && whole->addr &&
	       !dwarf_getsrcfiles(whole, &files, &nr);
}

bool debug_next_unit(Dwarf *dw, Dwarf_CU **cu, Dwarf_Die *ret)
{
	Dwarf_Die whole;
	uint8_t type;

	do {
		if (dwarf_get_units(dw, *cu, cu, NULL, &type, ret, &whole))
			return false;
	} while (type == DW_UT_type || type == DW_UT_split_type);
	if (is_split(type, &whole))
		*ret = whole;
	return true;
}

void debug_whole_unit(Dwarf_Die *unit)
{
	Dwarf_Die whole;
	uint8_t type;

	if (!dwarf_cu_info(unit->cu, NULL, &type, NULL, &whole, NULL, NULL,
			   NULL) &&
	    is_split(type, &whole))
		*unit = whole;
}

/* The header of the unit at *@offset, which becomes where the next one is. */
static bool next_abbrevs(Dwarf *dw, Dwarf_Off *offset, Dwarf_Off *abbrevs)
{
	Dwarf_Half version;
	size_t size;

	return !dwarf_next_unit(dw, *offset, offset, &size, &version, abbrevs,
				NULL, NULL, NULL, NULL);
}

/* What is made together has one table of abbreviations: linkers merge none. */
bool debug_has_siblings(Dwarf *dw, Dwarf_Die *unit)
{
	Dwarf_Off offset = dwarf_dieoffset(unit) - dwarf_cuoffset(unit);
	Dwarf_Off ours, theirs;
	size_t nr = 0;
	uint8_t type;

	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, NULL, NULL, NULL,
			  NULL) ||
	    type == DW_UT_split_compile || !next_abbrevs(dw, &offset, &ours))
		return false;
	offset = 0;
	while (nr < 2 && next_abbrevs(dw, &offset, &theirs))
		nr += theirs == ours;
	return nr > 1;
}

/* They are next to each other: they are from one file. */
bool debug_have_siblings(Dwarf *dw)
{
	Dwarf_Off offset = 0, last, next;

	if (!next_abbrevs(dw, &offset, &last))
		return false;
	for (; next_abbrevs(dw, &offset, &next); last = next)
		if (next == last)
			return true;
	return false;
}

static const char *split_name(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr(unit, DW_AT_dwo_name, &attr) &&
	    !dwarf_attr(unit, DW_AT_GNU_dwo_name, &attr))
		return NULL;
	return dwarf_formstring(&attr);
}

const char *debug_lacking(Dwarf *dw)
{
	Dwarf_Die unit, whole;
	const char *ret = NULL;
	Dwarf_CU *cu = NULL;
	uint8_t type;

	while (!dwarf_get_units(dw, cu, &cu, NULL, &type, &unit, &whole)) {
		if (type != DW_UT_skeleton || is_split(type, &whole))
			return NULL;
		if (!ret)
			ret = split_name(&unit);
	}
	return ret;
}

const char *debug_lacking_any(Dwarf *dw, uint64_t pc)
{
	Dwarf_Die unit, whole;
	Dwarf_CU *cu = NULL;
	uint8_t type;

	while (!dwarf_get_units(dw, cu, &cu, NULL, &type, &unit, &whole)) {
		if (type == DW_UT_skeleton && !is_split(type, &whole) &&
		    (!pc || dwarf_haspc(&unit, pc) > 0))
			return split_name(&unit);
	}
	return NULL;
}
