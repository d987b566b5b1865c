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
static bool has_names(const struct vars *v, const struct term *e,
		      bool is_given)
{
	switch (e->kind) {
	case TERM_NAME:
		return !v->in_filter || !terms_find_arg(v->terms, e->text);
	case TERM_LIST:
	case TERM_MEMBER:
	case TERM_INDEX:
		return true;
	case TERM_RETVAL:
		return !is_given && (v->place->type == KTAP_TYPE_KRETPROBE ||
				     (v->only_return && vars_has_return(v)));
	case TERM_UNARY:
		if (e->op == OP_TARGET || e->op == OP_ADDRESS)
			return true;
		break;
	default:
		break;
	}
	if (e->kind == TERM_CAST && e->type.kind == SHOW_C)
		return true;
	is_given = e->kind == TERM_CAST && !show_is_string(e->type.kind);
	return (e->base && has_names(v, e->base, is_given)) ||
	       (e->right && has_names(v, e->right, false)) ||
	       (e->third && has_names(v, e->third, false));
}

static bool any_names(struct vars *v)
{
	const struct terms *terms = v->terms;
	bool found = false;
	size_t i;

	for (i = 0; !found && i < terms->nr_args; i++) {
		const struct show *type = &terms->args[i].type;

		found = has_names(v, terms->args[i].term,
				  type->kind != SHOW_DEFAULT &&
					  !show_is_string(type->kind));
	}
	for (i = 0; !found && i < terms->nr_stores; i++)
		found = has_names(v, terms->stores[i], false);
	v->in_filter = true;
	if (!found && terms->filter)
		found = has_names(v, terms->filter, false);
	v->in_filter = false;
	return found;
}

static int expand_lists(struct vars *v)
{
	int err = 0;
	size_t i;

	for (i = 0; !err && i < v->terms->nr_args; i++)
		if (v->terms->args[i].term->kind == TERM_LIST)
			err = vars_expand_list(v, &i);
	return err;
}

static int make_unknown(struct vars *v, struct term_arg *arg)
{
	struct term *unknown;

	diag_clear(v->d);
	unknown = term_new(TERM_UNKNOWN, v->d);
	if (!unknown)
		return -ENOMEM;
	unknown->at = arg->term->at;
	term_free(arg->term);
	arg->term = unknown;
	arg->type = (struct show){};
	return 0;
}

static int expand_all(struct vars *v)
{
	struct terms *terms = v->terms;
	int err = expand_lists(v);
	struct value x;
	size_t i;

	for (i = 0; !err && i < terms->nr_args; i++) {
		err = vars_shown(v, terms->args[i].term, &terms->args[i].type);
		if (err == -ENODATA && v->site->may_lack)
			err = make_unknown(v, &terms->args[i]);
	}
	for (i = 0; !err && i < terms->nr_stores; i++)
		err = vars_number(v, terms->stores[i], &x);
	v->in_filter = true;
	if (!err && terms->filter)
		err = vars_number(v, terms->filter, &x);
	v->in_filter = false;
	return err;
}

/* The kernel knows no types of programs. */
bool vars_has_return(const struct vars *v)
{
	return v->place->type == KTAP_TYPE_URETPROBE && !v->terms->kernel_syntax;
}

bool vars_return_wanted(const struct terms *terms, const struct place *place)
{
	struct vars v = {
		.terms = (struct terms *)terms, .place = place, .only_return = true,
	};

	return !terms->is_bound && any_names(&v);
}

bool vars_wanted(const struct terms *terms, const struct place *place)
{
	struct vars v = { .terms = (struct terms *)terms, .place = place };

	return !terms->is_bound && any_names(&v);
}

int vars_expand(struct terms *terms, const struct place *place,
		enum ktap_arch arch, struct kbtf *kb, const struct site *site,
		struct diag *d)
{
	struct vars v = {
		.terms = terms, .place = place, .kb = kb, .d = d,
		.arch = arch_find(arch), .only_return = site,
	};
	int err;

	if (!v.arch)
		return diag_set(d, -EINVAL, DIAG_COMPILE_NO_ARCH);
	if (terms->is_bound || !any_names(&v))
		return 0;
	terms->is_bound = true;
	vars_set_site(&v, site);
	err = expand_all(&v);
	vars_forget(&v);
	return err == -ENODATA ? -EINVAL : err;
}
