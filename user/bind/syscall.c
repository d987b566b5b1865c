// SPDX-License-Identifier: GPL-2.0
/* The arguments of system calls by name: one walk over the definition. */
#include "bind/syscall.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/syscall_args.h"
#include "base/array.h"
#include "base/suggest.h"
#include "bind/bind_in.h"
#include "spec/spec.h"

/* No system call has more. */
#define CALL_ARGS_MAX 6

/**
 * struct names - a definition at a system call
 * @terms: it
 * @args: of the call; NULL: not known
 * @call: its name
 * @in_filter: names can be those of arguments
 * @d: where errors go
 */
struct names {
	struct terms *terms;
	const char *args;
	const char *call;
	bool in_filter;
	struct diag *d;
};

static const struct {
	const char *name;
	enum show_kind kind;
	unsigned int size;
} types[] = {
	{ "s32", SHOW_SIGNED, 4 }, { "u32", SHOW_UNSIGNED, 4 },
	{ "s64", SHOW_SIGNED, 8 }, { "u64", SHOW_UNSIGNED, 8 },
	{ "u16", SHOW_UNSIGNED, 2 }, { "x64", SHOW_HEX, 8 },
	{ "ustring", SHOW_USTRING, 0 },
};

static void set_type(const struct syscall_arg *arg, struct span at,
		     struct show *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strncmp(types[i].name, arg->type, arg->type_length))
			*ret = (struct show){
				.kind = types[i].kind, .size = types[i].size,
				.at = at,
			};
}

/* Return: its N as in $argN; 0: there is none. */
static unsigned int find(const struct names *n, const char *name,
			 struct syscall_arg *ret)
{
	const char *at = n->args;

	for (unsigned int nr = 1; syscall_next_arg(&at, ret); nr++)
		if (strlen(name) == ret->name_length &&
		    !memcmp(name, ret->name, ret->name_length))
			return nr;
	return 0;
}

static int no_such(const struct names *n, const struct term *e)
{
	char *names[CALL_ARGS_MAX] = { NULL };
	struct syscall_arg arg;
	const char *at = n->args;
	struct suggest s;
	size_t nr = 0;

	diag_set(n->d, -EINVAL, DIAG_SYSCALL_NO_ARG, n->call, e->text);
	diag_at(n->d, n->terms->text, e->at.start, e->at.length);
	suggest_init(&s, e->text, strlen(e->text));
	/* what is suggested is one of these: they stay until it is said */
	while (nr < ARRAY_SIZE(names) && syscall_next_arg(&at, &arg)) {
		names[nr] = strndup(arg.name, arg.name_length);
		if (names[nr])
			suggest_try(&s, names[nr++]);
	}
	suggest_hint(&s, "", n->d);
	while (nr)
		free(names[--nr]);
	diag_hint(n->d, "there are: %s", *n->args ? n->args : "none");
	return -EINVAL;
}

/* *@e becomes +0(*@e), memory of the program. */
static int deref(const struct names *n, struct term *e)
{
	struct term *base = term_new(e->kind, n->d);

	if (!base)
		return -ENOMEM;
	*base = *e;
	*e = (struct term){
		.kind = TERM_DEREF, .base = base, .at = base->at, .user = true,
		.height = base->height + 1,
	};
	return 0;
}

static int cast(const struct names *n, struct term *e,
		const struct show *type)
{
	struct term *base = term_new(e->kind, n->d);

	if (!base)
		return -ENOMEM;
	*base = *e;
	*e = (struct term){
		.kind = TERM_CAST, .base = base, .at = base->at, .type = *type,
		.height = base->height + 1,
	};
	return 0;
}

/* The name *@e, shown as a *@type; if nothing was said, as its own. */
static int replace(const struct names *n, struct term *e, struct show *type)
{
	struct syscall_arg arg;
	unsigned int nr = find(n, e->text, &arg);

	if (!nr)
		return no_such(n, e);
	free(e->text);
	e->text = NULL;
	e->kind = TERM_ARG;
	e->value = nr;
	if (type->kind == SHOW_DEFAULT)
		set_type(&arg, e->at, type);
	return show_is_string(type->kind) || type->count ? deref(n, e) : 0;
}

static bool is_name(const struct names *n, const struct term *e)
{
	return n->args && e->kind == TERM_NAME &&
	       !(n->in_filter && terms_find_arg(n->terms, e->text));
}

