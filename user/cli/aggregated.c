// SPDX-License-Identifier: GPL-2.0
#include "cli/aggregated.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/shown.h"
#include "cli/members.h"
#include "cli/print.h"
#include "cli/table.h"
#include "cli/total.h"
#include "export/value.h"

/**
 * struct showing - rows that are being shown
 * @map: their map
 * @rows: rows
 * @look: how
 * @faulted: table: which fields have faults in any row
 */
struct showing {
	const struct aggregated *map;
	const struct rows *rows;
	const struct aggregated_look *look;
	const bool *faulted;
};

void aggregated_deinit(struct aggregated *map)
{
	rows_deinit(&map->before);
	layout_free(map->layout);
}

void aggregated_group(struct aggregated *map, size_t from, size_t nr)
{
	for (size_t i = from; i < nr; i++) {
		map[i].first = i;
		for (size_t k = 0; k < i && map[i].first == i; k++)
			if (map[k].first == k && !strcmp(map[k].name, map[i].name) &&
			    layout_alike(map[k].layout, map[i].layout))
				map[i].first = k;
	}
}

void aggregated_heading(double seconds)
{
	print_block();
	print_line("%.1f seconds", seconds);
}

static bool is_histogram(const struct field *f)
{
	return f->aggregate.kind == AGGREGATE_LOG2 ||
	       f->aggregate.kind == AGGREGATE_LINEAR;
}

static bool get_event(const struct showing *s, const struct row *row,
		      struct event *e)
{
	return row->key && decoder_values(s->look->decoder, s->map->id, row->key,
					  row->key_size, e);
}

/* ---- table ---- */

/* struct column - what a column shows of each value of a kind */
static const struct column {
	enum aggregate_kind kind;
	const char *head;
	void (*put)(struct buf *b, const struct total *t);
} columns[] = {
	{ AGGREGATE_SUM, "SUM", total_sum },
	{ AGGREGATE_STATS, "AVG", total_average },
	{ AGGREGATE_STATS, "MIN", total_min },
	{ AGGREGATE_STATS, "MAX", total_max },
	{ AGGREGATE_STATS, "SUM", total_sum },
};

static bool any_faulted(const struct showing *s, const struct field *f)
{
	struct total t;

	for (size_t i = 0; i < s->rows->nr; i++) {
		rows_total(s->rows, &s->rows->row[i], f, &t);
		if (t.faulted)
			return true;
	}
	return false;
}

static void add_value_heads(struct heads *h, const struct showing *s,
			    const struct field *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		if (columns[i].kind == f->aggregate.kind)
			heads_add(h, 'r', "%s(%s)", columns[i].head, f->name);
	if (s->faulted[f - s->map->layout->fields])
		heads_add(h, 'r', "FAULTS(%s)", f->name);
}

static void add_heads(struct heads *h, const struct showing *s)
{
	const struct layout *l = s->map->layout;

	heads_add(h, 'r', "COUNT");
	for (size_t i = 0; i < l->nr_fields; i++)
		if (aggregate_is_value(&l->fields[i].aggregate))
			add_value_heads(h, s, &l->fields[i]);
	for (size_t i = 0; i < l->nr_fields; i++)
		if (!aggregate_is_value(&l->fields[i].aggregate))
			heads_add(h, 'l', "%s", l->fields[i].name);
}

static void put_value_cells(struct table *t, const struct showing *s,
			    const struct row *row, const struct field *f)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct total total;

	rows_total(s->rows, row, f, &total);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		if (columns[i].kind != f->aggregate.kind)
			continue;
		buf_clear(&b);
		columns[i].put(&b, &total);
		table_cell(t, "%s", buf_str(&b));
	}
	if (s->faulted[f - s->map->layout->fields])
		table_cell(t, "%llu", (unsigned long long)total.faulted);
}

static struct value_look look_at(const struct showing *s)
{
	return (struct value_look){
		.ks = s->look->ks, .depth = s->look->depth,
		.ints_text = s->look->ints_text,
	};
}

/* @e: NULL: the row "other" */
static void put_key(struct buf *b, const struct showing *s,
		    const struct event *e, size_t field)
{
	const struct value_look look = look_at(s);

	if (e)
		value_text(b, e, &e->values[field], &look);
	else
		buf_puts(b, "(other)");
}

static void put_row(struct table *t, const struct showing *s,
		    const struct row *row)
{
	const struct layout *l = s->map->layout;
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct event e;
	bool is_key = get_event(s, row, &e);

	table_cell(t, "%llu", (unsigned long long)row->count);
	for (size_t i = 0; i < l->nr_fields; i++)
		if (aggregate_is_value(&l->fields[i].aggregate))
			put_value_cells(t, s, row, &l->fields[i]);
	for (size_t i = 0; i < l->nr_fields; i++) {
		if (aggregate_is_value(&l->fields[i].aggregate))
			continue;
		buf_clear(&b);
		put_key(&b, s, is_key ? &e : NULL, i);
		table_text(t, buf_str(&b));
	}
	if (is_key) {
		buf_clear(&b);
		stacks_text(&b, &e, s->look->ks);
		if (b.size)
			table_below(t, buf_str(&b));
	}
}

/* All rows are looked at once, and not again for each row. */
static int show_table(const struct showing *given)
{
	const struct layout *l = given->map->layout;
	bool *faulted = calloc(l->nr_fields + 1, sizeof(*faulted));
	struct showing own = *given;
	const struct showing *s = &own;
	struct heads h = { 0 };
	struct table t;
	int err = -ENOMEM;

	if (!faulted)
		return err;
	for (size_t i = 0; i < l->nr_fields; i++)
		faulted[i] = aggregate_is_value(&l->fields[i].aggregate) &&
			     any_faulted(given, &l->fields[i]);
	own.faulted = faulted;
	add_heads(&h, s);
	if (!h.failed) {
		table_init(&t, h.align, (const char *const *)h.text);
		for (size_t i = 0; i < s->rows->nr; i++)
			put_row(&t, s, &s->rows->row[i]);
		err = table_print(&t, stdout);
		table_deinit(&t);
	}
	heads_deinit(&h);
	free(faulted);
	return err;
}

