// SPDX-License-Identifier: GPL-2.0
/*
 * Variables as debug information has them: what is where at the probe. What is
 * in pieces is put together when its value is wanted, and a pointer that is
 * nowhere is followed to what it would point at.
 */
#include <dwarf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/vars_in.h"
#include "util/buf.h"
#include "util/suggest.h"

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

static int no_variable(struct vars *v, const struct expr *e)
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

static int no_location(struct vars *v, const struct expr *e, Dwarf_Die *die,
		       enum loc_why why)
{
	_cleanup_free_ char *at = place_text(v);

	if (!at)
		return diag_no_memory(v->d);
	vars_fail(v, e, DIAG_VAR_NO_LOCATION, VARS_QUOTE(v, e), at,
		  loc_why_text(why));
	if (why != LOC_ABSENT)
		hint_ranges(v, die);
	return -ENODATA;
}

/* ---- values ------------------------------------------------------------------------- */

/* @made takes the place of *@e. */
static void replace(struct expr *e, struct expr *made)
{
	struct span at = e->at, name_at = e->name_at;

	expr_free(e->base);
	expr_free(e->right);
	expr_free(e->third);
	free(e->text);
	*e = *made;
	e->at = at;
	e->name_at = name_at;
	free(made);
}

/* The type's bytes at the address that *@e is. */
static int as_memory(struct vars *v, struct expr *e, struct ctype type,
		     struct value *ret)
{
	int err = vars_wrap(v, e, EXPR_DEREF);

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
static int give(struct vars *v, struct expr *e, struct loc *loc,
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
	replace(e, take_ptr(loc->expr));
	if (kind == LOC_MEMORY)
		return as_memory(v, e, type, ret);
	return 0;
}

/* Whether it is somewhere else at another time */
static bool moves(const struct expr *e)
{
	return e && (e->kind == EXPR_REG || e->kind == EXPR_FRAME ||
		     moves(e->base) || moves(e->right) || moves(e->third));
}

/* What a function is given is taken along from its entry to its return. */
static int from_entry(struct vars *v, struct expr *e, struct value *x)
{
	if (x->loc || (x->is_memory && !is_scalar(&x->type)))
		return vars_fail(v, e, DIAG_VAR_AT_RETURN, VARS_QUOTE(v, e));
	if (x->is_memory) {
		int err = vars_load(v, e, x);

		if (err)
			return err;
	}
	return vars_wrap(v, e, EXPR_ENTRY);
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

int vars_variable(struct vars *v, struct expr *e, struct value *ret)
{
	const struct site *site = v->site;
	struct debug_var var;
	struct loc loc = {};
	enum loc_why why;
	int err;

	if (!debug_find_var(site->dbg, &site->func, site->address, e->text,
			    &var))
		return no_variable(v, e);
	if (is_given(v, &var))
		return vars_param(v, e, ret);
	err = loc_find(site, v->arch, &var.die, e->at, &why, &loc);
	if (err == -ENODATA)
		return no_location(v, e, &var.die, why);
	if (err)
		return diag_no_memory(v->d);
	err = give(v, e, &loc, 0,
		   debug_type_of(debug_types(site->dbg), &var.die), ret);
	loc_deinit(&loc);
	if (err || !type_is_return(v->place->type) || (!ret->loc && !moves(e)))
		return err;
	if (var.kind == DEBUG_PARAM)
		return from_entry(v, e, ret);
	return vars_fail(v, e, DIAG_VAR_GONE, VARS_QUOTE(v, e));
}

/* ---- pieces ------------------------------------------------------------------------- */

/**
 * struct bits - a part of what is in pieces
 * @from: the first one
 * @width: how many
 */
struct bits {
	uint64_t from;
	uint64_t width;
};

/* Those of @piece, which begins at @start, that are in @want. */
static bool overlap(const struct loc_piece *piece, uint64_t start,
		    const struct bits *want, struct bits *ret)
{
	uint64_t end = start + piece->bits, last = want->from + want->width;

	ret->from = start > want->from ? start : want->from;
	if (end > last)
		end = last;
	if (end <= ret->from)
		return false;
	ret->width = end - ret->from;
	return true;
}

/* @made in @e's place, or the news that memory ran out. */
static struct expr *wrapped(struct vars *v, struct expr *e, int err)
{
	if (!err)
		return e;
	expr_free(e);
	return NULL;
}

static struct expr *shifted(struct vars *v, struct expr *e, enum expr_op op,
			    uint64_t bits)
{
	return e && bits ? wrapped(v, e, vars_op(v, e, op, bits)) : e;
}

/* @bits bits of @e from @shift on, without a sign */
static struct expr *cut(struct vars *v, struct expr *e, uint64_t shift,
			uint64_t bits)
{
	int err;

	if (!e || (!shift && bits == 64))
		return e;
	err = vars_cast(v, e, TYPE_BITS, 8);
	e->type.bit_offset = shift;
	e->type.bit_width = bits;
	return wrapped(v, e, err);
}

/* The bits of @piece behind its first @skip ones. */
static struct expr *piece_bits(struct vars *v, const struct loc_piece *piece,
			       uint64_t skip, uint64_t width)
{
	uint64_t shift = piece->shift + skip;
	struct expr *e = expr_copy(piece->expr);

	if (!e || piece->kind == LOC_NUMBER)
		return cut(v, e, shift, width);
	if (shift / 8)
		e = wrapped(v, e, vars_op(v, e, OP_ADD, shift / 8));
	if (e)
		e = wrapped(v, e, vars_wrap(v, e, EXPR_DEREF));
	if (e) {
		e->user = v->site->is_user;
		vars_fold(e);
	}
	return cut(v, e, shift % 8, width);
}

/* @sum | @part, both of which are taken; @sum may be none yet. */
static struct expr *put_together(struct vars *v, struct expr *sum,
				 struct expr *part)
{
	if (!sum || !part) {
		expr_free(sum);
		return part;
	}
	if (vars_wrap(v, sum, EXPR_BINARY)) {
		expr_free(sum);
		expr_free(part);
		return NULL;
	}
	sum->op = OP_OR;
	sum->right = part;
	if (sum->height <= part->height)
		sum->height = part->height + 1;
	return sum;
}

static int nowhere(struct vars *v, const struct expr *e)
{
	_cleanup_free_ char *at = place_text(v);

	if (!at)
		return diag_no_memory(v->d);
	vars_fail(v, e, DIAG_VAR_NO_LOCATION, VARS_QUOTE(v, e), at,
		  loc_why_text(LOC_UNDEFINED));
	return -ENODATA;
}

/* The bits @want of @loc as one number, in *@ret. */
static int collect(struct vars *v, const struct expr *e, const struct loc *loc,
		   const struct bits *want, struct expr **ret)
{
	uint64_t start = 0, found = 0;
	struct expr *sum = NULL, *part;
	struct bits b;
	size_t i;

	for (i = 0; i < loc->nr; start += loc->piece[i++].bits) {
		if (!overlap(&loc->piece[i], start, want, &b) ||
		    !loc->piece[i].expr)
			continue;
		part = piece_bits(v, &loc->piece[i], b.from - start, b.width);
		part = shifted(v, part, OP_SHL, b.from - want->from);
		sum = put_together(v, sum, part);
		if (!sum)
			return diag_no_memory(v->d);
		found += b.width;
	}
	if (found == want->width) {
		*ret = sum;
		return 0;
	}
	expr_free(sum);
	return nowhere(v, e);
}

int vars_extract(struct vars *v, struct expr *e, struct value *x)
{
	struct bits want = { x->loc_bits, x->type.size * 8 };
	struct expr *made = NULL;
	int err;

	if (x->bit_width) {
		want.from += x->bit_offset;
		want.width = x->bit_width;
	}
	err = collect(v, e, x->loc, &want, &made);
	if (err)
		return err;
	replace(e, made);
	x->loc = NULL;
	if (x->bit_width) {
		x->bit_offset = 0;
		x->unit = 8;
	}
	return 0;
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
		.kind = LOC_NUMBER, .expr = take_ptr(loc->expr),
		/* of a constant that is no variable the type is not known */
		.bits = (type->size ? type->size : 8) * 8,
	};
	loc->piece = piece;
	loc->nr = 1;
	loc->kind = LOC_PIECES;
}

int vars_follow(struct vars *v, struct expr *e, struct value *x)
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
	if (loc.kind == LOC_MEMORY && offset && loc.expr)
		err = vars_op(v, loc.expr, OP_ADD, offset);
	if (!err && (loc.kind == LOC_NUMBER ||
		     (loc.kind == LOC_PIECES && offset < 0)))
		err = nowhere(v, e);
	if (!err)
		err = give(v, e, &loc, (uint64_t)offset * 8, type, x);
	loc_deinit(&loc);
	return err;
}
