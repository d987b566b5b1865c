// SPDX-License-Identifier: GPL-2.0
/* ktap vars: variables that a probe can record, and where they are. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/scoped.h"
#include "bind/where.h"
#include "cli/cmd.h"
#include "cli/inspect.h"
#include "cli/members.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/say.h"
#include "cli/table.h"
#include "cli/vars_btf.h"
#include "define/debug.h"
#include "define/scope.h"
#include "dwarf/line.h"
#include "dwarf/var.h"

static const struct option_row rows[] = {
	OPTION_FILE,
	OPTION_MODULE,
	OPTION_KERNEL,
	OPTION_SOURCE,
	{ OPT_EXTERNS, "externs", NULL, "also show the global variables of the source file" },
	{ OPT_RANGE, "range", NULL, "also show where in the function each has a value" },
	OPTION_JSON,
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[-x PATH | -m MODULE] [-k VMLINUX] [-s DIR] [--externs] [--range] [--json] PLACE",
	.about = "Shows the variables that a definition can use at a place, and their locations.",
	.rows = rows,
};

/**
 * struct vars_options - what is wanted
 * @in: which debug information
 * @externs: global variables too
 * @range: where each has a value
 */
struct vars_options {
	struct inspect in;
	bool externs;
	bool range;
};

/**
 * struct point - one of the points of the place
 * @o: options
 * @def: it
 * @chain: of the calls to its function
 * @file: of its line
 * @line: 0: not known
 * @d: where errors go
 */
struct point {
	const struct vars_options *o;
	const struct definition *def;
	struct debug_chain chain;
	const char *file;
	int line;
	struct diag *d;
};

/* struct shown - a variable, in words */
struct shown {
	const char *kind;
	const char *name;
	struct buf type;
	struct buf decl;
	struct where where;
	struct debug_ranges ranges;
};

/* ---- one variable ----------------------------------------------------------------- */

static void shown_deinit(struct shown *s)
{
	buf_deinit(&s->type);
	buf_deinit(&s->decl);
	where_deinit(&s->where);
	debug_ranges_deinit(&s->ranges);
}

/* Release with shown_deinit(), also on failure. */
static int describe(const struct point *p, const struct debug_var *var,
		    struct shown *ret)
{
	static const char *const kinds[] = {
		[DEBUG_PARAM] = "param", [DEBUG_LOCAL] = "local",
		[DEBUG_GLOBAL] = "global",
	};
	const struct site *site = p->def->site;
	Dwarf_Die die = var->die;
	int err;

	*ret = (struct shown){
		.kind = kinds[var->kind], .name = dwarf_diename(&die),
	};
	debug_put_decl(&die, false, &ret->type);
	debug_put_decl(&die, true, &ret->decl);
	err = where_find(site, arch_find(p->def->arch), var,
			 place_is_return(&p->def->place), &ret->where);
	if (!err && p->o->range)
		err = debug_ranges(site->dbg, &site->func, &die, &ret->ranges);
	return ret->type.failed || ret->decl.failed ? -ENOMEM : err;
}

/* ---- as text ---------------------------------------------------------------------- */

static void text_place(const struct point *p)
{
	const struct place *place = &p->def->place;
	char *symbol = place->symbol ? symbol_shown(place->symbol) : NULL;
	struct buf line = BUF_INIT;

	if (symbol)
		buf_printf(&line, "%s+0x%" PRIx64 " at ", symbol,
			   place->offset);
	buf_printf(&line, "0x%" PRIx64, place->address);
	if (p->line && p->file)
		buf_printf(&line, ", %s:%d", p->file, p->line);
	print_line("%s", buf_str(&line));
	buf_deinit(&line);
	free(symbol);
	for (size_t i = 0; i + 1 < p->chain.nr; i++)
		print_line("  in %s, inlined into %s at %s:%d",
			   p->chain.call[i].name, p->chain.call[i + 1].name,
			   p->chain.call[i].file, p->chain.call[i].line);
}

static void text_var(struct table *t, const struct shown *s)
{
	bool nowhere = s->where.kind == WHERE_NOWHERE;

	table_cell(t, "%s", s->kind);
	table_cell(t, "%s", buf_str(&s->decl));
	table_cell(t, "%s%s", nowhere ? "nowhere: " : "", s->where.text);
	for (size_t i = 0; i < s->ranges.nr; i++) {
		_cleanup_buf_ struct buf b = BUF_INIT;

		debug_put_range(&s->ranges, i, &b);
		table_cell(t, "%s", "");
		table_cell(t, "%s", "");
		table_cell(t, "  %s", buf_str(&b));
	}
	if (s->ranges.always) {
		table_cell(t, "%s", "");
		table_cell(t, "%s", "");
		table_cell(t, "  %s", "everywhere");
	}
}

static int text_vars(const struct point *p, const struct scope *scope)
{
	static const char *const heads[] = { "KIND", "VARIABLE", "WHERE" };
	struct table t;
	int err = 0;

	table_init(&t, "lll", heads);
	for (size_t i = 0; !err && i < scope->nr; i++) {
		struct shown s;

		err = describe(p, &scope->var[i], &s);
		if (!err)
			text_var(&t, &s);
		shown_deinit(&s);
	}
	if (!err && scope->nr)
		err = table_print(&t, stdout);
	if (!scope->nr)
		puts("no variables");
	table_deinit(&t);
	return err;
}

/* ---- as JSON ---------------------------------------------------------------------- */

