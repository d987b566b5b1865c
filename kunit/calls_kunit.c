// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of a function that contains a probe (kmod/frame/calls.c): the table alone, the
 * table under writers on all CPUs and in interrupts, and two kprobes on a test function.
 */
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "compat.h"
#include "core/attach.h"
#include "core/budget.h"
#include "frame/calls.h"
#include "hit/env.h"
#include "hit/hit.h"
#include "insn.h"
#include "core/probe.h"
#include "ring_rig.h"
#include "hit/scratch.h"
#include "suites.h"

#ifdef CONFIG_X86_64
#define FIRST	KTAP_X86_64_DI
#define SECOND	KTAP_X86_64_SI
#define CFA_REG	KTAP_X86_64_AX
#define CFA_NAME "ax"
#else
#define FIRST	0
#define SECOND	1
#define CFA_REG	9
#define CFA_NAME "x9"
#endif

#define HIGH_FRAME 0xffffc90000100000ULL

static const u8 kept[] = { SECOND, FIRST };

static struct ktap_calls *make(struct kunit *test, const struct ktap_site *site,
			       u32 max)
{
	const struct ktap_probe_args args = {
		.frame_regs = kept, .maxactive = max,
		.place.nr_frame_regs = ARRAY_SIZE(kept),
	};
	struct ktap_calls *c;

	c = ktap_calls_create(&args, site, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(c));
	return c;
}

static void set_reg(struct pt_regs *regs, unsigned int index, u64 value)
{
	*(u64 *)((u8 *)regs + ktap_arch_regs[index]) = value;
}

/* Fills registers at the entry of a call with @cfa; the arguments derive from @value. */
static void set_entry(struct pt_regs *regs, u64 cfa, u64 value)
{
	*regs = (struct pt_regs){};
	regs->sp = cfa;
	regs->sp -= ktap_arch_entry_cfa(regs) - cfa;
	set_reg(regs, FIRST, value);
	set_reg(regs, SECOND, ~value);
}

static void enter(struct ktap_calls *c, u64 cfa, u64 value)
{
	struct pt_regs regs;

	set_entry(&regs, cfa, value);
	preempt_disable();
	ktap_calls_keep(c, &regs);
	preempt_enable();
}

/* Return: the first argument that was stored, or ~0. */
static u64 look(struct ktap_calls *c, u64 cfa)
{
	u64 first, second;

	if (!ktap_calls_find(c, cfa, 1, &first) ||
	    !ktap_calls_find(c, cfa, 0, &second))
		return ~0ULL;
	return first == ~second ? first : ~0ULL - 1;
}

#define UNKNOWN (~0ULL)

/* ---- the table ------------------------------------------------------------- */

static void calls_are_found_by_frame(struct kunit *test)
{
	struct ktap_calls *c = make(test, NULL, 16);
	u64 before = ktap_budget_used(KTAP_MEM_CALLS);

	KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME), UNKNOWN);
	enter(c, HIGH_FRAME, 1);
	enter(c, HIGH_FRAME - 64, 2);
	KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME), 1ULL);
	KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME - 64), 2ULL);
	KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME - 32), UNKNOWN);
	enter(c, HIGH_FRAME - 64, 3);
	KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME - 64), 3ULL);
	KUNIT_EXPECT_GT(test, c->bytes, 0ULL);
	before -= c->bytes;
	ktap_calls_destroy(c);
	KUNIT_EXPECT_EQ(test, ktap_budget_used(KTAP_MEM_CALLS), before);
}

static void calls_of_a_task_need_one_slot(struct kunit *test)
{
	struct ktap_calls *c = make(test, NULL, 16);
	struct ktap_frames f;
	u64 i;

	enter(c, HIGH_FRAME + 2 * THREAD_SIZE, 1000);
	/* each CFA is above the one before, whose call so has returned */
	for (i = 0; i < 100; i++)
		enter(c, HIGH_FRAME + 8 * i, i);
	KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME + 2 * THREAD_SIZE), 1000ULL);
	KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME + 8 * 99), 99ULL);
	ktap_calls_stats(c, &f);
	KUNIT_EXPECT_EQ(test, f.entries, 101ULL);
	KUNIT_EXPECT_EQ(test, f.dropped, 0ULL);
	ktap_calls_destroy(c);
}

