// SPDX-License-Identifier: GPL-2.0
/*
 * $param(NAME) and $param(NAME=DEFAULT:TYPE). The second form declares the parameter
 * itself; for the first one it was declared before, in the definition or outside of it.
 * A value that was given outside comes before the default.
 */
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/suggest.h"
#include "spec/parse.h"

#define FORMS_HINT "write $param(NAME), or $param(NAME=DEFAULT:TYPE) as in $param(min=4096:u64)"

/* @value: of an example */
static int fail_name(const struct parse *p, const struct param *param,
		     enum diag_code code, const char *value)
{
	const struct params *const known[] = { p->params, p->given };
	const char *name = param->name;
	struct suggest s;

	parse_fail(p, param->at, code, name);
	suggest_init(&s, name, strlen(name));
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		for (size_t j = 0; known[i] && j < known[i]->nr; j++)
			suggest_try(&s, known[i]->param[j].name);
	if (code == DIAG_SPEC_NO_PARAM)
		suggest_hint(&s, "", p->d);
	diag_hint(p->d, "declare it: --param %s=%s:u64, or $param(%s=%s:u64)", name,
		  value, name, value);
	return -EINVAL;
}

/* The same name is the same parameter everywhere. */
static int check_same(const struct parse *p, const struct param *old,
		      const struct param *new, struct span at)
{
	int err = param_check_same(old, new, p->d);

	if (err)
		diag_at(p->d, p->text, at.start, at.length);
	return err;
}

/* The value of @new that was given outside. */
static int take_given(const struct parse *p, const struct param *given,
		      struct param *new)
{
	int err;

	if (given->kind) {
		new->value = given->value;
		return 0;
	}
	err = param_set(new, given->text, strlen(given->text), p->d);
	if (err)
		diag_at(p->d, p->text, new->at.start, new->at.length);
	return err;
}

/* $param(NAME=DEFAULT:TYPE) */
static int declare(const struct parse *p, const struct param *old,
		   const struct param *given, struct param *new)
{
	int err;

	if (!new->kind)
		return fail_name(p, new, DIAG_SPEC_PARAM_TYPE, new->text);
	if (given && given->kind && !param_same_type(given, new))
		return check_same(p, given, new, new->at);
	err = given ? take_given(p, given, new) : 0;
	return err || !old ? err : check_same(p, old, new, new->at);
}

/* $param(NAME) */
static int refer(const struct parse *p, const struct param *given,
		 struct param *new)
{
	if (!given)
		return fail_name(p, new, DIAG_SPEC_NO_PARAM, "4096");
	if (!given->kind)
		return fail_name(p, new, DIAG_SPEC_PARAM_TYPE, given->text);
	new->kind = given->kind;
	new->size = given->size;
	new->value = given->value;
	return 0;
}

/* *@index: of the parameter in the definition */
static int find_or_add(const struct parse *p, struct param *new, int64_t *index)
{
	const struct param *given = params_find(p->given, new->name);
	struct param *old = params_find(p->params, new->name);
	int err = 0;

	if (new->text)
		err = declare(p, old, given, new);
	else if (!old)
		err = refer(p, given, new);
	if (err)
		return err;
	if (old) {
		*index = old - p->params->param;
		return 0;
	}
	*index = (int64_t)p->params->nr;
	if (p->params->nr == PARAMS_MAX)
		return parse_fail(p, new->at, DIAG_PARAM_MANY, PARAMS_MAX);
	return params_add(p->params, new) ? parse_no_memory(p) : 0;
}

static enum type_kind kind_of(const struct param *param)
{
	static const enum type_kind kinds[PARAM_KIND_NR] = {
		[PARAM_UNSIGNED] = TYPE_UNSIGNED, [PARAM_SIGNED] = TYPE_SIGNED,
		[PARAM_HEX] = TYPE_HEX,
	};

	return kinds[param->kind];
}

static int set(const struct parse *p, struct expr *e)
{
	const struct param *param = &p->params->param[e->value];

	e->type = (struct type_spec){
		.kind = kind_of(param), .size = param->size, .at = e->at,
	};
	e->text = strdup(param->name);
	return e->text ? 0 : parse_no_memory(p);
}

int parse_param(const struct parse *p, struct span at, struct expr *e)
{
	size_t open = span_end(e->at), end = span_end(at), close;
	struct param new;
	int err;

	e->kind = EXPR_PARAM;
	if (open == end || p->text[open] != '(') {
		parse_fail(p, e->at, DIAG_SPEC_BAD_PARAM);
		diag_hint(p->d, FORMS_HINT);
		return -EINVAL;
	}
	close = parse_find(p, span_between(open, end), ')');
	if (close == end)
		return parse_fail(p, span_between(end, end), DIAG_SPEC_NO_CLOSE);
	e->at = span_between(at.start, close + 1);
	err = param_read(p->text, span_between(open + 1, close), p->d, &new);
	if (err)
		return err;
	new.at = e->at;
	err = find_or_add(p, &new, &e->value);
	param_deinit(&new);
	return err ? err : set(p, e);
}
