// SPDX-License-Identifier: GPL-2.0
/*
 * cpus CPUS CALLS: a task on each of the first CPUs calls posix_fadvise() on a bad
 * descriptor so many times; the offset is the address of a text, for those who
 * want to read one. scripts/bench/lines.c is told when they begin, each having
 * made a few calls before, and when they are done.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "marks.h"

#define FEW 10

static const char text[] = "/root/there/is/no/such/it";

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void call(int calls)
{
	while (calls--)
		syscall(SYS_fadvise64, -1, text, 2L, 3);
}

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

static void task(int cpu, int calls, int ready, int go)
{
	char byte = 0;

	run_on(cpu);
	call(FEW);
	if (write(ready, &byte, 1) != 1 || read(go, &byte, 1) != 1)
		die("pipe");
	call(calls);
}

static void pass(int from, int to, int bytes)
{
	char byte;

	while (bytes--)
		if ((from >= 0 && read(from, &byte, 1) != 1) ||
		    (to >= 0 && write(to, &byte, 1) != 1))
			die("pipe");
}

int main(int argc, char **argv)
{
	int cpus = argc == 3 ? atoi(argv[1]) : 0;
	int calls = argc == 3 ? atoi(argv[2]) : 0;
	int ready[2], go[2], cpu, status, failed = 0;

	if (cpus < 1 || calls < 1) {
		fprintf(stderr, "usage: cpus CPUS CALLS\n");
		return 2;
	}
	if (pipe(ready) || pipe(go))
		die("pipe");
	for (cpu = 0; cpu < cpus; cpu++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid) {
			task(cpu, calls, ready[1], go[0]);
			_exit(0);
		}
	}
	pass(ready[0], -1, cpus);
	MARK(MARK_BEGIN);
	pass(-1, go[1], cpus);
	while (wait(&status) > 0)
		failed |= status;
	MARK(MARK_END);
	return !!failed;
}
