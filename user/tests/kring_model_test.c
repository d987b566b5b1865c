// SPDX-License-Identifier: GPL-2.0
/*
 * A model checker of the ring. A writer is interrupted at each of its marked
 * stores, loads and barriers in turn, the interrupt at each of its own; the
 * clock jumps, forward or back, before, in and behind each of them, the task
 * changes, and so does its name. Then the tool's own reader and decoder read
 * the ring: each record has the time and the task that its writer read, in
 * order, and recorded and lost ones are all that were tried.
 *
 * make unit checks some of the jumps; with KTAP_FULL=1 in the environment all.
 * needs: kmod/hit/ring.c user/tests/kring/rig.c user/tests/kring/decoded.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kring/decoded.h"

#define SUBBUF	512U
#define BYTES	(8 * SUBBUF)
#define ID	KTAP_REC_FIRST_PROBE
#define NEVER	(~0U)
#define LEVELS	3
#define SMALL	64		/* bytes of payload: 72 in all */
#define SPAN	KTAP_RING_TIME_SPAN
#define STEP	3		/* ticks between two reads of the clock */
#define NR_WRITES 64
#define NR_TIMES 256

static struct rig rig;
static u8 fate[NR_WRITES];

/* ---- the clock --------------------------------------------------------------- */

/* struct times - what the clock gave: all times in the ring are from here */
static struct times {
	u64 now;
	u64 given[NR_TIMES];
	unsigned int nr;
} times;

static u64 tick(void)
{
	times.now += STEP;
	times.given[times.nr++ % NR_TIMES] = times.now;
	return times.now;
}

static bool was_given(u64 time)
{
	unsigned int i;

	for (i = 0; i < times.nr && i < NR_TIMES; i++)
		if (times.given[i] == time)
			return true;
	return false;
}

/* ---- what varies --------------------------------------------------------------- */

enum what { RECORD, LOSS, NOTHING };

/* What the interrupt does to the name of the task. */
enum name { SAME_NAME, OTHER_NAME, OTHER_NAME_FOR_A_WHILE };

/**
 * struct irq - an interrupt
 * @what: is written
 * @name: what becomes of the task's
 */
static const struct irq {
	enum what what;
	enum name name;
} irqs[] = {
	{ RECORD, SAME_NAME },
	{ RECORD, OTHER_NAME_FOR_A_WHILE },
	{ LOSS, SAME_NAME },
	{ NOTHING, SAME_NAME },
	{ RECORD, OTHER_NAME },
};

static const struct task {
	u32 tid;
	const char *comm;
} tasks[] = {
	{ 1, "test" },			/* the one that wrote last */
	{ 2, "other" },			/* one that was told */
	{ 3, "new" },
	{ 1, "renamed" },
	{ 1 + KTAP_NR_TOLD, "test" },	/* has the place of another */
};

/* From the last full time to the first record. */
static const u64 distances[] = {
	40, SPAN, -(4 * SPAN), SPAN - 1, 2 * SPAN + 5, -5, SPAN + 1, -SPAN,
};

/* At the start of an interrupt, at its end, and after the writer. */
struct jumps {
	u64 before;
	u64 after;
	u64 later;
};

static const struct jumps jumps[] = {
	{ 0, 0, 0 },
	{ 2 * SPAN + 7, 0, 1 },
	{ SPAN - 1000, 1000, 0 },
	{ -(4 * SPAN), 4 * SPAN, 0 },
	{ 4 * SPAN, -(4 * SPAN), 9 },
	{ -3, 0, -3 },
	{ 2 * SPAN, 2 * SPAN, -(4 * SPAN) },
};

static const u64 all_jumps[] = {
	0, SPAN - 1000, SPAN, 2 * SPAN + 7, -3, -SPAN, -(4 * SPAN),
};

/* ---- starts ---------------------------------------------------------------------- */

static void put(u32 payload)
{
	assert_true(rig.serial < NR_WRITES);
	rig_write(&rig, ID, payload);
}

static void be(const struct task *task)
{
	env_set_task(task->tid, 10 + task->tid, task->comm);
}

