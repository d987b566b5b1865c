// SPDX-License-Identifier: GPL-2.0
/* ktap list: the events that are defined. */
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/scoped.h"
#include "cli/cmd.h"
#include "cli/events.h"
#include "cli/kernel_lines.h"
#include "cli/members.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/say.h"
#include "cli/table.h"
#include "place/ksyms.h"
#include "schema/layout.h"

static const struct option_row rows[] = {
	{ 'v', "verbose", NULL, "also show hook, sessions, size of records, cost" },
	OPTION_JSON,
	{ OPT_DEFINITIONS, "definitions", NULL, "print lines for 'ktap load'" },
	{ OPT_FORMAT, "format", "FORMAT", "print " FORMAT_KERNEL " lines" },
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[-v] [--json | --definitions | --format=FORMAT] [NAME|GLOB...]",
	.about = "Lists the events that are defined.",
	.rows = rows,
};

struct list_options {
	bool verbose;
	bool json;
	bool definitions;
	bool format;
	int status;
};

static int list_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct list_options *o = ctx;

	if (key == OPT_FORMAT && format_option(value, d))
		return -EINVAL;
	if (key == OPT_FORMAT)
		o->format = true;
	else if (key == 'v')
		o->verbose = true;
	else if (key == OPT_JSON)
		o->json = true;
	else
		o->definitions = true;
	return 0;
}

/* struct listed - an event, and what its blob says where that can be read */
struct listed {
	const struct ctl_probe *probe;
	const struct layout *layout;
};

static void put_symbol(struct buf *b, const struct ctl_probe *p,
		       const char *symbol, uint64_t offset)
{
	_cleanup_free_ char *shown = symbol_shown(symbol);
	bool is_return = type_is_return(p->type);

	buf_puts(b, shown ? shown : symbol);
	if (offset || !is_return)
		buf_printf(b, "+0x%llx", (unsigned long long)offset);
	if (is_return)
		buf_puts(b, "%return");
}

/* As it is written: timer:99hz, timer:250us. */
static void put_timer(struct buf *b, const struct ctl_probe *p)
{
	const uint64_t second = 1000000000;

	if (p->each_cpu)
		buf_printf(b, "timer:%lluhz",
			   (unsigned long long)((second + p->period / 2) / p->period));
	else if (p->period % second == 0)
		buf_printf(b, "timer:%llus", (unsigned long long)(p->period / second));
	else if (p->period % 1000000 == 0)
		buf_printf(b, "timer:%llums", (unsigned long long)(p->period / 1000000));
	else
		buf_printf(b, "timer:%lluus", (unsigned long long)(p->period / 1000));
}

static void put_place(struct buf *b, const struct listed *e)
{
	const struct ctl_probe *p = e->probe;

	if (e->layout && e->layout->module)
		buf_printf(b, "%s:", e->layout->module);
	if (e->layout && e->layout->path)
		buf_printf(b, "%s:", e->layout->path);
	if (e->layout && e->layout->symbol)
		put_symbol(b, p, e->layout->symbol, e->layout->offset);
	else if (e->layout && e->layout->path)
		buf_printf(b, "0x%llx",
			   (unsigned long long)e->layout->address);
	else if (p->symbol)
		put_symbol(b, p, p->symbol, p->offset);
	else if (p->address)
		buf_printf(b, "0x%llx", (unsigned long long)p->address);
	else if (p->period)
		put_timer(b, p);
	else
		buf_puts(b, "?");
}

/* ---- text ---------------------------------------------------------------- */

static void text_heads(struct table *t, bool verbose)
{
	static const char *const brief[] = {
		"NAME", "PLACE", "STATE", "ARGUMENTS",
	};
	static const char *const full[] = {
		"NAME", "PLACE", "HOOK", "STATE", "SESSIONS", "RECORD",
		"OWNER", "COST", "MAXACTIVE", "INLINED", "ARGUMENTS",
	};

	table_init(t, verbose ? "llllrrrrrll" : "llll", verbose ? full : brief);
}

static const char *state_of(const struct ctl_probe *p)
{
	if (p->waiting)
		return "waiting for module";
	if (event_owned(p))
		return "transient";
	if (p->locked_down)
		return "locked down";
	if (p->file_state == KTAP_FILE_CHANGED)
		return p->enabled ? "enabled, file changed" : "file changed";
	if (p->file_state == KTAP_FILE_REPLACED)
		return p->enabled ? "enabled, file replaced" : "file replaced";
	if (p->overloaded)
		return "overloaded";
	return p->enabled ? "enabled" : "disabled";
}

