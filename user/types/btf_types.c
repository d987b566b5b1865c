// SPDX-License-Identifier: GPL-2.0
/*
 * Types of C as BTF describes them. What the table says is not trusted to end:
 * chains of qualifiers and nested structures are followed so far and no further.
 */
#include "types/btf_types.h"

#include <bpf/btf.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"

#define DEPTH_MAX 32

const char *ctype_name_at(const struct btf *btf, uint32_t offset)
{
	const char *name = btf__name_by_offset(btf, offset);

	return name ? name : "";
}

/* ---- what a type is ------------------------------------------------------------ */

const struct btf_type *ctype_strip(const struct btf *btf, uint32_t *id)
{
	const struct btf_type *t;
	unsigned int i;

	for (i = 0; i < DEPTH_MAX && *id; i++) {
		t = btf__type_by_id(btf, *id);
		if (!t || (!btf_is_mod(t) && !btf_is_typedef(t) &&
			   !btf_is_type_tag(t)))
			return t;
		*id = t->type;
	}
	return NULL;
}

static void set_number(struct ctype *ret, uint32_t size, bool is_signed)
{
	ret->kind = CTYPE_INT;
	ret->size = size;
	ret->is_signed = is_signed;
}

/* As the kernel has it an enumeration is an int, which has a sign. */
static void set_kind(const struct btf *btf, const struct btf_type *t,
		     struct ctype *ret)
{
	int64_t size;

	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		set_number(ret, t->size, btf_int_encoding(t) & BTF_INT_SIGNED);
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		set_number(ret, t->size, t->size >= 4 || btf_kflag(t));
		break;
	case BTF_KIND_PTR:
		ret->kind = CTYPE_POINTER;
		ret->size = 8;
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		ret->kind = CTYPE_STRUCT;
		ret->size = t->size;
		break;
	case BTF_KIND_ARRAY:
		size = btf__resolve_size(btf, ret->id);
		ret->kind = CTYPE_ARRAY;
		ret->count = btf_array(t)->nelems;
		ret->size = size > 0 ? size : 0;
		break;
	case BTF_KIND_FLOAT:
		ret->kind = CTYPE_FLOAT;
		ret->size = t->size;
		break;
	case BTF_KIND_FUNC_PROTO:
		ret->kind = CTYPE_FUNC;
		break;
	case BTF_KIND_FWD:
		ret->kind = CTYPE_FORWARD;
		break;
	}
}

struct ctype ctype_of(const struct btf *btf, uint32_t id)
{
	struct ctype ret = { .btf = btf, .id = id };
	const struct btf_type *t = ctype_strip(btf, &ret.id);

	if (t)
		set_kind(btf, t, &ret);
	else if (!ret.id)
		ret.kind = CTYPE_VOID;
	return ret;
}

struct ctype ctype_from(const struct ctype_source *source,
			const struct btf *btf, uint32_t id)
{
	struct ctype ret = ctype_of(btf, id);

	if (source && ret.kind == CTYPE_FORWARD)
		ret = ctype_of(btf, source->complete(source, ret.id));
	ret.source = source;
	return ret;
}

static const struct btf_type *raw(const struct ctype *t)
{
	return btf__type_by_id(t->btf, t->id);
}

void ctype_define(struct ctype *t, struct buf *why)
{
	if (t->kind == CTYPE_FORWARD && t->source)
		*t = ctype_from(t->source, t->btf,
				t->source->define(t->source, t->id, why));
}

struct ctype ctype_target(const struct ctype *t)
{
	if (t->kind == CTYPE_POINTER)
		return ctype_from(t->source, t->btf, raw(t)->type);
	if (t->kind == CTYPE_ARRAY)
		return ctype_from(t->source, t->btf, btf_array(raw(t))->type);
	return (struct ctype){};
}

bool ctype_pointer(const struct ctype *t, struct ctype *ret)
{
	uint32_t id, end = t->btf ? btf__type_cnt(t->btf) : 0;
	const struct btf_type *type;

	if (t->source) {
		id = t->source->pointer(t->source, t->id);
		*ret = ctype_from(t->source, t->btf, id);
		return id;
	}
	for (id = 1; id < end; id++) {
		type = btf__type_by_id(t->btf, id);
		if (btf_is_ptr(type) && type->type == t->id) {
			*ret = ctype_from(t->source, t->btf, id);
			return true;
		}
	}
	return false;
}

bool ctype_is_reference(const struct ctype *t)
{
	const struct btf_type *target;
	uint32_t id = t->btf && t->kind == CTYPE_POINTER ? raw(t)->type : 0;

	target = id ? btf__type_by_id(t->btf, id) : NULL;
	return target && btf_is_type_tag(target) &&
	       !strcmp(ctype_name_at(t->btf, target->name_off),
		       CTYPE_REFERENCE);
}

bool ctype_is_char(const struct ctype *t)
{
	return t->kind == CTYPE_INT && t->size == 1;
}

/* ---- members ------------------------------------------------------------------- */

