// SPDX-License-Identifier: GPL-2.0
/*
 * ktap stat: what became of the hits. With definitions it counts for the time
 * of a command; without, it shows what the module counted so far.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/account.h"
#include "cli/capture.h"
#include "cli/cmd.h"
#include "cli/counts.h"
#include "cli/members.h"
#include "cli/print.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "wire/ctl.h"

static const struct option_row rows[] = {
	CAPTURE_ROW_EVENT,
	VERDICT_ROWS,
	{ OPT_INTERVAL, "interval", "SEC", "show the counts every SEC seconds" },
	OPTION_JSON,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[-v] [--json] [--interval=SEC] [[-e NAME]... DEFINITION... [-- COMMAND...]]",
	.about = "Counts hits while COMMAND runs, or until Ctrl-C. Without definitions and -e,\n"
		 "it shows the counts of all events that are defined.",
	.rows = rows,
	.more = capture_rows,
	.takes_command = true,
};

/**
 * struct stat_options - this command at work
 * @opt: what the session needs
 * @json: one object per event
 * @interval_ns: between tables; 0: there is one, at the end
 * @began_ns: time when it began
 * @shown_ns: of the last table; 0: there was none
 * @due_ns: of the next one
 * @before: that
 */
struct stat_options {
	struct capture_options opt;
	bool json;
	uint64_t interval_ns;
	uint64_t began_ns;
	uint64_t shown_ns;
	uint64_t due_ns;
	struct counts before;
};

static int stat_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct stat_options *o = ctx;

	if (key == OPT_INTERVAL)
		return option_interval(value, d, &o->interval_ns);
	if (key != OPT_JSON)
		return capture_option(&o->opt, key, value, d);
	o->json = true;
	return 0;
}

/* ---- what the module counted -------------------------------------------- */

static int print_full(const struct ctl_stats_list *list)
{
	const char *name = "";
	char session[24];
	struct table t;
	int err = 0;

	account_table(&t);
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
		account_row(&t, &a);
	}
	if (t.nr > t.columns)
		err = table_print(&t, stdout);
	table_deinit(&t);
	return err;
}

/* A live table stays where it is on a terminal; elsewhere one follows the other. */
static void begin_table(const struct stat_options *o, double seconds)
{
	if (!o->interval_ns)
		return;
	if (isatty(STDOUT_FILENO))
		fputs("\033[H\033[J", stdout);
	print_line("%.1f seconds", seconds);
}

static int end_table(const struct stat_options *o)
{
	if (o->interval_ns && !isatty(STDOUT_FILENO))
		putchar('\n');
	return fflush(stdout) ? -errno : 0;
}

/* Prints @now, which is then what was before. */
static int print_counts(struct stat_options *o, struct counts *now)
{
	uint64_t ns = now_ns();
	int err;

	begin_table(o, (double)(ns - o->began_ns) / 1e9);
	if (o->shown_ns)
		counts_since(now, &o->before, (double)(ns - o->shown_ns) / 1e9);
	err = now->nr ? counts_print(now, stdout) : 0;
	o->before = *now;
	if (o->interval_ns)
		o->shown_ns = ns;
	return err ? err : end_table(o);
}

