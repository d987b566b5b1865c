// SPDX-License-Identifier: GPL-2.0
/*
 * Type tables from elsewhere. The library checks where its sections are, and
 * nothing inside of them: that is done here, so that whoever walks a table need
 * not. Each type is looked at once, in their order.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/utf8.h"
#include "types/table.h"

/* No type is larger; so sums and products of sizes stay small. */
#define SIZE_MAX_OF_TYPE	(1U << 28)
#define POINTER_SIZE		8

/**
 * struct known - a type that was checked
 * @kind: of BTF
 * @is_number: an integer or enumeration, also behind typedefs
 * @size: bytes
 * @height: types inside of it, one in the other
 */
struct known {
	unsigned int kind;
	bool is_number;
	uint32_t size;
	unsigned int height;
};

/**
 * struct check - a table being checked
 * @next: the type that comes next
 * @end: of all types
 * @names: texts, the last one with its end
 * @names_size: bytes of them
 * @types: those that were checked, by number; 0 is nothing
 * @nr: how many there are
 */
struct check {
	const uint8_t *next;
	const uint8_t *end;
	const char *names;
	size_t names_size;
	struct known *types;
	uint32_t nr;
};

/* ---- parts --------------------------------------------------------------------- */

/* "" is no name. */
static bool name_ok(const struct check *c, uint32_t offset, bool must)
{
	size_t length;

	if (offset >= c->names_size)
		return false;
	length = strlen(c->names + offset);
	if (!length)
		return !must;
	return length <= TYPETAB_NAME_MAX &&
	       utf8_is_plain(c->names + offset, length);
}

/* The type @id before this one, which @k has inside of it; NULL: there is none. */
static const struct known *inside(const struct check *c, uint32_t id,
				  struct known *k)
{
	const struct known *t = &c->types[id];

	if (!id || id >= c->nr || t->height + 1 >= TYPETAB_HEIGHT_MAX)
		return NULL;
	if (k->height < t->height + 1)
		k->height = t->height + 1;
	return t;
}

static bool is_power(uint32_t size, uint32_t max)
{
	return size && size <= max && !(size & (size - 1));
}

/* ---- kinds: @more is what follows the head of the type ---------------------------- */

static bool int_ok(const struct check *c, const struct btf_type *t,
		   const uint8_t *more, struct known *k)
{
	uint32_t data;

	memcpy(&data, more, sizeof(data));
	k->is_number = true;
	k->size = t->size;
	return name_ok(c, t->name_off, true) && is_power(t->size, 16) &&
	       BTF_INT_BITS(data) == t->size * 8 && !BTF_INT_OFFSET(data);
}

static bool float_ok(const struct check *c, const struct btf_type *t,
		     const uint8_t *more, struct known *k)
{
	k->size = t->size;
	return name_ok(c, t->name_off, true) && t->size && t->size <= 16;
}

static bool pointer_ok(const struct check *c, const struct btf_type *t,
		       const uint8_t *more, struct known *k)
{
	k->size = POINTER_SIZE;
	return t->type < c->nr;
}

static bool typedef_ok(const struct check *c, const struct btf_type *t,
		       const uint8_t *more, struct known *k)
{
	const struct known *of = inside(c, t->type, k);

	if (!of || !name_ok(c, t->name_off, true))
		return false;
	k->size = of->size;
	k->is_number = of->is_number;
	return true;
}

static bool array_ok(const struct check *c, const struct btf_type *t,
		     const uint8_t *more, struct known *k)
{
	const struct known *of;
	struct btf_array a;
	uint64_t size;

	memcpy(&a, more, sizeof(a));
	of = inside(c, a.type, k);
	if (!of || a.index_type)
		return false;
	size = (uint64_t)of->size * a.nelems;
	k->size = size;
	return size <= SIZE_MAX_OF_TYPE;
}

/* A member lies inside; a bit-field is a number, of no more bits than that has. */
static bool member_ok(const struct check *c, const struct btf_type *t,
		      const struct btf_member *m, struct known *k)
{
	const struct known *of = inside(c, m->type, k);
	uint64_t offset = m->offset, bits;
	unsigned int width = 0;

	if (!of || !name_ok(c, m->name_off, false))
		return false;
	if (BTF_INFO_KFLAG(t->info)) {
		width = BTF_MEMBER_BITFIELD_SIZE(m->offset);
		offset = BTF_MEMBER_BIT_OFFSET(m->offset);
	}
	bits = width ? width : (uint64_t)of->size * 8;
	if (width ? !of->is_number || width > 64 || width > of->size * 8 :
		    offset % 8 != 0)
		return false;
	return offset + bits <= (uint64_t)t->size * 8;
}

static bool struct_ok(const struct check *c, const struct btf_type *t,
		      const uint8_t *more, struct known *k)
{
	unsigned int i, nr = BTF_INFO_VLEN(t->info);
	struct btf_member m;

	k->size = t->size;
	if (t->size > SIZE_MAX_OF_TYPE || !name_ok(c, t->name_off, false))
		return false;
	for (i = 0; i < nr; i++) {
		memcpy(&m, more + i * sizeof(m), sizeof(m));
		if (!member_ok(c, t, &m, k))
			return false;
	}
	return true;
}

