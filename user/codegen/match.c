// SPDX-License-Identifier: GPL-2.0
/* Texts in filters: which there are, and what they can be compared with. */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "base/buf.h"
#include "codegen/entry.h"
#include "codegen/lower.h"

/* $entry(x) with a type that makes it one, or of the task's name */
static bool entry_is_text(const struct term *e)
{
	return e->kind == TERM_ENTRY &&
	       (type_is_text(&e->type) || e->base->kind == TERM_COMM);
}

bool lower_is_text(const struct lower *l, const struct term *e)
{
	const struct term_arg *arg;

	switch (e->kind) {
	case TERM_COMM:
	case TERM_TEXT:
		return true;
	case TERM_CAST:
		return type_is_text(&e->type);
	case TERM_ENTRY:
		return entry_is_text(e);
	case TERM_NAME:
		arg = lower_find_arg(l, e);
		return arg && (type_is_text(&arg->type) ||
			       arg->term->kind == TERM_COMM ||
			       arg->term->kind == TERM_TEXT ||
			       entry_is_text(arg->term));
	default:
		return false;
	}
}

/* The operand whose text it is; *@type: how it was said to be one. */
static const struct term *text_operand(const struct lower *l,
				       const struct term *e,
				       const struct show **type)
{
	const struct term_arg *arg = lower_find_arg(l, e);

	*type = arg ? &arg->type : &e->type;
	if (arg)
		return arg->term;
	return e->kind == TERM_CAST ? e->base : e;
}

const struct term *lower_entry_text(const struct lower *l,
				    const struct term *e,
				    const struct show **type)
{
	const struct term *sides[] = { e->base, e->right };
	const struct term *entry;
	size_t i;

	for (i = 0; i < 2; i++) {
		entry = text_operand(l, sides[i], type);
		if (entry->kind != TERM_ENTRY || sides[!i]->kind != TERM_TEXT ||
		    !lower_is_text(l, sides[i]))
			continue;
		if (type_is_text(&entry->type))
			*type = &entry->type;
		return entry;
	}
	return NULL;
}

/* Where the text is. */
static int text_address(struct lower *l, const struct term *e, bool *user,
			struct node **ret)
{
	bool in_filter = l->in_filter;
	const struct show *type;
	const struct term *operand;
	int err;

	operand = text_operand(l, e, &type);
	if (type->count)
		return lower_quote(l, e, DIAG_COMPILE_ARRAY_VALUE);
	if (operand->kind == TERM_COMM) {
		*user = false;
		return lower_done(l, node_leaf(e->at, (struct ktap_insn){
			.op = KTAP_OP_CTX, .imm = KTAP_CTX_COMM,
		}, 64, false), ret);
	}
	if (e->kind == TERM_CAST && operand->kind != TERM_DEREF &&
	    operand->kind != TERM_SYMBOL) {
		lower_fail(l, e, DIAG_SPEC_BAD_STRING);
		diag_hint(l->d, "what the operand points at is +0(%.*s)",
			  (int)operand->at.length,
			  l->terms->text + operand->at.start);
		return -EINVAL;
	}
	l->in_filter = in_filter && e->kind != TERM_NAME;
	err = lower_text_address(l, operand, type, user, ret);
	l->in_filter = in_filter;
	*user |= type->kind == SHOW_USTRING;
	return err;
}

static int pattern_of(struct lower *l, const struct term *e, bool is_glob,
		      struct buf *ret)
{
	const char *s;

	for (s = e->text; *s; s++) {
		if (!is_glob && strchr("*?[\\", *s))
			buf_putc(ret, '\\');
		buf_putc(ret, *s);
	}
	/* an empty text is one that has not a letter, see compare() */
	if (!ret->size)
		buf_puts(ret, "?*");
	if (ret->failed)
		return diag_no_memory(l->d);
	if (ret->size > KTAP_PATTERN_MAX)
		return lower_fail(l, e, DIAG_COMPILE_LONG_PATTERN,
				  KTAP_PATTERN_MAX);
	return 0;
}

/* Whether @left matches what stands on the right of @e: 1 or 0. */
static int compare(struct lower *l, const struct term *e,
		   const struct term *left, const struct term *right,
		   struct node **ret)
{
	_cleanup_buf_ struct buf pattern = BUF_INIT;
	bool is_glob = e->op == OP_MATCH || e->op == OP_NO_MATCH;
	bool negate = e->op == OP_NE || e->op == OP_NO_MATCH;
	const struct show *type;
	const struct term *operand;
	struct node *n = NULL;
	bool user = false;
	int err;

	err = pattern_of(l, right, is_glob, &pattern);
	if (err)
		return err;
	operand = text_operand(l, left, &type);
	if (operand->kind == TERM_TEXT) {
		bool same = !fnmatch(pattern.data, operand->text, 0);

		err = lower_done(l, node_const(e->at, same, false), &n);
	} else {
		err = text_address(l, left, &user, &n);
		if (!err)
			err = lower_done(l, node_match(e->at, n, user,
						       pattern.data,
						       pattern.size), &n);
	}
	if (err)
		return err;
	if (negate != !*right->text)
		n = node_unary(e->at, OP_NOT, n);
	return lower_done(l, n, ret);
}

int lower_compare_texts(struct lower *l, const struct term *e,
			struct node **ret)
{
	const struct term *left = e->base, *right = e->right;
	bool commutes = e->op == OP_EQ || e->op == OP_NE;
	struct entry_value v;

	/* decided at the entry */
	if (entry_find(l, e, &v))
		return lower_entry(l, e, ret);
	if (!commutes && e->op != OP_MATCH && e->op != OP_NO_MATCH) {
		if (!lower_is_text(l, left))
			left = right;
		return lower_quote(l, left, DIAG_COMPILE_TEXT_VALUE);
	}
	if (commutes && left->kind == TERM_TEXT) {
		left = e->right;
		right = e->base;
	}
	if (!lower_is_text(l, left)) {
		lower_quote(l, left, DIAG_COMPILE_NO_TEXT);
		diag_hint(l->d, "a string in memory is (string)+0($arg1), or (ustring)+0($arg1)");
		return -EINVAL;
	}
	if (right->kind != TERM_TEXT) {
		lower_quote(l, right, DIAG_COMPILE_TEXT_WITH);
		diag_hint(l->d, "write the string in double quotes");
		return -EINVAL;
	}
	return compare(l, e, left, right, ret);
}
