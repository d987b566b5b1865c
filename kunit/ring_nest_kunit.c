// SPDX-License-Identifier: GPL-2.0
/*
 * The ring under real interrupts: a task, an hrtimer in hard interrupt context, and an
 * irq_work queued between reserve and commit write to one ring. If there is a second CPU,
 * a thread on it reads the ring.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "compat.h"
#include "ring_rig.h"
#include "suites.h"

#define RUN_MS 1500
#define TICK_NS 50000
#define WRITES_MIN 100U
#define ROUNDS_MIN 10ULL
#define RUNS_MAX 20

enum { TASK, TIMER, WORK };

/**
 * struct storm - a run with all writers
 * @rig: ring
 * @timer: interrupts the task at any instruction
 * @work: interrupts it between reserve and commit
 * @seq: next number of each writer; not incremented for a record that does not fit
 * @refused: failed reservations of each writer
 * @pause: makes the reader wait, so that the ring fills
 * @stop: the writers are done
 * @seen: result of the reader
 * @read: the reader is done
 * @nested: the timer interrupted a writer
 */
struct storm {
	struct rig *rig;
	struct hrtimer timer;
	struct irq_work work;
	u32 seq[RIG_WRITERS];
	u64 refused[RIG_WRITERS];
	bool pause;
	bool stop;
	struct rig_seen seen;
	struct completion read;
	u64 nested;
};

static void storm_write(struct storm *s, u32 writer)
{
	if (rig_write(s->rig, writer, s->seq[writer], s->seq[writer] % 6))
		s->seq[writer]++;
	else
		s->refused[writer]++;
}

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	struct storm *s = container_of(timer, struct storm, timer);

	s->nested += READ_ONCE(s->rig->ring.nest) > 0;
	storm_write(s, TIMER);
	storm_write(s, TIMER);
	hrtimer_forward_now(timer, ns_to_ktime(TICK_NS));
	return HRTIMER_RESTART;
}

static void on_work(struct irq_work *work)
{
	storm_write(container_of(work, struct storm, work), WORK);
}

/* Keeps the task's record reserved while irq_work and timer write. */
static void write_interrupted(struct storm *s)
{
	void *p;

	preempt_disable();
	p = rig_reserve(s->rig, s->seq[TASK] % 4);
	irq_work_queue(&s->work);
	if (ktap_ring_failed(p))
		s->refused[TASK]++;
	else
		rig_fill(p, TASK, s->seq[TASK]++);
	ktap_ring_commit(&s->rig->ring);
	preempt_enable();
}

static void read_once(struct storm *s, u64 *pos)
{
	rig_read(s->rig, pos, rig_head(s->rig), &s->seen);
	smp_store_release(&s->rig->cons->tail, *pos); /* C */
}

static int reader(void *data)
{
	struct storm *s = data;
	u64 pos = 0;

	while (!READ_ONCE(s->stop)) {
		if (!READ_ONCE(s->pause))
			read_once(s, &pos);
		cond_resched();
	}
	smp_rmb(); /* stop before head; pairs with storm_run() */
	read_once(s, &pos);
	complete(&s->read);
	return 0;
}

static void start_reader(struct kunit *test, struct storm *s)
{
	struct task_struct *t = kthread_create(reader, s, "ktap_kunit");
	unsigned int cpu;

	KUNIT_ASSERT_FALSE(test, IS_ERR(t));
	for_each_online_cpu(cpu)
		if (cpu != smp_processor_id()) {
			kthread_bind(t, cpu);
			break;
		}
	wake_up_process(t);
}

/* Otherwise the first of two writers in a turn would fill the ring alone. */
static void let_reader_catch_up(struct storm *s)
{
	while (rig_head(s->rig) - READ_ONCE(s->rig->cons->tail) > RIG_SIZE / 4)
		usleep_range(20, 50);
}

static u64 refusals(const struct storm *s)
{
	return s->refused[TASK] + s->refused[TIMER] + s->refused[WORK];
}

/* Whether each case occurred often enough, however busy the machine is. */
static bool storm_seen_enough(const struct storm *s, bool with_reader)
{
	if (s->seq[TIMER] <= WRITES_MIN || s->seq[WORK] <= WRITES_MIN)
		return false;
	return with_reader ? refusals(s) > 0 :
			     rig_head(s->rig) > ROUNDS_MIN * RIG_SIZE;
}

/*
 * Three phases: the ring has space, the reader is late, the reader does not read. Repeats
 * them until storm_seen_enough().
 */
