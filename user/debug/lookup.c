// SPDX-License-Identifier: GPL-2.0
/* Types by their names: those of the unit that asks win. */
#include <dwarf.h>
#include <string.h>

#include "debug/file.h"

/* The tags that a keyword stands for; without one it is a typedef, or C++. */
static bool is_meant(int tag, enum debug_type_kind kind)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return kind != DEBUG_UNION && kind != DEBUG_ENUM;
	case DW_TAG_union_type:
		return kind == DEBUG_UNION || kind == DEBUG_TYPEDEF;
	case DW_TAG_enumeration_type:
		return kind == DEBUG_ENUM || kind == DEBUG_TYPEDEF;
	case DW_TAG_typedef:
	case DW_TAG_base_type:
		return kind == DEBUG_TYPEDEF;
	default:
		return false;
	}
}

static bool find_in(Dwarf_Die *unit, enum debug_type_kind kind,
		    const char *name, Dwarf_Die *ret)
{
	const char *found;

	if (dwarf_child(unit, ret))
		return false;
	do {
		if (!is_meant(dwarf_tag(ret), kind))
			continue;
		found = dwarf_diename(ret);
		if (found && !strcmp(found, name) &&
		    !dwarf_hasattr(ret, DW_AT_declaration))
			return true;
	} while (!dwarf_siblingof(ret, ret));
	return false;
}

bool debug_find_type(struct debug *dbg, const struct debug_func *func,
		     enum debug_type_kind kind, const char *name,
		     struct ctype *ret)
{
	Dwarf_Die die = func->die, unit, type;
	Dwarf_CU *cu = NULL;

	if (dwarf_diecu(&die, &unit, NULL, NULL) &&
	    find_in(&unit, kind, name, &type)) {
		*ret = debug_type(dbg->types, &type);
		return true;
	}
	while (!dwarf_get_units(dbg->dw, cu, &cu, NULL, NULL, &unit, NULL)) {
		if (!find_in(&unit, kind, name, &type))
			continue;
		*ret = debug_type(dbg->types, &type);
		return true;
	}
	return false;
}
