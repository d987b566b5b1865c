// SPDX-License-Identifier: GPL-2.0
/*
 * From the tree of the parser, which nobody changes, to terms, in which names are
 * then replaced.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "bind/bind.h"
#include "bind/bind_in.h"

static const enum term_kind kinds[] = {
	[EXPR_REG] = TERM_REG, [EXPR_IMM] = TERM_IMM, [EXPR_TEXT] = TERM_TEXT,
	[EXPR_STACK] = TERM_STACK, [EXPR_STACK_WORD] = TERM_STACK_WORD,
	[EXPR_ARG] = TERM_ARG, [EXPR_RETVAL] = TERM_RETVAL,
	[EXPR_ELAPSED] = TERM_ELAPSED, [EXPR_ENTRY] = TERM_ENTRY,
	[EXPR_CTX] = TERM_CTX, [EXPR_COMM] = TERM_COMM,
	[EXPR_CALLER] = TERM_CALLER, [EXPR_FUNCTION] = TERM_FUNCTION,
	[EXPR_STATE] = TERM_STATE, [EXPR_STORE] = TERM_STORE,
	[EXPR_KSTACK] = TERM_KSTACK, [EXPR_USTACK] = TERM_USTACK,
	[EXPR_PARAM] = TERM_PARAM, [EXPR_COUNTER] = TERM_COUNTER,
	[EXPR_SYMBOL] = TERM_SYMBOL, [EXPR_FILE] = TERM_FILE,
	[EXPR_NAME] = TERM_NAME, [EXPR_ARGS] = TERM_LIST,
	[EXPR_MEMBER] = TERM_MEMBER, [EXPR_INDEX] = TERM_INDEX,
	[EXPR_DEREF] = TERM_DEREF, [EXPR_CAST] = TERM_CAST,
	[EXPR_UNARY] = TERM_UNARY, [EXPR_BINARY] = TERM_BINARY,
	[EXPR_COND] = TERM_COND,
};

static const enum show_kind shows[] = {
	[TYPE_DEFAULT] = SHOW_DEFAULT, [TYPE_UNSIGNED] = SHOW_UNSIGNED,
	[TYPE_SIGNED] = SHOW_SIGNED, [TYPE_HEX] = SHOW_HEX,
	[TYPE_CHAR] = SHOW_CHAR, [TYPE_STRING] = SHOW_STRING,
	[TYPE_USTRING] = SHOW_USTRING, [TYPE_SYMBOL] = SHOW_SYMBOL,
	[TYPE_SYMSTR] = SHOW_SYMSTR, [TYPE_ERRNO] = SHOW_ERRNO,
	[TYPE_BITS] = SHOW_BITS, [TYPE_SIGNED_BITS] = SHOW_SIGNED_BITS,
	[TYPE_DENTRY] = SHOW_DENTRY, [TYPE_FILE] = SHOW_FILE, [TYPE_C] = SHOW_C,
};

static struct show show_of(const struct type_spec *type)
{
	return (struct show){
		.kind = shows[type->kind], .size = type->size,
		.count = type->count, .bit_width = type->bit_width,
		.bit_offset = type->bit_offset, .at = type->at,
	};
}

/* Return: false: no memory. */
static bool copy(const struct expr *expr, struct term **ret)
{
	struct term *e;

	if (!expr)
		return true;
	e = term_new(kinds[expr->kind], NULL);
	*ret = e;
	if (!e)
		return false;
	e->op = expr->op;
	e->at = expr->at;
	e->name_at = expr->name_at;
	e->value = expr->value;
	e->is_unsigned = expr->is_unsigned;
	e->user = expr->user;
	e->arrow = expr->arrow;
	e->type = show_of(&expr->type);
	e->height = expr->height;
	if (expr->text) {
		e->text = strdup(expr->text);
		if (!e->text)
			return false;
	}
	return copy(expr->base, &e->base) && copy(expr->right, &e->right) &&
	       copy(expr->third, &e->third);
}

static bool copy_args(const struct probe_spec *spec, struct terms *terms)
{
	size_t i;

	terms->args = calloc(spec->nr_args + 1, sizeof(*terms->args));
	if (!terms->args)
		return false;
	for (i = 0; i < spec->nr_args; i++) {
		const struct arg_spec *from = &spec->args[i];
		struct term_arg *to = &terms->args[terms->nr_args++];

		*to = (struct term_arg){
			.named = from->named, .at = from->at,
			.type = show_of(&from->type),
			.aggregate = from->aggregate,
		};
		if (from->name)
			to->name = strdup(from->name);
		if (!to->name != !from->name || !copy(from->expr, &to->term))
			return false;
	}
	return true;
}

static bool copy_stores(const struct probe_spec *spec, struct terms *terms)
{
	terms->stores = calloc(spec->nr_stores + 1, sizeof(struct term *));
	if (!terms->stores)
		return false;
	while (terms->nr_stores < spec->nr_stores) {
		size_t i = terms->nr_stores++;

		if (!copy(spec->stores[i], &terms->stores[i]))
			return false;
	}
	return true;
}

int bind_start(const struct probe_spec *spec, struct diag *d,
	       struct terms **ret)
{
	struct terms *terms = calloc(1, sizeof(*terms));

	if (!terms)
		return diag_no_memory(d);
	terms->text = spec->text;
	terms->kernel_syntax = spec->kernel_syntax;
	terms->aggregates = spec->aggregates;
	terms->params = &spec->params;
	if (!copy_args(spec, terms) || !copy_stores(spec, terms) ||
	    !copy(spec->filter, &terms->filter)) {
		terms_free(terms);
		return diag_no_memory(d);
	}
	*ret = terms;
	return 0;
}

/* No longer than names of arguments may be. */
static void shorten(struct buf *b, size_t length)
{
	if (b->size > length) {
		b->size = length;
		b->data[length] = '\0';
	}
}

char *terms_free_name(const struct terms *terms, size_t index,
		      const char *base)
{
	struct buf b = BUF_INIT;
	char suffix[24];
	size_t nr;

	buf_puts(&b, base);
	for (nr = index + 1; terms_find_arg(terms, buf_str(&b)); nr++) {
		snprintf(suffix, sizeof(suffix), "_%zu", nr);
		buf_clear(&b);
		buf_puts(&b, base);
		shorten(&b, SPEC_ARG_MAX - strlen(suffix));
		buf_puts(&b, suffix);
		if (b.failed)
			break;
	}
	return buf_take(&b);
}
