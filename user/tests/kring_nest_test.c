// SPDX-License-Identifier: GPL-2.0
/*
 * Writers of the ring that interrupt each other: every scenario is run again
 * for every point at which an interrupt may come, for every pair of points,
 * and for every point of the interrupt itself. At each point a reader on
 * another CPU looks at all that is published.
 * needs: kmod/hit/ring.c user/tests/kring/rig.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kring/rig.h"

#define SUBBUF	1024U
#define BYTES	(4 * SUBBUF)
#define ID	KTAP_REC_FIRST_PROBE
#define NEVER	(~0U)
#define LEVELS	3

static struct rig rig;

/*
 * struct irq - when interrupts come
 * @depth: how many have
 * @count: points passed at each depth
 * @at: point at which the next one comes, by depth
 * @again: point of the outermost writer at which a second one comes
 * @phase: shifts the sizes of what is written
 * @head: the highest head seen
 * @problem: what the reader on the other CPU found
 */
static struct {
	unsigned int depth;
	unsigned int count[LEVELS];
	unsigned int at[LEVELS];
	unsigned int again;
	bool fired[LEVELS];
	unsigned int phase;
	u64 head;
	const char *problem;
} irq;

/* What became of each record, by serial: enum rig_fate, or that it was read. */
#define READ	(RIG_LOST + 1)

static u8 fate[512];

/* Every third record is too big, so that nested writers fail, too. */
static u32 next_size(void)
{
	static const u32 payloads[] = { 64, 128, SUBBUF };

	return payloads[(rig.serial + irq.phase) % 3];
}

static void put(u32 payload)
{
	assert_true(rig.serial < ARRAY_SIZE(fate));
	rig_write(&rig, ID + irq.depth, payload);
}

static void look(void)
{
	const char *problem;

	if (rig.prod->head == irq.head)
		return;
	problem = rig_glance(&rig);
	if (rig.prod->head < irq.head)
		problem = "head goes back";
	irq.head = rig.prod->head;
	if (problem && !irq.problem)
		irq.problem = problem;
}

static void on_point(void)
{
	unsigned int depth = irq.depth, n = irq.count[depth]++;

	look();
	if (n != irq.at[depth] && (depth || n != irq.again))
		return;
	irq.fired[depth] = true;
	irq.depth++;
	irq.count[irq.depth] = 0;
	put(next_size());
	irq.depth--;
	look();
}

/* ---- scenarios --------------------------------------------------------------- */

/* Records until @room bytes of the sub-buffer are left. */
static void fill_to(u64 room)
{
	u64 left;

	put(64);
	while ((left = SUBBUF - rig.prod->head % SUBBUF) != room) {
		u64 size = left - room;

		if (size > 144)
			size = size < 216 ? 72 : 144;
		put(size - sizeof(struct ktap_rec_head));
	}
}

static void nothing(void)
{
}

static void middle(void)
{
	fill_to(SUBBUF / 2);
}

static void last_bytes(void)
{
	fill_to(40);
}

static void border(void)
{
	fill_to(72);
	put(64);
	assert_int_equal(rig.prod->head, SUBBUF);
}

static void other_task(void)
{
	middle();
	env_set_task(2, 2, "other");
}

static void known_task(void)
{
	other_task();
	put(64);
	env_set_task(1, 1, "test");
}

/* Room for its record, and not for what follows. */
static void known_task_at_the_end(void)
{
	known_task();
	fill_to(40);
	env_set_task(2, 2, "other");
}

/* Its place is another's now. */
static void task_that_was_displaced(void)
{
	middle();
	env_set_task(1 + KTAP_NR_TOLD, 2, "test");
	put(64);
	env_set_task(1, 1, "test");
}

static void far_time(void)
{
	middle();
	env_world.clock += 1ULL << 31;
}

static void racing_clock(void)
{
	env_world.step = 1ULL << 30;
	middle();
}

/* What is read so far goes; the sub-buffer that is written to stays. */
static void reader_takes_all(void)
{
	rig.cons.tail = rig.prod->head;
}

static void lost_before(void)
{
	middle();
	rig.cons.tail = rig.prod->head - BYTES;
	rig.ring.soft_end = 0;
	put(64);
	put(64);
	assert_int_equal(rig.ring.lost, 2);
	rig.cons.tail = 0;
}

