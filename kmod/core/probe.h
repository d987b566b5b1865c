/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes: names, ids, lifetime. What there is, and who wants it, is under one
 * mutex, ktap_lock, which nobody holds while he waits; what fires follows
 * (arming.c). The hit path takes no lock.
 */
#ifndef KTAP_PROBE_H
#define KTAP_PROBE_H

#include <linux/bitops.h>
#include <linux/ktap.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>

#include "core/arming.h"
#include "core/attach.h"
#include "core/place_cost.h"
#include "core/refused.h"
#include "hit/hit.h"

struct sock;

extern struct mutex ktap_lock;

/**
 * struct ktap_probe - one probe; backends put theirs around it
 * @id: of its records
 * @refs: the registry's, one per attachment, and of those who wait for it
 * @flags: KTAP_PROBE_F_*
 * @type: enum ktap_type
 * @name: [GROUP:]EVENT
 * @symbol: function, for showing; NULL: none was given
 * @offset: bytes from @symbol
 * @addr: run-time address; 0: none was given
 * @by_name: link in the table of names; not of transient probes
 * @portid: netlink socket that made it
 * @maker: that socket, held; NULL: it has been closed
 * @owner_pid: process that made it
 * @fresh: it is being made: nobody finds it, but its name is taken
 * @gone: deleted; only attachments still know it
 * @listed: netlink.c's, for a moment
 * @idling: on the list of idle ones, or being taken off
 * @in_idle: link in that list
 * @armed: its backend was told to let it fire; under @arming
 * @arming: who else may change what fires
 * @own_arming: it, where hits may sleep
 * @attachments: all that are not settled yet, hidden ones too
 * @waiting: its module is not loaded; changes under @arming as well
 * @where: the kernel address it sits at, while it is known; under @arming
 * @entry_where: the same of the entry of its function, where that matters
 * @shares: of what hits cost there
 * @entry_cost: ns of its entry program, at most; 0: it has none
 * @overloaded: the guard disarmed it
 * @locked_down: kernel lockdown disarmed it
 * @swept: sweep.c's, until no hit can be tripped for what was before
 * @prog: the program
 * @room: bytes of scratch that are held for it
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
	refcount_t refs;
	u32 flags;
	u32 type;
	char name[KTAP_NAME_MAX];
	char *symbol;
	u64 offset;
	u64 addr;
	struct hlist_node by_name;
	u32 portid;
	struct sock *maker;
	pid_t owner_pid;
	bool fresh;
	bool gone;
	bool listed;
	bool idling;
	struct list_head in_idle;
	bool armed;
	struct ktap_arming *arming;
	struct ktap_arming own_arming;
	struct list_head attachments;
	bool waiting;
	unsigned long where;
	unsigned long entry_where;
	struct ktap_share shares[2];
	u32 entry_cost;
	bool overloaded;
	bool locked_down;
	bool swept;
	struct ktap_prog *prog;
	u32 room;
	struct ktap_site site;
	struct ktap_attach *counting;
	struct ktap_counts past;
	u8 *blob;
	u32 blob_size;
	u32 blob_have;
	const struct ktap_backend *backend;
};

struct ktap_backend;

/* enum ktap_hook - what shall serve a probe of KTAP_TYPE_KPROBE */
enum ktap_hook {
	KTAP_HOOK_ANY,
	KTAP_HOOK_KPROBE,
	KTAP_HOOK_FTRACE,
};

/**
 * struct ktap_probe_args - a request for a probe, as netlink_new.c decoded it
 * @has: which attributes it has, by number: see ktap_args_has()
 * @backend: of @type
 * @name: [GROUP:]EVENT
 * @type: enum ktap_type
 * @flags: KTAP_PROBE_F_*
 * @addr: run-time address
 * @symbol: function or tracepoint, or NULL
 * @offset: bytes from @symbol; of user code: in the file
 * @insns: the program
 * @nr_insns: its instructions
 * @entry_insns: program at the entry, or NULL
 * @nr_entry_insns: its instructions
 * @frame_regs: registers to be kept at the entry of the function it is in, or
 *	NULL: then it needs no entry
 * @nr_frame_regs: how many
 * @frame_addr: run-time address of that entry
 * @frame_offset: the same as @offset is said
 * @maxactive: calls to follow at once; 0: the default
 * @hook: what shall serve it
 * @fd: descriptor of the file, of the sender
 * @path: its name, for showing, or NULL
 * @ref_offset: byte of the file that counts its users; 0: none
 * @length: bytes that are watched
 * @access: KTAP_ACCESS_*
 * @syscall: number of a system call
 * @blob_size: bytes of user metadata
 * @portid: netlink socket of the sender
 * @maker: that socket
 * @owner_pid: process of the sender
 * @place: for the verifier; the backend's check fills it in
 * @entry_info: of the program at the entry; likewise
 *
 * What the request does not have is 0 or NULL. Texts and arrays are the
 * message's: they are gone when it has been answered. What a probe of the type
 * cannot do without is there.
 */
