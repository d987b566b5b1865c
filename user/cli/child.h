/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command behind "--": it exists, so that a session can be told to follow
 * it, before it runs.
 */
#ifndef KTAP_CLI_CHILD_H
#define KTAP_CLI_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/diag.h"

/* Exit status of ktap where the command cannot run, as in a shell. */
#define CHILD_NOT_EXECUTABLE	126
#define CHILD_NOT_FOUND		127

/**
 * struct child - a command
 * @argv: its words
 * @pid: its process; 0: none
 * @pidfd: readable when it has ended
 * @is_stopped: it waits where it enters exec
 * @go: it waits for this to say go
 * @failed: answers the errno of a failed exec
 * @status: exit status of ktap once the command has ended or could not run
 */
struct child {
	char **argv;
	pid_t pid;
	int pidfd;
	bool is_stopped;
	int go;
	int failed;
	int status;
};

/* child_init() - no process yet. */
void child_init(struct child *c, char **argv);
/* child_deinit() - one that was not started ends; one that runs goes on. */
void child_deinit(struct child *c);

/* child_can_run() - @name is a program, found as a shell does. */
bool child_can_run(const char *name);

/* child_fork() - a process that waits. @to_stderr: its standard output goes there.
 * @c->status is set where exec would fail.
 */
int child_fork(struct child *c, bool to_stderr, struct diag *d);
/* child_start() - let it run the command. */
int child_start(struct child *c, struct diag *d);
/* child_wait() - sets @c->status: 128 + signal where that ended it. */
void child_wait(struct child *c);

#endif /* KTAP_CLI_CHILD_H */
