// SPDX-License-Identifier: GPL-2.0
/* What a type is. */
#include <bpf/btf.h>
#include <string.h>

#include "types/btf_types.h"
#include "types/walk.h"

uint64_t typed_size(const struct btf *btf, uint32_t id)
{
	return ctype_of(btf, id).size;
}

bool typed_is_number(const struct btf *btf, uint32_t id)
{
	struct ctype t = ctype_of(btf, id);

	return t.kind == CTYPE_POINTER ||
	       (t.kind == CTYPE_INT && t.size && t.size <= 8);
}

/* An integer that is written as @name, or may be where that is NULL. */
static bool is_letter(const struct btf *btf, uint32_t id, const char *name)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	return t && btf_is_int(t) && t->size == 1 &&
	       !(btf_int_encoding(t) & BTF_INT_BOOL) &&
	       (!name || !strcmp(ctype_name_at(btf, t->name_off), name));
}

bool typed_is_letter(const struct btf *btf, uint32_t id)
{
	return ctype_strip(btf, &id) && is_letter(btf, id, "char");
}

/* The type behind qualifiers, but not behind typedefs. */
static uint32_t unqualified(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);
	unsigned int i;

	for (i = 0; t && i < 8; i++) {
		if (!btf_is_mod(t) && !btf_is_type_tag(t))
			break;
		id = t->type;
		t = btf__type_by_id(btf, id);
	}
	return id;
}

bool typed_is_text(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t = ctype_strip(btf, &id);

	if (!t || !btf_is_array(t))
		return false;
	id = btf_array(t)->type;
	return typed_is_letter(btf, id) ||
	       is_letter(btf, unqualified(btf, id), NULL);
}

bool typed_is_code(const struct btf *btf, uint32_t id)
{
	struct ctype t = ctype_of(btf, id);

	return t.kind == CTYPE_POINTER && ctype_target(&t).kind == CTYPE_FUNC;
}

bool typed_has_names(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t = ctype_strip(btf, &id);

	if (!t)
		return false;
	return btf_is_any_enum(t) || typed_is_code(btf, id) ||
	       (btf_is_int(t) && btf_int_encoding(t) & BTF_INT_BOOL);
}
