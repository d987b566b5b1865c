// SPDX-License-Identifier: GPL-2.0
#include "cli/reported.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "cli/flamed.h"
#include "cli/members.h"
#include "cli/print.h"
#include "cli/row_path.h"
#include "cli/say.h"
#include "cli/table.h"
#include "cli/total.h"
#include "cli/treed.h"

/* Percentiles that are shown */
static const unsigned int percentiles[] = { 50, 90, 99 };

/**
 * struct showing - rows that are being shown
 * @look: how
 * @rows: rows
 * @nr: how many
 * @other: the row "other"
 * @total: events in all rows
 * @faulted: which values have faults in any row
 */
struct showing {
	const struct reported_look *look;
	const struct report_row *rows;
	size_t nr;
	const struct report_row *other;
	uint64_t total;
	bool faulted[REPORT_NAMES_MAX];
};

/* The row at an index, where the row "other" comes last; NULL: there are no more. */
static const struct report_row *row_at(const struct showing *s, size_t i)
{
	if (i < s->nr)
		return &s->rows[i];
	return i == s->nr && s->other->count ? s->other : NULL;
}

static double percent_of(const struct showing *s, const struct report_row *row)
{
	return 100.0 * row->count / s->total;
}

/* ---- table ---- */

/* struct column - what a column shows of each value */
static const struct column {
	const char *head;
	void (*put)(struct buf *b, const struct total *t);
	bool is_extreme;
} columns[] = {
	{ "SUM", total_sum },
	{ "AVG", total_average },
	{ "MIN", total_min, .is_extreme = true },
	{ "MAX", total_max, .is_extreme = true },
};

static void find_faults(struct showing *s)
{
	const struct report_row *row;

	for (size_t v = 0; v < s->look->values->nr; v++)
		for (size_t i = 0; (row = row_at(s, i)); i++)
			s->faulted[v] |= row->tallies[v].total.faulted;
}

static void add_value_heads(struct heads *h, const struct showing *s, size_t value)
{
	const char *name = s->look->values->name[value].text;

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		heads_add(h, 'r', "%s(%s)", columns[i].head, name);
	for (size_t i = 0; i < ARRAY_SIZE(percentiles); i++)
		heads_add(h, 'r', "P%u(%s)", percentiles[i], name);
	if (s->faulted[value])
		heads_add(h, 'r', "FAULTS(%s)", name);
}

static void put_value_cells(struct table *t, const struct showing *s,
			    const struct report_row *row, size_t value)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const struct tally *tally = &row->tallies[value];

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		buf_clear(&b);
		if (columns[i].is_extreme && !tally_has_extremes(tally))
			buf_putc(&b, '-');
		else
			columns[i].put(&b, &tally->total);
		table_text(t, buf_str(&b));
	}
	for (size_t i = 0; i < ARRAY_SIZE(percentiles); i++) {
		buf_clear(&b);
		if (tally_has_each(tally))
			put_wide(&b, tally_percentile(tally, percentiles[i]));
		else
			buf_putc(&b, '-');
		table_text(t, buf_str(&b));
	}
	if (s->faulted[value])
		table_cell(t, "%llu", (unsigned long long)tally->total.faulted);
}

const char *reported_key(struct buf *b, const char *text)
{
	if (!text) {
		buf_puts(b, "(other)");
		return NULL;
	}
	buf_puts(b, *text ? text : "(none)");
	return text + strlen(text) + 1;
}

static void put_row(struct table *t, const struct showing *s,
		    const struct report_row *row)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *text = row->texts;

	table_cell(t, "%llu", (unsigned long long)row->count);
	table_cell(t, "%.2f%%", percent_of(s, row));
	for (size_t i = 0; i < s->look->values->nr; i++)
		put_value_cells(t, s, row, i);
	for (size_t i = 0; i < s->look->keys->nr; i++) {
		buf_clear(&b);
		text = reported_key(&b, text);
		table_text(t, buf_str(&b));
	}
}

