// SPDX-License-Identifier: GPL-2.0
/*
 * Rows of a report, against those of a list of all events: which rows there are, what
 * was added up in them, faults, arguments that an event lacks, and rows without room.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "event_log.h"
#include "report/report.h"

/* A map: what hits are added up by, and what is added up of them. */
static struct field map_fields[] = {
	{ .name = "pid", .kind = FIELD_INT, .format = FORMAT_SIGNED, .size = 4,
	  .fault = FIELD_NO_FAULT, .aggregate.kind = AGGREGATE_KEY },
	{ .name = "len", .kind = FIELD_INT, .format = FORMAT_UNSIGNED, .size = 8,
	  .offset = 8, .fault = FIELD_NO_FAULT, .aggregate.kind = AGGREGATE_KEY },
	{ .name = "s", .kind = FIELD_INT, .format = FORMAT_SIGNED, .size = 8,
	  .offset = 16, .fault = FIELD_NO_FAULT, .aggregate.kind = AGGREGATE_SUM },
	{ .name = "t", .kind = FIELD_INT, .format = FORMAT_SIGNED, .size = 8,
	  .offset = 24, .fault = FIELD_NO_FAULT, .aggregate.kind = AGGREGATE_STATS },
	{ .name = "h", .kind = FIELD_INT, .format = FORMAT_SIGNED, .size = 8,
	  .offset = 32, .fault = FIELD_NO_FAULT, .aggregate.kind = AGGREGATE_LOG2 },
};

static const struct layout map_layout = {
	.definition = "d", .symbol = "vfs_write", .fields = map_fields, .nr_fields = 5,
	.fixed_size = 40, .aggregates = true,
};

#define NR_EVENTS	20000
#define NR_PIDS		50

/* One event has a string where the other event has a number. */
static struct field read_fields[] = {
	{ .name = "n", .kind = FIELD_INT, .format = FORMAT_SIGNED, .size = 4, .fault = 0 },
	{ .name = "what", .kind = FIELD_INT, .format = FORMAT_UNSIGNED, .size = 8,
	  .offset = 8, .fault = FIELD_NO_FAULT },
};

static struct field open_fields[] = {
	{ .name = "what", .kind = FIELD_STRING, .format = FORMAT_TEXT, .size = 4,
	  .fault = FIELD_NO_FAULT },
	{ .name = "ax", .kind = FIELD_INT, .format = FORMAT_HEX, .size = 8, .offset = 8,
	  .fault = FIELD_NO_FAULT },
	{ .name = "low", .kind = FIELD_INT, .format = FORMAT_HEX, .size = 4, .offset = 4,
	  .fault = FIELD_NO_FAULT },
};

/* The names of columns. */
static struct field column_fields[] = {
	{ .name = "count", .kind = FIELD_INT, .format = FORMAT_UNSIGNED, .size = 8,
	  .fault = FIELD_NO_FAULT },
	{ .name = "sum", .kind = FIELD_INT, .format = FORMAT_UNSIGNED, .size = 8,
	  .offset = 8, .fault = FIELD_NO_FAULT },
};

static const struct layout layouts[] = {
	{ .definition = "d", .symbol = "vfs_read", .fields = read_fields,
	  .nr_fields = 2, .fixed_size = 24, .faults_offset = 16, .faults_size = 1 },
	{ .definition = "d", .symbol = "do_open", .offset = 4, .fields = open_fields,
	  .nr_fields = 3, .fixed_size = 16 },
	{ .definition = "d", .symbol = "f", .fields = column_fields,
	  .nr_fields = 2, .fixed_size = 16 },
};

static const char *const event_names[] = { "read", "g:open", "columns" };

/* struct model - what is expected of one row */
struct model {
	uint64_t count;
	uint64_t n;
	uint64_t faulted;
	int64_t sum;
};

static struct report_names keys, values;
static unsigned int seed;

static uint32_t chance(uint32_t below)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % below;
}

static struct report *begin(const char *by, const char *value,
			    const struct report_options *more)
{
	struct report_options opt = *more;
	struct report *r = NULL;

	opt.keys = &keys;
	opt.values = &values;
	values.arguments = true;
	if (!opt.rows_max)
		opt.rows_max = 1000;
	assert_int_equal(report_names_add(&keys, by, NULL), 0);
	assert_int_equal(report_names_add(&values, value, NULL), 0);
	assert_int_equal(report_create(&opt, NULL, &r), 0);
	return r;
}

