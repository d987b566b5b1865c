/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attachments: a probe wanted by a session, or by "enable". Hits walk them by
 * RCU, so that letting one in or out takes no memory and cannot fail.
 */
#ifndef KTAP_ATTACH_H
#define KTAP_ATTACH_H

#include <linux/ktap.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>

#include "hit/program.h"
#include "hit/ring.h"

struct ktap_probe;
struct ktap_rates;
struct ktap_session;

/* The ways not to write a record; enum ktap_ring_failure is a part of them. */
enum ktap_loss {
	KTAP_LOST_FULL = KTAP_RING_FULL,
	KTAP_LOST_BIG = KTAP_RING_BIG,
	KTAP_LOST_DEEP,
	KTAP_LOST_NO_RING,
	KTAP_FILTERED,
	KTAP_LIMITED,
	KTAP_NR_OUTCOMES
};

/**
 * struct ktap_cell - an attachment on one CPU
 * @ring: where records go; NULL: nowhere
 * @hits: calls of the handler
 * @passed: rates: hits that they were asked about
 * @outcome: hits that made no record, by enum ktap_loss ([0] is not used)
 *
 * What became of the others is derived: recorded, or counted.
 */
struct ktap_cell {
	struct ktap_ring *ring;
	u64 hits;
	u64 passed;
	u64 outcome[KTAP_NR_OUTCOMES];
};

/* No thread group has this number: PID_MAX_LIMIT is far below. */
#define KTAP_NO_TGID	U32_MAX

/**
 * struct ktap_attach - a probe in a session
 * @in_probe: link in the list that hits walk (RCU)
 * @cell: counters and ring on each CPU
 * @scope: bit map of the tasks in scope, or NULL for all
 * @rates: how many of the hits are wanted, or NULL for all
 * @self: thread group whose hits do not count, or KTAP_NO_TGID
 * @counting: it has no rings and wants none
 * @refs: the session's, or that of the probe it counts, and of who stops it
 * @live: hits may still come
 * @stopping: no new ones
 * @started: its session counts it: the probe is armed, or waits for its module
 * @of_probe: link in the list of the probe's, until its counts are settled
 * @in_session: link in the session's list; of those who count, in one of settled
 *	ones
 * @stopped: link in a list of those that are stopped together
 * @probe: referenced
 * @session: NULL: the counting of an enabled probe
 */
struct ktap_attach {
	struct list_head in_probe;
	struct ktap_cell __percpu *cell;
	const unsigned long *scope;
	struct ktap_rates *rates;
	u32 self;
	bool counting;
	refcount_t refs;
	bool live;
	bool stopping;
	bool started;
	struct list_head of_probe;
	struct list_head in_session;
	struct list_head stopped;
	struct ktap_probe *probe;
	struct ktap_session *session;
};

struct ktap_attach *ktap_attach_create(struct ktap_probe *p,
				       struct ktap_session *s);
void ktap_attach_get(struct ktap_attach *a);
void ktap_attach_put(struct ktap_attach *a);
int ktap_attach_link(struct ktap_attach *a);
bool ktap_attach_hide(struct ktap_attach *a);
void ktap_attach_hide_to(struct ktap_attach *a, struct list_head *hidden);
void ktap_attach_settle(struct ktap_attach *a, struct list_head *settled);
void ktap_attach_free_all(struct list_head *settled);
int ktap_attach_start(struct ktap_attach **list, int nr);
void ktap_attach_stop(struct ktap_attach **list, int nr);
void ktap_attach_settle_all(struct list_head *hidden);
void ktap_attach_counts(const struct ktap_attach *a, int cpu,
			struct ktap_counts *ret);
void ktap_counts_add(struct ktap_counts *sum, const struct ktap_counts *c);

#endif /* KTAP_ATTACH_H */
