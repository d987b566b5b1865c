// SPDX-License-Identifier: GPL-2.0
/* Which bits of a value mean something: all but the gaps between members. */
#include <bpf/btf.h>
#include <string.h>

#include "types/btf_types.h"
#include "types/walk.h"

/* Members and elements, at most. */
#define WORK_MAX (1 << 16)

#define X87_BYTES 10

/**
 * struct marking - one search for what is used
 * @btf: table
 * @mask: bits that are used are set in it
 * @bits: of the value, and of the mask
 * @left: work that may still be done
 */
struct marking {
	const struct btf *btf;
	uint8_t *mask;
	uint64_t bits;
	long left;
};

static void mark(struct marking *m, uint32_t id, uint64_t bit, unsigned int width);

static void mark_bits(struct marking *m, uint64_t bit, uint64_t nr)
{
	for (; nr && bit < m->bits; bit++, nr--)
		m->mask[bit / 8] |= 1 << bit % 8;
}

static void mark_members(struct marking *m, const struct btf_type *t, uint64_t bit)
{
	for (unsigned int i = 0; i < btf_vlen(t); i++)
		mark(m, btf_members(t)[i].type, bit + btf_member_bit_offset(t, i),
		     btf_member_bitfield_size(t, i));
}

static void mark_elements(struct marking *m, const struct btf_type *t, uint64_t bit)
{
	const struct btf_array *a = btf_array(t);
	uint64_t each = typed_size(m->btf, a->type) * 8;

	for (uint32_t i = 0; each && m->left > 0 && i < a->nelems && bit < m->bits; i++) {
		mark(m, a->type, bit, 0);
		bit += each;
	}
}

static void mark(struct marking *m, uint32_t id, uint64_t bit, unsigned int width)
{
	const struct btf_type *t = ctype_strip(m->btf, &id);
	uint64_t size = typed_size(m->btf, id);

	if (!t || m->left-- <= 0)
		return;
	if (btf_is_composite(t)) {
		mark_members(m, t, bit);
		return;
	}
	if (btf_is_array(t)) {
		mark_elements(m, t, bit);
		return;
	}
	if (btf_is_float(t) && size == 16 &&
	    !strcmp(ctype_name_at(m->btf, t->name_off), TYPED_X87))
		size = X87_BYTES;
	mark_bits(m, bit, width ? width : size * 8);
}

void typed_used(const struct btf *btf, uint32_t id, void *mask, size_t size)
{
	struct marking m = {
		.btf = btf, .mask = mask, .bits = (uint64_t)size * 8, .left = WORK_MAX,
	};

	memset(mask, 0, size);
	mark(&m, id, 0, 0);
	/* the rest may mean anything */
	if (m.left <= 0)
		memset(mask, 0xff, size);
}
