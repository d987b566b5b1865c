// SPDX-License-Identifier: GPL-2.0
/* ktap report: the hits of a recording, added up by key. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"
#include "cli/cmd.h"
#include "cli/compared.h"
#include "cli/naming.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/recording.h"
#include "cli/replay.h"
#include "cli/reported.h"
#include "cli/saved_maps.h"
#include "cli/say.h"

/* Rows that are kept, where the user says nothing, and the most. */
#define ROWS_DEFAULT	65536
#define ROWS_MAX	(1U << 30)

static const struct option_row rows[] = {
	{ OPT_BY, "by", "KEY,...", "one row per event (default), comm, pid, tid, cpu, symbol or argument" },
	{ OPT_VALUE, "value", "ARG,...", "add up the numbers of these arguments" },
	{ OPT_HIST, "hist", NULL, "show histograms of the values, by powers of two" },
	{ OPT_FOLDED, "folded", NULL, "print lines for flame graphs: keys, and the count or the sum of the value" },
	{ OPT_FLAME, "flame", "FILE", "draw a flame graph (SVG) of the same lines; -: standard output" },
	{ OPT_TREE, "tree", NULL, "print a call tree: the functions of stacks, callers first, below the other keys" },
	{ OPT_MIN, "min", "PERCENT", "omit the nodes of a tree that have less than PERCENT of the total" },
	{ OPT_SORT, "sort", "COLUMN", "sort by a column or key, numbers in descending order" },
	OPTION_LIMIT,
	{ 'e', "event", "NAME", "only events whose name matches; may be given again" },
	{ OPT_INTERVAL, "interval", "SEC", "one report for every SEC seconds of the recording" },
	{ OPT_DIFF, "diff", "OLD", "compare with the recording OLD" },
	{ OPT_ROWS, "rows", "N", "keep at most N rows in memory (65536)" },
	{ 'i', "input", "FILE", "read FILE (default: ktap.data); -: standard input" },
	NAMING_ROWS,
	OPTION_JSON,
	{ 'v', "verbose", NULL, "show the accounting" },
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[--by=KEY,...] [--value=ARG,...] [OPTION...] [FILE]",
	.about = "Counts the hits of a recording by key, and adds up numbers of their arguments.",
	.rows = rows,
};

/**
 * struct summary - this command at work
 * @path: recording; "-": standard input
 * @diff: recording to compare it with, or NULL
 * @naming: names addresses
 * @quiet: no progress
 * @verbose: accounting at the end
 * @opt: what the report is of
 * @keys: of the report
 * @values: of the report
 * @events: patterns; owned
 * @look: how rows are shown
 * @has_min: its percentage was given
 * @has_by: keys were given
 * @has_sort: so was a column
 * @interval_ns: between reports; 0: there is one
 * @began_ns: time of the first event
 * @began: there was one
 * @ended_ns: time of the last event
 * @ks: names addresses, or NULL; owned
 * @report: rows
 * @hits: in all rows that were shown
 * @other: those of them that had no room
 * @progress: events so far
 * @nr: likewise
 * @has_maps: it has rows that the kernel added up, which are shown as they are
 * @untold: those of @other that the kernel had no room for
 * @has_probes: of two recordings one has probes
 * @status: exit status where nothing else fails
 * @d: where errors of events go
 */
struct summary {
	const char *path;
	const char *diff;
	struct naming naming;
	bool quiet;
	bool verbose;
	struct report_options opt;
	struct report_names keys;
	struct report_names values;
	const char **events;
	struct reported_look look;
	bool has_min;
	bool has_by;
	bool has_sort;
	uint64_t interval_ns;
	uint64_t began_ns;
	bool began;
	uint64_t ended_ns;
	struct ksyms *ks;
	struct report *report;
	uint64_t hits;
	uint64_t other;
	struct progress progress;
	size_t nr;
	bool has_maps;
	uint64_t untold;
	bool has_probes;
	int status;
	struct diag *d;
};

/* ---- options ---- */

static int add_pattern(struct summary *s, const char *pattern, struct diag *d)
{
	const char **more = array_grow(s->events, s->opt.nr_events, sizeof(*more));

	if (!more)
		return diag_no_memory(d);
	s->events = more;
	more[s->opt.nr_events++] = pattern;
	return 0;
}

static int names_option(struct report_names *names, const char *value,
			const char *name, struct diag *d)
{
	size_t nr = names->nr;
	int err = report_names_add(names, value, d);

	if (err || names->nr > nr)
		return err;
	return diag_set(d, -EINVAL, DIAG_OPTION_BAD_VALUE, value, name);
}

