// SPDX-License-Identifier: GPL-2.0
/*
 * ktap_torture: functions that are called in every context there is, and
 * counted where they run, so that a probe's hits can be compared with what
 * nobody of ktap's counted.
 *
 * While the parameter 'fire' is 1, timers call torture_hardirq() and
 * torture_softirq() on every CPU, and send NMIs, which call torture_nmi().
 * Tasks call the others: 'echo N >task', 'echo MS >sleep'. When 0 has been
 * written to 'fire' none of them runs, or will. 'counts' has all calls since
 * the module was loaded, as lines 'NAME CALLS'.
 */
#include <asm/apic.h>
#include <asm/nmi.h>
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>

#include "compat.h"

/* Newer kernels append to the name of one that is declared without an event. */
#ifdef DECLARE_TRACE_EVENT
#define DECLARE_EVENT	DECLARE_TRACE_EVENT
#else
#define DECLARE_EVENT	DECLARE_TRACE
#endif

/* A real call with all of its arguments, whatever the compiler knows. */
#define TARGET noinline __attribute__((noipa))

#define HARD_PERIOD    (8 * NSEC_PER_MSEC)
#define SOFT_PERIOD    (15 * NSEC_PER_MSEC)
#define TICKS_PER_NMI  5
#define TASK_CALLS_MAX 100000
#define SLEEP_MS_MAX   1000
#define DEPTH_MAX      6

/* ---- what is probed, and counts itself -------------------------------------- */

#define COUNTERS(X) \
	X(task) X(deep) X(sleep) X(event) X(softirq) X(hardirq) X(nmi)

#define COUNTER(name) NR_##name,
enum counter { COUNTERS(COUNTER) NR_COUNTERS };

#undef COUNTER

#define COUNTER(name) #name,
static const char *const names[] = { COUNTERS(COUNTER) };
#undef COUNTER

static atomic64_t calls[NR_COUNTERS];

/*
 * For watchpoints: written once in each call of torture_task(). The second is
 * for those that come and go: of two on one word QEMU's processor tells one.
 */
long torture_word, torture_other;

long torture_task(long i, const char *text);
long torture_deep(long n);
long torture_sleep(long ms);
long torture_softirq(long cpu, const char *text);
long torture_hardirq(long cpu, const char *text);
long torture_nmi(long cpu, const char *text);

TARGET long torture_task(long i, const char *text)
{
	atomic64_inc(&calls[NR_task]);
	WRITE_ONCE(torture_word, i);
	WRITE_ONCE(torture_other, i);
	return i;
}

/* torture_deep_inside is passed once in each call. */
TARGET long torture_deep(long n)
{
	long below = n > 1 ? torture_deep(n - 1) : 0;

	atomic64_inc(&calls[NR_deep]);
	asm volatile(".globl torture_deep_inside\n"
		     "torture_deep_inside:\n"
		     "	nopl 0(%%rax)"
		     : "+r"(below));
	return below + 1;
}

TARGET long torture_sleep(long ms)
{
	atomic64_inc(&calls[NR_sleep]);
	msleep(ms);
	return ms;
}

TARGET long torture_softirq(long cpu, const char *text)
{
	return atomic64_inc_return(&calls[NR_softirq]);
}

TARGET long torture_hardirq(long cpu, const char *text)
{
	return atomic64_inc_return(&calls[NR_hardirq]);
}

TARGET long torture_nmi(long cpu, const char *text)
{
	return atomic64_inc_return(&calls[NR_nmi]);
}

DECLARE_EVENT(ktap_torture_event, TP_PROTO(long i, const char *text),
	      TP_ARGS(i, text));
DEFINE_TRACE(ktap_torture_event, TP_PROTO(long i, const char *text),
	     TP_ARGS(i, text));

/* ---- interrupts ------------------------------------------------------------- */

static DEFINE_PER_CPU(struct hrtimer, hard_timer);
static DEFINE_PER_CPU(struct hrtimer, soft_timer);
static DEFINE_PER_CPU(unsigned int, ticks);
/* Whether the next NMI is ours. */
static DEFINE_PER_CPU(unsigned int, nmi_pending);

/* To the CPU after this one, which another timer may be interrupting. */
static void send_nmi(unsigned int cpu)
{
	unsigned int next = cpumask_next(cpu, cpu_online_mask);

	if (next >= nr_cpu_ids)
		next = cpumask_first(cpu_online_mask);
	if (next == cpu || xchg(per_cpu_ptr(&nmi_pending, next), 1))
		return;
	apic->send_IPI(next, NMI_VECTOR);
}

static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	if (!this_cpu_xchg(nmi_pending, 0))
		return NMI_DONE;
	torture_nmi(smp_processor_id(), "in an nmi");
	return NMI_HANDLED;
}

static enum hrtimer_restart on_hard(struct hrtimer *timer)
{
	torture_hardirq(smp_processor_id(), "in a hardirq");
	if (!(this_cpu_inc_return(ticks) % TICKS_PER_NMI))
		send_nmi(smp_processor_id());
	hrtimer_forward_now(timer, ns_to_ktime(HARD_PERIOD));
	return HRTIMER_RESTART;
}

static enum hrtimer_restart on_soft(struct hrtimer *timer)
{
	torture_softirq(smp_processor_id(), "in a softirq");
	hrtimer_forward_now(timer, ns_to_ktime(SOFT_PERIOD));
	return HRTIMER_RESTART;
}

