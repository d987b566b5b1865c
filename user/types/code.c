// SPDX-License-Identifier: GPL-2.0
/* Where in a value addresses of functions are. */
#include <bpf/btf.h>

#include "types/btf_types.h"
#include "types/walk.h"

/* Members and elements that are looked at. */
#define WORK_MAX (1 << 16)

/**
 * struct search - one search
 * @btf: table
 * @size: bytes there are
 * @fn: takes what is found
 * @ctx: for @fn
 * @left: work that may still be done
 */
struct search {
	const struct btf *btf;
	uint64_t size;
	int (*fn)(void *ctx, uint64_t offset);
	void *ctx;
	long left;
};

static int search(struct search *s, uint32_t id, uint64_t offset);

static int search_members(struct search *s, const struct btf_type *t,
			  uint64_t offset)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < btf_vlen(t); i++)
		if (!btf_member_bitfield_size(t, i))
			err = search(s, btf_members(t)[i].type,
				     offset + btf_member_bit_offset(t, i) / 8);
	return err;
}

static int search_elements(struct search *s, const struct btf_type *t,
			   uint64_t offset)
{
	const struct btf_array *a = btf_array(t);
	uint64_t each = typed_size(s->btf, a->type), i;
	int err = 0;

	for (i = 0; !err && each && s->left > 0 && i < a->nelems; i++) {
		if (offset >= s->size)
			break;
		err = search(s, a->type, offset);
		offset += each;
	}
	return err;
}

static int search(struct search *s, uint32_t id, uint64_t offset)
{
	const struct btf_type *t = ctype_strip(s->btf, &id);

	if (!t || s->left-- <= 0)
		return 0;
	if (btf_is_composite(t))
		return search_members(s, t, offset);
	if (btf_is_array(t))
		return search_elements(s, t, offset);
	if (offset + 8 > s->size || !typed_is_code(s->btf, id))
		return 0;
	return s->fn(s->ctx, offset);
}

int typed_code(const struct btf *btf, uint32_t id, uint64_t size,
	       int (*fn)(void *ctx, uint64_t offset), void *ctx)
{
	struct search s = {
		.btf = btf, .size = size, .fn = fn, .ctx = ctx,
		.left = WORK_MAX,
	};

	return search(&s, id, 0);
}
