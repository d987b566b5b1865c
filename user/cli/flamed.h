/* SPDX-License-Identifier: GPL-2.0 */
/* Rows of a report as a flame graph. */
#ifndef KTAP_CLI_FLAMED_H
#define KTAP_CLI_FLAMED_H

#include "cli/reported.h"
#include "report/paths.h"

/**
 * struct flamed - graph that is being made
 * @look: how rows are shown
 * @paths: its paths
 * @left_out: rows whose sum is negative or has more than 64 bits
 */
struct flamed {
	const struct reported_look *look;
	struct paths paths;
	uint64_t left_out;
};

/**
 * flamed_add() - add a row
 * @f: graph
 * @row: row
 *
 * The frames are the keys, the first one outermost; a stack is as many frames as it has.
 *
 * Return: 0 or -ENOMEM.
 */
int flamed_add(struct flamed *f, const struct report_row *row);

/**
 * flamed_write() - write the graph
 * @f: graph
 * @d: on failure
 *
 * Return: 0 or a negative error.
 */
int flamed_write(struct flamed *f, struct diag *d);

/**
 * flamed_deinit() - release a graph
 * @f: graph
 */
void flamed_deinit(struct flamed *f);

#endif /* KTAP_CLI_FLAMED_H */
