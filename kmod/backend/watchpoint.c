// SPDX-License-Identifier: GPL-2.0
/*
 * The watchpoint backend: a kernel hardware breakpoint event on each CPU. The events are
 * created disabled with the probe, which reserves a debug register on each CPU. Arming
 * enables them.
 *
 * Lock order: ktap_kernel_arming.lock, the CPU hotplug lock, watches_lock. The hotplug
 * callbacks run with the hotplug lock held for writing and take watches_lock only.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/hw_breakpoint.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>

#include "backend/watchpoint.h"
#include "core/refused.h"
#include "hit/hit.h"

/**
 * struct watch - a probe with its events
 * @p: common part
 * @attr: attributes of the events
 * @events: event of each online CPU
 * @armed: they are enabled
 * @node: link in the list of all
 */
struct watch {
	struct ktap_probe p;
	struct perf_event_attr attr;
	struct perf_event * __percpu *events;
	bool armed;
	struct list_head node;
};

static DEFINE_MUTEX(watches_lock);	/* protects events, armed and the list */
static LIST_HEAD(watches);
static int hotplug_state;

static struct watch *mine(struct ktap_probe *p)
{
	return container_of(p, struct watch, p);
}

/*
 * A hit that accesses the memory that its own probe watches comes here again; ktap_hit()
 * recognises that by the trap. (x86 also disables breakpoints while it handles one.)
 */
static void on_access(struct perf_event *event, struct perf_sample_data *data,
		      struct pt_regs *regs)
{
	const struct watch *w = event->overflow_handler_context;

	ktap_hit(&w->p.site, regs);
}
NOKPROBE_SYMBOL(on_access);

/* ---- events: all under watches_lock ------------------------------------------ */

static int event_create(struct watch *w, unsigned int cpu)
{
	struct perf_event_attr attr = w->attr;
	struct perf_event *event;

	attr.disabled = !w->armed;
	event = perf_event_create_kernel_counter(&attr, cpu, NULL, on_access, w);
	if (IS_ERR(event))
		return PTR_ERR(event);
	*per_cpu_ptr(w->events, cpu) = event;
	return 0;
}

static void event_release(struct watch *w, unsigned int cpu)
{
	struct perf_event **event = per_cpu_ptr(w->events, cpu);

	if (*event)
		perf_event_release_kernel(*event);
	*event = NULL;
}

static void release_all(struct watch *w)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		event_release(w, cpu);
}

static int create_all(struct watch *w)
{
	unsigned int cpu;
	int err;

	for_each_online_cpu(cpu) {
		err = event_create(w, cpu);
		if (err) {
			release_all(w);
			return err;
		}
	}
	list_add_tail(&w->node, &watches);
	return 0;
}

static int cpu_comes(unsigned int cpu)
{
	struct watch *w;
	int err;

	mutex_lock(&watches_lock);
	list_for_each_entry(w, &watches, node) {
		err = event_create(w, cpu);
		if (err)
			pr_warn("ktap: CPU %u has no hardware breakpoint for %s: error %d\n",
				cpu, w->p.name, err);
	}
	mutex_unlock(&watches_lock);
	return 0;
}

static int cpu_goes(unsigned int cpu)
{
	struct watch *w;

	mutex_lock(&watches_lock);
	list_for_each_entry(w, &watches, node)
		event_release(w, cpu);
	mutex_unlock(&watches_lock);
	return 0;
}

/* ---- the backend --------------------------------------------------------------- */

static int check_range(const struct ktap_probe_args *args,
		       struct ktap_refused *refused)
{
	if (args->length > 8 || !is_power_of_2(args->length))
		return ktap_refuse(refused, -EINVAL, KTAP_A_LENGTH,
				   "1, 2, 4 or 8 bytes can be watched");
	if (args->addr < TASK_SIZE_MAX)
		return ktap_refuse(refused, -EINVAL, KTAP_A_ADDR,
				   "only memory of the kernel can be watched");
	if (args->addr % args->length)
		return ktap_refuse(refused, -EINVAL, KTAP_A_ADDR,
				   "the address is not a multiple of the length");
	return 0;
}

static int check_access(const struct ktap_probe_args *args,
			struct ktap_refused *refused)
{
	switch (args->access) {
	case KTAP_ACCESS_WRITE:
	case KTAP_ACCESS_READ | KTAP_ACCESS_WRITE:
		return 0;
	case KTAP_ACCESS_EXEC:
		if (args->length == 1)
			return 0;
		return ktap_refuse(refused, -EINVAL, KTAP_A_LENGTH,
				   "the length must be 1 to watch execution");
	case KTAP_ACCESS_READ:
		return ktap_refuse(refused, -EINVAL, KTAP_A_ACCESS,
				   "this machine cannot watch reads without writes");
	default:
		return ktap_refuse(refused, -EINVAL, KTAP_A_ACCESS,
				   "the access must be w, rw or x");
	}
}