static struct report *begin_plain(const char *by, const char *value)
{
	return begin(by, value, &(struct report_options){ 0 });
}

static void end(struct report *r)
{
	report_destroy(r);
	report_names_deinit(&keys);
	report_names_deinit(&values);
}

static int tell(struct report *r, unsigned int which, struct diag *d)
{
	size_t size;
	void *blob = log_blob(&layouts[which], &size);
	int err = report_probe(r, event_names[which], blob, size, d);

	free(blob);
	return err;
}

/* An event of one of the two kinds. */
static void give(struct report *r, unsigned int which, uint32_t pid,
		 const struct value *v)
{
	const struct event e = {
		.cpu = pid % 4, .tid = 10 * pid, .tgid = pid, .comm = "task",
		.name = event_names[which], .layout = &layouts[which],
		.values = v, .nr_values = 2, .shape = which + 1,
	};

	assert_int_equal(report_event(r, &e), 0);
}

static void give_read(struct report *r, uint32_t pid, int32_t n, bool fault,
		      uint64_t what)
{
	const struct value v[] = {
		{ .field = &read_fields[0], .number = (int64_t)n, .fault = fault },
		{ .field = &read_fields[1], .number = what },
	};

	give(r, 0, pid, v);
}

static void give_open(struct report *r, uint32_t pid, const char *what,
		      uint64_t ax)
{
	const struct value v[] = {
		{ .field = &open_fields[0], .text = what, .length = strlen(what) },
		{ .field = &open_fields[1], .number = ax },
		{ .field = &open_fields[2], .number = (uint32_t)ax },
	};

	give(r, 1, pid, v);
}

/* Rows in text form: "COUNT:KEY,KEY", sorted as they come. */
static const char *shown(struct report *r, const char *sort)
{
	static char text[4096];
	struct report_row *rows;
	size_t nr, at = 0;

	assert_int_equal(report_sort(r, sort, NULL, &rows, &nr), 0);
	*text = '\0';
	for (size_t i = 0; i < nr; i++) {
		const char *key = rows[i].texts;

		at += sprintf(text + at, "%s%d:", i ? " " : "", (int)rows[i].count);
		for (size_t k = 0; k < keys.nr; k++) {
			at += sprintf(text + at, "%s%s", k ? "," : "", key);
			key += strlen(key) + 1;
		}
		assert_true(at < sizeof(text) - 200);
	}
	return text;
}

static void test_sums(void **state)
{
	struct report *r = begin_plain("pid", "n");
	struct model models[NR_PIDS] = { 0 };
	struct report_row *rows;
	size_t nr;

	for (unsigned int i = 0; i < NR_EVENTS; i++) {
		uint32_t pid = chance(NR_PIDS);
		int32_t n = (int32_t)chance(2000) - 1000;
		bool fault = !chance(7);

		give_read(r, pid, n, fault, 0);
		models[pid].count++;
		models[pid].n += !fault;
		models[pid].faulted += fault;
		models[pid].sum += fault ? 0 : n;
	}
	assert_int_equal(report_sort(r, "count", NULL, &rows, &nr), 0);
	assert_int_equal(nr, NR_PIDS);
	for (size_t i = 0; i < nr; i++) {
		const struct model *m = &models[atoi(rows[i].texts)];
		const struct total *t = &rows[i].tallies[0].total;

		assert_int_equal(rows[i].count, m->count);
		assert_int_equal(t->n, m->n);
		assert_int_equal(t->faulted, m->faulted);
		assert_true(t->sum == m->sum);
		assert_true(!i || rows[i].count <= rows[i - 1].count);
	}
	assert_int_equal(report_total(r), NR_EVENTS);
	end(r);
}

static void test_own_keys(void **state)
{
	struct report *r = begin_plain("event comm,pid,tid,$cpu,symbol", "");

	give_read(r, 7, 1, false, 0);
	give_read(r, 7, 1, false, 0);
	give_open(r, 8, "x", 0);
	assert_string_equal(shown(r, "count"),
			    "2:read,task,7,70,3,vfs_read+0x0 1:g:open,task,8,80,0,do_open+0x4");
	end(r);
}

