/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the command says to a person on stderr: errors with a caret under the
 * word at fault, notes, and the progress of long work. Colour only on a
 * terminal, and never where NO_COLOR is set.
 */
#ifndef KTAP_CLI_SAY_H
#define KTAP_CLI_SAY_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/diag.h"

/**
 * say_failure() - print an error and forget it
 * @d: the error
 * @where: "FILE:LINE" that goes before it, or NULL
 *
 * Return: the exit status that it calls for.
 */
int say_failure(struct diag *d, const char *where);

/**
 * say_note() - print one line on stderr that is not an error
 * @fmt: format of printf(), without "ktap: " and without the end of the line
 *
 * stdout is flushed before. Characters that might control the terminal become '?'.
 */
void say_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * say_quiet() - print no note of what is waited for
 */
void say_quiet(void);

/**
 * say_waiting() - print a note of what is waited for, if that takes more than a second
 * @what: what
 *
 * For waiting_watch(). There is one note, however often something is waited for.
 *
 * Return: whether a signal asks ktap to end.
 */
bool say_waiting(const char *what);

/**
 * say_close() - flush stdout at the end of the command
 * @status: exit status so far
 *
 * What did not reach a full disk is a failure. A reader that left is not:
 * it has what it wanted.
 *
 * Return: the exit status to end with.
 */
int say_close(int status);

/**
 * say_output() - record that a write to stdout failed; print nothing
 * @d: gets the error, unless it has one; or NULL
 * @err: negative errno of the write
 *
 * Return: @err.
 */
int say_output(struct diag *d, int err);

/**
 * struct progress - a line on the terminal, for work of more than a second
 * @what: what is counted
 * @total: how many there are; 0: unknown
 * @next: when to show again
 * @shown: a line is on the terminal
 * @off: stderr is no terminal, or nobody wants it
 */
struct progress {
	const char *what;
	size_t total;
	struct timespec next;
	bool shown;
	bool off;
};

/**
 * progress_init() - begin to show progress, one second from now at the earliest
 * @p: progress; end it with progress_deinit()
 * @what: what is counted, in the plural; the string is kept
 * @total: how many there are; 0: unknown
 * @quiet: show nothing
 *
 * Nothing is shown either if stderr is no terminal.
 */
void progress_init(struct progress *p, const char *what, size_t total,
		   bool quiet);

/**
 * progress_deinit() - erase the line, if it is shown
 * @p: progress; a later progress_step() shows it again
 */
void progress_deinit(struct progress *p);

/**
 * progress_step() - show how far the work is, at most once per second
 * @p: progress
 * @done: how many are done, in all
 */
void progress_step(struct progress *p, size_t done);

/**
 * progress_step_fn() - call progress_step(), where a function with a context is wanted
 * @ctx: struct progress
 * @done: how many are done, in all
 */
void progress_step_fn(void *ctx, size_t done);

#endif /* KTAP_CLI_SAY_H */
