/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the room: structures of one name that are laid out alike, or not. */
#ifndef KTAP_DWARF_LIKENESS_H
#define KTAP_DWARF_LIKENESS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * debug_is_struct() - report whether a DIE is a structure, a class or a union
 * @tag: tag of the DIE
 *
 * Return: true if it is one.
 */
bool debug_is_struct(int tag);

/**
 * debug_likeness() - compute a number that differs between layouts of structures
 * @die: definition of a structure, a class or a union
 *
 * The number is a hash of the size, and of the names, places and types of the members. If a
 * member is a pointer to a structure, only the name of that structure counts. The name of
 * @die does not count. Structures inside structures are read for 16 levels, and about a
 * million attributes in all.
 *
 * Return: the same number for structures with the same members at the same places, of types
 * that look the same; for other structures, a different number.
 */
uint64_t debug_likeness(Dwarf_Die *die);

/**
 * struct alike - definitions of one name
 * @die: the first one; and where @nr is 2 one that differs from it
 * @likeness: of the first one
 * @nr: 0: there is none
 */
struct alike {
	Dwarf_Die die[2];
	uint64_t likeness;
	unsigned int nr;
};

struct debug;

/**
 * debug_find_struct() - find what defines a structure or union
 * @dbg: debug information that has @decl
 * @decl: DIE that only declares it
 * @ret: what was found; searching ends at the second definition that differs from the first
 *
 * The file is searched, and then the debug information that debug_set_base() set. Only
 * definitions at the top of a unit are found, and only if @decl is at the top of one, too.
 */
void debug_find_struct(struct debug *dbg, Dwarf_Die *decl, struct alike *ret);

#endif /* KTAP_DWARF_LIKENESS_H */
