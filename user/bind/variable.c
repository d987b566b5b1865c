// SPDX-License-Identifier: GPL-2.0
/*
 * Variables as debug information has them: what is where at the probe. A
 * pointer that is nowhere is followed to what it would point at.
 */
#include <dwarf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/suggest.h"
#include "bind/bind_in.h"
#include "dwarf/var.h"

/* ---- what is kept ------------------------------------------------------------------- */

void vars_forget(struct vars *v)
{
	struct kept *next;

	for (; v->kept; v->kept = next) {
		next = v->kept->next;
		loc_deinit(&v->kept->loc);
		free(v->kept);
	}
}

/* Takes what is in *@loc. */
static const struct loc *keep(struct vars *v, struct loc *loc)
{
	struct kept *k = calloc(1, sizeof(*k));

	if (!k) {
		loc_deinit(loc);
		diag_no_memory(v->d);
		return NULL;
	}
	k->loc = *loc;
	*loc = (struct loc){};
	k->next = v->kept;
	v->kept = k;
	return &k->loc;
}

/* ---- errors ------------------------------------------------------------------------- */

/* "vfs_read+0x1f" */
static char *place_text(const struct vars *v)
{
	const struct place *place = v->place;
	char *text;
	int n;

	if (place->symbol)
		n = asprintf(&text, "%s+0x%" PRIx64, place->symbol,
			     place->offset);
	else
		n = asprintf(&text, "0x%" PRIx64, place->address);
	return n < 0 ? NULL : text;
}

static int try_name(void *ctx, const struct debug_var *var)
{
	Dwarf_Die die = var->die;
	const char *name = dwarf_diename(&die);

	if (name && *name)
		suggest_try(ctx, name);
	return 0;
}

static int no_variable(struct vars *v, const struct term *e)
{
	_cleanup_free_ char *at = place_text(v);
	const struct site *site = v->site;
	struct suggest s;

	if (!at)
		return diag_no_memory(v->d);
	vars_fail(v, e, DIAG_VAR_NO_VARIABLE, e->text, at);
	suggest_init(&s, e->text, strlen(e->text));
	debug_vars(site->dbg, &site->func, site->address, true, try_name, &s);
	vars_hint_register(v, e->text);
	suggest_hint(&s, "", v->d);
	diag_hint(v->d, "'ktap vars' shows what there is");
	return -EINVAL;
}

/* Where else it is to be had. */
static void hint_ranges(struct vars *v, Dwarf_Die *die)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	debug_put_ranges(v->site->dbg, &v->site->func, die, &b);
	if (b.size)
		diag_hint(v->d, "it is known at %s", buf_str(&b));
}

int vars_unread(struct vars *v, const struct term *e, enum loc_why why)
{
	_cleanup_free_ char *at = place_text(v);

	if (!at)
		return diag_no_memory(v->d);
	return vars_fail(v, e, DIAG_VAR_UNREAD, VARS_QUOTE(v, e), at,
			 loc_why_text(why));
}

static int no_location(struct vars *v, const struct term *e, Dwarf_Die *die,
		       enum loc_why why)
{
	_cleanup_free_ char *at = place_text(v);

	if (!at)
		return diag_no_memory(v->d);
	/* it is there: to mark it as unknown would not be the truth */
	if (why == LOC_REGISTER || why == LOC_VECTOR || why == LOC_FLOAT)
		return vars_unread(v, e, why);
	vars_fail(v, e, DIAG_VAR_NO_LOCATION, VARS_QUOTE(v, e), at,
		  loc_why_text(why));
	if (why != LOC_ABSENT && why != LOC_TWIN)
		hint_ranges(v, die);
	return -ENODATA;
}

int vars_nowhere(struct vars *v, const struct term *e)
{
	_cleanup_free_ char *at = place_text(v);

	if (!at)
		return diag_no_memory(v->d);
	vars_fail(v, e, DIAG_VAR_NO_LOCATION, VARS_QUOTE(v, e), at,
		  loc_why_text(LOC_UNDEFINED));
	return -ENODATA;
}