static int show_table(const struct showing *s)
{
	const struct report_row *row;
	struct heads h = { 0 };
	struct table t;
	int err = -ENOMEM;

	heads_add(&h, 'r', "COUNT");
	heads_add(&h, 'r', "PERCENT");
	for (size_t i = 0; i < s->look->values->nr; i++)
		add_value_heads(&h, s, i);
	for (size_t i = 0; i < s->look->keys->nr; i++)
		heads_add(&h, 'l', "%s", s->look->keys->name[i].text);
	if (!h.failed) {
		table_init(&t, h.align, (const char *const *)h.text);
		for (size_t i = 0; (row = row_at(s, i)); i++)
			put_row(&t, s, row);
		err = table_print(&t, stdout);
		table_deinit(&t);
	}
	heads_deinit(&h);
	return err;
}

/* ---- histograms ---- */

/* As of 'ktap hist'. */
static const struct field histogram = {
	.format = FORMAT_SIGNED,
	.aggregate.kind = AGGREGATE_LOG2,
};

static void fill_buckets(const struct tally *t, uint64_t buckets[KTAP_NR_LOG2],
			 struct total *ret)
{
	sketch_log2(&t->sketch, buckets);
	*ret = t->total;
	ret->buckets = buckets;
	ret->nr_buckets = KTAP_NR_LOG2;
}

/* comm=cat: count of 12 hits */
static void show_title(const struct showing *s, const struct report_row *row,
		       size_t value)
{
	const struct total *t = &row->tallies[value].total;
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *text = row->texts;

	for (size_t i = 0; i < s->look->keys->nr; i++) {
		buf_printf(&b, "%s%s=", i ? " " : "", s->look->keys->name[i].text);
		text = reported_key(&b, text);
	}
	printf("%s: %s of %llu hits", buf_str(&b),
	       s->look->values->name[value].text, (unsigned long long)t->n);
	if (t->faulted)
		printf(", and %llu faults", (unsigned long long)t->faulted);
	putchar('\n');
}

static int show_histograms(const struct showing *s, const struct report_row *row)
{
	uint64_t buckets[KTAP_NR_LOG2];
	struct total total;
	int err = 0;

	for (size_t i = 0; !err && i < s->look->values->nr; i++) {
		fill_buckets(&row->tallies[i], buckets, &total);
		print_block();
		show_title(s, row, i);
		if (row->tallies[i].summed)
			print_line("no distribution: the kernel added up its values");
		else
			err = total_buckets(&histogram, &total);
	}
	return err;
}

static int show_text(struct showing *s)
{
	const struct report_row *row;
	int err;

	find_faults(s);
	err = show_table(s);
	for (size_t i = 0; !err && s->look->hist && (row = row_at(s, i)); i++)
		err = show_histograms(s, row);
	return err;
}

/* ---- folded stacks ---- */

/* What is no stack is one frame. */
static void replace_semicolons(struct buf *b, size_t from)
{
	for (size_t i = from; i < b->size; i++)
		if (b->data[i] == ';')
			b->data[i] = '_';
}

/* comm;outermost;...;innermost 12: of a value, its sum is what a row weighs. */
static void folded_row(const struct showing *s, const struct report_row *row)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *text = row->texts;

	for (size_t i = 0; i < s->look->keys->nr && (text || !i); i++) {
		size_t from;

		if (row_path_skips(row, i, text)) {
			text++;
			continue;
		}
		if (i)
			buf_putc(&b, ';');
		from = b.size;
		text = reported_key(&b, text);
		if (!(row->stacks & 1U << i))
			replace_semicolons(&b, from);
	}
	buf_putc(&b, ' ');
	if (s->look->values->nr)
		put_wide(&b, row->tallies[0].total.sum);
	else
		buf_printf(&b, "%llu", (unsigned long long)row->count);
	print_line("%s", buf_str(&b));
}

static int show_flame(const struct showing *s, struct diag *d)
{
	struct flamed f = { .look = s->look };
	const struct report_row *row;
	int err = 0;

	if (!s->total)
		say_note("no hits: the graph is empty");
	for (size_t i = 0; !err && (row = row_at(s, i)); i++)
		if (flamed_add(&f, row))
			err = diag_no_memory(d);
	if (!err)
		err = flamed_write(&f, d);
	flamed_deinit(&f);
	return err;
}

/* ---- call trees ---- */

