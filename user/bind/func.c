// SPDX-License-Identifier: GPL-2.0
/*
 * The function that a probe is at: what its parameters are called, and which of
 * the calling convention's places each has.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/suggest.h"
#include "bind/bind_in.h"

#define ARGS_HINT "its arguments are $arg1, $arg2 and so on"

bool vars_has_function(const struct vars *v)
{
	const struct place *place = v->place;

	if (place->is_syscall || !place->symbol || (place->path && !v->site))
		return false;
	return place->is_entry || (v->site && v->site->at_entry) ||
	       place_is_return(place) ||
	       place->type == KTAP_TYPE_TRACEPOINT;
}

/* The function that a tracepoint calls has its parameters, behind its own. */
unsigned int vars_nr_hidden(const struct vars *v)
{
	return v->place->type == KTAP_TYPE_TRACEPOINT;
}

/* Its code is not where the variables of the caller are: its prototype is all. */
void vars_set_site(struct vars *v, const struct site *site)
{
	if (vars_nr_hidden(v))
		v->traced = site;
	else
		v->site = site;
}

static int find_debug(struct vars *v, const struct site *site, struct diag *d)
{
	Dwarf_Die die = site->func.die;

	if (debug_proto(debug_types(site->dbg), &die, &v->func))
		return diag_no_memory(d);
	if (site == v->traced)
		v->func.name = v->place->symbol;
	v->is_known = true;
	return 0;
}

static int find(struct vars *v, struct diag *d)
{
	_cleanup_free_ char *traced = NULL;
	const struct place *place = v->place;
	const char *name = place->symbol;
	int err;

	if (v->is_known)
		return 0;
	if (vars_site(v))
		return find_debug(v, vars_site(v), d);
	if (place->shares_name)
		return diag_set(d, -EINVAL, DIAG_VAR_TWINS, name);
	if (vars_nr_hidden(v) && asprintf(&traced, "__traceiter_%s", name) < 0) {
		traced = NULL;
		return diag_no_memory(d);
	}
	err = kbtf_find(v->kb, place->module, traced ? traced : name, d,
			&v->func);
	v->func.name = name;
	v->is_known = !err;
	return err;
}

bool vars_knows(struct vars *v)
{
	return vars_has_function(v) && !find(v, NULL);
}

int vars_params(const struct place *place, enum ktap_arch arch,
		struct kbtf *kb, const struct site *traced, vars_param_fn *fn,
		void *ctx, struct diag *d)
{
	struct vars v = {
		.place = place, .kb = kb, .traced = traced, .d = d,
		.arch = arch_find(arch),
	};
	struct ctype t;
	int err;

	if (!v.arch || !vars_has_function(&v))
		return -ENOENT;
	err = find(&v, d);
	if (err)
		return err;
	for (unsigned int i = vars_nr_hidden(&v); i < v.func.nr_params; i++) {
		const char *name = kbtf_param(&v.func, i, &t);

		fn(ctx, name, &t, vars_number_of(&v, i));
	}
	return 0;
}

unsigned int vars_number_at(const struct site *site, const struct arch *arch,
			    unsigned int index)
{
	const struct place place = { .type = KTAP_TYPE_URETPROBE };
	struct vars v = { .place = &place, .site = site, .arch = arch };

	if (find_debug(&v, site, NULL) || index >= v.func.nr_params)
		return 0;
	return vars_number_of(&v, index);
}

/* What every hit has is no variable of the function. */
static bool hint_special(struct vars *v, const char *name)
{
	/* the last two at a return */
	static const char *const specials[] = {
		"comm", "pid", "ppid", "tid", "cpu", "uid", "cgroup", "task", "time",
		"now", "caller", "retval",
		"elapsed",
	};
	size_t nr = ARRAY_SIZE(specials) - 2 * !place_is_return(v->place);

	for (size_t i = 0; i < nr; i++) {
		if (strcmp(name, specials[i]))
			continue;
		diag_hint(v->d, "did you mean '$%s'?", name);
		return true;
	}
	return false;
}

void vars_hint_register(struct vars *v, const char *name)
{
	if (name && hint_special(v, name))
		return;
	if (name && arch_reg(v->arch, name))
		diag_hint(v->d, "did you mean '%%%s'?", name);
}

