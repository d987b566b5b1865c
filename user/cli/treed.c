// SPDX-License-Identifier: GPL-2.0
#include "cli/treed.h"

#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "cli/members.h"
#include "cli/table.h"
#include "cli/total.h"
#include "report/tree.h"

/**
 * struct treed - tree that is being printed
 * @look: how
 * @all: weight of all paths
 * @table: lines, without JSON
 */
struct treed {
	const struct reported_look *look;
	__int128 all;
	struct table table;
};

static double percent_of(const struct treed *s, __int128 weight)
{
	return weight ? 100.0 * (double)weight / (double)s->all : 0;
}

/* ---- text ---- */

static void put_weight(struct treed *s, __int128 weight)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	put_wide(&b, weight);
	table_text(&s->table, buf_str(&b));
	if (s->all)
		table_cell(&s->table, "%.2f%%", percent_of(s, weight));
	else
		table_text(&s->table, "-");
}

static int text_line(void *ctx, const struct tree_line *line)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct treed *s = ctx;
	size_t level = line->omitted ? line->depth : line->depth - 1;

	put_weight(s, line->total);
	put_weight(s, line->self);
	for (size_t i = 0; i < level; i++)
		buf_puts(&b, "  ");
	if (line->omitted)
		buf_printf(&b, "(%zu below %g%%)", line->omitted, s->look->min);
	else
		buf_puts(&b, line->names[level]);
	table_text(&s->table, buf_str(&b));
	return b.failed ? -ENOMEM : 0;
}

/* "comm, kstack" */
static void add_head(struct heads *h, const struct report_names *keys)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0; i < keys->nr; i++)
		buf_printf(&b, "%s%s", i ? ", " : "", keys->name[i].text);
	heads_add(h, 'l', "%s", buf_str(&b));
	h->failed |= b.failed;
}

static void add_heads(struct heads *h, const struct reported_look *look)
{
	static const char *const heads[] = { "TOTAL", "SELF" };

	for (size_t i = 0; i < 2; i++) {
		if (look->values->nr)
			heads_add(h, 'r', "%s(%s)", heads[i], look->values->name[0].text);
		else
			heads_add(h, 'r', "%s", heads[i]);
		heads_add(h, 'r', "PERCENT");
	}
	add_head(h, look->keys);
}

static int show_table(struct treed *s, const struct tree *t)
{
	struct heads h = { 0 };
	int err = -ENOMEM;

	add_heads(&h, s->look);
	if (!h.failed) {
		table_init(&s->table, h.align, (const char *const *)h.text);
		err = tree_walk(t, s->look->min, text_line, s);
		if (!err)
			err = table_print(&s->table, stdout);
		table_deinit(&s->table);
	}
	heads_deinit(&h);
	return err;
}

/* ---- JSON ---- */

static void json_weight(struct json *j, const struct treed *s, const char *key,
			const char *percent, __int128 weight)
{
	member_wide(j, key, weight);
	if (s->all)
		member_real(j, percent, percent_of(s, weight));
}

static int json_node(void *ctx, const struct tree_line *l)
{
	const struct treed *s = ctx;
	struct json_line line;
	struct json *j = &line.json;

	reported_line_begin(&line, s->look);
	json_key(j, "path");
	json_array(j);
	for (size_t i = 0; i < l->depth; i++)
		json_str(j, l->names[i]);
	json_array_end(j);
	json_weight(j, s, "total", "percent", l->total);
	json_weight(j, s, "self", "self_percent", l->self);
	if (l->omitted)
		member_u64(j, "omitted", l->omitted);
	json_line_end(&line);
	return 0;
}

int treed_show(const struct reported_look *look, struct paths *paths)
{
	struct treed s = { .look = look };
	struct tree t = { 0 };
	int err = tree_make(&t, paths);

	if (!err) {
		s.all = t.node[0].total;
		err = look->json ? tree_walk(&t, look->min, json_node, &s) :
				   show_table(&s, &t);
	}
	tree_deinit(&t);
	return err;
}
