/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the room: units, also those whose DIEs are in a file of their own. */
#ifndef KTAP_DWARF_UNIT_H
#define KTAP_DWARF_UNIT_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/**
 * debug_next_unit() - one unit after another
 * @dw: debug information
 * @cu: the last one, or where it is NULL: begin; set
 * @ret: its DIE; of a unit that was split off (-gsplit-dwarf) the whole one, from
 *	its .dwo file
 *
 * Units of types alone are passed over.
 *
 * Return: false: there are no more.
 */
bool debug_next_unit(Dwarf *dw, Dwarf_CU **cu, Dwarf_Die *ret);

/* debug_whole_unit() - the same, of the unit that *@unit is. */
void debug_whole_unit(Dwarf_Die *unit);

/* debug_has_siblings() - whether the compiler made other units together with @unit, as
 * clang's link-time optimisation does: then they may refer to it.
 */
bool debug_has_siblings(Dwarf *dw, Dwarf_Die *unit);

/* debug_have_siblings() - whether any units were made together */
bool debug_have_siblings(Dwarf *dw);

/* debug_lacking() - the name of a .dwo file, where there is none of those that the
 * first units need, and nothing else; or NULL.
 */
const char *debug_lacking(Dwarf *dw);

/* debug_lacking_any() - the same of the first unit that lacks its one, or where @pc is
 * not 0, of that which has the code there.
 */
const char *debug_lacking_any(Dwarf *dw, uint64_t pc);

#endif /* KTAP_DWARF_UNIT_H */
