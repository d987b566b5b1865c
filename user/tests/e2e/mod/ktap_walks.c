// SPDX-License-Identifier: GPL-2.0
/*
 * ktap_walks: walks stacks by ktap's own walk and by the kernel's unwinder alone, and
 * compares them. The parameter 'symbols' names functions with a kprobe and a kretprobe, whose
 * handlers walk. 'echo MS >ticks' walks from timers on each CPU, in what they interrupted.
 * 'result' has the number of walks, of stacks that differ, and of stacks that ktap's walk
 * completed, and of those that a trail led to; and the first two stacks that differ.
 *
 * It has its own copy of the walk, so ktap need not be loaded.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/string.h>

#include <asm/irq_regs.h>

#include "arch/orc_find_x86_64.c"
#include "arch/orc_x86_64.c"
#include "arch/unwind_x86_64.c"
#include "frame/returns.c"

#define FRAMES		64
#define WORDS		(sizeof(struct ktap_stack) / sizeof(u64) + FRAMES)
#define SYMBOLS_MAX	16
#define MS_MAX		60000
#define TICK_US		100	/* and up to as many more */

static char *symbols[SYMBOLS_MAX];
static unsigned int nr_symbols;
module_param_array(symbols, charp, &nr_symbols, 0400);
MODULE_PARM_DESC(symbols, "functions with probes");
static bool returns = true;
module_param(returns, bool, 0400);
MODULE_PARM_DESC(returns, "their returns are probed, too: no trail leads there");

static struct kprobe kprobes[SYMBOLS_MAX];
static struct kretprobe kretprobes[SYMBOLS_MAX];
static DEFINE_PER_CPU(struct hrtimer, timers);
static bool is_ticking;

static volatile long sink;
static atomic_t walks, differ, own, led;
static u64 first[2][WORDS];

static struct ktap_stack *clear(u64 *words)
{
	memset(words, 0, WORDS * sizeof(*words));
	return (struct ktap_stack *)words;
}

NOKPROBE_SYMBOL(clear);

/* Whether ktap's walk needs no help for the stack. */
static bool is_own(const struct pt_regs *regs, unsigned long ip, u64 *words)
{
	struct ktap_orc_at at = ktap_orc_begin(ip, regs->sp, regs->bp);

	return walk_own(&at, clear(words), FRAMES, NULL);
}

NOKPROBE_SYMBOL(is_own);

/* The kernel's unwinder alone, as it is used where there are no tables. */
static void by_kernel(struct pt_regs *regs, unsigned long ip, u64 *words)
{
	struct ktap_stack *s = clear(words);

	swap(regs->ip, ip);
	ktap_stack_add(s, FRAMES, regs->ip);
	walk_from(regs, s, FRAMES);
	swap(regs->ip, ip);
}

NOKPROBE_SYMBOL(by_kernel);

static void same(const u64 *a, const u64 *b)
{
	if (!memcmp(a, b, WORDS * sizeof(*a)) || atomic_fetch_inc(&differ))
		return;
	memcpy(first[0], a, WORDS * sizeof(*a));
	memcpy(first[1], b, WORDS * sizeof(*b));
}

NOKPROBE_SYMBOL(same);

/* ---- trails ------------------------------------------------------------------- */

static struct ktap_trails __percpu *trails;

/* The stacks that trails lead to: a trail's id is the address of its stack. */
struct stacks {
	u64 words[KTAP_TRAIL_WAYS][WORDS];
};

static struct stacks __percpu *stacks;
static DEFINE_PER_CPU(bool, is_inside);

static void note(struct ktap_trail_use *use, struct pt_regs *regs, const struct ktap_spot *spot)
{
	struct ktap_trail *t = ktap_trail_begin(use, regs);
	u64 *words;

	if (!t)
		return;
	words = this_cpu_ptr(stacks)->words[t - this_cpu_ptr(trails)->way];
	ktap_arch_unwind_noting(regs, spot, clear(words), FRAMES, t);
	use->id = (unsigned long)words;
	ktap_trail_end(use);
}

NOKPROBE_SYMBOL(note);

/* The kernel's unwinder finds the stack that a trail leads to. As ktap, none inside a hit. */
static void follow(u32 id, struct pt_regs *regs, unsigned long ip)
{
	const struct ktap_spot spot = { .ip = ip, .nr = id, .is_entry = true };
	struct ktap_trail_use use = { .trails = trails, .spot = &spot };
	u64 found, b[WORDS];

	preempt_disable();
	if (!this_cpu_read(is_inside)) {
		this_cpu_write(is_inside, true);
		barrier();
		found = ktap_trail_find(&use, regs);
		if (found) {
			by_kernel(regs, ip, b);
			same((const u64 *)(unsigned long)found, b);
			atomic_inc(&led);
		} else {
			note(&use, regs, &spot);
		}
		barrier();
		this_cpu_write(is_inside, false);
	}
	preempt_enable();
}

NOKPROBE_SYMBOL(follow);

/* ---- walks -------------------------------------------------------------------- */

/* Both walk the same stack: whoever it belongs to is stopped here. */
static void compare(struct pt_regs *regs, unsigned long ip)
{
	const struct ktap_orc *tables = ktap_orc();
	const struct ktap_spot spot = { .ip = ip };
	u64 a[WORDS], b[WORDS];

	if (user_mode(regs))
		return;
	preempt_disable();
	ktap_arch_unwind(regs, &spot, clear(a), FRAMES);
	by_kernel(regs, ip, b);
	same(a, b);
	atomic_inc(&walks);
	if (tables && is_own(regs, ip, a))
		atomic_inc(&own);
	preempt_enable();
}