/* A sub-buffer that told of two tasks, with @room bytes left in it. */
static void leave(u64 room)
{
	put(SMALL);
	be(&tasks[1]);
	put(SMALL);
	be(&tasks[0]);
	put(SMALL);
	if (SUBBUF - rig.prod->head % SUBBUF != room)
		put(SUBBUF - rig.prod->head % SUBBUF - room -
		    sizeof(struct ktap_rec_head));
	assert_int_equal(SUBBUF - rig.prod->head % SUBBUF, room);
}

static void empty(void)
{
}

static void middle(void)
{
	leave(512 - 56 - 32 - 8 - 3 * 72);
}

static void room_for_one(void)
{
	leave(72);
}

static void room_for_one_with_its_time(void)
{
	leave(72 + 16);
}

static void room_for_a_name(void)
{
	leave(8);
}

static void border(void)
{
	leave(72);
	put(SMALL);
	assert_int_equal(rig.prod->head % SUBBUF, 0);
}

static void lost_before(void)
{
	middle();
	put(SUBBUF);
	put(SUBBUF);
	assert_int_equal(rig.ring.lost, 2);
}

/* Unread up to here, all around, but for @room bytes. */
static void unread(u64 room)
{
	middle();
	rig.cons.tail = rig.prod->head - BYTES + room;
	rig.ring.soft_end = 0;
}

static void full(void)
{
	unread(0);
}

static void nearly_full(void)
{
	unread(2 * 72 + 16);
}

static const struct start {
	const char *name;
	void (*prepare)(void);
	bool tail;	/* it is about the tail: not for overwrite mode */
} starts[] = {
	{ "empty ring", empty },
	{ "middle of a sub-buffer", middle },
	{ "room for one record", room_for_one },
	{ "room for one record and its time", room_for_one_with_its_time },
	{ "room for a task's name", room_for_a_name },
	{ "border", border },
	{ "lost before", lost_before },
	{ "full", full, .tail = true },
	{ "nearly full", nearly_full, .tail = true },
};

/* A prepared ring, to start from again and again. */
static struct {
	const struct start *start;
	struct rig rig;
	struct env_world world;
	struct times times;
	u8 memory[sizeof(struct ktap_ring_producer) + BYTES];
	u64 head;
} saved;

static void prepare(const struct start *start, bool overwrite, bool quick)
{
	env_reset();
	env_world.tick = tick;
	times = (struct times){ .now = 1ULL << 40 };
	be(&tasks[0]);
	memset(fate, 0, sizeof(fate));
	rig_deinit(&rig);
	rig_init(&rig, BYTES, SUBBUF, 0, overwrite);
	rig.fate = fate;
	rig.quick = quick;
	rig.wild = true;
	start->prepare();
	saved.start = start;
	saved.rig = rig;
	saved.world = env_world;
	saved.times = times;
	memcpy(saved.memory, rig.prod, sizeof(saved.memory));
	saved.head = rig.prod->head;
}

/* ---- one run ----------------------------------------------------------------------- */

/**
 * struct run - one way that things may go
 * @irq: what interrupts do
 * @task: who the first writer is
 * @distance: from the last full time to the first record
 * @jump: of the clock
 * @at: points at which interrupts come, by level
 * @level: how many have
 * @count: points passed at each level
 * @fired: whether they came
 * @nr_read: records of this run that were decoded
 * @problem: what is wrong
 */
static struct run {
	const struct irq *irq;
	const struct task *task;
	u64 distance;
	struct jumps jump;
	unsigned int at[LEVELS];
	unsigned int level;
	unsigned int count[LEVELS];
	bool fired[LEVELS];
	u64 nr_read;
	const char *problem;
} run;

static unsigned long nr_runs;

static void interrupt(void)
{
	u64 comm[2] = { env_world.comm[0], env_world.comm[1] };

	times.now += run.jump.before;
	if (run.irq->name != SAME_NAME)
		env_set_task(env_world.tid, env_world.tgid, "nested writer");
	if (run.irq->what != NOTHING)
		put(run.irq->what == LOSS ? SUBBUF : SMALL);
	if (run.irq->name == OTHER_NAME_FOR_A_WHILE)
		memcpy(env_world.comm, comm, sizeof(comm));
	times.now += run.jump.after;
}

