// SPDX-License-Identifier: GPL-2.0
/* ktap bundle: compile definitions for other machines, or show what a bundle has. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/fmt.h"
#include "cli/cmd.h"
#include "cli/members.h"
#include "cli/options.h"
#include "cli/order.h"
#include "cli/print.h"
#include "cli/say.h"
#include "define/bundle.h"

static const struct option_row rows[] = {
	{ 'o', "output", "FILE", "write the bundle to this file" },
	ORDER_KERNEL,
	{ OPT_FOR, "for", "PATH", "another kernel; a target takes its own" },
	ORDER_MODULE,
	ORDER_FILE,
	OPTION_SOURCE,
	OPTION_PARAM,
	{ OPT_SHOW, "show", NULL, "show the files and the probes of a bundle" },
	OPTION_JSON,
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "-o FILE.ktap [-k VMLINUX] [--for VMLINUX]... [-m FILE.ko]...\n"
		    "                   [-x FILE[=TARGET]]... [--param PARAM=DEFAULT:TYPE]...\n"
		    "                   DEFINITION...\n"
		    "       ktap bundle --show [--json] FILE.ktap",
	.about = "Compiles definitions here for machines that have no debug information.\n"
		 "There, a bundle is typed where a definition would be: ktap trace FILE.ktap",
	.rows = rows,
};

/**
 * struct bundle_options - this command at work
 * @order: files and output
 * @show: show a bundle
 * @json: as JSON
 */
struct bundle_options {
	struct order order;
	bool show;
	bool json;
};

static int bundle_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct bundle_options *o = ctx;

	switch (key) {
	case OPT_SHOW:
		o->show = true;
		return 0;
	case OPT_JSON:
		o->json = true;
		return 0;
	default:
		return order_option(&o->order, key, value, d);
	}
}

/* ---- making ---- */

static int make(const struct bundle_options *o, const struct words *words,
		struct diag *d)
{
	_cleanup_(bundle_freep) struct bundle *b = NULL;
	size_t size;
	int err;

	if (o->json)
		return diag_set(d, -EINVAL, DIAG_OPTION_NEEDS, "--json",
				"--show");
	if (!o->order.output)
		return diag_set(d, -EINVAL, DIAG_MISSING_WORD, "-o FILE");
	if (!words->nr)
		return diag_set(d, -EINVAL, DIAG_MISSING_WORD, "a definition");
	err = order_make(&o->order, words, d, &b);
	if (!err)
		err = bundle_save(b, o->order.output, d, &size);
	if (!err && !o->order.quiet)
		say_note("%s: %zu probe%s of %zu definition%s, %zu bytes", o->order.output,
			 b->nr_points, fmt_s(b->nr_points), b->nr_definitions,
			 fmt_s(b->nr_definitions), size);
	return err;
}

/* ---- showing ---- */

static const char *kind_name(enum bundle_object_kind kind)
{
	static const char *const names[] = {
		[BUNDLE_KERNEL] = "kernel",
		[BUNDLE_MODULE] = "module",
		[BUNDLE_PROGRAM] = "program",
	};

	return names[kind];
}

static void put_place(struct buf *b, const struct bundle *bundle,
		      const struct bundle_point *p)
{
	const struct bundle_object *o = &bundle->objects[p->object];

	if (o->kind != BUNDLE_KERNEL)
		buf_printf(b, "%s:", o->name);
	if (p->symbol)
		buf_printf(b, "%s+0x%llx", p->symbol,
			   (unsigned long long)p->offset);
	else
		buf_printf(b, "0x%llx", (unsigned long long)p->address);
}

static void show_params(const struct bundle *b)
{
	for (size_t i = 0; i < b->params.nr; i++) {
		_cleanup_buf_ struct buf type = BUF_INIT, value = BUF_INIT;
		const struct param *p = &b->params.param[i];

		param_put_type(&type, p);
		param_put_value(&value, p);
		print_line("parameter %s: %s, default %s", p->name, buf_str(&type),
			   buf_str(&value));
	}
}