static void calls_beyond_the_ways_push_out_the_oldest(struct kunit *test)
{
	struct ktap_calls *c = make(test, NULL, 16);
	u64 i;

	for (i = 0; i < KTAP_CALLS_WAYS + 3; i++)
		enter(c, HIGH_FRAME - 64 * i, i);
	for (i = 0; i < KTAP_CALLS_WAYS + 3; i++)
		KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME - 64 * i),
				i < 3 ? UNKNOWN : i);
	ktap_calls_destroy(c);
}

static u64 misses;

static u64 missed(const void *owner)
{
	return misses;
}

static void calls_are_void_when_one_may_be_missing(struct kunit *test)
{
	struct ktap_calls *c = make(test, NULL, 16);
	struct pt_regs regs;

	c->missed = missed;
	enter(c, HIGH_FRAME, 1);
	KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME), 1ULL);
	misses++;
	KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME), UNKNOWN);
	enter(c, HIGH_FRAME, 2);
	KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME), 2ULL);
	ktap_calls_forget_all(c);
	KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME), UNKNOWN);
	enter(c, HIGH_FRAME, 3);
	enter(c, HIGH_FRAME - 64, 4);
	set_entry(&regs, HIGH_FRAME - 64, 5);
	ktap_calls_forget(c, &regs);
	KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME), 3ULL);
	KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME - 64), UNKNOWN);
	ktap_calls_destroy(c);
}

/* Makes all sequence counts odd, as if writers had been interrupted; or even again. */
static void toggle_slots(struct ktap_calls *c)
{
	u32 i;

	for (i = 0; i < ktap_calls_max(c); i++)
		*(u64 *)(c->slots + (size_t)i * c->stride) ^= 1;
}

static void calls_that_find_no_slot_are_counted(struct kunit *test)
{
	struct ktap_calls *c = make(test, NULL, 16);
	struct ktap_frames f;

	enter(c, HIGH_FRAME, 1);
	toggle_slots(c);
	KUNIT_EXPECT_EQ(test, look(c, HIGH_FRAME), UNKNOWN);
	enter(c, HIGH_FRAME, 2);
	toggle_slots(c);
	KUNIT_EXPECT_EQ_MSG(test, look(c, HIGH_FRAME), UNKNOWN,
			    "the call before is not shown for it");
	ktap_calls_stats(c, &f);
	KUNIT_EXPECT_EQ(test, f.entries, 2ULL);
	KUNIT_EXPECT_EQ(test, f.dropped, 1ULL);
	ktap_calls_destroy(c);
}

/* ---- writers everywhere ---------------------------------------------------- */

#define RUN_MS 1500
#define TICK_NS 30000
#define THREADS 6

/**
 * struct storm - a small table with concurrent writers
 * @c: table
 * @found: calls that their writer found
 * @lacking: calls that their writer did not find
 * @wrong: look-ups that returned the value of another call
 * @stop: stops the writers
 * @timer: writes in hard interrupt context
 * @work: writes between the write and the look-up of a task
 */
struct storm {
	struct ktap_calls *c;
	atomic64_t found;
	atomic64_t lacking;
	atomic64_t wrong;
	bool stop;
	struct hrtimer timer;
	struct irq_work work;
};

/* Stores a call and looks it up; @value is unique. */
static void call_once(struct storm *s, u64 cfa, u64 value, bool interrupted)
{
	u64 got;

	enter(s->c, cfa, value);
	if (interrupted)
		irq_work_queue(&s->work);
	got = look(s->c, cfa);
	if (got == value)
		atomic64_inc(&s->found);
	else if (got == UNKNOWN)
		atomic64_inc(&s->lacking);
	else
		atomic64_inc(&s->wrong);
}

/* Writes for the current task, with the CFA of an interrupt stack. */
static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	struct storm *s = container_of(timer, struct storm, timer);

	call_once(s, 0x1000, (u64)current->pid << 32 | 0x80000000, false);
	hrtimer_forward_now(timer, ns_to_ktime(TICK_NS));
	return HRTIMER_RESTART;
}