static int number_option(const char *value, const char *name, uint64_t max,
			 struct diag *d, size_t *ret)
{
	uint64_t n;
	int err = option_count(value, name, NULL, max, d, &n);

	if (!err)
		*ret = n;
	return err;
}

static int report_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct summary *s = ctx;

	switch (key) {
	case OPT_BY:
		return names_option(&s->keys, value, "--by", d);
	case OPT_VALUE:
		return names_option(&s->values, value, "--value", d);
	case OPT_HIST:
		s->look.hist = true;
		return 0;
	case OPT_FOLDED:
		s->look.folded = true;
		return 0;
	case OPT_FLAME:
		s->look.flame = value;
		return 0;
	case OPT_TREE:
		s->look.tree = true;
		return 0;
	case OPT_MIN:
		s->has_min = true;
		return option_percent(value, "--min", d, &s->look.min);
	case OPT_SORT:
		s->look.sort = value;
		return 0;
	case 'n':
		return number_option(value, "--limit", ROWS_MAX, d, &s->look.limit);
	case OPT_ROWS:
		return number_option(value, "--rows", ROWS_MAX, d, &s->opt.rows_max);
	case 'e':
		return add_pattern(s, value, d);
	case OPT_DIFF:
		s->diff = value;
		return 0;
	case OPT_INTERVAL:
		return option_seconds(value, "--interval", d, &s->interval_ns);
	case 'i':
		s->path = value;
		return 0;
	case OPT_JSON:
		s->look.json = true;
		return 0;
	case 'v':
		s->verbose = true;
		return 0;
	case 'q':
		s->quiet = true;
		return 0;
	default:
		return naming_option(&s->naming, key, value);
	}
}

static bool has_paths(const struct summary *s)
{
	return s->look.folded || s->look.flame || s->look.tree;
}

/* Rows as paths, by the option @form, have one number each. Trees have JSON and intervals. */
static int check_paths(const struct summary *s, const char *form, struct diag *d)
{
	bool is_tree = s->look.tree;
	const char *other = s->look.json && !is_tree ? "--json" :
			    s->look.hist ? "--hist" :
			    s->diff ? "--diff" :
			    s->interval_ns && !is_tree ? "--interval" :
			    s->look.flame && is_tree ? "--flame" :
			    s->look.folded && (is_tree || s->look.flame) ? "--folded" :
			    NULL;

	if (other)
		return diag_set(d, -EINVAL, DIAG_OPTION_CONFLICT, form, other);
	if (s->values.nr > 1)
		return diag_set(d, -EINVAL, DIAG_OPTION_BAD_VALUE,
				s->values.name[1].text, "--value");
	return 0;
}

static int check_forms(const struct summary *s, struct diag *d)
{
	if (s->look.tree)
		return check_paths(s, "--tree", d);
	if (s->look.flame)
		return check_paths(s, "--flame", d);
	return s->look.folded ? check_paths(s, "--folded", d) : 0;
}

/* The graph would take the name of what it is made of. */
static int check_flame(const struct summary *s, const char *input, struct diag *d)
{
	struct stat in, out;

	if (!s->look.flame || !input || stat(input, &in) || stat(s->look.flame, &out) ||
	    !S_ISREG(out.st_mode) || in.st_dev != out.st_dev || in.st_ino != out.st_ino)
		return 0;
	return diag_set(d, -EINVAL, DIAG_FLAME_INPUT, s->look.flame);
}

static int check_options(struct summary *s, const struct words *words,
			 struct diag *d)
{
	int err;

	if (words->nr > !s->path)
		return diag_set(d, -EINVAL, DIAG_EXTRA_WORD,
				words->word[!s->path]);
	if (!s->path)
		s->path = words->nr ? words->word[0] : "ktap.data";
	if (s->look.hist && !s->values.nr)
		return diag_set(d, -EINVAL, DIAG_OPTION_NEEDS, "--hist",
				"--value");
	if (s->diff && (s->interval_ns || s->look.hist || s->look.sort))
		return diag_set(d, -EINVAL, DIAG_OPTION_CONFLICT, "--diff",
				s->look.sort ? "--sort" :
				s->look.hist ? "--hist" : "--interval");
	if (s->has_min && !s->look.tree)
		return diag_set(d, -EINVAL, DIAG_OPTION_NEEDS, "--min", "--tree");
	err = check_forms(s, d);
	if (!err)
		err = check_flame(s, s->path, d);
	if (!err)
		err = check_flame(s, s->diff, d);
	if (!err)
		err = naming_check(&s->naming, d);
	if (err)
		return err;
	s->has_by = s->keys.nr;
	s->has_sort = s->look.sort;
	if (!s->look.sort)
		s->look.sort = has_paths(s) && s->values.nr ? "sum" : "count";
	if (!s->keys.nr)
		return report_names_add(&s->keys, "event", d);
	return 0;
}