struct ktap_probe_args {
	DECLARE_BITMAP(has, KTAP_A_MAX + 1);
	const struct ktap_backend *backend;
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
	const u8 *frame_regs;
	u32 nr_frame_regs;
	u64 frame_addr;
	u64 frame_offset;
	u32 maxactive;
	enum ktap_hook hook;
	u32 fd;
	const char *path;
	u64 ref_offset;
	u32 length;
	u32 access;
	u32 syscall;
	u32 blob_size;
	u32 portid;
	struct sock *maker;
	pid_t owner_pid;
	struct ktap_prog_place place;
	struct ktap_prog_info entry_info;
};

/* ktap_args_has() - does a request say that, be it 0? Context: any. */
static inline bool ktap_args_has(const struct ktap_probe_args *args, int attr)
{
	return test_bit(attr, args->has);
}

/**
 * struct ktap_probe_details - what some backends know of a probe, for showing
 * @in_file: its offset is one in a file: shown without a symbol too
 * @ref_offset: byte of the file that counts its users; 0: none
 * @path: the file's name, or NULL
 * @maxactive: calls that it can follow; 0: it follows none
 * @frame_hook: what serves the entry of its function, or NULL
 * @length: bytes that are watched; 0: none
 * @access: KTAP_ACCESS_*
 */
struct ktap_probe_details {
	bool in_file;
	u64 ref_offset;
	const char *path;
	u32 maxactive;
	const char *frame_hook;
	u32 length;
	u32 access;
};

/**
 * struct ktap_backend - a way to have a handler called
 * @name: as KTAP_A_HOOK shows it
 * @feature: KTAP_FEATURE_* that it stands for
 * @probe_size: bytes of its probes, which begin with struct ktap_probe
 * @sleeps: its hits may sleep, and who lets go of a probe waits for them: each
 *	is armed for itself
 * @check: look at the request before anything is made
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
 * @arm_many: @arm for some at once, all or none; may be NULL
 * @is_quick: without @arm_many: are @arm and @disarm of this one a matter of
 *	microseconds? NULL: of none. Of the others a request may do KTAP_ARM_MAX
 * @disarm_many: @disarm for some at once
 * @missed: hits that the kernel skipped; NULL: it skips none that it could tell
 * @describe: fill in what it knows of a probe; may be NULL
 * @returns: what is known beside the counts; NULL: no return probe
 *
 * Context of @check: process. Of @missed, @describe, @is_quick and @returns: under ktap_lock;
 * not of probes that are gone. Of the others: process, under the lock of the
 * probe's arming, and not under ktap_lock; may sleep.
 */
struct ktap_backend {
	const char *name;
	u64 feature;
	size_t probe_size;
	bool sleeps;
	int (*check)(struct ktap_probe_args *args,
		     struct ktap_refused *refused);
	int (*add)(struct ktap_probe *p, const struct ktap_probe_args *args,
		   struct ktap_refused *refused);
	void (*remove)(struct ktap_probe **probes, int nr);
	int (*load)(struct ktap_probe *p, const struct ktap_probe_args *args,
		    struct ktap_refused *refused);
	void (*unload)(struct ktap_probe **probes, int nr);
	int (*arm)(struct ktap_probe *p);
	void (*disarm)(struct ktap_probe *p);
	int (*widen)(struct ktap_probe *p, const struct ktap_attach *a);
	int (*arm_many)(struct ktap_probe **probes, int nr);
	void (*disarm_many)(struct ktap_probe **probes, int nr);
	bool (*is_quick)(const struct ktap_probe *p);
	u64 (*missed)(const struct ktap_probe *p);
	void (*describe)(const struct ktap_probe *p,
			 struct ktap_probe_details *ret);
	void (*returns)(const struct ktap_probe *p, struct ktap_returns *ret);
};

struct ktap_probe *ktap_probe_create(const struct ktap_probe_args *args,
				     struct ktap_refused *refused);
void ktap_probe_delete(struct ktap_probe *p);
void ktap_probe_bury(struct ktap_probe *p, struct list_head *settled);
void ktap_probes_delete_of(u32 portid);
void ktap_probes_delete_all(void);
void ktap_probes_exit(void);

void ktap_probe_get(struct ktap_probe *p);
void ktap_probe_put(struct ktap_probe *p);
struct ktap_probe *ktap_probe_find(u32 id);
struct ktap_probe *ktap_probe_find_name(const char *name);
struct ktap_probe *ktap_probe_next(u32 id);
u32 ktap_probe_count(void);
u32 ktap_probe_nr_sessions(const struct ktap_probe *p);

int ktap_probes_enable(struct ktap_probe **list, int nr, bool on);
void ktap_probe_detach_everybody(struct ktap_probe *p,
				 struct list_head *hidden);
void ktap_probe_counts(const struct ktap_probe *p, struct ktap_counts *ret);
bool ktap_probe_complete(const struct ktap_probe *p);
const struct ktap_backend *ktap_backend_of(u32 type);
u64 ktap_backend_features(void);
const char *ktap_backend_lacks(u32 type);

/* Is it one of the KTAP_ARM_MAX that a request may arm or disarm? */
static inline bool ktap_probe_is_slow(const struct ktap_probe *p)
{
	const struct ktap_backend *b = p->backend;

	return !p->waiting && !b->arm_many && !(b->is_quick && b->is_quick(p));
}

static inline u64 ktap_probe_missed(const struct ktap_probe *p)
{
	return p->backend->missed ? p->backend->missed(p) : 0;
}

#endif /* KTAP_PROBE_H */
