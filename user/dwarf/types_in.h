/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of types.h: what its files share. */
#ifndef KTAP_DWARF_TYPES_IN_H
#define KTAP_DWARF_TYPES_IN_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "dwarf/types.h"

/* No type is larger. */
#define TYPES_SIZE_MAX INT32_MAX

struct cut;

/**
 * struct debug_types - types of one file
 * @source: how those who have one of them find us
 * @dbg: the file
 * @btf: them
 * @known: a tree of struct known
 * @cuts: forwards, by falling age
 * @nr_cuts: how many
 * @index_type: of arrays
 * @more: see types_more(); 0: there was no need of it
 */
struct debug_types {
	struct ctype_source source;
	struct debug *dbg;
	struct btf *btf;
	void *known;
	struct cut *cuts;
	size_t nr_cuts;
	uint32_t index_type;
	uint32_t more;
};

/**
 * types_convert() - convert a type to BTF, unless that was done before
 * @dt: types
 * @die: DIE of the type
 * @cut: a pointer points at it: a structure, a union or an array becomes a forward
 * @depth: how many types may be inside each other from here on; at 0 @die becomes opaque
 *
 * Return: number of the type in BTF; 0: void; negative: an error of libbpf or -ENOMEM.
 */
int types_convert(struct debug_types *dt, Dwarf_Die *die, bool cut,
		  unsigned int depth);

/**
 * types_more() - return the type of a member that stands for everything BTF cannot express
 * @dt: types
 *
 * A nameless member of this type says that a structure has more than its other members.
 *
 * Return: number of the type in BTF, the same in each call; negative: an error of libbpf.
 */
int types_more(struct debug_types *dt);

/**
 * types_opaque() - add a type of which only its name and its size are known
 * @dt: types
 * @die: DIE of the type
 *
 * Each call adds a structure with one member, which has the type types_more().
 *
 * Return: number of the type in BTF; negative: an error of libbpf.
 */
int types_opaque(struct debug_types *dt, Dwarf_Die *die);

/**
 * types_struct() - add a structure, a union or a class, with its members
 * @dt: types
 * @die: DIE that defines it
 * @depth: how many types may be inside each other from here on
 *
 * Members without a fixed place, and what BTF cannot express, become one member of the type
 * types_more(). Each call adds a type; types_convert() avoids that.
 *
 * Return: number of the type in BTF; negative: an error of libbpf or -ENOMEM.
 */
int types_struct(struct debug_types *dt, Dwarf_Die *die, unsigned int depth);

/**
 * types_udata() - read an attribute that is an unsigned number
 * @die: DIE; where it has no such attribute its origin is asked
 * @name: attribute: DW_AT_*
 * @ret: the number; unchanged on failure
 *
 * Return: false: there is no such attribute, or it is not a number.
 */
bool types_udata(Dwarf_Die *die, unsigned int name, uint64_t *ret);

/**
 * types_type() - return the type of a DIE
 * @die: DIE; where it has no DW_AT_type its origin is asked
 * @ret: memory for the DIE of the type; may be @die
 *
 * Return: @ret; NULL: it has no type.
 */
Dwarf_Die *types_type(Dwarf_Die *die, Dwarf_Die *ret);

/**
 * types_size() - return the size of a type
 * @die: DIE of the type
 *
 * Return: bytes; 0: it is not known, or larger than TYPES_SIZE_MAX.
 */
uint32_t types_size(Dwarf_Die *die);

#endif /* KTAP_DWARF_TYPES_IN_H */
