// SPDX-License-Identifier: GPL-2.0
/* ARG: [NAME=]EXPR[:TYPE], one after the other. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "spec/parse.h"

#define QUOTES_HINT "use single quotes around the definition"

/*
 * The '=' of NAME=, or the end. In ktap's own syntax the ones of "==", "<="
 * and those inside brackets belong to an expression.
 */
static size_t find_equals(const struct parse *p, struct span at)
{
	size_t end = span_end(at), i;

	if (p->kernel)
		return parse_find(p, at, '=');
	for (i = at.start; i < end; i++) {
		if (strchr("([\"'?", p->text[i]))
			return end;
		if (p->text[i] != '=')
			continue;
		if (i > at.start && strchr("!<>", p->text[i - 1]))
			return end;
		if (i > at.start && i + 1 < end && p->text[i + 1] == '=')
			return end;
		return i;
	}
	return end;
}

static int check_used(const struct parse *p, const struct probe_spec *spec,
		      const char *name, struct span at)
{
	if (!spec_find_arg(spec, name))
		return 0;
	return parse_fail(p, at, DIAG_SPEC_USED_NAME, name);
}

static int bad_name(const struct parse *p, struct span at)
{
	parse_fail_text(p, at, DIAG_SPEC_BAD_ARG_NAME, at, 0);
	diag_hint(p->d, "use letters, digits and '_', and no digit first");
	return -EINVAL;
}

/* A name that the user gave, at @at. */
static int take_name(const struct parse *p, const struct probe_spec *spec,
		     struct span at, struct arg_spec *arg)
{
	if (at.length > SPEC_ARG_MAX)
		return parse_fail(p, at, DIAG_SPEC_ARG_NAME_TOO_LONG,
				  SPEC_ARG_MAX);
	if (parse_ident(p, at) != at.length)
		return bad_name(p, at);
	arg->named = true;
	arg->name = parse_dup(p, at);
	if (!arg->name)
		return parse_no_memory(p);
	if (name_is_reserved(arg->name))
		return parse_fail(p, at, DIAG_SPEC_RESERVED_NAME, arg->name);
	return check_used(p, spec, arg->name, at);
}

/*
 * The kernel calls what has no name after the variable that it is, else by its
 * number, and checks that too.
 */
static int make_kernel_name(const struct parse *p,
			    const struct probe_spec *spec, struct arg_spec *arg)
{
	struct span name = span_between(arg->at.start,
					parse_find(p, arg->at, ':'));

	if (name.length && parse_ident(p, name) == name.length)
		arg->name = parse_dup(p, name);
	else if (asprintf(&arg->name, "arg%zu", spec->nr_args + 1) < 0)
		arg->name = NULL;
	return arg->name ? check_used(p, spec, arg->name, arg->at) :
			   parse_no_memory(p);
}

/* $arg*, which has the names of what it stands for. */
static int check_list(const struct parse *p, const struct probe_spec *spec,
		      struct arg_spec *arg)
{
	size_t i;

	for (i = 0; i < spec->nr_args; i++)
		if (spec->args[i].expr->kind == EXPR_ARGS)
			return parse_fail(p, arg->at, DIAG_SPEC_ARGS_TWICE);
	if (arg->named || arg->type.kind != TYPE_DEFAULT)
		return parse_fail(p, arg->expr->at, DIAG_SPEC_ARGS_ALONE);
	free(arg->name);
	arg->name = strdup(expr_list_name(arg->expr->value));
	return arg->name ? 0 : parse_no_memory(p);
}

static void arg_deinit(struct arg_spec *arg)
{
	free(arg->name);
	expr_free(arg->expr);
}

/* Takes what @arg owns. */
static int push_arg(const struct parse *p, struct probe_spec *spec,
		    const struct arg_spec *arg)
{
	size_t nr = spec->nr_args;
	struct arg_spec *args;

	if (nr == SPEC_ARGS_MAX)
		return parse_fail(p, arg->at, DIAG_SPEC_TOO_MANY_ARGS,
				  SPEC_ARGS_MAX);
	args = array_grow(spec->args, nr, sizeof(*args));
	if (!args)
		return parse_no_memory(p);
	spec->args = args;
	spec->args[nr] = *arg;
	spec->nr_args++;
	return 0;
}

/* ---- reg=di,si ---- */

static int parse_reg_item(const struct parse *p, struct probe_spec *spec,
			  struct span at)
{
	struct span name = span_between(at.start, parse_find(p, at, ':'));
	struct arg_spec arg = { .at = at };
	int err = 0;

