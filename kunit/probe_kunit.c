// SPDX-License-Identifier: GPL-2.0
/* The hit path under real kprobes on test functions: the records and the counts. */
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/slab.h>

#include "arch/trail.h"
#include "compat.h"
#include "core/attach.h"
#include "core/budget.h"
#include "hit/hit.h"
#include "hit/nest.h"
#include "insn.h"
#include "hit/program.h"
#include "hit/rates.h"
#include "ring_rig.h"
#include "hit/scratch.h"
#include "hit/stacks.h"
#include "suites.h"

#ifdef CONFIG_X86_64
#define FIRST	KTAP_X86_64_DI
#define SECOND	KTAP_X86_64_SI
#else
#define FIRST	0
#define SECOND	1
#endif

#define CALLS 50

/**
 * struct bench - a probe without the rest of the module
 * @kp: kprobe on target()
 * @prog: program
 * @rig: ring
 * @attach: its only attachment
 * @site: site for ktap_hit()
 */
struct bench {
	struct kprobe kp;
	struct ktap_prog *prog;
	struct rig *rig;
	struct ktap_attach attach;
	struct ktap_site site;
};

static noinline int target(long number, const char *text)
{
	barrier_data(&number);
	return number + text[0];
}

static int handler(struct kprobe *kp, struct pt_regs *regs)
{
	ktap_hit(&container_of(kp, struct bench, kp)->site, regs);
	return 0;
}
NOKPROBE_SYMBOL(handler);

static void call(struct kunit *test)
{
	int i;

	/* one CPU, because the rig has one ring */
	migrate_disable();
	for (i = 0; i < CALLS; i++)
		KUNIT_EXPECT_EQ(test, target(i, "text"), i + 't');
	migrate_enable();
}

static void attach_rings(struct ktap_attach *a, struct ktap_ring *ring)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		per_cpu_ptr(a->cell, cpu)->ring = ring;
}

static void set_rings(struct bench *b, struct ktap_ring *ring)
{
	attach_rings(&b->attach, ring);
}

static u64 attach_outcome(const struct ktap_attach *a, int which)
{
	unsigned int cpu;
	u64 sum = 0;

	for_each_possible_cpu(cpu)
		sum += which ? per_cpu_ptr(a->cell, cpu)->outcome[which] :
			       per_cpu_ptr(a->cell, cpu)->hits;
	return sum;
}

static u64 outcome(struct bench *b, int which)
{
	return attach_outcome(&b->attach, which);
}

static void bench_free(struct bench *b)
{
	free_percpu(b->attach.cell);
	ktap_prog_destroy(b->prog);
}

static void bench_init(struct kunit *test, struct bench *b,
		       const struct ktap_insn *insns, u32 nr)
{
	enum ktap_refusal why;
	u32 at;

	*b = (struct bench){};
	b->rig = rig_create(test, false);
	b->prog = ktap_prog_create(insns, nr, NULL, &why, &at);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(b->prog), "instruction %u: %s", at,
			       ktap_refusal_text(why));
	ktap_site_init(&b->site, RIG_ID, b->prog);
	b->attach.cell = alloc_percpu(struct ktap_cell);
	KUNIT_ASSERT_NOT_NULL(test, b->attach.cell);
	b->attach.self = KTAP_NO_TGID;
	list_add_rcu(&b->attach.in_probe, &b->site.attached);
	ktap_site_changed(&b->site);
	if (!b->prog->info.simple)
		KUNIT_ASSERT_EQ(test,
				ktap_scratch_hold(b->prog->info.room, NULL), 0);
	set_rings(b, &b->rig->ring);
}

static void bench_run(struct kunit *test, struct bench *b)
{
	/* initialised each time: registering changes it */
	b->kp = (struct kprobe){
		.addr = (kprobe_opcode_t *)target,
		.pre_handler = handler,
	};
	KUNIT_ASSERT_EQ(test, register_kprobe(&b->kp), 0);
	call(test);
	unregister_kprobe(&b->kp);
	KUNIT_EXPECT_EQ(test, b->kp.nmissed, 0UL);
}

#define BENCH_INIT(test, b, ...) \
	bench_init(test, b, PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__))

