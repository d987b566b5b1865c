// SPDX-License-Identifier: GPL-2.0
/*
 * burst READY SECONDS CPUS RECORDER [WORD...]: starts a recorder, gives it READY
 * seconds to begin, has a task on each of the first CPUs call posix_fadvise() with a bad
 * descriptor as fast as it can for some seconds, and then interrupts the recorder
 * as Ctrl-C does. Prints how many calls there were, and the processor time, in
 * milliseconds, of the callers and of the recorder and its children since the
 * first call.
 */
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CPUS_MAX	64
#define CALLS		1000	/* between two looks at the clock */

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static double cpu_ms(const struct rusage *r)
{
	return (r->ru_utime.tv_sec + r->ru_stime.tv_sec) * 1e3 +
	       (r->ru_utime.tv_usec + r->ru_stime.tv_usec) / 1e3;
}

/* Processor time of a process that lives, its children's apart. */
static double cpu_ms_of(pid_t pid)
{
	unsigned long user, sys;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%*d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lu %lu",
			 &user, &sys) != 2)
		die(path);
	fclose(f);
	return (user + sys) * 1e3 / sysconf(_SC_CLK_TCK);
}

static pid_t start_recorder(int ready, char **argv)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		execvp(argv[0], argv);
		die(argv[0]);
	}
	sleep(ready);
	if (waitpid(pid, NULL, WNOHANG)) {
		fprintf(stderr, "burst: %s is gone\n", argv[0]);
		exit(1);
	}
	return pid;
}

static uint64_t call(int cpu, int64_t until)
{
	uint64_t calls = 0;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
	for (; now() < until; calls += CALLS)
		for (int i = 0; i < CALLS; i++)
			syscall(SYS_fadvise64, -1, 1L, 2L, 3);
	return calls;
}

/* What each CPU's task did; its processor time is added to *@ms. */
static uint64_t burst(int seconds, int cpus, double *ms)
{
	uint64_t *calls = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0), sum = 0;
	int64_t until = now() + seconds * 1000000000LL;
	struct rusage usage;
	pid_t pids[CPUS_MAX];
	int cpu;

	if (calls == MAP_FAILED)
		die("mmap");
	for (cpu = 0; cpu < cpus; cpu++) {
		pids[cpu] = fork();
		if (pids[cpu] < 0)
			die("fork");
		if (!pids[cpu]) {
			calls[cpu] = call(cpu, until);
			_exit(0);
		}
	}
	for (cpu = 0; cpu < cpus; cpu++) {
		if (wait4(pids[cpu], NULL, 0, &usage) < 0)
			die("wait4");
		*ms += cpu_ms(&usage);
		sum += calls[cpu];
	}
	return sum;
}

int main(int argc, char **argv)
{
	int seconds = argc > 4 ? atoi(argv[2]) : 0;
	int cpus = argc > 4 ? atoi(argv[3]) : 0;
	double callers = 0, before;
	struct rusage usage;
	uint64_t calls;
	pid_t pid;

	if (seconds < 1 || cpus < 1 || cpus > CPUS_MAX) {
		fprintf(stderr, "usage: burst READY SECONDS CPUS RECORDER [WORD...]\n");
		return 2;
	}
	pid = start_recorder(atoi(argv[1]), argv + 4);
	before = cpu_ms_of(pid);
	calls = burst(seconds, cpus, &callers);
	kill(pid, SIGINT);
	if (wait4(pid, NULL, 0, &usage) < 0)
		die("wait4");
	printf("%llu %.0f %.0f\n", (unsigned long long)calls, callers,
	       cpu_ms(&usage) - before);
	return 0;
}
