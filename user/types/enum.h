/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of types/: names of enumerators. */
#ifndef KTAP_TYPES_ENUM_H
#define KTAP_TYPES_ENUM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct btf;
struct btf_type;

/**
 * enum_name() - name the value of an enumeration
 * @btf: table
 * @t: enumeration of @btf, of either kind (BTF_KIND_ENUM or BTF_KIND_ENUM64)
 * @value: bits beyond the size of @t are ignored
 * @out: gets the name; has to be empty
 *
 * A value that equals no enumerator is written as "A|B|0x8" where the enumerators are flags,
 * that is single bits and sums of them, and at least one bit of the value has a name. Bits
 * without a name are the number at the end. An enumeration with a sign has no flags.
 *
 * Return: true; false: the value has no name, and @out is empty.
 */
bool enum_name(const struct btf *btf, const struct btf_type *t, uint64_t value,
	       struct buf *out);

#endif /* KTAP_TYPES_ENUM_H */