/* Of old, the width of a bit-field was in its type. */
static unsigned int width_of(const struct btf *btf, const struct btf_type *t,
			     unsigned int i, uint64_t *offset)
{
	const struct btf_type *type;
	uint32_t id = btf_members(t)[i].type;

	if (btf_kflag(t))
		return btf_member_bitfield_size(t, i);
	type = ctype_strip(btf, &id);
	if (!type || !btf_is_int(type) ||
	    btf_int_bits(type) == type->size * 8)
		return 0;
	*offset += btf_int_offset(type);
	return btf_int_bits(type);
}

/* The type comes last: where it is completed, all that was read moves. */
bool ctype_nth(const struct ctype *t, unsigned int i, struct ctype_member *ret)
{
	const struct btf_type *raw_type;
	uint32_t id;

	if (t->kind != CTYPE_STRUCT)
		return false;
	raw_type = raw(t);
	if (i >= btf_vlen(raw_type))
		return false;
	id = btf_members(raw_type)[i].type;
	*ret = (struct ctype_member){
		.offset = btf_member_bit_offset(raw_type, i),
	};
	ret->width = width_of(t->btf, raw_type, i, &ret->offset);
	ret->type = ctype_from(t->source, t->btf, id);
	id = btf_members(raw(t))[i].name_off;
	ret->name = id ? ctype_name_at(t->btf, id) : NULL;
	return true;
}

static bool find(const struct ctype *t, const char *name, unsigned int depth,
		 struct ctype_member *ret)
{
	struct ctype_member m;
	unsigned int i;

	for (i = 0; ctype_nth(t, i, &m); i++) {
		if (m.name && !strcmp(m.name, name)) {
			*ret = m;
			return true;
		}
		if (!m.name && depth && find(&m.type, name, depth - 1, ret)) {
			ret->offset += m.offset;
			return true;
		}
	}
	return false;
}

bool ctype_find(const struct ctype *t, const char *name,
		struct ctype_member *ret)
{
	return find(t, name, DEPTH_MAX, ret);
}

static bool is_aligned(const struct ctype *t, uint64_t base,
		       unsigned int depth);

/* The second element is elsewhere than the first if the size is no multiple. */
static bool is_array_aligned(const struct ctype *t, uint64_t base,
			     unsigned int depth)
{
	struct ctype element = ctype_target(t);

	return depth && is_aligned(&element, base, depth - 1) &&
	       (t->count < 2 ||
		is_aligned(&element, base + element.size * 8, depth - 1));
}

static bool is_aligned(const struct ctype *t, uint64_t base,
		       unsigned int depth)
{
	struct ctype_member m;
	unsigned int i;

	if (t->kind == CTYPE_ARRAY && t->size)
		return is_array_aligned(t, base, depth);
	if (t->kind != CTYPE_STRUCT)
		return !t->size || !(base % (t->size * 8));
	for (i = 0; ctype_nth(t, i, &m); i++)
		if (!m.width &&
		    (!depth || !is_aligned(&m.type, base + m.offset, depth - 1)))
			return false;
	return true;
}

bool ctype_is_aligned(const struct ctype *t)
{
	return is_aligned(t, 0, DEPTH_MAX);
}

/* ---- words --------------------------------------------------------------------- */

static void put_type(struct buf *b, const struct btf *btf, uint32_t id,
		     unsigned int depth)
{
	static const char *const words[] = {
		[BTF_KIND_STRUCT] = "struct ", [BTF_KIND_UNION] = "union ",
		[BTF_KIND_ENUM] = "enum ", [BTF_KIND_ENUM64] = "enum ",
		[BTF_KIND_FWD] = "struct ", [BTF_KIND_CONST] = "const ",
		[BTF_KIND_VOLATILE] = "volatile ",
	};
	const struct btf_type *t = id ? btf__type_by_id(btf, id) : NULL;
	const char *name = t ? ctype_name_at(btf, t->name_off) : "void";
	unsigned int kind = t ? btf_kind(t) : BTF_KIND_UNKN;

	if (!depth)
		return;
	if (kind == BTF_KIND_PTR) {
		put_type(b, btf, t->type, depth - 1);
		buf_puts(b, b->size && b->data[b->size - 1] == '*' ? "*" : " *");
		return;
	}
	if (kind == BTF_KIND_ARRAY) {
		put_type(b, btf, btf_array(t)->type, depth - 1);
		if (btf_array(t)->nelems)
			buf_printf(b, "[%u]", btf_array(t)->nelems);
		else
			buf_puts(b, "[]");
		return;
	}
	if (kind == BTF_KIND_FUNC_PROTO) {
		buf_puts(b, "function");
		return;
	}
	if (kind < ARRAY_SIZE(words) && words[kind])
		buf_puts(b, words[kind]);
	if (t && (btf_is_mod(t) || btf_is_type_tag(t)))
		put_type(b, btf, t->type, depth - 1);
	else
		buf_puts(b, *name ? name : "{ }");
}

char *ctype_text(const struct ctype *t)
{
	struct buf b = BUF_INIT;

	/* a number that C has by itself */
	if (!t->btf)
		buf_printf(&b, "%s of %u bytes",
			   t->kind == CTYPE_VOID ? "void" : "number",
			   (unsigned int)t->size);
	else
		put_type(&b, t->btf, t->id, DEPTH_MAX);
	return buf_take(&b);
}
