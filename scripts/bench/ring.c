// SPDX-License-Identifier: GPL-2.0
/*
 * ring [ROUNDS]: what a record costs in time, on this machine, when one processor
 * writes to its ring, and when several do, each to its own: the ring's files, in
 * user space. Prints WHO PROCESSORS NANOSECONDS, tab-separated: processor time of a
 * record. 'ring' is the ring; 'counter' adds to one word that all share, too. All of
 * them are measured in turn, in many rounds; three quarters of the rounds took no
 * longer than what is printed: on a busy machine the writers often do not run at the
 * same time, and then they do not see each other.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kring/rig.h"

#define ROUNDS		101
#define RECORDS		50000	/* in a round, of each processor */
#define SIZE		16	/* of a record */
#define RING_BYTES	(1 << 20)
#define SUBBUF_BYTES	(1 << 16)
#define CPUS_MAX	8
#define APART		128	/* two lines: they are often fetched in pairs */

struct writer {
	struct rig rig;
	pthread_t thread;
	int cpu;
	bool counts;
	double ns;
} __attribute__((aligned(APART)));

static struct writer writers[CPUS_MAX];
static u64 counter __attribute__((aligned(APART)));
static int waiting __attribute__((aligned(APART)));

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static void put(struct ktap_ring *r)
{
	static const struct ktap_ring_want want = {
		.front = KTAP_REC_FIRST_PROBE | SIZE << 16,
		.size = SIZE,
	};
	u8 *payload;

	if (ktap_ring_try(r, r->prod, env_task(), &want, &payload)) {
		*(u64 *)payload = 0;
		ktap_ring_publish(r, r->prod);
	} else {
		ktap_ring_reserve(r, want.front);
		ktap_ring_commit(r);
	}
}

static void become(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (pthread_setaffinity_np(pthread_self(), sizeof(set), &set)) {
		fprintf(stderr, "ring: cannot run on processor %d\n", cpu);
		exit(1);
	}
	env_reset();
	env_set_task(1, 1, "ring");
	env_world.step = 1;
}

static void *write_all(void *arg)
{
	struct writer *w = arg;
	double begin;

	become(w->cpu);
	__atomic_sub_fetch(&waiting, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST))
		;
	begin = now();
	for (int i = 0; i < RECORDS; i++) {
		put(&w->rig.ring);
		if (w->counts)
			__atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED);
	}
	w->ns = (now() - begin) / RECORDS;
	return NULL;
}

static double together(int cpus, bool counts)
{
	double sum = 0;

	waiting = cpus;
	for (int i = 0; i < cpus; i++) {
		writers[i].counts = counts;
		if (pthread_create(&writers[i].thread, NULL, write_all,
				   &writers[i]))
			exit(1);
	}
	for (int i = 0; i < cpus; i++) {
		pthread_join(writers[i].thread, NULL);
		sum += writers[i].ns;
	}
	return sum / cpus;
}

/* The first of those that this process may use. Return: how many. */
static int find_cpus(void)
{
	int nr = 0;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set)) {
		perror("ring: sched_getaffinity");
		exit(1);
	}
	for (int cpu = 0; cpu < CPU_SETSIZE && nr < CPUS_MAX; cpu++)
		if (CPU_ISSET(cpu, &set))
			writers[nr++].cpu = cpu;
	return nr;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

enum { RING, COUNTER, NR_KINDS };

static const char *const names[] = { "ring", "counter" };

static void measure(double *cost[NR_KINDS][CPUS_MAX], int cpus, int rounds)
{
	for (int r = 0; r < rounds; r++)
		for (int i = 0; i < cpus; i++)
			for (int kind = 0; kind < NR_KINDS; kind++)
				cost[kind][i][r] =
					together(i + 1, kind == COUNTER);
}

static void print(double *cost, int rounds, int kind, int cpus)
{
	qsort(cost, rounds, sizeof(*cost), by_size);
	printf("%s\t%d\t%.1f\n", names[kind], cpus, cost[rounds * 3 / 4]);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
	int i, kind, cpus = find_cpus();
	double *cost[NR_KINDS][CPUS_MAX];

	for (i = 0; i < cpus; i++) {
		rig_init(&writers[i].rig, RING_BYTES, SUBBUF_BYTES, 0, true);
		for (kind = 0; kind < NR_KINDS; kind++) {
			cost[kind][i] = calloc(rounds, sizeof(double));
			if (!cost[kind][i])
				return 1;
		}
	}
	measure(cost, cpus, rounds);
	for (kind = 0; kind < NR_KINDS; kind++)
		for (i = 0; i < cpus; i++)
			print(cost[kind][i], rounds, kind, i + 1);
	return 0;
}
