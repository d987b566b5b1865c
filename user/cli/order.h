/* SPDX-License-Identifier: GPL-2.0 */
/* What ktap bundle and ktap module have in common: files, definitions, an output. */
#ifndef KTAP_CLI_ORDER_H
#define KTAP_CLI_ORDER_H

#include "cli/options.h"
#include "define/bundle.h"

/* Rows of options that both have. */
#define ORDER_KERNEL \
	{ 'k', "vmlinux", "PATH", "the target's kernel, with its debug information" }
#define ORDER_MODULE \
	{ 'm', "module", "FILE.ko", "a module of the target's kernel" }
#define ORDER_FILE \
	{ 'x', "exec", "FILE[=TARGET]", "a program or library, and its path on the target" }

/**
 * struct order - files of the target, and what is made for it
 * @kernels: -k and --for
 * @nr_kernels: how many
 * @modules: -m
 * @nr_modules: how many
 * @files: -x
 * @nr_files: how many
 * @hosts: their paths here; owned
 * @nr_hosts: how many
 * @params: --param
 * @source: -s
 * @output: -o
 * @quiet: -q: no notes
 */
struct order {
	const char **kernels;
	size_t nr_kernels;
	const char **modules;
	size_t nr_modules;
	struct definer_file *files;
	size_t nr_files;
	char **hosts;
	size_t nr_hosts;
	struct params params;
	const char *source;
	const char *output;
	bool quiet;
};

/**
 * order_deinit() - release an order
 * @o: order, or zeros
 */
void order_deinit(struct order *o);

/**
 * order_option() - take an option
 * @o: order
 * @key: one of -k, --for, -m, -x, -s, -o, -q and --param
 * @value: its value, which stays the caller's
 * @d: on failure
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int order_option(struct order *o, int key, const char *value, struct diag *d);

/**
 * order_make() - compile definitions for the target
 * @o: its files
 * @words: definitions
 * @d: on failure
 * @ret: on success; release with bundle_free()
 *
 * Return: 0, or a negative errno.
 */
int order_make(const struct order *o, const struct words *words,
	       struct diag *d, struct bundle **ret);

#endif /* KTAP_CLI_ORDER_H */
