// SPDX-License-Identifier: GPL-2.0
/*
 * The life of a probe module under 'ktap run'. It is loaded with its probes not armed. Its
 * device is opened and tied, which arms them. So whatever ends this process disarms them:
 * the descriptor is closed then. At the end the module is unloaded, and what its rings have
 * is read up to the end that the device tells.
 */
#include "cli/module_run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "cli/account.h"
#include "cli/captures.h"
#include "cli/maps.h"
#include "cli/module_records.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "wire/probe_module.h"

/*
 * What is read sooner would wait anyhow, until nothing older can come. A ring that is half
 * full wakes us before. While there is always something to read, we look as often whether
 * it is time to end.
 */
#define POLL_MS 50

/* What poll() looks at. */
enum {
	FD_DEVICE,
	FD_SIGNALS,
	FD_CHILD,
	FD_PID,
	NR_FDS
};

/**
 * struct run - a module at work
 * @opt: how
 * @module: its file
 * @ctl: control
 * @child: the command, if any
 * @fds: what can end it, and the device; -1 where there is none
 * @device: path of the device, for messages
 * @loaded: the module is loaded, as far as we know
 * @deadline: in the time of now_ns(); 0: none
 * @next_look: likewise: when to look whether it is time to end
 * @noted: whether --interval and --rows are of use was checked
 * @timed_out: --timeout ended it
 * @maps: of the module; without maps while a file is written
 * @d: on failure while the device is read
 */
struct run {
	const struct capture_options *opt;
	struct probe_module module;
	struct ctl *ctl;
	struct child child;
	struct pollfd fds[NR_FDS];
	char device[16 + PROBE_MODULE_NAME_SIZE];
	bool loaded;
	uint64_t deadline;
	uint64_t next_look;
	bool noted;
	bool timed_out;
	struct module_maps maps;
	struct diag *d;
};

/* The order matters: what is armed is disarmed before it is unloaded. */
static int run_end(struct run *r, struct diag *d)
{
	int err = 0;

	cleanup_closep(&r->fds[FD_DEVICE].fd);
	r->fds[FD_DEVICE].fd = -1;
	if (r->loaded)
		err = probe_module_unload(r->ctl, &r->module, d);
	r->loaded = false;
	return err;
}

/* ---- beginning ------------------------------------------------------------------- */

static int connect_module(struct run *r, struct diag *d)
{
	struct ctl_info info;
	int err;

	err = ctl_open(d, &r->ctl);
	if (!err)
		err = ctl_info(r->ctl, d, &info);
	if (err || info.features & KTAP_FEATURE_TIE)
		return err;
	diag_set(d, -EOPNOTSUPP, DIAG_RUN_OLD_MODULE);
	diag_hint(d, "update ktap.ko; the kernel needs CONFIG_CRC32=y");
	return -EOPNOTSUPP;
}

static int load(struct run *r, struct diag *d)
{
	const struct probe_module_params params = {
		.overwrite = r->opt->overwrite,
		.ring_size = r->opt->ring_size,
		.pid = r->child.pid ? r->child.pid :
		       r->opt->nr_pids ? r->opt->pids[0] : 0,
		.nr_rows = r->opt->nr_rows,
	};
	int ret;

	ret = probe_module_load(r->ctl, &r->module, &params, d);
	if (ret < 0)
		return ret;
	r->loaded = true;
	if (ret && !r->opt->quiet)
		say_note("the module '%s' was left idle by an earlier 'ktap run': it was replaced",
			 r->module.name);
	ret = probe_module_tie(&r->module, d);
	if (ret < 0)
		return ret;
	r->fds[FD_DEVICE].fd = ret;
	return 0;
}

static int start(struct run *r, struct diag *d)
{
	r->fds[FD_CHILD].fd = r->child.pidfd;
	if (r->opt->nr_pids)
		r->fds[FD_PID].fd = syscall(SYS_pidfd_open, r->opt->pids[0], 0);
	if (r->opt->timeout_ns)
		r->deadline = now_ns() + r->opt->timeout_ns;
	if (!r->child.argv || signals_seen())
		return 0;
	signals_forward(r->child.pid);
	return child_start(&r->child, d);
}

static int begin(struct run *r, const char *path, struct diag *d)
{
	int err;

	err = probe_module_open(path, d, &r->module);
	snprintf(r->device, sizeof(r->device), "/dev/ktap-%s", r->module.name);
	if (!err)
		err = connect_module(r, d);
	if (!err && r->child.argv)
		err = child_fork(&r->child, r->opt->writes_stdout, d);
	/* from here on a signal ends the session, and not the process */
	if (!err)
		r->fds[FD_SIGNALS].fd = signals_open();
	if (!err)
		err = load(r, d);
	return err ? err : start(r, d);
}

/* ---- at work --------------------------------------------------------------------- */

