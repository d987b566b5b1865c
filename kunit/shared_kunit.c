// SPDX-License-Identifier: GPL-2.0
/* Several probes at one address, which share a kprobe: who is hit, and when. */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/percpu.h>
#include <linux/rculist.h>

#include "backend/kprobe.h"
#include "backend/shared_kprobe.h"
#include "core/arming.h"
#include "core/attach.h"
#include "hit/hit.h"
#include "hit/program.h"
#include "insn.h"
#include "suites.h"

#define NR 3
#define CALLS 7
#define ROUNDS 64

/* What shared_kprobe.c checks that it is called under. */
struct ktap_arming ktap_kernel_arming = {
	.lock = __MUTEX_INITIALIZER(ktap_kernel_arming.lock),
};

/**
 * struct probe - a probe that only counts
 * @k: probe
 * @attach: its only attachment
 * @prog: program
 */
struct probe {
	struct ktap_kprobe k;
	struct ktap_attach attach;
	struct ktap_prog *prog;
};

/* struct bench - probes of target(), none of which is at its place yet */
struct bench {
	struct probe probes[NR];
};

static noinline int target(int n)
{
	barrier_data(&n);
	return n + 1;
}

static noinline int outer(int n)
{
	barrier_data(&n);
	return n + 2;
}

static void call(int nr)
{
	while (nr--)
		target(nr);
}

static u64 hits(const struct probe *p)
{
	unsigned int cpu;
	u64 sum = 0;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(p->attach.cell, cpu)->hits);
	return sum;
}

static void probe_init(struct kunit *test, struct probe *p)
{
	enum ktap_refusal why;
	u32 at;

	p->prog = ktap_prog_create(PROGRAM(END()), PROGRAM_LEN(END()), NULL, &why, &at);
	KUNIT_ASSERT_FALSE(test, IS_ERR(p->prog));
	ktap_site_init(&p->k.p.site, 1, p->prog);
	p->k.p.addr = (unsigned long)target;
	p->attach.cell = alloc_percpu(struct ktap_cell);
	KUNIT_ASSERT_NOT_NULL(test, p->attach.cell);
	p->attach.self = KTAP_NO_TGID;
	p->attach.silent = true;
	list_add_rcu(&p->attach.in_probe, &p->k.p.site.attached);
	ktap_site_changed(&p->k.p.site);
}

static struct bench *bench_create(struct kunit *test)
{
	struct bench *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, b);
	for (i = 0; i < NR; i++)
		probe_init(test, &b->probes[i]);
	mutex_lock(&ktap_kernel_arming.lock);
	return b;
}

static void bench_free(struct kunit *test, struct bench *b)
{
	int i;

	mutex_unlock(&ktap_kernel_arming.lock);
	for (i = 0; i < NR; i++) {
		KUNIT_EXPECT_NULL(test, b->probes[i].k.shared);
		free_percpu(b->probes[i].attach.cell);
		ktap_prog_destroy(b->probes[i].prog);
	}
}

static int join(struct bench *b, int i)
{
	return ktap_shared_kprobe_join(&b->probes[i].k, (unsigned long)target);
}

static int arm(struct bench *b, int i)
{
	return ktap_shared_kprobe_arm(&b->probes[i].k);
}

static void disarm(struct bench *b, int i)
{
	ktap_shared_kprobe_disarm(&b->probes[i].k);
}

static void leave(struct bench *b, int i)
{
	struct ktap_probe *p = &b->probes[i].k.p;

	ktap_shared_kprobe_leave(&p, 1);
}

/* Calls the function; exactly the probes whose bits are in @mask are hit. */
static void expect_hit(struct kunit *test, struct bench *b, unsigned int mask)
{
	u64 before[NR];
	int i;

	for (i = 0; i < NR; i++)
		before[i] = hits(&b->probes[i]);
	call(CALLS);
	for (i = 0; i < NR; i++)
		KUNIT_EXPECT_EQ_MSG(test, hits(&b->probes[i]) - before[i],
				    mask & BIT(i) ? CALLS : 0ULL, "probe %d, mask %x", i, mask);
}

/* ---- tests ----------------------------------------------------------------- */

static void shared_serves_those_that_are_armed(struct kunit *test)
{
	struct bench *b = bench_create(test);
	unsigned int mask, armed = 0;
	int i;

	for (i = 0; i < NR; i++) {
		KUNIT_ASSERT_EQ(test, join(b, i), 0);
		expect_hit(test, b, 0);
	}
	for (i = 1; i < NR; i++)
		KUNIT_EXPECT_PTR_EQ(test, b->probes[i].k.shared, b->probes[0].k.shared);
	/* one changes at a time */
	for (mask = 0; mask < 2 << NR; mask++) {
		i = __ffs(mask + 1) % NR;
		armed ^= BIT(i);
		if (armed & BIT(i))
			KUNIT_EXPECT_EQ(test, arm(b, i), 0);
		else
			disarm(b, i);
		expect_hit(test, b, armed);
		KUNIT_EXPECT_EQ(test, kprobe_disabled(&b->probes[0].k.shared->kp), !armed);
	}
	for (i = 0; i < NR; i++)
		leave(b, i);
	expect_hit(test, b, 0);
	bench_free(test, b);
}

