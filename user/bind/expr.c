// SPDX-License-Identifier: GPL-2.0
/*
 * Expressions of C, rewritten where they stand: what is in memory becomes a
 * dereference, and its type a cast around it, or that of the argument.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <linux/ktap.h>
#include <string.h>

#include "base/array.h"
#include "bind/bind_in.h"
#include "types/btf_types.h"
#include "types/walk.h"

/* What @e becomes is fetch arguments; *@ret is what C knows of it. */
static int expand(struct vars *v, struct term *e, struct value *ret);
/* What @e is shown as; see vars_shown(). */
static int shown(struct vars *v, struct term *e, struct show *type,
		 struct value *ret);

/* Where the kernel points at: the last member. */
static struct span last_name(const struct term *e)
{
	return e->name_at.length ? e->name_at : e->at;
}

int vars_number(struct vars *v, struct term *e, struct value *x)
{
	int err = expand(v, e, x);

	return err ? err : vars_as_number(v, e, x);
}

/* ---- operators ------------------------------------------------------------------- */

static bool is_text_value(const struct value *x)
{
	struct ctype t;

	if (vars_is_array(x))
		t = ctype_target(&x->type);
	else if (vars_is_pointer(x))
		t = vars_target_of(x);
	else
		return false;
	return ctype_is_char(&t);
}

/* @e is read as a text: it becomes what is in memory where that is. */
static int as_text(struct vars *v, struct term *e, struct value *x,
		   struct span at)
{
	struct value text;

	if (x->type.kind == CTYPE_NONE && e->kind == TERM_RETVAL) {
		vars_fail_at(v, at, DIAG_SPEC_BAD_STRING);
		diag_hint(v->d, "what the operand points at is +0(%.*s)",
			  VARS_QUOTE(v, e));
		return -EINVAL;
	}
	if (x->type.kind == CTYPE_NONE || (vars_is_array(x) && is_text_value(x)))
		return 0;
	if (!is_text_value(x))
		return vars_fail_type(v, e, last_name(e), x, DIAG_VAR_NO_TEXT);
	return vars_deref(v, e, 0, vars_target_of(x), &text);
}

/* A text in quotes makes one of a variable that can be one. */
static int expand_compared(struct vars *v, struct term *e,
			   const struct term *other)
{
	struct value x;
	int err = expand(v, e, &x);

	if (err || other->kind != TERM_TEXT || !is_text_value(&x))
		return err ? err : vars_as_number(v, e, &x);
	err = as_text(v, e, &x, e->at);
	return err ? err : vars_cast(v, e, SHOW_STRING, 0);
}

static uint64_t step_of(const struct value *x)
{
	struct ctype t = vars_target_of(x);

	return t.size ? t.size : 1;
}

/* Pointers are counted in what they point at. */
static int expand_sum(struct vars *v, struct term *e, struct value *ret)
{
	struct value left, right;
	int err;

	*ret = (struct value){};
	err = vars_number(v, e->base, &left);
	if (!err)
		err = vars_number(v, e->right, &right);
	if (err || (!vars_is_pointer(&left) && !vars_is_pointer(&right)))
		return err;
	if (!vars_is_pointer(&right)) {
		*ret = left;
		err = vars_op(v, e->right, OP_MUL, step_of(&left));
	} else if (!vars_is_pointer(&left) && e->op == OP_ADD) {
		*ret = right;
		err = vars_op(v, e->base, OP_MUL, step_of(&right));
	} else {
		return vars_fail(v, e, DIAG_VAR_POINTERS);
	}
	ret->is_memory = false;
	return err;
}

static int expand_binary(struct vars *v, struct term *e, struct value *ret)
{
	int err;

	if (e->op == OP_ADD || e->op == OP_SUB)
		return expand_sum(v, e, ret);
	*ret = (struct value){};
	err = expand_compared(v, e->base, e->right);
	return err ? err : expand_compared(v, e->right, e->base);
}

