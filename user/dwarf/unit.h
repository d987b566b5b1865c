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

/**
 * debug_whole_unit() - replace a unit that was split off by the whole one
 * @unit: DIE of a unit; becomes the DIE in its .dwo file, if it was split off and the file
 *	can be read; else it is unchanged
 */
void debug_whole_unit(Dwarf_Die *unit);

/**
 * debug_has_siblings() - report whether the compiler made other units together with a unit
 * @dw: debug information
 * @unit: the unit
 *
 * clang's link-time optimisation makes units together: then they may refer to each other.
 * Units that share a table of abbreviations were made together.
 *
 * Return: true if it did; false for a unit of a .dwo file.
 */
bool debug_has_siblings(Dwarf *dw, Dwarf_Die *unit);

/**
 * debug_have_siblings() - report whether any units were made together
 * @dw: debug information
 *
 * Return: true if two units that follow each other share a table of abbreviations.
 */
bool debug_have_siblings(Dwarf *dw);

/**
 * debug_lacking() - find out whether all debug information is in files that are missing
 * @dw: debug information
 *
 * Return: name of the first unit's .dwo file, if all units were split off and none of the
 * .dwo files can be read; owned by libdw; NULL: there is a unit that can be read.
 */
const char *debug_lacking(Dwarf *dw);

/**
 * debug_lacking_any() - find a unit whose .dwo file is missing
 * @dw: debug information
 * @pc: address of DWARF that the unit has code at; 0: any unit
 *
 * Return: name of the .dwo file of the first such unit, if it cannot be read; owned by libdw;
 * NULL: there is no such unit.
 */
const char *debug_lacking_any(Dwarf *dw, uint64_t pc);

#endif /* KTAP_DWARF_UNIT_H */
