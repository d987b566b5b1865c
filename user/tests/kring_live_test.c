// SPDX-License-Identifier: GPL-2.0
/*
 * The ring in earnest: a writer that is interrupted by two kinds of real
 * signals, the first also by the second, against the tool's own reader on
 * another CPU.
 * needs: kmod/hit/ring.c user/tests/kring/rig.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "kring/rig.h"
#include "wire/ring.h"

#define SUBBUF	4096U
#define BYTES	(8 * SUBBUF)
#define ID	KTAP_REC_FIRST_PROBE
#define SERIALS	(16U << 20)
#define SECONDS	1
#define MORE_SECONDS	60	/* where the reader has to wait for a CPU */
#define BATCHES	100	/* to read at least */
#define LEVELS	3

static struct rig rig;
static u64 ticks;
static unsigned long written[LEVELS];

/* How often each record was read, by serial. */
static u8 *seen;

/* What the reading thread has. */
static struct {
	struct ring ring;
	struct rig_reader check;
	u8 copy[SUBBUF];
	const char *problem;
	unsigned long batches;
	unsigned long gaps;
	bool stop;
} reader;

/* ---- the writer ----------------------------------------------------------- */

static u64 tick(void)
{
	return __atomic_add_fetch(&ticks, 1, __ATOMIC_RELAXED);
}

static void put(unsigned int level)
{
	u32 payload = RIG_PAYLOAD_MIN + 8 * (rig.serial * 7 % 61);

	if (rig.serial + LEVELS >= SERIALS)
		return;
	rig_write(&rig, ID + level, payload);
	written[level]++;
}

static void on_signal(int signal)
{
	put(signal - SIGRTMIN + 1);
}

static timer_t start_timer(int signal, long nanoseconds)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = signal,
		._sigev_un._tid = gettid(),
	};
	struct itimerspec when = {
		.it_interval.tv_nsec = nanoseconds,
		.it_value.tv_nsec = nanoseconds,
	};
	struct sigaction sa = { .sa_handler = on_signal };
	timer_t timer;

	sigemptyset(&sa.sa_mask);
	/* the second may interrupt the first, not the other way round */
	if (signal != SIGRTMIN)
		sigaddset(&sa.sa_mask, SIGRTMIN);
	assert_int_equal(sigaction(signal, &sa, NULL), 0);
	assert_int_equal(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	assert_int_equal(timer_settime(timer, 0, &when, NULL), 0);
	return timer;
}

static unsigned long batches_read(void)
{
	return __atomic_load_n(&reader.batches, __ATOMIC_RELAXED);
}

/* Past @end it goes on, and lets the reader in, until that has had enough. */
static bool go_on(time_t end, unsigned int i)
{
	static const struct timespec nap = { .tv_nsec = 1000000 };
	time_t now = time(NULL);

	if (now < end)
		return true;
	if (i % 256 == 0)
		nanosleep(&nap, NULL);
	return now < end + MORE_SECONDS && batches_read() <= BATCHES;
}

static void write_for_a_while(void)
{
	static const char * const names[] = { "one", "two", "a third name" };
	timer_t first = start_timer(SIGRTMIN, 61 * 1000);
	timer_t second = start_timer(SIGRTMIN + 1, 83 * 1000);
	time_t end = time(NULL) + SECONDS + 1;
	unsigned int i;

	for (i = 0; go_on(end, i); i++) {
		if (i % 64 == 0)
			env_set_task(i / 64 % 5, 1, names[i / 64 % 3]);
		if (i % 1000 == 0)
			__atomic_add_fetch(&ticks, 1ULL << 31, __ATOMIC_RELAXED);
		put(0);
	}
	timer_delete(first);
	timer_delete(second);
}

/* ---- the reader ---------------------------------------------------------- */

static void see(void *ctx, const struct rig_event *e)
{
	if (e->serial >= SERIALS || seen[e->serial]++)
		reader.problem = "record read twice";
}

