// SPDX-License-Identifier: GPL-2.0
/* $argN at a static mark: what the mark's note says of it, in our language. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/sdt.h"
#include "codegen/lower.h"

/* Where the note has it: "%di:s32". */
static int find_arg(struct lower *l, const struct expr *e, const char **ret,
		    size_t *length)
{
	if (!sdt_arg(l->place->sdt_args, (uint64_t)e->value, ret, length)) {
		lower_fail(l, e, DIAG_COMPILE_NO_MARK_ARG, (long long)e->value);
		diag_hint(l->d, "'ktap funcs --sdt -x %s' shows those that there are",
			  l->place->path ? l->place->path : "PATH");
		return -EINVAL;
	}
	if (**ret != '!')
		return 0;
	return lower_fail(l, e, DIAG_COMPILE_MARK_ARG, (long long)e->value,
			  (int)*length - 1, *ret + 1);
}

/* As the argument of a definition, which it would be if somebody wrote it. */
static int parse_arg(struct lower *l, const char *arg, size_t length,
		     struct probe_spec **ret)
{
	char *text;
	int err;

	if (asprintf(&text, "mark %.*s", (int)length, arg) < 0)
		return diag_no_memory(l->d);
	err = spec_parse(text, l->d, ret);
	free(text);
	return err;
}

static void set_spans(struct node *n, struct span at)
{
	size_t i;

	n->at = at;
	for (i = 0; i < NODE_ARGS; i++)
		if (n->args[i])
			set_spans(n->args[i], at);
}

int lower_mark_arg(struct lower *l, const struct expr *e, struct node **ret)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	struct lower inner = *l;
	const char *arg;
	size_t length;
	int err;

	err = find_arg(l, e, &arg, &length);
	if (!err)
		err = parse_arg(l, arg, length, &spec);
	if (err)
		return err;
	inner.spec = spec;
	err = lower_arg(&inner, &spec->args[0], ret);
	/* errors are where the user named it */
	if (!err)
		set_spans(*ret, e->at);
	return err;
}

bool lower_mark_type(struct lower *l, const struct expr *e,
		     struct type_spec *ret)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	const char *arg;
	size_t length;

	if (e->kind != EXPR_ARG || !l->place->sdt_args ||
	    find_arg(l, e, &arg, &length) || parse_arg(l, arg, length, &spec))
		return false;
	*ret = spec->args[0].type;
	return true;
}
