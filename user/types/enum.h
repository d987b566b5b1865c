/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of types/: names of enumerators. */
#ifndef KTAP_TYPES_ENUM_H
#define KTAP_TYPES_ENUM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct btf;
struct btf_type;

/* enum_name() - the name of @value, or names of its bits, into @out; false: it
 * has none.
 */
bool enum_name(const struct btf *btf, const struct btf_type *t, uint64_t value,
	       struct buf *out);

#endif /* KTAP_TYPES_ENUM_H */
