// SPDX-License-Identifier: GPL-2.0
/*
 * Names of functions in languages that have scopes for them: as written, as the
 * linker knows them, and qualified by what is around them, from the inside on:
 * Class::method is ns::Class::method, too.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debug/name.h"

#define NAMELESS "(anonymous namespace)"

/* struct part - of a name, between two "::" */
struct part {
	const char *text;
	size_t length;
};

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) &&
	    !dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		return NULL;
	return dwarf_formstring(&attr);
}

/* The last part of @length bytes of @name; what is in brackets is one thing. */
static struct part last_part(const char *name, size_t length)
{
	size_t at = length;
	int depth = 0;

	for (; at; at--) {
		char c = name[at - 1];

		depth += c == '>' || c == ')';
		depth -= c == '<' || c == '(';
		if (depth <= 0 && c == ':' && at > 1 && name[at - 2] == ':')
			break;
	}
	return (struct part){ name + at, length - at };
}

static bool is_equal(const struct part *part, const char *name, size_t length)
{
	return part->length == length && !memcmp(part->text, name, length);
}

/* Of a template, its arguments need not be written. */
static bool is_part(const struct part *part, const char *name)
{
	const char *open = strchr(name, '<');

	if (is_equal(part, name, strlen(name)))
		return true;
	return open && open > name && strncmp(name, "operator", 8) &&
	       is_equal(part, name, open - name);
}

/* What programmers do not write: where C++ or Rust has no name, or needs none. */
static bool is_passed_over(Dwarf_Die *scope)
{
	const char *name = dwarf_diename(scope);

	return !name || !strncmp(name, "{impl#", 6) ||
	       dwarf_hasattr(scope, DW_AT_export_symbols);
}

static bool names_part(Dwarf_Die *scope, const struct part *part)
{
	const char *name = dwarf_diename(scope);

	return name ? is_part(part, name) :
		      is_equal(part, NAMELESS, strlen(NAMELESS));
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
	struct part part;
	int i;

	for (i = 0; i < nr && length; i++) {
		if (!is_scope(&scopes[i]))
			continue;
		part = last_part(name, length);
		if (names_part(&scopes[i], &part))
			length = part.text > name ? part.text - name - 2 : 0;
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
	struct part part;

	if (own && !strcmp(own, name))
		return true;
	if (own) {
		part = last_part(name, strlen(name));
		if (is_part(&part, own))
			return part.text == name ||
			       is_qualified(die, name, part.text - name - 2);
	}
	linkage = linkage_name(die);
	return linkage && !strcmp(linkage, name);
}
