// SPDX-License-Identifier: GPL-2.0
/* Parts of what is somewhere: members, elements, targets, addresses. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/suggest.h"
#include "bind/bind_in.h"
#include "types/walk.h"

/* ---- members ------------------------------------------------------------------- */

static void suggest_members(struct suggest *s, const struct ctype *t,
			    unsigned int depth)
{
	struct ctype_member m;
	unsigned int i;

	for (i = 0; ctype_nth(t, i, &m); i++) {
		if (m.name)
			suggest_try(s, m.name);
		else if (depth)
			suggest_members(s, &m.type, depth - 1);
	}
}

static int no_member(struct vars *v, const struct term *e, const struct ctype *t)
{
	_cleanup_free_ char *text = ctype_text(t);
	struct suggest s;

	if (!text)
		return diag_no_memory(v->d);
	vars_fail_at(v, e->name_at, DIAG_VAR_NO_MEMBER, text, e->text);
	suggest_init(&s, e->text, strlen(e->text));
	suggest_members(&s, t, 8);
	suggest_hint(&s, "", v->d);
	return -EINVAL;
}

/* What is only declared where it is used, others may define. */
static int define(struct vars *v, struct span at, struct ctype *t)
{
	_cleanup_buf_ struct buf why = BUF_INIT;
	_cleanup_free_ char *text = NULL;

	ctype_define(t, &why);
	if (why.failed)
		return diag_no_memory(v->d);
	if (!why.size)
		return 0;
	text = ctype_text(t);
	if (!text)
		return diag_no_memory(v->d);
	return vars_fail_at(v, at, DIAG_VAR_DIFFERS, text, buf_str(&why));
}

/* A structure whose members are known. */
static int check_struct(struct vars *v, const struct term *e,
			const struct value *base, struct ctype *t)
{
	_cleanup_free_ char *text = NULL;
	int err;

	if (t->kind == CTYPE_STRUCT)
		return 0;
	err = define(v, e->name_at, t);
	if (err || t->kind == CTYPE_STRUCT)
		return err;
	if (t->kind != CTYPE_FORWARD)
		return vars_fail_type(v, e->base, e->name_at, base,
				      DIAG_VAR_NO_STRUCT);
	text = ctype_text(t);
	if (!text)
		return diag_no_memory(v->d);
	return vars_fail_at(v, e->name_at, DIAG_VAR_FORWARD, text);
}

/* The word that a bit-field is in, as its type has it, or as it fits. */
static int64_t set_bits(const struct ctype_member *m, struct value *ret)
{
	unsigned int bits = m->type.size * 8;
	uint64_t start = bits ? m->offset / bits * bits : 0;

	ret->unit = m->type.size;
	if (!bits || m->offset - start + m->width > bits) {
		start = m->offset / 8 * 8;
		for (ret->unit = 1;
		     ret->unit < 8 &&
		     m->offset - start + m->width > ret->unit * 8;)
			ret->unit *= 2;
	}
	ret->bit_width = m->width;
	ret->bit_offset = m->offset - start;
	return start / 8;
}

/*
 * In kernel syntax "->" follows a pointer and "." a structure; else "." both, and
 * "->" a reference, too.
 */
static int check_arrow(struct vars *v, const struct term *e,
		       const struct value *base)
{
	bool at_pointer = vars_is_pointer(base);

	if (base->is_referred)
		return 0;
	if (at_pointer ? e->arrow || !v->terms->kernel_syntax : !e->arrow)
		return 0;
	return vars_fail_at(v, e->name_at, DIAG_VAR_ARROW,
			    VARS_QUOTE(v, e->base),
			    at_pointer ? "a pointer" : "no pointer",
			    at_pointer ? "->" : ".");
}

