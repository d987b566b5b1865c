// SPDX-License-Identifier: GPL-2.0
/*
 * State between probes: what operations of programs do, sets that are full, interrupts at
 * each moment, and threads that take what others store.
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c user/tests/fetch/run.c
 */
#include <pthread.h>
#include <stdlib.h>

#include "fetch/run.h"
#include "hit/state.h"

#define NR_SETS 4

static struct ktap_state_set sets[NR_SETS];
static const struct ktap_state table = { .sets = sets, .mask = NR_SETS - 1 };

static int setup(void **state)
{
	memset(sets, 0, sizeof(sets));
	run_setup(state);
	env_world.clock = 1000;
	env_world.step = 1;
	return 0;
}

static struct ktap_state_key key_of(u64 key)
{
	return (struct ktap_state_key){ .key = key };
}

/* Return: whether another key lost its entry. */
static bool put(u64 key, u64 value)
{
	const struct ktap_state_key k = key_of(key);
	bool replaced;

	assert_true(ktap_state_put(&table, &k, value, &replaced));
	return replaced;
}

/* The value of a key; 0: it has none. */
static u64 get(u64 key, bool take)
{
	const struct ktap_state_key k = key_of(key);
	u64 value = 0;

	if (!ktap_state_get(&table, &k, take, &value))
		assert_int_equal(value, 0);
	return value;
}

/* Entries of a key that can be found. */
static unsigned int copies(u64 key)
{
	unsigned int i, k, nr = 0;

	for (i = 0; i < NR_SETS; i++)
		for (k = 0; k < KTAP_STATE_WAYS; k++)
			nr += (sets[i].tag[k] & 3) == 2 &&
			      sets[i].entry[k].key.key == key;
	return nr;
}

/* ---- one after the other ---- */

static void test_load_and_take(void **state)
{
	assert_int_equal(get(7, false), 0);
	assert_false(put(7, 70));
	assert_false(put(8, 80));
	assert_int_equal(get(7, false), 70);
	assert_int_equal(get(7, false), 70);
	assert_int_equal(get(7, true), 70);
	assert_int_equal(get(7, true), 0);
	assert_int_equal(get(8, true), 80);
}

static void test_later_value_counts(void **state)
{
	put(7, 70);
	assert_false(put(7, 71));
	assert_int_equal(copies(7), 1);
	assert_int_equal(get(7, true), 71);
	assert_int_equal(get(7, true), 0);
}

/* In each set only the oldest goes. */
static void test_oldest_goes(void **state)
{
	unsigned int replaced = 0, missing = 0;
	u64 i, first = 0, nr = 3 * NR_SETS * KTAP_STATE_WAYS;

	for (i = 1; i <= nr; i++)
		replaced += put(i, 10 * i);
	assert_int_equal(nr - replaced, NR_SETS * KTAP_STATE_WAYS);
	for (i = 1; i <= nr; i++) {
		u64 value = get(i, false);

		missing += !value;
		assert_true(!value || value == 10 * i);
	}
	assert_int_equal(missing, replaced);
	/* a set with eight entries: what is stored next replaces the one of lowest number */
	for (i = 0; i < KTAP_STATE_WAYS; i++)
		if (!first || sets[0].entry[i].key.key < first)
			first = sets[0].entry[i].key.key;
	for (i = nr + 1; get(first, false); i++)
		put(i, 10 * i);
	for (i = first + 1; i <= nr; i++)
		if (get(i, false) == 0)
			missing--;
	assert_true(missing <= first);
}

static void test_clock_that_wraps(void **state)
{
	u64 i;

	env_world.clock = -4ULL;
	for (i = 1; i <= 3 * NR_SETS * KTAP_STATE_WAYS; i++)
		put(i, i);
	/* the last of all is there, and the first is not */
	assert_int_equal(get(i - 1, false), i - 1);
	assert_int_equal(get(1, false), 0);
}

/* ---- programs ---- */

static void test_program(void **state)
{
	RUN(IMM(0, 5), IMM(1, 50), PUT(0, 1, 0), GET(2, 0, 0, 0),
	    STORE(2, 8, 0, 1), GET(2, 0, 0, TAKE), STORE(2, 8, 8, 1),
	    FAULTS(1, 16), END());
	assert_int_equal(word(0), 50);
	assert_int_equal(word(8), 50);
	assert_int_equal(word(16), 0);
	assert_int_equal(env_world.state[KTAP_STATE_STORES], 1);
	assert_int_equal(env_world.state[KTAP_STATE_LOADS], 2);
	assert_int_equal(env_world.state[KTAP_STATE_MISSES], 0);
}

/* Bit 0: no entry; bit 1: no value. */
static void test_absent_key(void **state)
{
	RUN(IMM(0, 5), GET(2, 0, 0, TAKE), ALUI(2, 2, ADD, 1), STORE(2, 8, 0, 1),
	    FAULTS(1, 8), END());
	assert_int_equal(word(0), 0);
	assert_int_equal(word(8), 3);
	assert_int_equal(env_world.state[KTAP_STATE_LOADS], 1);
	assert_int_equal(env_world.state[KTAP_STATE_MISSES], 1);
}

