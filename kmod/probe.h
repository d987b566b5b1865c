/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes: names, ids, lifetime. One mutex, ktap_lock, serialises all control;
 * the hit path never takes it.
 */
#ifndef KTAP_PROBE_H
#define KTAP_PROBE_H

#include <linux/ktap.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netlink.h>

#include "attach.h"
#include "hit.h"

extern struct mutex ktap_lock;

/**
 * struct ktap_probe - one probe; backends put theirs around it
 * @id: of its records
 * @refs: the registry's and one per attachment; under ktap_lock
 * @flags: KTAP_PROBE_F_*
 * @type: enum ktap_type
 * @name: [GROUP:]EVENT
 * @symbol: function, for showing; NULL: none was given
 * @offset: bytes from @symbol
 * @addr: run-time address; 0: none was given
 * @by_name: link in the table of names; not of transient probes
 * @portid: netlink socket that made it
 * @owner_pid: process that made it
 * @gone: deleted; only attachments still know it
 * @waiting: its module is not loaded
 * @where: the kernel address it sits at, while it is known
 * @entry_where: the same of the entry of its function, where that matters
 * @overloaded: the guard disarmed it
 * @strikes: the guard's: windows in which it took too much
 * @share: the guard's: of a CPU, in the last window, in percent
 * @prog: the program
 * @site: what hits read
 * @counting: the attachment of "enable", or NULL
 * @past: counts of attachments that ended
 * @blob: user metadata
 * @blob_size: bytes it will have
 * @blob_have: bytes it has
 * @backend: what serves it
 */
struct ktap_probe {
	u32 id;
	u32 refs;
	u32 flags;
	u32 type;
	char name[KTAP_NAME_MAX];
	char *symbol;
	u64 offset;
	u64 addr;
	struct hlist_node by_name;
	u32 portid;
	pid_t owner_pid;
	bool gone;
	bool waiting;
	unsigned long where;
	unsigned long entry_where;
	bool overloaded;
	u8 strikes;
	u32 share;
	struct ktap_prog *prog;
	struct ktap_site site;
	struct ktap_attach *counting;
	struct ktap_counts past;
	u8 *blob;
	u32 blob_size;
	u32 blob_have;
	const struct ktap_backend *backend;
};

struct ktap_backend;

/**
 * struct ktap_probe_args - a request for a probe, checked attribute by attribute
 */
struct ktap_probe_args {
	struct nlattr **attrs;	/* the message; backends look up their own */
	const struct ktap_backend *backend;
	struct ktap_prog_place place;
	const char *name;
	u32 type;
	u32 flags;
	u64 addr;
	const char *symbol;
	u64 offset;
	const struct ktap_insn *insns;
	u32 nr_insns;
	const struct ktap_insn *entry_insns;
	u32 nr_entry_insns;
	struct ktap_prog_info entry_info;
	const u8 *frame_regs;
	u32 blob_size;
	u32 portid;
	pid_t owner_pid;
};

/**
 * struct ktap_backend - a way to have a handler called
 * @name: as KTAP_A_HOOK shows it
 * @feature: KTAP_FEATURE_* that it stands for
 * @probe_size: bytes of its probes, which begin with struct ktap_probe
 * @check: look at the message before anything is made
 * @add: look at the place and prepare; nothing fires yet. When it fails it
 *	leaves nothing behind
 * @remove: undo @add for some; returns when no handler runs any more. May be
 *	NULL where @unload is not
 * @load: probes on kernel code, which may be a module's: what of @add needs
 *	that code, with NULL for the request when it is there again. -ENOENT: it
 *	is not there. When it fails it leaves nothing behind
 * @unload: undo @load for some, armed ones too; returns when no handler runs
 *	any more
 * @arm: let it fire; NULL, as @disarm, where @arm_many does it
 * @disarm: stop it; handlers may still run until a grace period has passed
 * @widen: it is armed, and an attachment came or has more tasks in scope; may be
 *	NULL: hits do not depend on who is in scope
 * @arm_many: @arm for some at once, all or none; NULL: it is slow, and one
 *	request may do KTAP_ARM_MAX of that kind
 * @disarm_many: @disarm for some at once
 * @missed: hits that the kernel skipped; NULL: it skips none that it could tell
 * @put: attributes of its own that describe a probe; may be NULL
 * @returns: what is known beside the counts; NULL: no return probe
 *
 * Context of @check: process. Of the others: process, under ktap_lock; may
 * sleep.
 */
struct ktap_backend {
	const char *name;
	u64 feature;
	size_t probe_size;
	int (*check)(struct ktap_probe_args *args,
		     struct netlink_ext_ack *extack);
	int (*add)(struct ktap_probe *p, const struct ktap_probe_args *args,
		   struct netlink_ext_ack *extack);
	void (*remove)(struct ktap_probe **probes, int nr);
	int (*load)(struct ktap_probe *p, const struct ktap_probe_args *args,
		    struct netlink_ext_ack *extack);
	void (*unload)(struct ktap_probe **probes, int nr);
	int (*arm)(struct ktap_probe *p);
	void (*disarm)(struct ktap_probe *p);
	int (*widen)(struct ktap_probe *p, const struct ktap_attach *a);
	int (*arm_many)(struct ktap_probe **probes, int nr);
	void (*disarm_many)(struct ktap_probe **probes, int nr);
	u64 (*missed)(const struct ktap_probe *p);
	int (*put)(struct sk_buff *skb, const struct ktap_probe *p);
	void (*returns)(const struct ktap_probe *p, struct ktap_returns *ret);
};

struct ktap_probe *ktap_probe_create(const struct ktap_probe_args *args,
				     struct netlink_ext_ack *extack);
void ktap_probes_delete(struct ktap_probe **probes, int nr);
void ktap_probes_delete_of(u32 portid);
void ktap_probes_delete_all(void);

struct ktap_probe *ktap_probe_get(struct ktap_probe *p);
void ktap_probe_put(struct ktap_probe *p);
struct ktap_probe *ktap_probe_find(u32 id);
struct ktap_probe *ktap_probe_find_name(const char *name);
struct ktap_probe *ktap_probe_next(u32 id);
u32 ktap_probe_count(void);
u32 ktap_probe_nr_sessions(const struct ktap_probe *p);

int ktap_probe_widen(struct ktap_probe *p, const struct ktap_attach *a);
int ktap_probes_arm(struct ktap_probe **list, int nr);
void ktap_probes_disarm(struct ktap_probe **list, int nr);
int ktap_probes_enable(struct ktap_probe **list, int nr, bool on);
void ktap_probe_detach_all(struct ktap_probe *p);
void ktap_probe_counts(const struct ktap_probe *p, struct ktap_counts *ret);
bool ktap_probe_complete(const struct ktap_probe *p);
int ktap_lockdown(void);
const struct ktap_backend *ktap_backend_of(u32 type);
u64 ktap_backend_features(void);
const char *ktap_backend_lacks(u32 type);

/* Is it one of the KTAP_ARM_MAX that a request may arm or disarm? */
static inline bool ktap_probe_is_slow(const struct ktap_probe *p)
{
	return !p->backend->arm_many && !p->waiting;
}

static inline u64 ktap_probe_missed(const struct ktap_probe *p)
{
	return p->backend->missed ? p->backend->missed(p) : 0;
}

#endif /* KTAP_PROBE_H */
