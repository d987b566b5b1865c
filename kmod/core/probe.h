/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes: names, ids, lifetime. ktap_lock, a mutex, protects what exists and what is
 * attached. No task waits while it holds ktap_lock. Arming and disarming follow without
 * it (arming.c). The hit path takes no lock.
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

struct file;
struct sock;

extern struct mutex ktap_lock;

/**
 * struct ktap_probe - a probe; backends embed it in a struct of their own
 * @id: id in records
 * @refs: held by the registry, by each attachment, and by tasks and lists that use it
 *	without ktap_lock
 * @flags: KTAP_PROBE_F_*
 * @type: enum ktap_type
 * @name: [GROUP:]EVENT
 * @symbol: function, for display; NULL: not given
 * @offset: bytes from @symbol
 * @addr: run-time address; 0: not given
 * @by_name: link in the table of names; transient probes are not in it
 * @portid: port id of the netlink socket that created it
 * @maker: that socket, referenced; NULL: it was closed
 * @owner_pid: process that created it
 * @fresh: it is being created: its name is reserved, but lookups skip it
 * @gone: it is deleted: only attachments refer to it
 * @listed: temporary flag of netlink.c
 * @idling: it is on the idle list, or is being disarmed or removed
 * @in_idle: link in the idle list
 * @armed: its backend has armed it; under @arming
 * @arming: the arming that it belongs to
 * @own_arming: target of @arming if hits may sleep
 * @attachments: attachments that are not settled yet, hidden ones included
 * @waiting: its module is not loaded; changes under @arming as well
 * @where: kernel address of the probe while it is known; under @arming
 * @entry_where: kernel address of the hook at the function's entry, if it has one
 * @shares: cost of its hits at @where and @entry_where
 * @entry_cost: worst cost of the entry program in ns; 0: none
 * @overloaded: the overload guard disarmed it
 * @locked_down: kernel lockdown disarmed it
 * @swept: flag of sweep.c: hits that began before the sweep may still trip the guard
 * @prog: program
 * @room: bytes of scratch reserved for it
 * @site: the part that hits read
 * @counting: attachment of "enable", or NULL
 * @past: counts of attachments that ended
 * @blob: user metadata
 * @blob_size: announced size
 * @blob_have: bytes received
 * @backend: backend that serves it
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

/* enum ktap_hook - hook requested for a probe of KTAP_TYPE_KPROBE or KTAP_TYPE_KRETPROBE */
enum ktap_hook {
	KTAP_HOOK_ANY,
	KTAP_HOOK_KPROBE,
	KTAP_HOOK_FTRACE,
};

/**
 * struct ktap_probe_args - request for a probe, as netlink_new.c decoded it
 * @has: bitmap of the attributes in the request: see ktap_args_has()
 * @backend: backend of @type
 * @name: [GROUP:]EVENT
 * @type: enum ktap_type
 * @flags: KTAP_PROBE_F_*
 * @addr: run-time address
 * @symbol: function or tracepoint, or NULL
 * @offset: bytes from @symbol; user code: offset in the file
 * @insns: program
 * @nr_insns: instructions in @insns
 * @entry_insns: entry program, or NULL
 * @nr_entry_insns: instructions in @entry_insns
 * @frame_regs: registers to store at the entry of the function that contains the place,
 *	or NULL: no hook there
 * @nr_frame_regs: length of @frame_regs
 * @frame_addr: run-time address of that entry
 * @frame_offset: that entry, in the form of @offset
 * @maxactive: number of calls to follow at once; 0: default
 * @hook: requested hook
 * @fd: the sender's descriptor of the file
 * @file: the file, instead of @fd; or NULL
 * @path: name of the file, for display, or NULL
 * @ref_offset: file offset of the USDT semaphore; 0: none
 * @length: watched bytes
 * @access: KTAP_ACCESS_*
 * @syscall: system call number
 * @period: ns between two ticks of a timer
 * @blob_size: bytes of user metadata
 * @portid: port id of the sender's netlink socket
 * @maker: that socket
 * @owner_pid: process of the sender
 * @image: image of the probe module that the probe belongs to, or NULL
 * @place: properties of the place for the verifier; filled by the backend's check
 * @entry_info: verified properties of the entry program; filled by the backend's check
 *
 * Members without an attribute in the request are 0 or NULL. Strings and arrays point
 * into the message and are valid until it has been answered. Attributes that the type
 * requires are present.
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
	struct file *file;
	const char *path;
	u64 ref_offset;
	u32 length;
	u32 access;
	u32 syscall;
	u64 period;
	u32 blob_size;
	u32 portid;
	struct sock *maker;
	pid_t owner_pid;
	const void *image;
	struct ktap_prog_place place;
	struct ktap_prog_info entry_info;
};

/**
 * ktap_args_has() - does the request contain an attribute, even with value 0?
 * @args: request
 * @attr: KTAP_A_*
 *
 * Context: any.
 */