	if (!name.length || parse_ident(p, name) != name.length) {
		parse_fail_text(p, at, DIAG_SPEC_BAD_FETCH, at, 0);
		diag_hint(p->d, "reg=di,si stands for di=%%di si=%%si");
		return -EINVAL;
	}
	err = take_name(p, spec, name, &arg);
	if (!err) {
		arg.expr = expr_new(EXPR_REG, p->d);
		if (arg.expr) {
			arg.expr->at = name;
			arg.expr->text = parse_dup(p, name);
		}
		if (!arg.expr || !arg.expr->text)
			err = parse_no_memory(p);
	}
	if (!err && name.length < at.length)
		err = parse_type(p, span_between(span_end(name) + 1,
						 span_end(at)),
				 arg.expr, &arg.type);
	if (!err)
		err = push_arg(p, spec, &arg);
	if (err)
		arg_deinit(&arg);
	return err;
}

static int parse_reg_list(const struct parse *p, struct probe_spec *spec,
			  struct span at)
{
	size_t pos = at.start, end = span_end(at), comma;
	int err;

	do {
		comma = parse_find(p, span_between(pos, end), ',');
		err = parse_reg_item(p, spec, span_between(pos, comma));
		pos = comma + 1;
	} while (!err && comma < end);
	return err;
}

/* ---- one argument ---- */

/* What an unquoted shell leaves behind of name=$var and of a->b. */
static int check_shell(const struct parse *p, struct span name,
		       struct span body)
{
	size_t last = span_end(body) - 1;

	if (!body.length)
		parse_fail_text(p, body, DIAG_SPEC_NO_ARG_BODY, name, 0);
	else if (p->text[last] == '-')
		parse_fail_text(p, span_between(last, last + 1),
				DIAG_SPEC_SHELL_CUT, body, 0);
	else
		return 0;
	diag_hint(p->d, QUOTES_HINT);
	return -EINVAL;
}

/* EXPR:(struct foo *) is ((struct foo *)EXPR). */
static int wrap_cast(const struct parse *p, struct span at,
		     struct arg_spec *arg)
{
	struct span type = at;
	struct expr *cast;
	bool sure;

	if (p->text[at.start] == '(' && p->text[span_end(at) - 1] == ')')
		type = span_between(at.start + 1, span_end(at) - 1);
	cast = expr_new(EXPR_CAST, p->d);
	if (!cast)
		return -ENOMEM;
	cast->text = parse_c_type(p, type, &sure);
	if (!cast->text) {
		expr_free(cast);
		return parse_fail_text(p, at, DIAG_SPEC_BAD_TYPE, at, 0);
	}
	cast->at = arg->expr->at;
	cast->type = (struct type_spec){ .kind = TYPE_C, .at = type };
	cast->height = arg->expr->height + 1;
	cast->base = arg->expr;
	arg->expr = cast;
	return 0;
}

static int parse_body(const struct parse *p, struct span at,
		      struct arg_spec *arg)
{
	size_t end = span_end(at), pos = at.start;
	int err = parse_expr(p, at, &arg->expr, &pos);

	if (err || pos == end)
		return err;
	at = parse_trim(p, span_between(pos + 1, end));
	if (parse_is_c_type(p, at))
		return wrap_cast(p, at, arg);
	return parse_type(p, at, arg->expr, &arg->type);
}

static int no_name(const struct parse *p, struct span word)
{
	parse_fail(p, word, DIAG_SPEC_NO_ARG_NAME);
	diag_hint(p->d, "NAME=EXPR is written without blanks");
	return -EINVAL;
}

/* NAME=count() has no operand. */
static int check_operand(const struct parse *p, struct span whole,
			 struct span body)
{
	if (body.length)
		return 0;
	return parse_fail(p, whole, DIAG_SPEC_NAMED_COUNT);
}

/* Is it a key, or the value of a function such as sum()? @body becomes its operand. */
static int parse_role(const struct parse *p, struct probe_spec *spec,
		      struct span *body, struct arg_spec *arg)
{
	struct span whole = *body;
	int err;

	err = parse_aggregate(p, body, &arg->aggregate);
	if (err || !p->keys) {
		spec->aggregates |= aggregate_is_value(&arg->aggregate);
		return err ? err : check_operand(p, whole, *body);
	}
	if (aggregate_is_value(&arg->aggregate) || !body->length)
		return parse_fail(p, whole, DIAG_SPEC_KEY_FUNCTION);
	arg->aggregate.kind = AGGREGATE_KEY;
	return 0;
}

static int parse_arg(const struct parse *p, struct probe_spec *spec,
		     struct span at)
{
	size_t end = span_end(at), equals = find_equals(p, at);
	struct span name = span_between(at.start, equals);
	struct arg_spec arg = { .at = at };
	struct span body = at;
	int err;

