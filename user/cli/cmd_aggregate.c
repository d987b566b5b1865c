// SPDX-License-Identifier: GPL-2.0
/* ktap count, sum, hist, stats, top: hits are added up by key in the kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "cli/capture.h"
#include "cli/cmd.h"
#include "cli/maps.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/say.h"
#include "cli/screen.h"
#include "define/addresses.h"
#include "place/ksyms.h"

/* The rings of such a session have no reader. */
#define RING_SIZE	(64 * 1024)

/* Of -n. No map has as many rows. */
#define LIMIT_MAX	(1U << 30)

static const struct option_row rows[] = {
	CAPTURE_ROW_EVENT,
	{ OPT_LINEAR, "linear", "MIN,MAX,STEP", "hist: use steps of one width, not powers of two" },
	CAPTURE_ROW_ROWS,
	{ OPT_INTERVAL, "interval", "SEC", "show what was added every SEC seconds" },
	OPTION_LIMIT,
	OPTION_JSON,
	OUTPUT_ROW_INTS,
	OUTPUT_ROW_DEPTH,
	{ 0 }
};

/**
 * struct aggregation - this command at work
 * @opt: what the session needs
 * @want: what is done with values
 * @out: how rows are shown
 * @live: 'ktap top': on a terminal, one output replaces the other
 * @limit: rows of a map that are shown; 0: all
 * @interval_ns: between outputs; 0: there is one, at the end
 * @began_ns: time when it began
 * @due_ns: time of the next output
 * @screen: terminal, while the session runs
 * @decoder: payloads to values
 * @ks: names addresses, or NULL
 * @maps: of the session
 */
struct aggregation {
	struct capture_options opt;
	struct aggregate want;
	struct output out;
	bool live;
	uint64_t limit;
	uint64_t interval_ns;
	uint64_t began_ns;
	uint64_t due_ns;
	struct screen screen;
	struct decoder *decoder;
	struct ksyms *ks;
	struct maps maps;
};

static int aggregation_option(void *ctx, int key, const char *value,
			      struct diag *d)
{
	struct aggregation *a = ctx;
	int err;

	switch (key) {
	case OPT_INTERVAL:
		return option_interval(value, d, &a->interval_ns);
	case 'n':
		return option_count(value, "--limit", NULL, LIMIT_MAX, d, &a->limit);
	case OPT_LINEAR:
		if (a->want.kind != AGGREGATE_LOG2 &&
		    a->want.kind != AGGREGATE_LINEAR)
			return diag_set(d, -EINVAL, DIAG_OPTION_NEEDS,
					"--linear", "ktap hist");
		return spec_parse_steps(value, d, &a->want);
	default:
		err = output_option(&a->out, key, value, d);
		return err > 0 ? capture_option(&a->opt, key, value, d) : err;
	}
}

/* ---- begin ---- */

/* Definitions may also store values for the others. */
static int check_aggregates(const struct capture *c, struct diag *d)
{
	for (size_t i = 0; i < c->targets.nr; i++) {
		const struct target *t = &c->targets.target[i];

		if (layout_aggregates(t->blob, t->blob_size) ||
		    layout_silent(t->blob, t->blob_size))
			continue;
		diag_set(d, -EINVAL, DIAG_NOT_AGGREGATED, t->name);
		diag_hint(d, "define it with 'by KEY...', or with sum(), hist(), stats() or count()");
		return -EINVAL;
	}
	return 0;
}

static int begin_decoder(struct aggregation *a, struct capture *c, struct diag *d)
{
	unsigned int wanted = 0;
	struct machine m;
	int err;

	machine_from_session(session_setup_info(c->session), &m);
	err = decoder_create(&m, d, &a->decoder);
	for (size_t i = 0; !err && i < c->targets.nr; i++) {
		const struct target *t = &c->targets.target[i];

		if (!t->map)
			continue;
		err = decoder_probe(a->decoder, t->id, t->name, t->blob,
				    t->blob_size, d);
		wanted |= wanted_names(t->blob, t->blob_size);
	}
	if (!err)
		err = wanted_load(wanted, c->ctl, d, &a->ks);
	if (!err && a->ks && c->user_files)
		ksyms_more(a->ks, &(struct ksyms_more){
			.find = user_files_find, .ctx = c->user_files,
		});
	return err;
}

