// SPDX-License-Identifier: GPL-2.0
/* ktap index: make an index of debug information, which all commands use then. */
#include <stdio.h>

#include "cli/cmd.h"
#include "cli/inspect.h"
#include "cli/members.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/say.h"
#include "dwarf/index/index.h"

static const struct option_row rows[] = {
	OPTION_FILE,
	OPTION_KERNEL,
	OPTION_JSON,
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[-x PATH | -k VMLINUX] [--json]",
	.about = "Builds an index of the debug information of the running kernel, of VMLINUX\n"
		 "or of PATH in ~/.cache/ktap/index. It speeds up lookups in that file.",
	.rows = rows,
};

static int index_option(void *ctx, int key, const char *value, struct diag *d)
{
	(void)d;
	inspect_option(ctx, key, value);
	return 0;
}

static void print(const struct inspect *in, const struct index_made *made)
{
	struct json_line out;

	if (!in->json) {
		print_line("%s: %zu bytes, %zu units, %zu names", made->path,
			   made->size, made->nr_units, made->nr_names);
		return;
	}
	json_line_begin(&out);
	member_str(&out.json, "path", made->path);
	member_u64(&out.json, "size", made->size);
	member_u64(&out.json, "units", made->nr_units);
	member_u64(&out.json, "names", made->nr_names);
	json_line_end(&out);
}

static int make(struct inspect *in, struct diag *d)
{
	struct progress progress;
	struct index_made made;
	struct debug *dbg;
	int err;

	err = inspect_debug(in, NULL, true, d, &dbg);
	if (err)
		return err;
	progress_init(&progress, "files of source", 0, in->quiet);
	err = index_make(dbg, progress_step_fn, &progress, d, &made);
	progress_deinit(&progress);
	if (!err)
		print(in, &made);
	index_made_deinit(&made);
	return err;
}

int cmd_index(int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct inspect in = { 0 };
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, index_option, &in, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret && words.nr)
		ret = diag_set(&d, -EINVAL, DIAG_EXTRA_WORD, words.word[0]);
	if (!ret)
		ret = inspect_open(&in, &d);
	if (!ret)
		ret = make(&in, &d);
	inspect_deinit(&in);
	return ret ? say_failure(&d, NULL) : 0;
}
