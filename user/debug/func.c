// SPDX-License-Identifier: GPL-2.0
/*
 * Functions: by name and by address. One name may stand for several functions,
 * and each for code of its own and for the places where it was inlined.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug/file.h"
#include "debug/line.h"
#include "debug/name.h"
#include "util/array.h"

#define DEPTH_MAX 256

/**
 * struct search - a function being looked for
 * @dbg: debug information
 * @name: it
 * @file: end of the path of the file that defines it; or NULL
 * @owner: of the code that is being walked over
 * @origin: functions of that name that were inlined: where their DIEs are; owned
 * @nr_origins: how many
 * @is_private: what was found no other unit has
 * @failed: out of memory
 * @ret: what was found
 */
struct search {
	struct debug *dbg;
	const char *name;
	const char *file;
	Dwarf_Die owner;
	const void **origin;
	size_t nr_origins;
	bool is_private;
	bool failed;
	struct debug_funcs *ret;
};

/* ---- entries ------------------------------------------------------------------------ */

/* Instructions behind a symbol that do nothing until a tracer makes them a call:
 * compilers say that the function begins behind them.
 */
#define ROOM_MAX 16

/* Where the symbol is of the function that begins at @first */
static uint64_t symbol_of(struct debug *dbg, uint64_t first)
{
	uint64_t symbol;

	if (!debug_function_symbol(dbg, first, &symbol))
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

/* ---- by name --------------------------------------------------------------------- */

static bool is_named(const struct search *s, Dwarf_Die *die)
{
	return debug_is_named(die, s->name) &&
	       (!s->file || debug_ends_with(dwarf_decl_file(die), s->file));
}

/* Where the call was that @die is a copy for; units number files in their own ways. */
static const char *call_file(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word nr;
	Dwarf_Die unit;

	if (!dwarf_attr(die, DW_AT_call_file, &attr) ||
	    dwarf_formudata(&attr, &nr) ||
	    !dwarf_diecu(die, &unit, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, NULL))
		return NULL;
	return dwarf_filesrc(files, nr, NULL, NULL);
}

/*
 * The rest of a function that gcc split in two is called by itself where it is
 * declared: it is part of a call that was seen before. What a macro makes on one
 * line may be called there too, but by others.
 */
static bool is_called_at_declaration(Dwarf_Die *die)
{
	const char *from, *file;
	Dwarf_Attribute attr;
	Dwarf_Word call;
	int line;

	if (!dwarf_attr(die, DW_AT_call_line, &attr) ||
	    dwarf_formudata(&attr, &call) || dwarf_decl_line(die, &line) ||
	    call != (Dwarf_Word)line)
		return false;
	from = call_file(die);
	file = dwarf_decl_file(die);
	return from && file && !strcmp(from, file);
}

static void put(struct search *s, Dwarf_Die *die, bool inside)
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
		.is_rest = inside && is_called_at_declaration(die),
	};
}

static void put_origin(struct search *s, Dwarf_Die *die)
{
	const void **origin;

	origin = array_grow(s->origin, s->nr_origins, sizeof(*origin));
	s->failed |= !origin;
	if (!origin)
		return;
	s->origin = origin;
	origin[s->nr_origins++] = die->addr;
}

static bool has_code(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_low_pc) ||
	       dwarf_hasattr(die, DW_AT_ranges);
}

/* Static, and in no header: each unit that includes one has its own. */
static bool is_private(Dwarf_Die *unit, Dwarf_Die *die)
{
	const char *file = dwarf_decl_file(die), *name = dwarf_diename(unit);

	/* compilers write either of them with or without its directory */
	return file && name &&
	       (debug_ends_with(file, name) || debug_ends_with(name, file));
}

static void take_named(struct search *s, Dwarf_Die *unit, Dwarf_Die *die)
{
	s->is_private &= is_private(unit, die);
	if (has_code(die)) {
		s->owner = *die;
		put(s, die, false);
	} else if (!dwarf_hasattr(die, DW_AT_declaration)) {
		/* link-time optimisation does not say which ones it inlines */
		put_origin(s, die);
	}
}

/* Functions of that name in @die, a unit, or a scope of names in it. */
static void find_named(struct search *s, Dwarf_Die *unit, Dwarf_Die *die,
		       unsigned int depth)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram && is_named(s, &child))
			take_named(s, unit, &child);
		else if (tag == DW_TAG_namespace || tag == DW_TAG_module)
			find_named(s, unit, &child, depth - 1);
	} while (!s->failed && !dwarf_siblingof(&child, &child));
}

static int compare_places(const void *a, const void *b)
{
	const void *const *x = a, *const *y = b;

	return (*x > *y) - (*x < *y);
}

/* Origins are met in the order of the file: they are sorted. */
static bool is_copy(const struct search *s, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	return s->nr_origins && dwarf_attr(die, DW_AT_abstract_origin, &attr) &&
	       dwarf_formref_die(&attr, &origin) &&
	       bsearch(&origin.addr, s->origin, s->nr_origins,
		       sizeof(*s->origin), compare_places);
}

