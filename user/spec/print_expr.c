// SPDX-License-Identifier: GPL-2.0
/* Arguments and filters as text that parses back to the same. */
#include <limits.h>
#include <string.h>

#include <linux/ktap.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "spec/parse.h"

static void put_type_name(struct buf *b, const struct type_spec *type)
{
	static const char *const names[] = {
		[TYPE_UNSIGNED] = "u", [TYPE_SIGNED] = "s", [TYPE_HEX] = "x",
		[TYPE_CHAR] = "char", [TYPE_STRING] = "string",
		[TYPE_USTRING] = "ustring", [TYPE_SYMBOL] = "symbol",
		[TYPE_SYMSTR] = "symstr", [TYPE_ERRNO] = "errno",
		[TYPE_BITS] = "b", [TYPE_SIGNED_BITS] = "sb",
		[TYPE_DENTRY] = "%pd", [TYPE_FILE] = "%pD",
	};

	buf_puts(b, names[type->kind]);
	switch (type->kind) {
	case TYPE_UNSIGNED:
	case TYPE_SIGNED:
	case TYPE_HEX:
		buf_printf(b, "%u", type->size * 8);
		break;
	case TYPE_BITS:
	case TYPE_SIGNED_BITS:
		buf_printf(b, "%u@%u/%u", type->bit_width, type->bit_offset,
			   type->size * 8);
		break;
	case TYPE_STRING:
	case TYPE_USTRING:
		if (type->size)
			buf_printf(b, "(%u)", type->size);
		break;
	default:
		break;
	}
}

static void put_type(struct buf *b, const struct type_spec *type)
{
	if (type->kind == TYPE_DEFAULT)
		return;
	buf_putc(b, ':');
	put_type_name(b, type);
	if (type->count)
		buf_printf(b, "[%u]", type->count);
}

/* What would not be shown, or would end the text, is escaped. */
static void put_text(struct buf *b, const char *text)
{
	size_t left = strlen(text), length;
	uint32_t c;

	buf_putc(b, '"');
	for (; left; text += length, left -= length) {
		length = utf8_get(text, left, &c);
		if (!length || !utf8_printable(c)) {
			buf_printf(b, "\\x%02x", (unsigned char)*text);
			length = 1;
			continue;
		}
		if (c == '"' || c == '\\')
			buf_putc(b, '\\');
		buf_put(b, text, length);
	}
	buf_putc(b, '"');
}

/* "foo.isra.0" would be read as a member. */
static void put_function(struct buf *b, const char *name)
{
	if (strchr(name, '.'))
		put_text(b, name);
	else
		buf_puts(b, name);
}

static void put_symbol(struct buf *b, const struct expr *e)
{
	long long value = e->value;

	if (!e->text)
		buf_printf(b, "@0x%llx", value);
	else if (value)
		buf_printf(b, "@%s%+lld", e->text, value);
	else
		buf_printf(b, "@%s", e->text);
}

/**
 * struct style - how trees are written
 * @gap: stands around operators: in a filter there may be blanks
 * @params: what is known of parameters; NULL: only their names are written
 */
struct style {
	const char *gap;
	const struct params *params;
};

static void put_param(struct buf *b, const struct expr *e, const struct style *style)
{
	const struct param *p;

	buf_printf(b, "$param(%s", e->text);
	if (style->params) {
		p = &style->params->param[e->value];
		buf_putc(b, '=');
		param_put_value(b, p);
		buf_putc(b, ':');
		param_put_type(b, p);
	}
	buf_putc(b, ')');
}

static void put_leaf(struct buf *b, const struct expr *e)
{
	long long value = e->value;

	switch (e->kind) {
	case EXPR_REG:
		buf_printf(b, "%%%s", e->text);
		break;
	case EXPR_STACK_WORD:
		buf_printf(b, "$stack%lld", value);
		break;
	case EXPR_ARG:
		buf_printf(b, "$arg%lld", value);
		break;
	case EXPR_KSTACK:
	case EXPR_USTACK:
		buf_puts(b, e->kind == EXPR_KSTACK ? "$kstack" : "$ustack");
		if (value != SPEC_STACK_FRAMES)
			buf_printf(b, "(%lld)", value);
		break;
	case EXPR_COUNTER:
		buf_printf(b, "$perf(%s)", e->text);
		break;
	case EXPR_ARGS:
		buf_puts(b, expr_list_name(value));
		break;
	case EXPR_STACK:
	case EXPR_RETVAL:
	case EXPR_ELAPSED:
	case EXPR_COMM:
	case EXPR_CALLER:
	case EXPR_CTX:
		buf_printf(b, "$%s", var_name(e));
		break;
	case EXPR_SYMBOL:
		put_symbol(b, e);
		break;
	case EXPR_TEXT:
		put_text(b, e->text);
		break;
	case EXPR_FUNCTION:
		put_function(b, e->text);
		break;
	default:
		buf_puts(b, e->text);
		break;
	}
}

#define UNARY_PRECEDENCE 100

static unsigned int precedence_of(const struct expr *e)
{
	if (e->kind == EXPR_COND)
		return 0;
	return e->kind == EXPR_BINARY ? op_precedence(e->op) : UNARY_PRECEDENCE;
}

static void put_tree(struct buf *b, const struct expr *e,
		     const struct style *style);

/*
 * In brackets unless it binds with @least or more. "@a-1" is one token, and so
 * is "&&".
 */