static void probe_records_registers(struct kunit *test)
{
	struct bench b;
	u32 i;

	BENCH_INIT(test, &b, REG(0, FIRST), STORE(0, 8, 0, NOBIT),
		   STORE(0, 2, 8, NOBIT), END());
	KUNIT_EXPECT_TRUE(test, b.prog->info.simple);
	bench_run(test, &b);
	for (i = 0; i < CALLS; i++) {
		const u64 *p = rig_payload(b.rig, i);

		KUNIT_ASSERT_NOT_NULL(test, p);
		KUNIT_EXPECT_EQ(test, p[0], (u64)i);
		KUNIT_EXPECT_EQ_MSG(test, p[1], (u64)i,
				    "what was not stored is zero");
	}
	KUNIT_EXPECT_NULL(test, rig_payload(b.rig, CALLS));
	KUNIT_EXPECT_EQ(test, outcome(&b, 0), (u64)CALLS);
	bench_free(&b);
}

/*
 * Payload: the number, the address of the string, and a part of it overwritten by @above.
 */
static void expect_words(struct kunit *test, struct bench *b, u64 above)
{
	u32 i;

	bench_run(test, b);
	for (i = 0; i < CALLS; i++) {
		const u64 *p = rig_payload(b->rig, i);

		KUNIT_ASSERT_NOT_NULL(test, p);
		KUNIT_EXPECT_EQ(test, p[0], (u64)i);
		KUNIT_EXPECT_NE(test, p[1] >> 32, 0ULL);
		KUNIT_EXPECT_EQ(test, p[2], (u32)p[1] | above * i << 32);
	}
	bench_free(b);
}

/* For each order of the stores, and each implementation of them. */
static void probe_stores_in_any_order(struct kunit *test)
{
	struct bench b;

	BENCH_INIT(test, &b, REG(1, SECOND), STORE(1, 8, 8, NOBIT),
		   REG(0, FIRST), STORE(0, 8, 0, NOBIT),
		   STORE(1, 4, 16, NOBIT), END());
	KUNIT_EXPECT_EQ(test, b.prog->stores.nr_words, 2U);
	KUNIT_EXPECT_EQ(test, b.prog->stores.nr_copies, 1U);
	expect_words(test, &b, 0);

	BENCH_INIT(test, &b, REG(1, SECOND), STORE(1, 4, 16, NOBIT),
		   REG(0, FIRST), STORE(0, 2, 20, NOBIT),
		   STORE(0, 8, 0, NOBIT), STORE(1, 8, 8, NOBIT), END());
	expect_words(test, &b, 1);

	BENCH_INIT(test, &b, REG(0, FIRST), STORE(0, 2, 20, NOBIT),
		   STORE(0, 8, 0, NOBIT), REG(1, SECOND),
		   STORE(1, 4, 16, NOBIT), STORE(1, 8, 8, NOBIT), END());
	expect_words(test, &b, 1);
}

static void probe_records_memory(struct kunit *test)
{
	struct bench b;
	u32 i;

	BENCH_INIT(test, &b, REG(0, FIRST), STORE(0, 8, 0, NOBIT),
		   REG(0, SECOND), STRING(0, 32, 8, 0), END());
	bench_run(test, &b);
	for (i = 0; i < CALLS; i++) {
		const u8 *p = rig_payload(b.rig, i);

		KUNIT_ASSERT_NOT_NULL(test, p);
		KUNIT_EXPECT_EQ(test, *(u64 *)p, (u64)i);
		KUNIT_EXPECT_STREQ(test, (char *)p + 12, "text");
	}
	KUNIT_EXPECT_EQ(test, outcome(&b, 0), (u64)CALLS);
	KUNIT_EXPECT_EQ(test, this_cpu_read(ktap_busy), 0U);
	bench_free(&b);
	ktap_scratch_exit();
}

/*
 * Registers, and strings at addresses in registers, without the interpreter: a string, a
 * part of it, a user address in a kernel thread, and the first string again.
 */