static int expand_unary(struct vars *v, struct term *e, struct value *ret)
{
	struct value base;

	if (e->op == OP_TARGET)
		return vars_target(v, e, ret);
	if (e->op == OP_ADDRESS)
		return vars_address(v, e, ret);
	*ret = (struct value){};
	return vars_number(v, e->base, &base);
}

static int expand_cond(struct vars *v, struct term *e, struct value *ret)
{
	struct value part;
	int err;

	*ret = (struct value){};
	err = vars_number(v, e->base, &part);
	if (!err)
		err = vars_number(v, e->right, &part);
	return err ? err : vars_number(v, e->third, &part);
}

/* The number stays what it is: only its type is another one. */
static int expand_c_cast(struct vars *v, struct term *e, struct value *ret)
{
	struct value base, type;
	int err;

	err = vars_cast_type(v, e, &type);
	if (!err)
		err = vars_number(v, e->base, &base);
	if (err)
		return err;
	if (!vars_is_pointer(&type) && !vars_is_number(&type))
		return vars_fail_type(v, e, e->at, &type, DIAG_VAR_NO_NUMBER);
	vars_unwrap(e);
	*ret = type;
	return vars_is_pointer(&type) ? 0 : vars_cast_number(v, e, &type);
}

static int expand_cast(struct vars *v, struct term *e, struct value *ret)
{
	struct value base;
	int err;

	*ret = (struct value){};
	if (e->type.kind == SHOW_C)
		return expand_c_cast(v, e, ret);
	if (!show_is_string(e->type.kind))
		return vars_number(v, e->base, &base);
	err = expand(v, e->base, &base);
	return err ? err : as_text(v, e->base, &base, e->at);
}

/* ---- operands -------------------------------------------------------------------- */

/* In a filter the name of an argument is that, but for its parts. */
static bool is_argument(const struct vars *v, const struct term *e)
{
	return v->in_filter && !v->in_entry &&
	       terms_find_arg(v->terms, e->text);
}

/* Where there are no names at all, the compiler tells what there is. */
static int expand_name(struct vars *v, struct term *e, struct value *ret)
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

static int expand_retval(struct vars *v, struct term *e, struct value *ret)
{
	return vars_return_type(v, e, false, ret);
}

/* $entry(x), where what is wanted is a part of it or behind it. */
static int expand_part(struct vars *v, struct term *e, struct value *ret)
{
	int err;

	v->in_part = true;
	err = expand(v, e, ret);
	v->in_part = false;
	return err;
}

/* Where the type decides, $argN and $retval have theirs. */
static int expand_base(struct vars *v, struct term *base, struct value *ret)
{
	if (base->kind == TERM_ARG)
		return vars_arg_type(v, base, ret);
	if (base->kind == TERM_RETVAL)
		return vars_return_type(v, base, true, ret);
	if (term_is_task(base))
		return vars_task_type(v, base, ret);
	if (base->kind == TERM_NAME)
		return v->site ? vars_variable(v, base, ret) :
				 vars_param(v, base, ret);
	return base->kind == TERM_ENTRY ? expand_part(v, base, ret) :
					  expand(v, base, ret);
}

/* A reference of C++ is what it refers to. */
static int refer(struct vars *v, struct term *e, struct value *x)
{
	struct ctype type;
	int err;

	if (x->is_address || !ctype_is_reference(&x->type))
		return 0;
	if (vars_is_nowhere(x))
		return vars_follow(v, e, x);
	type = ctype_target(&x->type);
	err = vars_deref(v, e, 0, type, x);
	x->is_referred = true;
	if (!err)
		vars_fold(e);
	return err;
}

int vars_base(struct vars *v, struct term *e, struct value *ret)
{
	int err = expand_base(v, e->base, ret);

	return err ? err : refer(v, e->base, ret);
}

