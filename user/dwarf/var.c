// SPDX-License-Identifier: GPL-2.0
/* Variables that are in scope at an address. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/file.h"
#include "dwarf/name.h"
#include "dwarf/var.h"
#include "dwarf/walk.h"

/**
 * struct walk - variables of one function
 * @pc: address, of DWARF
 * @strict: leave out blocks of the origin whose copies have code, all of it elsewhere
 * @copy: while blocks of an origin are walked and @strict is set, its copy; else NULL
 * @fn: visitor
 * @ctx: for it
 */
struct walk {
	uint64_t pc;
	bool strict;
	Dwarf_Die *copy;
	debug_var_fn fn;
	void *ctx;
};

static int walk_variables(const struct walk *w, Dwarf_Die *scope, bool globals)
{
	Dwarf_Die child;
	int ret = 0;

	if (dwarf_child(scope, &child))
		return 0;
	do {
		struct debug_var var = { .die = child, .kind = DEBUG_LOCAL };
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_formal_parameter)
			var.kind = DEBUG_PARAM;
		else if (tag != DW_TAG_variable)
			continue;
		if (globals)
			var.kind = DEBUG_GLOBAL;
		ret = w->fn(w->ctx, &var);
	} while (!ret && !dwarf_siblingof(&child, &child));
	return ret;
}