/* Joins and arms all in one order, and takes them away in another. */
static void come_and_go(struct kunit *test, struct bench *b, const int *come,
			const int *go)
{
	unsigned int armed = 0;
	int i;

	for (i = 0; i < NR; i++) {
		KUNIT_ASSERT_EQ(test, join(b, come[i]), 0);
		KUNIT_ASSERT_EQ(test, arm(b, come[i]), 0);
		armed |= BIT(come[i]);
		expect_hit(test, b, armed);
	}
	for (i = 0; i < NR; i++) {
		leave(b, go[i]);
		armed &= ~BIT(go[i]);
		expect_hit(test, b, armed);
	}
}

static void shared_is_left_in_any_order(struct kunit *test)
{
	static const int orders[][NR] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
	};
	struct bench *b = bench_create(test);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(orders); i++)
		come_and_go(test, b, orders[0], orders[i]);
	bench_free(test, b);
}

static void shared_is_left_by_several_at_once(struct kunit *test)
{
	struct bench *b = bench_create(test);
	struct ktap_probe *first[] = { &b->probes[0].k.p, &b->probes[1].k.p };
	struct ktap_probe *all[NR];
	int i;

	for (i = 0; i < NR; i++) {
		KUNIT_ASSERT_EQ(test, join(b, i), 0);
		KUNIT_ASSERT_EQ(test, arm(b, i), 0);
		all[i] = &b->probes[i].k.p;
	}
	ktap_shared_kprobe_leave(first, ARRAY_SIZE(first));
	expect_hit(test, b, BIT(2));
	for (i = 0; i < 2; i++)
		KUNIT_ASSERT_EQ(test, join(b, i), 0);
	expect_hit(test, b, BIT(2));
	KUNIT_EXPECT_EQ(test, arm(b, 0), 0);
	expect_hit(test, b, BIT(0) | BIT(2));
	ktap_shared_kprobe_leave(all, NR);
	expect_hit(test, b, 0);
	ktap_shared_kprobe_leave(all, NR); /* they have left already */
	bench_free(test, b);
}

/* As a symbol, whose address is known only when a kprobe has been registered. */
static void shared_is_found_when_the_address_is_known_late(struct kunit *test)
{
	struct bench *b = bench_create(test);

	KUNIT_ASSERT_EQ(test, ktap_shared_kprobe_join(&b->probes[1].k, 0), 0);
	KUNIT_ASSERT_EQ(test, join(b, 0), 0);
	KUNIT_ASSERT_EQ(test, ktap_shared_kprobe_join(&b->probes[2].k, 0), 0);
	KUNIT_EXPECT_PTR_EQ(test, b->probes[1].k.shared, b->probes[0].k.shared);
	KUNIT_EXPECT_PTR_EQ(test, b->probes[2].k.shared, b->probes[0].k.shared);
	KUNIT_EXPECT_EQ(test, arm(b, 2), 0);
	expect_hit(test, b, BIT(2));
	leave(b, 1);
	leave(b, 2);
	leave(b, 0);
	bench_free(test, b);
}

static void shared_refuses_what_the_kernel_refuses(struct kunit *test)
{
	struct bench *b = bench_create(test);
	struct ktap_kprobe *k = &b->probes[0].k;

	KUNIT_EXPECT_NE(test, ktap_shared_kprobe_join(k, (unsigned long)b), 0);
	KUNIT_EXPECT_NULL(test, k->shared);
	KUNIT_ASSERT_EQ(test, join(b, 0), 0);
	KUNIT_ASSERT_EQ(test, join(b, 1), 0);
	KUNIT_EXPECT_EQ(test, arm(b, 1), 0);
	KUNIT_EXPECT_NE(test, ktap_shared_kprobe_move(k, (unsigned long)b), 0);
	KUNIT_EXPECT_EQ(test, arm(b, 0), 0);
	expect_hit(test, b, BIT(0) | BIT(1)); /* it is where it was */
	leave(b, 0);
	expect_hit(test, b, BIT(1));
	leave(b, 1);
	bench_free(test, b);
}

