// SPDX-License-Identifier: GPL-2.0
/*
 * DIEs of structures to BTF. What BTF has no words for is not left out in silence:
 * a member of the type types_more() stands for it. A variant part, which is how
 * Rust has one of several values, becomes two nameless members: an enumeration,
 * whose enumerators are called as the variants are, and behind it a union of the
 * variants, of which the walk over values shows one.
 */
#include <bpf/btf.h>
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "dwarf/types_in.h"

/**
 * struct member - one that is to be added
 * @name: or NULL
 * @type: of it
 * @offset: bits
 * @width: of a bit-field; 0: it is none
 */
struct member {
	const char *name;
	uint32_t type;
	uint64_t offset;
	uint64_t width;
};

/* struct members - @more: there is something that BTF has no words for */
struct members {
	struct member *member;
	size_t nr;
	bool more;
};

/* Of old, the offset was an expression. */
static bool get_offset(Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	*ret = 0;
	if (!dwarf_attr_integrate(die, DW_AT_data_member_location, &attr))
		return true;
	if (types_udata(die, DW_AT_data_member_location, ret))
		return true;
	if (dwarf_getlocation(&attr, &ops, &nr) || nr != 1 ||
	    ops->atom != DW_OP_plus_uconst)
		return false;
	*ret = ops->number;
	return true;
}

/* DWARF 2 and 3 count the bits of a bit-field from the other end. */
static void set_old_bits(Dwarf_Die *die, Dwarf_Die *type, struct member *m)
{
	uint64_t from_top, size;

	if (!types_udata(die, DW_AT_bit_offset, &from_top))
		return;
	if (!types_udata(die, DW_AT_byte_size, &size))
		size = types_size(type);
	m->offset += size * 8 - from_top - m->width;
}

static bool set_place(Dwarf_Die *die, Dwarf_Die *type, struct member *m)
{
	uint64_t bytes;

	if (types_udata(die, DW_AT_bit_size, &m->width) &&
	    types_udata(die, DW_AT_data_bit_offset, &m->offset))
		return true;
	if (!get_offset(die, &bytes) || bytes > TYPES_SIZE_MAX)
		return false;
	m->offset = bytes * 8;
	if (m->width)
		set_old_bits(die, type, m);
	return true;
}

static bool is_member(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	/* what has no place in an object is static */
	if (dwarf_hasattr(die, DW_AT_external) ||
	    dwarf_hasattr(die, DW_AT_declaration))
		return false;
	return tag == DW_TAG_member || tag == DW_TAG_inheritance;
}

static int put(struct members *ms, const struct member *m)
{
	struct member *more = array_grow(ms->member, ms->nr, sizeof(*more));

	if (!more)
		return -ENOMEM;
	ms->member = more;
	ms->member[ms->nr++] = *m;
	return 0;
}

/* Where a virtual base is, each object says. */
static bool is_found(Dwarf_Die *die, Dwarf_Die *type, struct member *m)
{
	return !dwarf_hasattr(die, DW_AT_virtuality) &&
	       types_type(die, type) && set_place(die, type, m);
}

static int put_member(struct debug_types *dt, Dwarf_Die *die,
		      struct members *ms, unsigned int depth)
{
	struct member m = {};
	Dwarf_Die type;
	int id;

	if (!is_found(die, &type, &m)) {
		ms->more = true;
		return 0;
	}
	id = types_convert(dt, &type, false, depth);
	if (id < 0)
		return id;
	/* the base of a class is found through as what has no name */
	if (dwarf_tag(die) == DW_TAG_member)
		m.name = dwarf_diename(die);
	m.type = id;
	return put(ms, &m);
}

/* @id is the structure, or an error; all members are in the type that was begun last. */
static int put_fields(struct debug_types *dt, const struct members *ms, int id)
{
	int err = 0;

	for (size_t i = 0; id > 0 && !err && i < ms->nr; i++) {
		const struct member *m = &ms->member[i];

		err = btf__add_field(dt->btf, m->name, m->type, m->offset,
				     m->width);
	}
	return err ? err : id;
}

/* ---- variants --------------------------------------------------------------------- */

/**
 * struct variants - what a variant part becomes
 * @choice: which of them it is: where that is, and its size
 * @size: bytes of it
 * @values: enumerators: their names and, as offsets, their values
 * @parts: the variants
 */
struct variants {
	struct member choice;
	uint32_t size;
	struct members values;
	struct members parts;
};

/* A variant has one member, and at most one value. */
static int put_variant(struct debug_types *dt, Dwarf_Die *die,
		       struct variants *vs, unsigned int depth)
{
	struct member value = {};
	bool has_value = types_udata(die, DW_AT_discr_value, &value.offset);
	size_t nr = vs->parts.nr;
	Dwarf_Die child;
	int err = 0;

