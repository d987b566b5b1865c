// SPDX-License-Identifier: GPL-2.0
/*
 * ktap load: the definitions of a file. All lines are compiled before the
 * first one is added; where the kernel refuses one, those before it go again.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "cli/cmd.h"
#include "cli/notices.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "define/define.h"
#include "spec/listed.h"

static const struct option_row rows[] = {
	OPTION_WAIT,
	OPTION_PARAM,
	{ 'v', "verbose", NULL, "print the name of each event" },
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[-v] [--wait] [--param=PARAM=VALUE]... FILE",
	.about = "Defines the events that FILE lists, one definition per line. '-' is standard\n"
		 "input. '#' begins a comment, and '-:NAME' deletes. If a line is wrong, no\n"
		 "event is added.",
	.rows = rows,
};

/* struct line - a definition, and where it stands */
struct line {
	struct definition *def;
	unsigned int number;
};

/**
 * struct load - this command at work
 * @path: file, or "-"
 * @verbose: print names
 * @quiet: no progress
 * @wait: a module that nobody has yet may come
 * @params: --param
 * @notices: what the library reports
 * @df: what all lines have in common
 * @lines: those that hold a definition
 * @nr: how many
 */
struct load {
	const char *path;
	bool verbose;
	bool quiet;
	bool wait;
	struct params params;
	struct notices notices;
	struct definer df;
	struct line *lines;
	size_t nr;
};

static int load_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct load *l = ctx;

	if (key == OPT_PARAM)
		return params_take_option(&l->params, value, d);
	if (key == 'v')
		l->verbose = true;
	else if (key == OPT_WAIT)
		l->wait = true;
	else
		l->quiet = true;
	return 0;
}

/* Prints what is wrong with a line. Return: exit status. */
static int say_line(const struct load *l, unsigned int number, struct diag *d)
{
	_cleanup_buf_ struct buf where = BUF_INIT;

	buf_printf(&where, "%s:%u",
		   strcmp(l->path, "-") ? l->path : "stdin", number);
	return say_failure(d, buf_str(&where));
}

static int append(struct load *l, struct definition *def, unsigned int number)
{
	struct line *lines = reallocarray(l->lines, l->nr + 1, sizeof(*lines));

	if (!lines)
		return -ENOMEM;
	l->lines = lines;
	lines[l->nr++] = (struct line){ .def = def, .number = number };
	return 0;
}

/* Return: exit status. */
static int compile_line(struct load *l, char *text, unsigned int number)
{
	_cleanup_(definition_freep) struct definition *def = NULL;
	_cleanup_diag_ struct diag d = { 0 };
	int err;

	if (!*text)
		return 0;
	err = define_compile(&l->df, text, &d, &def);
	if (!err) {
		err = append(l, def, number);
		if (!err)
			take_ptr(def);
	}
	return err ? say_line(l, number, &d) : 0;
}

/*
 * Every wrong line is told; where one is no line, nothing behind it is. Return:
 * exit status of the first.
 */
static int compile_all(struct load *l, FILE *f)
{
	_cleanup_(listed_deinit) struct listed in = { .f = f };
	_cleanup_diag_ struct diag d = { 0 };
	struct progress progress;
	int status = 0, bad, more;
	char *text;

	progress_init(&progress, "lines", 0, l->quiet);
	while ((more = listed_next(&in, &d, &text)) > 0) {
		bad = compile_line(l, text, in.number);
		if (!status)
			status = bad;
		progress_step(&progress, in.number);
	}
	if (more < 0) {
		bad = say_line(l, in.number, &d);
		if (!status)
			status = bad;
	}
	progress_deinit(&progress);
	return status;
}

static int read_file(struct load *l)
{
	_cleanup_fclose_ FILE *f = NULL;
	_cleanup_diag_ struct diag d = { 0 };
	bool is_stdin = !strcmp(l->path, "-");
	int status;

	f = is_stdin ? fdopen(dup(STDIN_FILENO), "r") : fopen(l->path, "re");
	if (f) {
		errno = 0;
		status = compile_all(l, f);
		if (!ferror(f))
			return status;
	}
	diag_set(&d, -errno, DIAG_INPUT_READ, l->path, strerror(errno));
	return say_failure(&d, NULL);
}

static void undo(struct load *l)
{
	struct removal r = { .df = &l->df };

	for (size_t i = 0; i < l->nr; i++)
		removal_add(&r, l->lines[i].def);
	removal_flush(&r);
}

/* Return: exit status. */
static int apply_all(struct load *l)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct progress progress;
	size_t i;
	int err = 0;

	progress_init(&progress, "definitions", l->nr, l->quiet);
	for (i = 0; !err && i < l->nr; i++) {
		err = define_apply(&l->df, l->lines[i].def, &d);
		progress_step(&progress, i + 1);
	}
	progress_deinit(&progress);
	if (err) {
		undo(l);
		return say_line(l, l->lines[i - 1].number, &d);
	}
	for (i = 0; l->verbose && i < l->nr; i++)
		if (!definition_deletes(l->lines[i].def))
			print_line("%s", l->lines[i].def->spec->name);
	return 0;
}

static int load(struct load *l)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct ctl *ctl = NULL;
	int status = 0;

	l->notices.quiet = l->quiet;
	if (ctl_open(&d, &ctl) || definer_init(&l->df, ctl, 0, notices_show,
					       &l->notices, &d))
		status = say_failure(&d, NULL);
	l->df.wait = l->wait;
	l->df.params = &l->params;
	signals_open();
	if (!status)
		status = read_file(l);
	if (!status && definer_check_params(&l->df, &d))
		status = say_failure(&d, NULL);
	if (!status)
		status = apply_all(l);
	for (size_t i = 0; i < l->nr; i++)
		definition_free(l->lines[i].def);
	free(l->lines);
	definer_deinit(&l->df);
	ctl_close(ctl);
	return status;
}

static int run(struct load *l, int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, load_option, l, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret && !words.nr)
		ret = diag_set(&d, -EINVAL, DIAG_MISSING_WORD, "a file");
	if (!ret && words.nr > 1)
		ret = diag_set(&d, -EINVAL, DIAG_EXTRA_WORD, words.word[1]);
	if (ret)
		return say_failure(&d, NULL);
	l->path = words.word[0];
	return load(l);
}

int cmd_load(int argc, char **argv)
{
	struct load l = { 0 };
	int status = run(&l, argc, argv);

	params_deinit(&l.params);
	return status;
}