static int show_tree(const struct showing *s)
{
	struct paths paths = { 0 };
	const struct report_row *row;
	int err = 0;

	for (size_t i = 0; !err && (row = row_at(s, i)); i++)
		err = row_path_add(&paths, s->look, row);
	if (!err)
		err = treed_show(s->look, &paths);
	paths_deinit(&paths);
	return err;
}

/* ---- JSON ---- */

static void json_percentiles(struct json *j, const struct tally *t)
{
	for (size_t i = 0; i < ARRAY_SIZE(percentiles); i++) {
		char key[16];

		snprintf(key, sizeof(key), "p%u", percentiles[i]);
		member_wide(j, key, tally_percentile(t, percentiles[i]));
	}
}

static void json_tally(struct json *j, const struct showing *s,
		       const struct tally *t, const char *name)
{
	uint64_t buckets[KTAP_NR_LOG2];
	struct total total;

	fill_buckets(t, buckets, &total);
	json_key(j, name);
	json_object(j);
	member_u64(j, "n", total.n);
	member_u64(j, "faulted", total.faulted);
	member_wide(j, "sum", total.sum);
	if (total.n)
		member_real(j, "avg", (double)total.sum / (double)total.n);
	if (tally_has_extremes(t)) {
		member_wide(j, "min", total.min);
		member_wide(j, "max", total.max);
	}
	if (tally_has_each(t))
		json_percentiles(j, t);
	if (s->look->hist && !t->summed)
		total_json_buckets(j, &histogram, &total, false);
	json_object_end(j);
}

/* A key that the event lacks is skipped. */
void reported_json_keys(struct json *j, const struct reported_look *look,
			const char *texts)
{
	json_key(j, "keys");
	json_object(j);
	for (size_t i = 0; i < look->keys->nr; i++) {
		if (*texts) {
			json_key(j, look->keys->name[i].text);
			json_written(j);
			buf_puts(j->out, texts);
		}
		texts += strlen(texts) + 1;
	}
	json_object_end(j);
}

void reported_line_begin(struct json_line *line, const struct reported_look *look)
{
	json_line_begin(line);
	if (!look->timed)
		return;
	json_key(&line->json, "time");
	json_ns(&line->json, look->begin_ns);
}

static void json_row(const struct showing *s, const struct report_row *row)
{
	struct json_line line;
	struct json *j = &line.json;

	reported_line_begin(&line, s->look);
	member_u64(j, "count", row->count);
	member_real(j, "percent", percent_of(s, row));
	member_bool(j, "other", !row->texts);
	if (row->texts)
		reported_json_keys(j, s->look, row->texts);
	json_key(j, "values");
	json_object(j);
	for (size_t i = 0; i < s->look->values->nr; i++)
		json_tally(j, s, &row->tallies[i], s->look->values->name[i].text);
	json_object_end(j);
	json_line_end(&line);
}

/* Return: true: there is nothing to show. */
static bool begin_text(const struct showing *s)
{
	if (!s->total)
		print_line("no hits");
	else if (!s->look->timed) /* else there was a heading */
		print_block();
	return !s->total;
}

static void show_lines(const struct showing *s)
{
	const struct report_row *row;

	for (size_t i = 0; (row = row_at(s, i)); i++) {
		if (s->look->folded)
			folded_row(s, row);
		else
			json_row(s, row);
	}
}

int reported_show(struct report *r, const struct reported_look *look,
		  struct diag *d)
{
	struct showing s = { .look = look, .total = report_total(r) };
	struct report_row *rows;
	int err;

	err = report_sort(r, look->sort, d, &rows, &s.nr);
	if (err)
		return err;
	if (look->limit && s.nr > look->limit) {
		if (report_fold(r, look->limit))
			return diag_no_memory(d);
		s.nr = look->limit;
	}
	s.rows = rows;
	s.other = report_other(r);
	if (look->flame)
		return show_flame(&s, d);
	if (!look->json && !look->folded && begin_text(&s))
		return 0;
	if (look->tree)
		err = show_tree(&s);
	else if (look->folded || look->json)
		show_lines(&s);
	else
		err = show_text(&s);
	return err ? diag_no_memory(d) : 0;
}
