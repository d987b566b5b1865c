// SPDX-License-Identifier: GPL-2.0
/*
 * DIEs of types to BTF. libbpf adds members to the type that was added last, so
 * those of a structure are converted before it is begun. That ends: by value no
 * structure contains itself, and damaged ones meet a limit of depth.
 */
#include "dwarf/types_in.h"

#include <bpf/btf.h>
#include <dwarf.h>
#include <errno.h>
#include <gelf.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/array.h"
#include "base/buf.h"
#include "dwarf/likeness.h"
#include "types/btf_types.h"
#include "types/walk.h"

#define DEPTH_MAX	64

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
 * @is_undefined: it is a declaration, and nothing defines it
 */
struct cut {
	uint32_t id;
	Dwarf_Die die;
	uint32_t whole;
	bool is_undefined;
};

static uint32_t complete(const struct ctype_source *source, uint32_t id);
static uint32_t define(const struct ctype_source *source, uint32_t id,
		       struct buf *why);

static uint32_t pointer(const struct ctype_source *source, uint32_t id)
{
	struct debug_types *dt = (struct debug_types *)source;
	int ptr = btf__add_ptr(dt->btf, id);

	return ptr > 0 ? ptr : 0;
}

struct debug_types *debug_types_new(struct debug *dbg)
{
	struct debug_types *dt = calloc(1, sizeof(*dt));
	int id;

	if (!dt)
		return NULL;
	dt->dbg = dbg;
	dt->source.complete = complete;
	dt->source.define = define;
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

bool types_udata(Dwarf_Die *die, unsigned int name, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr_integrate(die, name, &attr) ||
	    dwarf_formudata(&attr, &value))
		return false;
	*ret = value;
	return true;
}

Dwarf_Die *types_type(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr))
		return NULL;
	return dwarf_formref_die(&attr, ret);
}

/* Bytes; 0 where that is not known, or absurd. */
uint32_t types_size(Dwarf_Die *die)
{
	Dwarf_Word size;

	if (dwarf_aggregate_size(die, &size) || size > TYPES_SIZE_MAX)
		return 0;
	return size;
}

/* ---- simple types --------------------------------------------------------------- */

/*
 * Of 16 bytes there are two formats, and of both languages and machines have
 * several names: here one each.
 */
static const char *float_name(Dwarf_Die *die, const char *name, uint32_t size)
{
	Elf *elf = dwarf_getelf(dwarf_cu_getdwarf(die->cu));
	const struct arch *arch = NULL;
	GElf_Ehdr head;

	if (size != 16)
		return name;
	if (gelf_getehdr(elf, &head))
		arch = arch_of_elf(head.e_ident, head.e_machine);
	if (arch && arch->has_x87 &&
	    !strstr(name, "128") && !strstr(name, "=16"))
		return TYPED_X87;
	return TYPED_QUAD;
}

int types_more(struct debug_types *dt)
{
	int id = dt->more ? (int)dt->more :
			    btf__add_fwd(dt->btf, "...", BTF_FWD_STRUCT);

	if (id > 0)
		dt->more = id;
	return id;
}

int types_opaque(struct debug_types *dt, Dwarf_Die *die)
{
	int more = types_more(dt), id, err;

	if (more < 0)
		return more;
	id = btf__add_struct(dt->btf, dwarf_diename(die), types_size(die));
	if (id < 0)
		return id;
	/* there is more of it than is known */
	err = btf__add_field(dt->btf, NULL, more, 0, 0);
	return err ? err : id;
}

