// SPDX-License-Identifier: GPL-2.0
/*
 * In place of libbpf: type tables are read where they are, with the functions of
 * bpf/btf.h that reading needs. typetab_read() has checked that each type and each name
 * is inside the table, before btf__new() gets it.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "types/table.h"

/**
 * struct btf - one table
 * @size: bytes of @data
 * @nr: types; number 0 is void
 * @names: strings
 * @names_size: bytes of them
 * @types: offsets in @data by number, ...
 * @data: ... where the table is; both follow this structure
 */
struct btf {
	uint32_t size;
	uint32_t nr;
	const char *names;
	uint32_t names_size;
	uint32_t *types;
	char *data;
};

static size_t size_of(const struct btf_type *t)
{
	size_t nr = btf_vlen(t);

	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		return sizeof(*t) + sizeof(uint32_t);
	case BTF_KIND_ARRAY:
		return sizeof(*t) + sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return sizeof(*t) + nr * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return sizeof(*t) + nr * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return sizeof(*t) + nr * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return sizeof(*t) + nr * sizeof(struct btf_param);
	default:
		return sizeof(*t);
	}
}

/* Return: how many types there are, with void; @types gets where, unless it is NULL. */
static uint32_t find_types(const char *data, uint32_t *types)
{
	const struct btf_header *h = (const void *)data;
	uint32_t at = h->hdr_len + h->type_off, end = at + h->type_len, nr = 1;

	for (; at < end; nr++) {
		if (types)
			types[nr] = at;
		at += size_of((const void *)(data + at));
	}
	return nr;
}

struct btf *btf__new(const void *data, __u32 size)
{
	struct btf *btf = calloc(1, sizeof(*btf));
	const struct btf_header *h;

	if (!btf)
		return NULL;
	/* its numbers are read in place, so it has to be aligned */
	btf->data = malloc(size);
	if (!btf->data)
		goto fail;
	memcpy(btf->data, data, size);
	btf->size = size;
	btf->nr = find_types(btf->data, NULL);
	btf->types = calloc(btf->nr, sizeof(*btf->types));
	if (!btf->types)
		goto fail;
	find_types(btf->data, btf->types);
	h = (const void *)btf->data;
	btf->names = btf->data + h->hdr_len + h->str_off;
	btf->names_size = h->str_len;
	return btf;
fail:
	btf__free(btf);
	errno = ENOMEM;
	return NULL;
}

void btf__free(struct btf *btf)
{
	if (!btf)
		return;
	free(btf->types);
	free(btf->data);
	free(btf);
}

const void *btf__raw_data(const struct btf *btf, __u32 *size)
{
	*size = btf->size;
	return btf->data;
}

__u32 btf__type_cnt(const struct btf *btf)
{
	return btf->nr;
}

const struct btf_type *btf__type_by_id(const struct btf *btf, __u32 id)
{
	static const struct btf_type nothing;

	if (id >= btf->nr)
		return NULL;
	return id ? (const void *)(btf->data + btf->types[id]) : &nothing;
}

const char *btf__name_by_offset(const struct btf *btf, __u32 offset)
{
	return offset < btf->names_size ? btf->names + offset : NULL;
}

/* A type contains only types with lower numbers, so this recursion ends. */
__s64 btf__resolve_size(const struct btf *btf, __u32 id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	switch (t ? btf_kind(t) : BTF_KIND_UNKN) {
	case BTF_KIND_PTR:
		return sizeof(uint64_t);
	case BTF_KIND_INT:
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_FLOAT:
		return t->size;
	case BTF_KIND_TYPEDEF:
		return btf__resolve_size(btf, t->type);
	case BTF_KIND_ARRAY:
		return btf_array(t)->nelems *
		       btf__resolve_size(btf, btf_array(t)->type);
	default:
		return -EINVAL;
	}
}

/* ---- tables are not made here ---- */

/* No term has a type of C: see names.c. */
int typetab_add(struct typetab *t, const struct btf *source, uint32_t id,
		uint32_t *ret)
{
	*ret = 0;
	return 0;
}

void typetab_deinit(struct typetab *t)
{
}