static void all_at_once(void)
{
	lost_before();
	env_world.clock += 1ULL << 31;
	env_set_task(2, 2, "other");
}

/* Room for two records and not for three. */
static void nearly_full(void)
{
	middle();
	rig.cons.tail = rig.prod->head - BYTES + 160;
}

static void full(void)
{
	middle();
	rig.cons.tail = rig.prod->head - BYTES;
}

static void laps(void)
{
	while (rig.prod->head < 3 * BYTES) {
		put(128);
		reader_takes_all();
	}
	reader_takes_all();
}

static void laps_to_the_last_bytes(void)
{
	laps();
	while (SUBBUF - rig.prod->head % SUBBUF >= 72) {
		put(64);
		reader_takes_all();
	}
}

static const struct scenario {
	const char *name;
	void (*prepare)(void);
	bool tail;	/* it is about the tail: not for overwrite mode */
} scenarios[] = {
	{ "empty ring", nothing },
	{ "middle of a sub-buffer", middle },
	{ "last bytes of a sub-buffer", last_bytes },
	{ "border", border },
	{ "another task", other_task },
	{ "a known task", known_task },
	{ "a known task at the end", known_task_at_the_end },
	{ "a task that was displaced", task_that_was_displaced },
	{ "far time", far_time },
	{ "racing clock", racing_clock },
	{ "lost before", lost_before, .tail = true },
	{ "lost, far and another task", all_at_once, .tail = true },
	{ "nearly full", nearly_full, .tail = true },
	{ "full", full, .tail = true },
	{ "laps", laps },
	{ "laps to the last bytes", laps_to_the_last_bytes },
};

/* ---- one run ------------------------------------------------------------------ */

/* A prepared ring, to start from again and again. */
static struct {
	struct rig rig;
	struct env_world world;
	u8 memory[sizeof(struct ktap_ring_producer) + BYTES];
	u64 head;
	u64 writes;
	u64 lost;
} start;

static void prepare(const struct scenario *s, bool overwrite, bool quick)
{
	u64 i;

	env_reset();
	env_set_task(1, 1, "test");
	env_world.step = 1;
	memset(&irq, 0, sizeof(irq));
	memset(fate, 0, sizeof(fate));
	rig_deinit(&rig);
	rig_init(&rig, BYTES, SUBBUF, 0, overwrite);
	rig.fate = fate;
	rig.quick = quick;
	s->prepare();
	start.rig = rig;
	start.world = env_world;
	memcpy(start.memory, rig.prod, sizeof(start.memory));
	start.head = rig.prod->head;
	start.writes = rig.serial;
	start.lost = 0;
	for (i = 0; i < start.writes; i++)
		start.lost += fate[i] == RIG_LOST;
}

static void begin(void)
{
	rig = start.rig;
	env_world = start.world;
	memcpy(rig.prod, start.memory, sizeof(start.memory));
	memset(fate + start.writes, 0, sizeof(fate) - start.writes);
	memset(irq.count, 0, sizeof(irq.count));
	memset(irq.fired, 0, sizeof(irq.fired));
	irq.depth = 0;
	irq.head = rig.prod->head;
	irq.problem = NULL;
}

static void mark_read(void *ctx, const struct rig_event *e)
{
	if (e->serial < start.writes)
		return;
	if (fate[e->serial] != RIG_WRITTEN)
		irq.problem = "record that was lost, or read before";
	fate[e->serial] = READ;
}

/* The whole ring is read again: nothing of this run is overwritten yet. */
static const char *account(void)
{
	struct rig_sums sums = { .tried = rig.serial - start.writes };
	struct rig_reader r = {
		.position = start.head / SUBBUF * SUBBUF,
		.event = mark_read,
	};
	u64 i;

	if (!irq.problem)
		irq.problem = rig_read(&r, &rig);
	if (irq.problem)
		return irq.problem;
	for (i = start.writes; i < rig.serial; i++) {
		sums.read += fate[i] == READ;
		sums.failed += fate[i] == RIG_LOST;
	}
	/* those before it are told in it */
	sums.tried += start.lost;
	sums.failed += start.lost;
	sums.told = r.lost;
	return rig_account(&rig, &sums);
}

