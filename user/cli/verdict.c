// SPDX-License-Identifier: GPL-2.0
/* Expectations, and how they were met. */
#include "cli/verdict.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "base/shown.h"
#include "cli/account.h"
#include "cli/say.h"

/* ---- options --------------------------------------------------------------- */

void verdict_options_deinit(struct verdict_options *o)
{
	for (size_t i = 0; i < o->nr; i++)
		free(o->expect[i].name);
	free(o->expect);
}

static bool get_number(const char **at, uint64_t *ret)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	errno = 0;
	*ret = strtoull(*at, &end, 10);
	*at = end;
	return !errno;
}

/* N, N- or N-M */
static bool get_range(const char *at, struct expectation *e)
{
	if (!get_number(&at, &e->min))
		return false;
	e->max = e->min;
	if (*at == '-' && !at[1]) {
		e->max = UINT64_MAX;
		return true;
	}
	if (*at == '-') {
		at++;
		if (!get_number(&at, &e->max))
			return false;
	}
	return !*at && e->min <= e->max;
}

static int add_expectation(struct verdict_options *o, const char *value,
			   struct diag *d)
{
	struct expectation e = { .text = value }, *all;
	const char *equals = strrchr(value, '=');

	if (equals == value || !get_range(equals ? equals + 1 : value, &e)) {
		diag_set(d, -EINVAL, DIAG_OPTION_BAD_VALUE, value, "--expect");
		diag_hint(d, "it takes a number of hits: N, N- (at least N) or N-M; NAME=N is about one event");
		return -EINVAL;
	}
	all = reallocarray(o->expect, o->nr + 1, sizeof(*all));
	if (!all)
		return diag_no_memory(d);
	o->expect = all;
	if (equals) {
		e.name = strndup(value, equals - value);
		if (!e.name)
			return diag_no_memory(d);
	}
	all[o->nr++] = e;
	return 0;
}

static int set_max_lost(struct verdict_options *o, const char *value,
			struct diag *d)
{
	const char *at = value;

	o->limits_lost = true;
	if (get_number(&at, &o->max_lost) && !*at)
		return 0;
	diag_set(d, -EINVAL, DIAG_OPTION_BAD_VALUE, value, "--max-lost");
	diag_hint(d, "it takes a number of hits, such as 0");
	return -EINVAL;
}

int verdict_option(struct verdict_options *o, int key, const char *value,
		   struct diag *d)
{
	switch (key) {
	case OPT_EXPECT:
		return add_expectation(o, value, d);
	case OPT_MAX_LOST:
		return set_max_lost(o, value, d);
	case OPT_JUNIT:
		o->junit = value;
		return 0;
	default:
		return 1;
	}
}

static bool names(const struct expectation *e, const struct target *t)
{
	return !e->name || !fnmatch(e->name, t->name, 0);
}

int verdict_check(const struct verdict_options *o, const struct targets *t,
		  struct diag *d)
{
	for (size_t i = 0; i < o->nr; i++) {
		const struct expectation *e = &o->expect[i];
		bool any = false;

		for (size_t k = 0; !any && k < t->nr; k++)
			any = names(e, &t->target[k]);
		if (any)
			continue;
		diag_set(d, -EINVAL, DIAG_EXPECT_NOTHING,
			 (int)strlen(e->name), e->name);
		diag_hint(d, "the first one is called '%s'", t->target[0].name);
		return -EINVAL;
	}
	return 0;
}

/* ---- how it was ------------------------------------------------------------- */

static void put_wanted(struct buf *b, const struct expectation *e)
{
	if (e->max == UINT64_MAX)
		buf_printf(b, "at least %llu", (unsigned long long)e->min);
	else if (e->max != e->min)
		buf_printf(b, "%llu to %llu", (unsigned long long)e->min,
			   (unsigned long long)e->max);
	else
		buf_printf(b, "%llu", (unsigned long long)e->min);
}

/**
 * struct verdict_report - the outcome as it is collected
 * @v: of what
 * @cases: XML of the cases
 * @nr: how many
 * @nr_failed: of them
 */
struct verdict_report {
	const struct verdict *v;
	struct buf cases;
	size_t nr;
	size_t nr_failed;
};

