/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_KPROBE_H
#define KTAP_KPROBE_H

#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/minmax.h>

#include "core/probe.h"

/**
 * struct ktap_kprobe - a probe of KTAP_TYPE_KPROBE: a kprobe or the ftrace hook
 * serves it, which is decided each time its code is there anew
 * @p: what every backend has
 * @kp: kprobe
 * @missed_before: kprobe: missed in earlier registrations
 * @site: ftrace: what the hook is called with
 * @in_armed: ftrace: link in the list of those that are armed
 * @missed: ftrace: hits that recursion would have been
 * @regs: registers that the hook has to know, as bits of enum ktap_reg_*
 * @want_kprobe: the user wants no other
 * @want_ftrace: likewise
 * @held: kprobe: it keeps ftrace from being turned off
 * @entry: the companion at the entry of the function, or NULL. Of its @p only
 *	the place, the site and the backend are used
 */
struct ktap_kprobe {
	struct ktap_probe p;
	struct kprobe kp;
	u64 missed_before;
	unsigned long site;
	struct list_head in_armed;
	atomic64_t missed;
	u64 regs;
	bool want_kprobe;
	bool want_ftrace;
	bool held;
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
int ktap_kprobe_move_behind(struct kprobe *kp, u64 regs);
void ktap_kprobe_place(struct kprobe *kp, const struct ktap_probe *p);

/* How many kprobes the kernel is asked to unregister at once. */
#define KTAP_UNREGISTER_MAX 1024

/**
 * ktap_kprobe_unregister() - take many places from the kernel, the newest first
 * @probes: kprobes or kretprobes, in the order in which they were registered
 * @nr: how many
 * @some: unregisters a few of them, the last one first
 *
 * The kernel holds kprobe_mutex for all that it is asked to unregister at once,
 * does not look whether something else wants the CPU, and searches the list of
 * those at its address for each: new ones are in front.
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
