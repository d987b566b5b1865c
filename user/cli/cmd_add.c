// SPDX-License-Identifier: GPL-2.0
/* ktap add: define one event. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/scoped.h"
#include "cli/cmd.h"
#include "cli/kernel_lines.h"
#include "cli/notices.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "define/bundle.h"

static const struct option_row rows[] = {
	{ 'n', "dry-run", NULL, "print the complete definition; add nothing" },
	OPTION_FILE,
	OPTION_MODULE,
	OPTION_KERNEL,
	OPTION_SOURCE,
	OPTION_HOOK,
	OPTION_WAIT,
	OPTION_SKIP,
	OPTION_ROOT,
	OPTION_PARAM,
	{ OPT_FORMAT, "format", "FORMAT", "with -n: print " FORMAT_KERNEL " lines" },
	{ 'v', "verbose", NULL, "also print the place and the fields" },
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[-n [--format=FORMAT]] [-v] [-x PATH | -m MODULE] [-k VMLINUX] [-s DIR] [--hook=HOOK] [--wait] [--param=PARAM=VALUE]... DEFINITION | [--skip] [--root=DIR] FILE.ktap",
	.about = "Defines an event and prints its name. The words form one definition:\n"
		 "[[GROUP:]EVENT=]PLACE [ARG...] [if EXPR], or a line of kprobe_events.",
	.rows = rows,
	.joins_words = true,
};

struct add_options {
	const char *file;
	const char *vmlinux;
	const char *module;
	const char *source;
	const char *hook;
	const char *format;
	const char *root;
	struct params params;
	bool wait;
	bool skip;
	bool dry_run;
	bool verbose;
	bool quiet;
};

static int add_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct add_options *o = ctx;

	if (key == OPT_FORMAT && format_option(value, d))
		return -EINVAL;
	if (key == OPT_FORMAT)
		o->format = value;
	else if (key == OPT_ROOT)
		o->root = value;
	else if (key == OPT_PARAM)
		return params_take_option(&o->params, value, d);
	else if (key == 'n')
		o->dry_run = true;
	else if (key == 'x')
		o->file = value;
	else if (key == 'k')
		o->vmlinux = value;
	else if (key == 'm')
		o->module = value;
	else if (key == 's')
		o->source = value;
	else if (key == OPT_HOOK)
		o->hook = value;
	else if (key == OPT_WAIT)
		o->wait = true;
	else if (key == OPT_SKIP)
		o->skip = true;
	else if (key == 'v')
		o->verbose = true;
	else
		o->quiet = true;
	return 0;
}

/* Lines of the kernel tell of nothing but themselves, and know no hooks. */
static int check_options(const struct add_options *o, struct diag *d)
{
	if (o->format && !o->dry_run)
		return diag_set(d, -EINVAL, DIAG_OPTION_NEEDS, "--format",
				"-n");
	if (o->file && o->module)
		return diag_set(d, -EINVAL, DIAG_OPTION_CONFLICT, "-x", "-m");
	if (o->format && (o->verbose || o->hook))
		return diag_set(d, -EINVAL, DIAG_OPTION_CONFLICT, "--format",
				o->verbose ? "-v" : "--hook");
	return 0;
}

static void print_details(const struct definition *def)
{
	const struct layout *l = def->program->layout;
	char *symbol = l->symbol ? symbol_shown(l->symbol) : NULL;
	struct buf place = BUF_INIT;

	buf_printf(&place, "%s+0x%llx", symbol ? symbol : "",
		   (unsigned long long)l->offset);
	if (def->place.address)
		buf_printf(&place, " at 0x%llx",
			   (unsigned long long)def->place.address);
	if (l->path)
		buf_printf(&place, " of %s, file 0x%llx", l->path,
			   (unsigned long long)def->place.file_offset);
	print_line("  place   %s", buf_str(&place));
	buf_deinit(&place);
	free(symbol);
	print_line("  record  %u bytes and strings, %zu instructions",
		   l->fixed_size, def->program->nr_insns);
	for (size_t i = 0; i < l->nr_fields; i++)
		print_line("  field   %s: %u bytes at %u", l->fields[i].name,
			   l->fields[i].size, l->fields[i].offset);
}