static void text_row(struct table *t, const struct listed *e, bool verbose)
{
	_cleanup_buf_ struct buf place = BUF_INIT, args = BUF_INIT;
	const struct ctl_probe *p = e->probe;

	put_place(&place, e);
	for (size_t i = 0; e->layout && i < e->layout->nr_fields; i++)
		buf_printf(&args, "%s%s", i ? " " : "", e->layout->fields[i].name);
	table_cell(t, "%s", p->name);
	table_cell(t, "%s", buf_str(&place));
	/* and what serves the entry of the function, where that is needed */
	if (verbose)
		table_cell(t, "%s%s%s", p->hook ? p->hook : "?",
			   p->frame_hook ? "+" : "",
			   p->frame_hook ? p->frame_hook : "");
	if (event_owned(p) && !p->waiting && !verbose)
		table_cell(t, "transient (%u)", p->owner_pid);
	else
		table_cell(t, "%s", state_of(p));
	if (verbose) {
		table_cell(t, "%u", p->nr_sessions);
		table_cell(t, "%u", p->record_max);
		table_cell(t, "%u", p->owner_pid);
		/* what a hit takes at most: an estimate, so not to the nanosecond */
		if (p->cost)
			table_cell(t, "%.1fus", (double)p->cost / 1000);
		else
			table_cell(t, "-");
		/* return probes, and those that need the entry, have a limit */
		if (p->maxactive)
			table_cell(t, "%u", p->maxactive);
		else
			table_cell(t, "-");
		table_cell(t, "%s", e->layout && e->layout->calls ?
				    e->layout->calls : "-");
	}
	table_cell(t, "%s", buf_str(&args));
}

/* ---- JSON ---------------------------------------------------------------- */

static void put_layout(struct json *j, const struct layout *l)
{
	member_str(j, "definition", l->definition);
	if (l->path)
		member_str(j, "path", l->path);
	if (l->calls)
		member_str(j, "inlined", l->calls);
	json_key(j, "arguments");
	json_array(j);
	for (size_t i = 0; i < l->nr_fields; i++)
		json_str(j, l->fields[i].name);
	json_array_end(j);
}

static void print_json(const struct listed *e)
{
	const struct ctl_probe *p = e->probe;
	struct json_line line;
	struct json *j = &line.json;

	json_line_begin(&line);
	member_str(j, "name", p->name);
	member_u64(j, "id", p->id);
	if (p->module)
		member_str(j, "module", p->module);
	member_str(j, "symbol", p->symbol);
	member_u64(j, "offset", p->offset);
	if (p->address)
		member_hex(j, "address", p->address);
	member_str(j, "hook", p->hook);
	if (p->frame_hook)
		member_str(j, "entry_hook", p->frame_hook);
	if (p->maxactive)
		member_u64(j, "maxactive", p->maxactive);
	if (p->period)
		member_u64(j, "period_ns", p->period);
	if (p->period)
		member_bool(j, "each_cpu", p->each_cpu);
	member_str(j, "state", state_of(p));
	member_u64(j, "sessions", p->nr_sessions);
	member_u64(j, "record_max", p->record_max);
	if (p->cost)
		member_u64(j, "cost_ns", p->cost);
	member_u64(j, "owner_pid", p->owner_pid);
	if (e->layout)
		put_layout(j, e->layout);
	json_line_end(&line);
}

/* ---- lines of the kernel -------------------------------------------------- */

/*
 * The definition is compiled again: what the module has is a program. It is
 * compared with no names, since the event's own is taken. What cannot be said
 * there is told, and the others follow.
 */
static int put_lines(const char *text, struct list_options *o, struct diag *d)
{
	_cleanup_(definition_freep) struct definition *def = NULL;
	_cleanup_diag_ struct diag why = { 0 };
	struct definer df;
	int err;

	err = definer_init(&df, NULL, 0, NULL, NULL, d);
	df.dry = true;
	if (!err)
		err = define_compile(&df, text, &why, &def);
	if (!err)
		err = kernel_lines_print(&df, def, &why);
	definer_deinit(&df);
	if (!err || !why.code)
		return err;
	o->status = say_failure(&why, NULL);
	return 0;
}

/* ---- all of them ----------------------------------------------------------- */

/* An event of another version of ktap is listed without its layout. */
static struct layout *get_layout(struct ctl *ctl, const struct ctl_probe *p)
{
	_cleanup_free_ void *blob = NULL;
	struct layout *layout = NULL;
	size_t size;