	if (dwarf_hasattr(die, DW_AT_discr_list) || dwarf_child(die, &child)) {
		vs->parts.more = true;
		return 0;
	}
	do {
		if (dwarf_tag(&child) == DW_TAG_member)
			err = put_member(dt, &child, &vs->parts, depth);
	} while (!err && !dwarf_siblingof(&child, &child));
	if (err || vs->parts.more)
		return err;
	if (vs->parts.nr != nr + 1 || !vs->parts.member[nr].name) {
		vs->parts.more = true;
		return 0;
	}
	value.name = vs->parts.member[nr].name;
	return has_value ? put(&vs->values, &value) : 0;
}

/* Where the number is that says which variant it is. */
static bool find_choice(Dwarf_Die *part, struct variants *vs)
{
	Dwarf_Attribute attr;
	Dwarf_Die die, type;

	if (!dwarf_attr(part, DW_AT_discr, &attr) ||
	    !dwarf_formref_die(&attr, &die) ||
	    !is_found(&die, &type, &vs->choice))
		return false;
	vs->size = types_size(&type);
	return vs->size && vs->size <= 8 && !(vs->size & (vs->size - 1)) &&
	       !vs->choice.width;
}

static int add_choice(struct debug_types *dt, const struct variants *vs)
{
	unsigned int bits = vs->size * 8;
	bool wide = vs->size > 4;
	int id, err = 0;

	id = wide ? btf__add_enum64(dt->btf, NULL, vs->size, false) :
		    btf__add_enum(dt->btf, NULL, vs->size);
	for (size_t i = 0; id > 0 && !err && i < vs->values.nr; i++) {
		const struct member *m = &vs->values.member[i];
		uint64_t value = m->offset << (64 - bits) >> (64 - bits);

		err = wide ? btf__add_enum64_value(dt->btf, m->name, value) :
			     btf__add_enum_value(dt->btf, m->name, value);
	}
	return err ? err : id;
}

/* The two members of @ms that stand for the variants of a type of @size bytes. */
static int put_choice(struct debug_types *dt, struct variants *vs,
		      uint32_t size, struct members *ms)
{
	struct member parts = {};
	int id, err;

	id = add_choice(dt, vs);
	if (id < 0)
		return id;
	vs->choice.type = id;
	id = put_fields(dt, &vs->parts, btf__add_union(dt->btf, NULL, size));
	if (id < 0)
		return id;
	parts.type = id;
	err = put(ms, &vs->choice);
	return err ? err : put(ms, &parts);
}

static int put_variants(struct debug_types *dt, Dwarf_Die *part, uint32_t size,
			struct members *ms, unsigned int depth)
{
	bool is_one = !dwarf_hasattr(part, DW_AT_discr);
	struct variants vs = {};
	Dwarf_Die child;
	int err = 0;

	if ((!is_one && !find_choice(part, &vs)) || dwarf_child(part, &child)) {
		ms->more = true;
		return 0;
	}
	do {
		if (dwarf_tag(&child) == DW_TAG_variant)
			err = put_variant(dt, &child, &vs, depth);
	} while (!err && !dwarf_siblingof(&child, &child));
	if (!err && (vs.parts.more || (is_one && vs.parts.nr > 1)))
		ms->more = true;
	else if (!err && is_one)
		err = vs.parts.nr ? put(ms, vs.parts.member) : 0;
	else if (!err)
		err = put_choice(dt, &vs, size, ms);
	free(vs.values.member);
	free(vs.parts.member);
	return err;
}

/* ---- all of it -------------------------------------------------------------------- */

static int collect(struct debug_types *dt, Dwarf_Die *die, struct members *ms,
		   unsigned int depth)
{
	Dwarf_Die child;
	int err = 0;

	if (dwarf_child(die, &child))
		return 0;
	do {
		if (is_member(&child))
			err = put_member(dt, &child, ms, depth);
		else if (dwarf_tag(&child) == DW_TAG_variant_part)
			err = put_variants(dt, &child, types_size(die), ms,
					   depth);
	} while (!err && !dwarf_siblingof(&child, &child));
	return err;
}

static int add_members(struct debug_types *dt, Dwarf_Die *die,
		       struct members *ms)
{
	bool is_union = dwarf_tag(die) == DW_TAG_union_type;
	const char *name = dwarf_diename(die);
	struct member more = {};
	int id = 0, err = 0;

	if (ms->more) {
		id = types_more(dt);
		more.type = id;
		err = id < 0 ? id : put(ms, &more);
	}
	if (err)
		return err;
	id = is_union ? btf__add_union(dt->btf, name, types_size(die)) :
			btf__add_struct(dt->btf, name, types_size(die));
	return put_fields(dt, ms, id);
}

int types_struct(struct debug_types *dt, Dwarf_Die *die, unsigned int depth)
{
	struct members ms = {};
	int id = collect(dt, die, &ms, depth);

	if (!id)
		id = add_members(dt, die, &ms);
	free(ms.member);
	return id;
}