/* ---- histograms ---- */

/* name: comm="cat": count of 12 values, then the stacks of the key */
static void show_title(const struct showing *s, const struct row *row,
		       const struct field *f, const struct total *t)
{
	const struct layout *l = s->map->layout;
	_cleanup_buf_ struct buf b = BUF_INIT, name = BUF_INIT;
	struct event e;
	bool is_key = get_event(s, row, &e);

	for (size_t i = 0; i < l->nr_fields; i++) {
		if (aggregate_is_value(&l->fields[i].aggregate))
			continue;
		buf_printf(&b, " %s=", l->fields[i].name);
		put_key(&b, s, is_key ? &e : NULL, i);
	}
	shown_put(&name, s->map->name, strlen(s->map->name), SHOWN_BACKSLASH);
	printf("%s%s%s: %s of %llu hits", buf_str(&name), b.size ? ":" : "",
	       buf_str(&b), f->name,
	       (unsigned long long)t->n);
	if (t->faulted)
		printf(", and %llu faults", (unsigned long long)t->faulted);
	putchar('\n');
	if (is_key) {
		buf_clear(&b);
		stacks_text(&b, &e, s->look->ks);
		fputs(buf_str(&b), stdout);
	}
}

static int show_histograms(const struct showing *s, const struct row *row)
{
	const struct layout *l = s->map->layout;
	struct total t;
	int err = 0;

	for (size_t i = 0; !err && i < l->nr_fields; i++) {
		if (!is_histogram(&l->fields[i]))
			continue;
		rows_total(s->rows, row, &l->fields[i], &t);
		print_block();
		show_title(s, row, &l->fields[i], &t);
		err = total_buckets(&l->fields[i], &t);
	}
	return err;
}

static bool has_other_values(const struct layout *l)
{
	bool histograms = false, others = false;

	for (size_t i = 0; i < l->nr_fields; i++) {
		if (is_histogram(&l->fields[i]))
			histograms = true;
		else if (aggregate_is_value(&l->fields[i].aggregate))
			others = true;
	}
	return others || !histograms;
}

static int show_text(const struct showing *s)
{
	int err = 0;

	if (!s->rows->nr)
		return 0;
	if (has_other_values(s->map->layout)) {
		print_block();
		print_line("%s:", s->map->name);
		err = show_table(s);
	}
	for (size_t i = 0; !err && i < s->rows->nr; i++)
		err = show_histograms(s, &s->rows->row[i]);
	return err;
}

/* ---- JSON ---- */

static void json_total(struct json *j, const struct showing *s,
		       const struct row *row, const struct field *f)
{
	bool text = s->look->ints_text;
	struct total t;

	rows_total(s->rows, row, f, &t);
	json_key(j, f->name);
	json_object(j);
	member_digits(j, "n", t.n, text);
	member_digits(j, "faulted", t.faulted, text);
	if (is_histogram(f))
		total_json_buckets(j, f, &t, text);
	else
		member_digits(j, "sum", t.sum, text);
	if (f->aggregate.kind == AGGREGATE_STATS && t.n) {
		member_digits(j, "min", t.min, text);
		member_digits(j, "max", t.max, text);
	}
	json_object_end(j);
}

/* A key that could not be read is null, as in a record. */
static void json_keys(struct json *j, const struct showing *s,
		      const struct event *e)
{
	const struct layout *l = s->map->layout;
	const struct value_look look = look_at(s);

	json_key(j, "keys");
	json_object(j);
	for (size_t i = 0; i < l->nr_fields; i++) {
		if (aggregate_is_value(&l->fields[i].aggregate))
			continue;
		json_key(j, l->fields[i].name);
		json_written(j);
		value_json(j->out, e, &e->values[i], &look);
	}
	json_object_end(j);
}

static void json_row(const struct showing *s, const struct row *row)
{
	const struct layout *l = s->map->layout;
	struct json_line line;
	struct json *j = &line.json;
	struct event e;

	json_line_begin(&line);
	if (s->look->time_ns) {
		json_key(j, "time");
		json_ns(j, s->look->time_ns);
	}
	member_str(j, "name", s->map->name);
	member_digits(j, "count", row->count, s->look->ints_text);
	member_bool(j, "other", !row->key);
	if (get_event(s, row, &e)) {
		json_keys(j, s, &e);
		value_remarks(j->out, &e);
	}
	json_key(j, "values");
	json_object(j);
	for (size_t i = 0; i < l->nr_fields; i++)
		if (aggregate_is_value(&l->fields[i].aggregate))
			json_total(j, s, row, &l->fields[i]);
	json_object_end(j);
	json_line_end(&line);
}

int aggregated_show(struct aggregated *map, struct rows *now,
		    const struct aggregated_look *look)
{
	const struct showing s = { .map = map, .rows = now, .look = look };
	struct rows all = { 0 };

	if (rows_merge(now))
		return -ENOMEM;
	if (look->time_ns) {
		if (rows_copy(&all, now))
			return -ENOMEM;
		rows_subtract(now, &map->before);
		rows_deinit(&map->before);
		map->before = all;
	}
	if (look->limit)
		rows_fold(now, look->limit);
	map->any = now->nr;
	if (!look->json)
		return show_text(&s);
	for (size_t i = 0; i < now->nr; i++)
		json_row(&s, &now->row[i]);
	return 0;
}
