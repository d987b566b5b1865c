// SPDX-License-Identifier: GPL-2.0
/*
 * reader COMMAND...: what it costs to show a record. Runs a ktap that shows hits of
 * madvise(), makes CALLS of them in bursts, and prints the nanoseconds of processor time
 * that the command took for each, without what it takes when nothing is hit. Under
 * scripts/vm --icount these are instructions.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALLS	100000
#define BURST	2000

static double spent(pid_t pid)
{
	struct timespec t = { 0 };
	clockid_t clock;

	clock_getcpuclockid(pid, &clock);
	clock_gettime(clock, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static void load(void)
{
	for (int i = 1; i <= CALLS; i++) {
		madvise(NULL, 0, 1000);
		if (i % BURST == 0)
			usleep(20000);
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	double begin, idle, end;
	pid_t pid, loader;
	int status;

	if (argc < 2)
		return 2;
	pid = fork();
	if (!pid) {
		dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	sleep(2);
	begin = spent(pid);
	sleep(1);
	idle = spent(pid) - begin;
	begin += idle;
	loader = fork();
	if (!loader)
		load();
	waitpid(loader, NULL, 0);
	sleep(1);
	end = spent(pid);
	kill(pid, SIGINT);
	waitpid(pid, &status, 0);
	printf("%.0f\n", (end - begin - 2 * idle) / CALLS);
	return status != 0;
}
