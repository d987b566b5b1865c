/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Data: one open /dev/ktap with its rings. The ring reader itself works over a
 * byte region (wire/ring.h), so that it is tested and fuzzed without a kernel.
 */
#ifndef KTAP_WIRE_SESSION_H
#define KTAP_WIRE_SESSION_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/diag.h"
#include "wire/map_table.h"

struct session;

struct session_options {
	uint64_t ring_size;	/* 0: the module's default */
	uint32_t subbuf_size;	/* 0: default */
	uint32_t watermark;	/* 0: wake for any record */
	bool overwrite;
	bool self;
};

/**
 * session_open() - open /dev/ktap, set the session up and map its rings
 * @opt: options; not kept
 * @d: on failure
 * @ret: session; release with session_close(); unchanged on failure
 *
 * Return: 0; -ENOENT, -ENXIO or -ENODEV: the module is not loaded; -EACCES or -EPERM: not
 *	permitted; -EINVAL: the module refuses these sizes; -ENOSPC: a limit of the module;
 *	-ENOMEM; -EBADMSG: a ring makes no sense; another negative errno.
 */
int session_open(const struct session_options *opt, struct diag *d,
		 struct session **ret);

/**
 * session_open_marker() - open /dev/ktap only to write marks
 * @d: on failure
 * @ret: session that has no rings and takes no other call than session_mark(); release with
 *	session_close(); unchanged on failure
 *
 * Return: 0, or the error of session_open().
 */
int session_open_marker(struct diag *d, struct session **ret);

/**
 * session_close() - close a session
 * @s: session, or NULL
 *
 * The module then detaches its probes and frees its rings and maps. What
 * session_setup_info() returned becomes invalid.
 */
void session_close(struct session *s);

/**
 * session_fd() - get the descriptor of the device, for poll()
 * @s: session, which still owns the descriptor
 *
 * It is readable while a ring has more unread bytes than the watermark.
 *
 * Return: the descriptor.
 */
int session_fd(const struct session *s);	/* for poll */

/**
 * session_setup_info() - get the answer of KTAP_IOC_SETUP
 * @s: session
 *
 * If the answer leaves ring_size or subbuf_size at 0, the size of the first ring replaces
 * it.
 *
 * Return: the answer; valid until session_close().
 */
const struct ktap_session_setup *session_setup_info(const struct session *s);

/**
 * session_state() - read the clocks, and how many probes are attached: KTAP_IOC_STATE
 * @s: session
 * @d: on failure
 * @ret: filled
 *
 * Return: 0 or a negative errno.
 */
int session_state(struct session *s, struct diag *d,
		  struct ktap_session_state *ret);

/**
 * session_attach() - attach a probe, whose hits are recorded from now on
 * @s: session
 * @id: of the probe
 * @d: on failure
 *
 * Return: 0; -ENOENT: there is no such probe; -EEXIST: it is or was attached to this session;
 *	-ENODATA: its blob is not complete; -E2BIG: a record may not fit in a sub-buffer;
 *	-EDQUOT: a hit would take longer than hit_cost_max; -EUSERS: too many ticks of
 *	timers; -EPERM: kernel lockdown; -ENXIO: ftrace is off; another negative errno.
 */
int session_attach(struct session *s, uint32_t id, struct diag *d);

/**
 * session_map() - create a map, into which probes aggregate their hits
 * @s: session
 * @shape: of the map; the reply is filled in
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int session_map(struct session *s, struct ktap_session_map *shape,
		struct diag *d);

/**
 * session_map_read() - hand all rows of a map on every CPU to @fn
 * @s: session
 * @shape: what session_map() filled in
 * @fn: takes rows; several rows may have one key
 * @ctx: for @fn
 * @d: on failure
 *
 * Return: 0, what @fn returned, or a negative errno.
 */
int session_map_read(struct session *s, const struct ktap_session_map *shape,
		     map_row_fn fn, void *ctx, struct diag *d);

/**
 * session_attach_some() - as many as the module does in one go
 * @s: session
 * @ids: probes
 * @nr: how many, at least one
 * @map: map for their hits; NULL: they are recorded
 * @d: on failure
 *
 * Return: how many of them, from the first on, are attached: at least one; or a
 * negative errno.
 */
ssize_t session_attach_some(struct session *s, const uint32_t *ids, size_t nr,
			    const struct ktap_session_map *map, struct diag *d);

/**
 * session_detach() - detach a probe, or all probes
 * @s: session
 * @id: of the probe; 0: all probes of the session
 * @d: on failure
 *
 * When it returns, no handler writes for the probe any more: its records in the rings and
 * its counts are final. Both can still be read.
 *
 * Return: 0, also if it was detached before; -ENOENT: it never was attached to this session;
 *	another negative errno.
 */
int session_detach(struct session *s, uint32_t id, struct diag *d);

