// SPDX-License-Identifier: GPL-2.0
/*
 * The kretprobe backend on test functions: the records of a return and of the call before
 * it, and the counts of calls.
 */
#include <linux/compiler.h>
#include <linux/slab.h>

#include "core/attach.h"
#include "core/budget.h"
#include "frame/entry.h"
#include "insn.h"
#include "backend/ftrace.h"
#include "backend/kprobe.h"
#include "backend/kretprobe.h"
#include "backend/place.h"
#include "ring_rig.h"
#include "hit/scratch.h"
#include "suites.h"

#ifdef CONFIG_X86_64
#define FIRST	KTAP_X86_64_DI
#define RETVAL	KTAP_X86_64_AX
#define PC	KTAP_X86_64_IP
#else
#define FIRST	0
#define RETVAL	0
#define PC	KTAP_ARM64_PC
#endif

#define CALLS 50
#define DEPTH 5

/* ---- what kprobe.c does for the backend in ktap.ko --------------------------- */

int ktap_kprobe_check(const struct ktap_probe_args *args,
		      struct ktap_refused *refused)
{
	return 0;
}

int ktap_kprobe_explain(int err, const struct ktap_probe_args *args,
			struct ktap_refused *refused)
{
	return err;
}

int ktap_kprobe_allowed(unsigned long addr, int attr,
			struct ktap_refused *refused)
{
	return 0;
}

void ktap_kprobe_place(struct kprobe *kp, const struct ktap_probe *p)
{
	kp->addr = (kprobe_opcode_t *)(unsigned long)p->addr;
}

int ktap_kprobe_no_site(u64 regs, struct ktap_refused *refused)
{
	return -EOPNOTSUPP;
}

const char *ktap_place_unfollowed(unsigned long addr)
{
	return NULL;
}

/* Stubs: ftrace is always enabled, and its hook serves no entry. */
#ifdef KTAP_FTRACE_FLAGS
bool ktap_ftrace_works(void)
{
	return false;
}

bool ktap_ftrace_serves(u64 regs)
{
	return false;
}

unsigned long ktap_ftrace_find_site(unsigned long addr)
{
	return 0;
}

int ktap_ftrace_arm(struct ktap_probe **probes, int nr)
{
	return -EOPNOTSUPP;
}

void ktap_ftrace_disarm(struct ktap_probe **probes, int nr)
{
}

void ktap_ftrace_wait(void)
{
}

bool ktap_ftrace_is_on(void)
{
	return true;
}

int ktap_ftrace_hold(void)
{
	return 0;
}

void ktap_ftrace_release(void)
{
}
#endif

/* ---- what is probed ------------------------------------------------------------ */

struct bench;

static u64 pending_now(const struct bench *b);

static noinline long triple(long n)
{
	barrier_data(&n);
	return 3 * n;
}

/* Calls itself @n times; returns the depth. */
static noinline long deep(long n)
{
	long below = n ? deep(n - 1) : 0;

	OPTIMIZER_HIDE_VAR(below);
	return below + 1;
}

static noinline long change(char *text)
{
	strscpy(text, "after", 8);
	return 0;
}

static noinline long look(const struct bench *b)
{
	return pending_now(b);
}

static noinline void call_triples(struct kunit *test)
{
	long i;

	for (i = 0; i < CALLS; i++)
		KUNIT_EXPECT_EQ(test, triple(i), 3 * i);
}

/* ---- the bench -------------------------------------------------------------------- */

/**
 * struct bench - a return probe without the rest of the module
 * @p: probe
 * @prog: program at the return
 * @rig: ring
 * @attach: its only attachment
 */
struct bench {
	struct ktap_probe *p;
	struct ktap_prog *prog;
	struct rig *rig;
	struct ktap_attach attach;
};

static u64 pending_now(const struct bench *b)
{
	struct ktap_returns r;

	ktap_kretprobe_backend.returns(b->p, &r);
	return r.pending;
}

static void set_ring(struct bench *b)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		per_cpu_ptr(b->attach.cell, cpu)->ring = &b->rig->ring;
}

static void make_program(struct kunit *test, struct bench *b,
			 const struct ktap_probe_args *args)
{
	enum ktap_refusal why;
	u32 at;

	b->prog = ktap_prog_create(args->insns, args->nr_insns, &args->place,
				   &why, &at);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(b->prog), "instruction %u: %s", at,
			       ktap_refusal_text(why));
	KUNIT_ASSERT_EQ(test, ktap_scratch_hold(b->prog->info.room, NULL), 0);
	ktap_site_init(&b->p->site, RIG_ID, b->prog);
}

