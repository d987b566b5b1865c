// SPDX-License-Identifier: GPL-2.0
/* -m FILE: modules of the kernel by their files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "define/debug.h"
#include "define/debug_files.h"

static bool is_file(const char *value)
{
	return strchr(value, '/') || strstr(value, ".ko");
}

static int open_module(struct definer *df, const char *path, struct diag *d,
		       struct debug **ret)
{
	int err = debug_files_symbols(df, path, d, ret);

	if (err || debug_is_module(*ret))
		return err;
	return diag_set(d, -EINVAL, DIAG_DEBUG_NOT_MODULE, path);
}

int definer_set_module(struct definer *df, const char *value, struct diag *d)
{
	struct debug *dbg;
	int err;

	if (!value)
		return 0;
	if (!is_file(value))
		return definer_name_module(df, value, d);
	df->module_file = value;
	err = open_module(df, value, d, &dbg);
	if (err)
		return err;
	df->module = debug_module_name(dbg);
	if (!df->module)
		return diag_no_memory(d);
	/* what is loaded has to be what the file has, where it is to be probed */
	return definer_is_offline(df) ? 0 :
					debug_check_module(dbg, df->module, d);
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
