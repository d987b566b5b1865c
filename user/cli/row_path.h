/* SPDX-License-Identifier: GPL-2.0 */
/* A row of a report as a path: its keys from left to right, a stack as its functions. */
#ifndef KTAP_CLI_ROW_PATH_H
#define KTAP_CLI_ROW_PATH_H

#include "cli/reported.h"
#include "report/paths.h"

/**
 * row_path_add() - add the path of a row
 * @p: paths
 * @look: how rows are shown
 * @row: row; its weight is what row_path_weight() returns
 *
 * The names are the keys, the first one outermost; a stack is as many names as it has
 * functions.
 *
 * Return: 0 or -ENOMEM.
 */
int row_path_add(struct paths *p, const struct reported_look *look,
		 const struct report_row *row);

/**
 * row_path_skips() - has a key no part in the path of its row?
 * @row: row
 * @key: number of the key
 * @text: its text; NULL: the row has no keys
 *
 * Return: true for a stack without frames that is not the first key: the path ends at the
 *	program.
 */
bool row_path_skips(const struct report_row *row, size_t key, const char *text);

/**
 * row_path_weight() - the weight of a row
 * @look: how rows are shown
 * @row: row
 *
 * Return: the sum of the first value; without values, the hits.
 */
__int128 row_path_weight(const struct reported_look *look,
			 const struct report_row *row);

#endif /* KTAP_CLI_ROW_PATH_H */
