// SPDX-License-Identifier: GPL-2.0
/*
 * Functions: by name and by address. One name may stand for several functions,
 * and each for code of its own and for the places where it was inlined.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/file.h"
#include "dwarf/func.h"
#include "dwarf/index/index.h"
#include "dwarf/line.h"
#include "dwarf/name.h"
#include "dwarf/walk.h"
#include "dwarf/part.h"
#include "dwarf/unit.h"
#include "base/array.h"

/* struct origin - where the DIE of a function is, and in which unit */
struct origin {
	const void *addr;
	const void *cu;
};

/**
 * struct search - a function being looked for
 * @dbg: debug information
 * @name: it
 * @file: end of the path of the file that defines it; or NULL
 * @unit: that is being looked at
 * @owner: of the code that is being walked over
 * @origin: functions of that name that were inlined, in the order of the file;
 *	owned
 * @nr_origins: how many
 * @has_shared: some of them are in units that others include, or refer to
 * @is_private: what was found no other unit has
 * @failed: out of memory
 * @ret: what was found
 */
struct search {
	struct debug *dbg;
	const char *name;
	const char *file;
	Dwarf_Die unit;
	Dwarf_Die owner;
	struct origin *origin;
	size_t nr_origins;
	bool has_shared;
	bool is_private;
	bool failed;
	struct debug_funcs *ret;
};

/* ---- entries ------------------------------------------------------------------------ */

/* Instructions behind a symbol that do nothing until a tracer makes them a call:
 * compilers say that the function begins behind them.
 */
#define ROOM_MAX 16

/*
 * Where the symbol is of the function that begins at @first. Where it has none, the
 * symbol in front of it may be another function's, which has no size.
 */
static uint64_t symbol_of(struct debug *dbg, uint64_t first)
{
	uint64_t symbol, end;

	if (!debug_function_symbol(dbg, first, &symbol, &end) || end <= first)
		return first;
	return first - symbol <= ROOM_MAX ? symbol : first;
}

/* Without an entry of its own it begins where its first part does. */
static bool get_first(const struct debug *dbg, Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Addr entry, base, end;

	if (dwarf_entrypc(die, &entry) &&
	    dwarf_ranges(die, 0, &base, &entry, &end) <= 0)
		return false;
	*ret = entry + dbg->shift;
	return true;
}

bool debug_entry(struct debug *dbg, Dwarf_Die *die, uint64_t *ret)
{
	if (!get_first(dbg, die, ret))
		return false;
	if (dwarf_tag(die) == DW_TAG_subprogram)
		*ret = symbol_of(dbg, *ret);
	return true;
}

uint64_t debug_first(struct debug *dbg, const struct debug_func *func,
		     uint64_t address)
{
	Dwarf_Die owner = func->owner;
	uint64_t first;

	if (!get_first(dbg, &owner, &first) || address >= first ||
	    address < symbol_of(dbg, first))
		return address;
	return first;
}

void debug_funcs_deinit(struct debug_funcs *funcs)
{
	free(funcs->func);
	*funcs = (struct debug_funcs){};
}

bool debug_has_pc(Dwarf_Die *die, uint64_t pc)
{
	return dwarf_haspc(die, pc) > 0;
}

/* An inlined instance may begin with no code of its own: an empty range, and a view of it. */
bool debug_begins_at(Dwarf_Die *die, uint64_t pc)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	while ((offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0)
		if (start == pc && end == pc)
			return true;
	return false;
}

/* ---- units ----------------------------------------------------------------------- */

/* The first unit that says it has the code */
static bool walk_to(struct debug *dbg, uint64_t pc, Dwarf_Die *ret)
{
	Dwarf_CU *cu = NULL;
	uint8_t type;

	while (!dwarf_get_units(dbg->dw, cu, &cu, NULL, &type, ret, NULL))
		if (type != DW_UT_type && debug_has_pc(ret, pc))
			return true;
	return false;
}

Dwarf_Die *debug_unit(struct debug *dbg, uint64_t address, Dwarf_Die *ret)
{
	uint64_t pc = address - dbg->shift, offset;
	struct index *x = index_of(dbg);

	if (x && index_unit_at(x, pc, &offset))
		return offset ? dwarf_offdie(dbg->dw, offset, ret) : NULL;
	/* not every compiler writes a table of addresses */
	if (!dwarf_addrdie(dbg->dw, pc, ret) && !walk_to(dbg, pc, ret))
		return NULL;
	debug_whole_unit(ret);
	return ret;
}

