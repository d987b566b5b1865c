// SPDX-License-Identifier: GPL-2.0
/*
 * Expressions of C, rewritten where they stand: what is in memory becomes a
 * dereference, and its type a cast around it, or that of the argument.
 */
#include <errno.h>
#include <linux/ktap.h>
#include <stdarg.h>
#include <string.h>

#include "compile/vars_in.h"
#include "types/walk.h"
#include "util/array.h"
#include "util/suggest.h"

/* What @e becomes is fetch arguments; *@ret is what C knows of it. */
static int expand(struct vars *v, struct expr *e, struct value *ret);
/* The same of the operand that @e is a part, the target or the address of. */
static int expand_base(struct vars *v, struct expr *e, struct value *ret);
/* What @e is shown as; see vars_shown(). */
static int shown(struct vars *v, struct expr *e, struct type_spec *type,
		 struct value *ret);

int vars_fail_at(struct vars *v, struct span at, enum diag_code code, ...)
{
	va_list ap;

	va_start(ap, code);
	diag_vset(v->d, -EINVAL, code, ap);
	va_end(ap);
	diag_at(v->d, v->spec->text, at.start, at.length);
	return -EINVAL;
}

/* Where the kernel points at: the last member. */
static struct span last_name(const struct expr *e)
{
	return e->name_at.length ? e->name_at : e->at;
}

/* The error @code, whose text names @e and its type, at @at. */
static int fail_type(struct vars *v, const struct expr *e, struct span at,
		     const struct value *x, enum diag_code code)
{
	_cleanup_free_ char *text = ctype_text(&x->type);

	if (!text)
		return diag_no_memory(v->d);
	return vars_fail_at(v, at, code, VARS_QUOTE(v, e), text,
			    x->is_address ? " *" : "");
}

/* ---- values -------------------------------------------------------------------- */

static bool is_pointer(const struct value *x)
{
	return x->is_address || x->type.kind == CTYPE_POINTER;
}

/* What the pointer @x points at. */
static struct ctype target_of(const struct value *x)
{
	return x->is_address ? x->type : ctype_target(&x->type);
}

static bool is_array(const struct value *x)
{
	return x->is_memory && !x->is_address && x->type.kind == CTYPE_ARRAY;
}

/* A pointer that the compiler left nothing of but what it points at. */
static bool is_nowhere(const struct value *x)
{
	return x->loc && x->loc->kind == LOC_POINTER && is_pointer(x);
}

static bool is_pieces(const struct value *x)
{
	return x->loc && x->loc->kind == LOC_PIECES;
}

/* From what is at an address to the address. */
static int take_address(struct vars *v, struct expr *e, struct value *x)
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

/* As in C an array becomes the address of its first element. */
static int decay(struct vars *v, struct expr *e, struct value *x)
{
	int err;

	if (!is_array(x))
		return 0;
	err = take_address(v, e, x);
	x->type = ctype_target(&x->type);
	return err;
}

/* What is @offset bytes behind the address @e, of type @type. */
static int deref(struct vars *v, struct expr *e, int64_t offset,
		 struct ctype type, struct value *ret)
{
	int err = vars_wrap(v, e, EXPR_DEREF);

	e->value = offset;
	*ret = (struct value){ .type = type, .is_memory = true };
	return err;
}

/* In C it has that type, in the number that a register has it may not. */
static int cast_number(struct vars *v, struct expr *e, const struct value *x)
{
	const struct ctype *t = &x->type;
	int err;

	if (x->bit_width) {
		err = vars_cast(v, e, t->is_signed ? TYPE_SIGNED_BITS : TYPE_BITS,
				x->unit);
		e->type.bit_width = x->bit_width;
		e->type.bit_offset = x->bit_offset;
		return err;
	}
	if (t->size == 8 && !t->is_signed)
		return 0;
	return vars_cast(v, e, t->is_signed ? TYPE_SIGNED : TYPE_UNSIGNED,
			 t->size);
}