/* ---- output ---- */

/* Decimals with which the bounds of intervals differ. */
static int decimals_of(uint64_t interval_ns)
{
	uint64_t unit = 100000000;
	int decimals = 1;

	for (; interval_ns % unit; unit /= 10)
		decimals++;
	return decimals;
}

static int show_rows(struct summary *s)
{
	int err;

	s->hits += report_total(s->report);
	s->other += report_other(s->report)->count;
	err = reported_show(s->report, &s->look, s->d);
	if (!err && fflush(stdout))
		err = say_output(s->d, -errno);
	return err;
}

/* The interval that ended. Without hits in it nothing is said. */
static int show_interval(struct summary *s)
{
	uint64_t begin = s->look.begin_ns - s->began_ns;
	int decimals = decimals_of(s->interval_ns), err;

	if (!report_total(s->report))
		return 0;
	/* "0.0 .. 0.5 seconds", since the first event */
	if (!s->look.json) {
		print_block();
		print_line("%.*f .. %.*f seconds", decimals, (double)begin / 1e9,
			   decimals, (double)(begin + s->interval_ns) / 1e9);
	}
	err = show_rows(s);
	report_clear(s->report);
	return err;
}

/* Show what came before the interval of @mono. */
static int step_interval(struct summary *s, uint64_t mono)
{
	int err;

	if (!s->interval_ns || mono < s->look.begin_ns + s->interval_ns)
		return 0;
	err = show_interval(s);
	s->look.begin_ns = mono - (mono - s->began_ns) % s->interval_ns;
	return err;
}

/* See recording_end() for those that the kernel had no room for. */
static void note_other(const struct summary *s)
{
	if (s->other > s->untold)
		say_note("%llu of %llu hits are in '(other)', because all rows were taken: see --rows",
			 (unsigned long long)(s->other - s->untold),
			 (unsigned long long)s->hits);
}

static bool is_wanted(void *report, const char *name)
{
	return report_wants(report, name);
}

/*
 * Rows that the kernel added up are added up further with these options. Their hits have
 * no time, so no interval has them.
 */
static bool adds_maps(const struct summary *s)
{
	return (s->has_by || s->values.nr || has_paths(s) || s->diff) && !s->interval_ns;
}

static int add_row(void *ctx, const struct rows *rows, const struct row *row,
		   const struct event *e)
{
	struct summary *s = ctx;
	uint64_t other = report_other(s->report)->count;
	int err = report_row(s->report, rows, row, e);

	if (!row->key)
		s->untold += report_other(s->report)->count - other;
	return err;
}

/* Return: 0; 1: some rows made no sense; negative. */
static int add_maps(struct summary *s, const struct datafile *f, struct decoder *dec,
		    struct diag *d)
{
	const struct aggregated_look look = {
		.decoder = dec, .wanted = is_wanted, .ctx = s->report,
	};

	return adds_maps(s) ? saved_maps_each(f, &look, add_row, s, d) : 0;
}

/* Return: as add_maps(). */
static int add_maps_of_file(struct summary *s, const struct datafile *f, struct diag *d)
{
	struct decoder *dec = NULL;
	int err;

	if (!f->nr_maps || !adds_maps(s))
		return 0;
	err = saved_maps_decoder(f, d, &dec);
	if (!err)
		err = add_maps(s, f, dec, d);
	decoder_destroy(dec);
	return err;
}

static void note_maps(const struct summary *s)
{
	const char *option = s->interval_ns ? "--interval" :
			     s->has_sort ? "--sort" : NULL;

	if (s->has_maps && option)
		say_note("'%s': %s is for records: what the kernel added up is shown as it is%s",
			 s->path, option, s->interval_ns ? "" : " without --by");
}

/* What the kernel added up is shown as it is, where it was not added up further. */
static int show_maps(struct summary *s, const struct datafile *f, struct decoder *dec,
		     struct diag *d)
{
	const struct aggregated_look look = {
		.decoder = dec, .ks = s->ks, .json = s->look.json, .limit = s->look.limit,
		.wanted = is_wanted, .ctx = s->report,
	};

