// SPDX-License-Identifier: GPL-2.0
/*
 * Calls that return without an entry: 'pending fork N' forks inside of u_fork(N), so that
 * it returns in the child too. 'pending deep TASKS DEPTH' is in u_deep(DEPTH) in all tasks
 * at once for two seconds: 1 + DEPTH calls each, of which each returns its depth.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) long u_fork(long n)
{
	pid_t child = fork();

	if (child > 0)
		waitpid(child, NULL, 0);
	return n + 1;
}

__attribute__((noinline)) long u_deep(long depth)
{
	long more = 0;

	if (depth)
		more = u_deep(depth - 1);
	else
		sleep(2);
	/* no jump to the call before */
	__asm__ volatile("" : "+r"(more));
	return depth + 0 * more;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "fork"))
		return u_fork(atoi(argv[2])) != atoi(argv[2]) + 1;
	if (argc != 4)
		return 2;
	for (int i = 0; i < atoi(argv[2]); i++) {
		if (fork())
			continue;
		u_deep(atoi(argv[3]));
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
