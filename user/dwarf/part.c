// SPDX-License-Identifier: GPL-2.0
/*
 * Parts of functions. gcc splits FUNC into a head, which it may inline into the callers,
 * and FUNC.part.N, which the head calls. A probe on FUNC counts a call at its head, and
 * must not count it again in the part.
 */
#include "dwarf/part.h"

#include <dwarf.h>
#include <string.h>

#include "dwarf/file.h"
#include "dwarf/func.h"
#include "dwarf/walk.h"

/**
 * struct part - the calls of a part
 * @die: the function that may be a part
 * @origin: of the function that it is a part of
 * @nr_inside: calls in heads of this function
 * @nr_outside: other calls
 */
struct part {
	Dwarf_Die die;
	Dwarf_Die origin;
	size_t nr_inside;
	size_t nr_outside;
};

static bool refers(Dwarf_Die *die, unsigned int attribute, const Dwarf_Die *to)
{
	Dwarf_Attribute attr;
	Dwarf_Die found;

	return dwarf_attr(die, attribute, &attr) && dwarf_formref_die(&attr, &found) &&
	       found.addr == to->addr;
}

/* @inside: @scope belongs to the function that the part is of */
static void count_calls(struct part *p, Dwarf_Die *scope, bool inside, unsigned int depth)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(scope, &child))
		return;
	do {
		int tag = dwarf_tag(&child);

		if ((tag == DW_TAG_call_site && refers(&child, DW_AT_call_origin, &p->die)) ||
		    (tag == DW_TAG_GNU_call_site && refers(&child, DW_AT_abstract_origin, &p->die)))
			*(inside ? &p->nr_inside : &p->nr_outside) += 1;
		else if (tag == DW_TAG_lexical_block)
			count_calls(p, &child, inside, depth - 1);
		else if (tag == DW_TAG_inlined_subroutine)
			count_calls(p, &child,
				    inside || refers(&child, DW_AT_abstract_origin, &p->origin),
				    depth - 1);
	} while (!dwarf_siblingof(&child, &child));
}

static bool count_in(void *ctx, Dwarf_Die *func)
{
	struct part *p = ctx;

	if (debug_has_code(func))
		count_calls(p, func,
			    func->addr != p->die.addr &&
			    refers(func, DW_AT_abstract_origin, &p->origin),
			    DEBUG_DEPTH_MAX);
	return true;
}

/* A part is local to its unit, and so are its calls. */
static bool heads_call_it(const struct debug_func *func)
{
	struct part p = { .die = func->die };
	Dwarf_Attribute attr;
	Dwarf_Die unit;

	if (!dwarf_attr(&p.die, DW_AT_abstract_origin, &attr) ||
	    !dwarf_formref_die(&attr, &p.origin) || !dwarf_diecu(&p.die, &unit, NULL, NULL))
		return false;
	debug_walk_functions(&unit, count_in, &p);
	return p.nr_inside && !p.nr_outside;
}

/* Copies of a recursive function call it, too: only the symbol distinguishes a part. */
static bool is_called_part(struct debug *dbg, const struct debug_func *func)
{
	const char *name;
	uint64_t at;
	int pos = 0;

	while (debug_symbol_in(dbg, func->entry, func->entry + 1, &pos, &name, &at))
		if (strstr(name, ".part."))
			return true;
	return false;
}

void debug_mark_parts(struct debug *dbg, struct debug_funcs *funcs)
{
	for (size_t i = 0; funcs->nr > 1 && i < funcs->nr; i++) {
		struct debug_func *func = &funcs->func[i];

		if (!func->is_inlined && heads_call_it(func))
			func->is_rest = is_called_part(dbg, func);
	}
}
