// SPDX-License-Identifier: GPL-2.0
/* Definitions that were parsed, copied: for a further point, or for a match. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "spec/spec.h"

/* *@s becomes a copy of what it points at; false: no memory. */
static bool own(char **s)
{
	bool is_there = *s;

	if (is_there)
		*s = strdup(*s);
	return !is_there || *s;
}

static bool copy_place(struct place_spec *place)
{
	char **const strings[] = {
		&place->file, &place->version, &place->provider,
		&place->source, &place->pattern, &place->module,
		&place->symbol,
	};
	bool ok = true;

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++)
		ok &= own(strings[i]);
	return ok;
}

static bool copy_args(struct probe_spec *copy)
{
	const struct arg_spec *from = copy->args;
	size_t nr = copy->nr_args;

	copy->args = calloc(nr + 1, sizeof(*copy->args));
	copy->nr_args = 0;
	if (!copy->args)
		return false;
	for (size_t i = 0; i < nr; i++) {
		struct arg_spec *arg = &copy->args[copy->nr_args++];
		bool ok;

		*arg = from[i];
		arg->expr = expr_copy(from[i].expr);
		ok = own(&arg->name);
		if (!ok || !arg->expr)
			return false;
	}
	return true;
}

static bool copy_stores(struct probe_spec *copy)
{
	struct expr *const *from = copy->stores;
	size_t nr = copy->nr_stores;

	copy->stores = calloc(nr + 1, sizeof(struct expr *));
	copy->nr_stores = 0;
	if (!copy->stores)
		return false;
	while (copy->nr_stores < nr) {
		struct expr *e = expr_copy(from[copy->nr_stores]);

		if (!e)
			return false;
		copy->stores[copy->nr_stores++] = e;
	}
	return true;
}

int spec_copy(const struct probe_spec *spec, struct diag *d,
	      struct probe_spec **ret)
{
	struct probe_spec *copy = malloc(sizeof(*copy));
	bool ok;

	if (!copy)
		return diag_no_memory(d);
	*copy = *spec;
	ok = own(&copy->text);
	ok &= own(&copy->name);
	ok &= copy_place(&copy->place);
	ok &= copy_args(copy);
	ok &= copy_stores(copy);
	copy->filter = expr_copy(spec->filter);
	ok &= !params_copy(&copy->params, &spec->params);
	if (!ok || (spec->filter && !copy->filter)) {
		spec_free(copy);
		return diag_no_memory(d);
	}
	*ret = copy;
	return 0;
}

/* The text and the spans stay those of the pattern: errors point at it. So does what it
 * was found to mean.
 */
int spec_instance(const struct probe_spec *spec, const char *symbol,
		  const char *module, struct diag *d, struct probe_spec **ret)
{
	_cleanup_(spec_freep) struct probe_spec *copy = NULL;
	int err = spec_copy(spec, d, &copy);

	if (err)
		return err;
	copy->place.glob = false;
	free(copy->place.symbol);
	copy->place.symbol = strdup(symbol);
	if (module && !copy->place.module)
		copy->place.module = strdup(module);
	if (!copy->place.symbol || (module && !copy->place.module))
		return diag_no_memory(d);
	*ret = take_ptr(copy);
	return 0;
}