/* Whether a block of @scope, at any depth, has code and is a copy of the block @origin. */
static bool has_block(Dwarf_Die *scope, const Dwarf_Die *origin,
		      unsigned int depth)
{
	Dwarf_Attribute attr;
	Dwarf_Die child, of;

	if (!depth || dwarf_child(scope, &child))
		return false;
	do {
		if (dwarf_tag(&child) != DW_TAG_lexical_block)
			continue;
		if (debug_has_code(&child) &&
		    dwarf_attr(&child, DW_AT_abstract_origin, &attr) &&
		    dwarf_formref_die(&attr, &of) && of.addr == origin->addr)
			return true;
		if (has_block(&child, origin, depth - 1))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

/* A block of the origin says nothing of code: its copy may have some, elsewhere. */
static bool is_empty(const struct walk *w, Dwarf_Die *block)
{
	return !debug_has_code(block) &&
	       !(w->copy && has_block(w->copy, block, DEBUG_DEPTH_MAX));
}

/* Blocks of which no code is left may have variables, which hide no others. */
static int walk_empty(const struct walk *w, Dwarf_Die *scope,
		      unsigned int depth)
{
	Dwarf_Die child;
	int ret = 0;

	if (!depth || dwarf_child(scope, &child))
		return 0;
	do {
		if (dwarf_tag(&child) != DW_TAG_lexical_block ||
		    !is_empty(w, &child))
			continue;
		ret = walk_variables(w, &child, false);
		if (!ret)
			ret = walk_empty(w, &child, depth - 1);
	} while (!ret && !dwarf_siblingof(&child, &child));
	return ret;
}

/* struct name_count - how many variables have that name */
struct name_count {
	const char *name;
	unsigned int nr;
};

static int count_name(void *ctx, const struct debug_var *var)
{
	struct name_count *count = ctx;
	Dwarf_Die die = var->die;
	const char *name = dwarf_diename(&die);

	count->nr += name && !strcmp(name, count->name);
	return 0;
}

/* struct outside - a scope whose blocks without code are looked into, and for whom */
struct outside {
	const struct walk *w;
	Dwarf_Die *scope;
};

/* No block is nearer than another: two of one name are told apart by nothing. */
static int visit_outside(void *ctx, const struct debug_var *var)
{
	const struct outside *o = ctx;
	struct debug_var twin = *var;
	struct name_count count = { .name = dwarf_diename(&twin.die) };
	const struct walk counting = {
		.copy = o->w->copy, .fn = count_name, .ctx = &count,
	};

	if (count.name)
		walk_empty(&counting, o->scope, DEBUG_DEPTH_MAX);
	twin.is_twin = count.nr > 1;
	return o->w->fn(o->w->ctx, &twin);
}

static int walk_outside(const struct walk *w, Dwarf_Die *scope)
{
	struct outside o = { .w = w, .scope = scope };
	const struct walk outside = {
		.copy = w->copy, .fn = visit_outside, .ctx = &o,
	};

	return walk_empty(&outside, scope, DEBUG_DEPTH_MAX);
}

/* Inner blocks first: what they have hides what is around them. */
static int walk_scope(const struct walk *w, Dwarf_Die *scope,
		      unsigned int depth)
{
	Dwarf_Die child;
	int ret = 0;

	if (depth && !dwarf_child(scope, &child)) {
		do {
			if (dwarf_tag(&child) == DW_TAG_lexical_block &&
			    (debug_has_pc(&child, w->pc) ||
			     debug_begins_at(&child, w->pc)))
				ret = walk_scope(w, &child, depth - 1);
		} while (!ret && !dwarf_siblingof(&child, &child));
	}
	if (!ret)
		ret = walk_variables(w, scope, false);
	return ret ? ret : walk_outside(w, scope);
}

/* A visitor of variables that are somewhere. */
static int visit_static(void *ctx, const struct debug_var *var)
{
	const struct walk *w = ctx;
	Dwarf_Die die = var->die;

	if (!dwarf_hasattr(&die, DW_AT_location))
		return 0;
	return w->fn(w->ctx, var);
}

/*
 * What a copy of a function says nothing of, because nothing is left of it, the
 * function itself still has; and of its blocks, which have no code in it, the
 * static variables.
 */
static int walk_origin(const struct walk *w, Dwarf_Die *die)
{
	const struct walk fixed = {
		.copy = w->strict ? die : NULL,
		.fn = visit_static, .ctx = (void *)w,
	};
	Dwarf_Attribute attr;
	Dwarf_Die origin;
	int ret;

	if (!dwarf_attr(die, DW_AT_abstract_origin, &attr) ||
	    !dwarf_formref_die(&attr, &origin))
		return 0;
	ret = walk_variables(w, &origin, false);
	return ret ? ret : walk_outside(&fixed, &origin);
}

static int walk_globals(const struct walk *w, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin = *die, unit;
	int ret = 0;

	if (dwarf_diecu(&origin, &unit, NULL, NULL))
		ret = walk_variables(w, &unit, true);
	/* with link-time optimisation they are where it was defined */
	if (ret || !dwarf_attr(die, DW_AT_abstract_origin, &attr) ||
	    !dwarf_formref_die(&attr, &origin) || origin.cu == die->cu ||
	    !dwarf_diecu(&origin, &unit, NULL, NULL))
		return ret;
	return walk_variables(w, &unit, true);
}

static int walk_function(const struct walk *w, const struct debug_func *func,
			 bool globals)
{
	Dwarf_Die die = func->die;
	int ret;

	ret = walk_scope(w, &die, DEBUG_DEPTH_MAX);
	if (!ret)
		ret = walk_origin(w, &die);
	if (!ret && globals)
		ret = walk_globals(w, &die);
	return ret;
}

int debug_vars(struct debug *dbg, const struct debug_func *func,
	       uint64_t address, bool globals, debug_var_fn fn, void *ctx)
{
	const struct walk w = {
		.pc = debug_to_dwarf(dbg, address), .fn = fn, .ctx = ctx,
	};

	return walk_function(&w, func, globals);
}

/**
 * struct wanted - a variable that is looked for
 * @name: it
 * @found: where it goes
 * @seen: it was found, ...
 * @defined: ... and not only declared
 */
struct wanted {
	const char *name;
	struct debug_var *found;
	bool seen;
	bool defined;
};

static int is_wanted(void *ctx, const struct debug_var *var)
{
	struct wanted *wanted = ctx;
	Dwarf_Die die = var->die;
	const char *name = dwarf_diename(&die);

	if (!name || strcmp(name, wanted->name))
		return 0;
	*wanted->found = *var;
	wanted->seen = true;
	/* what is only declared may be defined further on */
	wanted->defined = !dwarf_hasattr(&die, DW_AT_declaration);
	return wanted->defined;
}

static void find_in(struct debug *dbg, const struct debug_func *func,
		    uint64_t address, bool globals, struct wanted *wanted)
{
	const struct walk w = {
		.pc = debug_to_dwarf(dbg, address), .strict = true,
		.fn = is_wanted, .ctx = wanted,
	};

	walk_function(&w, func, globals);
}

/* What was inlined into @func at @address, from the inside out. */
static void find_inlined(struct debug *dbg, const struct debug_func *func,
			 uint64_t address, struct wanted *wanted)
{
	struct debug_func inner = {};
	Dwarf_Die *scopes;
	int i, nr;

	if (!debug_func_at(dbg, address, true, &inner))
		return;
	nr = dwarf_getscopes_die(&inner.die, &scopes);
	for (i = 0; i < nr && !wanted->seen; i++) {
		if (scopes[i].addr == func->die.addr)
			break;
		if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
			continue;
		inner.die = scopes[i];
		find_in(dbg, &inner, address, false, wanted);
	}
	if (nr > 0)
		free(scopes);
}

/* What @func was inlined into, from the inside out. */
static void find_callers(struct debug *dbg, const struct debug_func *func,
			 uint64_t address, struct wanted *wanted)
{
	struct debug_func outer = *func;
	Dwarf_Die *scopes;
	int nr;

	if (!func->is_inlined)
		return;
	nr = dwarf_getscopes_die(&outer.die, &scopes);
	for (int i = 1; i < nr && !wanted->seen; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag != DW_TAG_inlined_subroutine &&
		    tag != DW_TAG_subprogram)
			continue;
		outer.die = scopes[i];
		find_in(dbg, &outer, address, false, wanted);
		if (tag == DW_TAG_subprogram)
			break;
	}
	if (nr > 0)
		free(scopes);
}

/* ---- scopes of names ------------------------------------------------------------------ */

/**
 * struct scoped - a variable that is looked for in scopes of names
 * @func: that asks
 * @wanted: it
 * @is_whole: its name says which scope it is in
 * @depth: of the scopes that what was found is in, all of which @func is in; -1:
 *	nothing was found
 */
struct scoped {
	Dwarf_Die func;
	struct wanted *wanted;
	bool is_whole;
	int depth;
};

/* What has no place in an object: a member that is declared in it, or defined. */
static bool is_static(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_variable ||
	       (tag == DW_TAG_member && dwarf_hasattr(die, DW_AT_external));
}

static bool has_place(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_location) ||
	       dwarf_hasattr_integrate(die, DW_AT_const_value);
}