/* @why: empty: the case is as expected */
static void put_case(struct verdict_report *r, const char *name, const char *why)
{
	r->nr++;
	buf_puts(&r->cases, "\t<testcase classname=\"ktap\" name=\"");
	shown_xml(&r->cases, name, 0);
	if (!*why) {
		buf_puts(&r->cases, "\"/>\n");
		return;
	}
	r->nr_failed++;
	buf_puts(&r->cases, "\">\n\t\t<failure message=\"");
	shown_xml(&r->cases, why, 0);
	buf_puts(&r->cases, "\"/>\n\t</testcase>\n");
}

/* What failed is said, too. */
static void judge(struct verdict_report *r, const char *name,
		  const struct buf *why)
{
	put_case(r, name, buf_str(why));
	if (why->size)
		say_note("%s", buf_str(why));
}

static void judge_hits(struct verdict_report *r, const struct expectation *e,
		       const char *name, uint64_t hits)
{
	_cleanup_buf_ struct buf why = BUF_INIT, title = BUF_INIT;

	buf_printf(&title, "%s: ", name);
	put_wanted(&title, e);
	buf_puts(&title, " expected");
	if (hits < e->min || hits > e->max) {
		buf_printf(&why, "%s: %llu hit%s, where ", name,
			   (unsigned long long)hits, fmt_s(hits));
		put_wanted(&why, e);
		buf_puts(&why, " should be");
	}
	judge(r, buf_str(&title), &why);
}

static void judge_expectation(struct verdict_report *r, const struct expectation *e)
{
	const struct targets *t = r->v->targets;
	struct target event;
	uint64_t sum = 0;
	bool one = true;

	for (size_t i = 0; i < t->nr; i++) {
		sum += account_wanted(&t->target[i].counts);
		one &= !strcmp(t->target[i].name, t->target[0].name);
		if (e->name && names(e, &t->target[i]) && targets_event(t, i, &event))
			judge_hits(r, e, event.name, account_wanted(&event.counts));
	}
	if (!e->name)
		judge_hits(r, e, one && t->nr ? t->target[0].name : "all events", sum);
}

static void judge_losses(struct verdict_report *r)
{
	const struct verdict_options *o = r->v->options;
	_cleanup_buf_ struct buf why = BUF_INIT;

	if (!o->limits_lost)
		return;
	if (r->v->lost > o->max_lost) {
		buf_printf(&why, "lost or missed: %llu hit%s, where at most %llu should be",
			   (unsigned long long)r->v->lost, fmt_s(r->v->lost),
			   (unsigned long long)o->max_lost);
	}
	judge(r, "hits lost", &why);
}

/* What failed otherwise was said before: the file is to say it too. */
static void judge_status(struct verdict_report *r)
{
	const char *command = r->v->command;
	_cleanup_buf_ struct buf why = BUF_INIT;

	if (r->v->status)
		buf_printf(&why, "exit status %d", r->v->status);
	put_case(r, command ? command : "session", buf_str(&why));
}

static int write_file(const struct verdict_report *r, struct diag *d)
{
	const char *path = r->v->options->junit;
	FILE *out = fopen(path, "we");
	int err = 0;

	if (!out)
		return diag_set(d, -errno, DIAG_JUNIT_WRITE, path,
				strerror(errno));
	fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuite name=\"ktap\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" time=\"%.3f\">\n",
		r->nr, r->nr_failed, r->v->seconds);
	fwrite(r->cases.data, 1, r->cases.size, out);
	fputs("</testsuite>\n", out);
	if (ferror(out))
		err = -EIO;
	if (fclose(out) && !err)
		err = -errno;
	return err ? diag_set(d, err, DIAG_JUNIT_WRITE, path, strerror(-err)) : 0;
}

int verdict_give(const struct verdict *v)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct verdict_report r = { .v = v, .cases = BUF_INIT };
	int status = v->status;

	for (size_t i = 0; i < v->options->nr; i++)
		judge_expectation(&r, &v->options->expect[i]);
	judge_losses(&r);
	if (r.nr_failed && !status)
		status = VERDICT_EXIT;
	judge_status(&r);
	if (v->options->junit && write_file(&r, &d)) {
		int failed = say_failure(&d, NULL);

		status = status ? status : failed;
	}
	buf_deinit(&r.cases);
	return status;
}
