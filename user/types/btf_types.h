/* SPDX-License-Identifier: GPL-2.0 */
/* Types by their number, for those who walk a table themselves. */
#ifndef KTAP_TYPES_BTF_TYPES_H
#define KTAP_TYPES_BTF_TYPES_H

#include "types/btf.h"

struct btf_type;

/**
 * ctype_of() - describe a type of a table
 * @btf: table; it has to live as long as the type is used
 * @id: number of the type
 *
 * Return: the type, without typedefs and qualifiers, and without a source. CTYPE_VOID: it is
 *	void; CTYPE_NONE: the table has no such type, or an entry that is no type of C, or
 *	more than 32 typedefs and qualifiers around it.
 */
struct ctype ctype_of(const struct btf *btf, uint32_t id);

/**
 * ctype_from() - describe a type of a table that grows
 * @source: where more types come from; it has to live as long as the type is used; NULL: as
 *	ctype_of()
 * @btf: table
 * @id: number of the type
 *
 * A forward is completed where the source knows what it stands for. That may add types to
 * @btf: pointers to its types and strings, from before the call, are not valid after it.
 *
 * Return: as ctype_of(), with @source.
 */
struct ctype ctype_from(const struct ctype_source *source,
			const struct btf *btf, uint32_t id);

/**
 * ctype_strip() - remove typedefs, qualifiers and type tags from a type
 * @btf: table
 * @id: number of the type; becomes the number of the type that is returned, 0 for void
 *
 * Return: the type, inside @btf, which is valid until a type is added; NULL: it is void, there
 *	is no type with this number, or it is not found within 32 steps.
 */
const struct btf_type *ctype_strip(const struct btf *btf, uint32_t *id);

/**
 * ctype_name_at() - get a name of a table
 * @btf: table
 * @offset: of the name, in the string section
 *
 * Return: the name, inside @btf, which is valid until a type is added; "" where there is none.
 */
const char *ctype_name_at(const struct btf *btf, uint32_t offset);

#endif /* KTAP_TYPES_BTF_TYPES_H */
