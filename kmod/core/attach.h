/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attachments: a probe attached by a session or by "enable". Hits walk the list of
 * attachments under RCU. Linking and hiding allocate nothing, so hiding cannot fail.
 */
#ifndef KTAP_ATTACH_H
#define KTAP_ATTACH_H

#include <linux/ktap.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>

#include "hit/plan.h"
#include "hit/program.h"
#include "hit/ring.h"

struct ktap_map;
struct ktap_probe;
struct ktap_rates;
struct ktap_session;
struct ktap_stacks;
struct ktap_trails;

/* Outcomes of a hit without a record or a row of its key. Includes enum ktap_ring_failure. */
enum ktap_loss {
	KTAP_LOST_FULL = KTAP_RING_FULL,
	KTAP_LOST_BIG = KTAP_RING_BIG,
	KTAP_LOST_DEEP,
	KTAP_LOST_NO_RING,
	KTAP_FILTERED,
	KTAP_LIMITED,
	KTAP_OTHER,
	KTAP_NR_OUTCOMES
};

/**
 * struct ktap_cell - per-CPU state of an attachment
 * @ring: ring for records; NULL: none
 * @table: table of the map; NULL: none
 * @row: row of the last hit that a plan found in @table; NULL: none yet
 * @quick: number of hits that may use @row before one looks at the clock, for the guard;
 *	below 0 if there is no @row
 * @hits: calls of the handler
 * @passed: hits that reached the rate check
 * @outcome: hits by enum ktap_loss ([0] is unused)
 *
 * The number of recorded, counted or aggregated hits is derived: @hits less all of
 * @outcome.
 */
struct ktap_cell {
	struct ktap_ring *ring;
	u8 *table;
	struct ktap_map_slot *row;
	s32 quick;
	u64 hits;
	u64 passed;
	u64 outcome[KTAP_NR_OUTCOMES];
};

/* No thread group has this id: PID_MAX_LIMIT is smaller. */
#define KTAP_NO_TGID	U32_MAX

/**
 * struct ktap_attach - attachment of a probe to a session
 * @in_probe: link in the list that hits walk (RCU)
 * @cell: per-CPU counters and ring
 * @scope: bitmap of the tasks in scope, or NULL for all tasks
 * @rates: rate limits, or NULL for none
 * @map: map that aggregates the hits, or NULL: a ring records them
 * @plan: how hits find their rows in @map
 * @stacks: table for the stacks that the program takes; NULL: it takes none, or the
 *	attachment only counts
 * @trails: trails of stacks that are in @stacks, or NULL
 * @self: thread group whose hits are skipped, or KTAP_NO_TGID
 * @counting: it counts only and has no session
 * @silent: it counts only and has no rings: @counting, or its program only stores state
 * @refs: held by the session, or by the probe if @counting, and by each task that stops
 *	it
 * @live: hits can find it
 * @stopping: it is hidden, or will be, and never becomes live again
 * @started: counted in the session's nr_attached: the probe is armed, or waits for its
 *	module
 * @of_probe: link in the probe's list, until the counts are settled
 * @in_session: link in the session's list; if @counting, in a list of settled attachments
 * @stopped: link in a list of attachments that are stopped together
 * @probe: probe; referenced
 * @session: session; NULL if @counting
 */
struct ktap_attach {
	struct list_head in_probe;
	struct ktap_cell __percpu *cell;
	const unsigned long *scope;
	struct ktap_rates *rates;
	const struct ktap_map *map;
	struct ktap_plan plan;
	const struct ktap_stacks *stacks;
	struct ktap_trails __percpu *trails;
	u32 self;
	bool counting;
	bool silent;
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
				       struct ktap_session *s,
				       const struct ktap_map *map);
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
