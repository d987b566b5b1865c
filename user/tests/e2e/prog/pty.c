// SPDX-License-Identifier: GPL-2.0
/*
 * pty [MS] COMMAND...: runs a command on a terminal of its own, types Ctrl-C
 * after MS milliseconds, copies what the terminal shows to stdout, and has the
 * exit status of the command.
 */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int copy(int master)
{
	char data[4096];
	ssize_t n = read(master, data, sizeof(data));

	/* EIO: nobody has the terminal open any more */
	if (n <= 0)
		return -1;
	return write(STDOUT_FILENO, data, n) == n ? 0 : -1;
}

int main(int argc, char **argv)
{
	int ms = argc > 1 ? atoi(argv[1]) : 0, master, status;
	struct pollfd ready;
	pid_t pid;

	argv += ms ? 2 : 1;
	if (!argv[0])
		return 2;
	pid = forkpty(&master, NULL, NULL, NULL);
	if (pid < 0)
		return 2;
	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	ready = (struct pollfd){ .fd = master, .events = POLLIN };
	for (;;) {
		int n = poll(&ready, 1, ms ? ms : -1);

		if (n < 0 && errno != EINTR)
			break;
		if (!n && write(master, "\003", 1) == 1)
			ms = 0;
		if (n > 0 && copy(master))
			break;
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				     WEXITSTATUS(status);
}