/**
 * session_scope() - add a process to the scope of a session
 * @s: session; before the first call every task is in scope
 * @pid: of the process or of one of its threads, in the caller's pid namespace
 * @tree: add its present descendants too
 * @d: on failure
 *
 * Threads and children that a task in scope creates later are in scope, whatever @tree is.
 *
 * Return: 0; -ESRCH: there is no such process; -EOPNOTSUPP: this kernel cannot follow new
 *	tasks; another negative errno.
 */
int session_scope(struct session *s, pid_t pid, bool tree, struct diag *d);

/**
 * session_rates() - limit how often hits of a probe are recorded
 * @s: session
 * @rates: limits, which hold for each probe that is attached afterwards, separately
 * @d: on failure
 *
 * Return: 0; -EINVAL: @rates->max is above INT64_MAX; another negative errno.
 */
int session_rates(struct session *s, const struct ktap_session_rates *rates,
		  struct diag *d);

/**
 * session_counts() - read the counts of a probe in this session
 * @s: session
 * @id: of a probe that is or was attached to it
 * @cpu: CPU; -1: the sum over all CPUs
 * @d: on failure
 * @ret: counts, final after session_detach(); unchanged on failure; an older module leaves
 *	@aggregated and @other at zero
 *
 * Return: 0; -ENOENT: the probe never was attached; -EINVAL: there is no such CPU; another
 *	negative errno.
 */
int session_counts(struct session *s, uint32_t id, int cpu, struct diag *d,
		   struct ktap_counts *ret);

/**
 * session_mark() - put text into all sessions that record, on this CPU
 * @s: session, whether it records or not
 * @text: text without NUL
 * @size: its bytes, from 1 to KTAP_MARK_MAX
 * @d: on failure
 * @ret: number of sessions for each outcome; unchanged on failure
 *
 * Return: 0; -ENOTTY: the module has no marks; -EINVAL; another negative errno.
 */
int session_mark(struct session *s, const char *text, size_t size,
		 struct diag *d, struct ktap_marks *ret);

/**
 * session_marks() - read the outcomes of the marks in this session
 * @s: session
 * @d: on failure
 * @ret: filled; final after the last probe was detached; zeros: the module has no marks
 *
 * Return: 0 or a negative errno.
 */
int session_marks(struct session *s, struct diag *d, struct ktap_marks *ret);

/**
 * session_stacks_begin() - from here on stacks are read
 * @s: session to which a probe with stacks is attached
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int session_stacks_begin(struct session *s, struct diag *d);

/**
 * session_stacks() - stacks that are new since the last call
 * @s: session
 * @to: they are appended, as KTAP_DATA_STACKS has them
 *
 * Called by a session_batch_fn, it gives all stacks of the batch that were not given
 * before.
 *
 * Return: 0, -ENOMEM, or -EPROTO where the table makes no sense.
 */
int session_stacks(struct session *s, struct buf *to);

/**
 * session_stacks_lost() - stacks for which there was no space
 * @s: session
 *
 * Return: their number.
 */
uint64_t session_stacks_lost(const struct session *s);

/**
 * session_user_table() - give a file a number, and its unwind information: KTAP_IOC_USER_TABLE
 * @s: session
 * @arg: request; @file is set
 *
 * Return: 0, or a negative errno as struct ktap_session_table says; -ENOTTY: the module is
 *	older.
 */
int session_user_table(struct session *s, struct ktap_session_table *arg);

/**
 * session_user_files() - files that have numbers: KTAP_IOC_USER_FILES
 * @s: session
 * @files: array; NULL: only their number is needed
 * @room: length of it
 * @from: number of the first file that is wanted
 * @ret: reply
 *
 * Return: 0 or a negative errno.
 */
int session_user_files(struct session *s, struct ktap_user_file *files, uint32_t room,
		       uint32_t from, struct ktap_session_files *ret);

/**
 * session_batch_fn - takes the bytes of one batch
 * @ctx: the caller's
 * @cpu: whose ring
 * @position: of the first byte on that ring
 * @data: whole records; never crosses a sub-buffer's border
 * @size: bytes
 *
 * Return: 0 to go on, negative to stop (the batch then counts as not read).
 */
typedef int (*session_batch_fn)(void *ctx, unsigned int cpu, uint64_t position,
				const void *data, size_t size);

/**
 * session_read() - hand all complete records of every ring to @fn
 * @s: session
 * @fn: takes the batches
 * @ctx: for @fn
 * @d: on failure of the session or of a ring; a failure of @fn is for @fn to record
 *
 * Rings of CPUs that came online are found automatically. In overwrite
 * mode a batch is a checked copy, in keep-oldest mode it is the ring itself,
 * and the tail moves when @fn returned 0.
 *
 * Return: bytes handed over, or a negative errno: that of @fn; -EPROTO or -EBADMSG: a ring
 *	makes no sense. The batches that @fn took before the failure count as read.
 */
ssize_t session_read(struct session *s, session_batch_fn fn, void *ctx,
		     struct diag *d);

#endif /* KTAP_WIRE_SESSION_H */