/* What is in pieces is put together, where a program has room for it. */
static int settle(struct vars *v, struct expr *e, struct value *x)
{
	uint64_t size = x->type.size;

	if (is_nowhere(x)) {
		vars_fail(v, e, DIAG_VAR_NOWHERE, VARS_QUOTE(v, e),
			  VARS_QUOTE(v, e));
		return -ENODATA;
	}
	if (!is_pieces(x))
		return 0;
	if (size && size <= 8 && !(size & (size - 1)))
		return vars_extract(v, e, x);
	return vars_fail(v, e, DIAG_VAR_PIECES, VARS_QUOTE(v, e));
}

/* The value of @e as a number. */
static int as_number(struct vars *v, struct expr *e, struct value *x)
{
	int err = decay(v, e, x);

	if (!err)
		err = settle(v, e, x);
	if (err || is_pointer(x) || x->type.kind == CTYPE_NONE)
		return err;
	if (vars_is_number(x))
		return cast_number(v, e, x);
	fail_type(v, e, e->at, x, DIAG_VAR_NO_NUMBER);
	if (x->type.kind == CTYPE_STRUCT)
		diag_hint(v->d, "name a member, as in %.*s.m", VARS_QUOTE(v, e));
	return -EINVAL;
}

static int number(struct vars *v, struct expr *e, struct value *x)
{
	int err = expand(v, e, x);

	return err ? err : as_number(v, e, x);
}

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

static int no_member(struct vars *v, const struct expr *e,
		     const struct ctype *t)
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

/* A structure whose members are known. */
static int check_struct(struct vars *v, const struct expr *e,
			const struct value *base, const struct ctype *t)
{
	_cleanup_free_ char *text = NULL;

	if (t->kind == CTYPE_STRUCT)
		return 0;
	if (t->kind != CTYPE_FORWARD)
		return fail_type(v, e->base, e->name_at, base,
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
		for (ret->unit = 1; ret->unit < 8 && m->offset - start +
						     m->width > ret->unit * 8;)
			ret->unit *= 2;
	}
	ret->bit_width = m->width;
	ret->bit_offset = m->offset - start;
	return start / 8;
}

/* In kernel syntax "->" follows a pointer and "." a structure; else "." both. */
static int check_arrow(struct vars *v, const struct expr *e, bool at_pointer)
{
	if (at_pointer ? e->arrow || !v->spec->kernel_syntax : !e->arrow)
		return 0;
	return vars_fail_at(v, e->name_at, DIAG_VAR_ARROW,
			    VARS_QUOTE(v, e->base),
			    at_pointer ? "a pointer" : "no pointer",
			    at_pointer ? "->" : ".");
}

/* A member of a structure that is in a register. */
static int member_in_register(struct vars *v, struct expr *e,
			      const struct ctype_member *m, struct value *ret)
{
	unsigned int bits = m->width ? m->width : m->type.size * 8;

	if (m->type.kind != CTYPE_INT && m->type.kind != CTYPE_POINTER)
		return vars_fail_at(v, e->name_at, DIAG_VAR_IN_REGISTER,
				    VARS_QUOTE(v, e));
	vars_unwrap(e);
	*ret = (struct value){
		.type = m->type, .unit = 8,
		.bit_offset = m->offset, .bit_width = bits,
	};
	return 0;
}

/* What is @bits bits into the value @base, which is in pieces. */
static int part_of_pieces(struct vars *v, struct expr *e,
			  const struct value *base, uint64_t bits,
			  struct value *ret)
{
	struct value part = {
		.type = ret->type, .loc = base->loc,
		.loc_bits = base->loc_bits + bits, .bit_width = ret->bit_width,
	};

	vars_unwrap(e);
	*ret = part;
	if (part.bit_width || vars_is_number(&part) ||
	    part.type.kind == CTYPE_POINTER)
		return vars_extract(v, e, ret);
	return 0;
}

