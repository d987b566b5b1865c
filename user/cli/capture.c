// SPDX-License-Identifier: GPL-2.0
/* One session: set up, loop, end. */
#include "cli/capture.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "cli/account.h"
#include "cli/notices.h"
#include "cli/say.h"
#include "cli/signals.h"

/* Records below the watermark wait this long at most, if the command does not care. */
#define POLL_MS 100

/* What poll() looks at; processes of -p follow. */
enum {
	FD_SESSION,
	FD_SIGNALS,
	FD_CHILD,
	FD_PIDS,
};

/**
 * struct watch - what can end the session
 * @fds: see FD_*; -1 where there is none
 * @nr: how many
 * @pids_left: processes of -p that are alive
 * @deadline: in the time of now_ns(); 0: none
 */
struct watch {
	struct pollfd *fds;
	size_t nr;
	size_t pids_left;
	uint64_t deadline;
};

static int watch_init(struct watch *w, const struct capture *c,
		      struct diag *d)
{
	const struct capture_options *opt = c->opt;

	*w = (struct watch){
		.fds = calloc(FD_PIDS + opt->nr_pids, sizeof(*w->fds)),
	};
	if (!w->fds)
		return diag_no_memory(d);
	w->nr = FD_PIDS + opt->nr_pids;
	for (size_t i = 0; i < w->nr; i++)
		w->fds[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
	if (!opt->overwrite && !c->ops->unread)
		w->fds[FD_SESSION].fd = session_fd(c->session);
	w->fds[FD_SIGNALS].fd = c->wish_fd;
	w->fds[FD_CHILD].fd = c->child.pidfd;
	w->pids_left = opt->nr_pids;
	for (size_t i = 0; i < opt->nr_pids; i++) {
		w->fds[FD_PIDS + i].fd = syscall(SYS_pidfd_open, opt->pids[i], 0);
		/* any other error: a thread is followed, but not awaited */
		if (w->fds[FD_PIDS + i].fd < 0 && errno == ESRCH)
			w->pids_left--;
	}
	if (opt->timeout_ns)
		w->deadline = now_ns() + opt->timeout_ns;
	return 0;
}

static void reap_pids(struct watch *w)
{
	for (size_t i = FD_PIDS; i < w->nr; i++) {
		if (w->fds[i].fd < 0 || !w->fds[i].revents)
			continue;
		close(w->fds[i].fd);
		w->fds[i].fd = -1;
		w->pids_left--;
	}
}

static int poll_timeout(const struct watch *w, int most)
{
	uint64_t now = now_ns();
	int left;

	if (!w->deadline)
		return most;
	left = w->deadline > now ? poll_ms(w->deadline - now) : 0;
	return left < most ? left : most;
}

/* Return: true when it is time to end. */
static bool watch_poll(struct watch *w, struct capture *c)
{
	int most = c->ops->poll_ms ? c->ops->poll_ms : POLL_MS;
	bool any = poll(w->fds, w->nr, poll_timeout(w, most)) > 0;

	if (any)
		reap_pids(w);
	if (any && (w->fds[FD_SIGNALS].revents || w->fds[FD_CHILD].revents))
		return true;
	if (c->opt->nr_pids && !w->pids_left && !c->child.pid)
		return true;
	c->timed_out = w->deadline && now_ns() >= w->deadline;
	return c->timed_out;
}

/* ---- beginning ----------------------------------------------------------- */

static int choose_words(struct capture *c, struct definer *df, const struct words *words,
			struct diag *d)
{
	int err = targets_choose(&c->targets, df, &c->opt->events, d);

	return err ? err : targets_define(&c->targets, df, words, d);
}

static int choose_targets(struct capture *c, const struct words *words,
			  struct diag *d)
{
	struct notices notices = { .quiet = c->opt->quiet };
	struct definer df;
	int err;