/* Looking for it in the table of addresses, libdw reads something of each unit, and
 * the kernel maps what is around: of a vmlinux half. Here it ends at the unit.
 */
static bool unit_of_symbol(struct debug *dbg, uint64_t address, Dwarf_Die *ret)
{
	if (index_of(dbg))
		return debug_unit(dbg, address, ret);
	if (!walk_to(dbg, address - dbg->shift, ret))
		return false;
	debug_whole_unit(ret);
	return true;
}

/* ---- by name --------------------------------------------------------------------- */

static bool is_named(const struct search *s, Dwarf_Die *die)
{
	return debug_is_named(die, s->name) &&
	       (!s->file ||
		debug_ends_with(debug_file_of(s->dbg, die, DW_AT_decl_file),
				s->file));
}

/*
 * The rest of a function that gcc split in two is called by itself where it is
 * declared: it is part of a call that was seen before. What a macro makes on one
 * line may be called there too, but by others.
 */
static bool is_called_at_declaration(struct debug *dbg, Dwarf_Die *die)
{
	const char *from, *file;
	Dwarf_Attribute attr;
	Dwarf_Word call;
	int line;

	if (!dwarf_attr(die, DW_AT_call_line, &attr) ||
	    dwarf_formudata(&attr, &call) || dwarf_decl_line(die, &line) ||
	    call != (Dwarf_Word)line)
		return false;
	from = debug_file_of(dbg, die, DW_AT_call_file);
	file = debug_file_of(dbg, die, DW_AT_decl_file);
	return from && file && !strcmp(from, file);
}