/* A string and a number that look alike are two keys; an event may lack an argument. */
static void test_kinds_of_keys(void **state)
{
	struct report *r = begin_plain("what", "");

	give_read(r, 1, 0, false, 5);
	give_read(r, 1, 0, false, 5);
	give_open(r, 1, "5", 0);
	assert_string_equal(shown(r, "count"), "2:5 1:\"5\"");
	end(r);
	r = begin_plain("n", "");
	give_read(r, 1, 5, false, 0);
	give_read(r, 1, 0, true, 0);
	give_read(r, 1, 0, true, 0);
	give_open(r, 1, "5", 0);
	give_open(r, 1, "6", 0);
	give_open(r, 1, "7", 0);
	assert_string_equal(shown(r, "count"), "3: 2:(fault) 1:5");
	end(r);
}

/* A key that is named as an argument is a stack only where it is the argument. */
static void test_stacks(void **state)
{
	struct field fields[] = {
		{ .name = "comm", .kind = FIELD_INT, .format = FORMAT_STACK, .size = 4 },
		{ .name = "c", .kind = FIELD_INT, .format = FORMAT_CHAR, .size = 1, .offset = 4 },
	};
	const struct layout layout = {
		.definition = "d", .symbol = "f", .fields = fields, .nr_fields = 2,
		.fixed_size = 8,
	};
	static const struct ktap_stack stack = { .nr = 2, .frames = { 0x10, 0x20 } };
	const struct value v[] = {
		{ .field = &fields[0], .stack = &stack },
		{ .field = &fields[1], .number = ';' },
	};
	const struct event e = {
		.comm = "a;b", .name = "e", .layout = &layout, .values = v,
		.nr_values = 2, .shape = 1,
	};
	struct report *r = begin_plain("comm,c", "");
	struct report_row *rows;
	size_t nr;

	assert_int_equal(report_event(r, &e), 0);
	assert_int_equal(report_sort(r, "count", NULL, &rows, &nr), 0);
	assert_int_equal(rows[0].stacks, 0);
	end(r);
	r = begin_plain("c,args.comm", "");
	assert_int_equal(report_event(r, &e), 0);
	assert_int_equal(report_sort(r, "count", NULL, &rows, &nr), 0);
	assert_int_equal(rows[0].stacks, 2);
	assert_string_equal(rows[0].texts, "';'");
	assert_string_equal(rows[0].texts + 4, "0x20;0x10");
	end(r);
}

static void test_json_keys(void **state)
{
	const struct report_options opt = { .json = true };
	struct report *r = begin("what,comm", "", &opt);

	give_open(r, 1, "a\"b", 0);
	assert_string_equal(shown(r, "count"), "1:\"a\\\"b\",\"task\"");
	end(r);
}

/* A register without a type is signed, as 'ktap sum' has it; what is shorter has a type. */
static void test_untyped(void **state)
{
	struct report *r = begin_plain("event", "ax,low");
	struct report_row *rows;
	size_t nr;

	give_open(r, 1, "", -1);
	give_open(r, 1, "", 3);
	assert_int_equal(report_sort(r, "sum(ax)", NULL, &rows, &nr), 0);
	assert_true(rows[0].tallies[0].total.sum == 2);
	assert_true(rows[0].tallies[0].total.min == -1);
	assert_true(rows[0].tallies[1].total.sum == 0x100000002);
	assert_true(rows[0].tallies[1].total.min == 3);
	end(r);
}

static void test_order(void **state)
{
	struct report *r = begin_plain("pid", "n");

	give_read(r, 1, 100, false, 0);
	give_read(r, 2, 20, false, 0);
	give_read(r, 2, 30, false, 0);
	give_read(r, 10, 5, false, 0);
	give_read(r, 10, 5, false, 0);
	give_read(r, 10, 0, true, 0);
	assert_string_equal(shown(r, "count"), "3:10 2:2 1:1");
	assert_string_equal(shown(r, "percent"), "3:10 2:2 1:1");
	assert_string_equal(shown(r, "pid"), "3:10 2:2 1:1");
	assert_string_equal(shown(r, "sum"), "1:1 2:2 3:10");
	assert_string_equal(shown(r, "AVG(n)"), "1:1 2:2 3:10");
	assert_string_equal(shown(r, "min"), "1:1 2:2 3:10");
	assert_string_equal(shown(r, "p50"), "1:1 2:2 3:10");
	assert_string_equal(shown(r, "faults"), "3:10 2:2 1:1");
	end(r);
}

