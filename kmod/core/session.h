/* SPDX-License-Identifier: GPL-2.0 */
/* Sessions: rings and attachments of one open /dev/ktap. */
#ifndef KTAP_SESSION_H
#define KTAP_SESSION_H

#include <linux/ktap.h>
#include <linux/list.h>

#include "core/attach.h"
#include "core/maps.h"
#include "core/scope.h"
#include "core/stack_table.h"
#include "core/user_files.h"
#include "hit/rates.h"
#include "hit/ringmem.h"

/**
 * struct ktap_session - one open file
 * @lock: held during each change, waits included; outermost of ktap's locks
 * @number: number; never reused
 * @node: link in the list of sessions
 * @ready: KTAP_IOC_SETUP was done
 * @self: thread group of the reader, or KTAP_NO_TGID to record its hits too
 * @owner_pid: process that opened it
 * @owner_comm: its comm
 * @module: name of the probe module that it belongs to, or NULL
 * @module_state: enum ktap_module_state
 * @generation: incremented when a CPU gets its ring
 * @args: geometry of the rings
 * @mem: ring of each CPU, or NULL; set once, freed with the session
 * @maps: maps; also under rings_lock
 * @stacks: table of stacks, or NULL; set once, freed with the session
 * @user: part in the files of user stacks
 * @waiter: wait queue of the reader
 * @scope: tasks to record
 * @rates: rate limits of attachments created from now on
 * @attached: attachments, stopped ones included
 * @nr_attached: number of them that are started; under ktap_lock
 * @nr_recording: number of those whose hits go to the rings; under ktap_lock
 * @marks: outcomes of marks; under ktap_lock
 * @by_id: attachments by probe id; changes under ktap_lock as well
 *
 * Everything is under @lock. @mem, @generation, @ready and @attached are also under
 * rings_lock (session.c), which the CPU hotplug callback takes. @node is under rings_lock
 * and ktap_lock. @owner_pid, @module and @module_state change under ktap_lock as well.
 */
struct ktap_session {
	struct mutex lock; /* outermost */
	u64 number;
	struct list_head node;
	bool ready;
	u32 self;
	pid_t owner_pid;
	char owner_comm[TASK_COMM_LEN];
	const char *module;
	enum ktap_module_state module_state;
	u32 generation;
	struct ktap_ringmem_args args;
	struct ktap_ringmem **mem;
	struct ktap_maps maps;
	struct ktap_stack_table *stacks;
	struct ktap_user_share user;
	struct ktap_waiter waiter;
	struct ktap_scope scope;
	struct ktap_session_rates rates;
	struct list_head attached;
	u32 nr_attached;
	u32 nr_recording;
	struct ktap_marks marks;
	struct xarray by_id;
};

struct ktap_session *ktap_session_create(void);
void ktap_session_destroy(struct ktap_session *s);
int ktap_session_setup(struct ktap_session *s, struct ktap_session_setup *arg);
int ktap_session_map(struct ktap_session *s, struct ktap_session_map *arg);
int ktap_session_attach(struct ktap_session *s, const u32 *ids, u32 nr,
			const struct ktap_map *map, u32 *done);
void ktap_session_detach_all(struct ktap_session *s);
int ktap_session_detach(struct ktap_session *s, const u32 *ids, u32 nr,
			u32 *done);
int ktap_session_limit(struct ktap_session *s, pid_t pid, bool tree);
int ktap_session_counts(struct ktap_session *s,
			struct ktap_session_counts *arg);
void ktap_session_skip(struct ktap_session *s, u32 tgid);
u64 ktap_session_ring_bytes(struct ktap_session *s);
struct ktap_ringmem *ktap_session_mem(const struct ktap_session *s, u64 cpu);
const struct ktap_stack_table *
ktap_session_stacks(const struct ktap_session *s);
struct ktap_session *ktap_session_next(u64 number);
void ktap_session_each(void (*fn)(struct ktap_session *s, void *ctx), void *ctx);

int ktap_session_init(void);
void ktap_session_exit(void);

#endif /* KTAP_SESSION_H */
