// SPDX-License-Identifier: GPL-2.0
/* $argN at a USDT probe: what the note of the probe says that the argument is. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "arch/sdt.h"
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

static int fail(const struct marks *m, const struct term *e)
{
	diag_at(m->d, m->terms->text, e->at.start, e->at.length);
	return -EINVAL;
}

/* Where the note has it: "%di:s32". */
static int find_arg(const struct marks *m, const struct term *e,
		    const char **ret, size_t *length)
{
	const char *path = m->place->path ? m->place->path : "PATH";

	if (!sdt_arg(m->place->sdt_args, (uint64_t)e->value, ret, length)) {
		diag_set(m->d, -EINVAL, DIAG_COMPILE_NO_MARK_ARG,
			 (long long)e->value);
		diag_hint(m->d, "'ktap funcs --sdt -x %s' shows those that there are",
			  path);
		return fail(m, e);
	}
	if (**ret != '!')
		return 0;
	diag_set(m->d, -EINVAL, DIAG_COMPILE_MARK_ARG, (long long)e->value,
		 (int)*length - 1, *ret + 1);
	return fail(m, e);
}

static void set_spans(struct term *e, struct span at)
{
	if (!e)
		return;
	e->at = at;
	e->type.at = at;
	set_spans(e->base, at);
	set_spans(e->right, at);
	set_spans(e->third, at);
}

/* As the argument of a definition, which it would be if somebody wrote it. */
static int parse_arg(const struct marks *m, const char *arg, size_t length,
		     struct terms **ret)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	char *text;
	int err;

	if (asprintf(&text, "mark %.*s", (int)length, arg) < 0)
		return diag_no_memory(m->d);
	err = spec_parse(text, m->d, &spec);
	free(text);
	return err ? err : bind_start(spec, m->d, ret);
}

/* $argN at *@e becomes a number of the type that the note gives to it. */
static int replace(const struct marks *m, struct term *e)
{
	_cleanup_(terms_freep) struct terms *arg = NULL;
	const char *text;
	size_t length;
	int err;

	err = find_arg(m, e, &text, &length);
	if (!err)
		err = parse_arg(m, text, length, &arg);
	if (err)
		return err;
	e->kind = TERM_MARK;
	e->base = take_ptr(arg->args[0].term);
	e->type = arg->args[0].type;
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
	return err ? err : walk(&m, terms->filter);
}
