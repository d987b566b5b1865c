/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the room: an open file. */
#ifndef KTAP_DWARF_FILE_H
#define KTAP_DWARF_FILE_H

#include <elfutils/libdwfl.h>

#include "dwarf/debug.h"

struct index;

/* struct debug_code - where the symbol of a function says that its code is */
struct debug_code {
	uint64_t start;
	uint64_t end;
};

/**
 * struct debug - debug information of one file
 * @path: of the file that was named; owned
 * @dwfl: what finds the rest
 * @mod: the one module in it
 * @dw: DWARF, of @mod
 * @shift: added to an address of DWARF it is one of the file
 * @types: made when they are asked for; owned
 * @index: where to look; NULL: there is none, or it was not looked for yet; owned
 * @index_searched: it was
 * @base: debug_set_base(); or NULL
 * @base_ctx: for @base
 * @code: by address; made when it is asked for; owned
 * @nr_codes: how many
 * @sought: name of the type that was looked up last in all units; NULL: none was; owned
 * @sought_kind: enum debug_type_kind of it
 * @found: it, which may be in a .dwo file
 * @has_found: there is one
 */
struct debug {
	char *path;
	Dwfl *dwfl;
	Dwfl_Module *mod;
	Dwarf *dw;
	uint64_t shift;
	struct debug_types *types;
	struct index *index;
	bool index_searched;
	struct debug *(*base)(void *ctx);
	void *base_ctx;
	struct debug_code *code;
	size_t nr_codes;
	char *sought;
	int sought_kind;
	Dwarf_Die found;
	bool has_found;
};

#endif /* KTAP_DWARF_FILE_H */
