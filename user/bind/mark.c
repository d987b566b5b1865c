// SPDX-License-Identifier: GPL-2.0
/* $argN at a USDT probe: what the note of the probe says that the argument is. */
#include <errno.h>

#include "bind/bind_in.h"

/**
 * struct marks - a definition at a USDT probe
 * @terms: its terms
 * @place: where it goes
 * @d: where errors go
 */
struct marks {
	struct terms *terms;
	const struct place *place;
	struct diag *d;
};

static const struct sdt_arg *find_arg(const struct marks *m,
				      const struct term *e)
{
	const struct sdt_args *args = m->place->sdt_args;
	const char *path = m->place->path ? m->place->path : "PATH";
	uint64_t nr = e->value;

	if (!nr || nr > args->nr) {
		diag_set(m->d, -EINVAL, DIAG_COMPILE_NO_MARK_ARG,
			 (long long)e->value);
		diag_hint(m->d, "'ktap funcs --sdt -x %s' shows those that there are",
			  path);
	} else if (args->arg[nr - 1].kind == SDT_UNREADABLE) {
		diag_set(m->d, -EINVAL, DIAG_COMPILE_MARK_ARG,
			 (long long)e->value, args->arg[nr - 1].why);
	} else {
		return &args->arg[nr - 1];
	}
	diag_at(m->d, m->terms->text, e->at.start, e->at.length);
	return NULL;
}

static struct term *new_number(int64_t value)
{
	struct term *e = term_new(TERM_IMM, NULL);

	if (e)
		e->value = value;
	return e;
}

/* Takes both operands. */
static struct term *new_binary(enum expr_op op, struct term *base,
			       struct term *right)
{
	struct term *e = NULL;

	if (right)
		e = term_over(TERM_BINARY, base, right);
	else
		term_free(base);
	if (e)
		e->op = op;
	return e;
}

/* reg + index * scale, of which one may be missing */
static struct term *new_address(const struct sdt_arg *arg)
{
	struct term *index;

	if (!*arg->index)
		return term_reg(arg->reg);
	index = new_binary(OP_MUL, term_reg(arg->index), new_number(arg->scale));
	return *arg->reg ? new_binary(OP_ADD, term_reg(arg->reg), index) : index;
}

static struct term *new_memory(const struct sdt_arg *arg)
{
	struct term *e;

	if (!*arg->reg && !*arg->index) {
		e = term_new(TERM_SYMBOL, NULL);
	} else {
		e = term_over(TERM_DEREF, new_address(arg), NULL);
		if (e)
			e->user = true;
	}
	if (e)
		e->value = arg->number;
	return e;
}

static struct term *new_value(const struct sdt_arg *arg)
{
	if (arg->kind == SDT_NUMBER)
		return new_number(arg->number);
	return arg->kind == SDT_REG ? term_reg(arg->reg) : new_memory(arg);
}

/* Errors in what the note says have the position of $argN. */
static void set_spans(struct term *e, struct span at)
{
	if (!e)
		return;
	e->at = at;
	e->type.at = at;
	set_spans(e->base, at);
	set_spans(e->right, at);
}

/* $argN at @e becomes a number of the type that the note gives to it. */
static int replace(const struct marks *m, struct term *e)
{
	const struct sdt_arg *arg = find_arg(m, e);

	if (!arg)
		return -EINVAL;
	e->base = new_value(arg);
	if (!e->base)
		return diag_no_memory(m->d);
	e->kind = TERM_MARK;
	e->type = (struct show){
		.kind = arg->is_signed ? SHOW_SIGNED : SHOW_UNSIGNED,
		.size = arg->size,
	};
	e->height = e->base->height + 1;
	set_spans(e, e->at);
	return 0;
}

static int walk(const struct marks *m, struct term *e)
{
	int err;

	if (!e)
		return 0;
	if (e->kind == TERM_ARG)
		return replace(m, e);
	err = walk(m, e->base);
	if (!err)
		err = walk(m, e->right);
	return err ? err : walk(m, e->third);
}

int bind_marks(struct terms *terms, const struct place *place, struct diag *d)
{
	const struct marks m = { .terms = terms, .place = place, .d = d };
	int err = 0;

	if (!place->sdt_args)
		return 0;
	for (size_t i = 0; !err && i < terms->nr_args; i++)
		err = walk(&m, terms->args[i].term);
	for (size_t i = 0; !err && i < terms->nr_stores; i++)
		err = walk(&m, terms->stores[i]);
	return err ? err : walk(&m, terms->filter);
}
