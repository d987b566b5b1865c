// SPDX-License-Identifier: GPL-2.0
/* Places that a word in front tells: sdt: tracepoint: sys: mem: timer: */
#include <errno.h>
#include <linux/ktap.h>
#include <string.h>

#include "base/array.h"
#include "spec/parse.h"
#include "spec/parse_place.h"

static bool all_ident(const struct parse *p, struct span at)
{
	size_t i;

	for (i = at.start; i < span_end(at); i++)
		if (!parse_is_ident(p->text[i]))
			return false;
	return at.length;
}

static int keep_symbol(const struct parse *p, struct span at,
		       struct place_spec *ret)
{
	ret->symbol_at = at;
	ret->symbol = parse_dup(p, at);
	return ret->symbol ? 0 : parse_no_memory(p);
}

/* ---- sdt:PROVIDER:NAME ---------------------------------------------------- */

static int parse_mark(const struct parse *p, struct span at,
		      struct place_spec *ret)
{
	size_t end = span_end(at), colon = parse_find(p, at, ':');
	struct span provider = span_between(at.start, colon);
	struct span name = span_between(colon < end ? colon + 1 : end, end);
	bool glob = place_is_glob(p, name);

	ret->kind = PLACE_SDT;
	if (!all_ident(p, provider) || (!glob && !all_ident(p, name))) {
		parse_fail_text(p, at, DIAG_SPEC_BAD_MARK, at, 0);
		diag_hint(p->d, "a USDT probe is sdt:PROVIDER:NAME");
		return -EINVAL;
	}
	if (!ret->file) {
		parse_fail(p, ret->at, DIAG_SPEC_NEEDS_FILE);
		diag_hint(p->d, "-x PATH says which program or library has the USDT probe");
		return -EINVAL;
	}
	ret->glob = glob;
	ret->provider = parse_dup(p, provider);
	return ret->provider ? keep_symbol(p, name, ret) : parse_no_memory(p);
}

/* ---- tracepoint:NAME ------------------------------------------------------ */

/* GROUP: in front of it, and patterns, are none of the kernel's syntax. */
static int take_group(const struct parse *p, struct span *at,
		      struct place_spec *ret)
{
	size_t colon = parse_find(p, *at, ':');
	struct span group = span_between(at->start, colon);

	if (p->kernel || colon == span_end(*at) || !place_is_module(p, group))
		return 0;
	ret->provider = parse_dup(p, group);
	*at = span_between(colon + 1, span_end(*at));
	return ret->provider ? 0 : parse_no_memory(p);
}

int place_tracepoint(const struct parse *p, struct span at,
		     struct place_spec *ret)
{
	size_t end = span_end(at), i;
	int err;

	ret->kind = PLACE_TRACEPOINT;
	err = take_group(p, &at, ret);
	if (err)
		return err;
	ret->glob = !p->kernel && place_is_glob(p, at);
	if (ret->glob)
		return keep_symbol(p, at, ret);
	for (i = at.start; i < end && parse_is_ident(p->text[i]); i++)
		;
	if (i == end && at.length)
		return keep_symbol(p, at, ret);
	parse_fail_text(p, span_between(i, end), DIAG_SPEC_BAD_TRACEPOINT,
			span_between(i, i < end ? i + 1 : end), 0);
	if (i + 1 < end && strchr(":/.", p->text[i]) &&
	    all_ident(p, span_between(i + 1, end)))
		diag_hint(p->d, "its group is left out: did you mean '%.*s'?",
			  (int)(end - i - 1), p->text + i + 1);
	else
		diag_hint(p->d, "a tracepoint has one name, such as sched_switch");
	return -EINVAL;
}

/* ---- sys:NAME --------------------------------------------------------------- */

static int parse_syscall(const struct parse *p, struct span at,
			 struct place_spec *ret)
{
	int err;

	ret->kind = PLACE_SYSCALL;
	err = place_suffix(p, &at, ret);
	if (err)
		return err;
	ret->glob = place_is_glob(p, at);
	if (ret->glob || all_ident(p, at))
		return keep_symbol(p, at, ret);
	parse_fail_text(p, at, DIAG_SPEC_BAD_SYSCALL, at, 0);
	diag_hint(p->d, "write its name as in the manual: sys:openat");
	return -EINVAL;
}

/* ---- mem:PLACE[/LENGTH][:ACCESS] ---------------------------------------- */

#define ACCESS_MAX 3	/* a longer word is no mistyped access */

static const struct {
	const char *text;
	unsigned int access;
} accesses[] = {
	{ "r", KTAP_ACCESS_READ },
	{ "w", KTAP_ACCESS_WRITE },
	{ "rw", KTAP_ACCESS_READ | KTAP_ACCESS_WRITE },
	{ "wr", KTAP_ACCESS_READ | KTAP_ACCESS_WRITE },
	{ "x", KTAP_ACCESS_EXEC },
};

static int bad_access(const struct parse *p, struct span at)
{
	parse_fail_text(p, at, DIAG_SPEC_BAD_ACCESS, at, 0);
	diag_hint(p->d, "it is r, w, rw or x");
	return -EINVAL;
}

/*
 * :ACCESS at the end of *@at. What follows a length can be nothing else; what
 * follows a name could be the symbol of a module.
 */
static int take_access(const struct parse *p, struct span *at,
		       struct place_spec *ret)
{
	size_t end = span_end(*at), slash = parse_find(p, *at, '/'), i;
	const char *last = memrchr(p->text + at->start, ':', at->length);
	size_t colon = last ? (size_t)(last - p->text) : end;
	struct span access = span_between(colon < end ? colon + 1 : end, end);

