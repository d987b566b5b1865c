// SPDX-License-Identifier: GPL-2.0
/*
 * spent COMMAND...: runs it and prints the microseconds that it took, by a clock
 * that counts instructions where the machine does (scripts/vm --icount).
 */
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

int main(int argc, char **argv)
{
	long long begin = now_us();
	int status = 1;
	pid_t pid;

	if (argc < 2)
		return 2;
	pid = fork();
	if (!pid) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 2;
	printf("%lld\n", now_us() - begin);
	return status ? 1 : 0;
}