/* Enumerators of both kinds begin with their names. */
static bool enum_ok(const struct check *c, const struct btf_type *t,
		    const uint8_t *more, struct known *k)
{
	bool is_wide = BTF_INFO_KIND(t->info) == BTF_KIND_ENUM64;
	size_t each = is_wide ? sizeof(struct btf_enum64) :
				sizeof(struct btf_enum);
	unsigned int i, nr = BTF_INFO_VLEN(t->info);
	uint32_t name;

	k->is_number = true;
	k->size = t->size;
	if (!is_power(t->size, 8) || !name_ok(c, t->name_off, false))
		return false;
	for (i = 0; i < nr; i++) {
		memcpy(&name, more + i * each, sizeof(name));
		if (!name_ok(c, name, true))
			return false;
	}
	return true;
}

static bool forward_ok(const struct check *c, const struct btf_type *t,
		       const uint8_t *more, struct known *k)
{
	return !t->type && name_ok(c, t->name_off, true);
}

static bool function_ok(const struct check *c, const struct btf_type *t,
			const uint8_t *more, struct known *k)
{
	return !t->type;
}

/**
 * struct kind_row - how types of one kind are written
 * @fn: what is checked
 * @more: bytes behind the head
 * @each: bytes behind it for each of vlen; 0: vlen is 0
 */
static const struct kind_row {
	bool (*fn)(const struct check *c, const struct btf_type *t,
		   const uint8_t *more, struct known *k);
	size_t more;
	size_t each;
} rows[NR_BTF_KINDS] = {
	[BTF_KIND_INT] = { int_ok, sizeof(uint32_t), 0 },
	[BTF_KIND_PTR] = { pointer_ok, 0, 0 },
	[BTF_KIND_ARRAY] = { array_ok, sizeof(struct btf_array), 0 },
	[BTF_KIND_STRUCT] = { struct_ok, 0, sizeof(struct btf_member) },
	[BTF_KIND_UNION] = { struct_ok, 0, sizeof(struct btf_member) },
	[BTF_KIND_ENUM] = { enum_ok, 0, sizeof(struct btf_enum) },
	[BTF_KIND_ENUM64] = { enum_ok, 0, sizeof(struct btf_enum64) },
	[BTF_KIND_FWD] = { forward_ok, 0, 0 },
	[BTF_KIND_TYPEDEF] = { typedef_ok, 0, 0 },
	[BTF_KIND_FLOAT] = { float_ok, 0, 0 },
	[BTF_KIND_FUNC_PROTO] = { function_ok, 0, 0 },
};

/* ---- all of it ----------------------------------------------------------------- */

static bool next_ok(struct check *c)
{
	struct known *k = &c->types[c->nr];
	size_t left = c->end - c->next, more;
	const struct kind_row *row;
	struct btf_type t;

	if (left < sizeof(t))
		return false;
	memcpy(&t, c->next, sizeof(t));
	k->kind = BTF_INFO_KIND(t.info);
	row = &rows[k->kind < ARRAY_SIZE(rows) ? k->kind : BTF_KIND_UNKN];
	more = row->more + row->each * BTF_INFO_VLEN(t.info);
	if (!row->fn || more > left - sizeof(t) ||
	    (!row->each && BTF_INFO_VLEN(t.info)))
		return false;
	if (!row->fn(c, &t, c->next + sizeof(t), k))
		return false;
	c->next += sizeof(t) + more;
	c->nr++;
	return true;
}

/* The sections fill the rest, and the last name has an end. */
static bool head_ok(const struct btf_header *h, size_t size, const char *data)
{
	return h->magic == BTF_MAGIC && h->version == BTF_VERSION &&
	       !h->flags && h->hdr_len == sizeof(*h) && !h->type_off &&
	       h->type_len % 4 == 0 && h->str_off == h->type_len &&
	       (uint64_t)h->type_len + h->str_len == size - sizeof(*h) &&
	       h->str_len && !data[size - 1] && !data[sizeof(*h) + h->str_off];
}

const char *typetab_read(const void *data, size_t size, const char *no_memory,
			 struct btf **ret)
{
	_cleanup_free_ struct known *types = NULL;
	static const char damaged[] = "its types are damaged";
	struct btf_header h;
	struct check c;

	if (size < sizeof(h) || size > UINT32_MAX)
		return damaged;
	memcpy(&h, data, sizeof(h));
	if (!head_ok(&h, size, data))
		return damaged;
	types = calloc(h.type_len / sizeof(struct btf_type) + 1, sizeof(*types));
	if (!types)
		return no_memory;
	c = (struct check){
		.next = (const uint8_t *)data + sizeof(h),
		.names = (const char *)data + sizeof(h) + h.str_off,
		.names_size = h.str_len, .types = types, .nr = 1,
	};
	c.end = c.next + h.type_len;
	while (c.next < c.end)
		if (!next_ok(&c))
			return damaged;
	*ret = btf__new(data, size);
	if (!*ret)
		return errno == ENOMEM ? no_memory : damaged;
	return NULL;
}