static void json_place(struct json *j, const struct point *p)
{
	const struct place *place = &p->def->place;

	member_str(j, "symbol", place->symbol);
	member_u64(j, "offset", place->offset);
	member_hex(j, "address", place->address);
	if (p->line && p->file) {
		member_str(j, "file", p->file);
		member_u64(j, "line", p->line);
	}
	json_key(j, "chain");
	json_array(j);
	for (size_t i = 0; i < p->chain.nr; i++) {
		json_object(j);
		member_str(j, "function", p->chain.call[i].name);
		if (p->chain.call[i].file) {
			member_str(j, "call_file", p->chain.call[i].file);
			member_u64(j, "call_line", p->chain.call[i].line);
		}
		json_object_end(j);
	}
	json_array_end(j);
}

static void json_ranges(struct json *j, const struct debug_ranges *rs)
{
	member_bool(j, "everywhere", rs->always);
	json_key(j, "ranges");
	json_array(j);
	for (size_t i = 0; i < rs->nr; i++) {
		const struct debug_range *r = &rs->range[i];

		json_object(j);
		member_hex(j, "start", r->start);
		member_hex(j, "end", r->end);
		if (r->first)
			member_u64(j, "first_line", r->first);
		if (r->last)
			member_u64(j, "last_line", r->last);
		json_object_end(j);
	}
	json_array_end(j);
}

static void json_var(const struct point *p, const struct shown *s)
{
	bool nowhere = s->where.kind == WHERE_NOWHERE;
	struct json_line line;
	struct json *j = &line.json;

	json_line_begin(&line);
	json_place(j, p);
	member_str(j, "kind", s->kind);
	member_str(j, "name", s->name);
	member_str(j, "type", buf_str(&s->type));
	member_str(j, "where", where_kind_text(s->where.kind));
	member_str(j, nowhere ? "reason" : "expression", s->where.text);
	if (p->o->range)
		json_ranges(j, &s->ranges);
	json_line_end(&line);
}

static int json_vars(const struct point *p, const struct scope *scope)
{
	int err = 0;

	for (size_t i = 0; !err && i < scope->nr; i++) {
		struct shown s;

		err = describe(p, &scope->var[i], &s);
		if (!err)
			json_var(p, &s);
		shown_deinit(&s);
	}
	return err;
}

/* ---- points ----------------------------------------------------------------------- */

static int show_point(const struct vars_options *o, struct definition *def,
		      struct diag *d)
{
	struct point p = { .o = o, .def = def, .d = d };
	const struct site *site = def->site;
	struct scope scope;
	int err;

	err = debug_chain(site->dbg, &site->func, d, &p.chain);
	if (err)
		return err;
	p.line = debug_line_at(site->dbg, site->address, &p.file);
	err = scope_find(site, o->externs, d, &scope);
	if (!err && !o->in.json)
		text_place(&p);
	if (!err && (o->in.json ? json_vars(&p, &scope) : text_vars(&p, &scope)))
		err = diag_no_memory(d);
	scope_deinit(&scope);
	debug_chain_deinit(&p.chain);
	return err;
}

/*
 * Without debug information BTF knows the parameters of the kernel's functions.
 * Return: as vars_btf_show().
 */
static int show_params(struct vars_options *o, const struct definition *def,
		       struct diag *d)
{
	struct definer *df = &o->in.df;
	int err;

	if (def->place.path || !def->place.symbol)
		return -ENOENT;
	err = define_btf(df, d);
	if (err)
		return err;
	err = vars_btf_show(df->kb, def, o->in.json, d);
	if (!err && !o->in.quiet && def->place.type != KTAP_TYPE_TRACEPOINT)
		say_note("no debug information: only parameters are known, from BTF");
	return err;
}

/* @more: another point was shown before. */
static int show_known(struct vars_options *o, struct definition *def,
		      bool more, struct diag *d)
{
	struct diag why = {};
	bool is_known = vars_syscall_known(def);
	int err = is_known ? 0 : define_must_site(&o->in.df, def, d);

	if (!err && more && !o->in.json)
		putchar('\n');
	/* its function has one parameter, the registers, which sys: has no name for */
	if (is_known)
		return vars_syscall_show(def, o->in.json, d);
	if (!err)
		return show_point(o, def, d);
	if (err != -ENOENT)
		return err;
	err = show_params(o, def, &why);
	if (!err)
		diag_clear(d);
	diag_clear(&why);
	return err ? -ENOENT : 0;
}

static int show_place(struct vars_options *o, const char *text, struct diag *d)
{
	_cleanup_(definition_freep) struct definition *def = NULL;
	const struct probe_spec *spec;
	struct definition *point;
	int err;

	err = define_place(&o->in.df, text, d, &def);
	spec = err ? NULL : def->spec;
	/* only a place, and nothing that is recorded there */
	if (spec && (spec->name || spec->nr_args || spec->filter))
		err = diag_set(d, -EINVAL, DIAG_EXTRA_WORD, spec->text);
	for (point = def; !err && point; point = point->next)
		err = show_known(o, point, point != def, d);
	return err;
}

static int vars_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct vars_options *o = ctx;

	(void)d;
	if (inspect_option(&o->in, key, value))
		return 0;
	if (key == OPT_EXTERNS)
		o->externs = true;
	else
		o->range = true;
	return 0;
}

int cmd_vars(int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct vars_options o = { 0 };
	struct words words;
	const char *text;
	int ret;

	ret = options_parse(&usage, argc, argv, vars_option, &o, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret)
		ret = inspect_word(&words, "a place", &d, &text);
	if (!ret)
		ret = inspect_open(&o.in, &d);
	if (!ret)
		ret = show_place(&o, text, &d);
	inspect_deinit(&o.in);
	return ret ? say_failure(&d, NULL) : 0;
}