static int compare_origins(const void *a, const void *b)
{
	const struct origin *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* Origins are met in the order of the file: they are sorted. */
static bool is_copy(const struct search *s, Dwarf_Die *die)
{
	struct origin like = {};
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	if (!s->nr_origins || !dwarf_attr(die, DW_AT_abstract_origin, &attr) ||
	    !dwarf_formref_die(&attr, &origin))
		return false;
	like.addr = origin.addr;
	return bsearch(&like, s->origin, s->nr_origins, sizeof(like),
		       compare_origins);
}

/* Whether @die is in a copy of the same function, or in the function. */
static bool is_inside(const struct search *s, const Dwarf_Die *die)
{
	Dwarf_Die at = s->owner;

	do {
		if (is_copy(s, &at))
			return true;
	} while (debug_step_to(&at, die) && at.addr != die->addr);
	return false;
}

static void put(struct search *s, Dwarf_Die *die)
{
	struct debug_funcs *fs = s->ret;
	struct debug_func *func;
	uint64_t entry;

	if (!debug_entry(s->dbg, die, &entry))
		return;
	func = array_grow(fs->func, fs->nr, sizeof(*func));
	s->failed |= !func;
	if (!func)
		return;
	fs->func = func;
	func[fs->nr++] = (struct debug_func){
		.die = *die, .owner = s->owner,
		.entry = entry,
		.is_inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine,
		.is_rest = is_called_at_declaration(s->dbg, die) &&
			   is_inside(s, die),
	};
}

static void put_origin(struct search *s, Dwarf_Die *die)
{
	struct origin *origin;

	origin = array_grow(s->origin, s->nr_origins, sizeof(*origin));
	s->failed |= !origin;
	if (!origin)
		return;
	s->origin = origin;
	origin[s->nr_origins++] = (struct origin){ die->addr, die->cu };
}

/* Static, and in no header: each unit that includes one has its own. */
static bool is_private(struct search *s, Dwarf_Die *die)
{
	const char *file = debug_file_of(s->dbg, die, DW_AT_decl_file);
	const char *name = dwarf_diename(&s->unit);

	/* compilers write either of them with or without its directory */
	return file && name &&
	       (debug_ends_with(file, name) || debug_ends_with(name, file));
}

static bool take_named(void *ctx, Dwarf_Die *die)
{
	struct search *s = ctx;

	if (!is_named(s, die))
		return true;
	/* that reads the unit's table of lines: not without need */
	s->is_private = s->is_private && is_private(s, die);
	if (debug_has_code(die)) {
		s->owner = *die;
		put(s, die);
	} else if (!dwarf_hasattr(die, DW_AT_declaration)) {
		/* link-time optimisation does not say which ones it inlines */
		put_origin(s, die);
	}
	return !s->failed;
}

static bool take_copy(void *ctx, Dwarf_Die *die)
{
	struct search *s = ctx;

	if (is_copy(s, die))
		put(s, die);
	return !s->failed;
}

static bool take_copies(void *ctx, Dwarf_Die *die)
{
	struct search *s = ctx;

	if (!debug_has_code(die))
		return true;
	s->owner = *die;
	return debug_walk_copies(die, take_copy, s);
}

static bool search_unit(void *ctx, Dwarf_Die *unit)
{
	struct search *s = ctx;
	size_t before = s->nr_origins;

	s->unit = *unit;
	debug_walk_functions(unit, take_named, s);
	if (s->nr_origins == before)
		return !s->failed;
	s->has_shared |= dwarf_tag(unit) == DW_TAG_partial_unit ||
			 debug_has_siblings(s->dbg->dw, unit);
	return debug_walk_functions(unit, take_copies, s);
}

/* Whether a function of that name was met in @unit: its copies were, too. */
static bool was_searched(const struct search *s, Dwarf_Die *unit)
{
	size_t low = 0, high = s->nr_origins;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->origin[middle].addr < unit->addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->nr_origins && s->origin[low].cu == unit->cu;
}

/* Units that have copies of what others define */
static bool search_copies(void *ctx, Dwarf_Die *unit)
{
	struct search *s = ctx;

	if ((!s->has_shared && !debug_is_linked(unit)) || was_searched(s, unit))
		return true;
	return debug_walk_functions(unit, take_copies, s);
}

/* ---- by name, with an index ------------------------------------------------------ */

static bool take_indexed(struct search *s, uint64_t offset)
{
	Dwarf_Die die;

	return dwarf_offdie(s->dbg->dw, offset, &die) &&
	       dwarf_tag(&die) == DW_TAG_subprogram &&
	       dwarf_diecu(&die, &s->unit, NULL, NULL) && take_named(s, &die);
}

static bool take_indexed_copy(struct search *s, struct index *x, uint64_t offset)
{
	uint64_t owner;
	Dwarf_Die die;

	if (!dwarf_offdie(s->dbg->dw, offset, &die) ||
	    dwarf_tag(&die) != DW_TAG_inlined_subroutine)
		return false;
	if (!is_copy(s, &die))
		return true;
	return index_owner(x, offset, &owner) &&
	       dwarf_offdie(s->dbg->dw, owner, &s->owner) &&
	       dwarf_tag(&s->owner) == DW_TAG_subprogram && take_copy(s, &die);
}

/* False: there is no index that is any good. */
static bool search_index(struct search *s)
{
	struct index *x = index_of(s->dbg);
	struct index_dies dies;
	bool good = true;
	size_t i;

	if (!x || !index_find(x, s->name, &dies))
		return false;
	for (i = 0; good && i < dies.nr_funcs; i++)
		good = take_indexed(s, dies.func[i]);
	for (i = 0; good && s->nr_origins && i < dies.nr_copies; i++)
		good = take_indexed_copy(s, x, dies.copy[i]);
	index_dies_deinit(&dies);
	return good;
}

static void forget(struct search *s)
{
	debug_funcs_deinit(s->ret);
	s->nr_origins = 0;
	s->has_shared = false;
}

static int compare_funcs(const void *a, const void *b)
{
	const struct debug_func *x = a, *y = b;

	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	return (x->die.addr > y->die.addr) - (x->die.addr < y->die.addr);
}

/* What @name says less well is something else, where there is what it says best. */
static void keep_best(struct debug_funcs *fs, const char *name)
{
	enum scoped_match match, best = SCOPED_NONE;
	size_t i, nr = 0;

	for (i = 0; fs->nr > 1 && i < fs->nr; i++) {
		match = debug_name_match(&fs->func[i].die, name);
		if (match > best) {
			best = match;
			nr = 0;
		}
		if (match == best)
			fs->func[nr++] = fs->func[i];
	}
	if (nr)
		fs->nr = nr;
}

int debug_find(struct debug *dbg, const char *name, const char *file,
	       uint64_t address, struct diag *d, struct debug_funcs *ret)
{
	struct search s = {
		.dbg = dbg, .name = name, .file = file, .is_private = true,
		.ret = ret,
	};
	Dwarf_Die unit;

	*ret = (struct debug_funcs){};
	if (address && unit_of_symbol(dbg, address, &unit))
		search_unit(&s, &unit);
	if (!s.failed && (!ret->nr || !s.is_private)) {
		forget(&s);
		if (!search_index(&s) && !s.failed) {
			forget(&s);
			if (debug_walk_units(dbg->dw, search_unit, &s) &&
			    s.nr_origins)
				debug_walk_units(dbg->dw, search_copies, &s);
		}
	}
	free(s.origin);
	if (s.failed) {
		debug_funcs_deinit(ret);
		return diag_no_memory(d);
	}
	keep_best(ret, name);
	if (ret->nr)
		qsort(ret->func, ret->nr, sizeof(*ret->func), compare_funcs);
	debug_mark_parts(dbg, ret);
	return 0;
}

Dwarf_Die debug_origin(const struct debug_func *func)
{
	Dwarf_Die die = func->die, origin;
	Dwarf_Attribute attr;

	if (dwarf_attr(&die, DW_AT_abstract_origin, &attr) &&
	    dwarf_formref_die(&attr, &origin))
		return origin;
	return die;
}

/* ---- by address ------------------------------------------------------------------- */

/* struct at - the function with the code at @pc being looked for */
struct at {
	uint64_t pc;
	Dwarf_Die *ret;
};

static bool is_elsewhere(void *ctx, Dwarf_Die *die)
{
	const struct at *at = ctx;

	if (!debug_has_pc(die, at->pc))
		return true;
	*at->ret = *die;
	return false;
}

/* The index knows which DIEs of a unit are functions. */
static bool walk_indexed(struct debug *dbg, Dwarf_Die *unit, struct at *at,
			 bool *found)
{
	_cleanup_free_ uint64_t *funcs = NULL;
	struct index *x = index_of(dbg);
	bool good = true;
	Dwarf_Die die;
	size_t nr;

	if (!x || !index_funcs(x, dwarf_dieoffset(unit), &funcs, &nr))
		return false;
	*found = false;
	for (size_t i = 0; good && !*found && i < nr; i++) {
		good = dwarf_offdie(dbg->dw, funcs[i], &die) &&
		       dwarf_tag(&die) == DW_TAG_subprogram;
		*found = good && !is_elsewhere(at, &die);
	}
	return good;
}

/* The function in @unit whose code is at @pc. */
static bool find_owner(struct debug *dbg, Dwarf_Die *unit, uint64_t pc,
		       Dwarf_Die *ret)
{
	struct at at = { pc, ret };
	bool found;

	if (walk_indexed(dbg, unit, &at, &found))
		return found;
	return !debug_walk_functions(unit, is_elsewhere, &at);
}

/* *@die becomes what was inlined in it at @pc; false: nothing was. */
static bool find_inner(Dwarf_Die *die, uint64_t pc, unsigned int depth)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(die, &child))
		return false;
	do {
		int tag = dwarf_tag(&child);

		if (tag != DW_TAG_inlined_subroutine &&
		    tag != DW_TAG_lexical_block)
			continue;
		if (!debug_has_pc(&child, pc))
			continue;
		if (find_inner(&child, pc, depth - 1)) {
			*die = child;
			return true;
		}
		if (tag == DW_TAG_inlined_subroutine) {
			*die = child;
			return true;
		}
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

/* The function at @pc; in the room behind a symbol, the one that begins there. */
static bool find_owner_near(struct debug *dbg, Dwarf_Die *unit, uint64_t pc,
			    Dwarf_Die *ret)
{
	uint64_t entry;

	if (find_owner(dbg, unit, pc, ret))
		return true;
	for (unsigned int i = 4; i <= ROOM_MAX; i += 4)
		if (find_owner(dbg, unit, pc + i, ret))
			return debug_entry(dbg, ret, &entry) &&
			       entry <= pc + dbg->shift;
	return false;
}

bool debug_func_at(struct debug *dbg, uint64_t address, bool inlined,
		   struct debug_func *ret)
{
	uint64_t pc = address - dbg->shift;
	struct debug_func func = {};
	Dwarf_Die unit;

	if (!debug_unit(dbg, address, &unit) ||
	    !find_owner_near(dbg, &unit, pc, &func.owner))
		return false;
	func.die = func.owner;
	func.is_inlined = inlined && find_inner(&func.die, pc, DEBUG_DEPTH_MAX);
	if (!debug_entry(dbg, &func.die, &func.entry))
		return false;
	*ret = func;
	return true;
}