/* What the compiler made of a function may have other parameters. */
static void hint_args(struct vars *v)
{
	if (strchr(v->place->symbol, '.'))
		diag_hint(v->d, "the compiler changed that function, and its parameters with it: look at the code, and name registers");
	else
		diag_hint(v->d, "at its entry " ARGS_HINT);
}

int vars_function(struct vars *v, const struct term *e)
{
	int err;

	if (!vars_has_function(v)) {
		vars_fail(v, e, v->place->path ? DIAG_COMPILE_VARIABLE :
						 DIAG_VAR_NOT_HERE,
			  VARS_QUOTE(v, e));
		if (v->place->is_syscall)
			diag_hint(v->d, "the arguments of a system call are $arg1 to $arg6");
		else
			vars_hint_register(v, e->text);
		return -EINVAL;
	}
	err = find(v, v->d);
	if (!err || err == -ENOMEM)
		return err;
	diag_at(v->d, v->terms->text, e->at.start, e->at.length);
	vars_hint_register(v, e->text);
	hint_args(v);
	return err;
}

/* ---- names ------------------------------------------------------------------- */

static void hint_params(struct vars *v, const char *name)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct suggest s;
	struct ctype t;
	unsigned int i;

	suggest_init(&s, name, strlen(name));
	for (i = vars_nr_hidden(v); i < v->func.nr_params; i++) {
		const char *param = kbtf_param(&v->func, i, &t);

		suggest_try(&s, param);
		buf_printf(&b, "%s%s", b.size ? ", " : "", param);
	}
	vars_hint_register(v, name);
	suggest_hint(&s, "", v->d);
	if (b.size)
		diag_hint(v->d, "there are: %s", buf_str(&b));
}

/* Whether it travels as one number, and it is known where. */
static int check_param(struct vars *v, const struct term *e, const char *name,
		       const struct ctype *t, unsigned int number)
{
	_cleanup_free_ char *text = NULL;

	if (number)
		return 0;
	if (t->size <= 8 && (t->kind == CTYPE_INT || t->kind == CTYPE_POINTER))
		return vars_unread(v, e, LOC_UNKNOWN);
	text = ctype_text(t);
	if (!text)
		return diag_no_memory(v->d);
	return vars_fail(v, e, DIAG_VAR_BY_VALUE, name, text);
}

int vars_param(struct vars *v, struct term *e, struct value *ret)
{
	const char *name;
	unsigned int i, n;
	struct ctype t;
	int err;

	err = vars_function(v, e);
	if (err)
		return err;
	for (i = vars_nr_hidden(v); i < v->func.nr_params; i++) {
		name = kbtf_param(&v->func, i, &t);
		if (strcmp(name, e->text))
			continue;
		n = vars_number_of(v, i);
		err = check_param(v, e, name, &t, n);
		if (err)
			return err;
		e->kind = TERM_ARG;
		e->value = n;
		*ret = (struct value){ .type = t };
		return 0;
	}
	vars_fail(v, e, DIAG_VAR_NO_PARAM, v->func.name, e->text);
	hint_params(v, e->text);
	return -EINVAL;
}

int vars_arg_type(struct vars *v, const struct term *e, struct value *ret)
{
	unsigned int i;
	struct ctype t;
	int err;

	err = vars_function(v, e);
	if (err)
		return err;
	for (i = vars_nr_hidden(v); i < v->func.nr_params; i++) {
		kbtf_param(&v->func, i, &t);
		if (vars_number_of(v, i) != (uint64_t)e->value)
			continue;
		*ret = (struct value){ .type = t };
		return 0;
	}
	return vars_fail(v, e, DIAG_VAR_NO_NTH, v->func.name,
			 VARS_QUOTE(v, e));
}

int vars_return_type(struct vars *v, const struct term *e, bool must,
		     struct value *ret)
{
	int err;

	*ret = (struct value){};
	if (v->place->type != KTAP_TYPE_KRETPROBE && (!vars_has_return(v) || !v->site))
		return must ? vars_function(v, e) : 0;
	if (must)
		err = vars_function(v, e);
	else
		err = vars_knows(v) ? 0 : -ENOENT;
	if (err)
		return must ? err : 0;
	if (v->func.returns.kind == CTYPE_VOID)
		return vars_fail(v, e, DIAG_VAR_VOID, v->func.name);
	/* a class of C++ may be returned in memory, however small it is */
	if (!must && v->place->path && v->func.returns.kind == CTYPE_STRUCT)
		return 0;
	ret->type = v->func.returns;
	return 0;
}
