/* SPDX-License-Identifier: GPL-2.0 */
/* What became of the hits: as a table, as JSON, and as one line on losses. */
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

/* account_wanted() - hits in scope that passed the filter and the rates: what a person
 * means by a count
 */
uint64_t account_wanted(const struct ktap_counts *c);

/* account_lost() - hits that should have been records. */
uint64_t account_lost(const struct ktap_counts *c);
void account_add(struct ktap_counts *sum, const struct ktap_counts *c);

/* account_table() - everything: session, CPU, and losses by cause. See counts.h for less. */
void account_table(struct table *t);
void account_row(struct table *t, const struct account *a);

/* account_json() - members of an object that the caller opened. */
void account_json(struct json *j, const struct ktap_counts *c);

/* returns_table(), returns_row(), returns_json() - what is known of the calls
 * behind the hits of a return probe.
 */
void returns_table(struct table *t);
void returns_row(struct table *t, const char *name,
		 const struct ktap_returns *r);
void returns_json(struct json *j, const struct ktap_returns *r);

/* frames_table(), frames_row(), frames_json() - the same of a probe that needs
 * the entry of the function it is in.
 */
void frames_table(struct table *t);
void frames_row(struct table *t, const char *name, const struct ktap_frames *f);
void frames_json(struct json *j, const struct ktap_frames *f);

/* account_losses() - one line on stderr where there were any.
 * Return: true where there were.
 */
bool account_losses(const struct ktap_counts *sum, uint64_t missed,
		    uint64_t unfollowed);

#endif /* KTAP_CLI_ACCOUNT_H */