static void test_unreadable_key(void **state)
{
	RUN(IMM(0, KERNEL), LOAD(0, 0, 0, 8, 0), PUT(0, 0, 0), GET(2, 0, 0, 0),
	    STORE(2, 8, 0, 1), FAULTS(1, 8), END());
	assert_int_equal(word(8), 2);
	assert_int_equal(env_world.state[KTAP_STATE_UNSTORED], 1);
	assert_int_equal(env_world.state[KTAP_STATE_LOADS], 0);
	assert_int_equal(env_world.state[KTAP_STATE_MISSES], 0);
}

/* An earlier value is not taken for the one that could not be read. */
static void test_unreadable_value(void **state)
{
	RUN(IMM(0, 5), PUT(0, 0, 0), IMM(1, KERNEL), LOAD(1, 1, 0, 8, 0),
	    PUT(0, 1, 0), GET(2, 0, 0, 0), STORE(2, 8, 0, 1), FAULTS(1, 8), END());
	assert_int_equal(word(8), 3);
	assert_int_equal(env_world.state[KTAP_STATE_STORES], 1);
	assert_int_equal(env_world.state[KTAP_STATE_UNSTORED], 1);
	assert_int_equal(env_world.state[KTAP_STATE_MISSES], 1);
}

/* Another task at the same address, or that address as a number, is another key. */
static void test_tasks(void **state)
{
	u64 started = 77;

	env_map(KERNEL, &started, sizeof(started));
	RUN(IMM(0, KERNEL), IMM(1, 50), PUT(0, 1, TASK), GET(2, 0, 0, 0),
	    STORE(2, 8, 0, 1), GET(2, 0, NOBIT, TASK), STORE(2, 8, 8, 2),
	    FAULTS(1, 16), END());
	assert_int_equal(word(16), 3);
	assert_int_equal(word(8), 50);
	RUN(IMM(0, KERNEL), IMM(1, 50), PUT(0, 1, TASK), IMM(0, KERNEL + 4096),
	    GET(2, 0, 0, TASK), STORE(2, 8, 0, 1), FAULTS(1, 8), END());
	assert_int_equal(word(8), 2);
	RUN(IMM(0, USERLAND), PUT(0, 0, TASK), END());
	assert_int_equal(env_world.state[KTAP_STATE_UNSTORED], 1);
}

static void test_task_that_was_reused(void **state)
{
	const struct ktap_state_key old = { KERNEL, 1ULL << 63 | 77 };
	const struct ktap_state_key new = { KERNEL, 1ULL << 63 | 78 };
	bool replaced;
	u64 value;

	assert_true(ktap_state_put(&table, &old, 5, &replaced));
	assert_false(ktap_state_get(&table, &new, true, &value));
	assert_true(ktap_state_get(&table, &old, true, &value));
	assert_int_equal(value, 5);
}

/* ---- interrupts at each moment ---- */

static unsigned int points, at;
static void (*what)(void);

static void interrupt(void)
{
	if (points++ != at)
		return;
	env_world.point = NULL;
	what();
	env_world.point = interrupt;
}

/* Runs @outer with @inner at each of its points, one after the other. */
static void interrupted(void (*outer)(void), void (*inner)(void),
			void (*check)(void))
{
	at = 0;
	what = inner;
	do {
		memset(sets, 0, sizeof(sets));
		points = 0;
		env_world.point = interrupt;
		outer();
		env_world.point = NULL;
		check();
	} while (at++ < points);
}

static u64 outer_got, inner_got;

static void store_70(void)
{
	put(7, 70);
}

static void store_71(void)
{
	put(7, 71);
}

static void store_both(void)
{
	put(7, 70);
	put(7, 72);
}

static void store_and_take(void)
{
	put(7, 70);
	outer_got = get(7, true);
}

static void take(void)
{
	inner_got = get(7, true);
}

static void store_and_take_inside(void)
{
	put(7, 71);
	inner_got = get(7, true);
	assert_int_equal(inner_got, 71);
}

/* One of the two is found, and after it was taken no other. */
static void check_one_value(void)
{
	u64 value = get(7, true);

	assert_true(value == 70 || value == 71 || value == 72);
	assert_int_equal(get(7, true), 0);
	assert_int_equal(copies(7), 0);
}

static void check_taken_once(void)
{
	assert_int_equal(outer_got + inner_got, 70);
	assert_int_equal(copies(7), 0);
	outer_got = 0;
	inner_got = 0;
}

/* The value of the outer one remains, or was overwritten and taken. */
static void check_outer_value(void)
{
	u64 value = get(7, true);

	assert_true(value == 70 || value == 0);
	assert_int_equal(copies(7), 0);
}