static void put_part(struct buf *b, const struct expr *e, unsigned int least,
		     const struct style *style)
{
	bool brackets = precedence_of(e) < least ||
			(e->kind == EXPR_SYMBOL && e->text && !e->value) ||
			(e->kind == EXPR_UNARY && e->op == OP_ADDRESS);

	if (brackets)
		buf_putc(b, '(');
	put_tree(b, e, style);
	if (brackets)
		buf_putc(b, ')');
}

static void put_operator(struct buf *b, const char *text,
			 const struct style *style)
{
	buf_printf(b, "%s%s%s", style->gap, text, style->gap);
}

static void put_deref(struct buf *b, const struct expr *e,
		      const struct style *style)
{
	unsigned long long value = e->value;

	if (e->base->kind == EXPR_FILE) {
		buf_printf(b, "@+0x%llx", value);
		return;
	}
	buf_printf(b, "%c%s%llu(", e->value < 0 ? '-' : '+', e->user ? "u" : "",
		   e->value < 0 ? -value : value);
	put_tree(b, e->base, style);
	buf_putc(b, ')');
}

/* Without brackets only variables and their parts have parts. */
static void put_base(struct buf *b, const struct expr *e, const struct style *style)
{
	bool brackets = e->kind != EXPR_NAME && e->kind != EXPR_RETVAL &&
			e->kind != EXPR_ARG && e->kind != EXPR_ENTRY &&
			!expr_is_task(e) &&
			e->kind != EXPR_MEMBER && e->kind != EXPR_INDEX;

	if (brackets)
		buf_putc(b, '(');
	put_tree(b, e, style);
	if (brackets)
		buf_putc(b, ')');
}

static void put_index(struct buf *b, const struct expr *e, const struct style *style)
{
	put_base(b, e->base, style);
	buf_putc(b, '[');
	put_tree(b, e->right, style);
	buf_putc(b, ']');
}

static void put_number(struct buf *b, const struct expr *e)
{
	if (e->value < 0 && !e->is_unsigned)
		buf_printf(b, "\\%lld", (long long)e->value);
	else
		buf_printf(b, "%llu%s", (unsigned long long)e->value,
			   e->is_unsigned ? "u" : "");
}

/* "(h)-x" would be a difference: one word alone may be a variable, as in C. */
static bool is_ambiguous(const struct expr *cast)
{
	const struct expr *e = cast->base;

	return cast->type.kind == TYPE_C && !strchr(cast->text, ' ') &&
	       (e->kind == EXPR_UNARY || e->kind == EXPR_DEREF ||
		(e->kind == EXPR_IMM && e->value < 0 && !e->is_unsigned));
}

static void put_cast(struct buf *b, const struct expr *e, const struct style *style)
{
	buf_putc(b, '(');
	if (e->type.kind == TYPE_C)
		buf_puts(b, e->text);
	else
		put_type_name(b, &e->type);
	buf_putc(b, ')');
	put_part(b, e->base, is_ambiguous(e) ? UINT_MAX : UNARY_PRECEDENCE, style);
}

static void put_tree(struct buf *b, const struct expr *e,
		     const struct style *style)
{
	unsigned int precedence = precedence_of(e);

	switch (e->kind) {
	case EXPR_IMM:
		put_number(b, e);
		break;
	case EXPR_PARAM:
		put_param(b, e, style);
		break;
	case EXPR_DEREF:
		put_deref(b, e, style);
		break;
	case EXPR_ENTRY:
		buf_puts(b, "$entry(");
		put_tree(b, e->base, style);
		put_type(b, &e->type);
		buf_putc(b, ')');
		break;
	case EXPR_STATE:
		buf_puts(b, e->value ? "$take(" : "$load(");
		put_tree(b, e->base, style);
		buf_putc(b, ')');
		break;
	case EXPR_CAST:
		put_cast(b, e, style);
		break;
	case EXPR_MEMBER:
		put_base(b, e->base, style);
		buf_printf(b, "%s%s", e->arrow ? "->" : ".", e->text);
		break;
	case EXPR_INDEX:
		put_index(b, e, style);
		break;
	case EXPR_UNARY:
		buf_puts(b, op_text(e->op));
		put_part(b, e->base, UNARY_PRECEDENCE, style);
		break;
	case EXPR_BINARY:
		put_part(b, e->base, precedence, style);
		put_operator(b, op_text(e->op), style);
		put_part(b, e->right, precedence + 1, style);
		break;
	case EXPR_COND:
		put_part(b, e->base, 1, style);
		put_operator(b, "?", style);
		put_part(b, e->right, 0, style);
		put_operator(b, ":", style);
		put_part(b, e->third, 0, style);
		break;
	default:
		put_leaf(b, e);
		break;
	}
}

/* As the kernel would have it, where the kernel could. */
void print_arg(struct buf *b, const struct arg_spec *arg,
	       const struct params *params)
{
	const struct style style = { .gap = "", .params = params };
	const struct expr *e = arg->expr;
	bool is_signed = e->kind == EXPR_IMM && !e->is_unsigned;

	if (is_signed)
		buf_printf(b, "\\%lld", (long long)e->value);
	else if (e->kind == EXPR_TEXT)
		buf_putc(b, '\\');
	if (!is_signed)
		put_tree(b, e, &style);
	put_type(b, &arg->type);
}

void print_value(struct buf *b, const struct expr *e, const struct params *params)
{
	const struct style style = { .gap = "", .params = params };

	put_tree(b, e, &style);
}

void print_filter(struct buf *b, const struct expr *e,
		  const struct params *params)
{
	const struct style style = { .gap = " ", .params = params };

	put_tree(b, e, &style);
}
