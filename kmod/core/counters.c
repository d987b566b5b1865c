// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of perf's events. A counter exists while a program that reads it does: for each
 * CPU that is online an event of perf, which is bound to that CPU and pinned, so that it
 * counts all the time or not at all.
 *
 * perf_event_read_local() is not exported. A hit does the same: with interrupts off it looks
 * whether the event is on its CPU, has the hardware asked if it is an event of hardware or a
 * clock, and reads the count. perf adds to the counts of other software events itself
 * (perf_swevent_event()), and to all counts by an atomic operation of the CPU.
 *
 * An update exchanges the last raw value and then adds the difference to the count. So a hit
 * that interrupts an update would read too little: it reads nothing. It also reads nothing while
 * perf programs the hardware, with interrupts off: then the event is off its CPU, or stopped and
 * not up to date.
 *
 * Creating an event of perf may take the CPU hotplug lock. So no hotplug callback creates
 * one: it queues the work.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "core/budget.h"
#include "core/counters.h"
#include "hit/counter.h"

#ifdef CONFIG_PERF_EVENTS

/**
 * struct cell - counter of a CPU
 * @event: event of perf, or NULL
 * @base: what events before it have counted
 * @asking: a hit asks the hardware
 */
struct cell {
	struct perf_event *event;
	u64 base;
	bool asking;
};

/**
 * struct ktap_counter - counter of an event
 * @node: link in the list of counters
 * @event: as in KTAP_OP_COUNTER
 * @cells: for each CPU
 * @users: programs that read it
 */
struct ktap_counter {
	struct list_head node;
	u64 event;
	struct cell __percpu *cells;
	u32 users;
};

/* Outside of perf's locks and the CPU hotplug lock. */
static DEFINE_MUTEX(counters_lock);
static LIST_HEAD(counters);
static int hotplug_state;

/* ---- hits -------------------------------------------------------------------- */

static bool is_hardware(const struct ktap_counter *c)
{
	return KTAP_COUNTER_TYPE(c->event) == PERF_TYPE_HARDWARE;
}
NOKPROBE_SYMBOL(is_hardware);

/* Brings the count of an event up to date. Return: false: it is not certain now. */
static bool ask(const struct ktap_counter *c, struct perf_event *event)
{
	int state = is_hardware(c) ? READ_ONCE(event->hw.state) : 0;

	if (!(state & PERF_HES_STOPPED)) {
		event->pmu->read(event);
		return true;
	}
	return state & PERF_HES_UPTODATE;
}
NOKPROBE_SYMBOL(ask);

static bool read_cell(const struct ktap_counter *c, struct cell *cell,
		      unsigned int cpu, u64 *ret)
{
	/* R: the event before what earlier ones have counted; pairs with renew() */
	struct perf_event *event = smp_load_acquire(&cell->event);
	bool known = true;

	if (!event || READ_ONCE(event->oncpu) != cpu)
		return false;
	if (ktap_counter_is_asked(c->event)) {
		if (READ_ONCE(cell->asking))
			return false;
		WRITE_ONCE(cell->asking, true);
		barrier(); /* only this CPU looks at the mark */
		known = ask(c, event);
		barrier();
		WRITE_ONCE(cell->asking, false);
	}
	*ret = cell->base + local64_read(&event->count);
	return known;
}
NOKPROBE_SYMBOL(read_cell);

/**
 * ktap_counter_read() - read the counter of a CPU
 * @c: counter
 * @cpu: CPU of the hit
 * @ret: count
 *
 * Context: any, NMI included.
 * Return: false: the CPU has no counter, it cannot be read now, or a hit that has waited is
 * on another CPU now.
 */
bool ktap_counter_read(const struct ktap_counter *c, unsigned int cpu, u64 *ret)
{
	unsigned long flags;
	bool known = false;

	raw_local_irq_save(flags);
	if (cpu == raw_smp_processor_id())
		known = read_cell(c, this_cpu_ptr(c->cells), cpu, ret);
	raw_local_irq_restore(flags);
	return known;
}
NOKPROBE_SYMBOL(ktap_counter_read);

/* ---- events of perf ------------------------------------------------------------ */

/*
 * On a CPU both clocks of perf are its time. The one of tasks is computed from two members of
 * the context, which an NMI may find when one of them is new.
 */