	if (equals < end) {
		if (!name.length)
			return no_name(p, at);
		body = span_between(equals + 1, end);
		if (parse_is_store(p, body))
			return parse_named_store(p, at);
	}
	if (!p->kernel && equals < end && parse_is(p, name, "reg") &&
	    parse_ident(p, body) && p->text[end - 1] != '-')
		return parse_reg_list(p, spec, body);
	err = 0;
	if (equals < end)
		err = take_name(p, spec, name, &arg);
	else if (p->kernel)
		err = make_kernel_name(p, spec, &arg);
	if (!err)
		err = check_shell(p, name, body);
	if (!err)
		err = parse_role(p, spec, &body, &arg);
	if (!err)
		err = parse_body(p, body, &arg);
	if (!err && arg.expr->kind == EXPR_ARGS)
		err = check_list(p, spec, &arg);
	if (!err)
		err = push_arg(p, spec, &arg);
	if (err)
		arg_deinit(&arg);
	return err;
}

/* if EXPR: all the rest. */
static int parse_filter(const struct parse *p, size_t pos,
			struct probe_spec *spec)
{
	size_t end = strlen(p->text), stop;
	int err;

	while (end > pos && parse_is_blank(p->text[end - 1]))
		end--;
	while (pos < end && parse_is_blank(p->text[pos]))
		pos++;
	if (pos == end) {
		parse_fail(p, span_between(end, end), DIAG_SPEC_NO_FILTER);
		diag_hint(p->d, "write a condition, as in 'if count > 4096'");
		return -EINVAL;
	}
	err = parse_expr(p, span_between(pos, end), &spec->filter, &stop);
	if (err || stop == end)
		return err;
	parse_fail_text(p, span_between(stop, end), DIAG_SPEC_TRAILING,
			span_between(stop, end), 0);
	if (p->text[stop] == ':')
		diag_hint(p->d, "here the type is written first, in parentheses: (u8)x");
	return -EINVAL;
}

/* by KEY... */
static int begin_keys(struct parse *p, struct span word,
		      struct probe_spec *spec)
{
	if (p->keys)
		return parse_fail(p, word, DIAG_SPEC_BY_TWICE);
	p->keys = true;
	spec->aggregates = true;
	return 0;
}

/* Arguments before 'by' are values of functions, or all are left to the command. */
static int check_keys(const struct parse *p, struct span by,
		      const struct probe_spec *spec)
{
	size_t nr = spec->nr_args;

	if (p->keys && (!nr || spec->args[nr - 1].aggregate.kind != AGGREGATE_KEY)) {
		parse_fail(p, by, DIAG_SPEC_NO_KEY);
		diag_hint(p->d, "write keys after 'by', as in 'by $comm'; a variable of that name is (by)");
		return -EINVAL;
	}
	return 0;
}

/* A word that can only stand between two values. */
static bool is_comparison(const struct parse *p, struct span word)
{
	static const char *const words[] = {
		"==", "!=", "<", ">", "<=", ">=", "~", "&&", "||",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (parse_is(p, word, words[i]))
			return true;
	return false;
}

/* ARG > VALUE, from somebody who has forgotten the 'if'. */
static int no_if(const struct parse *p, const struct arg_spec *left,
		 struct span word)
{
	size_t start = left->named ? find_equals(p, left->at) + 1 :
				     left->at.start;

	parse_fail_text(p, word, DIAG_SPEC_BAD_FETCH, word, 0);
	diag_hint(p->d, "a condition begins with 'if': if %s", p->text + start);
	return -EINVAL;
}

int parse_args(struct parse *p, size_t pos, struct probe_spec *spec)
{
	struct span word, by = { 0 };
	int err;

	while (parse_word(p, &pos, &word)) {
		err = 0;
		if (!p->kernel && parse_is(p, word, "if"))
			err = parse_filter(p, pos, spec);
		else if (!p->kernel && spec->nr_args && is_comparison(p, word))
			err = no_if(p, &spec->args[spec->nr_args - 1], word);
		else if (!p->kernel && parse_is(p, word, "by"))
			err = begin_keys(p, by = word, spec);
		else if (parse_is_store(p, word))
			err = parse_store(p, word, spec);
		else if (parse_is_count(p, word) && !p->keys)
			spec->aggregates = true;
		else
			err = parse_arg(p, spec, word);
		if (err)
			return err;
		if (spec->filter)
			break;
	}
	err = check_keys(p, by, spec);
	if (err)
		return err;
	return p->kernel ? 0 : names_make(p, spec);
}
