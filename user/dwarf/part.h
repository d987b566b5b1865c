/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the room: parts that gcc splits off a function. */
#ifndef KTAP_DWARF_PART_H
#define KTAP_DWARF_PART_H

#include "dwarf/func.h"

/**
 * debug_mark_parts() - set is_rest of parts that only heads call
 * @dbg: debug information
 * @funcs: all code of a function. A FUNC.part.N of which any call is outside of the
 *	function's heads, or not known, stays as it is.
 */
void debug_mark_parts(struct debug *dbg, struct debug_funcs *funcs);

#endif /* KTAP_DWARF_PART_H */
