// SPDX-License-Identifier: GPL-2.0
#include "cli/total.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "base/fmt.h"
#include "cli/members.h"
#include "cli/table.h"

#define BAR_WIDTH	40

void put_wide(struct buf *b, __int128 value)
{
	char digits[FMT_WIDE_MAX];

	buf_put(b, digits, fmt_wide(digits, value) - digits);
}

void total_sum(struct buf *b, const struct total *t)
{
	/* an event without such an argument has no sum, and not 0 */
	if (t->n || t->faulted)
		put_wide(b, t->sum);
	else
		buf_putc(b, '-');
}

void total_average(struct buf *b, const struct total *t)
{
	__int128 tenths;

	if (!t->n) {
		buf_putc(b, '-');
		return;
	}
	/* exact: a double has 53 bits, and a sum may have more than 64 */
	tenths = (t->sum < 0 ? -t->sum : t->sum) * 10 + t->n / 2;
	tenths /= t->n;
	if (t->sum < 0 && tenths)
		buf_putc(b, '-');
	put_wide(b, tenths / 10);
	buf_printf(b, ".%d", (int)(tenths % 10));
}

void total_min(struct buf *b, const struct total *t)
{
	if (t->n)
		put_wide(b, t->min);
	else
		buf_putc(b, '-');
}

void total_max(struct buf *b, const struct total *t)
{
	if (t->n)
		put_wide(b, t->max);
	else
		buf_putc(b, '-');
}

/* ---- histograms ---- */

static void put_bounds(struct buf *b, const struct field *f, size_t index)
{
	__int128 min, max;

	rows_bucket(f, index, &min, &max);
	if (min == INT64_MIN || (f->aggregate.kind == AGGREGATE_LINEAR && !index))
		buf_puts(b, "...");
	else
		put_wide(b, min);
	if (min == max)
		return;
	buf_puts(b, " .. ");
	if (f->aggregate.kind == AGGREGATE_LINEAR &&
	    index == f->aggregate.nr + 1)
		buf_puts(b, "...");
	else
		put_wide(b, max);
}

static void put_bar(struct buf *b, uint64_t count, uint64_t most)
{
	unsigned int n = (uint128_t)count * BAR_WIDTH / most;

	buf_putc(b, '|');
	for (unsigned int i = 0; i < BAR_WIDTH; i++)
		buf_putc(b, i < n ? '@' : ' ');
	buf_putc(b, '|');
}

/* From the first bucket with values to the last one. */
static void find_ends(const struct total *t, size_t *first, size_t *end,
		      uint64_t *most)
{
	*first = t->nr_buckets;
	*end = 0;
	*most = 1;
	for (size_t i = 0; i < t->nr_buckets; i++) {
		if (!t->buckets[i])
			continue;
		if (*first > i)
			*first = i;
		*end = i + 1;
		if (*most < t->buckets[i])
			*most = t->buckets[i];
	}
}

int total_buckets(const struct field *f, const struct total *total)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	static const char *const heads[] = { "FROM .. TO", "COUNT", "SHARE" };
	size_t first, end;
	struct table t;
	uint64_t most;
	int err;

	find_ends(total, &first, &end, &most);
	if (first >= end)
		return 0;
	table_init(&t, "rrl", heads);
	for (size_t i = first; i < end; i++) {
		buf_clear(&b);
		put_bounds(&b, f, i);
		table_cell(&t, "%s", buf_str(&b));
		table_cell(&t, "%llu", (unsigned long long)total->buckets[i]);
		buf_clear(&b);
		put_bar(&b, total->buckets[i], most);
		table_cell(&t, "%s", buf_str(&b));
	}
	err = table_print(&t, stdout);
	table_deinit(&t);
	return err;
}

void total_json_buckets(struct json *j, const struct field *f,
			const struct total *t, bool text)
{
	__int128 min, max;

	json_key(j, "buckets");
	json_array(j);
	for (size_t i = 0; i < t->nr_buckets; i++) {
		if (!t->buckets[i])
			continue;
		rows_bucket(f, i, &min, &max);
		json_object(j);
		member_digits(j, "min", min, text);
		member_digits(j, "max", max, text);
		member_digits(j, "count", t->buckets[i], text);
		json_object_end(j);
	}
	json_array_end(j);
}