/* Events without a row of their own are added up, and so are rows above the limit. */
static void test_other(void **state)
{
	const struct report_options opt = { .rows_max = 10 };
	struct report *r = begin("pid", "n", &opt);
	struct report_row *rows, *other = report_other(r);
	size_t nr;

	for (int i = 0; i < 100; i++)
		give_read(r, i, i, false, 0);
	give_read(r, 3, 1000, false, 0);
	assert_int_equal(other->count, 90);
	assert_true(other->tallies[0].total.sum == (10 + 99) * 90 / 2);
	assert_int_equal(report_sort(r, "sum", NULL, &rows, &nr), 0);
	assert_int_equal(nr, 10);
	assert_int_equal(report_fold(r, 1), 0);
	assert_int_equal(other->count, 99);
	assert_true(other->tallies[0].total.sum == 99 * 100 / 2 - 3);
	assert_int_equal(report_total(r), 101);
	report_clear(r);
	assert_int_equal(report_total(r), 0);
	give_read(r, 3, 1000, false, 0);
	assert_string_equal(shown(r, "count"), "1:3");
	end(r);
}

static void test_many_rows(void **state)
{
	const struct report_options opt = { .rows_max = 200000 };
	struct report *r = begin("what", "", &opt);
	struct report_row *rows;
	size_t nr;

	for (unsigned int twice = 0; twice < 2; twice++)
		for (unsigned int i = 0; i < 100000; i++)
			give_read(r, 1, 0, false, i);
	assert_int_equal(report_sort(r, "what", NULL, &rows, &nr), 0);
	assert_int_equal(nr, 100000);
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(rows[i].count, 2);
		assert_int_equal(strtoul(rows[i].texts, NULL, 10), nr - 1 - i);
	}
	end(r);
}

static void test_events(void **state)
{
	static const char *const patterns[] = { "op*", "nothing" };
	const struct report_options opt = { .events = patterns, .nr_events = 1 };
	const struct report_options wrong = { .events = patterns, .nr_events = 2 };
	struct report *r = begin("event", "", &opt);
	struct diag d = { 0 };

	assert_int_equal(tell(r, 0, NULL), 0);
	assert_int_equal(report_check(r, NULL), -EINVAL);
	assert_int_equal(tell(r, 1, NULL), 0);
	assert_int_equal(report_check(r, NULL), 0);
	give_read(r, 1, 1, false, 0);
	give_open(r, 1, "x", 0);
	assert_string_equal(shown(r, "count"), "1:g:open");
	end(r);
	r = begin("event", "", &wrong);
	assert_int_equal(tell(r, 1, NULL), 0);
	assert_int_equal(report_check(r, &d), -EINVAL);
	assert_string_equal(d.message, "no event of the recording matches 'nothing'");
	diag_clear(&d);
	end(r);
}

/* @by, @value: what is refused; @message, @hint: of the error. */
static void refuse(const char *by, const char *value, const char *message,
		   const char *hint)
{
	struct report *r = begin_plain(by, value);
	struct diag d = { 0 };
	int err = 0;

	for (unsigned int i = 0; !err && i < 2; i++)
		err = tell(r, i, &d);
	if (!err)
		err = report_check(r, &d);
	assert_int_equal(err, -EINVAL);
	assert_string_equal(d.message, message);
	assert_string_equal(d.hint ? d.hint : "", hint);
	diag_clear(&d);
	end(r);
}

static void test_refused(void **state)
{
	refuse("wha", "", "no event of the recording has an argument 'wha'",
	       "did you mean 'what'?");
	refuse("args.pid", "", "no event of the recording has an argument 'pid'",
	       "did you mean 'pid'?");
	refuse("evnt", "", "no event of the recording has an argument 'evnt'",
	       "did you mean 'event'?");
	refuse("pid", "comm", "no event of the recording has an argument 'comm'",
	       "there are n, what, ax, low");
	refuse("pid", "what", "argument 'what' of event 'g:open' is not a number",
	       "-e chooses the events of the report");
}