	if (adds_maps(s))
		return 0;
	note_maps(s);
	if (has_paths(s))
		return 0;
	return dec ? saved_maps_show(f, &look, d) : saved_maps_show_file(f, &look, d);
}

/* Return: 0; 1: some rows made no sense; negative. */
static int show_all(struct summary *s, const struct datafile *f, struct decoder *dec,
		    struct diag *d)
{
	int err = 0;

	if (s->interval_ns && (s->hits || report_total(s->report)))
		err = show_interval(s);
	else if (report_total(s->report) || !f->nr_maps || adds_maps(s))
		err = show_rows(s);
	if (err)
		return err;
	note_other(s);
	return show_maps(s, f, dec, d);
}

/* ---- input ---- */

static int take_event(void *ctx, const struct event *event)
{
	struct summary *s = ctx;
	int err;

	if (!(++s->nr & 0xffff))
		progress_step(&s->progress, s->nr);
	if (event->lost || event->mark)
		return 0;
	if (!s->began) {
		s->began = true;
		s->began_ns = event->mono;
		s->look.begin_ns = event->mono;
	}
	s->ended_ns = event->mono;
	err = step_interval(s, event->mono);
	if (err)
		return err;
	err = report_event(s->report, event);
	return err ? diag_no_memory(s->d) : 0;
}

static int take_symbols(void *ctx, const struct datafile *f, struct diag *d)
{
	struct summary *s = ctx;
	struct ksyms *ks = NULL;
	int err;

	err = naming_symbols(&s->naming, f, d, &ks);
	if (err)
		return err;
	report_symbols(s->report, ks);
	ksyms_free(s->ks);
	s->ks = ks;
	return 0;
}

static int take_probe(void *ctx, const struct datafile_probe *p, struct diag *d)
{
	struct summary *s = ctx;

	/* it has rows of its own, and no events */
	if (layout_aggregates(p->blob, p->blob_size) && !adds_maps(s)) {
		s->has_maps |= report_wants(s->report, p->name);
		return 0;
	}
	return report_probe(s->report, p->name, p->blob, p->blob_size, d);
}

/* A recording that was cut before its events has no names to check; of two see check_both(). */
static int check_names(const struct summary *s, const struct datafile *f,
		       struct diag *d)
{
	int err = f->nr_probes && !s->diff ? report_check(s->report, d) : 0;

	return err ? err : report_sortable(s->report, s->look.sort, d);
}

/* Which names are missing is known at the end of the pipe, before the rows are shown. */
static int end_pipe(void *ctx, const struct datafile *f, struct decoder *dec,
		    struct diag *d)
{
	struct summary *s = ctx;
	int err = check_names(s, f, d), damaged;

	if (err)
		return err;
	damaged = add_maps(s, f, dec, d);
	if (damaged >= 0 && !s->diff)
		err = show_all(s, f, dec, d);
	return err ? err : damaged;
}

static int read_pipe(struct summary *s, struct decode_summary *summary,
		     struct diag *d, struct datafile **ret)
{
	static const struct replay_ops ops = {
		.probe = take_probe,
		.symbols = take_symbols,
		.event = take_event,
		.end = end_pipe,
	};
	const struct datafile_source from = { .path = s->path };
	int err = report_sortable(s->report, s->look.sort, d);

	progress_init(&s->progress, "events", 0, true);
	if (!err)
		err = replay(&from, &ops, s, summary, d, ret);
	return err;
}

static int read_file(struct summary *s, struct decode_summary *summary,
		     struct diag *d, struct datafile **ret)
{
	struct datafile *f;
	int err = datafile_open(s->path, d, ret);

	f = *ret;
	for (size_t i = 0; !err && i < f->nr_probes; i++)
		err = take_probe(s, &f->probes[i], d);
	if (!err)
		err = check_names(s, f, d);
	if (!err)
		err = take_symbols(s, f, d);
	if (err)
		return err;
	progress_init(&s->progress, "events", 0, s->quiet);
	err = decode_file(f, take_event, s, summary, d);
	progress_deinit(&s->progress);
	if (!err)
		err = add_maps_of_file(s, f, d);
	summary->damaged += err > 0;
	return err > 0 ? 0 : err;
}

/* Add up a recording. @ret: to be closed by the caller in any case. */
static int read_recording(struct summary *s, struct decode_summary *summary,
			  struct diag *d, struct datafile **ret)
{
	int err = report_create(&s->opt, d, &s->report);

