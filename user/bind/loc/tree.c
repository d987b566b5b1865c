// SPDX-License-Identifier: GPL-2.0
/* Trees that locations become. */
#include <string.h>

#include "bind/loc/machine.h"

static struct expr *make(const struct loc_machine *m, enum expr_kind kind)
{
	struct expr *e = expr_new(kind, NULL);

	if (e)
		e->at = m->at;
	return e;
}

struct expr *loc_number(const struct loc_machine *m, uint64_t value)
{
	struct expr *e = make(m, EXPR_IMM);

	if (!e)
		return NULL;
	e->value = (int64_t)value;
	e->is_unsigned = e->value < 0;
	return e;
}

static char *reg_name(const struct loc_machine *m, unsigned int index)
{
	for (size_t i = 0; i < m->arch->nr_regs; i++)
		if (m->arch->regs[i].index == index)
			return strdup(m->arch->regs[i].name);
	return NULL;
}

struct expr *loc_reg(const struct loc_machine *m, unsigned int index)
{
	struct expr *e = make(m, EXPR_REG);

	if (e)
		e->text = reg_name(m, index);
	if (e && e->text)
		return e;
	expr_free(e);
	return NULL;
}

static unsigned int height_of(const struct expr *e)
{
	return e ? e->height : 0;
}

/* @kind over its operands, of which the last may be none. */
static struct expr *over(const struct loc_machine *m, enum expr_kind kind,
			 struct expr *base, struct expr *right)
{
	struct expr *e = base ? make(m, kind) : NULL;

	if (!e) {
		expr_free(base);
		expr_free(right);
		return NULL;
	}
	e->base = base;
	e->right = right;
	e->height = 1 + (height_of(base) > height_of(right) ?
			 height_of(base) : height_of(right));
	return e;
}

struct expr *loc_binary(const struct loc_machine *m, enum expr_op op,
			struct expr *left, struct expr *right)
{
	struct expr *e = NULL;

	if (right)
		e = over(m, EXPR_BINARY, left, right);
	else
		expr_free(left);
	if (e)
		e->op = op;
	return e;
}

struct expr *loc_unary(const struct loc_machine *m, enum expr_op op,
		       struct expr *base)
{
	struct expr *e = over(m, EXPR_UNARY, base, NULL);

	if (e)
		e->op = op;
	return e;
}

/* Sums of numbers are one number. */
struct expr *loc_add(const struct loc_machine *m, struct expr *base,
		     uint64_t value)
{
	struct expr *number = base;

	if (!base || !value)
		return base;
	if (base->kind == EXPR_BINARY && base->op == OP_ADD)
		number = base->right;
	if (number->kind != EXPR_IMM)
		return loc_binary(m, OP_ADD, base, loc_number(m, value));
	number->value = (int64_t)((uint64_t)number->value + value);
	number->is_unsigned = number->value < 0;
	return base;
}

struct expr *loc_cast(const struct loc_machine *m, struct expr *base,
		      unsigned int size, bool is_signed)
{
	struct expr *e = over(m, EXPR_CAST, base, NULL);

	if (!e)
		return NULL;
	e->type.kind = is_signed ? TYPE_SIGNED : TYPE_UNSIGNED;
	e->type.size = size;
	return e;
}

struct expr *loc_load(const struct loc_machine *m, struct expr *address,
		      unsigned int size)
{
	struct expr *e = over(m, EXPR_DEREF, address, NULL);

	if (!e)
		return NULL;
	e->user = m->site->is_user;
	return size < 8 ? loc_cast(m, e, size, false) : e;
}

struct expr *loc_cond(const struct loc_machine *m, struct expr *test,
		      struct expr *yes, struct expr *no)
{
	struct expr *e = NULL;

	if (yes && no)
		e = over(m, EXPR_COND, test, yes);
	if (!e) {
		if (!yes || !no) {
			expr_free(test);
			expr_free(yes);
		}
		expr_free(no);
		return NULL;
	}
	e->third = no;
	if (e->height <= no->height)
		e->height = no->height + 1;
	return e;
}

struct expr *loc_frame(const struct loc_machine *m, struct expr *cfa,
		       unsigned int index)
{
	struct expr *e = over(m, EXPR_FRAME, cfa, NULL);

	if (!e)
		return NULL;
	e->value = index;
	e->text = reg_name(m, index);
	if (e->text)
		return e;
	expr_free(e);
	return NULL;
}

struct expr *loc_ctx(const struct loc_machine *m, enum ktap_ctx what)
{
	struct expr *e = make(m, EXPR_CTX);

	if (e)
		e->value = what;
	return e;
}

struct expr *loc_address(const struct loc_machine *m, uint64_t address)
{
	const struct site *site = m->site;
	struct debug_area area;
	struct expr *base;

	if (site->is_user) {
		base = make(m, EXPR_FILE);
		return loc_add(m, base, address + site->file_base);
	}
	area = debug_map_find(site->map, address);
	if (area.kind != DEBUG_AREA_PERCPU)
		return loc_number(m, address + area.slide);
	return loc_add(m, loc_ctx(m, KTAP_CTX_PERCPU), address + area.slide);
}
