// SPDX-License-Identifier: GPL-2.0
/*
 * What the module's writer puts into a ring, as the tool's own reader and
 * decoder understand it.
 * needs: kmod/hit/ring.c user/tests/kring/rig.c user/tests/kring/single.c
 * needs: user/tests/kring/decoded.c
 */
#include "kring/decoded.h"
#include "kring/single.h"

#define SECOND	3000000000ULL	/* ticks of a fast counter */

static struct decoded decoded;

static int setup(void **state)
{
	single_setup(state);
	env_world.mono_offset = 0;
	env_world.clock = 7 * SECOND;
	decoded_init(&decoded, &rig, NULL);
	return 0;
}

#define DECODE_TEST(fn) \
	cmocka_unit_test_setup_teardown(fn, setup, single_teardown)

/* Of the right time and the right task, each; in front of it what was lost. */
static void decode_all(u64 events, u64 lost)
{
	const char *problem = decoded_read(&decoded);

	if (problem)
		fail_msg("record %llu: %s", decoded.serial, problem);
	assert_int_equal(decoded.events, events);
	assert_int_equal(decoded.lost, lost);
}

static u64 fill_up(void)
{
	u64 n = 0;

	while (!put(104))
		n++;
	return n;
}

/* A ring that was full, an idle second, and there is room. */
static void test_losses_after_an_idle_second(void **state)
{
	u64 n;

	/* from here on it is full in the middle of a sub-buffer */
	put_ok(104);
	decode_all(1, 0);
	n = 1 + fill_up();
	assert_int_not_equal(rig.prod->head % SUBBUF, 0);
	decode_all(n, 0);
	env_world.clock += SECOND;
	put_ok(104);
	decode_all(n + 1, 1);
}

/* The same in the middle of a sub-buffer, where a far time is a record. */
static void test_losses_in_the_middle_after_an_idle_second(void **state)
{
	put_ok(72);
	assert_int_equal(put(SUBBUF), KTAP_RING_BIG);
	env_world.clock += SECOND;
	put_ok(72);
	decode_all(2, 1);
	assert_int_equal(put(SUBBUF), KTAP_RING_BIG);
	env_world.clock += SECOND;
	env_set_task(2, 2, "another");
	put_ok(72);
	decode_all(3, 2);
}

struct times {
	u64 decoded[8];
	unsigned int nr;
};

static void keep_time(void *ctx, u32 id, u64 time)
{
	struct times *t = ctx;

	assert_true(t->nr < ARRAY_SIZE(t->decoded));
	assert_int_equal(id, KTAP_REC_TASK);
	t->decoded[t->nr++] = time;
}

/* What no decoder of ours looks at is right, too: the time of a task's record. */
static void test_another_task_after_an_idle_second(void **state)
{
	struct times times = {};
	u64 before;

	reader.state = keep_time;
	reader.ctx = &times;
	reader.event = NULL;
	rig.quick = true;
	put_ok(72);
	env_world.clock += SECOND;
	before = env_world.clock;
	env_set_task(2, 2, "another");
	put_ok(72);
	read_all();
	assert_int_equal(times.nr, 1);
	assert_in_range(times.decoded[0], before, env_world.clock);
}

/* After a sleep of the machine the counter starts at 0, and the clock goes on. */
static void test_a_counter_that_begins_anew(void **state)
{
	u64 far = env_world.clock - 100;

	put_ok(72);
	decode_all(1, 0);
	env_world.clock -= far;
	env_world.mono_offset += far + SECOND;
	decoded.mono_offset = env_world.mono_offset;
	put_ok(72);
	put_ok(72);
	env_world.clock += SECOND;
	put_ok(72);
	decode_all(4, 0);
}

/* Of every size, between hits; and lost marks count as lost records. */
static void test_marks(void **state)
{
	char text[ALIGN(KTAP_MARK_MAX, 8)];
	u64 n;

	put_ok(72);
	for (u32 size = 1; size <= KTAP_MARK_MAX; size++) {
		memset(text, 0, sizeof(text));
		memset(text, 'a' + size % 26, size);
		env_world.clock += SECOND;
		assert_true(ktap_ring_mark(&rig.ring, text, size));
		assert_null(decoded_read(&decoded));
		assert_int_equal(decoded.marks, size);
		assert_string_equal(decoded.mark, text);
		assert_int_equal(decoded.cursor.event.mono, env_world.clock);
		assert_int_equal(decoded.cursor.event.tid, env_world.tid);
	}
	decode_all(1, 0);
	n = fill_up();
	assert_false(ktap_ring_mark(&rig.ring, text, KTAP_MARK_MAX));
	decode_all(n + 1, 0);
	put_ok(72);
	decode_all(n + 2, 2);
	assert_int_equal(decoded.marks, KTAP_MARK_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DECODE_TEST(test_losses_after_an_idle_second),
		DECODE_TEST(test_losses_in_the_middle_after_an_idle_second),
		DECODE_TEST(test_another_task_after_an_idle_second),
		DECODE_TEST(test_a_counter_that_begins_anew),
		DECODE_TEST(test_marks),
	};

	return cmocka_run_group_tests_name("kring_decode", tests, NULL, NULL);
}