static u64 config_of(u64 event)
{
	return event == KTAP_COUNTER(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK) ?
		       PERF_COUNT_SW_CPU_CLOCK : KTAP_COUNTER_CONFIG(event);
}

/* Return: the event; ERR_PTR: -EBUSY if others use the hardware, -ENODEV: offline, ... */
static struct perf_event *event_create(u64 event, unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = KTAP_COUNTER_TYPE(event), .config = config_of(event),
		.size = sizeof(attr), .pinned = 1,
	};
	struct perf_event *e;

	e = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
	if (IS_ERR(e) || READ_ONCE(e->state) != PERF_EVENT_STATE_ERROR)
		return e;
	perf_event_release_kernel(e);
	return ERR_PTR(-EBUSY);
}

/* perf detaches an event from a CPU that goes offline, and never attaches it again. */
static bool is_dead(const struct perf_event *e)
{
	return !e || !(READ_ONCE(e->attach_state) & PERF_ATTACH_CONTEXT) ||
	       READ_ONCE(e->state) == PERF_EVENT_STATE_ERROR;
}

static void nothing(void *unused)
{
}

/* Gives a CPU another event than the dead one. Return: 0 or the error of perf. */
static int renew(struct ktap_counter *c, unsigned int cpu)
{
	struct cell *cell = per_cpu_ptr(c->cells, cpu);
	struct perf_event *old = cell->event, *e = event_create(c->event, cpu);

	lockdep_assert_held(&counters_lock);
	if (IS_ERR(e))
		return PTR_ERR(e);
	/* no hit reads the base for a dead event */
	if (old)
		cell->base += local64_read(&old->count);
	/* R: the base before the event; pairs with read_cell() */
	smp_store_release(&cell->event, e);
	if (!old)
		return 0;
	/* hits of that CPU that have seen the old event end before an interrupt */
	smp_call_function_single(cpu, nothing, NULL, 1);
	perf_event_release_kernel(old);
	return 0;
}

/* Where perf refuses again, values stay faults. */
static void renew_dead(struct ktap_counter *c)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (is_dead(per_cpu_ptr(c->cells, cpu)->event))
			renew(c, cpu);
}

static void fill(struct work_struct *unused)
{
	struct ktap_counter *c;

	mutex_lock(&counters_lock);
	list_for_each_entry(c, &counters, node)
		renew_dead(c);
	mutex_unlock(&counters_lock);
}

static DECLARE_WORK(filling, fill);

static int cpu_comes(unsigned int cpu)
{
	schedule_work(&filling);
	return 0;
}

/**
 * ktap_counters_init() - register the CPU hotplug callback
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int ktap_counters_init(void)
{
	/* after perf's own callback, which takes events */
	int state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ktap:counter",
					      cpu_comes, NULL);

	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

/**
 * ktap_counters_exit() - unregister the CPU hotplug callback
 *
 * Context: module exit; no program is left.
 */
void ktap_counters_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
	cancel_work_sync(&filling);
}

/* ---- counters -------------------------------------------------------------------- */

static u64 events_bytes(void)
{
	return (u64)num_possible_cpus() * sizeof(struct perf_event);
}

/* No hit uses it any more. */
static void counter_free(struct ktap_counter *c)
{
	struct perf_event *e;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		e = per_cpu_ptr(c->cells, cpu)->event;
		if (e)
			perf_event_release_kernel(e);
	}
	ktap_free_percpu(c->cells);
	ktap_mem_free(KTAP_MEM_OTHER, c, sizeof(*c));
	ktap_budget_give(KTAP_MEM_OTHER, events_bytes());
}

/* Return: 0 if some CPU has a counter now, or the first error of perf. */
static int counter_fill(struct ktap_counter *c)
{
	int err, first = -ENODEV;
	bool any = false;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		err = renew(c, cpu);
		any |= !err;
		if (err && first == -ENODEV)
			first = err;
	}
	return any ? 0 : first;
}

static struct ktap_counter *counter_alloc(u64 event)
{
	struct ktap_counter *c;
	int err;

