// SPDX-License-Identifier: GPL-2.0
/* Lines in the languages of other tracers, answered with ktap's form. */
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "spec/parse.h"

#define FORM_HINT "ktap's form is 'SYMBOL ARG...', as in 'vfs_read $arg1'"

/**
 * struct foreign - how another tracer writes a probe on a function
 * @start: what stands before the function's name
 * @tool: whose
 * @body: only in front of a body: the start alone is a place of ktap's
 * @at_return: it is a return probe
 */
struct foreign {
	const char *start;
	const char *tool;
	bool body;
	bool at_return;
};

static const struct foreign foreigns[] = {
	{ "kprobe:", "bpftrace", false, false },
	{ "kretprobe:", "bpftrace", false, true },
	{ "fentry:", "bpftrace", false, false },
	{ "fexit:", "bpftrace", false, true },
	{ "kfunc:", "bpftrace", false, false },
	{ "kretfunc:", "bpftrace", false, true },
	{ "k:", "bpftrace", true, false },
	{ "kr:", "bpftrace", true, true },
	{ "probe kernel.function(\"", "SystemTap", false, false },
	{ "kernel.function(\"", "SystemTap", false, false },
};

/* Words of theirs that ktap has another way for. */
static const struct {
	const char *start;
	const char *tool;
	const char *hint;
} others[] = {
	{ "usdt:", "bpftrace", "ktap's form is '-x PATH sdt:PROVIDER:NAME'" },
};

/**
 * struct clock - how another tracer writes a timer
 * @start: its beginning, up to the number
 * @tool: whose
 * @unit: ktap's unit that means the same; NULL: there is none
 */
static const struct clock {
	const char *start;
	const char *tool;
	const char *unit;
} clocks[] = {
	{ "profile:hz:", "bpftrace", "hz" },
	{ "profile:", "bpftrace", NULL },
	{ "interval:s:", "bpftrace", "s" },
	{ "interval:ms:", "bpftrace", "ms" },
	{ "interval:us:", "bpftrace", "us" },
	{ "interval:", "bpftrace", NULL },
	{ "timer.s(", "SystemTap", "s" },
	{ "timer.sec(", "SystemTap", "s" },
	{ "timer.ms(", "SystemTap", "ms" },
	{ "timer.msec(", "SystemTap", "ms" },
	{ "timer.us(", "SystemTap", "us" },
	{ "timer.usec(", "SystemTap", "us" },
	{ "timer.ns(", "SystemTap", NULL },
	{ "timer.nsec(", "SystemTap", NULL },
	{ "timer.hz(", "SystemTap", NULL },
	{ "timer.jiffies(", "SystemTap", NULL },
	{ "timer.profile", "SystemTap", NULL },
};

/**
 * struct program - how another tracer writes a probe in a program
 * @start: what stands before its path
 * @ends: what ends the path
 * @symbol: what stands before the function's name
 * @tool: whose
 * @at_return: it is a return probe
 */
static const struct program {
	const char *start;
	const char *ends;
	const char *symbol;
	const char *tool;
	bool at_return;
} programs[] = {
	{ "uprobe:", ":", ":", "bpftrace", false },
	{ "uretprobe:", ":", ":", "bpftrace", true },
	{ "process(\"", "\"", ".function(\"", "SystemTap", false },
	{ "probe process(\"", "\"", ".function(\"", "SystemTap", false },
};

/* A C++ namespace may have the name of such a word: interval::tick */
static bool starts(const struct parse *p, struct span at, const char *word)
{
	size_t length = strlen(word);

	return parse_starts(p, at, word) &&
	       (word[length - 1] != ':' || p->text[at.start + length] != ':');
}

/*
 * Where a body begins, or the end. Text in quotes has none, and main::{lambda()#1} and
 * run::{{closure}} are names.
 */
static size_t find_body(const struct parse *p, struct span at)
{
	char quote = '\0';
	size_t i;

	for (i = at.start; i < span_end(at); i++) {
		char c = p->text[i];

		if (quote && c == '\\')
			i++;
		else if (quote)
			quote = c == quote ? '\0' : quote;
		else if (c == '"' || c == '\'')
			quote = c;
		else if (c == '{' && (i == at.start || !strchr(":{", p->text[i - 1])))
			return i;
	}
	return span_end(at);
}

