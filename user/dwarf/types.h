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

/**
 * debug_types_new() - begin without types
 * @dbg: the file that they are of; has to outlive them, and is not read yet
 *
 * Return: the types; release with debug_types_free(); NULL: no memory.
 */
struct debug_types *debug_types_new(struct debug *dbg);

/**
 * debug_types_free() - release types
 * @types: the types; may be NULL
 *
 * No struct ctype and no prototype that came from @types may be used afterwards.
 */
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

/**
 * debug_type_of() - convert the type of a variable or function
 * @types: keeps the type, which is valid until debug_types_free()
 * @die: the variable or function; its DW_AT_type is converted, or its origin's
 *
 * Return: the type; void where there is no DW_AT_type; of kind CTYPE_NONE where memory ran
 * out.
 */
struct ctype debug_type_of(struct debug_types *types, Dwarf_Die *die);

/**
 * debug_proto() - convert the prototype of a function
 * @types: keeps the prototype, which is valid until debug_types_free()
 * @die: the function, or a copy that was inlined
 * @ret: the prototype, with the name of @die; unchanged on failure
 *
 * Return: 0 or -ENOMEM, also for other errors of libbpf.
 */
int debug_proto(struct debug_types *types, Dwarf_Die *die,
		struct kbtf_func *ret);

#endif /* KTAP_DWARF_TYPES_H */
