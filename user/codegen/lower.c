// SPDX-License-Identifier: GPL-2.0
/* Expressions: memory, casts, operators, arguments by name, and filters. */
#include "codegen/lower.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/array.h"
#include "base/suggest.h"

/* Errors, as an int in 64 bits. */
#define ERRNO_NR	4095
#define ERRNO_FIRST	0xfffff001U

int lower_fail(struct lower *l, const struct term *e, enum diag_code code, ...)
{
	va_list ap;

	va_start(ap, code);
	diag_vset(l->d, -EINVAL, code, ap);
	va_end(ap);
	diag_at(l->d, l->terms->text, e->at.start, e->at.length);
	return -EINVAL;
}

int lower_quote(struct lower *l, const struct term *e, enum diag_code code)
{
	return lower_fail(l, e, code, (int)e->at.length,
			  l->terms->text + e->at.start);
}

int lower_done(struct lower *l, struct node *n, struct node **ret)
{
	if (!n)
		return diag_no_memory(l->d);
	*ret = n;
	return 0;
}

bool type_is_text(const struct show *type)
{
	return show_is_string(type->kind) || type->kind == SHOW_DENTRY || type->kind == SHOW_FILE;
}

/* The first one that needs too many slots is the one to be told. */
int lower_fits(struct lower *l, const struct term *e, struct node *n,
	       struct node **ret)
{
	if (n && n->need > KTAP_NR_SLOTS) {
		node_free(n);
		lower_fail(l, e, DIAG_COMPILE_TOO_DEEP, KTAP_NR_SLOTS);
		diag_hint(l->d, "compute less at once, or use fewer parentheses");
		return -EINVAL;
	}
	return lower_done(l, n, ret);
}

/* ---- memory ---- */

/* The address of @sym+N. */
static int lower_symbol(struct lower *l, const struct term *e,
			struct node **ret)
{
	uint64_t address = (uint64_t)e->value;
	int err;

	if (e->text) {
		if (!l->ks)
			return lower_fail(l, e, DIAG_COMPILE_NO_SYMBOLS,
					  e->text);
		err = ksyms_data_address(l->ks, l->terms->text, e->at, e->text,
					 l->d, &address);
		if (err)
			return err == -ENOMEM ? err : -EINVAL;
		address += (uint64_t)e->value;
	}
	return lower_done(l, node_const(e->at, address, true), ret);
}

int lower_address(struct lower *l, const struct term *e, bool *user,
		  struct node **ret)
{
	struct node *base = NULL;
	int err;

	*user = false;
	if (e->kind == TERM_SYMBOL)
		return lower_symbol(l, e, ret);
	if (e->kind != TERM_DEREF)
		return lower_value(l, e, ret);
	*user = e->user;
	err = lower_value(l, e->base, &base);
	return err ? err : lower_done(l, node_add(e->at, base, e->value), ret);
}

/* struct dentry or struct file at @e: where the name is. */
static int lower_name_of(struct lower *l, const struct term *e, bool is_file,
			 struct node **ret)
{
	const struct ktap_offsets *o = l->place->offsets;
	struct node *n = NULL;
	int err;

	if (!o)
		return lower_fail(l, e, DIAG_COMPILE_NO_OFFSETS);
	err = lower_value(l, e, &n);
	if (err)
		return err;
	if (is_file)
		n = node_load(e->at, n, o->file_dentry, false);
	return lower_done(l, node_load(e->at, n, o->dentry_name, false), ret);
}

int lower_text_address(struct lower *l, const struct term *e,
		       const struct show *type, bool *user,
		       struct node **ret)
{
	*user = false;
	if (type->kind == SHOW_DENTRY || type->kind == SHOW_FILE)
		return lower_name_of(l, e, type->kind == SHOW_FILE, ret);
	return lower_address(l, e, user, ret);
}

/* The 8 bytes that a dereference or @sym reads. */
static int lower_memory(struct lower *l, const struct term *e,
			struct node **ret)
{
	bool is_deref = e->kind == TERM_DEREF;
	struct node *base = NULL;
	int err;

	if (is_deref)
		err = lower_value(l, e->base, &base);
	else
		err = lower_symbol(l, e, &base);
	if (err)
		return err;
	return lower_done(l, node_load(e->at, base, is_deref ? e->value : 0,
				       e->user), ret);
}

/* ---- types ---- */

static struct node *as_bits(struct node *n, const struct show *type)
{
	struct span at = n->at;