static void attach(struct kunit *test, struct bench *b)
{
	b->attach.cell = alloc_percpu(struct ktap_cell);
	KUNIT_ASSERT_NOT_NULL(test, b->attach.cell);
	b->attach.self = KTAP_NO_TGID;
	set_ring(b);
	list_add_rcu(&b->attach.in_probe, &b->p->site.attached);
	ktap_site_changed(&b->p->site);
}

/* Probes @target with the programs in @args. */
static void bench_init(struct kunit *test, struct bench *b, void *target,
		       u32 maxactive, struct ktap_probe_args *args)
{
	*b = (struct bench){ .rig = rig_create(test, false) };
	args->maxactive = maxactive;
	args->place.is_return = true;
	b->p = kunit_kzalloc(test, ktap_kretprobe_backend.probe_size,
			     GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, b->p);
	b->p->addr = (unsigned long)target;
	make_program(test, b, args);
	attach(test, b);
	KUNIT_ASSERT_EQ(test, ktap_kretprobe_backend.add(b->p, args, NULL), 0);
	KUNIT_ASSERT_EQ(test, ktap_kretprobe_backend.load(b->p, args, NULL), 0);
	KUNIT_ASSERT_EQ(test, ktap_kretprobe_backend.arm(b->p), 0);
	/* one CPU, because the rig has one ring */
	migrate_disable();
}

static void bench_free(struct bench *b)
{
	migrate_enable();
	ktap_kretprobe_backend.unload(&b->p, 1);
	ktap_kretprobe_backend.remove(&b->p, 1);
	free_percpu(b->attach.cell);
	ktap_prog_destroy(b->prog);
	ktap_scratch_exit();
}

/* Checks an entry program as netlink does. */
static void set_entry(struct kunit *test, struct ktap_probe_args *args,
		      const struct ktap_insn *insns, u32 nr)
{
	u32 at;

	args->entry_insns = insns;
	args->nr_entry_insns = nr;
	KUNIT_ASSERT_EQ(test, ktap_verify(insns, nr, NULL, &args->entry_info,
					  &at), KTAP_REFUSE_NONE);
	args->place.entry = &args->entry_info;
}

#define SET_ENTRY(test, args, ...) \
	set_entry(test, args, PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__))
#define RETURNS(...) \
	{ .insns = PROGRAM(__VA_ARGS__), .nr_insns = PROGRAM_LEN(__VA_ARGS__) }

static void expect_calls(struct kunit *test, const struct bench *b,
			 u64 entries, u64 no_instance)
{
	struct ktap_returns r;

	ktap_kretprobe_backend.returns(b->p, &r);
	KUNIT_EXPECT_EQ(test, r.entries, entries);
	KUNIT_EXPECT_EQ(test, r.no_instance, no_instance);
	KUNIT_EXPECT_EQ(test, r.pending, 0ULL);
	KUNIT_EXPECT_EQ(test, r.too_deep, 0ULL);
}

/* ---- tests ------------------------------------------------------------------------ */

static void return_records_value_and_address(struct kunit *test)
{
	struct ktap_probe_args args = RETURNS(REG(0, RETVAL),
		STORE(0, 8, 0, NOBIT), REG(0, PC), STORE(0, 8, 8, NOBIT), END());
	struct bench b;
	long i;

	bench_init(test, &b, triple, 8, &args);
	KUNIT_EXPECT_TRUE(test, b.prog->info.simple);
	call_triples(test);
	for (i = 0; i < CALLS; i++) {
		const u64 *p = rig_payload(b.rig, i);

		KUNIT_ASSERT_NOT_NULL(test, p);
		KUNIT_EXPECT_EQ(test, p[0], 3ULL * i);
		KUNIT_EXPECT_GT(test, p[1], (u64)(unsigned long)call_triples);
		KUNIT_EXPECT_LT(test, p[1],
				(u64)(unsigned long)call_triples + 4096);
	}
	KUNIT_EXPECT_NULL(test, rig_payload(b.rig, CALLS));
	expect_calls(test, &b, CALLS, 0);
	bench_free(&b);
}