	s->began = false;
	s->has_maps = false;
	ksyms_free(take_ptr(s->ks));
	naming_forget(&s->naming);
	if (err)
		return err;
	return datafile_is_pipe(s->path) ? read_pipe(s, summary, d, ret) :
					   read_file(s, summary, d, ret);
}

static int summarize(struct summary *s, struct diag *d)
{
	struct decode_summary summary = { 0 };
	struct datafile *f = NULL;
	int err;

	err = read_recording(s, &summary, d, &f);
	if (!err && !datafile_is_pipe(s->path)) {
		err = show_all(s, f, NULL, d);
		summary.damaged += err > 0;
	}
	if (err >= 0)
		err = recording_end(s->path, f, &summary, s->verbose, d);
	datafile_close(f);
	return err;
}

/*
 * The seconds that the hits of a recording are from, by the moments of its begin and its end,
 * or else of its events; 0: they are not known, because a part of the recording is missing.
 */
static double duration(const struct summary *s, const struct datafile *f,
		       const struct decode_summary *summary)
{
	if (!f->complete)
		return 0;
	if (recording_overwritten(f, summary)) {
		say_note("the rates in '%s' are not known: older records were overwritten", s->path);
		return 0;
	}
	if (f->ended > f->began)
		return (f->ended - f->began) / 1e9;
	return s->began ? (s->ended_ns - s->began_ns) / 1e9 : 0;
}

/* The hits before the damage are compared, too. */
static void end_side(struct summary *s, const struct datafile *f,
		     const struct decode_summary *summary)
{
	_cleanup_diag_ struct diag d = { 0 };

	if (recording_end(s->path, f, summary, s->verbose, &d))
		s->status = say_failure(&d, NULL);
}

/* One of two recordings. */
static int read_side(struct summary *s, double *seconds, struct diag *d)
{
	struct decode_summary summary = { 0 };
	struct datafile *f = NULL;
	int err;

	err = read_recording(s, &summary, d, &f);
	if (!err) {
		*seconds = duration(s, f, &summary);
		s->hits += report_total(s->report);
		s->other += report_other(s->report)->count;
		s->has_probes |= f->nr_probes;
		end_side(s, f, &summary);
	}
	datafile_close(f);
	return err;
}

/* What one of the two recordings has need not be in the other. */
static int check_both(const struct summary *s, const struct report *old, struct diag *d)
{
	report_found_also(s->report, old);
	return s->has_probes ? report_check(s->report, d) : 0;
}

static int compare(struct summary *s, struct diag *d)
{
	_cleanup_(report_destroyp) struct report *old = NULL;
	struct changes changes = { 0 };
	const char *path = s->path;
	int err;

	s->path = s->diff;
	err = read_side(s, &changes.old_seconds, d);
	old = take_ptr(s->report);
	s->path = path;
	if (!err)
		err = read_side(s, &changes.new_seconds, d);
	if (!err)
		err = check_both(s, old, d);
	if (!err)
		err = changes_find(&changes, old, s->report, d);
	if (!err && compared_show(&changes, old, s->report, &s->look))
		err = diag_no_memory(d);
	if (!err)
		note_other(s);
	if (!err && fflush(stdout))
		err = say_output(d, -errno);
	changes_deinit(&changes);
	return err;
}

static int run(struct summary *s, struct diag *d)
{
	int err;

	s->opt.keys = &s->keys;
	s->opt.values = &s->values;
	s->opt.events = s->events;
	s->opt.json = s->look.json && !s->look.tree;
	s->look.keys = &s->keys;
	s->look.values = &s->values;
	s->look.timed = s->interval_ns;
	s->d = d;
	err = s->diff ? compare(s, d) : summarize(s, d);
	return err == -EPIPE ? 0 : err;
}

int cmd_report(int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct summary s = {
		.opt.rows_max = ROWS_DEFAULT, .values.arguments = true,
	};
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, report_option, &s, &d, &words);
	if (!ret)
		ret = check_options(&s, &words, &d);
	if (!ret)
		ret = run(&s, &d);
	report_destroy(s.report);
	ksyms_free(s.ks);
	naming_deinit(&s.naming);
	report_names_deinit(&s.keys);
	report_names_deinit(&s.values);
	free(s.events);
	if (ret > 0)
		return 0;
	return ret ? say_failure(&d, NULL) : s.status;
}
