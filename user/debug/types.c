// SPDX-License-Identifier: GPL-2.0
/*
 * DIEs of types to BTF. libbpf adds members to the type that was added last, so
 * those of a structure are converted before it is begun. That ends: by value no
 * structure contains itself, and damaged ones meet a limit of depth.
 */
#include "debug/types.h"

#include <bpf/btf.h>
#include <dwarf.h>
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resolve/btf_types.h"
#include "util/array.h"

#define DEPTH_MAX	64
#define OPAQUE_MAX	INT32_MAX

/**
 * struct known - a DIE that was converted
 * @key: where it is in memory: of one file, or of its supplement
 * @cut: as a forward
 * @id: what it became
 */
struct known {
	const void *key;
	bool cut;
	uint32_t id;
};

/**
 * struct cut - a forward that stands for something that can be converted
 * @id: the forward
 * @die: what it stands for
 * @whole: what that became; 0: nothing yet
 */
struct cut {
	uint32_t id;
	Dwarf_Die die;
	uint32_t whole;
};

/**
 * struct debug_types - types of one file
 * @source: how those who have one of them find us
 * @btf: them
 * @known: a tree of struct known
 * @cuts: forwards, by falling age
 * @nr_cuts: how many
 * @index_type: of arrays
 */
struct debug_types {
	struct ctype_source source;
	struct btf *btf;
	void *known;
	struct cut *cuts;
	size_t nr_cuts;
	uint32_t index_type;
};

/* What a type becomes; negative: an error of libbpf or -ENOMEM. */
static int convert(struct debug_types *dt, Dwarf_Die *die, bool cut,
		   unsigned int depth);

static uint32_t complete(const struct ctype_source *source, uint32_t id);

static uint32_t pointer(const struct ctype_source *source, uint32_t id)
{
	struct debug_types *dt = (struct debug_types *)source;
	int ptr = btf__add_ptr(dt->btf, id);

	return ptr > 0 ? ptr : 0;
}

struct debug_types *debug_types_new(void)
{
	struct debug_types *dt = calloc(1, sizeof(*dt));
	int id;

	if (!dt)
		return NULL;
	dt->source.complete = complete;
	dt->source.pointer = pointer;
	dt->btf = btf__new_empty();
	id = dt->btf ? btf__add_int(dt->btf, "unsigned long", 8, 0) : -ENOMEM;
	if (id > 0) {
		dt->index_type = id;
		return dt;
	}
	debug_types_free(dt);
	return NULL;
}

void debug_types_free(struct debug_types *dt)
{
	if (!dt)
		return;
	tdestroy(dt->known, free);
	btf__free(dt->btf);
	free(dt->cuts);
	free(dt);
}

/* ---- what is known -------------------------------------------------------------- */

static int compare_known(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->cut - y->cut;
}

static uint32_t find_known(const struct debug_types *dt, const void *key,
			   bool cut)
{
	struct known like = { .key = key, .cut = cut };
	struct known *const *found;

	found = tfind(&like, &dt->known, compare_known);
	return found ? (*found)->id : 0;
}

/* In damaged information a type may contain itself: then it is known by now. */
static int put_known(struct debug_types *dt, const void *key, bool cut, int id)
{
	struct known *k, *const *found;

	if (id <= 0)
		return id;
	k = malloc(sizeof(*k));
	if (!k)
		return -ENOMEM;
	*k = (struct known){ key, cut, id };
	found = tsearch(k, &dt->known, compare_known);
	if (!found || *found != k)
		free(k);
	return found ? id : -ENOMEM;
}

/* ---- attributes ----------------------------------------------------------------- */

static bool get_udata(Dwarf_Die *die, unsigned int name, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr_integrate(die, name, &attr) ||
	    dwarf_formudata(&attr, &value))
		return false;
	*ret = value;
	return true;
}

static Dwarf_Die *get_type(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr))
		return NULL;
	return dwarf_formref_die(&attr, ret);
}

/* Bytes; 0 where that is not known, or absurd. */
static uint32_t size_of(Dwarf_Die *die)
{
	Dwarf_Word size;

	if (dwarf_aggregate_size(die, &size) || size > OPAQUE_MAX)
		return 0;
	return size;
}

/* ---- simple types --------------------------------------------------------------- */

/* Only its name and its size are known. */
static int add_opaque(struct debug_types *dt, Dwarf_Die *die)
{
	return btf__add_struct(dt->btf, dwarf_diename(die), size_of(die));
}