static void start_timers(void *unused)
{
	hrtimer_start(this_cpu_ptr(&hard_timer), ns_to_ktime(HARD_PERIOD),
		      HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(this_cpu_ptr(&soft_timer), ns_to_ktime(SOFT_PERIOD),
		      HRTIMER_MODE_REL_PINNED_SOFT);
}

/* Timers of a CPU that has gone run on another one, or not. */
static void stop_timers(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		hrtimer_cancel(per_cpu_ptr(&hard_timer, cpu));
		hrtimer_cancel(per_cpu_ptr(&soft_timer, cpu));
	}
}

/* No NMI is on its way any more; one to a CPU that has gone is none. */
static void drain_nmis(void)
{
	int cpu, tries;

	for_each_online_cpu(cpu)
		for (tries = 0; tries < 1000; tries++) {
			if (!READ_ONCE(*per_cpu_ptr(&nmi_pending, cpu)))
				break;
			usleep_range(100, 1000);
		}
	for_each_possible_cpu(cpu)
		WRITE_ONCE(*per_cpu_ptr(&nmi_pending, cpu), 0);
	synchronize_rcu();
}

/* ---- parameters --------------------------------------------------------------- */

/* Held for reading by who calls. */
static DECLARE_RWSEM(gate);
static bool firing;

static int fire_set(const char *text, const struct kernel_param *kp)
{
	bool on;
	int err = kstrtobool(text, &on);

	if (err)
		return err;
	down_write(&gate);
	if (on != firing) {
		firing = on;
		if (on) {
			on_each_cpu(start_timers, NULL, 1);
		} else {
			stop_timers();
			drain_nmis();
		}
	}
	up_write(&gate);
	return 0;
}

static const struct kernel_param_ops fire_ops = {
	.set = fire_set,
	.get = param_get_bool,
};

module_param_cb(fire, &fire_ops, &firing, 0600);
MODULE_PARM_DESC(fire, "0 or 1: whether anything is called");

static void call_all(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		torture_task(i, "in a task");
		torture_deep(i % DEPTH_MAX + 1);
		atomic64_inc(&calls[NR_event]);
		trace_ktap_torture_event(i, "an event");
		cond_resched();
	}
}

/* call_gated() - a number of the writer's to @call, while the gate is open */
static int call_gated(const char *text, unsigned int max,
		      void (*call)(unsigned int nr))
{
	unsigned int nr;
	int err = kstrtouint(text, 10, &nr);

	if (err)
		return err;
	down_read(&gate);
	if (firing)
		call(min(nr, max));
	else
		err = -EAGAIN;
	up_read(&gate);
	return err;
}

static int task_set(const char *text, const struct kernel_param *kp)
{
	return call_gated(text, TASK_CALLS_MAX, call_all);
}

static const struct kernel_param_ops task_ops = {
	.set = task_set,
};

module_param_cb(task, &task_ops, NULL, 0200);
MODULE_PARM_DESC(task, "N: call torture_task() and its like so often");

static void call_sleep(unsigned int ms)
{
	torture_sleep(ms);
}

static int sleep_set(const char *text, const struct kernel_param *kp)
{
	return call_gated(text, SLEEP_MS_MAX, call_sleep);
}

static const struct kernel_param_ops sleep_ops = {
	.set = sleep_set,
};

module_param_cb(sleep, &sleep_ops, NULL, 0200);
MODULE_PARM_DESC(sleep, "MS: call torture_sleep()");

static int counts_get(char *page, const struct kernel_param *kp)
{
	int i, len = 0;

	for (i = 0; i < NR_COUNTERS; i++)
		len += scnprintf(page + len, PAGE_SIZE - len, "%s %lld\n",
				 names[i], (s64)atomic64_read(&calls[i]));
	return len;
}

static const struct kernel_param_ops counts_ops = {
	.get = counts_get,
};

module_param_cb(counts, &counts_ops, NULL, 0400);
MODULE_PARM_DESC(counts, "lines 'NAME CALLS'");

/* The address of a word, for who may read the parameter. */
static int at_get(char *page, const struct kernel_param *kp)
{
	return scnprintf(page, PAGE_SIZE, "0x%lx\n", (unsigned long)kp->arg);
}

static const struct kernel_param_ops at_ops = {
	.get = at_get,
};

module_param_cb(word_at, &at_ops, &torture_word, 0400);
MODULE_PARM_DESC(word_at, "address of torture_word");
module_param_cb(other_at, &at_ops, &torture_other, 0400);
MODULE_PARM_DESC(other_at, "address of torture_other");

/* ---- the module ----------------------------------------------------------------- */

static int __init ktap_torture_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		ktap_hrtimer_setup(per_cpu_ptr(&hard_timer, cpu), on_hard,
				   HRTIMER_MODE_REL_PINNED_HARD);
		ktap_hrtimer_setup(per_cpu_ptr(&soft_timer, cpu), on_soft,
				   HRTIMER_MODE_REL_PINNED_SOFT);
	}
	return register_nmi_handler(NMI_LOCAL, on_nmi, 0, "ktap_torture");
}

static void __exit ktap_torture_exit(void)
{
	stop_timers();
	drain_nmis();
	unregister_nmi_handler(NMI_LOCAL, "ktap_torture");
}

module_init(ktap_torture_init);
module_exit(ktap_torture_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("functions that count their calls in every context");
