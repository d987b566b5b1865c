// SPDX-License-Identifier: GPL-2.0
/* Counts of events, for people. */
#include "cli/counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/account.h"

void counts_deinit(struct counts *c)
{
	for (size_t i = 0; i < c->nr; i++)
		free(c->rows[i].name);
	free(c->rows);
	*c = (struct counts){ 0 };
}

void counts_add(struct counts *c, const char *name,
		const struct ktap_counts *counts, uint64_t missed,
		uint64_t unfollowed)
{
	struct counts_row *rows = array_grow(c->rows, c->nr, sizeof(*rows));
	char *copy = strdup(name);

	if (rows)
		c->rows = rows;
	if (!rows || !copy) {
		free(copy);
		c->failed = true;
		return;
	}
	c->rows[c->nr++] = (struct counts_row){
		.name = copy, .counts = *counts, .missed = missed,
		.unfollowed = unfollowed,
	};
}

void counts_merge(struct counts *c, const char *name, const struct ktap_counts *counts,
		  uint64_t missed)
{
	for (size_t i = 0; i < c->nr; i++) {
		struct counts_row *row = &c->rows[i];

		if (strcmp(row->name, name))
			continue;
		account_add(&row->counts, counts);
		row->missed += missed;
		return;
	}
	counts_add(c, name, counts, missed, 0);
}

void counts_time(struct counts *c, uint64_t errors, uint64_t time_ns)
{
	struct counts_row *last = c->failed ? NULL : &c->rows[c->nr - 1];

	if (!last)
		return;
	last->timed = true;
	last->errors = errors;
	last->time_ns = time_ns;
}

/* An event that was not there then, or was another one, counts from 0. */
void counts_since(struct counts *c, struct counts *before, double seconds)
{
	for (size_t i = 0; i < c->nr && i < before->nr; i++) {
		uint64_t then = account_wanted(&before->rows[i].counts);

		if (!strcmp(c->rows[i].name, before->rows[i].name) &&
		    then <= account_wanted(&c->rows[i].counts))
			c->rows[i].before = then;
	}
	c->seconds = seconds;
	counts_deinit(before);
}

/* ---- the table --------------------------------------------------------------- */

static uint64_t filtered(const struct counts_row *r)
{
	return r->counts.filtered;
}

static uint64_t limited(const struct counts_row *r)
{
	return r->counts.limited;
}

static uint64_t lost(const struct counts_row *r)
{
	return account_lost(&r->counts);
}

static uint64_t missed(const struct counts_row *r)
{
	return r->missed;
}

static uint64_t unfollowed(const struct counts_row *r)
{
	return r->unfollowed;
}

static const struct column {
	const char *head;
	uint64_t (*value)(const struct counts_row *r);
} columns[] = {
	{ "FILTERED", filtered },
	{ "LIMITED", limited },
	{ "LOST", lost },
	{ "MISSED", missed },
	{ "UNFOLLOWED", unfollowed },
};

#define COLUMNS_MAX (ARRAY_SIZE(columns) + 5)

static bool is_shown(const struct counts *c, const struct column *column)
{
	for (size_t i = 0; i < c->nr; i++)
		if (column->value(&c->rows[i]))
			return true;
	return false;
}

static int compare(const void *a, const void *b)
{
	const struct counts_row *x = *(const struct counts_row *const *)a;
	const struct counts_row *y = *(const struct counts_row *const *)b;
	uint64_t m = account_wanted(&x->counts), n = account_wanted(&y->counts);
	int order = strcmp(x->name, y->name);

	if (m != n)
		return m < n ? 1 : -1;
	return order ? order : (x > y) - (x < y);
}

static void put_row(struct table *t, const struct counts *c,
		    const struct counts_row *r, const bool *shown, bool timed)
{
	uint64_t count = account_wanted(&r->counts);

	table_cell(t, "%llu", (unsigned long long)count);
	if (c->seconds)
		table_cell(t, "%.0f", (double)(count - r->before) / c->seconds);
	if (r->timed) {
		table_cell(t, "%llu", (unsigned long long)r->errors);
		table_cell(t, "%.6f", (double)r->time_ns / 1e9);
	} else if (timed) {
		/* what a call does not have is not 0 */
		table_cell(t, "-");
		table_cell(t, "-");
	}
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		if (shown[i])
			table_cell(t, "%llu",
				   (unsigned long long)columns[i].value(r));
	table_cell(t, "%s", r->name);
}

static int print_sorted(const struct counts *c,
			const struct counts_row *const *sorted, FILE *out)
{
	const char *heads[COLUMNS_MAX] = { "COUNT" };
	char align[COLUMNS_MAX + 1] = "r";
	bool shown[ARRAY_SIZE(columns)], timed = false;
	struct table t;
	size_t nr = 1;
	int err;

	for (size_t i = 0; i < c->nr; i++)
		timed |= c->rows[i].timed;
	if (c->seconds)
		heads[nr++] = "PER-SEC";
	if (timed) {
		heads[nr++] = "ERRORS";
		heads[nr++] = "SECONDS";
	}
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		shown[i] = is_shown(c, &columns[i]);
		if (shown[i])
			heads[nr++] = columns[i].head;
	}
	memset(align, 'r', nr);
	align[nr] = 'l';
	align[nr + 1] = '\0';
	heads[nr] = "NAME";
	table_init(&t, align, heads);
	for (size_t i = 0; i < c->nr; i++)
		put_row(&t, c, sorted[i], shown, timed);
	err = table_print(&t, out);
	table_deinit(&t);
	return err;
}

int counts_print(const struct counts *c, FILE *out)
{
	const struct counts_row **sorted = calloc(c->nr + 1, sizeof(*sorted));
	int err = -ENOMEM;

	if (sorted && !c->failed) {
		for (size_t i = 0; i < c->nr; i++)
			sorted[i] = &c->rows[i];
		qsort(sorted, c->nr, sizeof(*sorted), compare);
		err = print_sorted(c, sorted, out);
	}
	free(sorted);
	return err;
}
