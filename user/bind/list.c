// SPDX-License-Identifier: GPL-2.0
/* Lists: what $arg*, $params and $vars stand for, as arguments in their place. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "bind/bind_in.h"
#include "dwarf/var.h"

/* @name as an argument in the place of the list @list. */
static int make_arg(struct vars *v, const struct term_arg *list, size_t index,
		    const char *name, struct term_arg *ret)
{
	struct terms *terms = v->terms;

	if (!*name)
		return vars_fail(v, list->term, DIAG_VAR_NAMELESS,
				 v->func.name);
	/* there what is called alike is refused */
	if (terms->kernel_syntax && terms_find_arg(terms, name))
		return vars_fail_at(v, list->at, DIAG_SPEC_USED_NAME, name);
	*ret = (struct term_arg){ .at = list->at, .aggregate = list->aggregate };
	ret->term = term_new(TERM_NAME, v->d);
	if (!ret->term)
		return -ENOMEM;
	ret->term->at = list->term->at;
	ret->term->text = strdup(name);
	ret->name = terms_free_name(terms, index, name);
	return ret->term->text && ret->name ? 0 : diag_no_memory(v->d);
}

/* The kernel counts what has no name after the list was replaced. */
static int rename_behind(struct vars *v, size_t from, size_t more)
{
	struct terms *terms = v->terms;
	size_t i;

	for (i = from; terms->kernel_syntax && i < terms->nr_args; i++) {
		struct term_arg *arg = &terms->args[i];
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
	struct terms *terms = v->terms;
	size_t behind = terms->nr_args - index - 1, i;
	struct term_arg *args;

	args = reallocarray(terms->args, terms->nr_args + nr, sizeof(*args));
	if (!args)
		return diag_no_memory(v->d);
	terms->args = args;
	memmove(&args[index + nr], &args[index + 1], behind * sizeof(*args));
	for (i = index; i < index + nr; i++)
		args[i] = (struct term_arg){};
	terms->nr_args += nr - 1;
	return 0;
}

/**
 * struct list - what a list stands for
 * @v: the definition
 * @term: it
 * @names: what it stands for
 */
struct list {
	struct vars *v;
	const struct term *term;
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

	err = vars_function(v, l->term);
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
	    (var->kind != DEBUG_PARAM && l->term->value == LIST_PARAMS))
		return 0;
	return put_name(l, name);
}

static int collect(struct list *l)
{
	const struct site *site = l->v->site;

	if (l->term->value == LIST_ARGS)
		return put_params(l);
	if (site)
		return debug_vars(site->dbg, &site->func, site->address, false,
				  put_variable, l);
	if (l->term->value == LIST_PARAMS)
		return put_params(l);
	return vars_fail(l->v, l->term, DIAG_VAR_NO_DEBUG,
			 VARS_QUOTE(l->v, l->term));
}

static int replace_list(struct vars *v, size_t *index, const struct names *n)
{
	struct term_arg list = v->terms->args[*index];
	size_t i;
	int err;

	err = rename_behind(v, *index + 1, n->nr - 1);
	if (!err)
		err = make_room(v, *index, n->nr);
	if (err)
		return err;
	for (i = 0; !err && i < n->nr; i++)
		err = make_arg(v, &list, *index + i, n->name[i],
			       &v->terms->args[*index + i]);
	free(list.name);
	term_free(list.term);
	*index += n->nr - 1;
	return err;
}

int vars_expand_list(struct vars *v, size_t *index)
{
	struct list l = { .v = v, .term = v->terms->args[*index].term };
	int err = collect(&l);

	if (!err && !l.names.nr && l.term->value == LIST_ARGS)
		err = vars_fail(v, l.term, DIAG_VAR_NO_PARAMS, v->func.name);
	else if (!err && !l.names.nr)
		err = vars_fail(v, l.term, DIAG_VAR_NO_VALUES,
				VARS_QUOTE(v, l.term));
	if (!err)
		err = replace_list(v, index, &l.names);
	names_deinit(&l.names);
	return err;
}