static int take(void *ctx, unsigned int cpu, uint64_t position,
		const void *data, size_t size)
{
	struct rig_reader *r = &reader.check;
	const char *problem;

	if (position != r->position) {
		reader.gaps++;
		if (!rig.overwrite || position < r->position || position % SUBBUF)
			reader.problem = "gap that must not be";
		r->position = position;
		r->known = false;
		r->full = 0;
	}
	__atomic_fetch_add(&reader.batches, 1, __ATOMIC_RELAXED);
	problem = rig_check(r, &rig, data, size);
	if (problem)
		reader.problem = problem;
	return reader.problem ? -EPROTO : 0;
}

static void *read_until_stopped(void *arg)
{
	static const struct timespec nap = { .tv_nsec = 1000000 };
	unsigned long naps = 0;
	bool last;

	do {
		last = __atomic_load_n(&reader.stop, __ATOMIC_ACQUIRE);
		if (ring_read(&reader.ring, take, NULL) < 0 && !reader.problem)
			reader.problem = "the reader gave up";
		/* now and then too slow for the writer */
		if (reader.batches / 5000 > naps) {
			naps++;
			nanosleep(&nap, NULL);
		}
	} while (!last && !reader.problem);
	return NULL;
}

/* ---- both -------------------------------------------------------------------- */

static void run(bool overwrite)
{
	pthread_t thread;

	env_reset();
	env_world.tick = tick;
	rig_init(&rig, BYTES, SUBBUF, 0, overwrite);
	rig.fate = calloc(1, SERIALS);
	seen = calloc(1, SERIALS);
	assert_true(rig.fate && seen);
	memset(&reader, 0, sizeof(reader));
	memset(written, 0, sizeof(written));
	reader.check.event = see;
	ring_init(&reader.ring, &rig.cons, rig.prod,
		  overwrite ? reader.copy : NULL);
	assert_int_equal(pthread_create(&thread, NULL, read_until_stopped, NULL),
			 0);
	write_for_a_while();
	__atomic_store_n(&reader.stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	print_message("# %lu + %lu + %lu written, %llu read in %lu batches, %lu gaps, %llu lost\n",
		      written[0], written[1], written[2], reader.check.events,
		      reader.batches, reader.gaps, reader.check.lost);
}

static int teardown(void **state)
{
	rig_deinit(&rig);
	free(rig.fate);
	free(seen);
	return 0;
}

/* Was it a test at all? */
static void assert_much_happened(void)
{
	assert_true(written[0] > 10000);
	assert_true(written[1] > 100);
	assert_true(written[2] > 100);
	assert_true(reader.batches > BATCHES);
	assert_true(rig.prod->head > 20 * BYTES);
}

static void test_keep_oldest(void **state)
{
	u64 i, lost = 0;

	run(false);
	if (reader.problem)
		fail_msg("at %llu: %s", reader.check.position, reader.problem);
	assert_much_happened();
	for (i = 0; i < rig.serial; i++) {
		assert_int_not_equal(rig.fate[i], RIG_NOT_DONE);
		assert_int_equal(seen[i], rig.fate[i] == RIG_WRITTEN);
		lost += rig.fate[i] == RIG_LOST;
	}
	assert_true(lost > 0);
	assert_int_equal(reader.check.lost + rig.ring.lost, lost);
	assert_int_equal(reader.check.position, rig.prod->reserve);
}

static void test_overwrite(void **state)
{
	u64 i, overwritten = 0;

	run(true);
	if (reader.problem)
		fail_msg("at %llu: %s", reader.check.position, reader.problem);
	assert_much_happened();
	for (i = 0; i < rig.serial; i++) {
		assert_int_equal(rig.fate[i], RIG_WRITTEN);
		overwritten += !seen[i];
	}
	assert_true(reader.gaps > 0);
	assert_int_equal(reader.check.events + overwritten, rig.serial);
	assert_int_equal(reader.check.position, rig.prod->reserve);
	assert_null(rig_glance(&rig));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_keep_oldest, teardown),
		cmocka_unit_test_teardown(test_overwrite, teardown),
	};

	return cmocka_run_group_tests_name("kring_live", tests, NULL, NULL);
}