static inline bool ktap_args_has(const struct ktap_probe_args *args, int attr)
{
	return test_bit(attr, args->has);
}

/**
 * struct ktap_probe_details - properties of a probe that only some backends have
 * @in_file: the offset is a file offset: display it without a symbol too
 * @ref_offset: file offset of the USDT semaphore; 0: none
 * @path: name of the file, or NULL
 * @file_state: enum ktap_file_state
 * @maxactive: number of calls that it can follow at once; 0: it follows none
 * @frame_hook: name of the hook at the function's entry, or NULL
 * @length: watched bytes; 0: none
 * @access: KTAP_ACCESS_*
 * @period: ns between two ticks of a timer; 0: none
 * @each_cpu: the timer ticks on each CPU
 */
struct ktap_probe_details {
	bool in_file;
	u64 ref_offset;
	const char *path;
	u32 file_state;
	u32 maxactive;
	const char *frame_hook;
	u32 length;
	u32 access;
	u64 period;
	bool each_cpu;
};

/**
 * struct ktap_backend - a kind of hook
 * @name: name in KTAP_A_HOOK
 * @feature: KTAP_FEATURE_* that it provides
 * @probe_size: size of its probe struct, which begins with struct ktap_probe
 * @sleeps: its hits may sleep, and disarming waits for them: each probe gets an arming of
 *	its own
 * @check: check the request before anything is allocated
 * @add: check and prepare the place; does not arm. On failure it leaves nothing behind
 * @remove: undo @add for several probes; returns when no handler runs any more. May be
 *	NULL if @unload is not
 * @load: for probes on kernel code: the part of @add that needs the code, which may
 *	belong to a module. The request is NULL when the module was loaded again. -ENOENT: the
 *	code is not loaded. On failure it leaves nothing behind
 * @unload: undo @load for several probes, armed or not; returns when no handler runs any
 *	more
 * @arm: arm one probe; NULL, as @disarm, if @arm_many exists
 * @disarm: disarm one probe; handlers may run until a grace period has passed
 * @widen: called for an armed probe when an attachment was added or has more tasks in
 *	scope; NULL if hits do not depend on scope
 * @arm_many: arm several probes at once, all or none; may be NULL
 * @disarm_many: disarm several probes at once
 * @is_quick: do @arm and @disarm of this probe take microseconds? Used without @arm_many;
 *	NULL: no. A request may change KTAP_ARM_MAX probes that are not quick
 * @missed: hits that the kernel skipped; NULL: it cannot report any
 * @describe: fill in the details of a probe; may be NULL
 * @returns: counts that only return probes have; NULL: not a return probe
 *
 * Context of @check: process. Of @missed, @describe, @is_quick and @returns: under
 * ktap_lock, for probes that are not deleted. Of the others: process, under the lock of
 * the probe's arming and without ktap_lock; may sleep.
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

/* Does the probe count towards the KTAP_ARM_MAX that a request may arm or disarm? */
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
