// SPDX-License-Identifier: GPL-2.0
/* Aggregation: sum(EXPR), hist(EXPR), hist(EXPR,MIN,MAX,STEP), stats(EXPR), count(). */
#include <errno.h>
#include <linux/ktap.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "spec/parse.h"

#define LINEAR_WORDS 3	/* MIN, MAX and STEP */

static const struct {
	const char *start;
	enum aggregate_kind kind;
} functions[] = {
	{ "count(", AGGREGATE_NONE },
	{ "sum(", AGGREGATE_SUM },
	{ "stats(", AGGREGATE_STATS },
	{ "hist(", AGGREGATE_LOG2 },
};

bool parse_is_count(const struct parse *p, struct span word)
{
	return !p->kernel && parse_is(p, word, "count()");
}

/* Function of the list at the start of @at; -1: none. count(x) is no call of ktap's. */
static int find_function(const struct parse *p, struct span at)
{
	for (size_t i = 0; !p->kernel && i < ARRAY_SIZE(functions); i++)
		if (functions[i].kind ? parse_starts(p, at, functions[i].start) :
					parse_is_count(p, at))
			return i;
	return -1;
}

static int bad_steps(const struct parse *p, struct span at)
{
	parse_fail_text(p, at, DIAG_SPEC_BAD_STEPS, at, 0);
	diag_hint(p->d, "write MIN,MAX,STEP, with at most %d steps, as in 0,1000,100",
		  KTAP_MAP_STEPS_MAX);
	return -EINVAL;
}

int parse_steps(const struct parse *p, struct span at, struct aggregate *ret)
{
	size_t pos = at.start, end = span_end(at);
	int64_t word[LINEAR_WORDS];
	uint64_t width;

	for (int i = 0; i < LINEAR_WORDS; i++) {
		size_t comma = parse_find(p, span_between(pos, end), ',');

		if (pos > end || (i < LINEAR_WORDS - 1) != (comma < end) ||
		    parse_signed(p, parse_trim(p, span_between(pos, comma)),
				 &word[i]))
			return bad_steps(p, at);
		pos = comma + 1;
	}
	if (word[1] <= word[0] || word[2] <= 0)
		return bad_steps(p, at);
	width = (uint64_t)word[1] - (uint64_t)word[0];
	width = width / word[2] + !!(width % word[2]);
	if (width > KTAP_MAP_STEPS_MAX)
		return bad_steps(p, at);
	*ret = (struct aggregate){
		.kind = AGGREGATE_LINEAR, .nr = width, .min = word[0],
		.step = word[2],
	};
	return 0;
}

size_t parse_comma(const struct parse *p, struct span at)
{
	size_t end = span_end(at), i;
	unsigned int depth = 0;
	char quote = 0;

	for (i = at.start; i < end; i++) {
		char c = p->text[i];

		if (quote) {
			quote = c == quote ? 0 : quote;
			continue;
		}
		if (c == '"' || c == '\'')
			quote = c;
		else if (c == '(' || c == '[')
			depth++;
		else if ((c == ')' || c == ']') && depth)
			depth--;
		else if (c == ',' && !depth)
			return i;
	}
	return end;
}

static int no_value(const struct parse *p, struct span at)
{
	parse_fail_text(p, at, DIAG_SPEC_NO_VALUE, at, 0);
	diag_hint(p->d, "as in 'vfs_read sum(count) by $comm', or 'vfs_read count() by $comm'");
	return -EINVAL;
}

int parse_aggregate(const struct parse *p, struct span *at,
		    struct aggregate *ret)
{
	int which = find_function(p, *at);
	struct span inner;
	size_t comma;

	*ret = (struct aggregate){ 0 };
	if (which < 0)
		return 0;
	if (p->text[span_end(*at) - 1] != ')')
		return no_value(p, *at);
	ret->kind = functions[which].kind;
	inner = span_between(at->start + strlen(functions[which].start),
			     span_end(*at) - 1);
	if (!inner.length != !ret->kind)
		return no_value(p, *at);
	comma = parse_comma(p, inner);
	*at = span_between(inner.start, comma);
	if (comma == span_end(inner))
		return 0;
	if (ret->kind != AGGREGATE_LOG2)
		return no_value(p, inner);
	return parse_steps(p, span_between(comma + 1, span_end(inner)), ret);
}

int spec_aggregate(struct probe_spec *spec, const struct aggregate *want,
		   struct diag *d)
{
	bool any = false;

	for (size_t i = 0; i < spec->nr_args; i++) {
		struct arg_spec *arg = &spec->args[i];

		if (arg->aggregate.kind == AGGREGATE_NONE &&
		    want->kind == AGGREGATE_NONE) {
			diag_set(d, -EINVAL, DIAG_SPEC_COUNT_VALUE, arg->name);
			diag_at(d, spec->text, arg->at.start, arg->at.length);
			diag_hint(d, "keys are written after 'by'; 'ktap sum', 'hist' and 'stats' take values");
			return -EINVAL;
		}
		if (arg->aggregate.kind == AGGREGATE_NONE)
			arg->aggregate = *want;
		any |= aggregate_is_value(&arg->aggregate);
	}
	spec->aggregates = true;
	if (any || want->optional || want->kind == AGGREGATE_NONE)
		return 0;
	diag_set(d, -EINVAL, DIAG_SPEC_NOTHING_TO_ADD);
	diag_at(d, spec->text, strlen(spec->text), 0);
	diag_hint(d, "name a value before 'by', as in 'vfs_read count by $comm'; 'ktap count' needs none");
	return -EINVAL;
}

/* The end of the last step; what is too large for a MAX is as good as the largest. */
static int64_t steps_end(const struct aggregate *a)
{
	uint64_t width;
	int64_t end;

	if (__builtin_mul_overflow(a->step, a->nr, &width) ||
	    __builtin_add_overflow(a->min, width, &end))
		return INT64_MAX;
	return end;
}

static void put_value(struct buf *b, const struct arg_spec *arg,
		      const struct params *params)
{
	const struct aggregate *a = &arg->aggregate;

	for (size_t i = 1; i < ARRAY_SIZE(functions); i++)
		if (functions[i].kind == a->kind ||
		    (functions[i].kind == AGGREGATE_LOG2 &&
		     a->kind == AGGREGATE_LINEAR))
			buf_puts(b, functions[i].start);
	print_arg(b, arg, params);
	if (a->kind == AGGREGATE_LINEAR)
		buf_printf(b, ",%lld,%lld,%llu", (long long)a->min,
			   (long long)steps_end(a),
			   (unsigned long long)a->step);
	buf_putc(b, ')');
}

void print_args(struct buf *b, const struct probe_spec *spec,
		const struct params *params)
{
	bool keys = false, values = false;

	print_stores(b, spec, params);
	for (size_t i = 0; i < spec->nr_args; i++)
		values |= aggregate_is_value(&spec->args[i].aggregate);
	if (spec->aggregates && !values)
		buf_puts(b, " count()");
	for (size_t i = 0; i < spec->nr_args; i++) {
		const struct arg_spec *arg = &spec->args[i];

		if (arg->aggregate.kind == AGGREGATE_KEY && !keys) {
			buf_puts(b, " by");
			keys = true;
		}
		buf_putc(b, ' ');
		if (arg->expr->kind != EXPR_ARGS)
			buf_printf(b, "%s=", arg->name);
		if (aggregate_is_value(&arg->aggregate))
			put_value(b, arg, params);
		else
			print_arg(b, arg, params);
	}
}
