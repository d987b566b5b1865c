// SPDX-License-Identifier: GPL-2.0
/*
 * ktap stat: what became of the hits. With definitions it counts for the time
 * of a command; without, it shows what the module counted so far.
 */
#include <errno.h>
#include <stdio.h>

#include "cli/account.h"
#include "cli/capture.h"
#include "cli/cmd.h"
#include "cli/members.h"
#include "cli/say.h"
#include "util/cleanup.h"
#include "wire/ctl.h"

static const struct option_row rows[] = {
	CAPTURE_ROW_EVENT,
	VERDICT_ROWS,
	OPTION_JSON,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[-v] [--json] [[-e NAME]... DEFINITION... [-- COMMAND...]]",
	.about = "Counts hits while COMMAND runs, or until Ctrl-C. Without events: shows the\n"
		 "accounting of all that are defined, with -v also by session and CPU.",
	.rows = rows,
	.more = capture_rows,
	.takes_command = true,
};

struct stat_options {
	struct capture_options opt;
	bool json;
};

static int stat_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct stat_options *o = ctx;

	if (key != OPT_JSON)
		return capture_option(&o->opt, key, value, d);
	o->json = true;
	return 0;
}

/* ---- what the module counted -------------------------------------------- */

static void print_text(const struct ctl_stats_list *list, bool verbose)
{
	const char *name = "";
	char session[24];
	struct table t;

	account_table(&t, verbose);
	for (size_t i = 0; i < list->nr; i++) {
		const struct ctl_stats *s = &list->rows[i];
		struct account a = {
			.cpu = s->is_total ? -1 : (int)s->cpu,
			.counts = s->counts, .missed = s->missed,
		};

		if (s->is_total)
			name = s->name;
		else if (s->session)
			snprintf(session, sizeof(session), "%llu",
				 (unsigned long long)s->session);
		a.name = name;
		if (!s->is_total)
			a.session = s->session ? session : "enable";
		account_row(&t, verbose, &a);
	}
	if (t.nr > t.columns)
		table_print(&t, stdout);
	table_deinit(&t);
}

/* A table of its own: few events have these, and the other is wide. */
static void print_returns(const struct ctl_stats_list *list)
{
	struct table t;

	returns_table(&t);
	for (size_t i = 0; i < list->nr; i++)
		if (list->rows[i].is_return)
			returns_row(&t, list->rows[i].name,
				    &list->rows[i].returns);
	if (t.nr > t.columns) {
		putchar('\n');
		table_print(&t, stdout);
	}
	table_deinit(&t);
}

static void print_frames(const struct ctl_stats_list *list)
{
	struct table t;

	frames_table(&t);
	for (size_t i = 0; i < list->nr; i++)
		if (list->rows[i].has_frames)
			frames_row(&t, list->rows[i].name,
				   &list->rows[i].frames);
	if (t.nr > t.columns) {
		putchar('\n');
		table_print(&t, stdout);
	}
	table_deinit(&t);
}

static void put_attachment(struct json *j, const struct ctl_stats *s)
{
	json_object(j);
	member_u64(j, "session", s->session);
	member_u64(j, "cpu", s->cpu);
	account_json(j, &s->counts);
	json_object_end(j);
}

/* A total and the attachments behind it. Return: where the next one is. */
static size_t print_probe(const struct ctl_stats_list *list, size_t i,
			  bool verbose)
{
	const struct ctl_stats *total = &list->rows[i++];
	struct json_line line;
	struct json *j = &line.json;

	json_line_begin(&line);
	member_str(j, "name", total->name);
	account_json(j, &total->counts);
	member_u64(j, "missed", total->missed);
	member_u64(j, "sessions", total->nr_sessions);
	if (total->is_return)
		returns_json(j, &total->returns);
	if (total->has_frames)
		frames_json(j, &total->frames);
	member_bool(j, "overloaded", total->overloaded);
	member_bool(j, "locked_down", total->locked_down);
	if (verbose) {
		json_key(j, "attachments");
		json_array(j);
	}
	for (; i < list->nr && !list->rows[i].is_total; i++)
		put_attachment(j, &list->rows[i]);
	if (verbose)
		json_array_end(j);
	json_line_end(&line);
	return i;
}

static void print_json(const struct ctl_stats_list *list, bool verbose)
{
	for (size_t i = 0; i < list->nr;)
		i = print_probe(list, i, verbose);
}

static int show(const struct stat_options *o, struct diag *d)
{
	struct ctl_stats_list list = { 0 };
	struct ctl *ctl = NULL;
	int err;

	err = ctl_open(d, &ctl);
	if (!err)
		err = ctl_stats_get(ctl, o->opt.verbose, d, &list);
	if (!err && o->json)
		print_json(&list, o->opt.verbose);
	else if (!err)
		print_text(&list, o->opt.verbose);
	if (!err && !o->json && o->opt.verbose) {
		print_returns(&list);
		print_frames(&list);
	}
	ctl_stats_deinit(&list);
	ctl_close(ctl);
	return err;
}

/* ---- counting for the time of a command ----------------------------------- */

static int count_begin(void *ctx, struct capture *c, struct diag *d)
{
	(void)ctx;
	(void)c;
	(void)d;
	return 0;
}

static void print_target_json(const struct target *t)
{
	struct json_line line;

	json_line_begin(&line);
	member_str(&line.json, "name", t->name);
	account_json(&line.json, &t->counts);
	member_u64(&line.json, "missed", t->missed);
	member_bool(&line.json, "overloaded", t->overloaded);
	member_bool(&line.json, "locked_down", t->locked_down);
	json_line_end(&line);
}

static int count_end(void *ctx, struct capture *c, struct diag *d)
{
	const struct stat_options *o = ctx;

	(void)d;
	if (!o->json)
		capture_accounting(c, o->opt.verbose, stdout);
	for (size_t i = 0; o->json && i < c->targets.nr; i++)
		print_target_json(&c->targets.target[i]);
	return 0;
}

/* Records go to a small ring that is overwritten and that nobody reads. */
#define COUNT_RING_SIZE (64 * 1024)

static const struct capture_ops count_ops = {
	.unread = true,
	.begin = count_begin,
	.end = count_end,
};

/* Options that say nothing of totals. */
static bool is_for_session(const struct capture_options *o)
{
	return o->all || o->self || o->strict || o->nr_pids || o->timeout_ns ||
	       o->verdict.nr || o->verdict.limits_lost || o->verdict.junit ||
	       o->rates.every || o->rates.per_second || o->rates.max;
}

static int stat(struct stat_options *o, int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, stat_option, o, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret && (words.nr || o->opt.events.nr)) {
		o->opt.ring_size = COUNT_RING_SIZE;
		return capture_run(&o->opt, &words, &count_ops, o);
	}
	if (!ret && words.command)
		ret = diag_set(&d, -EINVAL, DIAG_MISSING_WORD,
			       "a definition before '--'");
	else if (!ret && is_for_session(&o->opt))
		ret = diag_set(&d, -EINVAL, DIAG_MISSING_WORD,
			       "a definition, or an event with -e");
	if (!ret)
		ret = show(o, &d);
	return ret ? say_failure(&d, NULL) : 0;
}

int cmd_stat(int argc, char **argv)
{
	struct stat_options o = { 0 };
	int status;

	status = stat(&o, argc, argv);
	capture_options_deinit(&o.opt);
	return status;
}
