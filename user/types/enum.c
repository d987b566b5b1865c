// SPDX-License-Identifier: GPL-2.0
/* Names of enumerators. */
#include "types/enum.h"

#include <bpf/btf.h>

#include "types/btf_types.h"

static uint64_t mask_of(const struct btf_type *t)
{
	return t->size < 8 ? (1ULL << t->size * 8) - 1 : UINT64_MAX;
}

/* The value of the enumerator @i, in as many bits as the type has. */
static uint64_t value_at(const struct btf_type *t, unsigned int i)
{
	uint64_t value;

	if (btf_is_enum64(t))
		value = btf_enum64_value(&btf_enum64(t)[i]);
	else
		value = (uint64_t)(int64_t)btf_enum(t)[i].val;
	/* without a sign a value of 32 bits is one */
	if (!btf_kflag(t) && !btf_is_enum64(t))
		value = (uint32_t)value;
	return value & mask_of(t);
}

static const char *name_at(const struct btf *btf, const struct btf_type *t,
			   unsigned int i)
{
	uint32_t offset = btf_is_enum64(t) ? btf_enum64(t)[i].name_off :
					     btf_enum(t)[i].name_off;

	return ctype_name_at(btf, offset);
}

static bool is_single(uint64_t value)
{
	return value && !(value & (value - 1));
}

/*
 * Whether its enumerators are flags: single bits, or made of those; and not
 * just counted from 0 or 1 on. What has a sign is none.
 */
static bool is_flags(const struct btf_type *t)
{
	unsigned int i, nr = btf_vlen(t);
	uint64_t bits = 0, all = 0, max = 0;
	bool has_three = false;

	for (i = 0; i < nr; i++) {
		uint64_t value = value_at(t, i);

		all |= value;
		if (is_single(value))
			bits |= value;
		if (value > max)
			max = value;
		has_three |= value == 3;
	}
	return !btf_kflag(t) && bits == all && bits > 3 && !is_single(bits) &&
	       !(has_three && max <= nr);
}

bool enum_name(const struct btf *btf, const struct btf_type *t, uint64_t value,
	       struct buf *out)
{
	unsigned int i, nr = btf_vlen(t);
	uint64_t left = value & mask_of(t);

	for (i = 0; i < nr; i++) {
		if (value_at(t, i) != left)
			continue;
		buf_puts(out, name_at(btf, t, i));
		return true;
	}
	if (!left || !is_flags(t))
		return false;
	for (i = 0; i < nr; i++) {
		uint64_t bit = value_at(t, i);

		if (!is_single(bit) || !(left & bit))
			continue;
		buf_printf(out, "%s%s", out->size ? "|" : "",
			   name_at(btf, t, i));
		left &= ~bit;
	}
	if (left && out->size)
		buf_printf(out, "|0x%llx", (unsigned long long)left);
	return out->size;
}
