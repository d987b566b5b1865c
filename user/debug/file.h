/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the room: an open file. */
#ifndef KTAP_DEBUG_FILE_H
#define KTAP_DEBUG_FILE_H

#include <elfutils/libdwfl.h>

#include "debug/debug.h"

/**
 * struct debug - debug information of one file
 * @path: of the file that was named; owned
 * @dwfl: what finds the rest
 * @mod: the one module in it
 * @dw: DWARF, of @mod
 * @shift: added to an address of DWARF it is one of the file
 * @types: made when they are asked for; owned
 */
struct debug {
	char *path;
	Dwfl *dwfl;
	Dwfl_Module *mod;
	Dwarf *dw;
	uint64_t shift;
	struct debug_types *types;
};

#endif /* KTAP_DEBUG_FILE_H */
