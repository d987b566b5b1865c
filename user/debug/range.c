// SPDX-License-Identifier: GPL-2.0
/* Over which part of a function a variable has a value. */
#include <dwarf.h>
#include <inttypes.h>

#include "debug/debug.h"

/* More of them are of no help. */
#define RANGES_MAX 4

/* The line of the code at @pc; 0: not known. */
static int line_at(Dwarf_Die *unit, uint64_t pc)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, pc);
	int nr;

	return line && !dwarf_lineno(line, &nr) ? nr : 0;
}

static void put_range(struct debug *dbg, const struct debug_func *func,
		      uint64_t start, uint64_t end, struct buf *b)
{
	uint64_t shift = debug_to_dwarf(dbg, 0);
	Dwarf_Die die = func->die, unit;
	int first = 0, last = 0;

	if (start - shift >= func->entry)
		buf_printf(b, "+0x%" PRIx64 "..+0x%" PRIx64,
			   start - shift - func->entry,
			   end - shift - func->entry);
	else
		buf_printf(b, "0x%" PRIx64 "..0x%" PRIx64, start - shift,
			   end - shift);
	if (dwarf_diecu(&die, &unit, NULL, NULL)) {
		first = line_at(&unit, start);
		last = line_at(&unit, end - 1);
	}
	if (first && first == last)
		buf_printf(b, " (line %d)", first);
	else if (first && last)
		buf_printf(b, " (lines %d and %d)", first, last);
}

void debug_put_ranges(struct debug *dbg, const struct debug_func *func,
		      Dwarf_Die *die, struct buf *b)
{
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attr;
	ptrdiff_t next = 0;
	size_t size, nr = 0;
	Dwarf_Op *ops;

	if (!dwarf_attr_integrate(die, DW_AT_location, &attr) ||
	    dwarf_whatform(&attr) == DW_FORM_exprloc)
		return;
	while ((next = dwarf_getlocations(&attr, next, &base, &start, &end,
					  &ops, &size)) > 0) {
		if (!size || start == end)
			continue;
		if (nr++ == RANGES_MAX) {
			buf_puts(b, " and more");
			break;
		}
		buf_puts(b, nr > 1 ? ", " : "");
		put_range(dbg, func, start, end, b);
	}
}
