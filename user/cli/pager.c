// SPDX-License-Identifier: GPL-2.0
/*
 * A pager for what is longer than the terminal. It is a child that reads a pipe in the
 * place of stdout. It must not outlive us: the shell would be back at the terminal
 * while the pager still reads it.
 */
#include "cli/pager.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/exec_path.h"

static pid_t pager;

/* That of busybox takes the screen for a single line, and no $LESS. */
static bool is_busybox(const char *file)
{
	_cleanup_free_ char *real = realpath(file, NULL);

	return real && strstr(real, "busybox");
}

/* Return: the path of less, malloc'ed, or NULL. */
static char *find_less(void)
{
	_cleanup_buf_ struct buf file = BUF_INIT;
	struct exec_path path;

	exec_path_init(&path);
	while (exec_path_next(&path, &file)) {
		buf_puts(&file, "/less");
		if (!file.failed && !access(buf_str(&file), X_OK) &&
		    !is_busybox(buf_str(&file)))
			return buf_take(&file);
	}
	return NULL;
}

/* struct command - what shows it: one of them, or none */
struct command {
	const char *shell;
	char *file;
};

static struct command command(void)
{
	const char *wanted = getenv("KTAP_PAGER");

	if (!wanted)
		wanted = getenv("PAGER");
	if (!wanted)
		return (struct command){ .file = find_less() };
	if (!*wanted || !strcmp(wanted, "cat"))
		return (struct command){ 0 };
	return (struct command){ .shell = wanted };
}

void pager_wait(void)
{
	while (pager && waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	pager = 0;
}

/* Ctrl-C is for us: a pager goes on, until it has read all. */
static void on_signal(int number)
{
	close(STDOUT_FILENO);
	pager_wait();
	signal(number, SIG_DFL);
	raise(number);
}

static void be_pager(const int fds[2], const struct command *how)
{
	dup2(fds[0], STDIN_FILENO);
	close(fds[0]);
	close(fds[1]);
	/* to end where one screen is enough, to show colours, to leave the text there */
	setenv("LESS", "FRX", 0);
	signal(SIGPIPE, SIG_DFL);
	if (how->file)
		execl(how->file, "less", NULL);
	else
		execl("/bin/sh", "sh", "-c", how->shell, NULL);
	_exit(127);
}

static void start(const struct command *how)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	int fds[2];

	if (pipe(fds))
		return;
	pager = fork();
	if (!pager)
		be_pager(fds, how);
	if (pager > 0) {
		dup2(fds[1], STDOUT_FILENO);
		for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
			signal(numbers[i], on_signal);
	} else {
		pager = 0;
	}
	close(fds[0]);
	close(fds[1]);
}

/* Without one all is written as it is. */
void pager_start(void)
{
	struct command how;

	if (!isatty(STDOUT_FILENO))
		return;
	how = command();
	if (how.shell || how.file)
		start(&how);
	free(how.file);
}

bool on_terminal(void)
{
	return pager || isatty(STDOUT_FILENO);
}