/* A member of a structure that is in a register. */
static int member_in_register(struct vars *v, struct term *e,
			      const struct ctype_member *m, struct value *ret)
{
	unsigned int bits = m->width ? m->width : m->type.size * 8;

	if (m->type.kind != CTYPE_INT && m->type.kind != CTYPE_POINTER)
		return vars_fail_at(v, e->name_at, DIAG_VAR_IN_REGISTER,
				    VARS_QUOTE(v, e));
	vars_unwrap(e);
	*ret = (struct value){
		.type = m->type,
		.unit = 8,
		.bit_offset = m->offset,
		.bit_width = bits,
	};
	return 0;
}

/* What is @bits bits into the value @base, which is in pieces. */
static int part_of_pieces(struct vars *v, struct term *e,
			  const struct value *base, uint64_t bits,
			  struct value *ret)
{
	struct value part = {
		.type = ret->type,
		.loc = base->loc,
		.loc_bits = base->loc_bits + bits,
		.bit_width = ret->bit_width,
	};

	vars_unwrap(e);
	*ret = part;
	if (part.bit_width || vars_is_number(&part) ||
	    part.type.kind == CTYPE_POINTER)
		return vars_extract(v, e, ret);
	return 0;
}

int vars_member(struct vars *v, struct term *e, struct value *ret)
{
	struct ctype_member m;
	struct value base;
	struct ctype t;
	bool at_pointer;
	int64_t offset;
	int err;

	err = vars_base(v, e, &base);
	if (!err)
		err = vars_decay(v, e->base, &base);
	if (err)
		return err;
	if (base.type.kind == CTYPE_NONE)
		return vars_fail(v, e->base, DIAG_VAR_NO_TYPE,
				 VARS_QUOTE(v, e->base));
	at_pointer = vars_is_pointer(&base);
	t = at_pointer ? vars_target_of(&base) : base.type;
	err = check_struct(v, e, &base, &t);
	if (!err)
		err = check_arrow(v, e, &base);
	if (!err && vars_is_nowhere(&base)) {
		err = vars_follow(v, e->base, &base);
		at_pointer = false;
	}
	if (err)
		return err;
	if (!ctype_find(&t, e->text, &m))
		return no_member(v, e, &t);
	if (!at_pointer && vars_is_pieces(&base)) {
		*ret = (struct value){ .type = m.type, .bit_width = m.width };
		return part_of_pieces(v, e, &base, m.offset, ret);
	}
	if (!at_pointer && !base.is_memory)
		return member_in_register(v, e, &m, ret);
	*ret = (struct value){ .type = m.type, .is_memory = true };
	offset = m.width ? set_bits(&m, ret) : (int64_t)(m.offset / 8);
	if (at_pointer) {
		e->kind = TERM_DEREF;
		e->value = offset;
		vars_fold(e);
		return 0;
	}
	offset += e->base->value;
	vars_unwrap(e);
	e->value = offset;
	return 0;
}

/* ---- elements, targets, addresses ------------------------------------------------ */

/* A pointer to something whose size is known. */
static int check_pointer(struct vars *v, const struct term *e,
			 const struct value *x)
{
	struct ctype t;
	int err;

	if (x->type.kind == CTYPE_NONE)
		return vars_fail(v, e, DIAG_VAR_NO_TYPE, VARS_QUOTE(v, e));
	if (!vars_is_pointer(x))
		return vars_fail_type(v, e, e->at, x, DIAG_VAR_NO_POINTER);
	t = vars_target_of(x);
	err = define(v, e->at, &t);
	if (!err && !t.size)
		err = vars_fail_type(v, e, e->at, x, DIAG_VAR_NO_TARGET);
	return err;
}

static int check_bounds(struct vars *v, const struct term *index,
			const struct value *array)
{
	/* of old, one element stood for any number at the end of a structure */
	if (array->type.kind != CTYPE_ARRAY || array->type.count <= 1 ||
	    index->kind != TERM_IMM ||
	    (uint64_t)index->value < array->type.count)
		return 0;
	return vars_fail(v, index, DIAG_VAR_BOUNDS,
			 (unsigned long long)array->type.count);
}

