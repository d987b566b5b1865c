// SPDX-License-Identifier: GPL-2.0
/*
 * The timer backend: an hrtimer on each CPU that is online, or on one of them. A tick is
 * a hit with the registers that the interrupt saved.
 *
 * The timers are pinned and expire in hard interrupts, on PREEMPT_RT too. There the
 * registers of what was interrupted are known, and the interrupted task is the current
 * one.
 *
 * Lock order: ktap_kernel_arming.lock, the CPU hotplug lock, timers_lock. The hotplug
 * callbacks run with the hotplug lock held for writing and take timers_lock only.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include <asm/irq_regs.h>

#include "backend/timer.h"
#include "compat.h"
#include "core/budget.h"
#include "core/refused.h"
#include "hit/hit.h"

#define MODE	HRTIMER_MODE_ABS_PINNED_HARD

/**
 * struct ticker - the timer of one CPU
 * @timer: timer
 * @of: probe that it belongs to
 * @missed: ticks that were no hits; written by the CPU
 */
struct ticker {
	struct hrtimer timer;
	const struct timer_probe *of;
	u64 missed;
};

/**
 * struct timer_probe - a probe with its timers
 * @p: common part
 * @period: ns between two ticks
 * @each_cpu: it ticks on each CPU
 * @armed: it ticks
 * @cpu: CPU on which it ticks, if not on each
 * @first: time of the first tick of a timer that is being started
 * @tickers: timer of each possible CPU
 * @node: link in the list of all
 */
struct timer_probe {
	struct ktap_probe p;
	u64 period;
	bool each_cpu;
	bool armed;
	unsigned int cpu;
	ktime_t first;
	struct ticker __percpu *tickers;
	struct list_head node;
};

/* Protects the list, the following sum, and all that arming changes. */
static DEFINE_MUTEX(timers_lock);
static LIST_HEAD(timers);
static u64 ticks_armed;		/* ticks a second of all armed timers */
static int hotplug_state;

static struct timer_probe *mine(struct ktap_probe *p)
{
	return container_of(p, struct timer_probe, p);
}

/*
 * The timer moves on after the hit. So ticks that pass during a hit are missed, and are
 * not made up for.
 */
static enum hrtimer_restart on_tick(struct hrtimer *timer)
{
	struct ticker *k = container_of(timer, struct ticker, timer);
	const struct pt_regs *regs = get_irq_regs();
	u64 ticks;

	/* without registers the kernel runs timers outside of their interrupt */
	if (likely(regs))
		ktap_hit(&k->of->p.site, regs);
	ticks = hrtimer_forward_now(timer, ns_to_ktime(k->of->period));
	if (unlikely(ticks > !!regs))
		WRITE_ONCE(k->missed, k->missed + ticks - !!regs);
	return HRTIMER_RESTART;
}
NOKPROBE_SYMBOL(on_tick);

/* ---- starting and stopping: all under timers_lock ------------------------------ */

static void start_here(void *data)
{
	const struct timer_probe *t = data;

	hrtimer_start(&this_cpu_ptr(t->tickers)->timer, t->first, MODE);
}

/* A pinned timer expires on the CPU that starts it. */
static void start_on(struct timer_probe *t, unsigned int cpu)
{
	smp_call_function_single(cpu, start_here, t, true);
}

static void start(struct timer_probe *t)
{
	unsigned int cpu;

	t->first = ktime_add_ns(ktime_get(), t->period);
	t->cpu = cpumask_first(cpu_online_mask);
	if (!t->each_cpu) {
		start_on(t, t->cpu);
		return;
	}
	for_each_online_cpu(cpu)
		start_on(t, cpu);
}

/* Returns when no handler of it runs any more. */
static void stop(struct timer_probe *t)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		hrtimer_cancel(&per_cpu_ptr(t->tickers, cpu)->timer);
}

static u64 ticks_of(const struct timer_probe *t)
{
	return DIV64_U64_ROUND_UP(NSEC_PER_SEC, t->period);
}

static int cpu_comes(unsigned int cpu)
{
	struct timer_probe *t;

	mutex_lock(&timers_lock);
	list_for_each_entry(t, &timers, node) {
		if (!t->armed || !t->each_cpu)
			continue;
		t->first = ktime_add_ns(ktime_get(), t->period);
		start_on(t, cpu);
	}
	mutex_unlock(&timers_lock);
	return 0;
}