/* Copies that were inlined into @die and what is inlined there. @inside: that is
 * one of them itself.
 */
static void find_copies(struct search *s, Dwarf_Die *die, unsigned int depth,
			bool inside)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		bool found = tag == DW_TAG_inlined_subroutine &&
			     is_copy(s, &child);

		if (found)
			put(s, &child, inside);
		if (tag == DW_TAG_inlined_subroutine ||
		    tag == DW_TAG_lexical_block)
			find_copies(s, &child, depth - 1, inside || found);
	} while (!s->failed && !dwarf_siblingof(&child, &child));
}

/* The same in all functions of @die, a unit or a scope of names in it. */
static void find_inlined(struct search *s, Dwarf_Die *die, unsigned int depth)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram && has_code(&child)) {
			s->owner = child;
			find_copies(s, &child, DEPTH_MAX, is_copy(s, &child));
		} else if (tag == DW_TAG_namespace || tag == DW_TAG_module) {
			find_inlined(s, &child, depth - 1);
		}
	} while (!s->failed && !dwarf_siblingof(&child, &child));
}

/* What link-time optimisation made has copies of what other units define. */
static bool is_linked(Dwarf_Die *unit)
{
	const char *name = dwarf_diename(unit);

	return name && !strcmp(name, "<artificial>");
}

static void search_unit(struct search *s, Dwarf_Die *unit)
{
	size_t before = s->nr_origins;

	find_named(s, unit, unit, DEPTH_MAX);
	if (s->nr_origins > before)
		find_inlined(s, unit, DEPTH_MAX);
}

static void search_all(struct search *s)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;

	while (!s->failed && !dwarf_get_units(s->dbg->dw, cu, &cu, NULL, &type,
					      &unit, NULL))
		if (type != DW_UT_type)
			search_unit(s, &unit);
	cu = NULL;
	while (!s->failed && s->nr_origins &&
	       !dwarf_get_units(s->dbg->dw, cu, &cu, NULL, &type, &unit, NULL))
		if (is_linked(&unit))
			find_inlined(s, &unit, DEPTH_MAX);
}

static int compare_funcs(const void *a, const void *b)
{
	const struct debug_func *x = a, *y = b;

	return (x->entry > y->entry) - (x->entry < y->entry);
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
	if (address && debug_unit(dbg, address, &unit))
		search_unit(&s, &unit);
	if (!s.failed && (!ret->nr || !s.is_private)) {
		debug_funcs_deinit(ret);
		s.nr_origins = 0;
		search_all(&s);
	}
	free(s.origin);
	if (s.failed) {
		debug_funcs_deinit(ret);
		return diag_no_memory(d);
	}
	if (ret->nr)
		qsort(ret->func, ret->nr, sizeof(*ret->func), compare_funcs);
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

/* Not every compiler writes a table of addresses. */
Dwarf_Die *debug_unit(struct debug *dbg, uint64_t address, Dwarf_Die *ret)
{
	uint64_t pc = address - dbg->shift;
	Dwarf_CU *cu = NULL;
	uint8_t type;

	if (dwarf_addrdie(dbg->dw, pc, ret))
		return ret;
	while (!dwarf_get_units(dbg->dw, cu, &cu, NULL, &type, ret, NULL))
		if (type != DW_UT_type && dwarf_haspc(ret, pc) > 0)
			return ret;
	return NULL;
}

/* The function in @die whose code is at @pc. */
static bool find_owner(Dwarf_Die *die, uint64_t pc, unsigned int depth,
		       Dwarf_Die *ret)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(die, &child))
		return false;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram && debug_has_pc(&child, pc)) {
			*ret = child;
			return true;
		}
		if ((tag == DW_TAG_namespace || tag == DW_TAG_module) &&
		    find_owner(&child, pc, depth - 1, ret))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
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

	if (find_owner(unit, pc, DEPTH_MAX, ret))
		return true;
	for (unsigned int i = 4; i <= ROOM_MAX; i += 4)
		if (find_owner(unit, pc + i, DEPTH_MAX, ret))
			return debug_entry(dbg, ret, &entry) &&
			       entry <= pc + dbg->shift;
	return false;
}

bool debug_func_at(struct debug *dbg, uint64_t address, bool inlined,
		   struct debug_func *ret)
{
	uint64_t pc = address - dbg->shift;
	Dwarf_Die unit;

	if (!debug_unit(dbg, address, &unit) ||
	    !find_owner_near(dbg, &unit, pc, &ret->owner))
		return false;
	ret->die = ret->owner;
	ret->is_rest = false;
	ret->is_inlined = inlined && find_inner(&ret->die, pc, DEPTH_MAX);
	return debug_entry(dbg, &ret->die, &ret->entry);
}
