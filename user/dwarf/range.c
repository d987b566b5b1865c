// SPDX-License-Identifier: GPL-2.0
/* Over which part of a function a variable has a value. */
#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "dwarf/file.h"
#include "dwarf/line.h"
#include "dwarf/var.h"

/* More of them are of no help in a hint. */
#define HINTS_MAX 4

int debug_line_at(struct debug *dbg, uint64_t address, const char **file)
{
	uint64_t pc = debug_to_dwarf(dbg, address);
	Dwarf_Line *line;
	Dwarf_Die unit;
	int nr;

	*file = NULL;
	if (!debug_unit(dbg, address, &unit))
		return 0;
	line = dwarf_getsrc_die(&unit, pc);
	if (!line || dwarf_lineno(line, &nr))
		return 0;
	*file = dwarf_linesrc(line, NULL, NULL);
	return nr;
}

/* How many functions @func is inlined into, and itself; 0: not known */
static size_t depth_of(struct debug *dbg, const struct debug_func *func)
{
	struct debug_chain chain;
	size_t nr;

	if (debug_chain(dbg, func, NULL, &chain))
		return 0;
	nr = chain.nr;
	debug_chain_deinit(&chain);
	return nr;
}

/* The line of the function whose chain is @depth long: where something was inlined
 * into it, that of the call.
 */
static int own_line(struct debug *dbg, uint64_t address, size_t depth)
{
	struct debug_chain chain;
	struct debug_func inner;
	const char *file;
	int line = debug_line_at(dbg, address, &file);

	if (!debug_func_at(dbg, address, true, &inner) ||
	    debug_chain(dbg, &inner, NULL, &chain))
		return line;
	if (depth && chain.nr > depth)
		line = chain.call[chain.nr - depth - 1].line;
	debug_chain_deinit(&chain);
	return line;
}

/* What offsets are written from: the symbol of the code, also where another
 * function was inlined in it
 */
static uint64_t start_of(struct debug *dbg, const struct debug_func *func)
{
	Dwarf_Die owner = func->owner;
	uint64_t entry;

	return debug_entry(dbg, &owner, &entry) ? entry : 0;
}

int debug_ranges(struct debug *dbg, const struct debug_func *func,
		 Dwarf_Die *die, struct debug_ranges *ret)
{
	Dwarf_Addr base, start, end;
	size_t depth = depth_of(dbg, func);
	struct debug_range *range;
	Dwarf_Attribute attr;
	ptrdiff_t next = 0;
	Dwarf_Op *ops;
	size_t size;

	*ret = (struct debug_ranges){ .start = start_of(dbg, func) };
	if (!dwarf_attr_integrate(die, DW_AT_location, &attr)) {
		ret->always = dwarf_hasattr_integrate(die, DW_AT_const_value);
		return 0;
	}
	ret->always = dwarf_whatform(&attr) == DW_FORM_exprloc;
	while (!ret->always &&
	       (next = dwarf_getlocations(&attr, next, &base, &start, &end,
					  &ops, &size)) > 0) {
		if (!size || start == end)
			continue;
		range = array_grow(ret->range, ret->nr, sizeof(*range));
		if (!range) {
			debug_ranges_deinit(ret);
			return -ENOMEM;
		}
		ret->range = range;
		range += ret->nr++;
		range->start = start + dbg->shift;
		range->end = end + dbg->shift;
		range->first = own_line(dbg, range->start, depth);
		range->last = own_line(dbg, range->end - 1, depth);
	}
	return 0;
}

void debug_ranges_deinit(struct debug_ranges *ranges)
{
	free(ranges->range);
	*ranges = (struct debug_ranges){};
}

void debug_put_range(const struct debug_ranges *ranges, size_t i,
		     struct buf *b)
{
	const struct debug_range *r = &ranges->range[i];

	if (r->start >= ranges->start)
		buf_printf(b, "+0x%" PRIx64 "..+0x%" PRIx64,
			   r->start - ranges->start, r->end - ranges->start);
	else
		buf_printf(b, "0x%" PRIx64 "..0x%" PRIx64, r->start, r->end);
	if (r->first && r->first == r->last)
		buf_printf(b, " (line %d)", r->first);
	else if (r->first && r->last)
		buf_printf(b, " (lines %d and %d)", r->first, r->last);
}

void debug_put_ranges(struct debug *dbg, const struct debug_func *func,
		      Dwarf_Die *die, struct buf *b)
{
	struct debug_ranges ranges;

	if (debug_ranges(dbg, func, die, &ranges))
		return;
	for (size_t i = 0; i < ranges.nr && i < HINTS_MAX; i++) {
		buf_puts(b, i ? ", " : "");
		debug_put_range(&ranges, i, b);
	}
	if (ranges.nr > HINTS_MAX)
		buf_puts(b, " and more");
	debug_ranges_deinit(&ranges);
}
