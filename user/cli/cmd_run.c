// SPDX-License-Identifier: GPL-2.0
/* ktap run: the probes of a file that was made on another machine. */
#include <errno.h>

#include "base/array.h"
#include "bundle/bundle.h"
#include "cli/captures.h"
#include "cli/cmd.h"
#include "cli/module_run.h"
#include "cli/say.h"
#include "wire/probe_module.h"

static const struct option_row rows[] = {
	{ 'o', "output", "FILE", "write a recording to FILE; -: standard output" },
	OPTION_JSON,
	OUTPUT_ROWS,
	CAPTURE_ROW_ROWS,
	{ OPT_INTERVAL, "interval", "SEC", "show what was aggregated every SEC seconds" },
	CAPTURE_ROW_RING,
	CAPTURE_ROW_OVERWRITE,
	{ 'p', "pid", "PID", "only the hits of this process and its descendants" },
	{ OPT_TIMEOUT, "timeout", "SEC", "end after SEC seconds; the command gets SIGTERM" },
	OPTION_SKIP,
	OPTION_ROOT,
	{ OPT_STRICT, "strict", NULL, "fail if a hit was lost" },
	{ 'v', "verbose", NULL, "print the accounting at the end" },
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[-o FILE] [OPTION...] F.ktap|NAME.ko [-- COMMAND...]",
	.about = "Prints the hits of a bundle, or of a probe module that it loads and unloads.\n"
		 "With -o it writes them to a file, which 'ktap script' prints.",
	.rows = rows,
	.takes_command = true,
};

/**
 * struct run_options - of this command
 * @opt: what the session needs
 * @out: lines
 * @lines: name of an option that is for lines only; or NULL
 * @path: -o; or NULL
 */
struct run_options {
	struct capture_options opt;
	struct output out;
	const char *lines;
	const char *path;
};

static const char *name_of(int key)
{
	for (size_t i = 0; rows[i].help; i++)
		if (rows[i].key == key)
			return rows[i].name;
	return "";
}

static int run_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct run_options *o = ctx;
	int err;

	if (key == 'o') {
		o->path = value;
		return 0;
	}
	if (key == OPT_INTERVAL)
		err = option_interval(value, d, &o->opt.interval_ns);
	else
		err = output_option(&o->out, key, value, d);
	if (err > 0)
		return capture_option(&o->opt, key, value, d);
	o->lines = name_of(key);
	return err;
}

/* A probe module has one scope. */
static int check_module(const struct run_options *o, const struct words *words,
			struct diag *d)
{
	int err = options_check_bundle(o->opt.root, o->opt.skip, words, NULL, d);

	if (err)
		return err;
	if (o->opt.nr_pids && words->command)
		return diag_set(d, -EINVAL, DIAG_OPTION_CONFLICT, "-p",
				"-- COMMAND");
	if (o->opt.nr_pids > 1)
		return diag_set(d, -EINVAL, DIAG_OPTION_CONFLICT, "-p", "-p");
	return 0;
}

static int check(const struct run_options *o, const struct words *words,
		 struct diag *d)
{
	_cleanup_buf_ struct buf name = BUF_INIT;

	if (!words->nr)
		return diag_set(d, -EINVAL, DIAG_MISSING_WORD,
				"F.ktap or NAME.ko");
	if (words->nr > 1)
		return diag_set(d, -EINVAL, DIAG_EXTRA_WORD, words->word[1]);
	if (o->path && o->lines) {
		buf_printf(&name, "--%s", o->lines);
		return diag_set(d, -EINVAL, DIAG_OPTION_CONFLICT, "-o",
				buf_str(&name));
	}
	if (probe_module_is_one(words->word[0]))
		return check_module(o, words, d);
	if (bundle_is_one(words->word[0]))
		return 0;
	diag_set(d, -EINVAL, DIAG_RUN_WHAT, words->word[0]);
	diag_hint(d, "'ktap bundle' and 'ktap module' make these; 'ktap trace' takes definitions");
	return -EINVAL;
}

static int run(struct run_options *o, int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, run_option, o, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret)
		ret = check(o, &words, &d);
	if (ret)
		return say_failure(&d, NULL);
	if (probe_module_is_one(words.word[0]))
		return module_run(&o->opt, &o->out, o->path, &words);
	if (o->path)
		return record_run(&o->opt, o->path, &words);
	return trace_run(&o->opt, &o->out, &words);
}

int cmd_run(int argc, char **argv)
{
	struct run_options o = { 0 };
	int status = run(&o, argc, argv);

	capture_options_deinit(&o.opt);
	return status;
}