static int expand_member(struct vars *v, struct expr *e, struct value *ret)
{
	struct ctype_member m;
	struct value base;
	struct ctype t;
	bool at_pointer;
	int64_t offset;
	int err;

	err = expand_base(v, e, &base);
	if (!err)
		err = decay(v, e->base, &base);
	if (err)
		return err;
	if (base.type.kind == CTYPE_NONE)
		return vars_fail(v, e->base, DIAG_VAR_NO_TYPE,
				 VARS_QUOTE(v, e->base));
	at_pointer = is_pointer(&base);
	t = at_pointer ? target_of(&base) : base.type;
	err = check_struct(v, e, &base, &t);
	if (!err)
		err = check_arrow(v, e, at_pointer);
	if (!err && is_nowhere(&base)) {
		err = vars_follow(v, e->base, &base);
		at_pointer = false;
	}
	if (err)
		return err;
	if (!ctype_find(&t, e->text, &m))
		return no_member(v, e, &t);
	if (!at_pointer && is_pieces(&base)) {
		*ret = (struct value){ .type = m.type, .bit_width = m.width };
		return part_of_pieces(v, e, &base, m.offset, ret);
	}
	if (!at_pointer && !base.is_memory)
		return member_in_register(v, e, &m, ret);
	*ret = (struct value){ .type = m.type, .is_memory = true };
	offset = m.width ? set_bits(&m, ret) : (int64_t)(m.offset / 8);
	if (at_pointer) {
		e->kind = EXPR_DEREF;
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
static int check_pointer(struct vars *v, const struct expr *e,
			 const struct value *x)
{
	struct ctype t;

	if (x->type.kind == CTYPE_NONE)
		return vars_fail(v, e, DIAG_VAR_NO_TYPE, VARS_QUOTE(v, e));
	if (!is_pointer(x))
		return fail_type(v, e, e->at, x, DIAG_VAR_NO_POINTER);
	t = target_of(x);
	if (!t.size)
		return fail_type(v, e, e->at, x, DIAG_VAR_NO_TARGET);
	return 0;
}

static int check_bounds(struct vars *v, const struct expr *index,
			const struct value *array)
{
	/* of old, one element stood for any number at the end of a structure */
	if (array->type.kind != CTYPE_ARRAY || array->type.count <= 1 ||
	    index->kind != EXPR_IMM ||
	    (uint64_t)index->value < array->type.count)
		return 0;
	return vars_fail(v, index, DIAG_VAR_BOUNDS,
			 (unsigned long long)array->type.count);
}

/* @e becomes the address of the element @index of what @e is the address of. */
static int add_index(struct vars *v, struct expr *e, struct expr *index,
		     uint64_t size)
{
	int err = 0;

	if (size > 1)
		err = vars_op(v, index, OP_MUL, size);
	if (!err)
		err = vars_wrap(v, e, EXPR_BINARY);
	if (err) {
		expr_free(index);
		return err;
	}
	e->op = OP_ADD;
	e->right = index;
	return 0;
}

static int element_of_pieces(struct vars *v, struct expr *e,
			     const struct value *base, struct value *ret)
{
	uint64_t index = (uint64_t)e->right->value;

	*ret = (struct value){ .type = ctype_target(&base->type) };
	return part_of_pieces(v, e, base, index * ret->type.size * 8, ret);
}

static int expand_index(struct vars *v, struct expr *e, struct value *ret)
{
	struct value base, by;
	struct expr *index;
	struct ctype t;
	int err;

	err = expand_base(v, e, &base);
	if (!err)
		err = check_bounds(v, e->right, &base);
	if (!err && is_pieces(&base) && base.type.kind == CTYPE_ARRAY &&
	    e->right->kind == EXPR_IMM)
		return element_of_pieces(v, e, &base, ret);
	if (!err)
		err = decay(v, e->base, &base);
	if (!err)
		err = check_pointer(v, e->base, &base);
	if (!err)
		err = number(v, e->right, &by);
	if (err)
		return err;
	t = target_of(&base);
	index = e->right;
	e->right = NULL;
	*ret = (struct value){ .type = t, .is_memory = true };
	e->kind = EXPR_DEREF;
	if (index->kind != EXPR_IMM) {
		e->value = 0;
		return add_index(v, e->base, index, t.size);
	}
	e->value = (int64_t)((uint64_t)index->value * t.size);
	expr_free(index);
	vars_fold(e);
	return 0;
}

static int expand_target(struct vars *v, struct expr *e, struct value *ret)
{
	struct value base;
	int err;

	err = expand_base(v, e, &base);
	if (!err)
		err = decay(v, e->base, &base);
	if (!err)
		err = check_pointer(v, e->base, &base);
	if (err)
		return err;
	if (is_nowhere(&base)) {
		err = vars_follow(v, e->base, &base);
		vars_unwrap(e);
		*ret = base;
		return err;
	}
	*ret = (struct value){ .type = target_of(&base), .is_memory = true };
	e->kind = EXPR_DEREF;
	e->value = 0;
	vars_fold(e);
	return 0;
}

static int expand_address(struct vars *v, struct expr *e, struct value *ret)
{
	int err = expand_base(v, e, ret);

	if (err)
		return err;
	if (!ret->is_memory || ret->bit_width)
		return vars_fail(v, e, DIAG_VAR_NO_ADDRESS,
				 VARS_QUOTE(v, e->base));
	vars_unwrap(e);
	return take_address(v, e, ret);
}

/* ---- operators ------------------------------------------------------------------- */

static bool is_text_value(const struct value *x)
{
	struct ctype t;

	if (is_array(x))
		t = ctype_target(&x->type);
	else if (is_pointer(x))
		t = target_of(x);
	else
		return false;
	return ctype_is_char(&t);
}

/* @e is read as a text: it becomes what is in memory where that is. */
static int as_text(struct vars *v, struct expr *e, struct value *x,
		   struct span at)
{
	struct value text;

	if (x->type.kind == CTYPE_NONE && e->kind == EXPR_RETVAL) {
		vars_fail_at(v, at, DIAG_SPEC_BAD_STRING);
		diag_hint(v->d, "what the operand points at is +0(%.*s)",
			  VARS_QUOTE(v, e));
		return -EINVAL;
	}
	if (x->type.kind == CTYPE_NONE || (is_array(x) && is_text_value(x)))
		return 0;
	if (!is_text_value(x))
		return fail_type(v, e, last_name(e), x, DIAG_VAR_NO_TEXT);
	return deref(v, e, 0, target_of(x), &text);
}

/* A text in quotes makes one of a variable that can be one. */
static int expand_compared(struct vars *v, struct expr *e,
			   const struct expr *other)
{
	struct value x;
	int err = expand(v, e, &x);

	if (err || other->kind != EXPR_TEXT || !is_text_value(&x))
		return err ? err : as_number(v, e, &x);
	err = as_text(v, e, &x, e->at);
	return err ? err : vars_cast(v, e, TYPE_STRING, 0);
}

static uint64_t step_of(const struct value *x)
{
	struct ctype t = target_of(x);

	return t.size ? t.size : 1;
}

/* Pointers are counted in what they point at. */
static int expand_sum(struct vars *v, struct expr *e, struct value *ret)
{
	struct value left, right;
	int err;

	*ret = (struct value){};
	err = number(v, e->base, &left);
	if (!err)
		err = number(v, e->right, &right);
	if (err || (!is_pointer(&left) && !is_pointer(&right)))
		return err;
	if (!is_pointer(&right)) {
		*ret = left;
		err = vars_op(v, e->right, OP_MUL, step_of(&left));
	} else if (!is_pointer(&left) && e->op == OP_ADD) {
		*ret = right;
		err = vars_op(v, e->base, OP_MUL, step_of(&right));
	} else {
		return vars_fail(v, e, DIAG_VAR_POINTERS);
	}
	ret->is_memory = false;
	return err;
}

static int expand_binary(struct vars *v, struct expr *e, struct value *ret)
{
	int err;

	if (e->op == OP_ADD || e->op == OP_SUB)
		return expand_sum(v, e, ret);
	*ret = (struct value){};
	err = expand_compared(v, e->base, e->right);
	return err ? err : expand_compared(v, e->right, e->base);
}

static int expand_unary(struct vars *v, struct expr *e, struct value *ret)
{
	struct value base;

	if (e->op == OP_TARGET)
		return expand_target(v, e, ret);
	if (e->op == OP_ADDRESS)
		return expand_address(v, e, ret);
	*ret = (struct value){};
	return number(v, e->base, &base);
}

static int expand_cond(struct vars *v, struct expr *e, struct value *ret)
{
	struct value part;
	int err;

	*ret = (struct value){};
	err = number(v, e->base, &part);
	if (!err)
		err = number(v, e->right, &part);
	return err ? err : number(v, e->third, &part);
}

/* The number stays what it is: only its type is another one. */
static int expand_c_cast(struct vars *v, struct expr *e, struct value *ret)
{
	struct value base, type;
	int err;

	err = vars_cast_type(v, e, &type);
	if (!err)
		err = number(v, e->base, &base);
	if (err)
		return err;
	if (!is_pointer(&type) && !vars_is_number(&type))
		return fail_type(v, e, e->at, &type, DIAG_VAR_NO_NUMBER);
	vars_unwrap(e);
	*ret = type;
	return is_pointer(&type) ? 0 : cast_number(v, e, &type);
}

static int expand_cast(struct vars *v, struct expr *e, struct value *ret)
{
	struct value base;
	int err;

	*ret = (struct value){};
	if (e->type.kind == TYPE_C)
		return expand_c_cast(v, e, ret);
	if (!type_kind_is_string(e->type.kind))
		return number(v, e->base, &base);
	err = expand(v, e->base, &base);
	return err ? err : as_text(v, e->base, &base, e->at);
}

/* ---- operands -------------------------------------------------------------------- */

int vars_load(struct vars *v, struct expr *e, struct value *x)
{
	int err = as_number(v, e, x);

	x->is_memory = false;
	x->bit_width = 0;
	return err;
}

/* In a filter the name of an argument is that, but for its parts. */
static bool is_argument(const struct vars *v, const struct expr *e)
{
	return v->in_filter && spec_find_arg(v->spec, e->text);
}

/* Where there are no names at all, the compiler tells what there is. */
static int expand_name(struct vars *v, struct expr *e, struct value *ret)
{
	*ret = (struct value){};
	if (is_argument(v, e))
		return 0;
	if (v->site)
		return vars_variable(v, e, ret);
	if (v->in_filter && !vars_knows(v))
		return 0;
	return vars_param(v, e, ret);
}

static int expand_retval(struct vars *v, struct expr *e, struct value *ret)
{
	return vars_return_type(v, e, false, ret);
}

/* $entry(x), where what is wanted is a part of it or behind it. */
static int expand_part(struct vars *v, struct expr *e, struct value *ret)
{
	int err;

	v->in_part = true;
	err = expand(v, e, ret);
	v->in_part = false;
	return err;
}

/* Where the type decides, $argN and $retval have theirs. */
static int expand_base(struct vars *v, struct expr *e, struct value *ret)
{
	struct expr *base = e->base;

	if (base->kind == EXPR_ARG)
		return vars_arg_type(v, base, ret);
	if (base->kind == EXPR_RETVAL)
		return vars_return_type(v, base, true, ret);
	if (base->kind == EXPR_NAME)
		return v->site ? vars_variable(v, base, ret) :
				 vars_param(v, base, ret);
	return base->kind == EXPR_ENTRY ? expand_part(v, base, ret) :
					  expand(v, base, ret);
}

/* $entry(x) has the type of x, where it is not given another one. */
static int expand_entry(struct vars *v, struct expr *e, struct value *ret)
{
	struct value base;
	int err = shown(v, e->base, &e->type, &base);

	*ret = (struct value){};
	if (!err && is_pointer(&base) && e->type.kind == TYPE_HEX) {
		*ret = base;
		ret->is_memory = false;
	}
	return err;
}

static int expand_list(struct vars *v, struct expr *e, struct value *ret)
{
	return vars_fail(v, e, DIAG_SPEC_ARGS_ALONE);
}

static int expand_deref(struct vars *v, struct expr *e, struct value *ret)
{
	struct value base;

	*ret = (struct value){};
	return number(v, e->base, &base);
}

static int (*const rows[])(struct vars *v, struct expr *e,
			   struct value *ret) = {
	[EXPR_RETVAL] = expand_retval,
	[EXPR_ENTRY] = expand_entry,
	[EXPR_NAME] = expand_name,
	[EXPR_ARGS] = expand_list,
	[EXPR_MEMBER] = expand_member,
	[EXPR_INDEX] = expand_index,
	[EXPR_DEREF] = expand_deref,
	[EXPR_CAST] = expand_cast,
	[EXPR_UNARY] = expand_unary,
	[EXPR_BINARY] = expand_binary,
	[EXPR_COND] = expand_cond,
};

static int expand(struct vars *v, struct expr *e, struct value *ret)
{
	*ret = (struct value){};
	if (e->kind >= ARRAY_SIZE(rows) || !rows[e->kind])
		return 0;
	return rows[e->kind](v, e, ret);
}

/* ---- types ------------------------------------------------------------------------ */

/* A pointer to char is the text there; but not where it is taken apart. */
static bool is_letters(const struct vars *v, const struct value *x)
{
	struct ctype t;

	if (v->in_part || !is_pointer(x))
		return false;
	t = target_of(x);
	if (t.kind != CTYPE_INT)
		return false;
	return t.btf ? typed_is_letter(t.btf, t.id) :
		       t.size == 1 && t.is_signed;
}

static int no_single_value(struct vars *v, const struct expr *e,
			   const struct value *x)
{
	fail_type(v, e, last_name(e), x, DIAG_VAR_NO_NUMBER);
	if (x->type.kind == CTYPE_STRUCT)
		diag_hint(v->d, "name a member, as in %.*s.m", VARS_QUOTE(v, e));
	else if (x->type.kind == CTYPE_ARRAY)
		diag_hint(v->d, "name an element, as in %.*s[0]",
			  VARS_QUOTE(v, e));
	return -EINVAL;
}

/* The kernel shows as an x64 what is no number, in memory. */
static int set_kernel_default(struct vars *v, const struct expr *e,
			      const struct value *x, struct type_spec *type)
{
	if (vars_is_number(x) && !is_pointer(x))
		vars_int_type(type, x);
	else if (is_pointer(x) || x->is_memory)
		vars_set_type(type, TYPE_HEX, 8);
	else
		return no_single_value(v, e, x);
	return 0;
}

/* The type that @x has by itself. */
static int set_default(struct vars *v, struct expr *e, const struct value *x,
		       struct type_spec *type)
{
	struct value text;

	type->at = e->at;
	if (x->type.kind == CTYPE_NONE)
		return 0;
	if (v->spec->kernel_syntax)
		return set_kernel_default(v, e, x, type);
	if (is_letters(v, x)) {
		vars_set_type(type, TYPE_STRING, 0);
		return deref(v, e, 0, target_of(x), &text);
	}
	if (is_pointer(x))
		vars_set_type(type, TYPE_HEX, 8);
	else if (vars_is_number(x))
		vars_int_type(type, x);
	else if (!(is_array(x) && vars_array_type(type, &x->type)))
		return vars_struct_type(type, x) ? 0 : no_single_value(v, e, x);
	if (!type->count)
		vars_names(type, x);
	return 0;
}

/* It was said what it is shown as. */
static int set_given(struct vars *v, struct expr *e, struct value *x,
		     const struct type_spec *type)
{
	struct value element;

	/* the kernel forgets that it is a bit-field then */
	if (x->bit_width && v->spec->kernel_syntax)
		e->value += x->bit_offset / 8;
	else if (x->bit_width)
		return cast_number(v, e, x);
	/* an array in memory is where its operand is */
	if (type->count && !x->is_memory && x->type.kind != CTYPE_NONE) {
		if (!is_pointer(x))
			return fail_type(v, e, e->at, x, DIAG_VAR_NO_POINTER);
		return deref(v, e, 0, target_of(x), &element);
	}
	if (type_kind_is_string(type->kind) && !type->count)
		return as_text(v, e, x, type->at);
	return 0;
}

static int shown(struct vars *v, struct expr *e, struct type_spec *type,
		 struct value *ret)
{
	bool is_given = type->kind != TYPE_DEFAULT;
	int err;

	*ret = (struct value){};
	if (is_given && e->kind == EXPR_RETVAL && !type_kind_is_string(type->kind))
		return 0;
	/* what is taken along is what is shown */
	if (is_given && e->kind == EXPR_ENTRY &&
	    e->type.kind == TYPE_DEFAULT)
		return shown(v, e->base, type, ret);
	err = expand(v, e, ret);
	if (!err)
		err = settle(v, e, ret);
	if (err)
		return err;
	return is_given ? set_given(v, e, ret, type) :
			  set_default(v, e, ret, type);
}

int vars_shown(struct vars *v, struct expr *e, struct type_spec *type)
{
	struct value x;

	return shown(v, e, type, &x);
}

int vars_number(struct vars *v, struct expr *e)
{
	struct value x;

	return number(v, e, &x);
}
