// SPDX-License-Identifier: GPL-2.0
/* Through which calls code that was inlined came to be where it is. */
#include <dwarf.h>
#include <stdlib.h>

#include "base/array.h"
#include "dwarf/func.h"
#include "dwarf/line.h"
#include "dwarf/name.h"
#include "dwarf/walk.h"

static struct debug_call call_of(struct debug *dbg, Dwarf_Die *die)
{
	struct debug_call call = {
		.name = dwarf_diename(die), .linkage = debug_linkage_name(die),
	};
	Dwarf_Attribute attr;
	Dwarf_Word line;

	if (dwarf_tag(die) == DW_TAG_inlined_subroutine) {
		call.file = debug_file_of(dbg, die, DW_AT_call_file);
		if (dwarf_attr(die, DW_AT_call_line, &attr) &&
		    !dwarf_formudata(&attr, &line) && line <= INT32_MAX)
			call.line = line;
	}
	return call;
}

static bool is_function(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram;
}

static bool put(struct debug *dbg, struct debug_chain *chain, Dwarf_Die *die)
{
	struct debug_call *more = array_grow(chain->call, chain->nr,
					     sizeof(*more));

	if (!more)
		return false;
	chain->call = more;
	more[chain->nr++] = call_of(dbg, die);
	return true;
}

static void reverse(struct debug_chain *chain)
{
	for (size_t i = 0; i < chain->nr / 2; i++) {
		struct debug_call *other = &chain->call[chain->nr - 1 - i];
		struct debug_call call = chain->call[i];

		chain->call[i] = *other;
		*other = call;
	}
}

/* The way down is in one function: the one up goes through all of the unit. */
int debug_chain(struct debug *dbg, const struct debug_func *func,
		struct diag *d, struct debug_chain *ret)
{
	Dwarf_Die at = func->owner;

	*ret = (struct debug_chain){};
	do {
		if (is_function(&at) && !put(dbg, ret, &at)) {
			debug_chain_deinit(ret);
			return diag_no_memory(d);
		}
	} while (at.addr != func->die.addr && debug_step_to(&at, &func->die));
	reverse(ret);
	return 0;
}

void debug_chain_deinit(struct debug_chain *chain)
{
	free(chain->call);
	*chain = (struct debug_chain){};
}