	if (ctl_blob_get(ctl, p->id, NULL, &blob, &size))
		return NULL;
	layout_decode(blob, size, NULL, &layout);
	return layout;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

/*
 * Several points may have been made by one definition, as those of a mark are:
 * it is printed once. Where memory is short it is printed all the same.
 */
static int put_definition(const struct listed *e, struct list_options *o,
			  void **printed, struct diag *d)
{
	const char *text = e->layout ? e->layout->definition : NULL;
	char *copy;
	int err = 0;

	if (!text || event_owned(e->probe) ||
	    tfind(text, printed, compare_texts))
		return 0;
	if (o->format)
		err = put_lines(text, o, d);
	else
		print_definition(text);
	copy = strdup(text);
	if (!copy || !tsearch(copy, printed, compare_texts))
		free(copy);
	return err;
}

static int print_all(struct ctl *ctl, const struct ctl_probes *all,
		     const bool *chosen, struct list_options *o, struct diag *d)
{
	void *printed = NULL;
	struct table t;
	int err = 0;

	text_heads(&t, o->verbose);
	for (size_t i = 0; !err && i < all->nr; i++) {
		struct listed e = { .probe = &all->probes[i] };
		struct layout *layout;

		if (chosen && !chosen[i])
			continue;
		layout = get_layout(ctl, e.probe);
		e.layout = layout;
		if (o->definitions || o->format)
			err = put_definition(&e, o, &printed, d);
		else if (o->json)
			print_json(&e);
		else
			text_row(&t, &e, o->verbose);
		layout_free(layout);
	}
	if (!o->json && !o->definitions && !o->format && t.nr > t.columns)
		table_print(&t, stdout);
	table_deinit(&t);
	tdestroy(printed, free);
	return err;
}

/* That costs those, too, whose calls nobody probes. */
static void note_syscalls(const struct ctl_probes *all, const bool *chosen)
{
	for (size_t i = 0; i < all->nr; i++) {
		const struct ctl_probe *p = &all->probes[i];

		if ((chosen && !chosen[i]) || !p->hook ||
		    strcmp(p->hook, "syscall"))
			continue;
		say_note("while a probe of the hook 'syscall' is armed, all system calls of all tasks take the kernel's slow path");
		return;
	}
}

static bool lacks_address(const struct ctl_probe *p)
{
	bool of_kernel = p->type == KTAP_TYPE_KPROBE ||
			 p->type == KTAP_TYPE_KRETPROBE ||
			 p->type == KTAP_TYPE_WATCHPOINT;

	return of_kernel && !p->address && !p->waiting;
}

/* JSON has addresses, where they may be seen. */
static int tell_hidden(struct ctl *ctl, const struct ctl_probes *all,
		       const bool *chosen, struct diag *d)
{
	struct ctl_info info;
	bool any = false;
	int err;

	for (size_t i = 0; i < all->nr; i++)
		any |= (!chosen || chosen[i]) &&
		       lacks_address(&all->probes[i]);
	if (!any)
		return 0;
	err = ctl_info(ctl, d, &info);
	if (!err && info.addresses > KTAP_ADDRESSES_SHOWN)
		say_note("%s: addresses are not shown", addresses_hidden_by());
	return err;
}

static int list(const struct words *words, struct list_options *o,
		struct diag *d)
{
	struct ctl_probes all = { 0 };
	_cleanup_free_ bool *chosen = NULL;
	struct ctl *ctl = NULL;
	int err;

	if (o->json && o->definitions)
		return diag_set(d, -EINVAL, DIAG_OPTION_CONFLICT, "--json",
				"--definitions");
	if (o->format && (o->json || o->definitions))
		return diag_set(d, -EINVAL, DIAG_OPTION_CONFLICT, "--format",
				o->json ? "--json" : "--definitions");
	err = ctl_open(d, &ctl);
	if (!err)
		err = ctl_probes_get(ctl, d, &all);
	if (!err && words->nr)
		err = events_choose(&all, (const char *const *)words->word,
				    words->nr, d, &chosen);
	if (!err && o->json)
		err = tell_hidden(ctl, &all, chosen, d);
	if (!err)
		err = print_all(ctl, &all, chosen, o, d);
	if (!err && o->verbose && !o->json)
		note_syscalls(&all, chosen);
	ctl_probes_deinit(&all);
	ctl_close(ctl);
	return err;
}

int cmd_list(int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct list_options o = { 0 };
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, list_option, &o, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret)
		ret = list(&words, &o, &d);
	return ret ? say_failure(&d, NULL) : o.status;
}