static void show_text(const struct bundle *b)
{
	size_t point = 0;

	print_line("made by ktap %s for %s", b->maker ? b->maker : "?",
		   arch_find(b->arch)->name);
	for (size_t i = 0; i < b->nr_objects; i++) {
		_cleanup_buf_ struct buf id = BUF_INIT;

		bundle_put_id(&id, b->objects[i].id, b->objects[i].id_size);
		print_line("%-8s %s build-id %s", kind_name(b->objects[i].kind),
			   b->objects[i].name, buf_str(&id));
	}
	show_params(b);
	for (; point < b->nr_points; point++) {
		const struct bundle_point *p = &b->points[point];
		_cleanup_buf_ struct buf place = BUF_INIT;

		if (!point || p[-1].definition != p->definition)
			print_line("%s", b->definitions[p->definition]);
		put_place(&place, b, p);
		print_line("  %s at %s: %zu instructions", p->name,
			   buf_str(&place), p->nr_insns + p->nr_entry_insns);
	}
}

static void put_object(struct json *j, const struct bundle_object *o)
{
	_cleanup_buf_ struct buf id = BUF_INIT;

	bundle_put_id(&id, o->id, o->id_size);
	json_object(j);
	member_str(j, "kind", kind_name(o->kind));
	member_str(j, "file", o->name);
	member_str(j, "build_id", buf_str(&id));
	json_object_end(j);
}

static void put_point(struct json *j, const struct bundle *b,
		      const struct bundle_point *p)
{
	_cleanup_buf_ struct buf place = BUF_INIT;

	put_place(&place, b, p);
	json_object(j);
	member_str(j, "name", p->name);
	member_str(j, "definition", b->definitions[p->definition]);
	member_str(j, "file", b->objects[p->object].name);
	member_str(j, "place", buf_str(&place));
	member_u64(j, "instructions", p->nr_insns + p->nr_entry_insns);
	json_object_end(j);
}

static void put_param(struct json *j, const struct param *p)
{
	_cleanup_buf_ struct buf type = BUF_INIT, value = BUF_INIT;

	param_put_type(&type, p);
	param_put_value(&value, p);
	json_object(j);
	member_str(j, "name", p->name);
	member_str(j, "type", buf_str(&type));
	member_str(j, "default", buf_str(&value));
	json_object_end(j);
}

static void show_json(const struct bundle *b)
{
	struct json_line line;
	struct json *j = &line.json;

	json_line_begin(&line);
	member_str(j, "maker", b->maker);
	member_str(j, "machine", arch_find(b->arch)->name);
	json_key(j, "files");
	json_array(j);
	for (size_t i = 0; i < b->nr_objects; i++)
		put_object(j, &b->objects[i]);
	json_array_end(j);
	json_key(j, "params");
	json_array(j);
	for (size_t i = 0; i < b->params.nr; i++)
		put_param(j, &b->params.param[i]);
	json_array_end(j);
	json_key(j, "probes");
	json_array(j);
	for (size_t i = 0; i < b->nr_points; i++)
		put_point(j, b, &b->points[i]);
	json_array_end(j);
	json_line_end(&line);
}

static int show(const struct bundle_options *o, const struct words *words,
		struct diag *d)
{
	_cleanup_(bundle_freep) struct bundle *b = NULL;
	int err;

	if (words->nr != 1)
		return words->nr ? diag_set(d, -EINVAL, DIAG_EXTRA_WORD,
					    words->word[1]) :
				   diag_set(d, -EINVAL, DIAG_MISSING_WORD,
					    "a bundle");
	err = bundle_open(words->word[0], d, &b);
	if (err)
		return err;
	if (o->json)
		show_json(b);
	else
		show_text(b);
	return 0;
}

static int run(struct bundle_options *o, int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, bundle_option, o, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret)
		ret = o->show ? show(o, &words, &d) : make(o, &words, &d);
	return ret ? say_failure(&d, NULL) : 0;
}

int cmd_bundle(int argc, char **argv)
{
	struct bundle_options o = { 0 };
	int status = run(&o, argc, argv);

	order_deinit(&o.order);
	return status;
}
