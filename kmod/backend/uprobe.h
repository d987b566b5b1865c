/* SPDX-License-Identifier: GPL-2.0 */
/* Probes of user code: shared by uprobes and uretprobes. */
#ifndef KTAP_UPROBE_H
#define KTAP_UPROBE_H

#include <linux/path.h>
#include <linux/uprobes.h>

#include "compat.h"
#include "core/probe.h"

#ifndef CONFIG_UPROBES
#define KTAP_LACKS_UPROBES \
	"this kernel has no uprobes: CONFIG_UPROBES (selected by CONFIG_UPROBE_EVENTS)"
#else
#define KTAP_LACKS_UPROBES	NULL

extern const struct ktap_backend ktap_uprobe_backend;
extern const struct ktap_backend ktap_uretprobe_backend;

struct ktap_mms;
struct ktap_uprobe;

/**
 * struct ktap_uprobe_entry - companion of a probe at its function's entry
 * @uc: consumer
 * @handle: handle of the registration
 * @offset: offset in the file
 * @u: probe; the companion is armed with it, for the same processes
 */
struct ktap_uprobe_entry {
	struct uprobe_consumer uc;
	struct ktap_uprobe_handle handle;
	u64 offset;
	struct ktap_uprobe *u;
};

/**
 * struct ktap_uprobe - a probe with its consumer
 * @p: common part
 * @uc: consumer
 * @handle: handle of the registration
 * @path: path of the file; holds the file system
 * @inode: inode of the file; held by @path
 * @size: bytes of the file when the probe was added
 * @mtime_sec: when its contents were changed, then
 * @mtime_nsec: and the fraction of that
 * @ref_offset: file offset of the USDT semaphore, or 0
 * @shown_path: path as the creator wrote it, or NULL
 * @in_file: entry in the table of armed probes
 * @armed: it is registered
 * @draining: handlers may run although it is not registered
 * @outsiders: during registration: address spaces that need no breakpoint
 * @registrar: during registration: the task that registers
 * @entry: companion, or NULL
 */
struct ktap_uprobe {
	struct ktap_probe p;
	struct uprobe_consumer uc;
	struct ktap_uprobe_handle handle;
	struct path path;
	struct inode *inode;
	u64 size;
	s64 mtime_sec;
	u32 mtime_nsec;
	u64 ref_offset;
	char *shown_path;
	struct hlist_node in_file;
	bool armed;
	bool draining;
	const struct ktap_mms *outsiders;
	const struct task_struct *registrar;
	struct ktap_uprobe_entry *entry;
};

static inline struct ktap_uprobe *ktap_uprobe_of(const struct ktap_probe *p)
{
	return container_of(p, struct ktap_uprobe, p);
}

/* Common to uprobes and uretprobes. */
int ktap_uprobe_check(struct ktap_probe_args *args,
		      struct ktap_refused *refused);
int ktap_uprobe_add(struct ktap_probe *p, const struct ktap_probe_args *args,
		    struct ktap_refused *refused);
void ktap_uprobe_describe(const struct ktap_probe *p,
			  struct ktap_probe_details *ret);
void ktap_uprobe_drain(struct ktap_probe *p);
int ktap_uprobe_arm(struct ktap_probe *p);
void ktap_uprobe_disarm(struct ktap_probe *p);
void ktap_uprobe_remove(struct ktap_probe **probes, int nr);
int ktap_uprobe_widen(struct ktap_probe *p, const struct ktap_attach *a);

/* The consumer's filter: see uprobe_scope.c. */
struct ktap_mms *ktap_uprobe_outsiders(const struct ktap_probe *p);
void ktap_mms_free(struct ktap_mms *mms);
bool ktap_mms_has(const struct ktap_mms *mms, const struct mm_struct *mm);
bool ktap_uprobe_wants(const struct ktap_probe *p, struct mm_struct *mm);
bool ktap_uprobe_everywhere(const struct ktap_probe *p,
			    const struct ktap_attach *but);

#endif /* CONFIG_UPROBES */
#endif /* KTAP_UPROBE_H */
