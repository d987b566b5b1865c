// SPDX-License-Identifier: GPL-2.0
#include "cli/compared.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "cli/members.h"
#include "cli/print.h"
#include "cli/table.h"
#include "cli/total.h"

/**
 * struct comparing - rows that are being shown
 * @c: rows
 * @look: how
 * @other: the sum of the rows above the limit
 * @nr: rows that are
 */
struct comparing {
	const struct changes *c;
	const struct reported_look *look;
	const struct change *other;
	size_t nr;
};

/* The row at an index, where the row "other" comes last; NULL: there are no more. */
static const struct change *row_at(const struct comparing *s, size_t i)
{
	if (i < s->nr)
		return &s->c->change[i];
	return i == s->nr && (s->other->old->count || s->other->new->count) ?
		       s->other : NULL;
}

static const char *texts_of(const struct change *change)
{
	return change->new->texts ? change->new->texts : change->old->texts;
}

static struct difference rate_of(const struct comparing *s,
				 const struct change *change)
{
	return change_of_rate(change->old->count, s->c->old_seconds,
			      change->new->count, s->c->new_seconds);
}

static struct difference average_of(const struct change *change, size_t value)
{
	return change_of_average(&change->old->tallies[value],
				 &change->new->tallies[value]);
}

/* ---- table ---- */

static void add_heads(struct heads *h, const struct comparing *s)
{
	heads_add(h, 'r', "OLD");
	heads_add(h, 'r', "NEW");
	heads_add(h, 'r', "CHANGE/s");
	heads_add(h, 'r', "MARGIN/s");
	for (size_t i = 0; i < s->look->values->nr; i++) {
		const char *name = s->look->values->name[i].text;

		heads_add(h, 'r', "OLD(%s)", name);
		heads_add(h, 'r', "NEW(%s)", name);
		heads_add(h, 'r', "CHANGE(%s)", name);
		heads_add(h, 'r', "MARGIN(%s)", name);
	}
	for (size_t i = 0; i < s->look->keys->nr; i++)
		heads_add(h, 'l', "%s", s->look->keys->name[i].text);
}

/* Small numbers have more decimals. */
static int decimals_of(double value)
{
	return fabs(value) < 10 ? 3 : 1;
}

static void put_difference(struct table *t, const struct difference *d)
{
	if (!d->known) {
		table_text(t, "-");
		table_text(t, "-");
		return;
	}
	table_cell(t, "%+.*f", decimals_of(d->change), d->change);
	table_cell(t, "%.*f", decimals_of(d->margin), d->margin);
}

static void put_average(struct table *t, const struct tally *tally)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	total_average(&b, &tally->total);
	table_text(t, buf_str(&b));
}

static void put_row(struct table *t, const struct comparing *s,
		    const struct change *change)
{
	struct difference d = rate_of(s, change);
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *text = texts_of(change);

	table_cell(t, "%llu", (unsigned long long)change->old->count);
	table_cell(t, "%llu", (unsigned long long)change->new->count);
	put_difference(t, &d);
	for (size_t i = 0; i < s->look->values->nr; i++) {
		put_average(t, &change->old->tallies[i]);
		put_average(t, &change->new->tallies[i]);
		d = average_of(change, i);
		put_difference(t, &d);
	}
	for (size_t i = 0; i < s->look->keys->nr; i++) {
		buf_clear(&b);
		text = reported_key(&b, text);
		table_text(t, buf_str(&b));
	}
}

static int show_table(const struct comparing *s)
{
	const struct change *row;
	struct heads h = { 0 };
	struct table t;
	int err = -ENOMEM;

	if (!row_at(s, 0)) {
		print_line("no hits");
		return 0;
	}
	add_heads(&h, s);
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

/* ---- JSON ---- */

static void json_difference(struct json *j, const struct difference *d)
{
	if (!d->known)
		return;
	member_real(j, "change", d->change);
	member_real(j, "margin", d->margin);
}

static void json_side(struct json *j, const char *key, const struct tally *t)
{
	json_key(j, key);
	json_object(j);
	member_u64(j, "n", t->total.n);
	member_u64(j, "faulted", t->total.faulted);
	if (t->total.n)
		member_real(j, "avg", (double)t->total.sum / (double)t->total.n);
	json_object_end(j);
}

static void json_value(struct json *j, const struct comparing *s,
		       const struct change *change, size_t value)
{
	struct difference d = average_of(change, value);

	json_key(j, s->look->values->name[value].text);
	json_object(j);
	json_side(j, "old", &change->old->tallies[value]);
	json_side(j, "new", &change->new->tallies[value]);
	json_difference(j, &d);
	json_object_end(j);
}

static void json_row(const struct comparing *s, const struct change *change)
{
	struct difference rate = rate_of(s, change);
	const char *texts = texts_of(change);
	struct json_line line;
	struct json *j = &line.json;

	json_line_begin(&line);
	member_u64(j, "old", change->old->count);
	member_u64(j, "new", change->new->count);
	json_key(j, "rate");
	json_object(j);
	json_difference(j, &rate);
	json_object_end(j);
	member_bool(j, "other", !texts);
	if (texts)
		reported_json_keys(j, s->look, texts);
	json_key(j, "values");
	json_object(j);
	for (size_t i = 0; i < s->look->values->nr; i++)
		json_value(j, s, change, i);
	json_object_end(j);
	json_line_end(&line);
}

int compared_show(const struct changes *c, struct report *old, struct report *new,
		  const struct reported_look *look)
{
	struct change other = { report_other(old), report_other(new) };
	struct comparing s = { .c = c, .look = look, .other = &other, .nr = c->nr };
	const struct change *row;
	int err = 0;

	if (look->limit && s.nr > look->limit)
		s.nr = look->limit;
	for (size_t i = s.nr; i < c->nr; i++) {
		err |= report_add_other(old, c->change[i].old);
		err |= report_add_other(new, c->change[i].new);
	}
	if (err)
		return -ENOMEM;
	if (!look->json)
		return show_table(&s);
	for (size_t i = 0; (row = row_at(&s, i)); i++)
		json_row(&s, row);
	return 0;
}