/* A timer on one CPU moves to another CPU and keeps the time of its next tick. */
static int cpu_goes(unsigned int cpu)
{
	struct timer_probe *t;

	mutex_lock(&timers_lock);
	list_for_each_entry(t, &timers, node) {
		struct hrtimer *timer = &per_cpu_ptr(t->tickers, cpu)->timer;

		if (!t->armed)
			continue;
		hrtimer_cancel(timer);
		if (t->each_cpu || t->cpu != cpu)
			continue;
		t->first = hrtimer_get_expires(timer);
		t->cpu = cpumask_any_but(cpu_online_mask, cpu);
		start_on(t, t->cpu);
	}
	mutex_unlock(&timers_lock);
	return 0;
}

/* ---- the backend --------------------------------------------------------------- */

static int timer_check(struct ktap_probe_args *args,
		       struct ktap_refused *refused)
{
	if (args->addr || args->symbol || args->offset)
		return ktap_refuse(refused, -EINVAL,
				   args->addr ? KTAP_A_ADDR :
				   args->symbol ? KTAP_A_SYMBOL : KTAP_A_OFFSET,
				   "a timer has no place in the code");
	if (args->period < KTAP_TIMER_MIN)
		return ktap_refuse(refused, -EINVAL, KTAP_A_PERIOD,
				   "the period of a timer must be 100 us or more");
	if (args->period > KTAP_TIMER_MAX)
		return ktap_refuse(refused, -EINVAL, KTAP_A_PERIOD,
				   "the period of a timer must be a day or less");
	return 0;
}

static int timer_add(struct ktap_probe *p, const struct ktap_probe_args *args,
		     struct ktap_refused *refused)
{
	struct timer_probe *t = mine(p);
	unsigned int cpu;

	t->period = args->period;
	t->each_cpu = ktap_args_has(args, KTAP_A_EACH_CPU);
	t->tickers = ktap_alloc_percpu(struct ticker, refused);
	if (!t->tickers)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct ticker *k = per_cpu_ptr(t->tickers, cpu);

		k->of = t;
		ktap_hrtimer_setup(&k->timer, on_tick, MODE);
	}
	mutex_lock(&timers_lock);
	list_add_tail(&t->node, &timers);
	mutex_unlock(&timers_lock);
	return 0;
}

static int timer_arm(struct ktap_probe *p)
{
	struct timer_probe *t = mine(p);
	int err = 0;

	cpus_read_lock();
	mutex_lock(&timers_lock);
	if (ticks_armed + ticks_of(t) > KTAP_TIMER_TICKS_MAX) {
		err = -EUSERS;
	} else {
		ticks_armed += ticks_of(t);
		t->armed = true;
		start(t);
	}
	mutex_unlock(&timers_lock);
	cpus_read_unlock();
	return err;
}

static void timer_disarm(struct ktap_probe *p)
{
	struct timer_probe *t = mine(p);

	mutex_lock(&timers_lock);
	if (t->armed) {
		t->armed = false;
		ticks_armed -= ticks_of(t);
		stop(t);
	}
	mutex_unlock(&timers_lock);
}

static void timer_remove(struct ktap_probe **probes, int nr)
{
	int i;

	for (i = 0; i < nr; i++) {
		struct timer_probe *t = mine(probes[i]);

		timer_disarm(probes[i]);
		mutex_lock(&timers_lock);
		list_del(&t->node);
		mutex_unlock(&timers_lock);
		ktap_free_percpu(t->tickers);
	}
}

static u64 timer_missed(const struct ktap_probe *p)
{
	const struct timer_probe *t = container_of(p, struct timer_probe, p);
	unsigned int cpu;
	u64 sum = 0;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(t->tickers, cpu)->missed);
	return sum;
}

static void timer_describe(const struct ktap_probe *p,
			   struct ktap_probe_details *ret)
{
	const struct timer_probe *t = container_of(p, struct timer_probe, p);

	ret->period = t->period;
	ret->each_cpu = t->each_cpu;
}

const struct ktap_backend ktap_timer_backend = {
	.name = "timer",
	.feature = KTAP_FEATURE_TIMER,
	.probe_size = sizeof(struct timer_probe),
	.check = timer_check,
	.add = timer_add,
	.remove = timer_remove,
	.arm = timer_arm,
	.disarm = timer_disarm,
	.missed = timer_missed,
	.describe = timer_describe,
};

/**
 * ktap_timer_init() - register the CPU hotplug callbacks
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int ktap_timer_init(void)
{
	int state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ktap:timer",
					      cpu_comes, cpu_goes);

	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

/**
 * ktap_timer_exit() - unregister the CPU hotplug callbacks
 *
 * Context: module exit; no probe is left.
 */
void ktap_timer_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
}
