/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One session from its options to its accounting: probes, scope, the command,
 * the loop over the rings, the end. What is done with the records is the
 * business of trace, record and stat, through struct capture_ops.
 */
#ifndef KTAP_CLI_CAPTURE_H
#define KTAP_CLI_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/param.h"
#include "cli/child.h"
#include "cli/options.h"
#include "cli/target.h"
#include "cli/verdict.h"
#include "define/user_files.h"
#include "record/datafile.h"
#include "wire/session.h"

/* Rows for a command's table of options; capture_option() takes them. */
#define CAPTURE_ROW_EVENT \
	{ 'e', "event", "NAME|DEF", "an event that is defined, or a definition" }
#define CAPTURE_ROW_STACKS \
	{ 'g', "stacks", NULL, "add the stacks of the kernel and of the program" }
#define CAPTURE_ROW_ROWS \
	{ OPT_ROWS, "rows", "N", "make room for N keys on each CPU (4096)" }
#define CAPTURE_ROW_RING \
	{ 'b', "buffer-size", "SIZE", "set the size of each CPU's ring buffer" }
#define CAPTURE_ROW_OVERWRITE \
	{ OPT_OVERWRITE, "overwrite", NULL, "overwrite the oldest records; read at the end" }

/* What they all take: -x -m -p -a --self --strict --timeout, rates, -q -v. */
extern const struct option_row capture_rows[];

/**
 * struct capture_options - how to run the session
 * @events: values of -e
 * @module: -m MODULE, or NULL
 * @vmlinux: -k PATH, or NULL
 * @source: -s DIR, or NULL
 * @hook: --hook, or NULL: the module chooses
 * @times: see struct definer
 * @aggregate: see struct definer
 * @wait: --wait: a module that nobody has yet may come
 * @skip: skip definitions of a bundle that cannot be used
 * @root: directory below which programs of a bundle are; NULL: /
 * @file: of the places of definitions; or NULL: the kernel's
 * @pids: processes to follow
 * @nr_pids: how many
 * @ring_size: bytes for each CPU; 0: the module's default
 * @timeout_ns: 0: none
 * @interval_ns: what was aggregated is shown so often; 0: once, at the end
 * @verdict: what is expected, of commands that take VERDICT_ROWS
 * @params: --param
 * @rates: how many of the hits are wanted
 * @stacks: -g: see struct definer
 * @nr_rows: keys that a map has room for on each CPU; 0: the default
 * @all: everything, also beside a command
 * @self: also what ktap itself does
 * @writes_stdout: it is for records only: the command's goes to stderr
 * @overwrite: keep the newest records; the rings are read at the end
 * @strict: losses are a failure
 * @quiet: no notes
 * @verbose: accounting at the end
 */
struct capture_options {
	struct words events;
	const char *file;
	const char *module;
	const char *vmlinux;
	const char *source;
	const char *hook;
	const struct aggregate *aggregate;
	bool times;
	bool wait;
	bool skip;
	const char *root;
	pid_t *pids;
	size_t nr_pids;
	uint64_t ring_size;
	uint64_t timeout_ns;
	uint64_t interval_ns;
	struct params params;
	struct ktap_session_rates rates;
	struct verdict_options verdict;
	bool stacks;
	uint64_t nr_rows;
	bool all;
	bool self;
	bool writes_stdout;
	bool overwrite;
	bool strict;
	bool quiet;
	bool verbose;
};

/**
 * capture_options_deinit() - release the lists that capture_option() made
 * @o: options, or zeros
 *
 * The values of the options stay valid: they are the caller's. The pointers in @o are not
 * cleared, so @o must not be used after this.
 */
void capture_options_deinit(struct capture_options *o);

/**
 * capture_option() - take one option of the rows above or of VERDICT_ROWS
 * @o: options; zeros before the first one
 * @key: key of its row; a key that is in no row sets @o->strict
 * @value: value of the option, which must live as long as @o; NULL: it takes none
 * @d: on failure
 *
 * The size of a ring is rounded up to a power of two, as the kernel requires.
 *
 * Return: 0; -EINVAL: the option does not take that value; -ENOMEM.
 */
int capture_option(struct capture_options *o, int key, const char *value,
		   struct diag *d);