	if (colon == end)
		return 0;
	for (i = 0; i < ARRAY_SIZE(accesses); i++) {
		if (!parse_is(p, access, accesses[i].text))
			continue;
		ret->watch_access = accesses[i].access;
		*at = span_between(at->start, colon);
		return 0;
	}
	if (colon < slash && access.length > ACCESS_MAX)
		return 0;
	return bad_access(p, access);
}

/* /LENGTH at the end of *@at. */
static int take_length(const struct parse *p, struct span *at,
		       struct place_spec *ret)
{
	size_t end = span_end(*at), slash = parse_find(p, *at, '/');
	struct span digits = span_between(slash < end ? slash + 1 : end, end);
	uint64_t value;

	if (slash == end)
		return 0;
	*at = span_between(at->start, slash);
	if (!parse_number(p, digits, &value) &&
	    (value == 1 || value == 2 || value == 4 || value == 8)) {
		ret->watch_length = value;
		return 0;
	}
	return parse_fail_text(p, digits, DIAG_SPEC_BAD_LENGTH, digits, 0);
}

static int parse_watch(const struct parse *p, struct span at,
		       struct place_spec *ret)
{
	int err;

	ret->kind = PLACE_WATCH;
	err = take_access(p, &at, ret);
	if (!err)
		err = take_length(p, &at, ret);
	if (err)
		return err;
	if (!parse_starts(p, at, "0x"))
		return place_symbol(p, at, false, ret);
	ret->symbol_at = at;
	return parse_number(p, at, &ret->address) ? place_bad(p, at, ret) : 0;
}

/* ---- timer:NUMBER UNIT --------------------------------------------------- */

#define NS_PER_S	1000000000ULL

static const struct {
	const char *text;
	uint64_t ns;	/* 0: ticks in a second, on each CPU */
} units[] = {
	{ "hz", 0 },
	{ "s", NS_PER_S },
	{ "ms", 1000000 },
	{ "us", 1000 },
};

static int bad_timer(const struct parse *p, struct span at, enum diag_code code,
		     int limit)
{
	parse_fail_text(p, at, code, at, limit);
	diag_hint(p->d, "a timer is timer:99hz, which ticks on each CPU, or timer:1s, timer:100ms or timer:250us, which tick on one");
	return -EINVAL;
}

/* @value of the unit @i: whether it is a period, and which. */
static int take_period(const struct parse *p, struct span at, uint64_t value,
		       size_t i, struct place_spec *ret)
{
	const uint64_t rate_max = NS_PER_S / KTAP_TIMER_MIN;
	uint64_t ns = units[i].ns;

	if (!value)
		return bad_timer(p, at, DIAG_SPEC_TIMER_ZERO, 0);
	if (ns ? value < (KTAP_TIMER_MIN + ns - 1) / ns : value > rate_max)
		return bad_timer(p, at, DIAG_SPEC_TIMER_FAST, (int)rate_max);
	if (ns && value > KTAP_TIMER_MAX / ns)
		return bad_timer(p, at, DIAG_SPEC_TIMER_SLOW,
				 KTAP_TIMER_MAX / NS_PER_S);
	ret->each_cpu = !ns;
	ret->period = ns ? value * ns : (NS_PER_S + value / 2) / value;
	return keep_symbol(p, at, ret);
}

static int parse_timer(const struct parse *p, struct span at,
		       struct place_spec *ret)
{
	size_t end = span_end(at), last = at.start, i;
	struct span number, unit;
	uint64_t value;
	int err;

	ret->kind = PLACE_TIMER;
	while (last < end && strchr("0123456789.+-", p->text[last]))
		last++;
	number = span_between(at.start, last);
	unit = span_between(last, end);
	err = parse_decimal(p, number, &value);
	if (err && err != -ERANGE)
		return bad_timer(p, number, DIAG_SPEC_BAD_PERIOD, 0);
	if (!unit.length)
		return bad_timer(p, number, DIAG_SPEC_NO_UNIT, 0);
	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (parse_is(p, unit, units[i].text))
			return take_period(p, at, err ? UINT64_MAX : value, i,
					   ret);
	return bad_timer(p, unit, DIAG_SPEC_BAD_UNIT, 0);
}

/* ---- words ------------------------------------------------------------------ */

static const struct {
	const char *start;
	const char *what;	/* of the kernel only; NULL: of programs */
	int (*parse)(const struct parse *p, struct span at,
		     struct place_spec *ret);
} words[] = {
	{ "sdt:", NULL, parse_mark },
	{ "tracepoint:", "tracepoints", place_tracepoint },
	{ "sys:", "system calls", parse_syscall },
	{ "mem:", "watchpoints", parse_watch },
	{ "timer:", "timers", parse_timer },
};

/* timer:hrtimer_start is a tracepoint of the group, or a function of a module. */
static bool is_timer(const struct parse *p, struct span at)
{
	size_t end = span_end(at), i = at.start + strlen("timer:");

	if (i < end && strchr("+-.", p->text[i]))
		i++;
	return i < end && parse_is_digit(p->text[i]);
}

bool place_has_word(const struct parse *p, struct span at)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (parse_starts(p, at, words[i].start) &&
		    (words[i].parse != parse_timer || is_timer(p, at)))
			/* sys::pipe is a function of a program */
			return !p->in_file || !words[i].what ||
			       p->text[at.start + strlen(words[i].start)] !=
				       ':';
	return false;
}

int place_by_word(const struct parse *p, struct span at,
		  struct place_spec *ret)
{
	size_t i = 0;

	while (!parse_starts(p, at, words[i].start))
		i++;
	if (ret->file && words[i].what) {
		parse_fail(p, at, DIAG_SPEC_KERNEL_ONLY, words[i].what);
		diag_hint(p->d, "leave out -x");
		return -EINVAL;
	}
	return words[i].parse(p, span_between(at.start + strlen(words[i].start),
					      span_end(at)), ret);
}
