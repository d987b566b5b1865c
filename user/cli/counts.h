/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a person wants of stat: one count for each event, the largest first, and beside
 * it only what is not zero.
 */
#ifndef KTAP_CLI_COUNTS_H
#define KTAP_CLI_COUNTS_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct counts_row - an event
 * @name: its name; owned
 * @counts: what became of its hits
 * @missed: hits the kernel itself skipped
 * @unfollowed: calls that were not followed to their return
 * @before: what was its count in the table before
 * @timed: it is a system call whose time is counted: ...
 * @errors: ... calls that returned an error
 * @time_ns: ... and the time in all of them
 */
struct counts_row {
	char *name;
	struct ktap_counts counts;
	uint64_t missed;
	uint64_t unfollowed;
	uint64_t before;
	bool timed;
	uint64_t errors;
	uint64_t time_ns;
};

/**
 * struct counts - a table
 * @rows: in the order of counts_add()
 * @nr: how many
 * @seconds: since the table before; 0: there was none
 * @failed: memory ran out
 */
struct counts {
	struct counts_row *rows;
	size_t nr;
	double seconds;
	bool failed;
};

void counts_deinit(struct counts *c);

void counts_add(struct counts *c, const char *name,
		const struct ktap_counts *counts, uint64_t missed,
		uint64_t unfollowed);

/* counts_time() - the last one that was added is a system call whose time is counted. */
void counts_time(struct counts *c, uint64_t errors, uint64_t time_ns);

/* counts_since() - @c comes @seconds after @before, which is released. */
void counts_since(struct counts *c, struct counts *before, double seconds);

/* counts_print() - Return: 0, -ENOMEM. */
int counts_print(const struct counts *c, FILE *out);

#endif /* KTAP_CLI_COUNTS_H */