static int watch_check(struct ktap_probe_args *args,
		       struct ktap_refused *refused)
{
	return check_range(args, refused) ?: check_access(args, refused);
}

/* The values of KTAP_ACCESS_* equal those of HW_BREAKPOINT_*. */
static void watch_attr(struct perf_event_attr *attr,
		       const struct ktap_probe_args *args)
{
	BUILD_BUG_ON(KTAP_ACCESS_READ != HW_BREAKPOINT_R ||
		     KTAP_ACCESS_WRITE != HW_BREAKPOINT_W ||
		     KTAP_ACCESS_EXEC != HW_BREAKPOINT_X);
	hw_breakpoint_init(attr);
	attr->bp_addr = args->addr;
	attr->bp_type = args->access;
	attr->bp_len = args->length;
	if (attr->bp_type == HW_BREAKPOINT_X)
		attr->bp_len = sizeof(long); /* perf requires this value */
}

static const char *explanation(int err)
{
	switch (err) {
	case -ENOSPC:
		return "all hardware breakpoints are in use";
	case -EPERM:
		return "the kernel requires CAP_SYS_ADMIN for a hardware breakpoint on its memory";
	default:
		return "the kernel forbids a hardware breakpoint here: entry code, or blacklisted";
	}
}

static int watch_add(struct ktap_probe *p, const struct ktap_probe_args *args,
		     struct ktap_refused *refused)
{
	struct watch *w = mine(p);
	int err;

	p->site.traps = true;
	watch_attr(&w->attr, args);
	w->events = alloc_percpu_gfp(struct perf_event *, GFP_KERNEL_ACCOUNT);
	if (!w->events)
		return -ENOMEM;
	cpus_read_lock();
	mutex_lock(&watches_lock);
	err = create_all(w);
	mutex_unlock(&watches_lock);
	cpus_read_unlock();
	if (!err)
		return 0;
	free_percpu(w->events);
	if (err == -ENOMEM)
		return err;
	return ktap_refuse(refused, err, KTAP_A_ADDR, explanation(err));
}

/* Handlers on other CPUs have returned before an event is released. */
static void watch_remove(struct ktap_probe **probes, int nr)
{
	int i;

	for (i = 0; i < nr; i++) {
		struct watch *w = mine(probes[i]);

		mutex_lock(&watches_lock);
		list_del(&w->node);
		release_all(w);
		mutex_unlock(&watches_lock);
		free_percpu(w->events);
	}
	synchronize_rcu();
}

static void switch_all(struct watch *w, bool on)
{
	unsigned int cpu;

	mutex_lock(&watches_lock);
	w->armed = on;
	for_each_possible_cpu(cpu) {
		struct perf_event *event = *per_cpu_ptr(w->events, cpu);

		if (event && on)
			perf_event_enable(event);
		else if (event)
			perf_event_disable(event);
	}
	mutex_unlock(&watches_lock);
}

static int watch_arm(struct ktap_probe *p)
{
	switch_all(mine(p), true);
	return 0;
}

static void watch_disarm(struct ktap_probe *p)
{
	switch_all(mine(p), false);
}

static void watch_describe(const struct ktap_probe *p,
			   struct ktap_probe_details *ret)
{
	const struct watch *w = container_of(p, struct watch, p);
	bool exec = w->attr.bp_type == HW_BREAKPOINT_X;

	ret->length = exec ? 1 : w->attr.bp_len;
	ret->access = w->attr.bp_type;
}

const struct ktap_backend ktap_watchpoint_backend = {
	.name = "watchpoint",
	.feature = KTAP_FEATURE_WATCHPOINT,
	.probe_size = sizeof(struct watch),
	.check = watch_check,
	.add = watch_add,
	.remove = watch_remove,
	.arm = watch_arm,
	.disarm = watch_disarm,
	.describe = watch_describe,
};

/**
 * ktap_watchpoint_init() - register the CPU hotplug callbacks
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int ktap_watchpoint_init(void)
{
	int state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ktap:watch",
					      cpu_comes, cpu_goes);

	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

/**
 * ktap_watchpoint_exit() - unregister the CPU hotplug callbacks
 *
 * Context: module exit; no probe is left.
 */
void ktap_watchpoint_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
}