static void shared_lets_one_move(struct kunit *test)
{
	struct bench *b = bench_create(test);
	int i;

	for (i = 0; i < NR; i++)
		KUNIT_ASSERT_EQ(test, join(b, i), 0);
	KUNIT_ASSERT_EQ(test, arm(b, 1), 0);
	KUNIT_ASSERT_EQ(test, ktap_shared_kprobe_move(&b->probes[0].k,
						      (unsigned long)outer), 0);
	KUNIT_ASSERT_EQ(test, arm(b, 0), 0);
	expect_hit(test, b, BIT(1));
	outer(0);
	KUNIT_EXPECT_EQ(test, hits(&b->probes[0]), 1ULL);
	KUNIT_EXPECT_EQ(test, hits(&b->probes[1]), (u64)CALLS);
	for (i = 0; i < NR; i++)
		leave(b, i);
	bench_free(test, b);
}

/* ---- what the kernel misses ------------------------------------------------ */

static int call_inside(struct kprobe *kp, struct pt_regs *regs)
{
	call(CALLS);
	return 0;
}
NOKPROBE_SYMBOL(call_inside);

/* Each probe counts what is missed while it is there, and has no hit. */
static void shared_counts_misses_for_each(struct kunit *test)
{
	struct kprobe inside = {
		.addr = (kprobe_opcode_t *)outer, .pre_handler = call_inside,
	};
	struct bench *b = bench_create(test);
	int i;

	KUNIT_ASSERT_EQ(test, register_kprobe(&inside), 0);
	for (i = 0; i < NR; i++) {
		KUNIT_ASSERT_EQ(test, join(b, i), 0);
		KUNIT_EXPECT_EQ(test, arm(b, i), 0);
		outer(0);
	}
	leave(b, 0);
	outer(0);
	leave(b, 1);
	leave(b, 2);
	unregister_kprobe(&inside);
	for (i = 0; i < NR; i++)
		KUNIT_EXPECT_EQ(test, hits(&b->probes[i]), 0ULL);
	KUNIT_EXPECT_EQ(test, b->probes[0].k.missed_before, 3ULL * CALLS);
	KUNIT_EXPECT_EQ(test, b->probes[1].k.missed_before, 3ULL * CALLS);
	KUNIT_EXPECT_EQ(test, b->probes[2].k.missed_before, 2ULL * CALLS);
	bench_free(test, b);
}

/* ---- changes under fire ---------------------------------------------------- */

/* Return: its number of calls. */
static int call_until_stopped(void *unused)
{
	int n = 0;

	while (!kthread_should_stop()) {
		call(CALLS);
		n += CALLS;
		/* kprobes wait for tasks that sleep now and then (synchronize_rcu_tasks()) */
		usleep_range(20, 50);
	}
	return n;
}

/* Two probes join and leave, armed and not. */
static void disturb(struct kunit *test, struct bench *b)
{
	int i, other;

	for (i = 0; i < ROUNDS; i++) {
		other = i & 1;
		KUNIT_ASSERT_EQ(test, join(b, other), 0);
		if (i & 2)
			KUNIT_EXPECT_EQ(test, arm(b, other), 0);
		if (i & 4)
			disarm(b, other);
		if (i & 8)
			msleep(20);
		leave(b, other);
	}
}

/* A probe loses no hit while others join and leave. */
static void shared_loses_no_hit(struct kunit *test)
{
	struct bench *b = bench_create(test);
	struct task_struct *t[2];
	u64 calls = 0;
	size_t i;

	/* the last one; it becomes the first and the only one each time */
	KUNIT_ASSERT_EQ(test, join(b, 0), 0);
	KUNIT_ASSERT_EQ(test, join(b, 2), 0);
	KUNIT_ASSERT_EQ(test, arm(b, 2), 0);
	for (i = 0; i < ARRAY_SIZE(t); i++) {
		t[i] = kthread_run(call_until_stopped, NULL, "ktap_shared");
		KUNIT_ASSERT_FALSE(test, IS_ERR(t[i]));
	}
	leave(b, 0);
	disturb(test, b);
	for (i = 0; i < ARRAY_SIZE(t); i++)
		calls += kthread_stop(t[i]);
	KUNIT_EXPECT_GT(test, calls, 0ULL);
	KUNIT_EXPECT_EQ(test, hits(&b->probes[2]), calls);
	leave(b, 2);
	KUNIT_EXPECT_EQ(test, b->probes[2].k.missed_before, 0ULL);
	bench_free(test, b);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(shared_serves_those_that_are_armed),
	KUNIT_CASE(shared_is_left_in_any_order),
	KUNIT_CASE(shared_is_left_by_several_at_once),
	KUNIT_CASE(shared_is_found_when_the_address_is_known_late),
	KUNIT_CASE(shared_refuses_what_the_kernel_refuses),
	KUNIT_CASE(shared_lets_one_move),
	KUNIT_CASE(shared_counts_misses_for_each),
	KUNIT_CASE_SLOW(shared_loses_no_hit),
	{}
};

struct kunit_suite ktap_shared_suite = {
	.name = "ktap_shared",
	.test_cases = cases,
};