/* ---- values ------------------------------------------------------------------------- */

void vars_replace(struct term *e, struct term *made)
{
	struct span at = e->at, name_at = e->name_at;

	term_free(e->base);
	term_free(e->right);
	term_free(e->third);
	free(e->text);
	*e = *made;
	e->at = at;
	e->name_at = name_at;
	free(made);
}

/* The type's bytes at the address that *@e is. */
static int as_memory(struct vars *v, struct term *e, struct ctype type,
		     struct value *ret)
{
	int err = vars_wrap(v, e, TERM_DEREF);

	*ret = (struct value){ .type = type, .is_memory = true };
	e->user = v->site->is_user;
	if (!err)
		vars_fold(e);
	return err;
}

static bool is_scalar(const struct ctype *t)
{
	return t->size && t->size <= 8 &&
	       (t->kind == CTYPE_INT || t->kind == CTYPE_POINTER);
}

/* What is found at *@loc, which is taken, becomes *@e; of pieces, from @bits on. */
static int give(struct vars *v, struct term *e, struct loc *loc,
		uint64_t bits, struct ctype type, struct value *ret)
{
	enum loc_kind kind = loc->kind;

	*ret = (struct value){ .type = type, .loc_bits = bits };
	if (kind == LOC_PIECES || kind == LOC_POINTER) {
		ret->loc = keep(v, loc);
		if (!ret->loc)
			return -ENOMEM;
		if (kind == LOC_PIECES && is_scalar(&type))
			return vars_extract(v, e, ret);
		return 0;
	}
	vars_replace(e, take_ptr(loc->term));
	if (kind == LOC_MEMORY)
		return as_memory(v, e, type, ret);
	return 0;
}

/* Whether it is somewhere else at another time */
static bool moves(const struct term *e)
{
	return e && (e->kind == TERM_REG || e->kind == TERM_FRAME ||
		     moves(e->base) || moves(e->right) || moves(e->third));
}

static int at_ret(struct vars *v, const struct term *e)
{
	return vars_fail(v, e, DIAG_COMPILE_AT_RET, VARS_QUOTE(v, e));
}

/* What a function is given is taken along from its entry to its return. */
static int from_entry(struct vars *v, struct term *e, struct value *x)
{
	if (x->loc || (x->is_memory && !is_scalar(&x->type)))
		return vars_fail(v, e, DIAG_VAR_AT_RETURN, VARS_QUOTE(v, e));
	if (x->is_memory) {
		int err = vars_load(v, e, x);

		if (err)
			return err;
	}
	return vars_wrap(v, e, TERM_ENTRY);
}

/*
 * What is not optimised has not stored its parameters yet when the entry is
 * probed for the return: they are where the caller put them.
 */
static bool is_given(const struct vars *v, const struct debug_var *var)
{
	uint64_t end;

	return var->kind == DEBUG_PARAM && type_is_return(v->place->type) &&
	       debug_prologue_end(v->site->dbg, &v->site->func, &end);
}

/* At a return the function's own variables are no more. */
static bool is_gone(const struct vars *v, const struct debug_var *var)
{
	return place_is_return(v->place) && var->kind != DEBUG_PARAM;
}

/* ---- members of the object that a method is called for ------------------------------ */

static int is_this(void *ctx, const struct debug_var *var)
{
	Dwarf_Die die = var->die;
	const char *name = dwarf_diename(&die);

	if (!name || strcmp(name, "this"))
		return 0;
	*(struct debug_var *)ctx = *var;
	return 1;
}

/* Whether @name in the function is this->name. */
static bool is_member(struct vars *v, const char *name)
{
	const struct site *site = v->site;
	struct ctype_member member;
	struct debug_var var;
	struct ctype type;

	if (!debug_vars(site->dbg, &site->func, site->address, false, is_this,
			&var))
		return false;
	type = debug_type_of(debug_types(site->dbg), &var.die);
	type = ctype_target(&type);
	return ctype_find(&type, name, &member);
}

