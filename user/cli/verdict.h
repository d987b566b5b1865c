/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a test expects of a session: how many hits, how many losses; said by the
 * exit status, and to machines that collect tests in the form that JUnit has.
 */
#ifndef KTAP_CLI_VERDICT_H
#define KTAP_CLI_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/target.h"

/* Exit status of a session that ran well and was not as expected. */
#define VERDICT_EXIT	3

/* Rows for a command's table of options; verdict_option() takes them. */
#define VERDICT_ROWS \
	{ OPT_EXPECT, "expect", "[NAME=]N", "fail unless there are N hits (or N-, N-M)" }, \
	{ OPT_MAX_LOST, "max-lost", "N", "fail if more than N hits were lost" }, \
	{ OPT_JUNIT, "junit", "FILE", "write the result to FILE as a JUnit report" }

/**
 * struct expectation - of a number of hits
 * @text: as it was typed
 * @name: event, or a pattern; not NUL-terminated; NULL: the sum of all
 * @length: of @name
 * @min: hits
 * @max: hits
 */
struct expectation {
	const char *text;
	const char *name;
	size_t length;
	uint64_t min;
	uint64_t max;
};

/**
 * struct verdict_options - what is expected
 * @expect: of numbers; owned
 * @nr: how many
 * @limits_lost: there is a limit of losses
 * @max_lost: that
 * @junit: file, or NULL
 */
struct verdict_options {
	struct expectation *expect;
	size_t nr;
	bool limits_lost;
	uint64_t max_lost;
	const char *junit;
};

void verdict_options_deinit(struct verdict_options *o);

/* verdict_option() - takes one of these options; 1: it is another. */
int verdict_option(struct verdict_options *o, int key, const char *value,
		   struct diag *d);

/* verdict_check() - before the session: each name is one of an event. */
int verdict_check(const struct verdict_options *o, const struct targets *t,
		  struct diag *d);

/**
 * struct verdict - how a session went
 * @options: what was expected
 * @targets: its events
 * @lost: hits lost, missed by the kernel, and calls not followed to their return
 * @status: exit status so far
 * @command: name of the command, or NULL
 * @seconds: how long it took
 */
struct verdict {
	const struct verdict_options *options;
	const struct targets *targets;
	uint64_t lost;
	int status;
	const char *command;
	double seconds;
};

/* verdict_give() - says what is not as expected, and writes the file.
 * Return: exit status.
 */
int verdict_give(const struct verdict *v);

#endif /* KTAP_CLI_VERDICT_H */