/* 70, and 71 in another entry, as two concurrent stores leave it. */
static void make_copies(void)
{
	struct ktap_state_set *set = NULL;
	int from = -1, to = -1;

	put(7, 70);
	for (size_t s = 0; s < NR_SETS; s++)
		for (int i = 0; i < KTAP_STATE_WAYS; i++)
			if (sets[s].tag[i] && sets[s].entry[i].key.key == 7) {
				set = &sets[s];
				from = i;
			}
	assert_non_null(set);
	for (int i = 0; i < KTAP_STATE_WAYS; i++)
		if (!set->tag[i])
			to = i;
	set->entry[to] = set->entry[from];
	set->entry[to].value = 71;
	set->entry[to].time++;
	set->tag[to] = set->tag[from];
}

static bool copied;

static void store_over_copies(void)
{
	copied = false;
	make_copies();
	copied = true;
	put(7, 72);
}

/* While 71 is being overwritten, the value is 71, 72 or not there, but not 70 again. */
static void load_no_earlier(void)
{
	if (copied)
		assert_int_not_equal(get(7, false), 70);
}

static void check_latest(void)
{
	assert_int_equal(get(7, true), 72);
	assert_int_equal(get(7, true), 0);
	assert_int_equal(copies(7), 0);
}

static void test_interrupts(void **state)
{
	interrupted(store_over_copies, load_no_earlier, check_latest);
	interrupted(store_70, store_71, check_one_value);
	interrupted(store_both, store_71, check_one_value);
	interrupted(store_and_take, take, check_taken_once);
	interrupted(store_70, store_and_take_inside, check_outer_value);
}

/* An interrupt fills the set: its keys and that of the outer one are found, or are counted. */
static unsigned int lost;

static void fill_up(void)
{
	for (u64 i = 100; i < 100 + 2 * NR_SETS * KTAP_STATE_WAYS; i++)
		lost += put(i, i);
}

static void store_counted(void)
{
	lost += put(7, 70);
}

static void check_all(void)
{
	unsigned int found = get(7, false) == 70;

	for (u64 i = 100; i < 100 + 2 * NR_SETS * KTAP_STATE_WAYS; i++)
		found += get(i, false) == i;
	/* at the end of the loop the interrupt comes too late */
	assert_int_equal(found + lost,
			 1 + (at < points ? 2 * NR_SETS * KTAP_STATE_WAYS : 0));
	lost = 0;
}

static void test_interrupt_fills_the_set(void **state)
{
	interrupted(store_counted, fill_up, check_all);
}

/* ---- threads ---- */

#define NR_THREADS	4
#define NR_ROUNDS	200000
#define NR_KEYS		12U	/* fewer than entries, so that none is replaced */

static u64 now;
static u64 stored[NR_THREADS], taken[NR_THREADS], nr_taken[NR_THREADS];

static u64 tick(void)
{
	return __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED);
}

/* Takes a key, and stores another value there if it was free. */
static void *exchange(void *arg)
{
	size_t me = (size_t)arg;
	unsigned int seed = me;
	bool replaced;

	env_reset();
	env_world.tick = tick;
	for (u64 i = 1; i <= NR_ROUNDS; i++) {
		/* every thread has keys of its own, but takes those of all */
		u64 mine = 1 + me + NR_THREADS * (rand_r(&seed) % (NR_KEYS / NR_THREADS));
		struct ktap_state_key k = key_of(mine);
		u64 value = i * NR_THREADS + me, old;

		if (ktap_state_get(&table, &k, true, &old)) {
			taken[me] += old;
			nr_taken[me]++;
		}
		if (ktap_state_put(&table, &k, value, &replaced)) {
			stored[me] += value;
			assert_false(replaced);
		}
		k = key_of(1 + rand_r(&seed) % NR_KEYS);
		if (ktap_state_get(&table, &k, true, &old)) {
			taken[me] += old;
			nr_taken[me]++;
		}
	}
	return NULL;
}

static void test_threads(void **state)
{
	pthread_t threads[NR_THREADS];
	u64 in = 0, out = 0, nr = 0;

	for (size_t i = 0; i < NR_THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, exchange,
						(void *)i), 0);
	for (size_t i = 0; i < NR_THREADS; i++) {
		pthread_join(threads[i], NULL);
		in += stored[i];
		out += taken[i];
		nr += nr_taken[i];
	}
	for (u64 i = 1; i <= NR_KEYS; i++)
		out += get(i, true);
	/* each value that was stored was taken once */
	assert_int_equal(in, out);
	assert_true(nr > NR_ROUNDS);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, setup, run_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_load_and_take),
		TEST(test_later_value_counts),
		TEST(test_oldest_goes),
		TEST(test_clock_that_wraps),
		TEST(test_program),
		TEST(test_absent_key),
		TEST(test_unreadable_key),
		TEST(test_unreadable_value),
		TEST(test_tasks),
		TEST(test_task_that_was_reused),
		TEST(test_interrupts),
		TEST(test_interrupt_fills_the_set),
		TEST(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