static void on_work(struct irq_work *work)
{
	struct storm *s = container_of(work, struct storm, work);

	call_once(s, 0x2000, (u64)current->pid << 32 | 0x90000000, false);
}

static int writer(void *data)
{
	struct storm *s = data;
	u64 value = (u64)current->pid << 32;

	while (!READ_ONCE(s->stop)) {
		call_once(s, HIGH_FRAME - (value % 5) * 256, value, false);
		value++;
		if (!(value % 64))
			cond_resched();
	}
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static void write_for_a_while(struct storm *s)
{
	unsigned long end = jiffies + msecs_to_jiffies(RUN_MS);
	u64 value = (u64)current->pid << 32;

	while (time_before(jiffies, end)) {
		/* there is one timer and one irq_work: stay on one CPU */
		migrate_disable();
		call_once(s, HIGH_FRAME - (value % 3) * 256, value, true);
		migrate_enable();
		value++;
		cond_resched();
	}
}

static void calls_are_never_another_s(struct kunit *test)
{
	struct storm *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	struct task_struct *t[THREADS];
	struct ktap_frames f;
	u64 looks;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, s);
	s->c = make(test, NULL, 1);
	init_irq_work(&s->work, on_work);
	ktap_hrtimer_setup(&s->timer, on_timer, HRTIMER_MODE_REL_HARD);
	for (i = 0; i < THREADS; i++) {
		t[i] = kthread_run(writer, s, "ktap_kunit_%d", i);
		KUNIT_ASSERT_FALSE(test, IS_ERR(t[i]));
	}
	hrtimer_start(&s->timer, ns_to_ktime(TICK_NS), HRTIMER_MODE_REL_HARD);
	write_for_a_while(s);
	hrtimer_cancel(&s->timer);
	WRITE_ONCE(s->stop, true);
	for (i = 0; i < THREADS; i++)
		kthread_stop(t[i]);
	irq_work_sync(&s->work);
	ktap_calls_stats(s->c, &f);
	looks = atomic64_read(&s->found) + atomic64_read(&s->lacking);
	KUNIT_EXPECT_EQ(test, atomic64_read(&s->wrong), 0LL);
	KUNIT_EXPECT_EQ(test, f.entries, looks);
	KUNIT_EXPECT_GT(test, atomic64_read(&s->found), looks / 2);
	ktap_calls_destroy(s->c);
}

/* ---- two kprobes ------------------------------------------------------------ */

extern char ktap_kunit_framed_inside[];

static noinline long framed(long n);

static noinline __noclone long deeper(long n)
{
	return n > 1 ? framed(n - 1) : 0;
}

/* Not inlined or cloned: its asm label must exist once. */
static noinline __noclone long framed(long n)
{
	register unsigned long cfa asm(CFA_NAME);
	long below = deeper(n);

	cfa = (unsigned long)__builtin_dwarf_cfa();
	asm volatile(".globl ktap_kunit_framed_inside\n"
		     "ktap_kunit_framed_inside:\n"
		     "	nop" : "+r" (cfa), "+r" (below));
	return below + 1;
}

/* struct spot - a kprobe and its site */
struct spot {
	struct kprobe kp;
	struct ktap_site site;
};

static int on_spot(struct kprobe *kp, struct pt_regs *regs)
{
	ktap_hit(&container_of(kp, struct spot, kp)->site, regs);
	return 0;
}
NOKPROBE_SYMBOL(on_spot);

static void spot_init(struct kunit *test, struct spot *s, void *at)
{
	s->kp = (struct kprobe){
		.addr = (kprobe_opcode_t *)at, .pre_handler = on_spot,
	};
	KUNIT_ASSERT_EQ(test, register_kprobe(&s->kp), 0);
}

static struct ktap_prog *frame_program(struct kunit *test)
{
	static const struct ktap_insn insns[] = {
		REG(0, CFA_REG), FRAME(1, 0, 1, 0), STORE(1, 8, 0, NOBIT),
		FAULTS(8, 8), END(),
	};
	static const struct ktap_prog_place place = {
		.nr_frame_regs = ARRAY_SIZE(kept),
	};
	enum ktap_refusal why;
	struct ktap_prog *prog;
	u32 at;