/* What is in $entry(), which has none in it. */
static int entry_shown(struct vars *v, struct term *e, struct show *type,
		       struct value *ret)
{
	int err;

	v->in_entry = true;
	err = shown(v, e->base, type, ret);
	v->in_entry = false;
	return err;
}

/* $entry(x) has the type of x, where it is not given another one. */
static int expand_entry(struct vars *v, struct term *e, struct value *ret)
{
	struct value base;
	int err = entry_shown(v, e, &e->type, &base);

	*ret = (struct value){};
	if (!err && vars_is_pointer(&base) && e->type.kind == SHOW_HEX) {
		*ret = base;
		ret->is_memory = false;
	}
	return err;
}

static int expand_list(struct vars *v, struct term *e, struct value *ret)
{
	return vars_fail(v, e, DIAG_SPEC_ARGS_ALONE);
}

static int expand_deref(struct vars *v, struct term *e, struct value *ret)
{
	struct value base;

	*ret = (struct value){};
	return vars_number(v, e->base, &base);
}

/* A pointer to a task is more than a number: see KTAP_INSN_F_TASK. */
static bool is_task(struct vars *v, const struct term *key, const struct value *x)
{
	const struct btf_type *bt;
	struct ctype t;
	uint32_t id;

	if (term_is_task(key))
		return true;
	if (v->place->path || !vars_is_pointer(x))
		return false;
	t = vars_target_of(x);
	id = t.id;
	bt = t.btf ? ctype_strip(t.btf, &id) : NULL;
	return bt && !strcmp(ctype_name_at(t.btf, bt->name_off), "task_struct");
}

static int expand_key(struct vars *v, struct term *e)
{
	struct value key;
	int err = vars_number(v, e->base, &key);

	e->is_task = !err && is_task(v, e->base, &key);
	return err;
}

static int expand_state(struct vars *v, struct term *e, struct value *ret)
{
	*ret = (struct value){};
	return expand_key(v, e);
}

/* What is stored is a number; the storing has no value. */
static int expand_store(struct vars *v, struct term *e, struct value *ret)
{
	int err = expand_key(v, e);
	struct value x;

	(void)ret;
	return err ? err : vars_number(v, e->right, &x);
}

static int (*const rows[])(struct vars *v, struct term *e,
			   struct value *ret) = {
	[TERM_RETVAL] = expand_retval,
	[TERM_ENTRY] = expand_entry,
	[TERM_NAME] = expand_name,
	[TERM_LIST] = expand_list,
	[TERM_MEMBER] = vars_member,
	[TERM_INDEX] = vars_index,
	[TERM_DEREF] = expand_deref,
	[TERM_CAST] = expand_cast,
	[TERM_UNARY] = expand_unary,
	[TERM_BINARY] = expand_binary,
	[TERM_COND] = expand_cond,
	[TERM_STATE] = expand_state,
	[TERM_STORE] = expand_store,
};

static int expand(struct vars *v, struct term *e, struct value *ret)
{
	int err;

	*ret = (struct value){};
	if (e->kind >= ARRAY_SIZE(rows) || !rows[e->kind])
		return 0;
	err = rows[e->kind](v, e, ret);
	return err ? err : refer(v, e, ret);
}

/* ---- types ------------------------------------------------------------------------ */

/* A pointer to char is the text there; but not where it is taken apart. */
static bool is_letters(const struct vars *v, const struct value *x)
{
	struct ctype t;

	if (v->in_part || !vars_is_pointer(x))
		return false;
	t = vars_target_of(x);
	if (t.kind != CTYPE_INT)
		return false;
	return t.btf ? typed_is_letter(t.btf, t.id) :
		       t.size == 1 && t.is_signed;
}