static int add_base(struct debug_types *dt, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	uint64_t encoding = 0;
	uint32_t size = size_of(die);
	int flags = 0;

	get_udata(die, DW_AT_encoding, &encoding);
	if (!name || !size || size > 16 || size & (size - 1))
		return add_opaque(dt, die);
	switch (encoding) {
	case DW_ATE_float:
		return btf__add_float(dt->btf, name, size);
	case DW_ATE_boolean:
		flags = BTF_INT_BOOL;
		break;
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		flags = BTF_INT_SIGNED;
		break;
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
	case DW_ATE_ASCII:
	case DW_ATE_address:
		break;
	default:
		return add_opaque(dt, die);
	}
	return btf__add_int(dt->btf, name, size, flags);
}

static int add_enumerator(struct debug_types *dt, Dwarf_Die *die, bool wide)
{
	Dwarf_Attribute attr;
	Dwarf_Sword value;

	if (!dwarf_attr(die, DW_AT_const_value, &attr) ||
	    dwarf_formsdata(&attr, &value))
		return 0;
	if (wide)
		return btf__add_enum64_value(dt->btf, dwarf_diename(die), value);
	return btf__add_enum_value(dt->btf, dwarf_diename(die), value);
}

static int add_enum(struct debug_types *dt, Dwarf_Die *die)
{
	uint32_t size = size_of(die);
	Dwarf_Die child;
	int id, err = 0;

	if (!size || size > 8 || size & (size - 1))
		return add_opaque(dt, die);
	if (size > 4)
		id = btf__add_enum64(dt->btf, dwarf_diename(die), size, true);
	else
		id = btf__add_enum(dt->btf, dwarf_diename(die), size);
	if (id < 0 || dwarf_child(die, &child))
		return id;
	do {
		if (dwarf_tag(&child) == DW_TAG_enumerator)
			err = add_enumerator(dt, &child, size > 4);
	} while (!err && !dwarf_siblingof(&child, &child));
	return err ? err : id;
}

/* ---- structures ----------------------------------------------------------------- */

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

/* struct members - @more: something that BTF has no words for */
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
	if (get_udata(die, DW_AT_data_member_location, ret))
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

	if (!get_udata(die, DW_AT_bit_offset, &from_top))
		return;
	if (!get_udata(die, DW_AT_byte_size, &size))
		size = size_of(type);
	m->offset += size * 8 - from_top - m->width;
}

static bool set_place(Dwarf_Die *die, Dwarf_Die *type, struct member *m)
{
	uint64_t bytes;

	if (get_udata(die, DW_AT_bit_size, &m->width) &&
	    get_udata(die, DW_AT_data_bit_offset, &m->offset))
		return true;
	if (!get_offset(die, &bytes) || bytes > OPAQUE_MAX)
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
	return tag == DW_TAG_member ||
	       (tag == DW_TAG_inheritance &&
		!dwarf_hasattr(die, DW_AT_virtuality));
}

static int put_member(struct debug_types *dt, Dwarf_Die *die,
		      struct members *ms, unsigned int depth)
{
	struct member m = {}, *more;
	Dwarf_Die type;
	int id;

	if (!get_type(die, &type) || !set_place(die, &type, &m)) {
		ms->more = true;
		return 0;
	}
	id = convert(dt, &type, false, depth);
	if (id < 0)
		return id;
	/* the base of a class is found through as what has no name */
	if (dwarf_tag(die) == DW_TAG_member)
		m.name = dwarf_diename(die);
	m.type = id;
	more = array_grow(ms->member, ms->nr, sizeof(*more));
	if (!more)
		return -ENOMEM;
	ms->member = more;
	ms->member[ms->nr++] = m;
	return 0;
}

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
			ms->more = true;
	} while (!err && !dwarf_siblingof(&child, &child));
	return err;
}

static int add_members(struct debug_types *dt, Dwarf_Die *die,
		       const struct members *ms)
{
	bool is_union = dwarf_tag(die) == DW_TAG_union_type;
	const char *name = dwarf_diename(die);
	int id, err = 0;
	size_t i;

	if (ms->more)
		return add_opaque(dt, die);
	id = is_union ? btf__add_union(dt->btf, name, size_of(die)) :
			btf__add_struct(dt->btf, name, size_of(die));
	for (i = 0; id > 0 && !err && i < ms->nr; i++) {
		const struct member *m = &ms->member[i];

		err = btf__add_field(dt->btf, m->name, m->type, m->offset,
				     m->width);
	}
	return err ? err : id;
}