/* @e becomes the address of the element @index of what @e is the address of. */
static int add_index(struct vars *v, struct term *e, struct term *index,
		     uint64_t size)
{
	int err = 0;

	if (size > 1)
		err = vars_op(v, index, OP_MUL, size);
	if (!err)
		err = vars_wrap(v, e, TERM_BINARY);
	if (err) {
		term_free(index);
		return err;
	}
	e->op = OP_ADD;
	e->right = index;
	return 0;
}

static int element_of_pieces(struct vars *v, struct term *e,
			     const struct value *base, struct value *ret)
{
	uint64_t index = (uint64_t)e->right->value;

	*ret = (struct value){ .type = ctype_target(&base->type) };
	return part_of_pieces(v, e, base, index * ret->type.size * 8, ret);
}

/* Behind what such a pointer points at there may be anything. */
static bool is_first(const struct term *index)
{
	return index->kind == TERM_IMM && !index->value;
}

/* *@e, whose operand is a pointer that is nowhere, becomes what that points at. */
static int target_of_nowhere(struct vars *v, struct term *e,
			     struct value *base, struct value *ret)
{
	int err = vars_follow(v, e->base, base);

	vars_unwrap(e);
	*ret = *base;
	return err;
}

int vars_index(struct vars *v, struct term *e, struct value *ret)
{
	struct value base, by;
	struct term *index;
	struct ctype t;
	int err;

	err = vars_base(v, e, &base);
	if (!err)
		err = check_bounds(v, e->right, &base);
	if (!err && vars_is_pieces(&base) && base.type.kind == CTYPE_ARRAY &&
	    e->right->kind == TERM_IMM)
		return element_of_pieces(v, e, &base, ret);
	if (!err)
		err = vars_decay(v, e->base, &base);
	if (!err)
		err = check_pointer(v, e->base, &base);
	if (!err)
		err = vars_number(v, e->right, &by);
	if (err)
		return err;
	if (vars_is_nowhere(&base))
		return is_first(e->right) ? target_of_nowhere(v, e, &base, ret) :
					    vars_settle(v, e->base, &base);
	t = vars_target_of(&base);
	index = e->right;
	e->right = NULL;
	*ret = (struct value){ .type = t, .is_memory = true };
	e->kind = TERM_DEREF;
	if (index->kind != TERM_IMM) {
		e->value = 0;
		return add_index(v, e->base, index, t.size);
	}
	e->value = (int64_t)((uint64_t)index->value * t.size);
	term_free(index);
	vars_fold(e);
	return 0;
}

int vars_target(struct vars *v, struct term *e, struct value *ret)
{
	struct value base;
	int err;

	err = vars_base(v, e, &base);
	if (!err)
		err = vars_decay(v, e->base, &base);
	/* of a reference, too, this is what it refers to */
	if (!err && base.is_referred && !vars_is_pointer(&base)) {
		vars_unwrap(e);
		*ret = base;
		ret->is_referred = false;
		return 0;
	}
	if (!err)
		err = check_pointer(v, e->base, &base);
	if (err)
		return err;
	if (vars_is_nowhere(&base))
		return target_of_nowhere(v, e, &base, ret);
	*ret = (struct value){ .type = vars_target_of(&base),
			       .is_memory = true };
	e->kind = TERM_DEREF;
	e->value = 0;
	vars_fold(e);
	return 0;
}

int vars_address(struct vars *v, struct term *e, struct value *ret)
{
	int err = vars_base(v, e, ret);

	if (err)
		return err;
	if (!ret->is_memory || ret->bit_width)
		return vars_fail(v, e, DIAG_VAR_NO_ADDRESS,
				 VARS_QUOTE(v, e->base));
	vars_unwrap(e);
	return vars_take_address(v, e, ret);
}
