// SPDX-License-Identifier: GPL-2.0
/*
 * pty [-c FILE | -k FILE KEYS] [-l LINES] COMMAND...: runs a command on a terminal of its
 * own, which has LINES lines; types Ctrl-C, or KEYS, when there is a FILE; copies what
 * the terminal shows to stdout, and has the exit status of the command.
 */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* how often to look for the file, in milliseconds */
#define INTERVAL 50

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
	const char *file = NULL, *keys = "\003";
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	struct pollfd ready;
	int master, status;
	pid_t pid;

	if (argc > 3 && !strcmp(argv[1], "-c")) {
		file = argv[2];
		argv += 2;
	}
	if (argc > 4 && !strcmp(argv[1], "-k")) {
		file = argv[2];
		keys = argv[3];
		argv += 3;
	}
	if (argv[1] && argv[2] && !strcmp(argv[1], "-l")) {
		size.ws_row = atoi(argv[2]);
		argv += 2;
	}
	if (!*++argv)
		return 2;
	pid = forkpty(&master, NULL, NULL, &size);
	if (pid < 0)
		return 2;
	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	ready = (struct pollfd){ .fd = master, .events = POLLIN };
	for (;;) {
		int n = poll(&ready, 1, file ? INTERVAL : -1);

		if (n < 0 && errno != EINTR)
			break;
		if (file && !access(file, F_OK) &&
		    write(master, keys, strlen(keys)) > 0)
			file = NULL;
		if (n > 0 && copy(master))
			break;
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				     WEXITSTATUS(status);
}
