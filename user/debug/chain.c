// SPDX-License-Identifier: GPL-2.0
/* Through which calls code that was inlined came to be where it is. */
#include <dwarf.h>
#include <stdlib.h>

#include "debug/line.h"

static int number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &value) ||
	    value > INT32_MAX)
		return 0;
	return value;
}

static struct debug_call call_of(Dwarf_Die *die)
{
	struct debug_call call = { .name = dwarf_diename(die) };

	if (dwarf_tag(die) == DW_TAG_inlined_subroutine) {
		call.file = debug_file_of(die, DW_AT_call_file);
		call.line = number_of(die, DW_AT_call_line);
	}
	return call;
}

static bool is_function(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram;
}

int debug_chain(const struct debug_func *func, struct diag *d,
		struct debug_chain *ret)
{
	Dwarf_Die die = func->die, *scopes = NULL;
	int i, nr = dwarf_getscopes_die(&die, &scopes);

	*ret = (struct debug_chain){};
	if (nr <= 0)
		return 0;
	ret->call = calloc(nr, sizeof(*ret->call));
	if (!ret->call) {
		free(scopes);
		return diag_no_memory(d);
	}
	for (i = 0; i < nr; i++)
		if (is_function(&scopes[i]))
			ret->call[ret->nr++] = call_of(&scopes[i]);
	free(scopes);
	return 0;
}

void debug_chain_deinit(struct debug_chain *chain)
{
	free(chain->call);
	*chain = (struct debug_chain){};
}
