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

/* types_convert() - what a type becomes, or as a forward, where it is @cut; negative:
 * an error of libbpf or -ENOMEM.
 */
int types_convert(struct debug_types *dt, Dwarf_Die *die, bool cut,
		  unsigned int depth);

/* types_more() - the type of a nameless member that says that there is more than the
 * others, for which BTF has no words; negative: an error
 */
int types_more(struct debug_types *dt);

/* types_opaque() - a type of which only its name and its size are known */
int types_opaque(struct debug_types *dt, Dwarf_Die *die);

/* types_struct() - a structure, a union or a class, with its members */
int types_struct(struct debug_types *dt, Dwarf_Die *die, unsigned int depth);

/* types_udata() - a number; false: there is none. */
bool types_udata(Dwarf_Die *die, unsigned int name, uint64_t *ret);

/* types_type() - the type of @die in *@ret; NULL: it has none. */
Dwarf_Die *types_type(Dwarf_Die *die, Dwarf_Die *ret);

/* types_size() - bytes; 0 where that is not known, or absurd */
uint32_t types_size(Dwarf_Die *die);

#endif /* KTAP_DWARF_TYPES_IN_H */