static void on_point(void)
{
	if (run.count[run.level]++ != run.at[run.level])
		return;
	run.fired[run.level] = true;
	run.level++;
	run.count[run.level] = 0;
	interrupt();
	run.level--;
}

static void mark_read(void *ctx, u64 serial)
{
	if (serial < saved.rig.serial)
		return;
	if (serial >= rig.serial || fate[serial] != RIG_WRITTEN)
		run.problem = "record that was lost, or read before";
	else
		fate[serial] = RIG_NOT_DONE;
	run.nr_read++;
}

static void check_time(void *ctx, u32 id, u64 time)
{
	if (!was_given(time))
		run.problem = "state with a time that never was";
}

/* From the sub-buffer on in which the run began. */
static const char *read_ring(struct rig_sums *sums)
{
	static u8 copy[SUBBUF];
	static struct decoded decoded;
	struct rig_reader reader = { .state = check_time };
	u64 from = saved.head / SUBBUF * SUBBUF;
	const char *problem;

	assert_true(rig.prod->head - from <= BYTES);
	decoded_init(&decoded, &rig, rig.overwrite ? copy : NULL);
	decoded.event = mark_read;
	decoded.ring.position = from;
	reader.position = from;
	problem = decoded_read(&decoded);
	if (!problem)
		problem = rig_read(&reader, &rig);
	sums->told = decoded.lost;
	return problem ? problem : run.problem;
}

/* With the losses from before the run, which are told in it. */
static const char *account(void)
{
	struct rig_sums sums = {
		.tried = rig.serial - saved.rig.serial + saved.rig.ring.lost,
		.failed = saved.rig.ring.lost,
	};
	const char *problem = read_ring(&sums);
	u64 i;

	for (i = saved.rig.serial; i < rig.serial; i++)
		sums.failed += fate[i] == RIG_LOST;
	sums.read = run.nr_read;
	return problem ? problem : rig_account(&rig, &sums);
}

/* What is remembered is used: by the same task, and by two that were told. */
static void write_more(void)
{
	times.now += run.jump.later;
	put(SMALL);
	rig.cons.tail = rig.prod->head;
	be(&tasks[0]);
	put(SMALL);
	be(&tasks[1]);
	put(SMALL);
}

static void restore(void)
{
	rig = saved.rig;
	env_world = saved.world;
	times = saved.times;
	memcpy(rig.prod, saved.memory, sizeof(saved.memory));
	memset(fate + rig.serial, 0, sizeof(fate) - rig.serial);
	memset(run.count, 0, sizeof(run.count));
	memset(run.fired, 0, sizeof(run.fired));
	run.level = 0;
	run.nr_read = 0;
	run.problem = NULL;
}

static const char *go(void)
{
	restore();
	times.now = rig.ring.time_base + run.distance - STEP;
	if (!rig.prod->head)
		times.now = saved.times.now + run.distance;
	be(run.task);
	env_world.point = on_point;
	put(SMALL);
	env_world.point = NULL;
	nr_runs++;
	if (rig.ring.nest || rig.prod->head != rig.prod->reserve)
		return "not all is published";
	write_more();
	return account();
}

static void check(unsigned int at0, unsigned int at1)
{
	const char *problem;

	run.at[0] = at0;
	run.at[1] = at1;
	run.at[2] = NEVER;
	problem = go();
	if (problem)
		fail_msg("%s, %s%s, task %u (%s), distance %lld, interrupts at %u and %u, jumps %lld, %lld, %lld, writes %d, name %d: %s",
			 saved.start->name,
			 rig.overwrite ? "overwrite" : "keep-oldest",
			 rig.quick ? ", quick" : "", run.task->tid,
			 run.task->comm, (__s64)run.distance, at0, at1,
			 (__s64)run.jump.before, (__s64)run.jump.after,
			 (__s64)run.jump.later, run.irq->what, run.irq->name,
			 problem);
}