static void probe_records_strings(struct kunit *test)
{
	static const char want[24] = "text\0te\0text";
	struct ktap_string s[4];
	struct bench b;
	u32 i;

	BENCH_INIT(test, &b, REG(1, SECOND), STRING(1, 9, 8, 0),
		   STRING(1, 3, 12, 0), REG(0, FIRST), STRING(0, 9, 16, 0),
		   STORE(0, 8, 0, NOBIT), STRING(1, 99, 20, 0), END());
	KUNIT_EXPECT_EQ(test, b.prog->stores.nr_texts, 4U);
	bench_run(test, &b);
	for (i = 0; i < CALLS; i++) {
		const u8 *p = rig_payload(b.rig, i);

		KUNIT_ASSERT_NOT_NULL(test, p);
		KUNIT_EXPECT_EQ(test, *(u64 *)p, (u64)i);
		memcpy(s, p + 8, sizeof(s));
		KUNIT_EXPECT_EQ(test, s[0].len, 5);
		KUNIT_EXPECT_EQ(test, s[0].flags, 0);
		KUNIT_EXPECT_EQ(test, s[1].len, 3);
		KUNIT_EXPECT_EQ(test, s[1].flags, KTAP_STRING_F_CUT);
		KUNIT_EXPECT_EQ(test, s[2].len, 0);
		KUNIT_EXPECT_EQ(test, s[2].flags, KTAP_STRING_F_FAULT);
		KUNIT_EXPECT_EQ(test, s[3].len, 5);
		KUNIT_EXPECT_EQ(test, memcmp(p + 24, want, 16), 0);
	}
	KUNIT_EXPECT_EQ(test, outcome(&b, 0), (u64)CALLS);
	bench_free(&b);
	ktap_scratch_exit();
}

/* Programs that need the interpreter: bytes that are not stored, or stored twice. */
static void probe_knows_plain_programs(struct kunit *test)
{
	struct bench b;

	BENCH_INIT(test, &b, REG(0, SECOND), STRING(0, 9, 4, 0), END());
	KUNIT_EXPECT_EQ(test, b.prog->stores.nr_texts, 0U);
	bench_free(&b);
	BENCH_INIT(test, &b, REG(0, SECOND), STRING(0, 9, 0, 0),
		   STRING(0, 9, 0, 0), END());
	KUNIT_EXPECT_EQ(test, b.prog->stores.nr_texts, 0U);
	bench_free(&b);
	BENCH_INIT(test, &b, REG(0, SECOND), STRING(0, 9, 0, 0),
		   STORE(0, 8, 64, NOBIT), END());
	KUNIT_EXPECT_EQ(test, b.prog->stores.nr_texts, 0U);
	bench_free(&b);
	ktap_scratch_exit();
}

static void is_general(struct kunit *test, const struct ktap_insn *insns, u32 nr)
{
	struct bench b;

	bench_init(test, &b, insns, nr);
	KUNIT_EXPECT_FALSE(test, b.prog->stores.kstack.max);
	KUNIT_EXPECT_EQ(test, b.site.route, KTAP_ROUTE_PROGRAM);
	bench_free(&b);
}

#define IS_GENERAL(test, ...) \
	is_general(test, PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__))

/* Stacks that the route of stacks does not serve. */
static void probe_knows_programs_with_stacks(struct kunit *test)
{
	IS_GENERAL(test, KSTACK(0, 3), STORE(0, 4, 0, NOBIT), END());
	IS_GENERAL(test, KSTACK(0, 3), STORE(0, 8, 0, NOBIT), STORE(0, 8, 8, NOBIT), END());
	IS_GENERAL(test, KSTACK(0, 3), REG(0, FIRST), STORE(0, 8, 0, NOBIT), END());
	IS_GENERAL(test, KSTACK(0, 3), STRING(0, 9, 0, 0), END());
	IS_GENERAL(test, KSTACK(0, 3), STORE(0, 8, 0, NOBIT), KSTACK(1, 4),
		   STORE(1, 8, 8, NOBIT), END());
	IS_GENERAL(test, KSTACK(0, 3), STORE(0, 8, 0, NOBIT), REG(1, SECOND),
		   STRING(1, 9, 8, 0), END());
	IS_GENERAL(test, KSTACK(0, 3), STORE(0, 8, 0, 0), FAULTS(8, 8), END());
	IS_GENERAL(test, KSTACK(0, 3), STORE(0, 8, 8, NOBIT), END());
	ktap_scratch_exit();
}

