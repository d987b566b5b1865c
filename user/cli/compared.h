/* SPDX-License-Identifier: GPL-2.0 */
/* The differences of two reports on stdout: a table, or JSON. */
#ifndef KTAP_CLI_COMPARED_H
#define KTAP_CLI_COMPARED_H

#include "cli/reported.h"
#include "report/change.h"

/**
 * compared_show() - print the rows of two reports
 * @c: rows
 * @old: report of the first recording
 * @new: report of the second recording
 * @look: how: keys, values, limit and json
 *
 * Return: 0 or -ENOMEM.
 */
int compared_show(const struct changes *c, struct report *old, struct report *new,
		  const struct reported_look *look);

#endif /* KTAP_CLI_COMPARED_H */