NOKPROBE_SYMBOL(compare);

static int at_entry(struct kprobe *kp, struct pt_regs *regs)
{
	compare(regs, (unsigned long)kp->addr);
	follow(kp - kprobes + 1, regs, (unsigned long)kp->addr);
	return 0;
}

NOKPROBE_SYMBOL(at_entry);

static int at_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	ktap_kretprobe_settle(ri, regs);
	compare(regs, regs->ip);
	return 0;
}

NOKPROBE_SYMBOL(at_return);

/* ---- timers ------------------------------------------------------------------- */

static enum hrtimer_restart on_tick(struct hrtimer *t)
{
	struct pt_regs *regs = get_irq_regs();
	u64 ns = (TICK_US + (ktime_get_ns() >> 4) % TICK_US) * NSEC_PER_USEC;

	if (regs)
		compare(regs, regs->ip);
	if (!READ_ONCE(is_ticking))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(t, ns_to_ktime(ns));
	return HRTIMER_RESTART;
}

static void start_timer(void *unused)
{
	hrtimer_start(this_cpu_ptr(&timers), ns_to_ktime(NSEC_PER_MSEC),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static int set_ticks(const char *val, const struct kernel_param *kp)
{
	long ms;
	int cpu, err = kstrtol(val, 0, &ms);

	if (err || ms < 1 || ms > MS_MAX)
		return err ?: -EINVAL;
	is_ticking = true;
	on_each_cpu(start_timer, NULL, 1);
	msleep(ms);
	WRITE_ONCE(is_ticking, false);
	for_each_possible_cpu(cpu)
		hrtimer_cancel(per_cpu_ptr(&timers, cpu));
	return 0;
}

/* ---- frames of a module ------------------------------------------------------- */

static noinline long go_down(long n)
{
	long below = 0;

	if (n)
		below = go_down(n - 1);
	else
		usleep_range(20, 50);
	barrier(); /* else the compiler makes a loop of it */
	sink = below;
	return below + 1;
}

static int set_deep(const char *val, const struct kernel_param *kp)
{
	long n;
	int err = kstrtol(val, 0, &n);

	if (err || n < 0 || n > 20)
		return err ?: -EINVAL;
	sink = go_down(n);
	return 0;
}

/* ---- results ------------------------------------------------------------------ */

static int show_stack_of(char *to, int n, const u64 *words)
{
	const struct ktap_stack *s = (const void *)words;
	u32 i;

	n += scnprintf(to + n, PAGE_SIZE - n, "end %u flags %u\n", s->end, s->flags);
	for (i = 0; i < s->nr; i++)
		n += scnprintf(to + n, PAGE_SIZE - n, "  %pS\n",
			       (void *)(unsigned long)s->frames[i]);
	return n;
}

static int get_result(char *to, const struct kernel_param *kp)
{
	int n = scnprintf(to, PAGE_SIZE, "%d walks, %d differ, %d by ktap alone, %d by trails\n",
			  atomic_read(&walks), atomic_read(&differ),
			  atomic_read(&own), atomic_read(&led));

	if (!atomic_read(&differ))
		return n;
	return show_stack_of(to, show_stack_of(to, n, first[0]), first[1]);
}

static const struct kernel_param_ops ticks_ops = { .set = set_ticks };
static const struct kernel_param_ops deep_ops = { .set = set_deep };
static const struct kernel_param_ops result_ops = { .get = get_result };

module_param_cb(ticks, &ticks_ops, NULL, 0200);
MODULE_PARM_DESC(ticks, "milliseconds in which timers tick");
module_param_cb(deep, &deep_ops, NULL, 0200);
MODULE_PARM_DESC(deep, "frames of this module, which sleeps then");
module_param_cb(result, &result_ops, NULL, 0400);
MODULE_PARM_DESC(result, "what was found");

/* A kernel may lack a function: it has no handler then. */
static void __init add_probes(unsigned int i)
{
	kprobes[i].symbol_name = symbols[i];
	kprobes[i].pre_handler = at_entry;
	if (register_kprobe(&kprobes[i]))
		kprobes[i].pre_handler = NULL;
	if (!returns)
		return;
	kretprobes[i].kp.symbol_name = symbols[i];
	kretprobes[i].handler = at_return;
	kretprobes[i].maxactive = 64;
	if (register_kretprobe(&kretprobes[i]))
		kretprobes[i].handler = NULL;
}

static int __init ktap_walks_init(void)
{
	unsigned int i;
	int cpu;

	trails = alloc_percpu(struct ktap_trails);
	stacks = alloc_percpu(struct stacks);
	if (!trails || !stacks) {
		free_percpu(stacks);
		free_percpu(trails);
		return -ENOMEM;
	}
	ktap_arch_unwind_prepare();
	for_each_possible_cpu(cpu)
		ktap_hrtimer_setup(per_cpu_ptr(&timers, cpu), on_tick,
				   HRTIMER_MODE_REL_PINNED_HARD);
	for (i = 0; i < nr_symbols; i++)
		add_probes(i);
	return 0;
}

static void __exit ktap_walks_exit(void)
{
	unsigned int i;

	for (i = 0; i < nr_symbols; i++) {
		if (kretprobes[i].handler)
			unregister_kretprobe(&kretprobes[i]);
		if (kprobes[i].pre_handler)
			unregister_kprobe(&kprobes[i]);
	}
	free_percpu(stacks);
	free_percpu(trails);
}

module_init(ktap_walks_init);
module_exit(ktap_walks_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("compares ktap's walk with the kernel's unwinder");