static bool has_steps(const struct aggregated *map, const struct aggregate *want)
{
	for (size_t i = 0; i < map->layout->nr_fields; i++) {
		const struct aggregate *a = &map->layout->fields[i].aggregate;

		if (a->kind == want->kind && a->min == want->min && a->step == want->step &&
		    a->nr == want->nr)
			return true;
	}
	return false;
}

/* Values that have a function keep it, and so do events that were defined before. */
static void note_steps(const struct aggregation *a)
{
	for (size_t i = 0; i < a->maps.nr; i++)
		if (has_steps(&a->maps.map[i], &a->want))
			return;
	if (a->want.kind == AGGREGATE_LINEAR && !a->opt.quiet)
		say_note("no value is left to 'ktap hist': --linear changes nothing");
}

static int aggregation_begin(void *ctx, struct capture *c, struct diag *d)
{
	struct aggregation *a = ctx;
	int err;

	err = check_aggregates(c, d);
	if (!err)
		err = maps_begin(&a->maps, c, d);
	if (!err)
		note_steps(a);
	if (!err)
		err = begin_decoder(a, c, d);
	if (!err && a->live && !a->out.json) {
		err = screen_open(&a->screen, !c->child.argv);
		if (err)
			say_output(d, err);
	}
	a->began_ns = now_ns();
	a->due_ns = a->began_ns + a->interval_ns;
	return err;
}

/* ---- output ---- */

static int aggregation_stacks(void *ctx, const void *stacks, size_t size,
			      struct diag *d)
{
	struct aggregation *a = ctx;

	return decoder_stacks(a->decoder, stacks, size, d);
}

static int show(struct aggregation *a, struct capture *c, struct diag *d)
{
	double seconds = (double)(now_ns() - a->began_ns) / 1e9;
	int err;

	if (a->screen.on) {
		print_line("ktap top: %.1f seconds; the last %.1f%s", seconds,
			   (double)a->interval_ns / 1e9,
			   a->screen.keys ? "; q quits, arrows scroll" : "");
		print_first_block();
	} else if (a->interval_ns && !a->out.json) {
		aggregated_heading(seconds);
	}
	err = maps_show(&a->maps, c, &(struct aggregated_look){
		.decoder = a->decoder, .ks = a->ks, .json = a->out.json,
		.ints_text = a->out.ints_text, .depth = a->out.depth, .limit = a->limit,
		.time_ns = a->interval_ns ? now_ns() : 0,
	}, d);
	if (!err && !a->maps.any && !a->out.json)
		print_line("no hits");
	if (!err && fflush(stdout))
		err = -errno;
	return err && err != -EPIPE && !d->code ? say_output(d, err) : err;
}

static int show_screen(struct aggregation *a, struct capture *c, struct diag *d)
{
	int err = screen_begin(&a->screen), shown;

	if (err)
		return say_output(d, err);
	err = show(a, c, d);
	shown = screen_end(&a->screen);
	return err || !shown ? err : say_output(d, shown);
}

static int aggregation_tick(void *ctx, struct capture *c, struct diag *d)
{
	struct aggregation *a = ctx;
	int err = screen_keys(&a->screen);

	if (err)
		return err < 0 ? say_output(d, err) : err;
	if (!clock_due(&a->due_ns, a->interval_ns, now_ns()))
		return 0;
	return a->screen.on ? show_screen(a, c, d) : show(a, c, d);
}

/* After a screen, the table that stays has everything. */
static int aggregation_end(void *ctx, struct capture *c, struct diag *d)
{
	struct aggregation *a = ctx;
	int err;

	if (a->screen.on) {
		a->interval_ns = 0;
		print_first_block();
	}
	screen_close(&a->screen);
	err = show(a, c, d);
	maps_note_other(&c->sum, ": see --rows");
	return err;
}