/**
 * struct capture - a session at work
 * @opt: how
 * @ops: what for
 * @ctx: of @ops
 * @ctl: control; transient probes live as long as it
 * @session: rings
 * @targets: probes
 * @child: the command, if any
 * @wish_fd: readable when a signal came; see signals_open()
 * @began: time, see now_ns()
 * @sum: of the targets' counts, at the end
 * @missed: likewise
 * @unfollowed: likewise
 * @state: counts of stores and loads, likewise
 * @marks: outcomes of the marks
 * @nr_known: probes, from the first one, that the session has counts of: a signal may
 *	come before all are attached
 * @is_attached: all are attached, and @attached of @ops came to its end
 * @nr_attached: probes that were attached in the last round
 * @nr_disarmed: probes that the module took away: overload, lockdown
 * @timed_out: --timeout ended it
 * @has_stacks: records have stacks
 * @stacks: those that were read last
 * @user_files: files of the stacks of programs; NULL: there are no such stacks
 */
struct capture {
	const struct capture_options *opt;
	const struct capture_ops *ops;
	void *ctx;
	struct ctl *ctl;
	struct session *session;
	struct targets targets;
	struct child child;
	int wish_fd;
	uint64_t began;
	struct ktap_counts sum;
	uint64_t missed;
	uint64_t unfollowed;
	struct ktap_state_counts state;
	struct ktap_marks marks;
	size_t nr_known;
	bool is_attached;
	size_t nr_attached;
	size_t nr_disarmed;
	bool timed_out;
	bool has_stacks;
	struct buf stacks;
	struct user_files *user_files;
};

/**
 * struct capture_ops - what is done with the records
 * @choose: adds the probes for the words of the command line; NULL: each word is a definition
 * @watermark: unread bytes on a ring that are worth a look
 * @poll_ms: records below that wait so long at most; 0: a tenth of a second
 * @unread: the rings are only for counting: nobody reads them
 * @counts: of hits nothing but their number is of interest
 * @begin: the session is set up, nothing is attached yet
 * @attached: everything is attached, the command has not begun; or NULL
 * @tick: some time has passed, a tenth of a second at most; returns 1 to end the session;
 *	or NULL
 * @clock: a round begins at @now; or NULL
 * @stacks: takes stacks, before the batches and the rows that have their ids; or NULL
 * @batch: takes some bytes of one ring; see session_batch_fn
 * @round: every ring was read once, @now is the moment of @clock; or NULL
 * @end: nothing is attached any more, every ring is empty, counts are final; not called if
 *	nothing could be attached
 */
struct capture_ops {
	uint32_t watermark;
	int poll_ms;
	bool unread;
	bool counts;
	int (*choose)(void *ctx, struct definer *df, const struct words *words,
		      struct targets *t, struct diag *d);
	int (*begin)(void *ctx, struct capture *c, struct diag *d);
	int (*attached)(void *ctx, struct capture *c, struct diag *d);
	int (*tick)(void *ctx, struct capture *c, struct diag *d);
	void (*clock)(void *ctx, const struct ktap_session_state *now);
	int (*stacks)(void *ctx, const void *stacks, size_t size,
		      struct diag *d);
	int (*batch)(void *ctx, const struct datafile_batch *b,
		     struct diag *d);
	int (*round)(void *ctx, const struct ktap_session_state *now,
		     struct diag *d);
	int (*end)(void *ctx, struct capture *c, struct diag *d);
};

/**
 * capture_run() - the whole of it
 * @opt: options
 * @words: definitions, and the command
 * @ops: what to do with the records
 * @ctx: for @ops
 *
 * Errors are printed here, since more than one may have to be.
 *
 * Return: exit status: the command's, where there was one and it ran.
 */
int capture_run(const struct capture_options *opt, const struct words *words,
		const struct capture_ops *ops, void *ctx);

/**
 * capture_stacks() - hand the stacks that are new to ops->stacks
 * @c: session, whose probes were attached
 * @d: on failure
 *
 * Return: 0, a negative error, or what ops->stacks returned.
 */
int capture_stacks(struct capture *c, struct diag *d);

/**
 * capture_accounting() - print the outcomes of the hits of all probes, as a table
 * @c: session whose counts are final: from @ops->end on
 * @out: file, which is not flushed
 *
 * Nothing is printed where memory ran out.
 */
void capture_accounting(const struct capture *c, FILE *out);

#endif /* KTAP_CLI_CAPTURE_H */
