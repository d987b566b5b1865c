// SPDX-License-Identifier: GPL-2.0
/* ktap line: lines of source, and which of them have code. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/inspect.h"
#include "cli/listing.h"
#include "cli/members.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/say.h"
#include "define/debug.h"
#include "dwarf/source.h"

/* Lines without code that may be at the end of a function. */
#define BRACE_MAX 16

static const struct option_row rows[] = {
	OPTION_FILE,
	OPTION_MODULE,
	OPTION_KERNEL,
	OPTION_SOURCE,
	OPTION_JSON,
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[-x PATH | -m MODULE] [-k VMLINUX] [-s DIR] [--json] PLACE",
	.about = "Shows the source of a function (FUNC or FUNC@FILE) or of a file (FILE). Append\n"
		 ":LINE, :LINE-LINE2 or :LINE+NUM to show a part. Lines with code are numbered.",
	.rows = rows,
};

/**
 * struct view - what is shown of one file
 * @in: options
 * @l: what has code
 * @spec: the place
 * @range: which part, as the lines count
 * @row: the first one of the file, of ...
 * @nr: ... this many
 * @source: or NULL: it is not there
 */
struct view {
	const struct inspect *in;
	const struct listing *l;
	const struct probe_spec *spec;
	const struct line_range *range;
	const struct debug_row *row;
	size_t nr;
	struct source *source;
};

/* ---- one line ------------------------------------------------------------------ */

static void json_line(const struct view *v, int line, const char *text,
		      size_t length, const struct debug_row *row, size_t nr)
{
	struct json_line out;
	struct json *j = &out.json;

	json_line_begin(&out);
	member_str(j, "file", v->row->file);
	member_u64(j, "line", line);
	if (v->l->base)
		member_u64(j, "relative", line - v->l->base);
	if (text) {
		json_key(j, "text");
		json_string(j, text, length);
	}
	json_key(j, "addresses");
	json_array(j);
	for (size_t i = 0; i < nr; i++)
		json_hex(j, row[i].address);
	json_array_end(j);
	json_line_end(&out);
}

/* @row: its @nr instructions; none: it has no code. */
static void show(const struct view *v, int line, const struct debug_row *row,
		 size_t nr)
{
	size_t length = 0;
	const char *text = v->source ? source_line(v->source, line, &length) :
				       NULL;
	char margin[16] = "         ";

	if (v->in->json) {
		json_line(v, line, text, length, row, nr);
		return;
	}
	if (nr)
		snprintf(margin, sizeof(margin), "%7d  ", line - v->l->base);
	if (text)
		print_source(margin, text, length);
	else
		print_line("%s%s:%d", margin, v->row->file, line);
}

/* ---- one file ------------------------------------------------------------------ */

static void show_header(const struct view *v)
{
	const struct listing *l = v->l;
	char copies[48] = "";

	if (v->in->json)
		return;
	if (!l->base) {
		print_line("%s", v->row->file);
		return;
	}
	if (l->copies)
		snprintf(copies, sizeof(copies), ", inlined in %zu place%s",
			 l->copies, l->copies > 1 ? "s" : "");
	print_line("%s, %s:%d%s", v->spec->place.symbol, v->row->file, l->base,
		   copies);
}

/* The lines without code from @line to the one before @end. */
static void show_between(const struct view *v, int64_t line, int64_t end)
{
	size_t length;

	for (; v->source && line < end; line++) {
		if (!source_line(v->source, line, &length))
			break;
		show(v, line, NULL, 0);
	}
}

static char first_of(const struct view *v, int line)
{
	size_t length;
	const char *text = source_line(v->source, line, &length);

	return text && length ? *text : '\0';
}

/* Where the last line is: what was asked for, or the end of the function. */
static int64_t last_line(const struct view *v)
{
	int64_t last = (int64_t)v->range->last + v->l->base;
	int line, end = v->l->end;

	if (v->range->last == UINT_MAX && end) {
		/*
		 * Behind its last code a function goes on to its brace, which is near
		 * if it is written as C mostly is.
		 */
		for (line = end; v->source && line < end + BRACE_MAX; line++)
			if (first_of(v, line) == '}')
				break;
		last = v->source && first_of(v, line) == '}' ? line : end;
	}
	return last < INT_MAX ? last : INT_MAX - 1;
}

static void show_lines(const struct view *v)
{
	int64_t next = (int64_t)v->range->first + v->l->base;
	size_t i, end;

	if (next < 1)
		next = 1;
	show_header(v);
	for (i = 0; i < v->nr; i = end) {
		for (end = i; end < v->nr; end++)
			if (v->row[end].line != v->row[i].line)
				break;
		show_between(v, next, v->row[i].line);
		show(v, v->row[i].line, &v->row[i], end - i);
		next = v->row[i].line + 1;
	}
	show_between(v, next, last_line(v) + 1);
}

/* Without its source a file has lines all the same. */
static int show_file(struct points *p, struct view *v)
{
	_cleanup_diag_ struct diag why = {};
	int err;

	v->source = NULL;
	err = source_open(p->dbg, v->row->file, p->source, &why, &v->source);
	if (err == -ENOMEM)
		return diag_no_memory(p->d);
	if (err && !v->in->quiet)
		say_note("%s: %s", why.message, why.hint);
	show_lines(v);
	source_free(v->source);
	return 0;
}

/* ---- all of them --------------------------------------------------------------- */

static int show_all(struct points *p, struct view *v)
{
	const struct debug_rows *rows = &v->l->rows;
	size_t i, end;
	int err = 0;

	for (i = 0; !err && i < rows->nr; i = end) {
		for (end = i; end < rows->nr; end++)
			if (strcmp(rows->row[end].file, rows->row[i].file))
				break;
		v->row = &rows->row[i];
		v->nr = end - i;
		err = show_file(p, v);
	}
	return err;
}

static int show_place(struct inspect *in, const char *text, struct diag *d)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	struct points p = { .source = in->source, .d = d };
	struct view v = { .in = in };
	struct line_range range;
	struct listing l;
	int err;

	err = spec_parse_lines(text, in->path, d, &spec, &range);
	if (!err)
		err = define_in_module(&in->df, spec, d);
	if (!err)
		err = inspect_debug(in, spec->place.module, true, d, &p.dbg);
	if (err)
		return err;
	p.spec = spec;
	err = listing_find(&p, &range, &l);
	if (err)
		return err;
	v.l = &l;
	v.spec = spec;
	v.range = &range;
	err = show_all(&p, &v);
	listing_deinit(&l);
	return err;
}

static int line_option(void *ctx, int key, const char *value, struct diag *d)
{
	(void)d;
	inspect_option(ctx, key, value);
	return 0;
}

int cmd_line(int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct inspect in = { 0 };
	struct words words;
	const char *text;
	int ret;

	ret = options_parse(&usage, argc, argv, line_option, &in, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret)
		ret = inspect_word(&words, "a function or a file", &d, &text);
	if (!ret)
		ret = inspect_open(&in, &d);
	if (!ret)
		ret = show_place(&in, text, &d);
	inspect_deinit(&in);
	return ret ? say_failure(&d, NULL) : 0;
}
