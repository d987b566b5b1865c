// SPDX-License-Identifier: GPL-2.0
/* Lists: what $arg*, $params and $vars stand for, as arguments in their place. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/vars_in.h"
#include "util/array.h"

/* @name as an argument in the place of the list @list. */
static int make_arg(struct vars *v, const struct arg_spec *list, size_t index,
		    const char *name, struct arg_spec *ret)
{
	struct probe_spec *spec = v->spec;

	if (!*name)
		return vars_fail(v, list->expr, DIAG_VAR_NAMELESS,
				 v->func.name);
	/* there what is called alike is refused */
	if (spec->kernel_syntax && spec_find_arg(spec, name))
		return vars_fail_at(v, list->at, DIAG_SPEC_USED_NAME, name);
	*ret = (struct arg_spec){ .at = list->at };
	ret->expr = expr_new(EXPR_NAME, v->d);
	if (!ret->expr)
		return -ENOMEM;
	ret->expr->at = list->expr->at;
	ret->expr->text = strdup(name);
	ret->name = spec_free_name(spec, index, name);
	return ret->expr->text && ret->name ? 0 : diag_no_memory(v->d);
}

/* The kernel counts what has no name after the list was replaced. */
static int rename_behind(struct vars *v, size_t from, size_t more)
{
	struct probe_spec *spec = v->spec;
	size_t i;

	for (i = from; spec->kernel_syntax && i < spec->nr_args; i++) {
		struct arg_spec *arg = &spec->args[i];
		unsigned int number;

		if (arg->named || sscanf(arg->name, "arg%u", &number) != 1)
			continue;
		free(arg->name);
		if (asprintf(&arg->name, "arg%zu", number + more) < 0) {
			arg->name = NULL;
			return diag_no_memory(v->d);
		}
	}
	return 0;
}

/* Room for @nr arguments in the place of the one at @index. */
static int make_room(struct vars *v, size_t index, size_t nr)
{
	struct probe_spec *spec = v->spec;
	size_t behind = spec->nr_args - index - 1, i;
	struct arg_spec *args;

	args = reallocarray(spec->args, spec->nr_args + nr, sizeof(*args));
	if (!args)
		return diag_no_memory(v->d);
	spec->args = args;
	memmove(&args[index + nr], &args[index + 1], behind * sizeof(*args));
	for (i = index; i < index + nr; i++)
		args[i] = (struct arg_spec){};
	spec->nr_args += nr - 1;
	return 0;
}

/**
 * struct names - what a list stands for
 * @v: the definition
 * @list: it
 * @name: copies; owned
 * @nr: how many
 */
struct names {
	struct vars *v;
	const struct expr *list;
	char **name;
	size_t nr;
};

static void names_deinit(struct names *n)
{
	while (n->nr)
		free(n->name[--n->nr]);
	free(n->name);
}

static int put_name(struct names *n, const char *name)
{
	char **more = array_grow(n->name, n->nr, sizeof(*more));

	if (!more)
		return diag_no_memory(n->v->d);
	n->name = more;
	more[n->nr] = strdup(name);
	return more[n->nr++] ? 0 : diag_no_memory(n->v->d);
}

/* Those that the function is declared with. */
static int put_params(struct names *n)
{
	struct vars *v = n->v;
	unsigned int i;
	struct ctype t;
	int err;

	err = vars_function(v, n->list);
	for (i = vars_nr_hidden(v); !err && i < v->func.nr_params; i++)
		err = put_name(n, kbtf_param(&v->func, i, &t));
	return err;
}

/* What is hidden by an inner one of that name is not in scope. */
static bool has_name(const struct names *n, const char *name)
{
	size_t i;

	for (i = 0; i < n->nr; i++)
		if (!strcmp(n->name[i], name))
			return true;
	return false;
}

static bool has_value(const struct vars *v, const struct debug_var *var)
{
	Dwarf_Die die = var->die;
	struct loc loc = {};
	enum loc_why why;

	if (var->is_twin ||
	    loc_find(v->site, v->arch, &die, (struct span){}, &why, &loc))
		return false;
	loc_deinit(&loc);
	/* a key of lockdep and the like is nothing where that is not built in */
	return debug_type_of(debug_types(v->site->dbg), &die).size;
}

static int put_variable(void *ctx, const struct debug_var *var)
{
	struct names *n = ctx;
	Dwarf_Die die = var->die;
	const char *name = dwarf_diename(&die);

	if (!name || has_name(n, name) || !has_value(n->v, var) ||
	    (var->kind != DEBUG_PARAM && n->list->value == LIST_PARAMS))
		return 0;
	return put_name(n, name);
}

static int collect(struct names *n)
{
	const struct site *site = n->v->site;

	if (n->list->value == LIST_ARGS)
		return put_params(n);
	if (site)
		return debug_vars(site->dbg, &site->func, site->address, false,
				  put_variable, n);
	if (n->list->value == LIST_PARAMS)
		return put_params(n);
	return vars_fail(n->v, n->list, DIAG_VAR_NO_DEBUG,
			 VARS_QUOTE(n->v, n->list));
}

static int replace_list(struct vars *v, size_t *index, const struct names *n)
{
	struct arg_spec list = v->spec->args[*index];
	size_t i;
	int err;

	err = rename_behind(v, *index + 1, n->nr - 1);
	if (!err)
		err = make_room(v, *index, n->nr);
	if (err)
		return err;
	for (i = 0; !err && i < n->nr; i++)
		err = make_arg(v, &list, *index + i, n->name[i],
			       &v->spec->args[*index + i]);
	free(list.name);
	expr_free(list.expr);
	*index += n->nr - 1;
	return err;
}

int vars_expand_list(struct vars *v, size_t *index)
{
	struct names n = { .v = v, .list = v->spec->args[*index].expr };
	int err = collect(&n);

	if (!err && !n.nr && n.list->value == LIST_ARGS)
		err = vars_fail(v, n.list, DIAG_VAR_NO_PARAMS, v->func.name);
	else if (!err && !n.nr)
		err = vars_fail(v, n.list, DIAG_VAR_NO_VALUES,
				VARS_QUOTE(v, n.list));
	if (!err)
		err = replace_list(v, index, &n);
	names_deinit(&n);
	return err;
}