static int poll_timeout(const struct run *r, int most)
{
	uint64_t now = now_ns();
	int left;

	if (!r->deadline || !most)
		return most;
	left = r->deadline > now ? poll_ms(r->deadline - now) : 0;
	return left < most ? left : most;
}

static bool is_over(struct run *r, int most)
{
	bool any = poll(r->fds, NR_FDS, poll_timeout(r, most)) > 0;

	r->next_look = now_ns() + POLL_MS * 1000000ULL;
	for (size_t i = FD_SIGNALS; any && i < NR_FDS; i++)
		if (r->fds[i].fd >= 0 && r->fds[i].revents)
			return true;
	r->timed_out = r->deadline && now_ns() >= r->deadline;
	return r->timed_out;
}

/* Waits until there may be something to read. At the end, the module goes. */
static int look(struct run *r, int most)
{
	if (!r->loaded) {
		poll(r->fds, 1, most);
		return 0;
	}
	if (!is_over(r, most))
		return 0;
	r->loaded = false;
	return probe_module_unload(r->ctl, &r->module, r->d);
}

/* The device describes all its probes before it has nothing more for the first time. */
static void drained(struct run *r)
{
	if (r->noted || !r->maps.decoder)
		return;
	r->noted = true;
	if (!r->maps.nr)
		maps_note_unused(r->opt);
}

static ssize_t read_device(void *ctx, void *to, size_t size)
{
	struct run *r = ctx;
	int err = 0;
	ssize_t n;

	do {
		if (r->loaded && now_ns() >= r->next_look)
			err = look(r, 0);
		if (!err && r->loaded)
			err = module_maps_look(&r->maps, r->fds[FD_DEVICE].fd, r->d);
		n = err ? err : read(r->fds[FD_DEVICE].fd, to, size);
		if (n >= 0 || err)
			return n;
		if (errno != EAGAIN)
			return -errno;
		drained(r);
		err = module_maps_drained(&r->maps, r->d);
		if (!err)
			err = look(r, POLL_MS);
	} while (!err);
	return err;
}

static int stream(struct run *r, const char *path,
		  struct module_totals *totals, struct diag *d)
{
	const struct datafile_source from = {
		.path = r->device, .read = read_device, .ctx = r,
	};
	int err;

	r->d = d;
	if (path)
		record_first(r->opt);
	err = path ? module_write(&from, path, totals, d) :
		     module_print(&from, &r->maps, r->opt->verbose, totals, d);
	if (!err && !r->noted && !totals->aggregates)
		maps_note_unused(r->opt);
	if (!err && path && !r->opt->quiet)
		maps_note_recording(path, &totals->counts, totals->maps, totals->bytes);
	if (!err && r->loaded) {
		r->loaded = false;
		if (!r->opt->quiet)
			say_note("somebody else has unloaded the module '%s'",
				 r->module.name);
	}
	return err;
}

/* ---- end ------------------------------------------------------------------------- */

/* A reader that left is no failure: what it wanted, it has. */
static int failure(int err, struct diag *d)
{
	if (!err || err == -EPIPE) {
		diag_clear(d);
		return 0;
	}
	return say_failure(d, NULL);
}

static int finish_child(struct run *r, int status)
{
	if (!r->child.pid)
		return r->child.status ? r->child.status : status;
	/* an error or a signal came before the command was started */
	if (r->child.go >= 0)
		return status ? status : 128 + signals_seen();
	if (r->timed_out)
		kill(r->child.pid, SIGTERM);
	child_wait(&r->child);
	signals_forward(0);
	return r->child.status ? r->child.status : status;
}

int module_run(struct capture_options *opt, struct output *out,
	       const char *path, const struct words *words)
{
	_cleanup_diag_ struct diag d = { 0 }, at_end = { 0 };
	struct module_totals totals = { 0 };
	struct run r = { .opt = opt, .module.fd = -1 };
	int err, status, ended;

	opt->writes_stdout = path && !strcmp(path, "-");
	out->lost = opt->verbose;
	for (size_t i = 0; i < NR_FDS; i++)
		r.fds[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
	child_init(&r.child, words->command);
	err = begin(&r, words->word[0], &d);
	module_maps_init(&r.maps, out, opt->interval_ns);
	if (!err)
		err = stream(&r, path, &totals, &d);
	status = failure(err, &d);
	module_maps_deinit(&r.maps);
	output_close(out);
	ended = failure(run_end(&r, &at_end), &at_end);
	if (!status)
		status = ended;
	if (!status && opt->strict &&
	    (account_lost(&totals.counts) || totals.missed || totals.unfollowed))
		status = DIAG_EXIT_FAILED;
	status = finish_child(&r, status);
	child_deinit(&r.child);
	cleanup_closep(&r.fds[FD_PID].fd);
	probe_module_close(&r.module);
	ctl_close(r.ctl);
	return status;
}
