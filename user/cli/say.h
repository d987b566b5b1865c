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

/* say_note() - one line that is not an error; printf format. */
void say_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

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

/* say_output() - @err of a write to stdout, as a diag. Return: @err. */
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

void progress_init(struct progress *p, const char *what, size_t total,
		   bool quiet);
void progress_deinit(struct progress *p);
void progress_step(struct progress *p, size_t done);
/* progress_step_fn() - the same for those who tell; @ctx: a struct progress */
void progress_step_fn(void *ctx, size_t done);

#endif /* KTAP_CLI_SAY_H */