/* A table of stacks without the rest of a session. */
static void give_table(struct kunit *test, struct bench *b, struct ktap_stacks *t)
{
	void *mem = kunit_kzalloc(test, KTAP_STACKS_MIN, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, mem);
	ktap_stacks_init(t, mem, KTAP_STACKS_MIN, 1);
	b->attach.stacks = t;
	if (KTAP_ARCH_HAS_TRAILS) {
		b->attach.trails = alloc_percpu(struct ktap_trails);
		KUNIT_ASSERT_NOT_NULL(test, b->attach.trails);
	}
	b->site.spot = (struct ktap_spot){
		.ip = (unsigned long)target, .nr = 1, .is_entry = true,
	};
}

static const struct ktap_stack *stack_at(const struct ktap_stacks *t, u32 nr)
{
	return (void *)((u64 *)t->head + t->order[nr]);
}

/*
 * A module may come back at another address: then a trail from before leads nowhere. The
 * second address is the entry of a function, too; the trails of both are kept in one place.
 */
static void probe_records_stacks_of_its_place(struct kunit *test)
{
	struct ktap_stacks t;
	struct bench b;
	u32 run, i;

	BENCH_INIT(test, &b, KSTACK(0, 2), STORE(0, 8, 0, NOBIT), END());
	KUNIT_EXPECT_EQ(test, b.site.route, KTAP_ROUTE_KSTACK);
	give_table(test, &b, &t);
	for (run = 0; run < 2; run++) {
		b.site.spot.ip = run ? (unsigned long)handler : (unsigned long)target;
		b.site.spot.nr = 1 + run * KTAP_TRAIL_WAYS;
		bench_run(test, &b);
		KUNIT_ASSERT_EQ(test, (u32)t.head->used, run + 1);
		for (i = run * CALLS; i < (run + 1) * CALLS; i++) {
			const u64 *p = (const u64 *)rig_payload(b.rig, i);

			KUNIT_ASSERT_NOT_NULL(test, p);
			KUNIT_EXPECT_EQ(test, *p, stack_at(&t, run)->id);
		}
		KUNIT_EXPECT_EQ(test, stack_at(&t, run)->frames[0], (u64)b.site.spot.ip);
	}
	KUNIT_EXPECT_EQ(test, outcome(&b, 0), 2ULL * CALLS);
	KUNIT_EXPECT_EQ(test, this_cpu_read(ktap_busy), 0U);
	free_percpu(b.attach.trails);
	bench_free(&b);
	ktap_scratch_exit();
}

#define RIGHT	2ULL
#define WRONG	3ULL
#define SWAPS	1000U

/**
 * struct swaps - a timer that leaves trails while others follow them
 * @timer: the timer
 * @regs: registers of all hits
 * @use: trails of two places, which are kept in the same memory
 * @nr: how often the timer left one
 */
struct swaps {
	struct hrtimer timer;
	struct pt_regs regs;
	struct ktap_trail_use use[2];
	u32 nr;
};

static enum hrtimer_restart leave_trail(struct hrtimer *timer)
{
	struct swaps *s = container_of(timer, struct swaps, timer);
	struct ktap_trail_use *use = &s->use[s->nr++ % 2];
	struct ktap_trail *t = ktap_trail_begin(use, &s->regs);