	err = ktap_budget_take(KTAP_MEM_OTHER, events_bytes(), 0, NULL);
	if (err)
		return ERR_PTR(err);
	c = ktap_mem_alloc(KTAP_MEM_OTHER, sizeof(*c));
	if (IS_ERR(c)) {
		ktap_budget_give(KTAP_MEM_OTHER, events_bytes());
		return c;
	}
	c->event = event;
	c->cells = ktap_alloc_percpu(struct cell, NULL);
	if (c->cells)
		return c;
	ktap_mem_free(KTAP_MEM_OTHER, c, sizeof(*c));
	ktap_budget_give(KTAP_MEM_OTHER, events_bytes());
	return ERR_PTR(-ENOMEM);
}

static struct ktap_counter *counter_create(u64 event)
{
	struct ktap_counter *c = counter_alloc(event);
	int err;

	if (IS_ERR(c))
		return c;
	err = counter_fill(c);
	if (err) {
		counter_free(c);
		return ERR_PTR(err);
	}
	list_add(&c->node, &counters);
	return c;
}

static struct ktap_counter *counter_find(u64 event)
{
	struct ktap_counter *c;

	list_for_each_entry(c, &counters, node)
		if (c->event == event)
			return c;
	return NULL;
}

static struct ktap_counter *counter_take(u64 event)
{
	struct ktap_counter *c;

	mutex_lock(&counters_lock);
	c = counter_find(event);
	if (c)
		renew_dead(c); /* hardware that others used may be free now */
	else
		c = counter_create(event);
	if (!IS_ERR(c))
		c->users++;
	mutex_unlock(&counters_lock);
	return c;
}

static void counter_drop(struct ktap_counter *c)
{
	mutex_lock(&counters_lock);
	if (!--c->users) {
		list_del(&c->node);
		counter_free(c);
	}
	mutex_unlock(&counters_lock);
}

static int refuse(u64 event, int err, int attr, struct ktap_refused *refused)
{
	const char *why = "perf refuses a counter for an event of the program";

	if (err == -ENOMEM || err == -ENOSPC || err == -E2BIG)
		return ktap_budget_explain(err, events_bytes(), attr, refused);
	if (err == -ENOENT || err == -EOPNOTSUPP)
		why = "perf has no counter on this machine for an event of the program";
	else if (err == -EBUSY)
		why = "others use the counters of the hardware that an event of the program needs";
	return ktap_refuse_amount(refused, err, attr, event, why);
}

/**
 * ktap_counters_join() - give a program its counters
 * @info: properties of the program; nothing is done if it reads none
 * @attr: attribute with the program
 * @refused: filled when a counter is refused
 *
 * Context: process, without ktap locks or the CPU hotplug lock; may sleep.
 * Return: 0, -ENOMEM, -ENOSPC or the error of perf.
 */
int ktap_counters_join(struct ktap_prog_info *info, int attr,
		       struct ktap_refused *refused)
{
	u32 n;

	for (n = 0; n < info->nr_counters; n++) {
		struct ktap_counter_use *use = &info->counters[n];
		struct ktap_counter *c = counter_take(use->event);

		if (IS_ERR(c))
			return refuse(use->event, PTR_ERR(c), attr, refused);
		use->counter = c;
	}
	return 0;
}

/**
 * ktap_counters_leave() - undo ktap_counters_join(), which may have failed half-way
 * @info: properties of a program that no hit uses
 *
 * Context: process, without the CPU hotplug lock; may sleep.
 */
void ktap_counters_leave(struct ktap_prog_info *info)
{
	u32 n;

	for (n = 0; n < info->nr_counters; n++) {
		if (info->counters[n].counter)
			counter_drop(info->counters[n].counter);
		info->counters[n].counter = NULL;
	}
}

#else /* !CONFIG_PERF_EVENTS */

bool ktap_counter_read(const struct ktap_counter *c, unsigned int cpu, u64 *ret)
{
	return false;
}
NOKPROBE_SYMBOL(ktap_counter_read);

int ktap_counters_join(struct ktap_prog_info *info, int attr,
		       struct ktap_refused *refused)
{
	return !info->nr_counters ? 0 :
	       ktap_refuse_amount(refused, -EOPNOTSUPP, attr, info->counters[0].event,
				  "this kernel counts no events: it was built without CONFIG_PERF_EVENTS");
}

void ktap_counters_leave(struct ktap_prog_info *info)
{
}

#endif