	err = definer_init(&df, c->ctl, KTAP_PROBE_F_TRANSIENT, notices_show,
			   &notices, d);
	df.file = c->opt->file;
	df.vmlinux = c->opt->vmlinux;
	df.source = c->opt->source;
	df.hook = c->opt->hook;
	df.times = c->opt->times;
	df.aggregate = c->opt->aggregate;
	df.wait = c->opt->wait;
	df.skip = c->opt->skip;
	df.root = c->opt->root;
	df.stacks = c->opt->stacks;
	df.params = &c->opt->params;
	if (!err && df.file && c->opt->module)
		err = diag_set(d, -EINVAL, DIAG_OPTION_CONFLICT, "-x", "-m");
	if (!err)
		err = definer_set_module(&df, c->opt->module, d);
	if (!err && c->ops->choose)
		err = c->ops->choose(c->ctx, &df, words, &c->targets, d);
	else if (!err)
		err = choose_words(c, &df, words, d);
	if (!err)
		err = definer_check_params(&df, d);
	if (!err && !c->targets.nr)
		err = targets_all(&c->targets, &df, d);
	definer_deinit(&df);
	return err;
}

/* Definitions that only store make no records, and have no rows. */
static int check_silent(const struct capture *c, struct diag *d)
{
	const struct target *t = c->targets.target;

	if (c->ops->counts)
		return 0;
	for (size_t i = 0; i < c->targets.nr; i++)
		if (!layout_silent(t[i].blob, t[i].blob_size))
			return 0;
	if (!c->targets.nr)
		return 0;
	diag_set(d, -EINVAL, DIAG_ONLY_STORES, t->name);
	diag_hint(d, "add a definition with $load() or $take(), or count the hits with 'ktap stat'");
	return -EINVAL;
}

static int open_session(struct capture *c, struct diag *d)
{
	struct session_options so = {
		.ring_size = c->opt->ring_size,
		.watermark = c->ops->watermark,
		.overwrite = c->opt->overwrite || c->ops->unread,
		.self = c->opt->self,
	};

	if (so.ring_size && so.watermark > so.ring_size / 4)
		so.watermark = so.ring_size / 4;
	return session_open(&so, d, &c->session);
}

static int set_scope(struct capture *c, struct diag *d)
{
	const struct capture_options *opt = c->opt;
	int err = 0;

	if (opt->all)
		return 0;
	if (c->child.pid)
		err = session_scope(c->session, c->child.pid, true, d);
	for (size_t i = 0; !err && i < opt->nr_pids; i++)
		err = session_scope(c->session, opt->pids[i], true, d);
	return err;
}

/* Number of targets from @first on that have the same map. */
static size_t of_one_map(const struct capture *c, size_t first)
{
	const struct target *t = c->targets.target;
	size_t i = first + 1;

	while (i < c->targets.nr && t[i].map == t[first].map)
		i++;
	return i - first;
}

/* What does not look at records does not look at stacks. */
static int begin_stacks(struct capture *c, struct diag *d)
{
	size_t i;

	for (i = 0; i < c->nr_known; i++)
		if (layout_has_stacks(c->targets.target[i].blob,
				      c->targets.target[i].blob_size))
			break;
	if (i == c->nr_known || !c->ops->stacks)
		return 0;
	c->has_stacks = true;
	return session_stacks_begin(c->session, d);
}

/*
 * What will run has its tables before it runs; what a hit meets later gets them then. What
 * does not look at records needs none.
 */
static int begin_user_files(struct capture *c, struct diag *d)
{
	const struct capture_options *opt = c->opt;
	bool has = false;

	for (size_t i = 0; i < c->targets.nr; i++)
		has |= layout_has_ustacks(c->targets.target[i].blob,
					  c->targets.target[i].blob_size);
	if (!has || !c->ops->stacks)
		return 0;
	c->user_files = user_files_create(c->session);
	if (!c->user_files)
		return diag_no_memory(d);
	if (c->child.argv)
		user_files_program(c->user_files, c->child.argv[0]);
	if (opt->file)
		user_files_program(c->user_files, opt->file);
	for (size_t i = 0; i < opt->nr_pids; i++)
		user_files_process(c->user_files, opt->pids[i]);
	return 0;
}

static int attach(struct capture *c, struct diag *d)
{
	_cleanup_free_ uint32_t *ids = NULL;
	struct progress progress;
	size_t i, nr = c->targets.nr;
	ssize_t n = 0;

	ids = calloc(nr, sizeof(*ids));
	if (!ids)
		return diag_no_memory(d);
	for (i = 0; i < nr; i++)
		ids[i] = c->targets.target[i].id;
	progress_init(&progress, "probes", nr, c->opt->quiet);
	for (i = 0; i < nr && !signals_seen(); i += n) {
		n = session_attach_some(c->session, ids + i, of_one_map(c, i),
					c->targets.target[i].map, d);
		if (n < 0) {
			diag_hint(d, "probe %u is '%s'", ids[i], c->targets.target[i].name);
			break;
		}
		progress_step(&progress, i + n);
	}
	progress_deinit(&progress);
	c->nr_attached = i;
	c->nr_known = i;
	return n < 0 ? n : begin_stacks(c, d);
}

static int begin(struct capture *c, const struct words *words, struct diag *d)
{
	const struct ktap_session_rates *rates = &c->opt->rates;
	int err;

	if (c->opt->all && c->opt->nr_pids)
		return diag_set(d, -EINVAL, DIAG_OPTION_CONFLICT, "-a", "-p");
	err = options_check_bundle(c->opt->root, c->opt->skip, words, &c->opt->events, d);
	if (!err)
		err = ctl_open(d, &c->ctl);
	if (!err)
		err = choose_targets(c, words, d);
	if (!err)
		err = check_silent(c, d);
	if (!err)
		err = verdict_check(&c->opt->verdict, &c->targets, d);
	if (!err && c->child.argv)
		err = child_fork(&c->child, c->opt->writes_stdout, d);
	/* from here on a signal ends the session, and not the process */
	if (!err)
		c->wish_fd = signals_open();
	if (!err)
		err = open_session(c, d);
	if (!err)
		err = set_scope(c, d);
	if (!err && (rates->every || rates->per_second || rates->max))
		err = session_rates(c->session, rates, d);
	if (!err)
		err = targets_missed(&c->targets, c->ctl, false, d);
	if (!err && !c->opt->quiet)
		targets_note_files(&c->targets, c->ctl);
	if (!err)
		err = begin_user_files(c, d);
	return err ? err : c->ops->begin(c->ctx, c, d);
}

/* ---- at work ------------------------------------------------------------- */

/* struct round - what a batch belongs to */
struct round {
	struct capture *c;
	struct diag *d;
};

int capture_stacks(struct capture *c, struct diag *d)
{
	int err;

	if (!c->has_stacks)
		return 0;
	buf_clear(&c->stacks);
	err = session_stacks(c->session, &c->stacks);
	if (err)
		return diag_set(d, err, DIAG_SESSION_STACKS, strerror(-err));
	if (!c->stacks.size)
		return 0;
	/* before names of their frames are needed */
	if (c->user_files)
		user_files_update(c->user_files);
	return c->ops->stacks(c->ctx, c->stacks.data, c->stacks.size, d);
}

static int take_batch(void *ctx, unsigned int cpu, uint64_t position,
		      const void *data, size_t size)
{
	const struct datafile_batch batch = {
		.cpu = cpu, .position = position, .data = data, .size = size,
	};
	struct round *r = ctx;
	/* before the records with their ids: so each prefix of a recording can be decoded */
	int err = capture_stacks(r->c, r->d);

	return err ? err : r->c->ops->batch(r->c->ctx, &batch, r->d);
}

/* Probes that are attached, and that no record comes from. */
static size_t nr_silent(const struct capture *c)
{
	size_t nr = 0;

	for (size_t i = 0; i < c->nr_known; i++) {
		const struct target *t = &c->targets.target[i];

		nr += !t->overloaded && !t->locked_down && !t->map &&
		      layout_silent(t->blob, t->blob_size);
	}
	return nr;
}

/*
 * Probes leave by themselves: at --max, when the guard disarms them, or when
 * somebody deletes them. Return: 1 when no hit can come any more, 0, negative.
 */
static int look_who_left(struct capture *c, struct diag *d)
{
	struct ktap_session_state now;
	int n;

	n = session_state(c->session, d, &now);
	if (n || now.nr_attached == c->nr_attached)
		return n;
	c->nr_attached = now.nr_attached;
	n = targets_disarmed(&c->targets, c->ctl, d);
	if (n < 0)
		return n;
	c->nr_disarmed = n;
	return c->nr_attached == nr_silent(c) && (n || c->opt->rates.max);
}

static int read_round(struct capture *c, struct diag *d)
{
	struct round r = { .c = c, .d = d };
	struct ktap_session_state now;
	ssize_t n;
	int err;

	err = session_state(c->session, d, &now);
	if (err)
		return err;
	if (c->ops->clock)
		c->ops->clock(c->ctx, &now);
	n = session_read(c->session, take_batch, &r, d);
	if (n < 0)
		return n;
	return c->ops->round ? c->ops->round(c->ctx, &now, d) : 0;
}

static int loop(struct capture *c, struct watch *w, struct diag *d)
{
	bool live = w->fds[FD_SESSION].fd >= 0;
	int err = 0, over = 0;

	while (!watch_poll(w, c) && !over) {
		if (c->user_files)
			user_files_update(c->user_files);
		if (live)
			err = read_round(c, d);
		if (!err && c->ops->tick)
			err = c->ops->tick(c->ctx, c, d);
		if (err)
			return err < 0 ? err : 0;
		over = look_who_left(c, d);
	}
	return over < 0 ? over : 0;
}

static int run(struct capture *c, struct diag *d)
{
	struct watch w;
	int err;

	err = watch_init(&w, c, d);
	if (!err)
		err = attach(c, d);
	if (!err && c->ops->attached)
		err = c->ops->attached(c->ctx, c, d);
	c->is_attached = !err;
	if (!err && c->child.argv && !signals_seen()) {
		signals_forward(c->child.pid);
		err = child_start(&c->child, d);
	}
	if (!err)
		err = loop(c, &w, d);
	for (size_t i = FD_PIDS; i < w.nr; i++)
		cleanup_closep(&w.fds[i].fd);
	free(w.fds);
	return err;
}

/* ---- end ----------------------------------------------------------------- */

/* Detached rings are final: one round empties them. */
static int end(struct capture *c, bool drain, struct diag *d)
{
	int err = 0;

	/* what left in the last round is told as well */
	if (drain)
		err = look_who_left(c, d);
	if (err >= 0)
		err = session_detach(c->session, 0, d);
	if (!err && drain && !c->ops->unread)
		err = read_round(c, d);
	if (err >= 0)
		err = targets_missed(&c->targets, c->ctl, true, d);
	if (err >= 0 && !c->opt->quiet)
		targets_note_files(&c->targets, c->ctl);
	for (size_t i = 0; !err && i < c->nr_known; i++) {
		struct target *t = &c->targets.target[i];

		err = session_counts(c->session, t->id, -1, d, &t->counts);
		account_add(&c->sum, &t->counts);
		c->missed += t->missed;
		c->unfollowed += t->unfollowed;
		state_add(&c->state, &t->state, 1);
	}
	if (!err)
		err = session_marks(c->session, d, &c->marks);
	if (c->has_stacks && session_stacks_lost(c->session) && !c->opt->quiet)
		say_note("%llu stack%s found no space: load the module with a larger stack_kb",
			 (unsigned long long)session_stacks_lost(c->session),
			 fmt_s(session_stacks_lost(c->session)));
	if (c->user_files && user_files_refused(c->user_files) && !c->opt->quiet)
		say_note("unwind information of %zu file%s found no space: stacks may be cut; see ring_total_max",
			 user_files_refused(c->user_files), fmt_s(user_files_refused(c->user_files)));
	if (!err)
		err = c->ops->end(c->ctx, c, d);
	/* the end of some commands is where they show their stacks */
	if (c->user_files && user_files_full(c->user_files) && !c->opt->quiet)
		say_note("stacks are in more files than the module can number: places in others are shown as [unknown file+OFFSET]");
	return err;
}

void capture_accounting(const struct capture *c, FILE *out)
{
	struct table t;

	account_table(&t);
	for (size_t i = 0; i < c->targets.nr; i++) {
		const struct target *target = &c->targets.target[i];
		const struct account a = {
			.name = target->name, .cpu = -1,
			.counts = target->counts, .missed = target->missed,
		};

		account_row(&t, &a);
	}
	table_print(&t, out);
	table_deinit(&t);
}

/* A reader that left is no failure: what it wanted, it has. */
static int failure(int err, struct diag *d)
{
	if (err >= 0 || err == -EPIPE) {
		diag_clear(d);
		return 0;
	}
	return say_failure(d, NULL);
}

static int run_and_end(struct capture *c)
{
	_cleanup_diag_ struct diag d = { 0 }, at_end = { 0 };
	int err, status;

	err = run(c, &d);
	status = failure(err, &d);
	if (c->child.status)
		return c->child.status;
	/* what was never attached has no results */
	if (!c->is_attached)
		return status;
	err = end(c, !err, &at_end);
	if (!status)
		status = failure(err, &at_end);
	return status;
}

static int finish_child(struct capture *c, int status)
{
	if (!c->child.pid)
		return status;
	/* a signal came before the command was started */
	if (c->child.go >= 0)
		return status ? status : 128 + signals_seen();
	if (c->timed_out)
		kill(c->child.pid, SIGTERM);
	child_wait(&c->child);
	signals_forward(0);
	return c->child.status ? c->child.status : status;
}

/* A session that never began has no hits that could be judged. */
static int judge(const struct capture *c, bool ran, int status)
{
	const struct verdict_options none = {
		.junit = c->opt->verdict.junit,
	};
	const struct verdict v = {
		.options = ran ? &c->opt->verdict : &none,
		.targets = &c->targets,
		.lost = account_lost(&c->sum) + c->missed + c->unfollowed,
		.status = status,
		.command = c->child.argv ? c->child.argv[0] : NULL,
		.seconds = (double)(now_ns() - c->began) / 1e9,
	};

	return verdict_give(&v);
}

int capture_run(const struct capture_options *opt, const struct words *words,
		const struct capture_ops *ops, void *ctx)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct capture c = {
		.opt = opt, .ops = ops, .ctx = ctx, .began = now_ns(),
	};
	int err, status;
	bool lost;

	child_init(&c.child, words->command);
	err = begin(&c, words, &d);
	if (err) {
		status = failure(err, &d);
		if (c.child.status)
			status = c.child.status;
		status = judge(&c, false, status);
		goto out;
	}
	status = run_and_end(&c);
	if (opt->verbose && !ops->counts)
		capture_accounting(&c, stderr);
	lost = account_losses(&c.sum, c.missed, c.unfollowed);
	lost |= marks_losses(&c.marks);
	lost |= state_losses(&c.state);
	if ((lost || c.nr_disarmed) && opt->strict && !status)
		status = DIAG_EXIT_FAILED;
	status = judge(&c, c.is_attached, finish_child(&c, status));
out:
	child_deinit(&c.child);
	buf_deinit(&c.stacks);
	user_files_destroy(c.user_files);
	session_close(c.session);
	targets_deinit(&c.targets);
	ctl_close(c.ctl);
	return status;
}