	if (t) {
		*t = (struct ktap_trail){ .whole = true };
		ktap_trail_end(use);
	}
	hrtimer_forward_now(timer, ns_to_ktime(50 * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

/**
 * struct finds - what hits at the first place have found
 * @right: how many their own trail
 * @none: how many nothing
 * @id: the last
 */
struct finds {
	u32 right;
	u32 none;
	u64 id;
};

/* Until enough has happened, or something that is wrong. */
static void find_for_long(const struct swaps *s, struct finds *f)
{
	unsigned long end = jiffies + 20 * HZ;

	while (time_before(jiffies, end) && (!f->id || f->id == RIGHT) &&
	       (f->right < SWAPS || f->none < SWAPS || READ_ONCE(s->nr) < SWAPS)) {
		preempt_disable();
		f->id = ktap_trail_find(&s->use[0], &s->regs);
		preempt_enable();
		f->right += f->id == RIGHT;
		f->none += !f->id;
	}
}

/*
 * A hit that follows a trail may be interrupted by one that leaves another there. A hit that
 * has compared the place of its own trail must not take the id of another.
 */
static void trails_change_under_hits(struct kunit *test)
{
	static const struct ktap_spot spots[2] = {
		{ .ip = 1, .nr = 1, .is_entry = true },
		{ .ip = 2, .nr = 1 + KTAP_TRAIL_WAYS, .is_entry = true },
	};
	struct swaps *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	struct ktap_trails __percpu *trails;
	struct finds f = {};
	unsigned long top = 0;

	if (!KTAP_ARCH_HAS_TRAILS)
		kunit_skip(test, "this kernel has no trails");
	trails = alloc_percpu(struct ktap_trails);
	KUNIT_ASSERT_TRUE(test, s && trails);
	s->use[0] = (struct ktap_trail_use){ .trails = trails, .spot = &spots[0], .id = RIGHT };
	s->use[1] = (struct ktap_trail_use){ .trails = trails, .spot = &spots[1], .id = WRONG };
	s->regs.sp = (unsigned long)&top;
	migrate_disable();
	ktap_hrtimer_setup(&s->timer, leave_trail, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&s->timer, 0, HRTIMER_MODE_REL_PINNED_HARD);
	find_for_long(s, &f);
	hrtimer_cancel(&s->timer);
	migrate_enable();
	free_percpu(trails);
	KUNIT_ASSERT_TRUE(test, !f.id || f.id == RIGHT);
	if (min3(f.right, f.none, s->nr) < SWAPS)
		kunit_skip(test, "20 s were too short: %u, %u, %u", f.right, f.none, s->nr);
}

/*
 * Whichever way a hit takes, its record is the same, and its stack is in the table once. Both
 * runs have two frames in common.
 */
static void probe_records_stacks(struct kunit *test)
{
	static const char pad[KTAP_COMM_LEN];
	struct ktap_stacks t;
	struct bench b;
	u64 id = 0;
	u32 i;

	BENCH_INIT(test, &b, REG(0, FIRST), STORE(0, 4, 24, NOBIT), KSTACK(1, 2),
		   STORE(1, 8, 16, NOBIT), COMM(0), END());
	KUNIT_EXPECT_EQ(test, b.site.route, KTAP_ROUTE_STACKS);
	give_table(test, &b, &t);
	bench_run(test, &b);
	WRITE_ONCE(b.site.alone, NULL);
	bench_run(test, &b);
	for (i = 0; i < 2 * CALLS; i++) {
		const u8 *p = rig_payload(b.rig, i);
		const struct ktap_stack *s = stack_at(&t, 0);

		KUNIT_ASSERT_NOT_NULL(test, p);
		KUNIT_EXPECT_STREQ(test, (const char *)p, current->comm);
		KUNIT_EXPECT_NE(test, memcmp(p, pad, sizeof(pad)), 0);
		KUNIT_EXPECT_EQ(test, *(u64 *)(p + 24), (u64)(i % CALLS));
		id = id ?: *(u64 *)(p + 16);
		KUNIT_EXPECT_EQ(test, *(u64 *)(p + 16), id);
		KUNIT_EXPECT_EQ(test, s->id, id);
		KUNIT_EXPECT_EQ(test, (u32)s->nr, 2U);
		KUNIT_EXPECT_EQ(test, s->frames[0], (u64)(unsigned long)target);
	}
	KUNIT_EXPECT_NE(test, id, 0ULL);
	KUNIT_EXPECT_EQ(test, (u32)t.head->used, 1U);
	KUNIT_EXPECT_EQ(test, outcome(&b, 0), 2ULL * CALLS);
	KUNIT_EXPECT_EQ(test, this_cpu_read(ktap_busy), 0U);
	free_percpu(b.attach.trails);
	bench_free(&b);
	ktap_scratch_exit();
}

static void probe_filters(struct kunit *test)
{
	struct bench b;

	BENCH_INIT(test, &b, REG(0, FIRST), ALUI(1, 0, LTU, 10), FILTER(1),
		   STORE(0, 8, 0, NOBIT), END());
	bench_run(test, &b);
	KUNIT_EXPECT_NOT_NULL(test, rig_payload(b.rig, 9));
	KUNIT_EXPECT_NULL(test, rig_payload(b.rig, 10));
	KUNIT_EXPECT_EQ(test, outcome(&b, 0), (u64)CALLS);
	KUNIT_EXPECT_EQ(test, outcome(&b, KTAP_FILTERED), (u64)CALLS - 10);
	bench_free(&b);
	ktap_scratch_exit();
}

static void probe_limits_to_scope(struct kunit *test)
{
	unsigned long *map = kunit_kzalloc(test, PID_MAX_LIMIT / 8, GFP_KERNEL);
	struct bench b;

	KUNIT_ASSERT_NOT_NULL(test, map);
	BENCH_INIT(test, &b, REG(0, FIRST), STORE(0, 8, 0, NOBIT), END());
	b.attach.scope = map;
	bench_run(test, &b);
	KUNIT_EXPECT_NULL(test, rig_payload(b.rig, 0));
	KUNIT_EXPECT_EQ(test, outcome(&b, KTAP_LIMITED), (u64)CALLS);
	set_bit(current->pid, map);
	bench_run(test, &b);
	KUNIT_EXPECT_NOT_NULL(test, rig_payload(b.rig, CALLS - 1));
	KUNIT_EXPECT_EQ(test, outcome(&b, 0), 2ULL * CALLS);
	KUNIT_EXPECT_EQ(test, outcome(&b, KTAP_LIMITED), (u64)CALLS);
	bench_free(&b);
}

/* Rates with a second so long that it does not end during the test. */
static struct ktap_rates *long_seconds(struct kunit *test, u32 per_second)
{
	const struct ktap_session_rates want = { .per_second = per_second };
	struct ktap_rates *r;

	KUNIT_ASSERT_EQ(test, ktap_rates_create(&want, NULL, &r), 0);
	r->second = 1ULL << 60;
	return r;
}

/* Moves all that is known of the present second into the past. */
static void start_next_second(struct ktap_rates *r)
{
	r->begin -= r->second;
	r->second_end -= r->second;
	r->shut_until -= r->second;
}

static void expect_number(struct kunit *test, struct rig *rig, u32 nr, u64 want)
{
	const u64 *p = rig_payload(rig, nr);

	KUNIT_ASSERT_NOT_NULL(test, p);
	KUNIT_EXPECT_EQ(test, *p, want);
}

static void probe_limits_to_a_rate(struct kunit *test)
{
	struct bench b;

	BENCH_INIT(test, &b, REG(0, FIRST), STORE(0, 8, 0, NOBIT), END());
	b.attach.rates = long_seconds(test, 20);
	ktap_site_changed(&b.site);
	KUNIT_EXPECT_PTR_EQ(test, b.site.alone, &b.attach);
	bench_run(test, &b);
	expect_number(test, b.rig, 19, 19);
	KUNIT_EXPECT_NULL(test, rig_payload(b.rig, 20));
	KUNIT_EXPECT_EQ(test, outcome(&b, 0), (u64)CALLS);
	KUNIT_EXPECT_EQ(test, outcome(&b, KTAP_LIMITED), CALLS - 20ULL);

	start_next_second(b.attach.rates);
	bench_run(test, &b);
	expect_number(test, b.rig, 39, 19);
	KUNIT_EXPECT_NULL(test, rig_payload(b.rig, 40));
	KUNIT_EXPECT_EQ(test, outcome(&b, KTAP_LIMITED), 2 * (CALLS - 20ULL));

	/* a hit that the rates accept but the ring cannot hold is lost, not limited */
	start_next_second(b.attach.rates);
	set_rings(&b, NULL);
	bench_run(test, &b);
	KUNIT_EXPECT_EQ(test, outcome(&b, KTAP_LOST_NO_RING), 20ULL);
	KUNIT_EXPECT_EQ(test, outcome(&b, KTAP_LIMITED), 3 * (CALLS - 20ULL));
	KUNIT_EXPECT_EQ(test, outcome(&b, 0), 3ULL * CALLS);
	ktap_mem_free(KTAP_MEM_OTHER, b.attach.rates, sizeof(*b.attach.rates));
	bench_free(&b);
}

/* Two sessions, one with a rate, in both orders. */
static void probe_serves_several_sessions(struct kunit *test)
{
	struct ktap_attach second = { .self = KTAP_NO_TGID };
	struct rig *rig = rig_create(test, false);
	struct bench b;

	BENCH_INIT(test, &b, REG(0, FIRST), STORE(0, 8, 0, NOBIT), END());
	second.cell = alloc_percpu(struct ktap_cell);
	KUNIT_ASSERT_NOT_NULL(test, second.cell);
	attach_rings(&second, &rig->ring);
	second.rates = long_seconds(test, 7);
	list_add_rcu(&second.in_probe, &b.site.attached);
	ktap_site_changed(&b.site);
	KUNIT_EXPECT_NULL(test, b.site.only);
	KUNIT_EXPECT_NULL(test, b.site.alone);
	bench_run(test, &b);
	expect_number(test, b.rig, CALLS - 1, CALLS - 1);
	expect_number(test, rig, 6, 6);
	KUNIT_EXPECT_NULL(test, rig_payload(rig, 7));

	swap(b.attach.rates, second.rates);
	bench_run(test, &b);
	KUNIT_EXPECT_NULL(test, rig_payload(b.rig, CALLS));
	KUNIT_EXPECT_NOT_NULL(test, rig_payload(rig, 6 + CALLS));
	KUNIT_EXPECT_EQ(test, outcome(&b, 0), 2ULL * CALLS);
	KUNIT_EXPECT_EQ(test, outcome(&b, KTAP_LIMITED), (u64)CALLS);
	KUNIT_EXPECT_EQ(test, attach_outcome(&second, 0), 2ULL * CALLS);
	KUNIT_EXPECT_EQ(test, attach_outcome(&second, KTAP_LIMITED),
			CALLS - 7ULL);
	ktap_mem_free(KTAP_MEM_OTHER, b.attach.rates, sizeof(*b.attach.rates));
	free_percpu(second.cell);
	bench_free(&b);
}

static void probe_counts_what_it_cannot_record(struct kunit *test)
{
	struct bench b;

	BENCH_INIT(test, &b, REG(0, FIRST), STORE(0, 8, 0, NOBIT), END());
	set_rings(&b, NULL);
	bench_run(test, &b);
	KUNIT_EXPECT_EQ(test, outcome(&b, 0), (u64)CALLS);
	KUNIT_EXPECT_EQ(test, outcome(&b, KTAP_LOST_NO_RING), (u64)CALLS);
	b.attach.silent = true;
	bench_run(test, &b);
	KUNIT_EXPECT_EQ(test, outcome(&b, 0), 2ULL * CALLS);
	KUNIT_EXPECT_EQ(test, outcome(&b, KTAP_LOST_NO_RING), (u64)CALLS);
	set_rings(&b, &b.rig->ring);
	WRITE_ONCE(b.rig->cons->tail, 1ULL << 40); /* forged: the ring always looks full */
	bench_run(test, &b);
	KUNIT_EXPECT_EQ(test, outcome(&b, KTAP_LOST_FULL), (u64)CALLS);
	KUNIT_EXPECT_EQ(test, rig_head(b.rig), 0ULL);
	bench_free(&b);
}

static struct kunit_case probe_cases[] = {
	KUNIT_CASE(probe_records_registers),
	KUNIT_CASE(probe_stores_in_any_order),
	KUNIT_CASE(probe_records_memory),
	KUNIT_CASE(probe_records_strings),
	KUNIT_CASE(probe_knows_plain_programs),
	KUNIT_CASE(probe_knows_programs_with_stacks),
	KUNIT_CASE(probe_records_stacks),
	KUNIT_CASE(probe_records_stacks_of_its_place),
	KUNIT_CASE(trails_change_under_hits),
	KUNIT_CASE(probe_filters),
	KUNIT_CASE(probe_limits_to_scope),
	KUNIT_CASE(probe_limits_to_a_rate),
	KUNIT_CASE(probe_serves_several_sessions),
	KUNIT_CASE(probe_counts_what_it_cannot_record),
	{}
};

struct kunit_suite ktap_probe_suite = {
	.name = "ktap_probe",
	.test_cases = probe_cases,
};
