// SPDX-License-Identifier: GPL-2.0
/* -m NAME: definitions in a module of the kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "define/debug.h"
#include "place/symtab.h"
#include "spec/spec.h"

int definer_name_module(struct definer *df, const char *name, struct diag *d)
{
	df->module = strdup(name);
	if (!df->module)
		return diag_no_memory(d);
	for (char *c = df->module; *c; c++)
		if (*c == '-')
			*c = '_';
	return 0;
}

/* System calls and tracepoints are not looked for in any module. */
static bool has_module(const struct place_spec *place)
{
	return !place->file &&
	       (place->kind == PLACE_SYMBOL || place->kind == PLACE_SOURCE ||
		(place->kind == PLACE_WATCH && place->symbol));
}

int define_in_module(const struct definer *df, struct probe_spec *spec,
		     struct diag *d)
{
	struct place_spec *place = &spec->place;

	if (!df->module || spec->kernel_syntax || !has_module(place))
		return 0;
	if (!place->module) {
		place->module = strdup(df->module);
		return place->module ? 0 : diag_no_memory(d);
	}
	if (ksym_same_module(place->module, df->module))
		return 0;
	diag_set(d, -EINVAL, DIAG_DEBUG_IN_MODULE, place->module, df->module);
	diag_at(d, spec->text, place->at.start, place->at.length);
	return -EINVAL;
}
