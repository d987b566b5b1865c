// SPDX-License-Identifier: GPL-2.0
/* store(KEY,VALUE): what a definition stores for the $load(KEY) and $take(KEY) of others. */
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "spec/parse.h"

#define HEAD "store("

bool parse_is_store(const struct parse *p, struct span word)
{
	return !p->kernel && parse_starts(p, word, HEAD);
}

static int bad_store(const struct parse *p, struct span at)
{
	parse_fail_text(p, at, DIAG_SPEC_BAD_STORE, at, 0);
	diag_hint(p->d, "as in store(bio,$now), which 'bio_endio $now-$take(bio)' finds again");
	return -EINVAL;
}

int parse_named_store(const struct parse *p, struct span at)
{
	return parse_fail(p, at, DIAG_SPEC_NAMED_STORE);
}

/* One of the two expressions: nothing may follow it. */
static int read_part(const struct parse *p, struct span at, struct expr **ret)
{
	size_t stop;
	int err;

	at = parse_trim(p, at);
	err = parse_expr(p, at, ret, &stop);
	if (err || stop == span_end(at))
		return err;
	parse_fail_text(p, span_between(stop, span_end(at)), DIAG_SPEC_TRAILING,
			span_between(stop, span_end(at)), 0);
	diag_hint(p->d, "a type is written first, in parentheses: (u8)x");
	return -EINVAL;
}

static int push(const struct parse *p, struct probe_spec *spec, struct expr *e)
{
	struct expr **stores;

	if (spec->nr_stores == SPEC_ARGS_MAX)
		return parse_fail(p, e->at, DIAG_SPEC_TOO_MANY_ARGS, SPEC_ARGS_MAX);
	stores = array_grow(spec->stores, spec->nr_stores, sizeof(struct expr *));
	if (!stores)
		return parse_no_memory(p);
	spec->stores = stores;
	stores[spec->nr_stores++] = e;
	return 0;
}

int parse_store(const struct parse *p, struct span at, struct probe_spec *spec)
{
	struct span inner = span_between(at.start + strlen(HEAD), span_end(at));
	size_t comma, end = span_end(at) - 1;
	struct expr *e;
	int err;

	if (!inner.length || p->text[end] != ')')
		return bad_store(p, at);
	inner.length--;
	comma = parse_comma(p, inner);
	if (comma == inner.start || comma + 1 >= end)
		return bad_store(p, at);
	if (p->keys)
		return parse_fail(p, at, DIAG_SPEC_KEY_FUNCTION);
	e = expr_new(EXPR_STORE, p->d);
	if (!e)
		return -ENOMEM;
	e->at = at;
	err = read_part(p, span_between(inner.start, comma), &e->base);
	if (!err)
		err = read_part(p, span_between(comma + 1, end), &e->right);
	if (!err)
		err = push(p, spec, e);
	if (err)
		expr_free(e);
	return err;
}

void print_stores(struct buf *b, const struct probe_spec *spec,
		  const struct params *params)
{
	for (size_t i = 0; i < spec->nr_stores; i++) {
		const struct expr *e = spec->stores[i];

		buf_puts(b, " " HEAD);
		print_value(b, e->base, params);
		buf_putc(b, ',');
		print_value(b, e->right, params);
		buf_putc(b, ')');
	}
}