static int answer_program(const struct parse *p, struct span at,
			  const struct program *f)
{
	const char *path = p->text + at.start + strlen(f->start);
	int path_length = (int)strcspn(path, f->ends);
	const char *symbol = strstr(path + path_length, f->symbol);
	int length = 0;

	if (symbol) {
		symbol += strlen(f->symbol);
		length = (int)strcspn(symbol, " \t\n{/,(\"@");
	}
	parse_fail(p, at, DIAG_SPEC_FOREIGN, f->tool);
	if (path_length && length)
		diag_hint(p->d, "ktap's form is '-x %.*s %.*s%s'", path_length,
			  path, length, symbol, f->at_return ? "%return" : "");
	else
		diag_hint(p->d, "ktap's form is '-x PATH SYMBOL%s'",
			  f->at_return ? "%return" : "");
	return -EINVAL;
}

static int answer(const struct parse *p, struct span at,
		  const struct foreign *f)
{
	const char *name = p->text + at.start + strlen(f->start);
	int length = (int)strcspn(name, " \t\n{/,(\"@");

	parse_fail(p, at, DIAG_SPEC_FOREIGN, f->tool);
	if (!length)
		diag_hint(p->d, FORM_HINT);
	else if (f->at_return)
		diag_hint(p->d,
			  "ktap's form is '%.*s%%return', and what to show follows it: '%.*s%%return $retval'",
			  length, name, length, name);
	else
		diag_hint(p->d,
			  "ktap's form is '%.*s', and what to show follows it: '%.*s $arg1'",
			  length, name, length, name);
	return -EINVAL;
}

static int answer_clock(const struct parse *p, struct span at,
			const struct clock *c, size_t skip)
{
	const char *number = p->text + at.start + skip + strlen(c->start);
	int length = (int)strspn(number, "0123456789");

	parse_fail(p, at, DIAG_SPEC_FOREIGN, c->tool);
	if (c->unit && length)
		diag_hint(p->d, "ktap's form is 'timer:%.*s%s'", length, number,
			  c->unit);
	else
		diag_hint(p->d,
			  "ktap's form is 'timer:99hz' on each CPU, and 'timer:1s' or 'timer:100ms' on one");
	return -EINVAL;
}

/* Returns 0 if it is no timer. */
static int check_clock(const struct parse *p, struct span at)
{
	static const char word[] = "probe ";
	size_t skip = parse_starts(p, at, word) ? strlen(word) : 0, i;
	struct span rest = span_between(at.start + skip, span_end(at));

	for (i = 0; i < ARRAY_SIZE(clocks); i++)
		if (starts(p, rest, clocks[i].start))
			return answer_clock(p, at, &clocks[i], skip);
	return 0;
}

/* SystemTap's vfs_read.return: no symbol ends so. */
static int check_suffix(const struct parse *p, struct span at)
{
	static const char suffix[] = ".return";
	size_t length = strcspn(p->text + at.start, " \t\n\v\f\r"), cut;

	if (length > at.length)
		length = at.length;
	if (length < sizeof(suffix))
		return 0;
	cut = length - strlen(suffix);
	if (memcmp(p->text + at.start + cut, suffix, strlen(suffix)) != 0)
		return 0;
	parse_fail(p, span_between(at.start, at.start + length),
		   DIAG_SPEC_FOREIGN, "SystemTap");
	diag_hint(p->d, "ktap's form is '%.*s%%return'", (int)cut,
		  p->text + at.start);
	return -EINVAL;
}

int foreign_check(const struct parse *p, struct span at)
{
	size_t body_at = find_body(p, at), i;
	bool body = body_at < span_end(at);

	for (i = 0; i < ARRAY_SIZE(foreigns); i++)
		if (starts(p, at, foreigns[i].start) &&
		    (body || !foreigns[i].body))
			return answer(p, at, &foreigns[i]);
	for (i = 0; i < ARRAY_SIZE(programs); i++)
		if (starts(p, at, programs[i].start))
			return answer_program(p, at, &programs[i]);
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		if (!starts(p, at, others[i].start))
			continue;
		parse_fail(p, at, DIAG_SPEC_FOREIGN, others[i].tool);
		diag_hint(p->d, "%s", others[i].hint);
		return -EINVAL;
	}
	if (check_clock(p, at))
		return -EINVAL;
	if (!body)
		return check_suffix(p, at);
	parse_fail(p, span_between(body_at, span_end(at)), DIAG_SPEC_FOREIGN,
		   "another tracer");
	diag_hint(p->d, FORM_HINT);
	return -EINVAL;
}
