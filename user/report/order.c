// SPDX-License-Identifier: GPL-2.0
/* The order of rows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/suggest.h"
#include "report/report_in.h"

/* enum number - what a column shows of a value */
enum number {
	NUMBER_SUM,
	NUMBER_AVG,
	NUMBER_MIN,
	NUMBER_MAX,
	NUMBER_FAULTS,
	NUMBER_PERCENTILE,
};

static const char *const number_names[] = {
	[NUMBER_SUM] = "sum",
	[NUMBER_AVG] = "avg",
	[NUMBER_MIN] = "min",
	[NUMBER_MAX] = "max",
	[NUMBER_FAULTS] = "faults",
};

/**
 * struct order - what rows are sorted by
 * @kind: which column
 * @index: ORDER_KEY: of the key; ORDER_NUMBER: of the value
 * @number: ORDER_NUMBER: what of the value
 * @percent: NUMBER_PERCENTILE: which
 */
struct order {
	enum {
		ORDER_COUNT,
		ORDER_KEY,
		ORDER_NUMBER,
	} kind;
	size_t index;
	enum number number;
	unsigned int percent;
};

/* ---- columns ---- */

static bool is_name(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && !strncmp(name, text, length);
}

/* As it is shown, or as "args.NAME" */
static bool find_name(const struct report_names *names, const char *text,
		      size_t length, size_t *ret)
{
	size_t prefix = report_argument(text) - text;

	for (size_t i = 0; i < names->nr; i++) {
		const struct report_name *name = &names->name[i];

		if (!is_name(name->text, text, length) &&
		    (name->source != REPORT_ARGUMENT || prefix > length ||
		     !is_name(name->argument, text + prefix, length - prefix)))
			continue;
		*ret = i;
		return true;
	}
	return false;
}

/* "p50" */
static bool find_percentile(const char *text, size_t length, struct order *o)
{
	char *end;

	if (length < 2 || (*text != 'p' && *text != 'P') || text[1] < '1' || text[1] > '9')
		return false;
	o->percent = strtoul(text + 1, &end, 10);
	o->number = NUMBER_PERCENTILE;
	return end == text + length && o->percent <= 100;
}

static bool find_number(const char *text, size_t length, struct order *o)
{
	for (size_t i = 0; i < ARRAY_SIZE(number_names); i++) {
		if (strlen(number_names[i]) != length ||
		    strncasecmp(number_names[i], text, length))
			continue;
		o->number = i;
		return true;
	}
	return find_percentile(text, length, o);
}

/* "avg", or "avg(NAME)" */
static bool find_value(const struct report *r, const char *column, struct order *o)
{
	const char *open = strchr(column, '(');
	size_t length = strlen(column);

	o->kind = ORDER_NUMBER;
	if (!r->opt.values->nr)
		return false;
	if (!open)
		return find_number(column, length, o);
	return column[length - 1] == ')' && find_number(column, open - column, o) &&
	       find_name(r->opt.values, open + 1, column + length - open - 2,
			 &o->index);
}

static bool find_key(const struct report *r, const char *column, struct order *o)
{
	const char *name = *column == '$' ? column + 1 : column;

	o->kind = ORDER_KEY;
	return find_name(r->opt.keys, name, strlen(name), &o->index);
}

/* A key may be an argument of the name of a column: "args.count" is the key then. */
static bool find_column(const struct report *r, const char *column,
			struct order *o)
{
	*o = (struct order){ .kind = ORDER_COUNT };
	if (!strcasecmp(column, "count") || !strcasecmp(column, "percent"))
		return true;
	return find_value(r, column, o) || find_key(r, column, o);
}

static void hint_columns(const struct report *r, struct diag *d)
{
	_cleanup_buf_ struct buf all = BUF_INIT;

	for (size_t i = 0; i < r->opt.keys->nr; i++)
		buf_printf(&all, ", %s", r->opt.keys->name[i].text);
	for (size_t i = 0; r->opt.values->nr && i < ARRAY_SIZE(number_names); i++)
		buf_printf(&all, ", %s", number_names[i]);
	diag_hint(d, "there are count%s%s", buf_str(&all), r->opt.values->nr ? ", p50" : "");
}