static int add_base(struct debug_types *dt, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	uint64_t encoding = 0;
	uint32_t size = types_size(die);
	int flags = 0;

	types_udata(die, DW_AT_encoding, &encoding);
	if (!name || !size || size > 16 || size & (size - 1))
		return types_opaque(dt, die);
	switch (encoding) {
	case DW_ATE_float:
		return btf__add_float(dt->btf, float_name(die, name, size),
				      size);
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
		return types_opaque(dt, die);
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
	uint32_t size = types_size(die);
	Dwarf_Die child;
	int id, err = 0;

	if (!size || size > 8 || size & (size - 1))
		return types_opaque(dt, die);
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

/* ---- arrays, pointers, and other names of types ----------------------------------- */

/* Elements in one dimension; 0 where that is not known. */
static uint32_t count_of(Dwarf_Die *range)
{
	uint64_t n;

	if (types_udata(range, DW_AT_count, &n))
		return n <= TYPES_SIZE_MAX ? n : 0;
	if (types_udata(range, DW_AT_upper_bound, &n) && n < TYPES_SIZE_MAX)
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

	if (!types_type(die, &type))
		return types_opaque(dt, die);
	element = types_convert(dt, &type, false, depth);
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

	if (types_type(die, &type))
		target = types_convert(dt, &type, true, depth);
	if (target >= 0 && dwarf_tag(die) != DW_TAG_pointer_type)
		target = btf__add_type_tag(dt->btf, CTYPE_REFERENCE, target);
	return target < 0 ? target : btf__add_ptr(dt->btf, target);
}

static int add_qualifier(struct debug_types *dt, Dwarf_Die *die, bool cut,
			 unsigned int depth)
{
	Dwarf_Die type;
	int id = 0;

	if (types_type(die, &type))
		id = types_convert(dt, &type, cut, depth);
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

	if (types_type(die, &type)) {
		int tag = dwarf_tag(&type);

		if (cut && !dwarf_diename(&type) &&
		    (tag == DW_TAG_structure_type || tag == DW_TAG_union_type))
			id = add_cut(dt, &type, name);
		else
			id = types_convert(dt, &type, cut, depth);
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
		if (cut || dwarf_hasattr(die, DW_AT_declaration))
			return add_cut(dt, die, dwarf_diename(die));
		return types_struct(dt, die, depth);
	case DW_TAG_array_type:
		return cut ? add_cut(dt, die, "array") :
			     add_array(dt, die, depth);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return add_pointer(dt, die, depth);
	case DW_TAG_subroutine_type:
		/* what it returns and takes is not needed to know what it is */
		return btf__add_func_proto(dt->btf, 0);
	case DW_TAG_typedef:
		return add_typedef(dt, die, cut, depth);
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_subrange_type:
		return add_qualifier(dt, die, cut, depth);
	default:
		return types_opaque(dt, die);
	}
}

int types_convert(struct debug_types *dt, Dwarf_Die *die, bool cut,
		  unsigned int depth)
{
	uint32_t id = find_known(dt, die->addr, cut);

	if (id)
		return id;
	if (!depth)
		return types_opaque(dt, die);
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

/* The forward @id stands for @die. */
static uint32_t set_whole(struct debug_types *dt, uint32_t id, Dwarf_Die *die)
{
	int whole = types_convert(dt, die, false, DEPTH_MAX);

	if (whole <= 0)
		return id;
	/* converting may have moved them */
	find_cut(dt, id)->whole = whole;
	return whole;
}

/* What the forward @id stands for; @id where that is not there, either. */
static uint32_t complete(const struct ctype_source *source, uint32_t id)
{
	struct debug_types *dt = (struct debug_types *)source;
	struct cut *cut = find_cut(dt, id);
	Dwarf_Die die;

	if (!cut || cut->whole || dwarf_hasattr(&cut->die, DW_AT_declaration))
		return cut && cut->whole ? cut->whole : id;
	die = cut->die;
	return set_whole(dt, id, &die);
}

/* The path of the file of source that has @die. */
static void put_unit(struct buf *b, Dwarf_Die *die)
{
	const char *name = NULL;
	Dwarf_Die unit;

	if (dwarf_diecu(die, &unit, NULL, NULL))
		name = dwarf_diename(&unit);
	buf_puts(b, name ? name : "?");
}

/*
 * What is only declared in a unit, others define. That takes a walk over all units
 * where there is no index; so it is done when members are wanted, and once.
 */
static uint32_t define(const struct ctype_source *source, uint32_t id,
		       struct buf *why)
{
	struct debug_types *dt = (struct debug_types *)source;
	struct cut *cut = find_cut(dt, id);
	struct alike found;
	Dwarf_Die die;

	if (!cut || cut->whole || !dwarf_hasattr(&cut->die, DW_AT_declaration))
		return complete(source, id);
	if (cut->is_undefined)
		return id;
	die = cut->die;
	debug_find_struct(dt->dbg, &die, &found);
	if (found.nr == 1)
		return set_whole(dt, id, &found.die[0]);
	if (!found.nr) {
		cut->is_undefined = true;
		return id;
	}
	put_unit(why, &found.die[0]);
	buf_puts(why, " and ");
	put_unit(why, &found.die[1]);
	return id;
}

struct ctype debug_type(struct debug_types *dt, Dwarf_Die *die)
{
	int id = die ? types_convert(dt, die, false, DEPTH_MAX) : 0;

	if (id < 0)
		return (struct ctype){};
	return ctype_from(&dt->source, dt->btf, id);
}

struct ctype debug_type_of(struct debug_types *dt, Dwarf_Die *die)
{
	Dwarf_Die type;

	return debug_type(dt, types_type(die, &type));
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
		    types_type(&child, &type))
			id = types_convert(dt, &type, false, DEPTH_MAX);
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
		    types_type(&child, &type))
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

	if (types_type(die, &type))
		id = types_convert(dt, &type, false, DEPTH_MAX);
	err = id < 0 ? id : convert_params(dt, die);
	if (err)
		return err;
	id = btf__add_func_proto(dt->btf, id);
	err = id < 0 ? id : add_params(dt, die);
	return err ? err : put_known(dt, die->addr, false, id);
}

static bool is_variadic(Dwarf_Die *die)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child))
		return false;
	do {
		if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
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
	ret->is_variadic = is_variadic(&whole);
	ret->is_prototyped = dwarf_hasattr_integrate(&whole, DW_AT_prototyped);
	return 0;
}
