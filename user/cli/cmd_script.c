// SPDX-License-Identifier: GPL-2.0
/* ktap script: the hits of a recording, as text or JSON. */
#include <errno.h>

#include "cli/cmd.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/replay.h"
#include "cli/saved_maps.h"
#include "cli/say.h"
#include "decode/decode.h"
#include "record/datafile.h"

static const struct option_row rows[] = {
	{ 'i', "input", "FILE", "read FILE (default: ktap.data); -: standard input" },
	NAMING_ROWS,
	OPTION_JSON,
	OUTPUT_ROWS,
	{ 'v', "verbose", NULL, "show where records were lost, and the accounting" },
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[--json] [--time=CLOCK] [--pretty] [--depth=N] [FILE]",
	.about = "Prints the hits of a recording, which may have been made on another machine.",
	.rows = rows,
};

/**
 * struct script - this command at work
 * @path: recording; "-": standard input
 * @quiet: no progress
 * @verbose: accounting at the end
 * @out: lines
 * @progress: events so far
 * @nr: likewise
 */
struct script {
	const char *path;
	bool quiet;
	bool verbose;
	struct output out;
	struct progress progress;
	size_t nr;
};

static int script_option(void *ctx, int key, const char *value,
			 struct diag *d)
{
	struct script *s = ctx;

	switch (key) {
	case 'i':
		s->path = value;
		return 0;
	case 'v':
		s->verbose = true;
		s->out.lost = true;
		return 0;
	case 'q':
		s->quiet = true;
		return 0;
	default:
		return naming_option(&s->out.naming, key, value) ?
		       output_option(&s->out, key, value, d) : 0;
	}
}

static int check_options(struct script *s, const struct words *words,
			 struct diag *d)
{
	if (words->nr > !s->path)
		return diag_set(d, -EINVAL, DIAG_EXTRA_WORD, words->word[!s->path]);
	if (!s->path)
		s->path = words->nr ? words->word[0] : "ktap.data";
	return naming_check(&s->out.naming, d);
}

static int show(void *ctx, const struct event *event)
{
	struct script *s = ctx;

	if (!(++s->nr & 0x3fff))
		progress_step(&s->progress, s->nr);
	return output_event(&s->out, event);
}

static int64_t wall_offset(const struct datafile *f)
{
	return f->nr_clocks ? f->clocks[0].real - f->clocks[0].mono : 0;
}

static int decode(struct script *s, struct datafile *f, struct diag *d)
{
	struct decode_summary summary = { 0 };
	int err;

	progress_init(&s->progress, "events", 0, s->quiet);
	err = decode_file(f, show, s, &summary, d);
	progress_deinit(&s->progress);
	if (!err)
		err = output_flush(&s->out);
	if (err && err != -EPIPE)
		return say_output(d, err);
	output_block(&s->out);
	if (!err)
		err = saved_maps_show_file(f, &(struct aggregated_look){
			.ks = s->out.ks, .json = s->out.json,
			.ints_text = s->out.ints_text, .depth = s->out.depth,
		}, d);
	if (err < 0)
		return err == -EPIPE ? 0 : err;
	summary.damaged += err;
	return recording_end(s->path, f, &summary, s->verbose, d);
}

/* The first moment tells what day it was. */
static int begin_pipe(void *ctx, int64_t wall, struct diag *d)
{
	struct script *s = ctx;

	return output_open(&s->out, wall, d);
}

static int take_symbols(void *ctx, const struct datafile *f, struct diag *d)
{
	struct script *s = ctx;

	return output_symbols(&s->out, f, d);
}

static int show_piped(void *ctx, const struct event *event)
{
	struct script *s = ctx;

	return output_event(&s->out, event);
}

static int show_maps(void *ctx, const struct datafile *f, struct decoder *dec,
		     struct diag *d)
{
	struct script *s = ctx;

	output_block(&s->out);
	return saved_maps_show(f, &(struct aggregated_look){
		.decoder = dec, .ks = s->out.ks, .json = s->out.json,
		.ints_text = s->out.ints_text, .depth = s->out.depth,
	}, d);
}

static int flush_pipe(void *ctx)
{
	struct script *s = ctx;

	return output_flush(&s->out);
}

/* While it is made: no progress, what comes is shown. */
static int script_pipe(struct script *s, struct diag *d)
{
	static const struct replay_ops ops = {
		.begin = begin_pipe,
		.symbols = take_symbols,
		.event = show_piped,
		.flush = flush_pipe,
		.end = show_maps,
	};
	const struct datafile_source from = { .path = s->path };
	struct decode_summary summary = { 0 };
	struct datafile *f = NULL;
	int err;

	err = replay(&from, &ops, s, &summary, d, &f);
	output_close(&s->out);
	if (!err)
		err = recording_end(s->path, f, &summary, s->verbose, d);
	datafile_close(f);
	return err == -EPIPE ? 0 : err;
}

static int script(struct script *s, struct diag *d)
{
	struct datafile *f = NULL;
	int err;

	if (datafile_is_pipe(s->path))
		return script_pipe(s, d);
	err = datafile_open(s->path, d, &f);
	if (err)
		return err;
	err = output_symbols(&s->out, f, d);
	if (!err)
		err = output_open(&s->out, wall_offset(f), d);
	if (!err)
		err = decode(s, f, d);
	output_close(&s->out);
	datafile_close(f);
	return err;
}

int cmd_script(int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct script s = { 0 };
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, script_option, &s, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret)
		ret = check_options(&s, &words, &d);
	if (!ret)
		ret = script(&s, &d);
	return ret ? say_failure(&d, NULL) : 0;
}
