// SPDX-License-Identifier: GPL-2.0
/*
 * ktap module: make a kernel module that has probes, without a compiler; or compare modules
 * with a kernel.
 */
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/fmt.h"
#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/order.h"
#include "cli/say.h"
#include "module/kdir.h"
#include "module/sign.h"
#include "module/template.h"
#include "module/versions.h"

static const struct option_row rows[] = {
	{ 'o', "output", "NAME.ko", "write the module to this file" },
	{ OPT_TEMPLATE, "template", "ktap-probe.ko", "the template that was built beside ktap.ko" },
	ORDER_KERNEL,
	ORDER_FILE,
	OPTION_SOURCE,
	OPTION_PARAM,
	{ OPT_SIGN_KEY, "sign-key", "KEY.pem", "sign the module with this private key" },
	{ OPT_SIGN_CERT, "sign-cert", "CERT.pem", "the certificate of the key; PEM or DER" },
	{ OPT_SIGN_HASH, "sign-hash", "HASH", "sha256, sha384 or sha512 (that of the kernel)" },
	{ OPT_KDIR, "kdir", "DIR", "compare with this build directory of the kernel first" },
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "-o NAME.ko --template ktap-probe.ko F.ktap\n"
		    "       ktap module -o NAME.ko --template ktap-probe.ko [-k VMLINUX]\n"
		    "                   [-x FILE[=TARGET]]... [--param PARAM=DEFAULT:TYPE]...\n"
		    "                   [--sign-key KEY.pem --sign-cert CERT.pem] DEFINITION...\n"
		    "       ktap module --kdir=DIR FILE.ko...",
	.about = "Makes a kernel module with the given probes for a target that has ktap.ko only.\n"
		 "There: insmod NAME.ko; cat /dev/ktap-NAME >F.data; rmmod NAME\n"
		 "With --kdir alone, compares modules with a kernel, and makes none.",
	.rows = rows,
};

/**
 * struct module_options - this command at work
 * @order: files and output
 * @template: --template
 * @key: --sign-key
 * @cert: --sign-cert
 * @hash: --sign-hash
 * @kdir: --kdir
 */
struct module_options {
	struct order order;
	const char *template;
	const char *key;
	const char *cert;
	const char *hash;
	const char *kdir;
};

static int set_hash(struct module_options *o, const char *value, struct diag *d)
{
	static const char *const names[] = { "sha256", "sha384", "sha512" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(value, names[i]))
			o->hash = names[i];
	if (o->hash)
		return 0;
	diag_set(d, -EINVAL, DIAG_OPTION_BAD_VALUE, value, "--sign-hash");
	diag_hint(d, "sha256, sha384 or sha512");
	return -EINVAL;
}

static int module_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct module_options *o = ctx;

	switch (key) {
	case OPT_TEMPLATE:
		o->template = value;
		return 0;
	case OPT_SIGN_KEY:
		o->key = value;
		return 0;
	case OPT_SIGN_CERT:
		o->cert = value;
		return 0;
	case OPT_KDIR:
		o->kdir = value;
		return 0;
	case OPT_SIGN_HASH:
		return set_hash(o, value, d);
	default:
		return order_option(&o->order, key, value, d);
	}
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

static int check(const struct module_options *o, const struct words *words,
		 struct diag *d)
{
	const char *missing = !o->order.output ? "-o NAME.ko" :
			      !o->template ? "--template ktap-probe.ko" :
			      !words->nr ? "a bundle or a definition" :
			      o->key && !o->cert ? "--sign-cert CERT.pem" :
			      o->cert && !o->key ? "--sign-key KEY.pem" : NULL;

	if (missing)
		return diag_set(d, -EINVAL, DIAG_MISSING_WORD, missing);
	if (o->hash && !o->key)
		return diag_set(d, -EINVAL, DIAG_OPTION_NEEDS, "--sign-hash",
				"--sign-key");
	return 0;
}

/* What a kernel would refuse is not made. */
static int check_template(const struct module_options *o, struct diag *d)
{
	_cleanup_(kdir_freep) struct kdir *k = NULL;
	int err;

	err = kdir_open(o->kdir, d, &k);
	return err ? err : versions_check(k, o->template, NULL, 0, d);
}

static int make(const struct module_options *o, const struct words *words,
		struct diag *d)
{
	_cleanup_(bundle_freep) struct bundle *b = NULL;
	_cleanup_(signer_freep) struct signer *signer = NULL;
	struct probe_module_order order = {
		.template = o->template, .path = o->order.output, .hash = o->hash,
	};
	struct probe_module_made made;
	int err;

	err = check(o, words, d);
	/* compiling definitions can take long: errors of other kinds come first */
	if (!err && o->kdir)
		err = check_template(o, d);
	if (!err && o->key)
		err = signer_open(o->key, o->cert, d, &signer);
	if (!err)
		err = get_bundle(o, words, d, &b);
	order.signer = signer;
	if (!err)
		err = probe_module_make(&order, b, d, &made);
	if (!err && !o->order.quiet)
		say_note("%s: %zu probe%s, %zu bytes%s%s", o->order.output,
			 b->nr_points, fmt_s(b->nr_points), made.size,
			 made.hash[0] ? ", signed with " : "", made.hash);
	return err;
}

/* ---- comparing only ---------------------------------------------------------------- */

static bool is_comparison(const struct module_options *o)
{
	return o->kdir && !o->order.output && !o->template;
}

static int check_comparison(const struct module_options *o, const struct words *words,
			    struct diag *d)
{
	const char *spare = o->order.nr_kernels ? "-k" : o->order.nr_files ? "-x" :
			    o->order.source ? "-s" : o->order.params.nr ? "--param" :
			    o->key ? "--sign-key" : o->cert ? "--sign-cert" :
			    o->hash ? "--sign-hash" : NULL;

	if (spare)
		return diag_set(d, -EINVAL, DIAG_OPTION_NEEDS, spare, "-o");
	return words->nr ? 0 : diag_set(d, -EINVAL, DIAG_MISSING_WORD, "FILE.ko");
}

/* Every module is compared, also after one that differs. Return: exit status. */
static int compare_each(const struct module_options *o, const struct words *words,
			const struct kdir *k)
{
	const char *const *modules = (const char *const *)words->word;
	int status = 0;

	for (int i = 0; i < words->nr; i++) {
		_cleanup_diag_ struct diag d = { 0 };

		if (versions_check(k, modules[i], modules, words->nr, &d))
			status = say_failure(&d, NULL);
		else if (!o->order.quiet)
			say_note("%s: fits %s", modules[i], k->release);
	}
	return status;
}

static int compare(const struct module_options *o, const struct words *words)
{
	_cleanup_(kdir_freep) struct kdir *k = NULL;
	_cleanup_diag_ struct diag d = { 0 };
	int err;

	err = check_comparison(o, words, &d);
	if (!err)
		err = kdir_open(o->kdir, &d, &k);
	return err ? say_failure(&d, NULL) : compare_each(o, words, k);
}

static int run(struct module_options *o, int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, module_option, o, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret && is_comparison(o))
		return compare(o, &words);
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