	n = node_cast(at, n, type->size * 8, false);
	if (type->bit_offset)
		n = node_binary(at, OP_SHR, n,
				node_const(at, type->bit_offset, false));
	return node_cast(at, n, type->bit_width,
			 type->kind == SHOW_SIGNED_BITS);
}

struct node *lower_typed(struct node *n, const struct show *type)
{
	if (!n || type->kind == SHOW_DEFAULT)
		return n;
	if (type->bit_width)
		return as_bits(n, type);
	return node_cast(n->at, n, type->size * 8,
			 type->kind == SHOW_SIGNED || type->kind == SHOW_ERRNO);
}

static int lower_cast(struct lower *l, const struct term *e, struct node **ret)
{
	struct node *n = NULL;
	int err;

	if (type_is_text(&e->type))
		return lower_quote(l, e, DIAG_COMPILE_TEXT_VALUE);
	/* a type of C that was not looked up, or has no values */
	if (e->type.kind != SHOW_DEFAULT && !e->type.size)
		return lower_quote(l, e, DIAG_COMPILE_VARIABLE);
	err = lower_value(l, e->base, &n);
	return err ? err : lower_fits(l, e, lower_typed(n, &e->type), ret);
}

/*
 * x - FIRST < 4095 ? (s32)x : x: a function that returns an int leaves the
 * high half of the register as it likes, mostly zero.
 */
static int lower_errno(struct lower *l, const struct term *e, struct node **ret)
{
	struct node *x[3] = {}, *n;
	bool peek = l->peek;
	int err;
	size_t i;

	/* the last ones exclude each other: the value is taken once */
	l->peek = true;
	err = lower_value(l, e, &x[0]);
	l->peek = peek;
	for (i = 1; !err && i < ARRAY_SIZE(x); i++)
		err = lower_value(l, e, &x[i]);
	if (err) {
		for (i = 0; i < ARRAY_SIZE(x); i++)
			node_free(x[i]);
		return err;
	}
	n = node_binary(e->at, OP_SUB, x[0],
			node_const(e->at, ERRNO_FIRST, true));
	n = node_binary(e->at, OP_LT, n, node_const(e->at, ERRNO_NR, true));
	n = node_cond(e->at, n, node_cast(e->at, x[1], 32, true),
		      node_cast(e->at, x[2], 64, true));
	return lower_fits(l, e, n, ret);
}

struct node *lower_shown(const struct term_arg *arg, struct node *n)
{
	/* a value of the entry has it already */
	if (arg->term->kind == TERM_ENTRY && arg->term->type.kind == SHOW_DEFAULT)
		return n;
	return lower_typed(n, &arg->type);
}

int lower_arg(struct lower *l, const struct term_arg *arg, struct node **ret)
{
	struct node *n = NULL;
	int err;

	if (arg->type.kind == SHOW_ERRNO)
		return lower_errno(l, arg->term, ret);
	err = lower_value(l, arg->term, &n);
	return err ? err : lower_fits(l, arg->term, lower_shown(arg, n), ret);
}

/* ---- names ---- */

const struct term_arg *lower_find_arg(const struct lower *l,
				      const struct term *e)
{
	if (!l->in_filter || e->kind != TERM_NAME)
		return NULL;
	return terms_find_arg(l->terms, e->text);
}

static int no_arg(struct lower *l, const struct term *e)
{
	struct suggest s;
	size_t i;

	lower_fail(l, e, DIAG_COMPILE_NO_ARG, e->text);
	suggest_init(&s, e->text, strlen(e->text));
	for (i = 0; i < l->terms->nr_args; i++)
		suggest_try(&s, l->terms->args[i].name);
	suggest_hint(&s, "", l->d);
	if (arch_reg(l->arch, e->text))
		diag_hint(l->d, "did you mean '%%%s'?", e->text);
	diag_hint(l->d, "give it a name before 'if', as in %s=$arg1", e->text);
	return -EINVAL;
}

/* What an argument is made of are no arguments. */
static int lower_by_name(struct lower *l, const struct term *e,
			 struct node **ret)
{
	const struct term_arg *arg = lower_find_arg(l, e);
	int err;

	if (!arg)
		return no_arg(l, e);
	if (arg->type.count)
		return lower_quote(l, e, DIAG_COMPILE_ARRAY_VALUE);
	if (arg->type.kind == SHOW_STRUCT)
		return lower_fail(l, e, DIAG_VAR_STRUCT_VALUE, e->text);
	if (lower_is_text(l, e))
		return lower_quote(l, e, DIAG_COMPILE_TEXT_VALUE);
	l->in_filter = false;
	err = lower_arg(l, arg, ret);
	l->in_filter = true;
	if (!err)
		(*ret)->at = e->at;
	return err;
}