static void test_names(void **state)
{
	struct report_names names = { 0 };
	struct diag d = { 0 };

	assert_int_equal(report_names_add(&names, ", $comm,pid  args.x", NULL), 0);
	assert_int_equal(names.nr, 3);
	assert_string_equal(names.name[0].text, "comm");
	assert_int_equal(names.name[0].source, REPORT_COMM);
	assert_string_equal(names.name[2].text, "x");
	assert_int_equal(names.name[2].source, REPORT_ARGUMENT);
	assert_int_equal(report_names_add(&names, "y,x", &d), -EINVAL);
	assert_string_equal(d.message, "'x' is named twice");
	diag_clear(&d);
	assert_int_equal(report_names_add(&names, "a,b,c,d,e,f,g,h,i,j,k,l,m", &d),
			 -EINVAL);
	assert_string_equal(d.message,
			    "there are too many names in 'a,b,c,d,e,f,g,h,i,j,k,l,m': the maximum is 16");
	diag_clear(&d);
	report_names_deinit(&names);
}

static void test_columns(void **state)
{
	static const char *const good[] = {
		"count", "PERCENT", "pid", "$pid", "sum", "p1", "p100", "max(n)",
	};
	static const char *const bad[] = {
		"", "p0", "p101", "p5x", "max(m)", "max(n", "n", "tid",
	};
	struct report *r = begin_plain("pid", "n");
	struct diag d = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		assert_int_equal(report_sortable(r, good[i], NULL), 0);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(report_sortable(r, bad[i], NULL), -EINVAL);
	assert_int_equal(report_sortable(r, "cuont", &d), -EINVAL);
	assert_string_equal(d.message, "the report has no column 'cuont'");
	assert_string_equal(d.hint, "did you mean 'count'?");
	diag_clear(&d);
	assert_int_equal(report_sortable(r, "zzzzzzzz", &d), -EINVAL);
	assert_string_equal(d.hint, "there are count, pid, sum, avg, min, max, faults, p50");
	diag_clear(&d);
	end(r);
}