/* ---- all of them ------------------------------------------------------------------- */

/* Points of a lone writer; a test that found too few would test nothing. */
#define POINTS_MIN	8

static bool check_all(void)
{
	return !!getenv("KTAP_FULL");
}

static void interrupt_everywhere(void)
{
	unsigned int i = 0;

	do
		check(i++, NEVER);
	while (run.fired[0]);
	assert_true(i > POINTS_MIN);
}

static void interrupt_interrupts_everywhere(void)
{
	unsigned int i = 0, j;

	do {
		j = 0;
		do
			check(i, j++);
		while (run.fired[1]);
		i++;
	} while (run.fired[0]);
	assert_true(i > POINTS_MIN);
}

static void with_some_jumps(unsigned int nr, void (*fn)(void))
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		run.jump = jumps[i];
		fn();
	}
}

static void with_all_jumps(void (*fn)(void))
{
	const unsigned int n = ARRAY_SIZE(all_jumps);
	unsigned int i;

	for (i = 0; i < n * n * n; i++) {
		run.jump = (struct jumps){
			all_jumps[i % n], all_jumps[i / n % n],
			all_jumps[i / n / n],
		};
		fn();
	}
}

/**
 * struct bounds - how much is tried
 * @fn: for each case
 * @nr_distances: of all distances, the first
 * @nr_tasks: of all tasks
 * @nr_irqs: of all interrupts
 * @nr_jumps: of all jumps; 0: every combination
 */
struct bounds {
	void (*fn)(void);
	unsigned int nr_distances;
	unsigned int nr_tasks;
	unsigned int nr_irqs;
	unsigned int nr_jumps;
};

static void from_start(const struct bounds *b)
{
	unsigned int i, n = b->nr_distances * b->nr_tasks * b->nr_irqs;

	for (i = 0; i < n; i++) {
		run.distance = distances[i % b->nr_distances];
		run.task = &tasks[i / b->nr_distances % b->nr_tasks];
		run.irq = &irqs[i / b->nr_distances / b->nr_tasks];
		if (b->nr_jumps)
			with_some_jumps(b->nr_jumps, b->fn);
		else
			with_all_jumps(b->fn);
	}
}

static void from_every_start(const struct bounds *b)
{
	unsigned int i, variant;

	nr_runs = 0;
	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		for (variant = 0; variant < (starts[i].tail ? 2 : 4); variant++) {
			prepare(&starts[i], variant / 2, variant % 2);
			from_start(b);
		}
	}
	rig_deinit(&rig);
	print_message("# %lu runs\n", nr_runs);
}

static void test_an_interrupt_everywhere(void **state)
{
	static const struct bounds some = {
		interrupt_everywhere, 4, ARRAY_SIZE(tasks), ARRAY_SIZE(irqs),
		ARRAY_SIZE(jumps),
	};
	static const struct bounds all = {
		interrupt_everywhere, ARRAY_SIZE(distances), ARRAY_SIZE(tasks),
		ARRAY_SIZE(irqs), 0,
	};

	from_every_start(check_all() ? &all : &some);
}

static void test_an_interrupt_in_every_interrupt(void **state)
{
	static const struct bounds some = {
		interrupt_interrupts_everywhere, 2, 3, 1, 4,
	};
	static const struct bounds all = {
		interrupt_interrupts_everywhere, 4, ARRAY_SIZE(tasks),
		ARRAY_SIZE(irqs), ARRAY_SIZE(jumps),
	};

	from_every_start(check_all() ? &all : &some);
}

/* The clock does anything between any two reads, without an interrupt. */
static void test_distances(void **state)
{
	static const struct bounds every = {
		interrupt_everywhere, ARRAY_SIZE(distances), ARRAY_SIZE(tasks),
		1, 1,
	};

	from_every_start(&every);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_distances),
		cmocka_unit_test(test_an_interrupt_everywhere),
		cmocka_unit_test(test_an_interrupt_in_every_interrupt),
	};

	return cmocka_run_group_tests_name("kring_model", tests, NULL, NULL);
}
