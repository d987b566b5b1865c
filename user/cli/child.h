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

/**
 * child_init() - begin without a process
 * @c: command
 * @argv: its words, then NULL; they stay the caller's and must live as long as @c;
 *	NULL: there is no command
 */
void child_init(struct child *c, char **argv);

/**
 * child_deinit() - end a process that was not started, and close the descriptors
 * @c: command, which has neither words nor a process after this
 *
 * A command that was started continues, and this function does not wait for it.
 */
void child_deinit(struct child *c);

/**
 * child_can_run() - whether a word is the name of a program
 * @name: path if it contains '/'; otherwise it is searched for in $PATH, as a shell does
 *
 * Return: true if the file is no directory and this process may execute it.
 */
bool child_can_run(const char *name);

/**
 * child_fork() - create the process of the command, and have it wait for child_start()
 * @c: command that has words and no process; release it with child_deinit(), also on
 *	failure
 * @to_stderr: the standard output of the command goes to standard error
 * @d: on failure
 *
 * The process is stopped where it enters exec. If it cannot be traced, it waits before
 * exec for a byte from a pipe.
 *
 * Return: 0, or a negative errno. If the program cannot be found or executed,
 * @c->status is CHILD_NOT_FOUND or CHILD_NOT_EXECUTABLE; after other errors it is 0.
 */
int child_fork(struct child *c, bool to_stderr, struct diag *d);

/**
 * child_start() - have the process of child_fork() run the command
 * @c: command
 * @d: on failure
 *
 * It returns once exec has succeeded or failed.
 *
 * Return: 0; or a negative errno, mostly of exec: then the process has ended, @c->pid is 0,
 * and @c->status is CHILD_NOT_FOUND or CHILD_NOT_EXECUTABLE.
 */
int child_start(struct child *c, struct diag *d);

/**
 * child_wait() - wait until the command has ended
 * @c: command that was started; @c->pid is 0 after this
 *
 * @c->status is the exit status of the command, or 128 + the number of the signal that
 * ended it.
 */
void child_wait(struct child *c);

#endif /* KTAP_CLI_CHILD_H */