static void one_run(const struct scenario *s, unsigned int at0,
		    unsigned int at1, unsigned int again)
{
	const char *problem;

	begin();
	irq.at[0] = at0;
	irq.at[1] = at1;
	irq.at[2] = NEVER;
	irq.again = again;
	env_world.point = on_point;
	put(irq.phase == 1 ? 128 : 64);
	env_world.point = NULL;
	problem = account();
	if (problem)
		fail_msg("%s, %s%s, sizes %u, interrupts at %u and %u, in it at %u: %s",
			 s->name, rig.overwrite ? "overwrite" : "keep-oldest",
			 rig.quick ? ", quick" : "",
			 irq.phase, at0, again, at1, problem);
}

/* Every scenario in every mode and with every order of sizes; how many. */
static unsigned int from_every_start(void (*run)(const struct scenario *s))
{
	const struct scenario *s = scenarios;
	unsigned int variant, runs = 0;

	for (; s < scenarios + ARRAY_SIZE(scenarios); s++) {
		for (variant = 0; variant < (s->tail ? 6 : 12); variant++) {
			prepare(s, variant >= 6, variant / 3 % 2);
			irq.phase = variant % 3;
			run(s);
			runs++;
		}
	}
	rig_deinit(&rig);
	return runs;
}

/* ---- all interleavings ---------------------------------------------------------- */

/* Points of a lone writer; a test that found too few would test nothing. */
#define POINTS_MIN	10

static void run_one_interrupt(const struct scenario *s)
{
	unsigned int i;

	for (i = 0;; i++) {
		one_run(s, i, NEVER, NEVER);
		if (!irq.fired[0])
			break;
	}
	assert_true(i >= POINTS_MIN);
}

static void test_one_interrupt_at_every_point(void **state)
{
	assert_int_equal(from_every_start(run_one_interrupt), 16 * 6 + 12 * 6);
}

static void run_two_interrupts(const struct scenario *s)
{
	unsigned int i, j, points;

	one_run(s, NEVER, NEVER, NEVER);
	points = irq.count[0];
	/* the first can make the way longer: it starts anew */
	for (i = 0; i < points; i++)
		for (j = i + 1; j < 2 * points; j++)
			one_run(s, i, NEVER, j);
}

static void test_two_interrupts_at_every_pair_of_points(void **state)
{
	from_every_start(run_two_interrupts);
}

static void run_interrupted_interrupt(const struct scenario *s)
{
	unsigned int i, j;

	for (i = 0;; i++) {
		for (j = 0;; j++) {
			one_run(s, i, j, NEVER);
			if (!irq.fired[1])
				break;
		}
		if (!irq.fired[0])
			break;
		assert_true(j >= POINTS_MIN);
	}
}

static void test_an_interrupt_in_every_interrupt(void **state)
{
	from_every_start(run_interrupted_interrupt);
}

/* ---- a storm ------------------------------------------------------------------------ */

/* Once the outermost writer fills its record: many interrupts, one by one. */
static void storm(void)
{
	unsigned int i;

	if (rig.prod->reserve == start.head)
		return;
	env_world.point = NULL;
	irq.depth++;
	for (i = 0; i < 100; i++) {
		put(64);
		look();
	}
	irq.depth--;
}

/* At a border, so that all of the ring can be read afterwards. */
static void before_the_storm(void)
{
	border();
	reader_takes_all();
}

/* However many there are, in either mode they do not lap what is unfinished. */
static void run_storm(const struct scenario *s)
{
	u64 head = rig.prod->head;
	const char *problem;

	begin();
	env_world.point = storm;
	put(128);
	assert_true(rig.prod->head > head);
	assert_true(rig.prod->head - head <= BYTES);
	assert_true(rig.ring.lost > 100 - BYTES / 72);
	problem = account();
	if (problem)
		fail_msg("%s: %s", s->name, problem);
}

static void test_a_storm_does_not_lap_an_unfinished_record(void **state)
{
	static const struct scenario s = { "storm", before_the_storm };

	unsigned int mode;

	for (mode = 0; mode < 4; mode++) {
		prepare(&s, mode & 1, mode & 2);
		run_storm(&s);
	}
	rig_deinit(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_interrupt_at_every_point),
		cmocka_unit_test(test_two_interrupts_at_every_pair_of_points),
		cmocka_unit_test(test_an_interrupt_in_every_interrupt),
		cmocka_unit_test(test_a_storm_does_not_lap_an_unfinished_record),
	};

	return cmocka_run_group_tests_name("kring_nest", tests, NULL, NULL);
}