/* A forward by name; what it stands for may be asked for later. */
static int add_cut(struct debug_types *dt, Dwarf_Die *die, const char *name)
{
	enum btf_fwd_kind kind = dwarf_tag(die) == DW_TAG_union_type ?
				 BTF_FWD_UNION : BTF_FWD_STRUCT;
	struct cut *more;
	int id;

	more = array_grow(dt->cuts, dt->nr_cuts, sizeof(*more));
	if (!more)
		return -ENOMEM;
	dt->cuts = more;
	id = btf__add_fwd(dt->btf, name && *name ? name : "{ }", kind);
	if (id > 0)
		dt->cuts[dt->nr_cuts++] = (struct cut){ .id = id, .die = *die };
	return id;
}

static int add_struct(struct debug_types *dt, Dwarf_Die *die,
		      unsigned int depth)
{
	struct members ms = {};
	int id;

	if (dwarf_hasattr(die, DW_AT_declaration))
		return add_cut(dt, die, dwarf_diename(die));
	id = collect(dt, die, &ms, depth);
	if (!id)
		id = add_members(dt, die, &ms);
	free(ms.member);
	return id;
}

/* ---- arrays, pointers, and other names of types ----------------------------------- */

/* Elements in one dimension; 0 where that is not known. */
static uint32_t count_of(Dwarf_Die *range)
{
	uint64_t n;

	if (get_udata(range, DW_AT_count, &n))
		return n <= OPAQUE_MAX ? n : 0;
	if (get_udata(range, DW_AT_upper_bound, &n) && n < OPAQUE_MAX)
		return n + 1;
	return 0;
}

/* The dimensions from @range on: the last one is the innermost array. */
static int add_dimensions(struct debug_types *dt, Dwarf_Die *range, int element)
{
	Dwarf_Die next;
	uint32_t count = count_of(range);

	if (!dwarf_siblingof(range, &next))
		element = add_dimensions(dt, &next, element);
	if (element < 0 || dwarf_tag(range) != DW_TAG_subrange_type)
		return element;
	return btf__add_array(dt->btf, dt->index_type, element, count);
}

static int add_array(struct debug_types *dt, Dwarf_Die *die,
		     unsigned int depth)
{
	Dwarf_Die type, range;
	int element;

	if (!get_type(die, &type))
		return add_opaque(dt, die);
	element = convert(dt, &type, false, depth);
	if (element < 0)
		return element;
	if (dwarf_child(die, &range))
		return btf__add_array(dt->btf, dt->index_type, element, 0);
	return add_dimensions(dt, &range, element);
}

static int add_pointer(struct debug_types *dt, Dwarf_Die *die,
		       unsigned int depth)
{
	Dwarf_Die type;
	int target = 0;

	if (get_type(die, &type))
		target = convert(dt, &type, true, depth);
	return target < 0 ? target : btf__add_ptr(dt->btf, target);
}

/* What functions return and take is not needed to know that they are some. */
static int add_function(struct debug_types *dt)
{
	return btf__add_func_proto(dt->btf, 0);
}

static int add_qualifier(struct debug_types *dt, Dwarf_Die *die, bool cut,
			 unsigned int depth)
{
	Dwarf_Die type;
	int id = 0;

	if (get_type(die, &type))
		id = convert(dt, &type, cut, depth);
	if (id < 0)
		return id;
	if (dwarf_tag(die) == DW_TAG_volatile_type)
		return btf__add_volatile(dt->btf, id);
	if (dwarf_tag(die) == DW_TAG_const_type)
		return btf__add_const(dt->btf, id);
	/* the others say nothing that is of use here */
	return id;
}

/* Behind a pointer, a structure that only the typedef names has its name. */
static int add_typedef(struct debug_types *dt, Dwarf_Die *die, bool cut,
		       unsigned int depth)
{
	const char *name = dwarf_diename(die);
	Dwarf_Die type;
	int id = 0;

	if (get_type(die, &type)) {
		int tag = dwarf_tag(&type);

		if (cut && !dwarf_diename(&type) &&
		    (tag == DW_TAG_structure_type || tag == DW_TAG_union_type))
			id = add_cut(dt, &type, name);
		else
			id = convert(dt, &type, cut, depth);
	}
	if (id < 0 || !name)
		return id;
	return btf__add_typedef(dt->btf, name, id);
}

/* ---- all of them -------------------------------------------------------------------- */

static int add(struct debug_types *dt, Dwarf_Die *die, bool cut,
	       unsigned int depth)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		return add_base(dt, die);
	case DW_TAG_enumeration_type:
		return add_enum(dt, die);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return cut ? add_cut(dt, die, dwarf_diename(die)) :
			     add_struct(dt, die, depth);
	case DW_TAG_array_type:
		return cut ? add_cut(dt, die, "array") :
			     add_array(dt, die, depth);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return add_pointer(dt, die, depth);
	case DW_TAG_subroutine_type:
		return add_function(dt);
	case DW_TAG_typedef:
		return add_typedef(dt, die, cut, depth);
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_subrange_type:
		return add_qualifier(dt, die, cut, depth);
	default:
		return add_opaque(dt, die);
	}
}

