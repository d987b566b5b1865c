/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types of DWARF as BTF, so that one compiler serves both. They are converted
 * when they are asked for, and cut at pointers: what a pointer points at is a
 * forward by name until it is followed.
 */
#ifndef KTAP_DWARF_TYPES_H
#define KTAP_DWARF_TYPES_H

#include <elfutils/libdw.h>

#include "base/cleanup.h"
#include "types/btf.h"

struct debug_types;

struct debug;

/* debug_types_new() - no types yet, of @dbg, which outlives them. NULL: no memory. */
struct debug_types *debug_types_new(struct debug *dbg);
void debug_types_free(struct debug_types *types);
DEFINE_CLEANUP(struct debug_types, debug_types_free)

/**
 * debug_type() - a type
 * @types: where it is kept, as long as that
 * @die: DIE of the type; NULL: void
 *
 * What BTF cannot say is a structure of that name and size without members.
 *
 * Return: the type; of kind CTYPE_NONE where memory ran out.
 */
struct ctype debug_type(struct debug_types *types, Dwarf_Die *die);

/* debug_type_of() - that of the variable or function @die, by its DW_AT_type. */
struct ctype debug_type_of(struct debug_types *types, Dwarf_Die *die);

/* debug_proto() - the prototype of the function @die, where it was inlined, too.
 * -ENOMEM.
 */
int debug_proto(struct debug_types *types, Dwarf_Die *die,
		struct kbtf_func *ret);

#endif /* KTAP_DWARF_TYPES_H */