/* ---- operators ---- */

static int lower_unary(struct lower *l, const struct term *e,
		       struct node **ret)
{
	struct node *n = NULL;
	int err;

	if (e->op == OP_TARGET || e->op == OP_ADDRESS)
		return lower_quote(l, e, DIAG_COMPILE_VARIABLE);
	err = lower_value(l, e->base, &n);
	return err ? err : lower_fits(l, e, node_unary(e->at, e->op, n), ret);
}

static int lower_numbers(struct lower *l, const struct term *e,
			 struct node **ret)
{
	_cleanup_(node_freep) struct node *left = NULL;
	struct node *right = NULL;
	uint64_t value;
	int err;

	err = lower_value(l, e->base, &left);
	if (!err)
		err = lower_value(l, e->right, &right);
	if (err)
		return err;
	if ((e->op == OP_DIV || e->op == OP_MOD) &&
	    node_is_const(right, &value) && !value) {
		node_free(right);
		return lower_fail(l, e->right, DIAG_COMPILE_DIV_ZERO);
	}
	return lower_fits(l, e, node_binary(e->at, e->op, take_ptr(left), right),
			  ret);
}

static int lower_binary(struct lower *l, const struct term *e,
			struct node **ret)
{
	if (lower_is_caller(e))
		return lower_compare_caller(l, e, ret);
	if (e->op != OP_LAND && e->op != OP_LOR &&
	    (lower_is_text(l, e->base) || lower_is_text(l, e->right) ||
	     e->op == OP_MATCH || e->op == OP_NO_MATCH))
		return lower_compare_texts(l, e, ret);
	return lower_numbers(l, e, ret);
}

static int lower_cond(struct lower *l, const struct term *e, struct node **ret)
{
	_cleanup_(node_freep) struct node *test = NULL;
	_cleanup_(node_freep) struct node *yes = NULL;
	struct node *no = NULL;
	int err;

	err = lower_value(l, e->base, &test);
	if (!err)
		err = lower_value(l, e->right, &yes);
	if (!err)
		err = lower_value(l, e->third, &no);
	if (err)
		return err;
	return lower_fits(l, e, node_cond(e->at, take_ptr(test), take_ptr(yes),
					  no), ret);
}

int lower_value(struct lower *l, const struct term *e, struct node **ret)
{
	switch (e->kind) {
	case TERM_DEREF:
	case TERM_SYMBOL:
		return lower_memory(l, e, ret);
	case TERM_CAST:
	case TERM_MARK:
		return lower_cast(l, e, ret);
	case TERM_UNARY:
		return lower_unary(l, e, ret);
	case TERM_BINARY:
		return lower_binary(l, e, ret);
	case TERM_COND:
		return lower_cond(l, e, ret);
	case TERM_NAME:
		if (l->in_filter)
			return lower_by_name(l, e, ret);
		return lower_operand(l, e, ret);
	default:
		return lower_operand(l, e, ret);
	}
}

/* ---- filters ---- */

static bool is_never(const struct node *n)
{
	return !n->low && !n->high;
}

/* Neither is impossible without the other. */
static bool is_conflict(const struct node *n)
{
	return n->kind == NODE_AND && !is_never(n->args[0]) &&
	       !is_never(n->args[1]);
}

/* What makes the whole impossible. */
static const struct node *find_never(const struct node *n)
{
	if ((n->kind != NODE_AND && n->kind != NODE_OR) || is_conflict(n))
		return n;
	return find_never(n->args[!is_never(n->args[0])]);
}

static int never(struct lower *l, const struct node *n)
{
	const struct node *part = find_never(n);

	diag_set(l->d, -EINVAL, DIAG_COMPILE_NEVER);
	diag_at(l->d, l->terms->text, part->at.start, part->at.length);
	if (is_conflict(part))
		diag_hint(l->d, "one part excludes another");
	else if (part->insn.op != KTAP_OP_MATCH)
		diag_hint(l->d, "check the types: an operand without a type is unsigned, and (s32)x is signed");
	return -EINVAL;
}

int lower_filter(struct lower *l, const struct term *e, struct node **ret)
{
	_cleanup_(node_freep) struct node *n = NULL;
	int err;

	l->in_filter = true;
	l->peek = true;
	err = lower_value(l, e, &n);
	l->in_filter = false;
	l->peek = false;
	if (err)
		return err;
	if (is_never(n))
		return never(l, n);
	*ret = n->low > 0 && !n->can_fail ? NULL : take_ptr(n);
	return 0;
}
