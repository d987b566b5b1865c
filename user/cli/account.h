/* SPDX-License-Identifier: GPL-2.0 */
/* What became of hits and marks: as a table, as JSON, and as one line on losses. */
#ifndef KTAP_CLI_ACCOUNT_H
#define KTAP_CLI_ACCOUNT_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/json.h"
#include "cli/table.h"

/**
 * struct account - one row
 * @name: event
 * @session: whose hits, or NULL: all; "enable" for what an enabled event counts
 * @cpu: where, or -1: everywhere
 * @counts: accounting
 * @missed: hits the kernel itself skipped; only where @cpu is -1
 */
struct account {
	const char *name;
	const char *session;
	int cpu;
	struct ktap_counts counts;
	uint64_t missed;
};

/**
 * account_wanted() - count the hits in scope that passed the filter and the rates
 * @c: counts of a probe
 *
 * That is the number that a person means by a count. It includes hits that were lost.
 *
 * Return: hits that are neither filtered nor limited.
 */
uint64_t account_wanted(const struct ktap_counts *c);

/**
 * account_lost() - count the hits that should have been records or in a map
 * @c: counts of a probe
 *
 * Hits that the kernel itself missed are not in @c, and so they do not count here.
 *
 * Return: the sum of the members lost_*.
 */
uint64_t account_lost(const struct ktap_counts *c);

/**
 * account_add() - add counts to a sum, member by member
 * @sum: added to; zeros at first
 * @c: counts that are added
 */
void account_add(struct ktap_counts *sum, const struct ktap_counts *c);

/**
 * account_table() - begin a table of everything: session, CPU, and losses by cause
 * @t: table, not initialized; release it with table_deinit()
 *
 * See counts.h for a shorter table.
 */
void account_table(struct table *t);

/**
 * account_row() - add a row to the table of account_table()
 * @t: table
 * @a: row; it is copied
 */
void account_row(struct table *t, const struct account *a);

/**
 * account_json() - write counts as members of an object
 * @j: writer, in an object that the caller opened
 * @c: counts
 *
 * The losses by cause are an object, the member "lost".
 */
void account_json(struct json *j, const struct ktap_counts *c);

/**
 * returns_table() - begin a table of the calls to functions with return probes
 * @t: table, not initialized; release it with table_deinit()
 */
void returns_table(struct table *t);

/**
 * returns_row() - add a row to the table of returns_table()
 * @t: table
 * @name: event; it is copied
 * @r: counts of its calls; errors and time are not shown
 */
void returns_row(struct table *t, const char *name,
		 const struct ktap_returns *r);

/**
 * returns_json() - write the counts of calls as a member "returns", an object
 * @j: writer, in an object that the caller opened
 * @r: counts of the calls; errors and time are not written
 */
void returns_json(struct json *j, const struct ktap_returns *r);

/**
 * frames_table() - begin a table of probes that need the entry of their function
 * @t: table, not initialized; release it with table_deinit()
 */
void frames_table(struct table *t);

/**
 * frames_row() - add a row to the table of frames_table()
 * @t: table
 * @name: event; it is copied
 * @f: counts of the entries
 */
void frames_row(struct table *t, const char *name, const struct ktap_frames *f);

/**
 * frames_json() - write the counts of entries as a member "frames", an object
 * @j: writer, in an object that the caller opened
 * @f: counts of the entries
 */
void frames_json(struct json *j, const struct ktap_frames *f);

/**
 * state_table() - begin a table of probes that store or load values
 * @t: table, not initialized; release it with table_deinit()
 */
void state_table(struct table *t);

/**
 * state_row() - add a row to the table of state_table()
 * @t: table
 * @name: event; it is copied
 * @s: counts of its stores and loads
 */
void state_row(struct table *t, const char *name, const struct ktap_state_counts *s);

/**
 * state_json() - write the counts of stores and loads as a member "state", an object
 * @j: writer, in an object that the caller opened
 * @s: counts
 */
void state_json(struct json *j, const struct ktap_state_counts *s);

/**
 * state_add() - add counts to a sum, member by member
 * @sum: added to; zeros at first
 * @s: counts that are added
 * @sign: 1, or -1 to subtract them
 */
void state_add(struct ktap_state_counts *sum, const struct ktap_state_counts *s,
	       int sign);

/**
 * state_losses() - print one line on stderr about values that were not found or are lost
 * @sum: counts of all probes
 *
 * Return: true if values were lost. That a key has no entry is none of that.
 */
bool state_losses(const struct ktap_state_counts *sum);

/**
 * account_losses() - print one line on stderr about all losses, if there were any
 * @sum: counts of all probes
 * @missed: hits that the kernel itself skipped
 * @unfollowed: calls that were not followed to their return
 *
 * Return: true if there were losses.
 */
bool account_losses(const struct ktap_counts *sum, uint64_t missed,
		    uint64_t unfollowed);

/**
 * marks_losses() - print one line on stderr about marks that were lost, if there were any
 * @m: outcomes of the marks
 *
 * Return: true if there were losses.
 */
bool marks_losses(const struct ktap_marks *m);

#endif /* KTAP_CLI_ACCOUNT_H */
