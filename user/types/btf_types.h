/* SPDX-License-Identifier: GPL-2.0 */
/* Types by their number, for those who walk a table themselves. */
#ifndef KTAP_TYPES_BTF_TYPES_H
#define KTAP_TYPES_BTF_TYPES_H

#include "types/btf.h"

struct btf_type;

/* ctype_of() - the type @id, without typedefs and qualifiers */
struct ctype ctype_of(const struct btf *btf, uint32_t id);

/* ctype_from() - the same of a table that grows; a forward is completed */
struct ctype ctype_from(const struct ctype_source *source,
			const struct btf *btf, uint32_t id);

/* ctype_strip() - the type behind typedefs and qualifiers, its number in *@id; NULL:
 * nothing, or no end in sight.
 */
const struct btf_type *ctype_strip(const struct btf *btf, uint32_t *id);

/* ctype_name_at() - a name of @btf; "" where there is none. */
const char *ctype_name_at(const struct btf *btf, uint32_t offset);

#endif /* KTAP_TYPES_BTF_TYPES_H */