static int no_single_value(struct vars *v, const struct term *e,
			   const struct value *x)
{
	bool is_endless = x->type.kind == CTYPE_ARRAY && !x->type.count;

	vars_fail_type(v, e, last_name(e), x,
		       is_endless ? DIAG_VAR_NO_LENGTH : DIAG_VAR_NO_NUMBER);
	if (x->type.kind == CTYPE_STRUCT)
		diag_hint(v->d, "name a member, as in %.*s.m", VARS_QUOTE(v, e));
	else if (is_endless)
		diag_hint(v->d, "name an element, as in %.*s[0], or say how many, as in %.*s:u8[16]",
			  VARS_QUOTE(v, e), VARS_QUOTE(v, e));
	else if (x->type.kind == CTYPE_ARRAY)
		diag_hint(v->d, "name an element, as in %.*s[0]",
			  VARS_QUOTE(v, e));
	return -EINVAL;
}

/* The kernel shows as an x64 what is no number, in memory. */
static int set_kernel_default(struct vars *v, const struct term *e,
			      const struct value *x, struct show *type)
{
	if (vars_is_number(x) && !vars_is_pointer(x))
		vars_int_type(type, x);
	else if (vars_is_pointer(x) || x->is_memory)
		vars_set_type(type, SHOW_HEX, 8);
	else
		return no_single_value(v, e, x);
	return 0;
}

/* The type that @x has by itself. */
static int set_default(struct vars *v, struct term *e, const struct value *x,
		       struct show *type)
{
	struct value text;

	type->at = e->at;
	if (x->type.kind == CTYPE_NONE)
		return 0;
	if (v->terms->kernel_syntax)
		return set_kernel_default(v, e, x, type);
	if (is_letters(v, x)) {
		vars_set_type(type, SHOW_STRING, 0);
		return vars_deref(v, e, 0, vars_target_of(x), &text);
	}
	if (vars_is_pointer(x))
		vars_set_type(type, SHOW_HEX, 8);
	else if (vars_is_number(x))
		vars_int_type(type, x);
	else if (!(vars_is_array(x) && vars_array_type(type, &x->type)))
		return vars_struct_type(type, x) ? 0 : no_single_value(v, e, x);
	if (!type->count)
		vars_names(type, x);
	return 0;
}

/* It was said what it is shown as. */
static int set_given(struct vars *v, struct term *e, struct value *x,
		     const struct show *type)
{
	struct value element;

	/* the kernel forgets that it is a bit-field then */
	if (x->bit_width && v->terms->kernel_syntax)
		e->value += x->bit_offset / 8;
	else if (x->bit_width)
		return vars_cast_number(v, e, x);
	/* an array in memory is where its operand is */
	if (type->count && !x->is_memory && x->type.kind != CTYPE_NONE) {
		if (!vars_is_pointer(x))
			return vars_fail_type(v, e, e->at, x, DIAG_VAR_NO_POINTER);
		return vars_deref(v, e, 0, vars_target_of(x), &element);
	}
	if (show_is_string(type->kind) && !type->count)
		return as_text(v, e, x, type->at);
	return 0;
}

static int shown(struct vars *v, struct term *e, struct show *type,
		 struct value *ret)
{
	bool is_given = type->kind != SHOW_DEFAULT;
	int err;

	*ret = (struct value){};
	if (is_given && e->kind == TERM_RETVAL && !show_is_string(type->kind))
		return 0;
	/* what is taken along is what is shown */
	if (is_given && e->kind == TERM_ENTRY &&
	    e->type.kind == SHOW_DEFAULT)
		return entry_shown(v, e, type, ret);
	err = expand(v, e, ret);
	if (!err && !is_given && vars_is_split(ret))
		err = vars_gather(v, e, ret);
	else if (!err)
		err = vars_settle(v, e, ret);
	if (err)
		return err;
	return is_given ? set_given(v, e, ret, type) :
			  set_default(v, e, ret, type);
}

int vars_shown(struct vars *v, struct term *e, struct show *type)
{
	struct value x;

	return shown(v, e, type, &x);
}
