/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_KPROBE_H
#define KTAP_KPROBE_H

#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/minmax.h>

#include "core/probe.h"

struct ktap_shared_kprobe;

/**
 * struct ktap_kprobe - a probe of KTAP_TYPE_KPROBE
 *
 * A kprobe or the ftrace hook serves it. That is decided each time its code is loaded.
 *
 * @p: common part
 * @shared: kprobe: what is at its place, or NULL. It is freed after a grace period
 * @next: kprobe: site of the next probe of @shared, or NULL (RCU)
 * @link: kprobe: the link to its site
 * @missed_at: kprobe: what @shared had missed when it joined
 * @on: kprobe: it is armed; handlers read it
 * @at_ftrace: kprobe: the kernel uses ftrace for it
 * @missed_before: kprobe: missed hits of earlier places
 * @site: ftrace: ip with which the hook is called
 * @in_armed: ftrace: link in the list of armed probes
 * @missed: ftrace: hits skipped because of recursion
 * @regs: registers that the probe reads, as bits of enum ktap_reg_*
 * @want_kprobe: the user requested a kprobe
 * @want_ftrace: the user requested the ftrace hook
 * @held: kprobe: it keeps ftrace enabled
 * @follows: ftrace: not NULL: it serves this kretprobe, and @p has no hits
 * @entry: companion at the function's entry, or NULL. Only the place, the site and the
 *	backend of its @p are used
 */
struct ktap_kprobe {
	struct ktap_probe p;
	struct ktap_shared_kprobe *shared;
	const struct ktap_site *next;
	const struct ktap_site **link;
	unsigned long missed_at;
	bool on;
	bool at_ftrace;
	u64 missed_before;
	unsigned long site;
	struct list_head in_armed;
	atomic64_t missed;
	u64 regs;
	bool want_kprobe;
	bool want_ftrace;
	bool held;
	struct kretprobe *follows;
	struct ktap_kprobe *entry;
};

extern const struct ktap_backend ktap_kprobe_backend;
extern const char ktap_ftrace_is_off[];

int ktap_kprobe_check(const struct ktap_probe_args *args,
		      struct ktap_refused *refused);
int ktap_kprobe_explain(int err, const struct ktap_probe_args *args,
			struct ktap_refused *refused);
int ktap_kprobe_allowed(unsigned long addr, int attr,
			struct ktap_refused *refused);
int ktap_kprobe_no_site(u64 regs, struct ktap_refused *refused);
int ktap_kprobe_move_behind(struct kprobe *kp, u64 regs);
void ktap_kprobe_place(struct kprobe *kp, const struct ktap_probe *p);
void ktap_kprobe_disable(struct kprobe *kp);

/* Kprobes that the kernel unregisters per call. */
#define KTAP_UNREGISTER_MAX 1024

/**
 * ktap_kprobe_unregister() - unregister many kprobes, the newest first
 * @probes: kprobes or kretprobes, in the order of registration
 * @nr: number of probes
 * @some: unregisters some of them, the last one first
 *
 * Within one call the kernel holds kprobe_mutex and does not reschedule, so the calls are
 * limited to KTAP_UNREGISTER_MAX. For each kprobe the kernel searches the list of its
 * address, where the newest is first.
 *
 * Context: process.
 */
static inline void
ktap_kprobe_unregister(struct ktap_probe **probes, int nr,
		       void (*some)(struct ktap_probe **probes, int nr))
{
	int i, n;

	for (i = nr; i; i -= n) {
		n = min(i, KTAP_UNREGISTER_MAX);
		some(probes + i - n, n);
	}
}

#endif /* KTAP_KPROBE_H */