static void try_scoped(struct scoped *s, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	struct wanted *wanted = s->wanted;
	int depth = 0;

	if (!name || !is_static(die))
		return;
	if (s->is_whole ? !debug_is_named(die, wanted->name) :
			  strcmp(name, wanted->name) != 0)
		return;
	if (!s->is_whole)
		depth = debug_sees(&s->func, die);
	if (depth < s->depth || depth < 0 ||
	    (depth == s->depth && (wanted->defined || !has_place(die))))
		return;
	*wanted->found = (struct debug_var){ .die = *die, .kind = DEBUG_GLOBAL };
	wanted->seen = true;
	wanted->defined = has_place(die);
	s->depth = depth;
}

static void walk_scopes(struct scoped *s, Dwarf_Die *scope, unsigned int depth)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(scope, &child))
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
			walk_scopes(s, &child, depth - 1);
			break;
		default:
			try_scoped(s, &child);
		}
	} while (!dwarf_siblingof(&child, &child));
}

static bool walk_unit(void *ctx, Dwarf_Die *unit)
{
	struct scoped *s = ctx;

	walk_scopes(s, unit, DEBUG_DEPTH_MAX);
	return !s->wanted->defined;
}

/*
 * ns::var and Class::var, of @func's unit, else of any; and var alone, where the
 * function is in that scope, too: the innermost one has it.
 */
static void find_scoped(struct debug *dbg, const struct debug_func *func,
			struct wanted *wanted)
{
	struct scoped s = {
		.func = func->die, .wanted = wanted, .depth = -1,
		.is_whole = strstr(wanted->name, "::"),
	};
	Dwarf_Die unit;

	if (!s.is_whole && !debug_is_scoped(&s.func))
		return;
	if (dwarf_diecu(&s.func, &unit, NULL, NULL))
		walk_scopes(&s, &unit, DEBUG_DEPTH_MAX);
	if (s.is_whole && !wanted->defined)
		debug_walk_units(dbg->dw, walk_unit, &s);
}

/*
 * A static variable of a block that has code elsewhere can be read here as well. It is
 * out of scope. If several functions have one, there is no way to choose between them.
 */
static void find_elsewhere(struct debug *dbg, const struct debug_func *func,
			   uint64_t address, struct wanted *wanted)
{
	struct debug_func outer = *func;
	struct debug_var var;
	struct wanted more = { .name = wanted->name, .found = &var };
	Dwarf_Die *scopes;
	int nr = dwarf_getscopes_die(&outer.die, &scopes);

	for (int i = 0; i < nr; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag != DW_TAG_inlined_subroutine &&
		    tag != DW_TAG_subprogram)
			continue;
		outer.die = scopes[i];
		if (!debug_vars(dbg, &outer, address, false, is_wanted, &more))
			continue;
		if (!wanted->seen)
			*wanted->found = var;
		else if (var.die.addr != wanted->found->die.addr)
			wanted->found->is_twin = true;
		wanted->seen = true;
	}
	if (nr > 0)
		free(scopes);
}

/*
 * A variable of the file comes before those of callers, as it does in C, and in
 * C++ one of the function's class or namespace before it.
 */
bool debug_find_var(struct debug *dbg, const struct debug_func *func,
		    uint64_t address, const char *name, struct debug_var *ret)
{
	struct wanted wanted = { .name = name, .found = ret };

	find_in(dbg, func, address, false, &wanted);
	if (!wanted.seen)
		find_inlined(dbg, func, address, &wanted);
	if (!wanted.seen)
		find_scoped(dbg, func, &wanted);
	if (!wanted.defined)
		find_in(dbg, func, address, true, &wanted);
	if (!wanted.seen)
		find_callers(dbg, func, address, &wanted);
	if (!wanted.seen)
		find_elsewhere(dbg, func, address, &wanted);
	return wanted.seen;
}