/* Rows are in the order of the column, also where a key has its name. */
static void test_key_named_as_column(void **state)
{
	static const struct {
		const char *by, *value, *sort, *rows;
	} rows[] = {
		{ "count", "", "count", "3:7 1:9" },
		{ "count", "", "args.count", "1:9 3:7" },
		{ "count", "", "$count", "1:9 3:7" },
		{ "sum", "", "sum", "1:5 3:4" },
		{ "sum", "count", "sum", "3:4 1:5" },
		{ "sum", "count", "args.sum", "1:5 3:4" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct report *r = begin_plain(rows[i].by, rows[i].value);

		assert_int_equal(tell(r, 2, NULL), 0);
		for (unsigned int k = 0; k < 4; k++) {
			const struct value v[] = {
				{ .field = &column_fields[0], .number = k ? 7 : 9 },
				{ .field = &column_fields[1], .number = k ? 4 : 5 },
			};

			give(r, 2, 1, v);
		}
		assert_string_equal(shown(r, rows[i].sort), rows[i].rows);
		end(r);
	}
}

/* A row of the map: @count hits of which each had @value in all three. @pid: 0: "other" */
static void give_row(struct report *r, uint32_t pid, uint64_t len, uint64_t count,
		     uint64_t value)
{
	uint64_t words[3 + 5 + 1 + KTAP_NR_LOG2] = {
		0, count * value, 0,
		0, count * value, 0, value ^ 1ULL << 63, ~(value ^ 1ULL << 63),
	};
	const struct row row = {
		.key = pid ? "" : NULL, .count = count, .words = words,
	};
	const struct rows rows = {
		.layout = &map_layout, .nr_words = ARRAY_SIZE(words),
	};
	const struct value v[] = {
		{ .field = &map_fields[0], .number = pid },
		{ .field = &map_fields[1], .number = len },
		{ .field = &map_fields[2] }, { .field = &map_fields[3] },
		{ .field = &map_fields[4] },
	};
	const struct event e = {
		.name = "map", .layout = &map_layout, .values = pid ? v : NULL,
		.nr_values = pid ? 5 : 0, .shape = 3,
	};

	assert_int_equal(report_row(r, &rows, &row, &e), 0);
}

/* What the kernel added up is added up further. */
static void test_map(void **state)
{
	struct report *r = begin_plain("pid", "s,t,len");
	struct report_row *rows;
	size_t nr;

	give_row(r, 7, 100, 3, 10);
	give_row(r, 7, 200, 2, 20);
	give_row(r, 8, 100, 1, 5);
	give_row(r, 0, 0, 4, 1);
	assert_string_equal(shown(r, "count"), "5:7 1:8");
	assert_int_equal(report_sort(r, "sum(t)", NULL, &rows, &nr), 0);
	assert_true(rows[0].tallies[0].total.sum == 70);
	assert_false(tally_has_extremes(&rows[0].tallies[0]));
	assert_true(rows[0].tallies[1].total.min == 10 && rows[0].tallies[1].total.max == 20);
	assert_true(rows[0].tallies[1].total.n == 5);
	assert_false(tally_has_each(&rows[0].tallies[1]));
	assert_true(rows[0].tallies[2].total.sum == 700);
	assert_true(tally_percentile(&rows[0].tallies[2], 60) == 100);
	assert_int_equal(report_other(r)->count, 4);
	assert_true(report_other(r)->tallies[0].total.sum == 4);
	assert_int_equal(report_other(r)->tallies[2].total.n, 0);
	end(r);
}

/* Sums of a damaged recording could be too large for a number. */
static void test_map_impossible(void **state)
{
	uint64_t words[3 + 5 + 1 + KTAP_NR_LOG2] = { 0 };
	struct row row = { .key = NULL, .words = words };
	const struct rows rows = {
		.layout = &map_layout, .nr_words = ARRAY_SIZE(words),
	};
	const struct event e = { .name = "map", .layout = &map_layout, .shape = 1 };
	struct report *r = begin_plain("pid", "s,t");

	row.count = 1ULL << 62;
	words[2] = 1ULL << 62;	/* the high word of the sum */
	assert_int_equal(report_row(r, &rows, &row, &e), 0);
	row.count = 1;
	assert_int_equal(report_row(r, &rows, &row, &e), -EBADMSG);
	assert_int_equal(report_other(r)->count, 1ULL << 62);
	end(r);
	r = begin_plain("pid", "s,t");
	words[2] = 1;
	assert_int_equal(report_row(r, &rows, &row, &e), 0);
	words[1] = 1;
	assert_int_equal(report_row(r, &rows, &row, &e), -EBADMSG);
	words[1] = 0;
	words[2] = -1ULL;
	assert_int_equal(report_row(r, &rows, &row, &e), 0);
	words[4] = 1ULL << 63;	/* of the other value */
	words[5] = -2ULL;
	assert_int_equal(report_row(r, &rows, &row, &e), -EBADMSG);
	row.count = -1ULL;
	words[5] = 0;
	assert_int_equal(report_row(r, &rows, &row, &e), -EBADMSG);
	end(r);
}

/* Rows of records and of a map are one row where they look the same. */
static void test_map_and_records(void **state)
{
	struct report *r = begin_plain("pid", "");

	give_read(r, 7, 1, false, 0);
	give_row(r, 7, 100, 3, 10);
	assert_string_equal(shown(r, "count"), "4:7");
	end(r);
	/* it has no name of a task; of the event the name is known, even of the row "other" */
	r = begin_plain("event,comm,symbol", "");
	give_row(r, 7, 100, 3, 10);
	give_row(r, 0, 0, 4, 1);
	assert_string_equal(shown(r, "count"), "7:map,,vfs_write+0x0");
	assert_int_equal(report_other(r)->count, 0);
	end(r);
}

static int tell_map(struct report *r, struct diag *d)
{
	size_t size;
	void *blob = log_blob(&map_layout, &size);
	int err = report_probe(r, "map", blob, size, d);

	free(blob);
	return err ? err : report_check(r, d);
}

static void test_map_refused(void **state)
{
	struct report *r = begin_plain("pid", "h");
	struct diag d = { 0 };

	assert_int_equal(tell_map(r, &d), -EINVAL);
	assert_string_equal(d.message,
			    "of argument 'h' of event 'map' there is only a histogram, and no sum");
	assert_string_equal(d.hint, "sum(EXPR) and stats(EXPR) in its definition keep one");
	diag_clear(&d);
	end(r);
	/* a value is no key, and a key can be a value */
	r = begin_plain("s", "");
	assert_int_equal(tell_map(r, &d), -EINVAL);
	assert_string_equal(d.message, "'s' is a value that the kernel added up, and no key");
	diag_clear(&d);
	end(r);
	r = begin_plain("len", "len,s");
	assert_int_equal(tell_map(r, NULL), 0);
	end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_own_keys),
		cmocka_unit_test(test_kinds_of_keys),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_json_keys),
		cmocka_unit_test(test_untyped),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_other),
		cmocka_unit_test(test_many_rows),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_key_named_as_column),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_map_impossible),
		cmocka_unit_test(test_map_and_records),
		cmocka_unit_test(test_map_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
