/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sessions: rings and attachments of one open /dev/ktap.
 */
#ifndef KTAP_SESSION_H
#define KTAP_SESSION_H

#include <linux/ktap.h>
#include <linux/list.h>

#include "core/attach.h"
#include "core/scope.h"
#include "hit/rates.h"
#include "hit/ringmem.h"

/**
 * struct ktap_session - one open file
 * @lock: held while it is changed, also while that waits; taken before all other
 *	locks of ours
 * @number: never reused
 * @node: link in the list of sessions
 * @ready: KTAP_IOC_SETUP was done
 * @self: thread group of the reader, or KTAP_NO_TGID to keep its hits
 * @owner_pid: who opened it
 * @owner_comm: and its name
 * @generation: bumped when a CPU gets its ring
 * @args: geometry of its rings
 * @mem: ring of each CPU, or NULL; set once, freed with the session
 * @waiter: where its reader sleeps
 * @scope: tasks it wants to see
 * @rates: of the attachments that it makes from now on
 * @attached: its attachments, stopped ones included
 * @nr_attached: of them, those that are started; under ktap_lock
 * @by_id: the same, by the ids of their probes; changes under ktap_lock as well
 *
 * All under @lock; @mem, @generation, @ready and @attached also under the lock of
 * CPU hotplug's callback (session.c), which is taken inside; @node under that and
 * ktap_lock.
 */
struct ktap_session {
	struct mutex lock; /* outermost */
	u64 number;
	struct list_head node;
	bool ready;
	u32 self;
	pid_t owner_pid;
	char owner_comm[TASK_COMM_LEN];
	u32 generation;
	struct ktap_ringmem_args args;
	struct ktap_ringmem **mem;
	struct ktap_waiter waiter;
	struct ktap_scope scope;
	struct ktap_session_rates rates;
	struct list_head attached;
	u32 nr_attached;
	struct xarray by_id;
};

struct ktap_session *ktap_session_create(void);
void ktap_session_destroy(struct ktap_session *s);
int ktap_session_setup(struct ktap_session *s, struct ktap_session_setup *arg);
int ktap_session_attach(struct ktap_session *s, const u32 *ids, u32 nr,
			u32 *done);
void ktap_session_detach_all(struct ktap_session *s);
int ktap_session_detach(struct ktap_session *s, const u32 *ids, u32 nr,
			u32 *done);
int ktap_session_limit(struct ktap_session *s, pid_t pid, bool tree);
int ktap_session_counts(struct ktap_session *s,
			struct ktap_session_counts *arg);
u64 ktap_session_ring_bytes(const struct ktap_session *s);
struct ktap_ringmem *ktap_session_mem(const struct ktap_session *s, u64 cpu);
struct ktap_session *ktap_session_next(u64 number);

int ktap_session_init(void);
void ktap_session_exit(void);

#endif /* KTAP_SESSION_H */