static int convert(struct debug_types *dt, Dwarf_Die *die, bool cut,
		   unsigned int depth)
{
	uint32_t id = find_known(dt, die->addr, cut);

	if (id)
		return id;
	if (!depth)
		return btf__add_struct(dt->btf, NULL, 0);
	return put_known(dt, die->addr, cut, add(dt, die, cut, depth - 1));
}

static struct cut *find_cut(struct debug_types *dt, uint32_t id)
{
	size_t i;

	for (i = 0; i < dt->nr_cuts; i++)
		if (dt->cuts[i].id == id)
			return &dt->cuts[i];
	return NULL;
}

/* What the forward @id stands for; @id where that is not there, either. */
static uint32_t complete(const struct ctype_source *source, uint32_t id)
{
	struct debug_types *dt = (struct debug_types *)source;
	struct cut *cut = find_cut(dt, id);
	Dwarf_Die die;
	int whole;

	if (!cut || cut->whole || dwarf_hasattr(&cut->die, DW_AT_declaration))
		return cut && cut->whole ? cut->whole : id;
	die = cut->die;
	whole = convert(dt, &die, false, DEPTH_MAX);
	if (whole <= 0)
		return id;
	/* converting may have moved them */
	find_cut(dt, id)->whole = whole;
	return whole;
}

struct ctype debug_type(struct debug_types *dt, Dwarf_Die *die)
{
	int id = die ? convert(dt, die, false, DEPTH_MAX) : 0;

	if (id < 0)
		return (struct ctype){};
	return ctype_from(&dt->source, dt->btf, id);
}

struct ctype debug_type_of(struct debug_types *dt, Dwarf_Die *die)
{
	Dwarf_Die type;

	return debug_type(dt, get_type(die, &type));
}

/* ---- functions --------------------------------------------------------------------- */

/* What was inlined, or is one of several copies, is described once elsewhere. */
static void find_whole(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	*ret = *die;
	if (dwarf_attr(die, DW_AT_abstract_origin, &attr) &&
	    dwarf_formref_die(&attr, &origin))
		*ret = origin;
}

/* The types of @die's parameters, before the prototype that has them is begun. */
static int convert_params(struct debug_types *dt, Dwarf_Die *die)
{
	Dwarf_Die child, type;
	int id = 0;

	if (dwarf_child(die, &child))
		return 0;
	do {
		if (dwarf_tag(&child) == DW_TAG_formal_parameter &&
		    get_type(&child, &type))
			id = convert(dt, &type, false, DEPTH_MAX);
	} while (id >= 0 && !dwarf_siblingof(&child, &child));
	return id < 0 ? id : 0;
}

static int add_params(struct debug_types *dt, Dwarf_Die *die)
{
	Dwarf_Die child, type;
	int err = 0;

	if (dwarf_child(die, &child))
		return 0;
	do {
		if (dwarf_tag(&child) == DW_TAG_formal_parameter &&
		    get_type(&child, &type))
			err = btf__add_func_param(dt->btf,
						  dwarf_diename(&child),
						  find_known(dt, type.addr,
							     false));
	} while (!err && !dwarf_siblingof(&child, &child));
	return err;
}

static int add_proto(struct debug_types *dt, Dwarf_Die *die)
{
	Dwarf_Die type;
	int id = 0, err;

	if (get_type(die, &type))
		id = convert(dt, &type, false, DEPTH_MAX);
	err = id < 0 ? id : convert_params(dt, die);
	if (err)
		return err;
	id = btf__add_func_proto(dt->btf, id);
	err = id < 0 ? id : add_params(dt, die);
	return err ? err : put_known(dt, die->addr, false, id);
}

int debug_proto(struct debug_types *dt, Dwarf_Die *die, struct kbtf_func *ret)
{
	const struct btf_type *proto;
	Dwarf_Die whole;
	int id;

	find_whole(die, &whole);
	id = find_known(dt, whole.addr, false);
	if (!id)
		id = add_proto(dt, &whole);
	if (id < 0)
		return -ENOMEM;
	proto = btf__type_by_id(dt->btf, id);
	*ret = (struct kbtf_func){
		.name = dwarf_diename(die),
		.returns = ctype_from(&dt->source, dt->btf, proto->type),
		.proto = { .source = &dt->source, .btf = dt->btf, .id = id,
			   .kind = CTYPE_FUNC },
	};
	ret->nr_params = btf_vlen(btf__type_by_id(dt->btf, id));
	return 0;
}
