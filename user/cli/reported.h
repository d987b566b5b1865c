/* SPDX-License-Identifier: GPL-2.0 */
/* Rows of a report on stdout: a table, histograms, a call tree, or JSON. */
#ifndef KTAP_CLI_REPORTED_H
#define KTAP_CLI_REPORTED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/json.h"
#include "report/report.h"

struct json_line;

/**
 * struct reported_look - how rows are shown
 * @keys: of the report
 * @values: of the report
 * @sort: column
 * @limit: rows that are shown; the others are added up in one; 0: all
 * @json: one object per row, or per node of @tree
 * @folded: one line per row, as flame graphs are made from
 * @flame: file for a flame graph, or NULL
 * @tree: rows as a call tree
 * @min: of @tree: nodes with a smaller percentage are omitted
 * @hist: also a histogram of each value in each row
 * @timed: the rows have the hits of an interval
 * @begin_ns: its begin, CLOCK_MONOTONIC
 */
struct reported_look {
	const struct report_names *keys;
	const struct report_names *values;
	const char *sort;
	size_t limit;
	bool json;
	bool folded;
	const char *flame;
	bool tree;
	double min;
	bool hist;
	bool timed;
	uint64_t begin_ns;
};

/**
 * reported_show() - sort rows and print them
 * @r: report
 * @look: how
 * @d: on failure
 *
 * Return: 0, -ENOMEM, or -EINVAL: there is no such column.
 */
int reported_show(struct report *r, const struct reported_look *look,
		  struct diag *d);

/**
 * reported_key() - a key of a row as a person sees it
 * @b: appended to
 * @text: the key, as in struct report_row; NULL: of the row "other"
 *
 * Return: the next key; NULL: the row is "other".
 */
const char *reported_key(struct buf *b, const char *text);

/**
 * reported_line_begin() - begin a line of JSON, which has the time of its interval
 * @line: writer; json_line_end() must follow
 * @look: whether there are intervals, and where this one begins
 */
void reported_line_begin(struct json_line *line, const struct reported_look *look);

/**
 * reported_json_keys() - write the keys of a row as a member
 * @j: writer, in an object
 * @look: keys
 * @texts: as in struct report_row, in the form of JSON
 */
void reported_json_keys(struct json *j, const struct reported_look *look,
			const char *texts);

#endif /* KTAP_CLI_REPORTED_H */
