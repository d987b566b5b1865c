/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the room: structures of one name that are laid out alike, or not. */
#ifndef KTAP_DWARF_LIKENESS_H
#define KTAP_DWARF_LIKENESS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* debug_is_struct() - a structure, a class or a union */
bool debug_is_struct(int tag);

/* debug_likeness() - the same number for definitions of structures with the same members
 * at the same places, of types that look the same; for others, another one
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

/* debug_find_struct() - what defines the structure or union that @decl declares, in its
 * file and in what that is built on; only those outside of all else
 */
void debug_find_struct(struct debug *dbg, Dwarf_Die *decl, struct alike *ret);

#endif /* KTAP_DWARF_LIKENESS_H */
