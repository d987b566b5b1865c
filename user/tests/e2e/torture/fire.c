// SPDX-License-Identifier: GPL-2.0
/*
 * The load whose calls are counted: some processes call what ktap_torture has,
 * and functions of this program, while timers and NMIs call the rest. Nothing
 * is called before it begins or when it has ended, so a probe that is attached
 * from before to after it has to have as many hits. Its processes are never
 * killed: a call may be counted that was no hit yet, and the other way round.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tell/tell.h"
#include "torture.h"

#define NR_WORKERS 4
#define COUNTS	   "/tmp/torture.counts"
#define DEPTH_MAX  5

/* struct counts - of calls, in a file that all processes map */
struct counts {
	atomic_long torture, deep;
};

static struct counts *counts;

__attribute__((noipa)) long u_torture(long n)
{
	counts->torture++;
	return n;
}

__attribute__((noipa)) long u_deep(long n)
{
	long below = n > 1 ? u_deep(n - 1) : 0;

	counts->deep++;
	return below + 1;
}

static void map_counts(void)
{
	int fd = open(COUNTS, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || ftruncate(fd, sizeof(*counts)))
		die(COUNTS);
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED,
		      fd, 0);
	close(fd);
	if (counts == MAP_FAILED)
		die(COUNTS);
}

/* What a new program calls: its breakpoints are put in as it is mapped. */
int fire_once(void)
{
	map_counts();
	u_torture(1);
	u_deep(3);
	return 0;
}

/* In a program of which nobody counts the calls: it may be killed. */
int fire_spin(unsigned int ms)
{
	static struct counts own;
	long end = now_ms() + ms;

	counts = &own;
	while (now_ms() < end) {
		u_torture(1);
		u_deep(DEPTH_MAX);
		if (fork() == 0)
			_exit(u_deep(2) != 2);
		wait(NULL);
	}
	return 0;
}

static void call_user(struct chance *c)
{
	unsigned int i, nr = 1 + chance_below(c, 20);

	for (i = 0; i < nr; i++)
		u_torture(i);
	u_deep(1 + chance_below(c, DEPTH_MAX));
}

static void call_kernel(struct chance *c)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", 1 + chance_below(c, 40));
	write_file(PARAMETERS "task", text);
}

static void call_asleep(struct chance *c)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", chance_below(c, 20));
	write_file(PARAMETERS "sleep", text);
}

static void call_forked(struct chance *c)
{
	pid_t pid = fork();

	if (!pid) {
		call_user(c);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static void call_executed(struct chance *c)
{
	(void)c;
	RUN("/proc/self/exe", "once");
}

static void work(uint64_t seed, unsigned int nr, long end)
{
	static void (*const ways[])(struct chance *c) = {
		call_user, call_kernel, call_asleep, call_kernel,
		call_user, call_forked, call_kernel, call_executed,
	};
	struct chance c = chance_seed(seed + nr, "fire");
	unsigned int i;

	/* each once at least, however slow the machine is */
	for (i = 0; i < 8; i++)
		ways[i](&c);
	while (now_ms() < end) {
		ways[chance_below(&c, 8)](&c);
		sleep_ms(chance_below(&c, 80));
	}
	_exit(0);
}

int fire(unsigned int seconds, uint64_t seed)
{
	long end = now_ms() + seconds * 1000L;
	pid_t pids[NR_WORKERS];
	int status, failed = 0;
	unsigned int i;

	map_counts();
	if (!write_file(PARAMETERS "fire", "1"))
		die(PARAMETERS "fire");
	for (i = 0; i < NR_WORKERS; i++) {
		pids[i] = fork();
		if (!pids[i])
			work(seed, i, end);
	}
	for (i = 0; i < NR_WORKERS; i++)
		if (pids[i] > 0 && (waitpid(pids[i], &status, 0) < 0 || status))
			failed = 1;
	if (!write_file(PARAMETERS "fire", "0"))
		die("fire");
	printf("u_torture %ld\nu_deep %ld\n", counts->torture, counts->deep);
	fflush(stdout);
	return failed;
}
