// SPDX-License-Identifier: GPL-2.0
/*
 * In place of bind/: names of variables and types of C are refused. What needs neither
 * passes: registers, memory, the arguments and results of the calling convention.
 */
#include "bind/bind.h"

#include <errno.h>

#include "target/refuse.h"

/**
 * struct checking - a definition that is checked
 * @terms: its terms
 * @d: where errors go
 * @in_filter: names can be those of arguments
 */
struct checking {
	const struct terms *terms;
	struct diag *d;
	bool in_filter;
};

static int refuse(const struct checking *c, const struct term *e,
		  enum diag_code code)
{
	const char *text = c->terms->text;

	diag_set(c->d, -EINVAL, code, (int)e->at.length, text + e->at.start);
	diag_at(c->d, text, e->at.start, e->at.length);
	return refuse_hint(c->d);
}

/* The address of a symbol is a number; that of anything else needs a type. */
static bool needs_type(const struct term *e)
{
	switch (e->kind) {
	case TERM_MEMBER:
	case TERM_INDEX:
		return true;
	case TERM_UNARY:
		return e->op == OP_TARGET || e->op == OP_ADDRESS;
	case TERM_CAST:
		return e->type.kind == SHOW_C;
	default:
		return false;
	}
}

/* Operands come first: 'file->f_pos' is refused for the name 'file'. */
static int check(const struct checking *c, const struct term *e)
{
	int err;

	if (!e)
		return 0;
	if (e->kind == TERM_LIST)
		return refuse(c, e, DIAG_TARGET_NO_NAME);
	if (e->kind == TERM_NAME &&
	    !(c->in_filter && terms_find_arg(c->terms, e->text)))
		return refuse(c, e, DIAG_TARGET_NO_NAME);
	err = check(c, e->base);
	if (!err)
		err = check(c, e->right);
	if (!err)
		err = check(c, e->third);
	if (!err && needs_type(e))
		err = refuse(c, e, DIAG_TARGET_NO_TYPE);
	return err;
}

int vars_expand(struct terms *terms, const struct place *place,
		enum ktap_arch arch, struct kbtf *kb, const struct site *site,
		struct diag *d)
{
	struct checking c = { .terms = terms, .d = d };
	int err = 0;

	for (size_t i = 0; !err && i < terms->nr_args; i++)
		err = check(&c, terms->args[i].term);
	for (size_t i = 0; !err && i < terms->nr_stores; i++)
		err = check(&c, terms->stores[i]);
	c.in_filter = true;
	return err ? err : check(&c, terms->filter);
}

/* No prototype is known, so every $argN may be there. */
bool vars_places_wanted(const struct terms *terms, const struct place *place)
{
	return false;
}

int vars_check_places(const struct terms *terms, const struct place *place,
		      enum ktap_arch arch, struct kbtf *kb,
		      const struct site *site, struct diag *d, bool *known)
{
	*known = true;
	return 0;
}

/* Places of USDT probes are found in programs, and those are refused. */
int bind_marks(struct terms *terms, const struct place *place, struct diag *d)
{
	return 0;
}
