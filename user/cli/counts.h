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

/**
 * counts_deinit() - release the rows of a table
 * @c: table, which is empty after this
 */
void counts_deinit(struct counts *c);

/**
 * counts_add() - append a row
 * @c: table; zeros when there are no rows
 * @name: event; it is copied
 * @counts: outcomes of its hits; they are copied
 * @missed: hits that the kernel itself skipped
 * @unfollowed: calls that were not followed to their return
 *
 * If memory runs out, @c->failed is set, and counts_print() returns -ENOMEM.
 */
void counts_add(struct counts *c, const char *name,
		const struct ktap_counts *counts, uint64_t missed,
		uint64_t unfollowed);

/**
 * counts_merge() - add to the row of an event, or append it
 * @c: table; zeros when there are no rows
 * @name: event; it is copied
 * @counts: outcomes of its hits; they are copied
 * @missed: hits that the kernel itself skipped
 *
 * If memory runs out, @c->failed is set, and counts_print() returns -ENOMEM.
 */
void counts_merge(struct counts *c, const char *name, const struct ktap_counts *counts,
		  uint64_t missed);

/**
 * counts_time() - say that the last row is of a system call whose time is counted
 * @c: table that has a row
 * @errors: calls that returned an error
 * @time_ns: time in all calls, in nanoseconds
 *
 * It has no effect once memory ran out.
 */
void counts_time(struct counts *c, uint64_t errors, uint64_t time_ns);

/**
 * counts_since() - have a table also show how fast the counts grow
 * @c: table whose rows are complete
 * @before: the table before it; it is released, and empty after this
 * @seconds: time between the two tables
 *
 * A row is compared with the row at the same position in @before. If that row has another
 * name or a larger count, the new row counts from 0.
 */
void counts_since(struct counts *c, struct counts *before, double seconds);

/**
 * counts_print() - print a table, the largest count first
 * @c: table
 * @out: file, which is not flushed
 *
 * Columns of losses and of rejected hits are omitted if all their cells are 0.
 *
 * Return: 0; -ENOMEM, also if a row could not be added before: then nothing is printed.
 */
int counts_print(const struct counts *c, FILE *out);

#endif /* KTAP_CLI_COUNTS_H */
