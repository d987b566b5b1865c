// SPDX-License-Identifier: GPL-2.0
/* Lists: what $arg*, $params and $vars stand for, as arguments in their place. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "bind/bind_in.h"

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
 * struct list - what a list stands for
 * @v: the definition
 * @expr: it
 * @names: what it stands for
 */
struct list {
	struct vars *v;
	const struct expr *expr;
	struct names names;
};

static int put_name(struct list *l, const char *name)
{
	return names_put(&l->names, name) ? diag_no_memory(l->v->d) : 0;
}

/* Those that the function is declared with. */
static int put_params(struct list *l)
{
	struct vars *v = l->v;
	unsigned int i;
	struct ctype t;
	int err;

	err = vars_function(v, l->expr);
	for (i = vars_nr_hidden(v); !err && i < v->func.nr_params; i++)
		err = put_name(l, kbtf_param(&v->func, i, &t));
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
	struct list *l = ctx;
	Dwarf_Die die = var->die;
	const char *name = dwarf_diename(&die);

	if (!name || has_name(&l->names, name) || !has_value(l->v, var) ||
	    (var->kind != DEBUG_PARAM && l->expr->value == LIST_PARAMS))
		return 0;
	return put_name(l, name);
}

static int collect(struct list *l)
{
	const struct site *site = l->v->site;

	if (l->expr->value == LIST_ARGS)
		return put_params(l);
	if (site)
		return debug_vars(site->dbg, &site->func, site->address, false,
				  put_variable, l);
	if (l->expr->value == LIST_PARAMS)
		return put_params(l);
	return vars_fail(l->v, l->expr, DIAG_VAR_NO_DEBUG,
			 VARS_QUOTE(l->v, l->expr));
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
	struct list l = { .v = v, .expr = v->spec->args[*index].expr };
	int err = collect(&l);

	if (!err && !l.names.nr && l.expr->value == LIST_ARGS)
		err = vars_fail(v, l.expr, DIAG_VAR_NO_PARAMS, v->func.name);
	else if (!err && !l.names.nr)
		err = vars_fail(v, l.expr, DIAG_VAR_NO_VALUES,
				VARS_QUOTE(v, l.expr));
	if (!err)
		err = replace_list(v, index, &l.names);
	names_deinit(&l.names);
	return err;
}
