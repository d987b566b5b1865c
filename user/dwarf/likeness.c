// SPDX-License-Identifier: GPL-2.0
/*
 * Which structures of one name are alike: units that were compiled otherwise, or that
 * have nothing to do with each other, may mean different ones by it.
 */
#include "dwarf/likeness.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/array.h"
#include "dwarf/file.h"
#include "dwarf/index/index.h"
#include "dwarf/types_in.h"
#include "dwarf/walk.h"

/* Structures in structures, and what they consist of, are looked at so far. */
#define DEPTH_MAX 16

/* Nor are more attributes and members looked at: in damaged information a structure
 * may contain itself, many times.
 */
#define STEPS_MAX (1U << 20)

/* struct mixed - of what was looked at so far; @left: steps */
struct mixed {
	uint64_t hash;
	unsigned int left;
};

static void mix(struct mixed *m, uint64_t value)
{
	m->hash = XXH64(&value, sizeof(value), m->hash);
	if (m->left)
		m->left--;
}

static void mix_text(struct mixed *m, const char *text)
{
	if (text)
		m->hash = XXH64(text, strlen(text), m->hash);
	mix(m, !text);
}

/* What is not there is no zero. */
static void mix_number(struct mixed *m, Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &value))
		return mix(m, 0);
	mix(m, name);
	mix(m, value);
}

static void mix_members(struct mixed *m, Dwarf_Die *die, unsigned int depth);

/* Typedefs and qualifiers change nothing of where things are. */
static bool strip(Dwarf_Die *die)
{
	for (unsigned int i = 0; i < DEPTH_MAX; i++) {
		switch (dwarf_tag(die)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			if (!types_type(die, die))
				return false;
			break;
		default:
			return true;
		}
	}
	return false;
}

static void mix_dimensions(struct mixed *m, Dwarf_Die *die)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child))
		return;
	do {
		mix_number(m, &child, DW_AT_upper_bound);
		mix_number(m, &child, DW_AT_count);
	} while (m->left && !dwarf_siblingof(&child, &child));
}

/* The type of @die; where it is @behind a pointer, of a structure the name, which is
 * the same whether or not it is defined in that unit
 */
static void mix_type(struct mixed *m, Dwarf_Die *die, bool behind,
		     unsigned int depth)
{
	Dwarf_Die type;
	int tag;

	if (!depth || !types_type(die, &type) || !strip(&type))
		return mix(m, 1);
	tag = dwarf_tag(&type);
	mix(m, tag);
	mix_text(m, dwarf_diename(&type));
	if (debug_is_struct(tag)) {
		if (!behind)
			mix_members(m, &type, depth - 1);
		return;
	}
	mix_number(m, &type, DW_AT_byte_size);
	mix_number(m, &type, DW_AT_encoding);
	if (tag == DW_TAG_array_type)
		mix_dimensions(m, &type);
	if (tag == DW_TAG_array_type || tag == DW_TAG_pointer_type)
		mix_type(m, &type, behind || tag == DW_TAG_pointer_type,
			 depth - 1);
}

static void mix_member(struct mixed *m, Dwarf_Die *die, unsigned int depth)
{
	static const unsigned int names[] = {
		DW_AT_data_member_location, DW_AT_data_bit_offset,
		DW_AT_bit_offset, DW_AT_bit_size,
	};

	mix_text(m, dwarf_diename(die));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		mix_number(m, die, names[i]);
	mix_type(m, die, false, depth);
}

static void mix_members(struct mixed *m, Dwarf_Die *die, unsigned int depth)
{
	Dwarf_Die child;

	mix_number(m, die, DW_AT_byte_size);
	if (dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_member || tag == DW_TAG_inheritance)
			mix_member(m, &child, depth);
	} while (m->left && !dwarf_siblingof(&child, &child));
}

bool debug_is_struct(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type;
}

uint64_t debug_likeness(Dwarf_Die *die)
{
	struct mixed m = { .left = STEPS_MAX };

	mix_members(&m, die, DEPTH_MAX);
	return m.hash;
}

/* ---- all of one name ------------------------------------------------------------------ */

/* struct search - for @name, a union or not; @dbg: the file */
struct search {
	struct debug *dbg;
	const char *name;
	bool is_union;
	struct alike *ret;
};

/* False: it differs from what was found before. */
static bool consider(struct search *s, Dwarf_Die *die)
{
	struct alike *found = s->ret;
	int tag = dwarf_tag(die);
	const char *name;
	uint64_t likeness;

	if (!debug_is_struct(tag) || (tag == DW_TAG_union_type) != s->is_union ||
	    dwarf_hasattr(die, DW_AT_declaration))
		return true;
	name = dwarf_diename(die);
	if (!name || strcmp(name, s->name))
		return true;
	likeness = debug_likeness(die);
	if (found->nr && likeness == found->likeness)
		return true;
	if (!found->nr)
		found->likeness = likeness;
	found->die[found->nr++] = *die;
	return found->nr < ARRAY_SIZE(found->die);
}

static bool search_unit(void *ctx, Dwarf_Die *unit)
{
	Dwarf_Die child;

	if (dwarf_child(unit, &child))
		return true;
	do {
		if (!consider(ctx, &child))
			return false;
	} while (!dwarf_siblingof(&child, &child));
	return true;
}

static bool search_file(struct search *s)
{
	struct index *x = index_of(s->dbg);
	const struct index_type *types;
	Dwarf_Die die;
	size_t nr;

	if (!x || !index_types(x, s->name, &types, &nr))
		return debug_walk_units(s->dbg->dw, search_unit, s);
	for (; nr; types++, nr--)
		if (dwarf_offdie(s->dbg->dw, types->die, &die) &&
		    !consider(s, &die))
			return false;
	return true;
}

/* Whether nothing but its unit is around @die. */
static bool is_outermost(Dwarf_Die *die)
{
	Dwarf_Die *scopes = NULL;
	int nr = dwarf_getscopes_die(die, &scopes);

	if (nr > 0)
		free(scopes);
	return nr == 2;
}

void debug_find_struct(struct debug *dbg, Dwarf_Die *decl, struct alike *ret)
{
	struct search s = {
		.dbg = dbg, .name = dwarf_diename(decl), .ret = ret,
		.is_union = dwarf_tag(decl) == DW_TAG_union_type,
	};

	*ret = (struct alike){};
	if (!s.name || !is_outermost(decl) || !search_file(&s))
		return;
	s.dbg = dbg->base ? dbg->base(dbg->base_ctx) : NULL;
	if (s.dbg)
		search_file(&s);
}
