// SPDX-License-Identifier: GPL-2.0
/*
 * $argN and $retval name places of the calling convention, whether or not there
 * is something in them: where the function is known, what it is not given and what
 * it returns elsewhere are refused. Lines of the kernel mean what they mean to it:
 * since 6.6 it refuses, where it has BTF, $argN that is all of an argument; what has
 * a name, or is a part of something, it takes.
 */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "bind/bind_in.h"

/* To the kernel each parameter is one argument. */
static bool is_given(const struct vars *v, uint64_t number)
{
	unsigned int nr = v->func.nr_params - vars_nr_hidden(v);

	if (v->terms->kernel_syntax)
		return !nr || number <= nr;
	return vars_is_given(v, number);
}

/* The first operand of @kind in @e, or NULL. */
static const struct term *find_kind(const struct term *e, enum term_kind kind,
				    const struct vars *v)
{
	const struct term *found;

	if (!e)
		return NULL;
	if (e->kind == kind && (!v || !is_given(v, (uint64_t)e->value)))
		return e;
	found = find_kind(e->base, kind, v);
	if (!found)
		found = find_kind(e->right, kind, v);
	return found ? found : find_kind(e->third, kind, v);
}

/* The first one in the definition; with @v, of those that are not given. */
static const struct term *find_in(const struct terms *terms,
				  enum term_kind kind, const struct vars *v)
{
	const struct term *found = NULL;

	for (size_t i = 0; !found && i < terms->nr_args; i++) {
		const struct term_arg *arg = &terms->args[i];

		if (terms->kernel_syntax &&
		    (arg->named || arg->term->kind != TERM_ARG))
			continue;
		found = find_kind(arg->term, kind, v);
	}
	for (size_t i = 0; !found && i < terms->nr_stores; i++)
		found = find_kind(terms->stores[i], kind, v);
	return found ? found : find_kind(terms->filter, kind, v);
}

static bool has_places(const struct vars *v, enum term_kind kind)
{
	return !v->terms->is_bound && find_in(v->terms, kind, NULL);
}

static bool numbers_args(const struct vars *v)
{
	return !v->place->path && vars_has_function(v) &&
	       has_places(v, TERM_ARG);
}

static bool wants_return(const struct vars *v)
{
	return v->place->type == KTAP_TYPE_URETPROBE &&
	       has_places(v, TERM_RETVAL);
}

bool vars_places_wanted(const struct terms *terms,
			const struct place *place)
{
	const struct vars v = {
		.terms = (struct terms *)terms, .place = place,
	};

	return numbers_args(&v) || wants_return(&v);
}

/*
 * Functions of assembler are described as if they took and returned nothing; and
 * what the compiler made of a function takes something else.
 */
static bool is_counted(struct vars *v)
{
	const struct kbtf_func *func = &v->func;

	if (strchr(v->place->symbol, '.') || !vars_knows(v) ||
	    func->is_variadic)
		return false;
	return vars_site(v) ? func->is_prototyped :
			      func->nr_params || func->returns.kind != CTYPE_VOID;
}

static int no_such_arg(struct vars *v, const struct term *e)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	unsigned int first = vars_nr_hidden(v), i;
	unsigned int nr = v->func.nr_params - first;
	struct ctype t;

	vars_fail(v, e, DIAG_VAR_FEW_PARAMS, v->place->symbol, nr, fmt_s(nr),
		  VARS_QUOTE(v, e));
	for (i = first; i < v->func.nr_params; i++) {
		const char *name = kbtf_param(&v->func, i, &t);

		buf_printf(&b, "%s%s", b.size ? ", " : "",
			   *name ? name : "one without a name");
	}
	if (b.size)
		diag_hint(v->d, "it has: %s", buf_str(&b));
	return -EINVAL;
}

static int check_args(struct vars *v, bool *known)
{
	const struct term *e;

	*known = is_counted(v);
	e = *known ? find_in(v->terms, TERM_ARG, v) : NULL;
	return e ? no_such_arg(v, e) : 0;
}

static int check_return(struct vars *v, bool *known)
{
	const struct term *e = find_in(v->terms, TERM_RETVAL, NULL);
	enum loc_why why;

	*known = v->site && vars_knows(v);
	why = *known ? vars_no_register(v, &v->func.returns) : LOC_OK;
	return why ? vars_unread(v, e, why) : 0;
}

int vars_check_places(const struct terms *terms, const struct place *place,
		      enum ktap_arch arch, struct kbtf *kb,
		      const struct site *site, struct diag *d, bool *known)
{
	struct vars v = {
		.terms = (struct terms *)terms, .place = place, .kb = kb,
		.d = d, .arch = arch_find(arch),
	};
	int err = 0;

	vars_set_site(&v, site);
	*known = true;
	if (!v.arch)
		return diag_set(d, -EINVAL, DIAG_COMPILE_NO_ARCH);
	if (numbers_args(&v))
		err = check_args(&v, known);
	else if (wants_return(&v))
		err = check_return(&v, known);
	return err;
}
