// SPDX-License-Identifier: GPL-2.0
/* Trees that locations become. */
#include <string.h>

#include "bind/loc/machine.h"

static struct term *make(const struct loc_machine *m, enum term_kind kind)
{
	struct term *e = term_new(kind, NULL);

	if (e)
		e->at = m->at;
	return e;
}

struct term *loc_number(const struct loc_machine *m, uint64_t value)
{
	struct term *e = make(m, TERM_IMM);

	if (!e)
		return NULL;
	e->value = (int64_t)value;
	e->is_unsigned = e->value < 0;
	return e;
}

struct term *loc_reg(const struct loc_machine *m, unsigned int index)
{
	struct term *e = term_reg(arch_reg_name(m->arch, index));

	if (e)
		e->at = m->at;
	return e;
}

/* @kind over its operands, of which the last may be none. */
static struct term *over(const struct loc_machine *m, enum term_kind kind,
			 struct term *base, struct term *right)
{
	struct term *e = term_over(kind, base, right);

	if (e)
		e->at = m->at;
	return e;
}

struct term *loc_binary(const struct loc_machine *m, enum expr_op op,
			struct term *left, struct term *right)
{
	struct term *e = NULL;

	if (right)
		e = over(m, TERM_BINARY, left, right);
	else
		term_free(left);
	if (e)
		e->op = op;
	return e;
}

struct term *loc_unary(const struct loc_machine *m, enum expr_op op,
		       struct term *base)
{
	struct term *e = over(m, TERM_UNARY, base, NULL);

	if (e)
		e->op = op;
	return e;
}

/* Sums of numbers are one number. */
struct term *loc_add(const struct loc_machine *m, struct term *base,
		     uint64_t value)
{
	struct term *number = base;

	if (!base || !value)
		return base;
	if (base->kind == TERM_BINARY && base->op == OP_ADD)
		number = base->right;
	if (number->kind != TERM_IMM)
		return loc_binary(m, OP_ADD, base, loc_number(m, value));
	number->value = (int64_t)((uint64_t)number->value + value);
	number->is_unsigned = number->value < 0;
	return base;
}

struct term *loc_cast(const struct loc_machine *m, struct term *base,
		      unsigned int size, bool is_signed)
{
	struct term *e = over(m, TERM_CAST, base, NULL);

	if (!e)
		return NULL;
	e->type.kind = is_signed ? SHOW_SIGNED : SHOW_UNSIGNED;
	e->type.size = size;
	return e;
}

struct term *loc_load(const struct loc_machine *m, struct term *address,
		      unsigned int size)
{
	struct term *e = over(m, TERM_DEREF, address, NULL);

	if (!e)
		return NULL;
	e->user = m->site->is_user;
	return size < 8 ? loc_cast(m, e, size, false) : e;
}

struct term *loc_cond(const struct loc_machine *m, struct term *test,
		      struct term *yes, struct term *no)
{
	struct term *e = NULL;

	if (yes && no)
		e = over(m, TERM_COND, test, yes);
	if (!e) {
		if (!yes || !no) {
			term_free(test);
			term_free(yes);
		}
		term_free(no);
		return NULL;
	}
	e->third = no;
	if (e->height <= no->height)
		e->height = no->height + 1;
	return e;
}

struct term *loc_frame(const struct loc_machine *m, struct term *cfa,
		       unsigned int index)
{
	const char *name = arch_reg_name(m->arch, index);
	struct term *e = over(m, TERM_FRAME, cfa, NULL);

	if (!e)
		return NULL;
	e->value = index;
	e->text = name ? strdup(name) : NULL;
	if (e->text)
		return e;
	term_free(e);
	return NULL;
}

struct term *loc_ctx(const struct loc_machine *m, enum ktap_ctx what)
{
	struct term *e = make(m, TERM_CTX);

	if (e)
		e->value = what;
	return e;
}

struct term *loc_address(const struct loc_machine *m, uint64_t address)
{
	const struct site *site = m->site;
	struct debug_area area;
	struct term *base;

	if (site->is_user) {
		base = make(m, TERM_FILE);
		return loc_add(m, base, address + site->file_base);
	}
	area = debug_map_find(site->map, address);
	if (area.kind != DEBUG_AREA_PERCPU)
		return loc_number(m, address + area.slide);
	return loc_add(m, loc_ctx(m, KTAP_CTX_PERCPU), address + area.slide);
}