static const struct capture_ops aggregation_ops = {
	.unread = true,
	.begin = aggregation_begin,
	.stacks = aggregation_stacks,
	.tick = aggregation_tick,
	.end = aggregation_end,
};

static int run(struct aggregation *a, const struct usage *usage, int argc,
	       char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct words words;
	int ret;

	ret = options_parse(usage, argc, argv, aggregation_option, a, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret && !words.nr && !a->opt.events.nr)
		ret = diag_set(&d, -EINVAL, DIAG_MISSING_WORD, "a definition");
	if (ret)
		return say_failure(&d, NULL);
	a->opt.ring_size = RING_SIZE;
	a->opt.aggregate = &a->want;
	return capture_run(&a->opt, &words, &aggregation_ops, a);
}

static int aggregation_with(struct aggregation *a, const struct usage *usage,
			    int argc, char **argv)
{
	int status = run(a, usage, argc, argv);

	screen_close(&a->screen);
	maps_deinit(&a->maps);
	ksyms_free(a->ks);
	decoder_destroy(a->decoder);
	capture_options_deinit(&a->opt);
	return status;
}

static int aggregation(enum aggregate_kind kind, const struct usage *usage,
		       int argc, char **argv)
{
	struct aggregation a = {
		.want.kind = kind,
	};

	return aggregation_with(&a, usage, argc, argv);
}

#define SYNOPSIS "[OPTION...] DEFINITION... [-- COMMAND...]"

int cmd_count(int argc, char **argv)
{
	static const struct usage usage = {
		.synopsis = SYNOPSIS,
		.about = "Counts hits by key, in the kernel: 'vfs_read by $comm'.\n"
			 "Each word is one whole definition, so quote it.",
		.rows = rows,
		.more = capture_rows,
		.takes_command = true,
	};

	return aggregation(AGGREGATE_NONE, &usage, argc, argv);
}

int cmd_sum(int argc, char **argv)
{
	static const struct usage usage = {
		.synopsis = SYNOPSIS,
		.about = "Adds up values by key, in the kernel: 'vfs_read count by $comm'.\n"
			 "Each word is one whole definition, so quote it.",
		.rows = rows,
		.more = capture_rows,
		.takes_command = true,
	};

	return aggregation(AGGREGATE_SUM, &usage, argc, argv);
}

int cmd_stats(int argc, char **argv)
{
	static const struct usage usage = {
		.synopsis = SYNOPSIS,
		.about = "Finds average, minimum, maximum and sum of values by key, in the kernel:\n"
			 "'vfs_read%return $elapsed by $comm'. Each word is one whole definition, so\n"
			 "quote it.",
		.rows = rows,
		.more = capture_rows,
		.takes_command = true,
	};

	return aggregation(AGGREGATE_STATS, &usage, argc, argv);
}

int cmd_hist(int argc, char **argv)
{
	static const struct usage usage = {
		.synopsis = SYNOPSIS,
		.about = "Makes histograms of values by key, in the kernel:\n"
			 "'vfs_read%return $elapsed by $comm'. Each word is one whole definition, so\n"
			 "quote it.",
		.rows = rows,
		.more = capture_rows,
		.takes_command = true,
	};

	return aggregation(AGGREGATE_LOG2, &usage, argc, argv);
}

int cmd_top(int argc, char **argv)
{
	static const struct usage usage = {
		.synopsis = SYNOPSIS,
		.about = "Shows hits by key as they occur, added up in the kernel: 'vfs_read by $comm'.\n"
			 "Each word is one whole definition, so quote it.",
		.rows = rows,
		.more = capture_rows,
		.takes_command = true,
	};
	struct aggregation a = {
		.want = { .kind = AGGREGATE_STATS, .optional = true },
		.live = true,
		.interval_ns = 1000000000,
	};

	return aggregation_with(&a, &usage, argc, argv);
}
