// SPDX-License-Identifier: GPL-2.0
/*
 * Copying types into a table. What the library does not take, and what is
 * nested too deep, becomes a type that is not known: it is shown as left out.
 */
#include "types/table.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"
#include "types/btf_types.h"

/**
 * struct typetab_copy - what became of one type of the source
 * @copy: its number in the table; 0: it was not copied yet
 * @behind: that of what a pointer to it points at
 * @height: types inside of it, one in the other
 */
struct typetab_copy {
	uint32_t copy;
	uint32_t behind;
	unsigned int height;
};

void typetab_deinit(struct typetab *t)
{
	free(t->copies);
	t->copies = NULL;
}

static int copy(struct typetab *t, uint32_t id, unsigned int depth);

/* What the library refuses is not known; there is no other error than that. */
static int made(int id)
{
	if (id == -ENOMEM)
		return id;
	return id > 0 ? id : 0;
}

/* A name that can be shown, or NULL. */
static const char *name_at(const struct typetab *t, uint32_t offset)
{
	const char *name = ctype_name_at(t->source, offset);
	size_t length = strlen(name);

	return length && length <= TYPETAB_NAME_MAX &&
	       utf8_is_plain(name, length) ? name : NULL;
}

static const char *name_of(const struct typetab *t, const struct btf_type *type)
{
	return name_at(t, type->name_off);
}

static int copy_int(struct typetab *t, uint32_t id, unsigned int depth)
{
	const struct btf_type *type = btf__type_by_id(t->source, id);

	return btf__add_int(t->btf, name_of(t, type), type->size,
			    btf_int_encoding(type));
}

static int copy_float(struct typetab *t, uint32_t id, unsigned int depth)
{
	const struct btf_type *type = btf__type_by_id(t->source, id);

	return btf__add_float(t->btf, name_of(t, type), type->size);
}

static int copy_forward(struct typetab *t, uint32_t id, unsigned int depth)
{
	const struct btf_type *type = btf__type_by_id(t->source, id);
	bool is_union = btf_is_union(type) ||
			(btf_is_fwd(type) && btf_kflag(type));

	return btf__add_fwd(t->btf, name_of(t, type),
			    is_union ? BTF_FWD_UNION : BTF_FWD_STRUCT);
}

static int copy_function(struct typetab *t, uint32_t id, unsigned int depth)
{
	return btf__add_func_proto(t->btf, 0);
}

/* ---- what is behind a pointer -------------------------------------------------- */

typedef int (*copy_fn)(struct typetab *t, uint32_t id, unsigned int depth);

static const copy_fn behind_rows[NR_BTF_KINDS] = {
	[BTF_KIND_INT] = copy_int,
	[BTF_KIND_FLOAT] = copy_float,
	[BTF_KIND_STRUCT] = copy_forward,
	[BTF_KIND_UNION] = copy_forward,
	[BTF_KIND_FWD] = copy_forward,
	[BTF_KIND_FUNC_PROTO] = copy_function,
};

static int copy_behind(struct typetab *t, uint32_t id)
{
	const struct btf_type *type = ctype_strip(t->source, &id);
	copy_fn fn;
	int ret;

	if (!type || btf_kind(type) >= ARRAY_SIZE(behind_rows))
		return 0;
	fn = behind_rows[btf_kind(type)];
	if (!fn || t->copies[id].behind)
		return t->copies[id].behind;
	ret = made(fn(t, id, 0));
	if (ret > 0)
		t->copies[id].behind = ret;
	return ret;
}

static int copy_pointer(struct typetab *t, uint32_t id, unsigned int depth)
{
	int to = copy_behind(t, btf__type_by_id(t->source, id)->type);

	return to < 0 ? to : btf__add_ptr(t->btf, to);
}

/* ---- types of types ------------------------------------------------------------ */

/* The copy of @inner, which is inside of @outer. */
static int copy_inner(struct typetab *t, uint32_t outer, uint32_t inner,
		      unsigned int depth)
{
	unsigned int height;
	int ret;

	ret = copy(t, inner, depth + 1);
	if (ret <= 0)
		return ret;
	height = t->copies[inner].height + 1;
	if (height >= TYPETAB_HEIGHT_MAX)
		return 0;
	if (t->copies[outer].height < height)
		t->copies[outer].height = height;
	return ret;
}

static int copy_array(struct typetab *t, uint32_t id, unsigned int depth)
{
	const struct btf_array *a = btf_array(btf__type_by_id(t->source, id));
	int of = copy_inner(t, id, a->type, depth);

	return of <= 0 ? of : btf__add_array(t->btf, 0, of, a->nelems);
}

static int copy_tag(struct typetab *t, uint32_t id, unsigned int depth)
{
	const struct btf_type *type = btf__type_by_id(t->source, id);

	return copy_inner(t, id, type->type, depth);
}

/* Qualifiers go the way of tags: they say nothing of a value. */
static int copy_typedef(struct typetab *t, uint32_t id, unsigned int depth)
{
	const struct btf_type *type = btf__type_by_id(t->source, id);
	int of = copy_inner(t, id, type->type, depth);

	return of <= 0 ? of : btf__add_typedef(t->btf, name_of(t, type), of);
}