/* *@e, a name, becomes that member. */
static int member_of_this(struct vars *v, struct term *e, struct value *ret)
{
	struct term *base = term_new(TERM_NAME, v->d);

	if (!base)
		return -ENOMEM;
	base->at = e->at;
	base->text = strdup("this");
	e->kind = TERM_MEMBER;
	e->arrow = true;
	e->name_at = e->at;
	e->base = base;
	return base->text ? vars_member(v, e, ret) : diag_no_memory(v->d);
}

/* ---- variables ---------------------------------------------------------------------- */

int vars_variable(struct vars *v, struct term *e, struct value *ret)
{
	const struct site *site = v->site;
	struct debug_var var;
	struct loc loc = {};
	enum loc_why why;
	bool found;
	int err;

	found = debug_find_var(site->dbg, &site->func, site->address, e->text,
			       &var);
	/* in C++ they come before what is around the class */
	if ((!found || var.kind == DEBUG_GLOBAL) && is_member(v, e->text))
		return member_of_this(v, e, ret);
	if (!found)
		return no_variable(v, e);
	if (v->place->at_ret && var.kind == DEBUG_PARAM)
		return at_ret(v, e);
	if (is_given(v, &var))
		return vars_param(v, e, ret);
	if (var.is_twin)
		return no_location(v, e, &var.die, LOC_TWIN);
	err = loc_find(site, v->arch, &var.die, e->at, &why, &loc);
	if (err == -ENODATA && why == LOC_LATER && is_gone(v, &var))
		return vars_fail(v, e, DIAG_VAR_GONE, VARS_QUOTE(v, e));
	if (err == -ENODATA)
		return no_location(v, e, &var.die, why);
	if (err)
		return diag_no_memory(v->d);
	err = give(v, e, &loc, 0,
		   debug_type_of(debug_types(site->dbg), &var.die), ret);
	loc_deinit(&loc);
	if (err || !place_is_return(v->place) || (!ret->loc && !moves(e)))
		return err;
	if (var.kind == DEBUG_PARAM)
		return v->in_entry ? 0 : from_entry(v, e, ret);
	return vars_fail(v, e, DIAG_VAR_GONE, VARS_QUOTE(v, e));
}

/* ---- pointers that are nowhere -------------------------------------------------------- */

/* Where *@target is, as pieces: one, if it is a number. */
static void as_pieces(const struct ctype *type, struct loc *loc)
{
	struct loc_piece *piece;

	if (loc->kind != LOC_NUMBER)
		return;
	piece = calloc(1, sizeof(*piece));
	if (!piece)
		return;
	*piece = (struct loc_piece){
		.kind = LOC_NUMBER, .term = take_ptr(loc->term),
		/* of a constant that is no variable the type is not known */
		.bits = (type->size ? type->size : 8) * 8,
	};
	loc->piece = piece;
	loc->nr = 1;
	loc->kind = LOC_PIECES;
}

int vars_follow(struct vars *v, struct term *e, struct value *x)
{
	struct ctype type = ctype_target(&x->type), whole;
	Dwarf_Die target = x->loc->target;
	int64_t offset = x->loc->offset;
	struct loc loc = {};
	enum loc_why why;
	int err;

	whole = debug_type_of(debug_types(v->site->dbg), &target);
	err = loc_find(v->site, v->arch, &target, e->at, &why, &loc);
	if (err == -ENODATA)
		return no_location(v, e, &target, why);
	if (err)
		return diag_no_memory(v->d);
	as_pieces(&whole, &loc);
	if (loc.kind == LOC_MEMORY && offset && loc.term)
		err = vars_op(v, loc.term, OP_ADD, offset);
	if (!err && (loc.kind == LOC_NUMBER ||
		     (loc.kind == LOC_PIECES && offset < 0)))
		err = vars_nowhere(v, e);
	if (!err)
		err = give(v, e, &loc, (uint64_t)offset * 8, type, x);
	loc_deinit(&loc);
	return err;
}
