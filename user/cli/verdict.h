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
 * @name: event, or a pattern; owned; NULL: the sum of all
 * @min: hits
 * @max: hits
 */
struct expectation {
	const char *text;
	char *name;
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

/**
 * verdict_options_deinit() - release the list of expectations
 * @o: options, or zeros; they must not be used after this
 *
 * The values of the options stay valid: they are the caller's.
 */
void verdict_options_deinit(struct verdict_options *o);

/**
 * verdict_option() - take one option of VERDICT_ROWS
 * @o: options; zeros before the first one
 * @key: key of the option
 * @value: its value, which must live as long as @o
 * @d: on failure
 *
 * Return: 0; 1: it is another option; -EINVAL: the option does not take that value; -ENOMEM.
 */
int verdict_option(struct verdict_options *o, int key, const char *value,
		   struct diag *d);

/**
 * verdict_check() - check, before the session, that each name of --expect is of an event
 * @o: options
 * @t: events of the session, at least one
 * @d: on failure
 *
 * Return: 0; -EINVAL: a name or pattern matches no event.
 */
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

/**
 * verdict_give() - print unmet expectations on stderr, and write the file of --junit
 * @v: how the session went, with final counts
 *
 * Each expectation, the limit of losses and the exit status is a test case of the file.
 * That the file cannot be written is printed too.
 *
 * Return: exit status: @v->status if it is not 0; VERDICT_EXIT if an expectation or the
 * limit is not met; the status of the error if only the file cannot be written; else 0.
 */
int verdict_give(const struct verdict *v);

#endif /* KTAP_CLI_VERDICT_H */
