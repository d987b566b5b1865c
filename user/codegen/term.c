// SPDX-License-Identifier: GPL-2.0
/* Trees of terms: made, copied and freed. */
#include "codegen/term.h"

#include <stdlib.h>
#include <string.h>

struct term *term_new(enum term_kind kind, struct diag *d)
{
	struct term *e = calloc(1, sizeof(*e));

	if (e)
		e->kind = kind;
	else
		diag_no_memory(d);
	return e;
}

struct term *term_reg(const char *name)
{
	struct term *e = name ? term_new(TERM_REG, NULL) : NULL;

	if (e)
		e->text = strdup(name);
	if (e && e->text)
		return e;
	term_free(e);
	return NULL;
}

struct term *term_over(enum term_kind kind, struct term *base,
		       struct term *right)
{
	struct term *e = base ? term_new(kind, NULL) : NULL;

	if (!e) {
		term_free(base);
		term_free(right);
		return NULL;
	}
	e->base = base;
	e->right = right;
	e->height = base->height;
	if (right && right->height > e->height)
		e->height = right->height;
	e->height++;
	return e;
}

void term_free(struct term *term)
{
	while (term) {
		struct term *base = term->base;

		term_free(term->right);
		term_free(term->third);
		free(term->text);
		free(term);
		term = base;
	}
}

struct term *term_copy(const struct term *term)
{
	struct term *e = term ? malloc(sizeof(*e)) : NULL;
	bool ok;

	if (!e)
		return NULL;
	*e = *term;
	e->text = term->text ? strdup(term->text) : NULL;
	e->base = term_copy(term->base);
	e->right = term_copy(term->right);
	e->third = term_copy(term->third);
	ok = !e->text == !term->text && !e->base == !term->base &&
	     !e->right == !term->right && !e->third == !term->third;
	if (ok)
		return e;
	term_free(e);
	return NULL;
}

void terms_free(struct terms *terms)
{
	if (!terms)
		return;
	for (size_t i = 0; i < terms->nr_args; i++) {
		free(terms->args[i].name);
		term_free(terms->args[i].term);
	}
	free(terms->args);
	for (size_t i = 0; i < terms->nr_stores; i++)
		term_free(terms->stores[i]);
	free(terms->stores);
	term_free(terms->filter);
	free(terms);
}

const struct term_arg *terms_find_arg(const struct terms *terms,
				      const char *name)
{
	for (size_t i = 0; i < terms->nr_args; i++)
		if (terms->args[i].name && !strcmp(terms->args[i].name, name))
			return &terms->args[i];
	return NULL;
}
