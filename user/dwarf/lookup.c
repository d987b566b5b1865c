// SPDX-License-Identifier: GPL-2.0
/* Types by their names: those of the unit that asks win. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/file.h"
#include "dwarf/index/index.h"
#include "dwarf/unit.h"
#include "dwarf/var.h"

/* The tags that a keyword stands for; without one it is a typedef, or C++. */
bool debug_is_type(int tag, enum debug_type_kind kind)
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

static bool is_it(Dwarf_Die *die, enum debug_type_kind kind, const char *name)
{
	const char *found;

	if (!debug_is_type(dwarf_tag(die), kind))
		return false;
	found = dwarf_diename(die);
	return found && !strcmp(found, name) &&
	       !dwarf_hasattr(die, DW_AT_declaration);
}

static bool find_in(Dwarf_Die *unit, enum debug_type_kind kind,
		    const char *name, Dwarf_Die *ret)
{
	if (dwarf_child(unit, ret))
		return false;
	do {
		if (is_it(ret, kind, name))
			return true;
	} while (!dwarf_siblingof(ret, ret));
	return false;
}

static bool find_in_all(struct debug *dbg, enum debug_type_kind kind,
			const char *name, Dwarf_Die *ret)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (debug_next_unit(dbg->dw, &cu, &unit))
		if (find_in(&unit, kind, name, ret))
			return true;
	return false;
}

/* All points of a pattern ask for the same one. */
static bool find_again(struct debug *dbg, enum debug_type_kind kind,
		       const char *name, Dwarf_Die *ret)
{
	if (!dbg->sought || dbg->sought_kind != (int)kind || strcmp(dbg->sought, name)) {
		free(dbg->sought);
		dbg->sought = strdup(name);
		dbg->sought_kind = kind;
		dbg->has_found = find_in_all(dbg, kind, name, &dbg->found);
	}
	*ret = dbg->found;
	return dbg->has_found;
}

static bool find_anywhere(struct debug *dbg, enum debug_type_kind kind,
			  const char *name, Dwarf_Die *ret)
{
	const struct index_type *types;
	struct index *x = index_of(dbg);
	size_t nr;

	if (x && index_types(x, name, &types, &nr)) {
		for (; nr; types++, nr--)
			if (dwarf_offdie(dbg->dw, types->die, ret) &&
			    is_it(ret, kind, name))
				return true;
		return false;
	}
	return find_again(dbg, kind, name, ret);
}

bool debug_find_type(struct debug *dbg, const struct debug_func *func,
		     enum debug_type_kind kind, const char *name,
		     struct ctype *ret)
{
	Dwarf_Die die, unit, type;
	bool found = false;

	if (func) {
		die = func->die;
		found = dwarf_diecu(&die, &unit, NULL, NULL) &&
			find_in(&unit, kind, name, &type);
	}
	if (!found && !find_anywhere(dbg, kind, name, &type))
		return false;
	*ret = debug_type(dbg->types, &type);
	return true;
}