static void return_reads_what_its_own_entry_kept(struct kunit *test)
{
	struct ktap_probe_args args = RETURNS(ENTRY(0, 0, 8, NOBIT, 0),
		STORE(0, 8, 0, NOBIT), REG(0, RETVAL), STORE(0, 8, 8, NOBIT),
		END());
	struct bench b;
	long i;

	SET_ENTRY(test, &args, REG(0, FIRST), STORE(0, 8, 0, NOBIT), END());
	bench_init(test, &b, deep, 16, &args);
	KUNIT_EXPECT_EQ(test, deep(DEPTH), DEPTH + 1L);
	/* the innermost call returns first */
	for (i = 0; i <= DEPTH; i++) {
		const u64 *p = rig_payload(b.rig, i);

		KUNIT_ASSERT_NOT_NULL(test, p);
		KUNIT_EXPECT_EQ(test, p[0], (u64)i);
		KUNIT_EXPECT_EQ(test, p[1], (u64)i + 1);
	}
	expect_calls(test, &b, DEPTH + 1, 0);
	bench_free(&b);
}

static void return_reads_text_of_the_entry(struct kunit *test)
{
	struct ktap_probe_args args = RETURNS(ENTRY_STRING(0, 0), END());
	char *text = kunit_kzalloc(test, 8, GFP_KERNEL);
	const struct ktap_string *s;
	struct bench b;

	KUNIT_ASSERT_NOT_NULL(test, text);
	strscpy(text, "before", 8);
	SET_ENTRY(test, &args, REG(0, FIRST), STRING(0, 32, 0, 0), END());
	bench_init(test, &b, change, 8, &args);
	change(text);
	KUNIT_EXPECT_STREQ(test, text, "after");
	s = rig_payload(b.rig, 0);
	KUNIT_ASSERT_NOT_NULL(test, s);
	KUNIT_EXPECT_EQ(test, s->len, 7);
	KUNIT_EXPECT_STREQ(test, (const char *)(s + 1), "before");
	bench_free(&b);
}

static void return_counts_calls_that_it_cannot_follow(struct kunit *test)
{
	struct ktap_probe_args args = RETURNS(REG(0, RETVAL),
		STORE(0, 8, 0, NOBIT), END());
	struct bench b;
	const u64 *p;

	bench_init(test, &b, deep, 1, &args);
	KUNIT_EXPECT_EQ(test, deep(DEPTH), DEPTH + 1L);
	p = rig_payload(b.rig, 0);
	KUNIT_ASSERT_NOT_NULL(test, p);
	KUNIT_EXPECT_EQ_MSG(test, p[0], DEPTH + 1ULL, "the outermost one");
	KUNIT_EXPECT_NULL(test, rig_payload(b.rig, 1));
	expect_calls(test, &b, 1, DEPTH);
	bench_free(&b);
}

static void return_counts_pending_calls(struct kunit *test)
{
	struct ktap_probe_args args = RETURNS(REG(0, RETVAL),
		STORE(0, 8, 0, NOBIT), END());
	struct bench b;

	bench_init(test, &b, look, 8, &args);
	KUNIT_EXPECT_EQ(test, look(&b), 1L);
	expect_calls(test, &b, 1, 0);
	/* a disarmed probe does not follow calls */
	ktap_kretprobe_backend.disarm(b.p);
	KUNIT_EXPECT_EQ(test, look(&b), 0L);
	expect_calls(test, &b, 1, 0);
	bench_free(&b);
}

static void return_gives_its_memory_back(struct kunit *test)
{
	struct ktap_probe_args args = RETURNS(REG(0, RETVAL),
		STORE(0, 8, 0, NOBIT), END());
	u64 before = ktap_budget_used(KTAP_MEM_CALLS);
	struct bench b;

	bench_init(test, &b, triple, 8, &args);
	KUNIT_EXPECT_GT(test, ktap_budget_used(KTAP_MEM_CALLS), before);
	bench_free(&b);
	KUNIT_EXPECT_EQ(test, ktap_budget_used(KTAP_MEM_CALLS), before);
}

static struct kunit_case return_cases[] = {
	KUNIT_CASE(return_records_value_and_address),
	KUNIT_CASE(return_reads_what_its_own_entry_kept),
	KUNIT_CASE(return_reads_text_of_the_entry),
	KUNIT_CASE(return_counts_calls_that_it_cannot_follow),
	KUNIT_CASE(return_counts_pending_calls),
	KUNIT_CASE(return_gives_its_memory_back),
	{}
};

struct kunit_suite ktap_return_suite = {
	.name = "ktap_return",
	.test_cases = return_cases,
};
