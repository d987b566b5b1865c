// SPDX-License-Identifier: GPL-2.0
/*
 * Names of functions in languages that have scopes for them: as written, as the
 * linker knows them, and qualified by what is around them, from the inside on:
 * Class::method is ns::Class::method, too.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "dwarf/name.h"

#define NAMELESS "(anonymous namespace)"

const char *debug_linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) &&
	    !dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		return NULL;
	return dwarf_formstring(&attr);
}

/* What programmers do not write: where C++ or Rust has no name, or needs none. */
static bool is_passed_over(Dwarf_Die *scope)
{
	const char *name = dwarf_diename(scope);

	return !name || !strncmp(name, "{impl#", 6) ||
	       dwarf_hasattr(scope, DW_AT_export_symbols);
}

static bool names_part(Dwarf_Die *scope, struct scoped_part part)
{
	const char *name = dwarf_diename(scope);

	if (!name)
		name = NAMELESS;
	return scoped_is_part(part, name, strlen(name));
}

static bool is_scope(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return true;
	default:
		return false;
	}
}

/* Whether @length bytes of @name are the scopes, from the innermost on. */
static bool are_scopes(Dwarf_Die *scopes, int nr, const char *name,
		       size_t length)
{
	struct scoped_part part;
	int i;

	for (i = 0; i < nr && length; i++) {
		if (!is_scope(&scopes[i]))
			continue;
		part = scoped_last(name, length);
		if (names_part(&scopes[i], part))
			length = scoped_before(name, part);
		else if (!is_passed_over(&scopes[i]))
			return false;
	}
	return !length;
}

/* Where it was declared: that is inside of what it belongs to. */
static Dwarf_Die declaration_of(Dwarf_Die *die)
{
	Dwarf_Die ret = *die;
	Dwarf_Attribute attr;
	Dwarf_Die next;
	int i;

	/* from a copy to the function, and from there to the class */
	for (i = 0; i < 4; i++) {
		if (!dwarf_attr(&ret, DW_AT_abstract_origin, &attr) &&
		    !dwarf_attr(&ret, DW_AT_specification, &attr))
			break;
		if (!dwarf_formref_die(&attr, &next))
			break;
		ret = next;
	}
	return ret;
}

static bool is_qualified(Dwarf_Die *die, const char *name, size_t length)
{
	Dwarf_Die decl = declaration_of(die), *scopes = NULL;
	bool ret;
	int nr;

	nr = dwarf_getscopes_die(&decl, &scopes);
	/* the first one is the function */
	ret = nr > 1 && are_scopes(scopes + 1, nr - 1, name, length);
	free(scopes);
	return ret;
}

bool debug_is_named(Dwarf_Die *die, const char *name)
{
	const char *own = dwarf_diename(die), *linkage;
	size_t length = scoped_params(name);
	struct scoped_part part;

	if (own && !strcmp(own, name))
		return true;
	if (own && !name[length]) {
		part = scoped_last(name, length);
		if (scoped_is_part(part, own, strlen(own)))
			return part.text == name ||
			       is_qualified(die, name,
					    scoped_before(name, part));
	}
	linkage = debug_linkage_name(die);
	return linkage && (name[length] ? demangles_to(linkage, name) :
					  !strcmp(linkage, name));
}

static bool is_cxx(Dwarf_Die *die)
{
	Dwarf_Die unit;

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return false;
	switch (dwarf_srclang(&unit)) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return true;
	default:
		return false;
	}
}

/* As @name says all of them, from the innermost on, or none. */
static bool are_all_scopes(Dwarf_Die *scopes, int nr, const char *name,
			   size_t length)
{
	struct scoped_part part;

	for (int i = 0; i < nr; i++) {
		if (!is_scope(&scopes[i]))
			continue;
		part = scoped_last(name, length);
		if (!length || !names_part(&scopes[i], part))
			return false;
		length = scoped_before(name, part);
	}
	return !length;
}

/*
 * Functions of a unit alone have no linkage name in C++, and a symbol that is
 * made of their name nevertheless.
 */
static enum scoped_match match_own(Dwarf_Die *die, const char *name)
{
	Dwarf_Die decl = declaration_of(die), *scopes = NULL;
	size_t length = scoped_params(name);
	bool whole;
	int nr;

	length = scoped_before(name, scoped_last(name, length));
	nr = dwarf_getscopes_die(&decl, &scopes);
	whole = nr < 1 || are_all_scopes(scopes + 1, nr - 1, name, length);
	free(scopes);
	if (!whole)
		return SCOPED_PART;
	return length || (is_cxx(die) &&
			  !dwarf_hasattr_integrate(die, DW_AT_external)) ?
		       SCOPED_WHOLE : SCOPED_SYMBOL;
}

enum scoped_match debug_name_match(Dwarf_Die *die, const char *name)
{
	const char *linkage = debug_linkage_name(die);
	enum scoped_match match;

	if (!linkage)
		return match_own(die, name);
	if (!strcmp(linkage, name))
		return SCOPED_SYMBOL;
	match = demangles_to(linkage, name);
	/* the demangler may call a scope by what nobody writes */
	return match ? match : SCOPED_PART;
}

/* The names of the scopes around @die, from the outside on; *@ret is malloc'ed. */
static int scope_names(Dwarf_Die *die, const char ***ret)
{
	Dwarf_Die decl = declaration_of(die), *scopes = NULL;
	int nr = dwarf_getscopes_die(&decl, &scopes), found = 0;
	const char **names = calloc(nr > 0 ? nr : 1, sizeof(*names));

	for (int i = nr - 1; names && i > 0; i--) {
		if (!is_scope(&scopes[i]))
			continue;
		names[found] = dwarf_diename(&scopes[i]);
		if (!names[found])
			names[found] = NAMELESS;
		found++;
	}
	free(scopes);
	*ret = names;
	return names ? found : 0;
}

bool debug_is_scoped(Dwarf_Die *func)
{
	_cleanup_free_ const char **names = NULL;

	return scope_names(func, &names) > 0;
}

int debug_sees(Dwarf_Die *func, Dwarf_Die *var)
{
	_cleanup_free_ const char **inside = NULL, **around = NULL;
	int nr = scope_names(func, &inside), nr_around = scope_names(var, &around);

	if (!inside || !around || nr_around > nr)
		return -1;
	for (int i = 0; i < nr_around; i++)
		if (strcmp(inside[i], around[i]))
			return -1;
	return nr_around;
}
