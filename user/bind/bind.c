// SPDX-License-Identifier: GPL-2.0
/* Definitions with names in them: which have some, and their arguments. */
#include "bind/bind.h"

#include <errno.h>
#include <string.h>

#include "bind/bind_in.h"

/*
 * Whether @e has a name in it, or something that has a type by itself. @is_given:
 * what it is shown as was said.
 */
static bool has_names(const struct vars *v, const struct expr *e,
		      bool is_given)
{
	switch (e->kind) {
	case EXPR_NAME:
		return !v->in_filter || !spec_find_arg(v->spec, e->text);
	case EXPR_ARGS:
	case EXPR_MEMBER:
	case EXPR_INDEX:
		return true;
	case EXPR_RETVAL:
		return !is_given && v->place->type == KTAP_TYPE_KRETPROBE;
	case EXPR_UNARY:
		if (e->op == OP_TARGET || e->op == OP_ADDRESS)
			return true;
		break;
	default:
		break;
	}
	if (e->kind == EXPR_CAST && e->type.kind == TYPE_C)
		return true;
	is_given = e->kind == EXPR_CAST && !type_kind_is_string(e->type.kind);
	return (e->base && has_names(v, e->base, is_given)) ||
	       (e->right && has_names(v, e->right, false)) ||
	       (e->third && has_names(v, e->third, false));
}

static bool any_names(struct vars *v)
{
	const struct probe_spec *spec = v->spec;
	bool found = false;
	size_t i;

	for (i = 0; !found && i < spec->nr_args; i++) {
		const struct type_spec *type = &spec->args[i].type;

		found = has_names(v, spec->args[i].expr,
				  type->kind != TYPE_DEFAULT &&
					  !type_kind_is_string(type->kind));
	}
	v->in_filter = true;
	if (!found && spec->filter)
		found = has_names(v, spec->filter, false);
	v->in_filter = false;
	return found;
}

static int expand_lists(struct vars *v)
{
	int err = 0;
	size_t i;

	for (i = 0; !err && i < v->spec->nr_args; i++)
		if (v->spec->args[i].expr->kind == EXPR_ARGS)
			err = vars_expand_list(v, &i);
	return err;
}

static int make_unknown(struct vars *v, struct arg_spec *arg)
{
	struct expr *unknown;

	diag_clear(v->d);
	unknown = expr_new(EXPR_UNKNOWN, v->d);
	if (!unknown)
		return -ENOMEM;
	unknown->at = arg->expr->at;
	expr_free(arg->expr);
	arg->expr = unknown;
	arg->type = (struct type_spec){};
	return 0;
}

static int expand_all(struct vars *v)
{
	struct probe_spec *spec = v->spec;
	int err = expand_lists(v);
	struct value x;
	size_t i;

	for (i = 0; !err && i < spec->nr_args; i++) {
		err = vars_shown(v, spec->args[i].expr, &spec->args[i].type);
		if (err == -ENODATA && v->site->may_lack)
			err = make_unknown(v, &spec->args[i]);
	}
	v->in_filter = true;
	if (!err && spec->filter)
		err = vars_number(v, spec->filter, &x);
	v->in_filter = false;
	return err;
}

bool vars_wanted(const struct probe_spec *spec, const struct place *place)
{
	struct vars v = { .spec = (struct probe_spec *)spec, .place = place };

	return !spec->tail && any_names(&v);
}

int vars_expand(struct probe_spec *spec, const struct place *place,
		enum ktap_arch arch, struct kbtf *kb, const struct site *site,
		struct diag *d)
{
	struct vars v = {
		.spec = spec, .place = place, .kb = kb, .d = d,
		.arch = arch_find(arch),
	};
	int err;

	if (!v.arch)
		return diag_set(d, -EINVAL, DIAG_COMPILE_NO_ARCH);
	if (spec->tail || !any_names(&v))
		return 0;
	spec->tail = spec_tail(spec);
	if (!spec->tail)
		return diag_no_memory(v.d);
	vars_set_site(&v, site);
	err = expand_all(&v);
	vars_forget(&v);
	return err == -ENODATA ? -EINVAL : err;
}