int report_sortable(const struct report *r, const char *column, struct diag *d)
{
	struct suggest near;
	struct order o;

	if (find_column(r, column, &o))
		return 0;
	diag_set(d, -EINVAL, DIAG_REPORT_NO_COLUMN, column);
	suggest_init(&near, column, strlen(column));
	suggest_try(&near, "count");
	for (size_t i = 0; i < r->opt.keys->nr; i++)
		suggest_try(&near, r->opt.keys->name[i].text);
	for (size_t i = 0; r->opt.values->nr && i < ARRAY_SIZE(number_names); i++)
		suggest_try(&near, number_names[i]);
	suggest_hint(&near, "", d);
	/* it keeps a hint that it has */
	hint_columns(r, d);
	return -EINVAL;
}

/* ---- order ---- */

/* A whole text that is a number, as keys that are numbers look; JSON has "0x10" in quotes. */
static bool get_number(const char *text, __int128 *ret)
{
	bool quoted = *text == '"', negative = text[quoted] == '-';
	const char *digits = text + quoted + negative;
	char *end;

	if (*digits < '0' || *digits > '9' || (quoted && strncmp(digits, "0x", 2)))
		return false;
	errno = 0;
	*ret = strtoull(digits, &end, strncmp(digits, "0x", 2) ? 10 : 16);
	if (negative)
		*ret = -*ret;
	return !strcmp(end, quoted ? "\"" : "") && !errno;
}

static int compare(__int128 a, __int128 b)
{
	return (a > b) - (a < b);
}

static int compare_texts(const char *a, const char *b)
{
	__int128 m, n;
	bool is_m = get_number(a, &m), is_n = get_number(b, &n);

	if (is_m && is_n && m != n)
		return compare(n, m);
	if (is_m != is_n)
		return is_m ? -1 : 1;
	return strcmp(a, b);
}

/* The text of a key. */
static const char *text_at(const struct report_row *row, size_t key)
{
	const char *text = row->texts;

	while (key--)
		text += strlen(text) + 1;
	return text;
}

static int compare_average(const struct total *a, const struct total *b)
{
	double x = a->n ? (double)a->sum / a->n : 0;
	double y = b->n ? (double)b->sum / b->n : 0;

	return (x > y) - (x < y);
}

static bool has_number(const struct order *o, const struct tally *t)
{
	switch (o->number) {
	case NUMBER_SUM:
	case NUMBER_FAULTS:
		return true;
	case NUMBER_AVG:
		return t->total.n;
	case NUMBER_MIN:
	case NUMBER_MAX:
		return tally_has_extremes(t);
	default:
		return tally_has_each(t);
	}
}

/* Rows without a value come last. */
static int compare_numbers(const struct order *o, const struct tally *a,
			   const struct tally *b)
{
	bool has_a = has_number(o, a), has_b = has_number(o, b);

	if (!has_a || !has_b)
		return has_a - has_b;
	switch (o->number) {
	case NUMBER_SUM:
		return compare(a->total.sum, b->total.sum);
	case NUMBER_AVG:
		return compare_average(&a->total, &b->total);
	case NUMBER_MIN:
		return compare(a->total.min, b->total.min);
	case NUMBER_MAX:
		return compare(a->total.max, b->total.max);
	case NUMBER_FAULTS:
		return compare(a->total.faulted, b->total.faulted);
	default:
		return compare(tally_percentile(a, o->percent),
			       tally_percentile(b, o->percent));
	}
}

static int compare_all_texts(const struct report_row *a,
			     const struct report_row *b)
{
	const char *x = a->texts, *y = b->texts;
	int order = 0;

	while (!order && x < a->texts + a->texts_size) {
		order = compare_texts(x, y);
		x += strlen(x) + 1;
		y += strlen(y) + 1;
	}
	return order;
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct report_row *x = a, *y = b;
	const struct order *o = ctx;
	int order = 0;

	if (o->kind == ORDER_KEY)
		order = compare_texts(text_at(x, o->index), text_at(y, o->index));
	else if (o->kind == ORDER_NUMBER)
		order = compare_numbers(o, &y->tallies[o->index],
					&x->tallies[o->index]);
	if (!order)
		order = compare(y->count, x->count);
	return order ? order : compare_all_texts(x, y);
}

int report_sort(struct report *r, const char *column, struct diag *d,
		struct report_row **ret, size_t *nr)
{
	struct order o;
	int err;

	err = report_sortable(r, column, d);
	if (err)
		return err;
	find_column(r, column, &o);
	err = report_merge(r);
	if (!err && r->nr)
		qsort_r(r->rows, r->nr, sizeof(*r->rows), compare_rows, &o);
	if (!err)
		err = report_fill_slots(r);
	*ret = r->rows;
	*nr = r->nr;
	return err ? diag_no_memory(d) : 0;
}