static int print_totals(struct stat_options *o, const struct ctl_stats_list *list)
{
	struct counts now = { 0 };

	for (size_t i = 0; i < list->nr; i++) {
		const struct ctl_stats *s = &list->rows[i];

		if (s->is_total)
			counts_merge(&now, s->name, &s->counts, s->missed);
	}
	return print_counts(o, &now);
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

static void print_state(const struct ctl_stats_list *list)
{
	struct table t;

	state_table(&t);
	for (size_t i = 0; i < list->nr; i++)
		if (list->rows[i].has_state)
			state_row(&t, list->rows[i].name, &list->rows[i].state);
	if (t.nr > t.columns) {
		putchar('\n');
		table_print(&t, stdout);
	}
	table_deinit(&t);
}

/* Of lines that come again it is told when that is. */
static void put_time(const struct stat_options *o, struct json *j)
{
	if (!o->interval_ns)
		return;
	json_key(j, "time");
	json_ns(j, now_ns());
}

/* A total and the attachments behind it. Return: where the next one is. */
static size_t print_probe(const struct stat_options *o,
			  const struct ctl_stats_list *list, size_t i)
{
	const struct ctl_stats *total = &list->rows[i++];
	struct json_line line;
	struct json *j = &line.json;

	json_line_begin(&line);
	put_time(o, j);
	member_str(j, "name", total->name);
	account_json(j, &total->counts);
	member_u64(j, "missed", total->missed);
	member_u64(j, "sessions", total->nr_sessions);
	if (total->is_return)
		returns_json(j, &total->returns);
	if (total->has_frames)
		frames_json(j, &total->frames);
	if (total->has_state)
		state_json(j, &total->state);
	member_bool(j, "overloaded", total->overloaded);
	member_bool(j, "locked_down", total->locked_down);
	if (o->opt.verbose) {
		json_key(j, "attachments");
		json_array(j);
	}
	for (; i < list->nr && !list->rows[i].is_total; i++) {
		json_object(j);
		member_u64(j, "session", list->rows[i].session);
		member_u64(j, "cpu", list->rows[i].cpu);
		account_json(j, &list->rows[i].counts);
		json_object_end(j);
	}
	if (o->opt.verbose)
		json_array_end(j);
	json_line_end(&line);
	return i;
}

static int print_list(struct stat_options *o, const struct ctl_stats_list *list)
{
	int err;

	if (o->json) {
		for (size_t i = 0; i < list->nr;)
			i = print_probe(o, list, i);
		return fflush(stdout) ? -errno : 0;
	}
	if (!o->opt.verbose)
		return print_totals(o, list);
	begin_table(o, (double)(now_ns() - o->began_ns) / 1e9);
	err = print_full(list);
	print_returns(list);
	print_frames(list);
	print_state(list);
	return err ? err : end_table(o);
}

/* Return: 1 when a signal asks it to end. */
static int pause_until(struct stat_options *o, int wish_fd)
{
	struct pollfd wish = { .fd = wish_fd, .events = POLLIN };
	uint64_t now = now_ns();

	if (!o->interval_ns)
		return 1;
	/* poll() waits not as long as an interval may be */
	for (; !clock_due(&o->due_ns, o->interval_ns, now) && !signals_seen(); now = now_ns())
		if (poll(&wish, 1, poll_ms(o->due_ns - now)) > 0)
			return 1;
	return !!signals_seen();
}

static int show(struct stat_options *o, struct diag *d)
{
	int wish_fd = o->interval_ns ? signals_open() : -1;
	struct ctl *ctl = NULL;
	int err;

	o->began_ns = now_ns();
	o->due_ns = o->began_ns + o->interval_ns;
	err = ctl_open(d, &ctl);
	while (!err) {
		struct ctl_stats_list list = { 0 };

		err = ctl_stats_get(ctl, o->opt.verbose, d, &list);
		if (!err) {
			err = print_list(o, &list);
			if (err && err != -EPIPE)
				say_output(d, err);
		}
		ctl_stats_deinit(&list);
		if (err || pause_until(o, wish_fd))
			break;
	}
	ctl_close(ctl);
	return err == -EPIPE ? 0 : err;
}

/* ---- counting for the time of a command ----------------------------------- */

static int count_begin(void *ctx, struct capture *c, struct diag *d)
{
	struct stat_options *o = ctx;

	(void)c;
	(void)d;
	o->began_ns = now_ns();
	o->due_ns = o->began_ns + o->interval_ns;
	return 0;
}

static void print_target_json(const struct stat_options *o,
			      const struct target *t)
{
	struct json_line line;

	json_line_begin(&line);
	put_time(o, &line.json);
	member_str(&line.json, "name", t->name);
	account_json(&line.json, &t->counts);
	member_u64(&line.json, "missed", t->missed);
	member_u64(&line.json, "unfollowed", t->unfollowed);
	if (t->has_state)
		state_json(&line.json, &t->state);
	if (t->timed) {
		member_u64(&line.json, "errors", t->errors);
		member_u64(&line.json, "time_ns", t->time_ns);
	}
	member_bool(&line.json, "overloaded", t->overloaded);
	member_bool(&line.json, "locked_down", t->locked_down);
	json_line_end(&line);
}

static int print_targets(struct stat_options *o, const struct capture *c)
{
	struct counts now = { 0 };
	struct target t;

	for (size_t i = 0; i < c->targets.nr; i++) {
		if (!targets_event(&c->targets, i, &t))
			continue;
		if (o->json)
			print_target_json(o, &t);
		else
			counts_add(&now, t.name, &t.counts, t.missed, t.unfollowed);
		if (!o->json && t.timed)
			counts_time(&now, t.errors, t.time_ns);
	}
	if (o->json)
		return fflush(stdout) ? -errno : 0;
	return print_counts(o, &now);
}

/* What can be told of hits while they come: at the end it is exact. */
static int count_tick(void *ctx, struct capture *c, struct diag *d)
{
	struct stat_options *o = ctx;
	int err = 0;

	if (!clock_due(&o->due_ns, o->interval_ns, now_ns()))
		return 0;
	for (size_t i = 0; !err && i < c->nr_known; i++) {
		struct target *t = &c->targets.target[i];

		err = session_counts(c->session, t->id, -1, d, &t->counts);
	}
	if (!err)
		err = targets_times(&c->targets, c->ctl, d);
	if (err)
		return err;
	err = print_targets(o, c);
	o->shown_ns = now_ns();
	return err && err != -EPIPE ? say_output(d, err) : err;
}

static int count_end(void *ctx, struct capture *c, struct diag *d)
{
	struct stat_options *o = ctx;
	int err = targets_times(&c->targets, c->ctl, d);

	if (err)
		return err;
	if (!o->json && o->opt.verbose)
		capture_accounting(c, stdout);
	else
		err = print_targets(o, c);
	return err && err != -EPIPE ? say_output(d, err) : err;
}

/* Records go to a small ring that is overwritten and that nobody reads. */
#define COUNT_RING_SIZE (64 * 1024)

static const struct capture_ops count_ops = {
	.unread = true,
	.counts = true,
	.begin = count_begin,
	.tick = count_tick,
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
		o->opt.times = true;
		return capture_run(&o->opt, &words, &count_ops, o);
	}
	if (!ret && words.command)
		ret = diag_set(&d, -EINVAL, DIAG_MISSING_WORD,
			       "a definition before '--'");
	else if (!ret && is_for_session(&o->opt))
		ret = diag_set(&d, -EINVAL, DIAG_MISSING_WORD,
			       "a definition, or an event with -e");
	if (!ret)
		ret = options_check_bundle(o->opt.root, o->opt.skip, &words, NULL, &d);
	if (!ret)
		ret = show(o, &d);
	return ret ? say_failure(&d, NULL) : 0;
}

int cmd_stat(int argc, char **argv)
{
	struct stat_options o = { 0 };
	int status;

	status = stat(&o, argc, argv);
	counts_deinit(&o.before);
	capture_options_deinit(&o.opt);
	return status;
}
