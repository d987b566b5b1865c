// SPDX-License-Identifier: GPL-2.0
/* ktap module: make a kernel module that has probes, without a compiler. */
#include <errno.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/order.h"
#include "cli/say.h"
#include "module/template.h"

static const struct option_row rows[] = {
	{ 'o', "output", "NAME.ko", "write the module to this file" },
	{ OPT_TEMPLATE, "template", "ktap-probe.ko", "the template that was built beside ktap.ko" },
	ORDER_KERNEL,
	ORDER_FILE,
	OPTION_SOURCE,
	OPTION_PARAM,
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "-o NAME.ko --template ktap-probe.ko F.ktap\n"
		    "       ktap module -o NAME.ko --template ktap-probe.ko [-k VMLINUX]\n"
		    "                   [-x FILE[=TARGET]]... [--param PARAM=DEFAULT:TYPE]...\n"
		    "                   DEFINITION...",
	.about = "Makes a kernel module with the given probes for a target that has ktap.ko only.\n"
		 "There: insmod NAME.ko; cat /dev/ktap-NAME >F.data; rmmod NAME",
	.rows = rows,
};

/**
 * struct module_options - this command at work
 * @order: files and output
 * @template: --template
 */
struct module_options {
	struct order order;
	const char *template;
};

static int module_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct module_options *o = ctx;

	if (key != OPT_TEMPLATE)
		return order_option(&o->order, key, value, d);
	o->template = value;
	return 0;
}

static int get_bundle(const struct module_options *o, const struct words *words,
		      struct diag *d, struct bundle **ret)
{
	int i, err;

	for (i = 0; i < words->nr; i++)
		if (bundle_is_one(words->word[i]))
			break;
	if (i == words->nr)
		return order_make(&o->order, words, d, ret);
	if (words->nr > 1)
		return diag_set(d, -EINVAL, DIAG_MODULE_ONE_BUNDLE, words->word[i]);
	err = bundle_open(words->word[i], d, ret);
	if (!err)
		err = params_check_known(&o->order.params, &(*ret)->params, d);
	return err ? err : bundle_set_params(*ret, &o->order.params, d);
}

static int make(const struct module_options *o, const struct words *words,
		struct diag *d)
{
	_cleanup_(bundle_freep) struct bundle *b = NULL;
	size_t size;
	int err;

	if (!o->order.output)
		return diag_set(d, -EINVAL, DIAG_MISSING_WORD, "-o NAME.ko");
	if (!o->template)
		return diag_set(d, -EINVAL, DIAG_MISSING_WORD,
				"--template ktap-probe.ko");
	if (!words->nr)
		return diag_set(d, -EINVAL, DIAG_MISSING_WORD,
				"a bundle or a definition");
	err = get_bundle(o, words, d, &b);
	if (!err)
		err = probe_module_make(o->template, b, o->order.output, d, &size);
	if (!err && !o->order.quiet)
		say_note("%s: %zu probes, %zu bytes", o->order.output, b->nr_points,
			 size);
	return err;
}

static int run(struct module_options *o, int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, module_option, o, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret)
		ret = make(o, &words, &d);
	return ret ? say_failure(&d, NULL) : 0;
}

int cmd_module(int argc, char **argv)
{
	struct module_options o = { 0 };
	int status = run(&o, argc, argv);

	order_deinit(&o.order);
	return status;
}