static int add_member(struct typetab *t, const struct ctype *outer,
		      unsigned int i)
{
	const struct btf_type *type = btf__type_by_id(t->source, outer->id);
	const struct btf_member *m = &btf_members(type)[i];
	const struct typetab_copy *inner;
	struct ctype_member member;

	if (m->type >= btf__type_cnt(t->source))
		return 0;
	inner = &t->copies[m->type];
	if (!inner->copy || !ctype_nth(outer, i, &member) ||
	    inner->height + 1 >= TYPETAB_HEIGHT_MAX)
		return 0;
	return btf__add_field(t->btf, name_at(t, m->name_off), inner->copy,
			      member.offset, member.width);
}

static int copy_struct(struct typetab *t, uint32_t id, unsigned int depth)
{
	const struct btf_type *type = btf__type_by_id(t->source, id);
	const struct ctype outer = {
		.btf = t->source, .id = id, .kind = CTYPE_STRUCT,
	};
	unsigned int i, nr = btf_vlen(type);
	int ret = 0, err;

	/* members are added to the last type: theirs have to be there before */
	for (i = 0; ret >= 0 && i < nr; i++)
		ret = copy_inner(t, id, btf_members(type)[i].type, depth);
	if (ret < 0)
		return ret;
	if (btf_is_union(type))
		ret = btf__add_union(t->btf, name_of(t, type), type->size);
	else
		ret = btf__add_struct(t->btf, name_of(t, type), type->size);
	for (i = 0; ret > 0 && i < nr; i++) {
		err = add_member(t, &outer, i);
		if (err == -ENOMEM)
			return err;
	}
	return ret;
}

static int copy_enum(struct typetab *t, uint32_t id, unsigned int depth)
{
	const struct btf_type *type = btf__type_by_id(t->source, id);
	const struct btf_enum *e = btf_enum(type);
	unsigned int i, nr = btf_vlen(type);
	bool is_signed = btf_kflag(type);
	int ret, err = 0;

	ret = btf__add_enum(t->btf, name_of(t, type), type->size);
	for (i = 0; ret > 0 && err != -ENOMEM && i < nr; i++)
		err = btf__add_enum_value(t->btf, name_at(t, e[i].name_off),
					  is_signed ? e[i].val :
						      (int64_t)(uint32_t)e[i].val);
	return err == -ENOMEM ? err : ret;
}

static int copy_enum64(struct typetab *t, uint32_t id, unsigned int depth)
{
	const struct btf_type *type = btf__type_by_id(t->source, id);
	const struct btf_enum64 *e = btf_enum64(type);
	unsigned int i, nr = btf_vlen(type);
	int ret, err = 0;

	ret = btf__add_enum64(t->btf, name_of(t, type), type->size,
			      btf_kflag(type));
	for (i = 0; ret > 0 && err != -ENOMEM && i < nr; i++)
		err = btf__add_enum64_value(t->btf, name_at(t, e[i].name_off),
					    btf_enum64_value(&e[i]));
	return err == -ENOMEM ? err : ret;
}

static const copy_fn rows[NR_BTF_KINDS] = {
	[BTF_KIND_INT] = copy_int,
	[BTF_KIND_PTR] = copy_pointer,
	[BTF_KIND_ARRAY] = copy_array,
	[BTF_KIND_STRUCT] = copy_struct,
	[BTF_KIND_UNION] = copy_struct,
	[BTF_KIND_ENUM] = copy_enum,
	[BTF_KIND_ENUM64] = copy_enum64,
	[BTF_KIND_FWD] = copy_forward,
	[BTF_KIND_TYPEDEF] = copy_typedef,
	[BTF_KIND_CONST] = copy_tag,
	[BTF_KIND_VOLATILE] = copy_tag,
	[BTF_KIND_RESTRICT] = copy_tag,
	[BTF_KIND_TYPE_TAG] = copy_tag,
	[BTF_KIND_FLOAT] = copy_float,
	[BTF_KIND_FUNC_PROTO] = copy_function,
};

/* Return: its number in the table, 0: it is not known, -ENOMEM. */
static int copy(struct typetab *t, uint32_t id, unsigned int depth)
{
	const struct btf_type *type;
	int ret;

	if (!id || depth == TYPETAB_HEIGHT_MAX)
		return 0;
	type = btf__type_by_id(t->source, id);
	if (!type || btf_kind(type) >= ARRAY_SIZE(rows) ||
	    !rows[btf_kind(type)])
		return 0;
	if (t->copies[id].copy)
		return t->copies[id].copy;
	ret = made(rows[btf_kind(type)](t, id, depth));
	if (ret > 0)
		t->copies[id].copy = ret;
	return ret;
}

static int begin(struct typetab *t, const struct btf *source)
{
	if (!t->btf)
		t->btf = btf__new_empty();
	if (!t->btf)
		return -ENOMEM;
	if (t->copies && t->source == source)
		return 0;
	free(t->copies);
	t->source = source;
	t->copies = calloc(btf__type_cnt(source), sizeof(*t->copies));
	return t->copies ? 0 : -ENOMEM;
}

int typetab_add(struct typetab *t, const struct btf *source, uint32_t id,
		uint32_t *ret)
{
	int err = begin(t, source);

	if (err)
		return err;
	err = copy(t, id, 0);
	if (err < 0)
		return err;
	*ret = err;
	return 0;
}