	prog = ktap_prog_create(insns, ARRAY_SIZE(insns), &place, &why, &at);
	KUNIT_ASSERT_FALSE(test, IS_ERR(prog));
	KUNIT_ASSERT_EQ(test, ktap_scratch_hold(prog->info.room, NULL), 0);
	return prog;
}

static void attach(struct kunit *test, struct ktap_attach *a,
		   struct ktap_site *site, struct rig *rig)
{
	unsigned int cpu;

	a->cell = alloc_percpu(struct ktap_cell);
	KUNIT_ASSERT_NOT_NULL(test, a->cell);
	a->self = KTAP_NO_TGID;
	for_each_possible_cpu(cpu)
		per_cpu_ptr(a->cell, cpu)->ring = &rig->ring;
	list_add_rcu(&a->in_probe, &site->attached);
	ktap_site_changed(site);
}

/* The innermost call is hit first. */
static void expect_frames(struct kunit *test, struct rig *rig, long depth)
{
	const u64 *p;
	long i;

	for (i = 0; i < depth; i++) {
		p = rig_payload(rig, i);
		KUNIT_ASSERT_NOT_NULL(test, p);
		KUNIT_EXPECT_EQ(test, p[0], (u64)i + 1);
		KUNIT_EXPECT_EQ(test, p[1], 0ULL);
	}
	p = rig_payload(rig, depth);
	KUNIT_ASSERT_NOT_NULL(test, p);
	KUNIT_EXPECT_EQ_MSG(test, p[1], 1ULL, "unknown once all is forgotten");
	KUNIT_EXPECT_NULL(test, rig_payload(rig, depth + 1));
}

static void calls_reach_the_probe_inside(struct kunit *test)
{
	struct rig *rig = rig_create(test, false);
	struct ktap_prog *prog = frame_program(test);
	struct spot *entry, *inside;
	struct ktap_attach a = {};
	struct ktap_frames f;

	entry = kunit_kzalloc(test, sizeof(*entry), GFP_KERNEL);
	inside = kunit_kzalloc(test, sizeof(*inside), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, entry);
	KUNIT_ASSERT_NOT_NULL(test, inside);
	ktap_site_init(&inside->site, RIG_ID, prog);
	inside->site.calls = make(test, &inside->site, 64);
	entry->site.keeps = inside->site.calls;
	attach(test, &a, &inside->site, rig);
	migrate_disable();
	spot_init(test, entry, framed);
	spot_init(test, inside, ktap_kunit_framed_inside);
	KUNIT_EXPECT_EQ(test, framed(5), 5L);
	unregister_kprobe(&entry->kp);
	ktap_calls_forget_all(inside->site.calls);
	KUNIT_EXPECT_EQ(test, framed(1), 1L);
	unregister_kprobe(&inside->kp);
	migrate_enable();
	expect_frames(test, rig, 5);
	ktap_calls_stats(inside->site.calls, &f);
	KUNIT_EXPECT_EQ(test, f.entries, 5ULL);
	KUNIT_EXPECT_EQ(test, f.no_entry, 1ULL);
	ktap_calls_destroy(inside->site.calls);
	free_percpu(a.cell);
	ktap_prog_destroy(prog);
	ktap_scratch_exit();
}

static struct kunit_case calls_cases[] = {
	KUNIT_CASE(calls_are_found_by_frame),
	KUNIT_CASE(calls_of_a_task_need_one_slot),
	KUNIT_CASE(calls_beyond_the_ways_push_out_the_oldest),
	KUNIT_CASE(calls_are_void_when_one_may_be_missing),
	KUNIT_CASE(calls_that_find_no_slot_are_counted),
	KUNIT_CASE(calls_are_never_another_s),
	KUNIT_CASE(calls_reach_the_probe_inside),
	{}
};

struct kunit_suite ktap_calls_suite = {
	.name = "ktap_calls",
	.test_cases = calls_cases,
};
