// SPDX-License-Identifier: GPL-2.0
/* Values of C: what is in memory, in pieces or nowhere becomes a number. */
#include <errno.h>
#include <stdarg.h>

#include "bind/bind_in.h"
#include "types/walk.h"

int vars_fail_at(struct vars *v, struct span at, enum diag_code code, ...)
{
	va_list ap;

	va_start(ap, code);
	diag_vset(v->d, -EINVAL, code, ap);
	va_end(ap);
	diag_at(v->d, v->terms->text, at.start, at.length);
	return -EINVAL;
}

int vars_fail_type(struct vars *v, const struct term *e, struct span at,
		   const struct value *x, enum diag_code code)
{
	_cleanup_free_ char *text = ctype_text(&x->type);

	if (!text)
		return diag_no_memory(v->d);
	return vars_fail_at(v, at, code, VARS_QUOTE(v, e), text,
			    x->is_address ? " *" : "");
}

bool vars_is_pointer(const struct value *x)
{
	return x->is_address || x->type.kind == CTYPE_POINTER;
}

struct ctype vars_target_of(const struct value *x)
{
	return x->is_address ? x->type : ctype_target(&x->type);
}

bool vars_is_array(const struct value *x)
{
	return x->is_memory && !x->is_address && x->type.kind == CTYPE_ARRAY;
}

bool vars_is_nowhere(const struct value *x)
{
	return x->loc && x->loc->kind == LOC_POINTER && vars_is_pointer(x);
}

bool vars_is_pieces(const struct value *x)
{
	return x->loc && x->loc->kind == LOC_PIECES;
}

int vars_take_address(struct vars *v, struct term *e, struct value *x)
{
	int64_t offset = e->value;
	int err = 0;

	vars_unwrap(e);
	if (offset)
		err = vars_op(v, e, OP_ADD, offset);
	x->is_memory = false;
	x->is_address = true;
	return err;
}

int vars_decay(struct vars *v, struct term *e, struct value *x)
{
	int err;

	if (!vars_is_array(x))
		return 0;
	err = vars_take_address(v, e, x);
	x->type = ctype_target(&x->type);
	return err;
}

int vars_deref(struct vars *v, struct term *e, int64_t offset,
	       struct ctype type, struct value *ret)
{
	int err = vars_wrap(v, e, TERM_DEREF);

	e->value = offset;
	*ret = (struct value){ .type = type, .is_memory = true };
	return err;
}

int vars_cast_number(struct vars *v, struct term *e, const struct value *x)
{
	const struct ctype *t = &x->type;
	int err;

	if (x->bit_width) {
		err = vars_cast(v, e,
				t->is_signed ? SHOW_SIGNED_BITS : SHOW_BITS,
				x->unit);
		e->type.bit_width = x->bit_width;
		e->type.bit_offset = x->bit_offset;
		return err;
	}
	if (t->size == 8 && !t->is_signed)
		return 0;
	return vars_cast(v, e, t->is_signed ? SHOW_SIGNED : SHOW_UNSIGNED,
			 t->size);
}

int vars_settle(struct vars *v, struct term *e, struct value *x)
{
	uint64_t size = x->type.size;

	if (vars_is_nowhere(x)) {
		vars_fail(v, e, DIAG_VAR_NOWHERE, VARS_QUOTE(v, e),
			  VARS_QUOTE(v, e));
		return -ENODATA;
	}
	if (!vars_is_pieces(x))
		return 0;
	if (size && size <= 8 && !(size & (size - 1)))
		return vars_extract(v, e, x);
	return vars_fail(v, e, DIAG_VAR_PIECES, VARS_QUOTE(v, e));
}

int vars_as_number(struct vars *v, struct term *e, struct value *x)
{
	int err = vars_decay(v, e, x);

	if (!err)
		err = vars_settle(v, e, x);
	if (err || vars_is_pointer(x) || x->type.kind == CTYPE_NONE)
		return err;
	if (vars_is_number(x))
		return vars_cast_number(v, e, x);
	vars_fail_type(v, e, e->at, x, DIAG_VAR_NO_NUMBER);
	if (x->type.kind == CTYPE_STRUCT)
		diag_hint(v->d, "name a member, as in %.*s.m", VARS_QUOTE(v, e));
	return -EINVAL;
}

int vars_load(struct vars *v, struct term *e, struct value *x)
{
	int err = vars_as_number(v, e, x);

	x->is_memory = false;
	x->bit_width = 0;
	return err;
}
