// SPDX-License-Identifier: GPL-2.0
/* -m: definitions in a module of the kernel, by its name or its file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "define/debug.h"
#include "define/debug_files.h"
#include "spec/spec.h"

static bool is_file(const char *value)
{
	return strchr(value, '/') || strstr(value, ".ko");
}

static int open_module(struct definer *df, const char *path, struct diag *d,
		       struct debug **ret)
{
	int err = debug_files_open(df, path, d, ret);

	if (err || debug_is_module(*ret))
		return err;
	return diag_set(d, -EINVAL, DIAG_DEBUG_NOT_MODULE, path);
}

/* What is loaded has to be what the file has, where it is to be probed. */
static int open_file(struct definer *df, const char *path, struct diag *d)
{
	struct debug *dbg;
	int err;

	err = open_module(df, path, d, &dbg);
	if (err)
		return err;
	df->module = debug_module_name(dbg);
	if (!df->module)
		return diag_no_memory(d);
	return definer_is_offline(df) ? 0 :
					debug_check_module(dbg, df->module, d);
}

int definer_set_module(struct definer *df, const char *value, struct diag *d)
{
	if (!value)
		return 0;
	if (is_file(value)) {
		df->module_file = value;
		return open_file(df, value, d);
	}
	df->module = strdup(value);
	if (!df->module)
		return diag_no_memory(d);
	for (char *c = df->module; *c; c++)
		if (*c == '-')
			*c = '_';
	return 0;
}

int definer_add_module(struct definer *df, const char *path, struct diag *d)
{
	struct definer_module *more;
	struct debug *dbg;
	int err;

	err = open_module(df, path, d, &dbg);
	if (err)
		return err;
	more = array_grow(df->modules, df->nr_modules, sizeof(*more));
	if (!more)
		return diag_no_memory(d);
	df->modules = more;
	more[df->nr_modules].path = path;
	more[df->nr_modules].name = debug_module_name(dbg);
	if (!more[df->nr_modules].name)
		return diag_no_memory(d);
	df->nr_modules++;
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
	if (!strcmp(place->module, df->module))
		return 0;
	diag_set(d, -EINVAL, DIAG_DEBUG_IN_MODULE, place->module, df->module);
	diag_at(d, spec->text, place->at.start, place->at.length);
	return -EINVAL;
}