static const char *line_of(const struct definition *def,
			   const struct add_options *o)
{
	return o->dry_run ? def->program->layout->definition : def->spec->name;
}

/* One line for each event, however many points it has; or for each line that
 * a dry run would keep.
 */
static void print_result(const struct definition *def,
			 const struct add_options *o)
{
	const char *last = "";

	if (definition_deletes(def))
		return;
	for (; def; def = def->next) {
		if (!o->dry_run && !def->id)
			continue;
		if (strcmp(line_of(def, o), last) && (o->dry_run || !o->quiet))
			print_definition(line_of(def, o));
		last = line_of(def, o);
		if (o->verbose)
			print_details(def);
	}
}

/* struct adding - where what a bundle defines goes */
struct adding {
	struct definer *df;
	const struct add_options *o;
};

static int add_one(void *ctx, struct definition *def, struct diag *d)
{
	const struct adding *a = ctx;
	int err = definer_check_params(a->df, d);

	if (!err && !a->o->dry_run)
		err = define_add(a->df, def, d);
	if (!err)
		print_result(def, a->o);
	return err;
}

static int add_bundle(struct definer *df, const char *path,
		      const struct add_options *o, struct diag *d)
{
	struct adding a = { .df = df, .o = o };

	if (o->format)
		return diag_set(d, -EINVAL, DIAG_OPTION_CONFLICT, "--format",
				path);
	return bundle_use(df, path, add_one, &a, d);
}

static int add_text(struct definer *df, const char *text,
		    const struct add_options *o, struct diag *d)
{
	_cleanup_(definition_freep) struct definition *def = NULL;
	int err;

	err = define_compile(df, text, d, &def);
	if (!err)
		err = definer_check_params(df, d);
	if (!err && !o->dry_run)
		err = define_apply(df, def, d);
	if (!err && o->format && !definition_deletes(def))
		err = kernel_lines_print(df, def, d);
	else if (!err)
		print_result(def, o);
	return err;
}

static int add(struct ctl *ctl, const char *text, const struct add_options *o,
	       struct diag *d)
{
	struct notices notices = { .quiet = o->quiet };
	struct definer df;
	int err;

	signals_open();
	err = definer_init(&df, ctl, 0, notices_show, &notices, d);
	df.file = o->file;
	df.vmlinux = o->vmlinux;
	df.source = o->source;
	df.hook = o->hook;
	df.wait = o->wait;
	df.skip = o->skip;
	df.root = o->root;
	df.dry = o->dry_run;
	df.params = &o->params;
	if (!err)
		err = definer_set_module(&df, o->module, d);
	if (!err)
		err = bundle_is_one(text) ? add_bundle(&df, text, o, d) :
					    add_text(&df, text, o, d);
	definer_deinit(&df);
	return err;
}

/*
 * A dry run compares names where it can, and does without where it cannot. Lines for
 * elsewhere are not compared: an event that exists here can be one there.
 */
static int open_and_add(const struct words *words,
			const struct add_options *o, struct diag *d)
{
	_cleanup_buf_ struct buf text = BUF_INIT;
	char *word;
	const struct words joined = { .word = &word, .nr = 1 };
	struct ctl *ctl = NULL;
	int err;

	err = check_options(o, d);
	if (!err && !words->nr)
		err = diag_set(d, -EINVAL, DIAG_MISSING_WORD, "a definition");
	words_join(words, &text);
	if (!err && text.failed)
		err = diag_no_memory(d);
	word = text.data;
	if (!err)
		err = options_check_bundle(o->root, o->skip, &joined, NULL, d);
	if (err)
		return err;
	if (!o->format)
		err = ctl_open(o->dry_run ? NULL : d, &ctl);
	if (!err || o->dry_run)
		err = add(ctl, buf_str(&text), o, d);
	ctl_close(ctl);
	return err;
}

int cmd_add(int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct add_options o = { 0 };
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, add_option, &o, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret)
		ret = open_and_add(&words, &o, &d);
	params_deinit(&o.params);
	return ret ? say_failure(&d, NULL) : 0;
}