static void storm_rage(struct storm *s, bool with_reader)
{
	unsigned long round = msecs_to_jiffies(RUN_MS), begin = jiffies;
	unsigned long past = 0, phase;
	u32 n = 0;

	while (past < round || (!storm_seen_enough(s, with_reader) &&
				past < RUNS_MAX * round)) {
		phase = past % round;
		WRITE_ONCE(s->pause, phase > round * 2 / 3);
		write_interrupted(s);
		if (with_reader && !(++n % 32) && phase < round / 3)
			let_reader_catch_up(s);
		cond_resched();
		past = jiffies - begin;
	}
}

static void storm_run(struct kunit *test, struct storm *s, bool with_reader)
{
	init_completion(&s->read);
	init_irq_work(&s->work, on_work);
	ktap_hrtimer_setup(&s->timer, on_timer, HRTIMER_MODE_REL_PINNED_HARD);
	migrate_disable();
	if (with_reader)
		start_reader(test, s);
	hrtimer_start(&s->timer, ns_to_ktime(TICK_NS),
		      HRTIMER_MODE_REL_PINNED_HARD);
	storm_rage(s, with_reader);
	hrtimer_cancel(&s->timer);
	irq_work_sync(&s->work);
	migrate_enable();
	smp_wmb(); /* the last head before stop; pairs with reader() */
	WRITE_ONCE(s->stop, true);
	if (with_reader)
		wait_for_completion(&s->read);
	KUNIT_EXPECT_EQ(test, s->rig->ring.nest, 0U);
	rig_check_guards(test, s->rig);
	kunit_info(test, "task %u, timer %u, irq_work %u records; %llu timers interrupted a writer",
		   s->seq[TASK], s->seq[TIMER], s->seq[WORK], s->nested);
}

static struct storm *storm_create(struct kunit *test, bool overwrite)
{
	struct storm *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, s);
	s->rig = rig_create(test, overwrite);
	return s;
}

static void nested_writers_keep_oldest(struct kunit *test)
{
	struct storm *s = storm_create(test, false);
	u64 written, refused;

	storm_run(test, s, true);
	written = (u64)s->seq[TASK] + s->seq[TIMER] + s->seq[WORK];
	refused = refusals(s);
	KUNIT_EXPECT_GT(test, s->seq[TIMER], WRITES_MIN);
	KUNIT_EXPECT_GT(test, s->seq[WORK], WRITES_MIN);
	KUNIT_EXPECT_GT(test, refused, 0ULL);
	KUNIT_EXPECT_EQ(test, s->seen.records, written);
	KUNIT_EXPECT_EQ(test, s->seen.bad, 0ULL);
	KUNIT_EXPECT_EQ(test, s->seen.gaps, 0ULL);
	KUNIT_EXPECT_EQ(test, s->seen.backwards, 0ULL);
	KUNIT_EXPECT_EQ_MSG(test, s->seen.lost + READ_ONCE(s->rig->ring.lost),
			    refused, "losses told, and not told yet");
}

static void nested_writers_overwrite(struct kunit *test)
{
	struct storm *s = storm_create(test, true);
	struct rig_seen *seen = &s->seen;
	u64 head, pos;

	storm_run(test, s, false);
	/* on a busy machine the timer may have overwritten all records of the task */
	preempt_disable();
	storm_write(s, TASK);
	preempt_enable();
	head = rig_head(s->rig);
	KUNIT_EXPECT_EQ(test, head, READ_ONCE(s->rig->ring.prod->reserve));
	KUNIT_EXPECT_GT(test, head, ROUNDS_MIN * RIG_SIZE);
	pos = ALIGN(head - RIG_SIZE, RIG_SUBBUF);
	rig_read(s->rig, &pos, head, seen);
	KUNIT_EXPECT_EQ(test, seen->bad, 0ULL);
	KUNIT_EXPECT_LE_MSG(test, seen->gaps, (u64)RIG_WRITERS,
			    "each writer's first record may have any number");
	KUNIT_EXPECT_EQ(test, seen->backwards, 0ULL);
	KUNIT_EXPECT_EQ(test, seen->next[TASK], s->seq[TASK]);
}

static struct kunit_case nest_cases[] = {
	KUNIT_CASE_SLOW(nested_writers_keep_oldest),
	KUNIT_CASE_SLOW(nested_writers_overwrite),
	{}
};

struct kunit_suite ktap_ring_nest_suite = {
	.name = "ktap_ring_nest",
	.test_cases = nest_cases,
};