/* Inside of an expression a name is a value of its type. */
static int expand(struct names *n, struct term *e)
{
	struct term *parts[] = { e->base, e->right, e->third };
	struct show type = { .kind = SHOW_DEFAULT };
	int err = 0;

	if (e->kind == TERM_RETVAL)
		return cast(n, e, &(struct show){
			.kind = SHOW_SIGNED, .size = 8, .at = e->at,
		});
	if (is_name(n, e)) {
		err = replace(n, e, &type);
		return err || type.size == 8 ? err : cast(n, e, &type);
	}
	if (e->kind == TERM_ENTRY && is_name(n, e->base))
		return replace(n, e->base, &e->type);
	for (size_t i = 0; !err && i < ARRAY_SIZE(parts); i++)
		if (parts[i])
			err = expand(n, parts[i]);
	return err;
}

static int expand_arg(struct names *n, struct term_arg *arg)
{
	if (arg->term->kind == TERM_RETVAL && arg->type.kind == SHOW_DEFAULT)
		arg->type = (struct show){
			.kind = SHOW_ERRNO, .size = 8, .at = arg->term->at,
		};
	if (arg->term->kind == TERM_RETVAL)
		return 0;
	return is_name(n, arg->term) ? replace(n, arg->term, &arg->type) :
				       expand(n, arg->term);
}

/* ---- lists -------------------------------------------------------------------------- */

static int make_arg(const struct names *n, const struct term_arg *list,
		    size_t index, const struct syscall_arg *arg,
		    struct term_arg *ret)
{
	*ret = (struct term_arg){ .at = list->at };
	ret->term = term_new(TERM_NAME, n->d);
	if (!ret->term)
		return -ENOMEM;
	ret->term->at = list->term->at;
	ret->term->text = strndup(arg->name, arg->name_length);
	if (!ret->term->text)
		return diag_no_memory(n->d);
	ret->name = terms_free_name(n->terms, index, ret->term->text);
	return ret->name ? 0 : diag_no_memory(n->d);
}

/* The list at *@index becomes its arguments, the last of which is there then. */
static int expand_list(struct names *n, size_t *index)
{
	struct terms *terms = n->terms;
	struct term_arg list = terms->args[*index];
	size_t behind = terms->nr_args - *index - 1, nr = 0;
	struct syscall_arg arg;
	const char *at = n->args;
	struct term_arg *args;
	int err = 0;

	while (syscall_next_arg(&at, &arg))
		nr++;
	if (!nr) {
		diag_set(n->d, -EINVAL, DIAG_SYSCALL_NO_ARGS, n->call);
		diag_at(n->d, terms->text, list.at.start, list.at.length);
		return -EINVAL;
	}
	args = reallocarray(terms->args, terms->nr_args + nr, sizeof(*args));
	if (!args)
		return diag_no_memory(n->d);
	terms->args = args;
	memmove(&args[*index + nr], &args[*index + 1], behind * sizeof(*args));
	memset(&args[*index], 0, nr * sizeof(*args));
	terms->nr_args += nr - 1;
	at = n->args;
	for (size_t i = *index; !err && syscall_next_arg(&at, &arg); i++)
		err = make_arg(n, &list, i, &arg, &args[i]);
	free(list.name);
	term_free(list.term);
	*index += nr - 1;
	return err;
}

int syscall_vars_expand(struct terms *terms, const struct place *place,
			struct diag *d)
{
	struct names n = { .terms = terms, .d = d };
	int err = 0;
	size_t i;

	if (!place->is_syscall)
		return 0;
	n.args = syscall_args(place->symbol);
	n.call = strstr(place->symbol, "_sys_") + strlen("_sys_");
	for (i = 0; n.args && !err && i < terms->nr_args; i++)
		if (terms->args[i].term->kind == TERM_LIST &&
		    terms->args[i].term->value != LIST_VARS)
			err = expand_list(&n, &i);
	for (i = 0; !err && i < terms->nr_args; i++)
		err = expand_arg(&n, &terms->args[i]);
	for (i = 0; !err && i < terms->nr_stores; i++)
		err = expand(&n, terms->stores[i]);
	n.in_filter = true;
	return err || !terms->filter ? err : expand(&n, terms->filter);
}
