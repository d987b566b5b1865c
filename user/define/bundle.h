/* SPDX-License-Identifier: GPL-2.0 */
/* Bundles: made of definitions where the debug information is, used where it is not. */
#ifndef KTAP_DEFINE_BUNDLE_H
#define KTAP_DEFINE_BUNDLE_H

#include "bundle/bundle.h"
#include "define/define.h"

/**
 * struct bundle_order - files and definitions for a bundle
 * @kernels: files of kernels with symbols, each another build
 * @nr_kernels: how many
 * @modules: files of modules of these kernels
 * @nr_modules: how many
 * @files: programs and libraries
 * @nr_files: how many
 * @definitions: texts
 * @nr_definitions: how many
 * @params: parameters with their defaults; or NULL
 * @source: where source files are, see struct definer; or NULL
 * @maker: version of the program that makes it
 * @notice: gets notes, or NULL
 * @notice_ctx: its first argument
 */
struct bundle_order {
	const char *const *kernels;
	size_t nr_kernels;
	const char *const *modules;
	size_t nr_modules;
	const struct definer_file *files;
	size_t nr_files;
	const char *const *definitions;
	size_t nr_definitions;
	const struct params *params;
	const char *source;
	const char *maker;
	define_notice_fn notice;
	void *notice_ctx;
};

/**
 * bundle_make() - compile definitions for machines that have the given files
 * @o: files and definitions
 * @d: on failure
 * @ret: on success; release with bundle_free()
 *
 * A program may contain addresses of the kernel: of variables, or of functions that it
 * compares with. Every definition is compiled twice, the second time for a kernel that is
 * somewhere else. What differs by just that distance is an address, which the target
 * moves. What differs otherwise cannot be moved, and is refused.
 *
 * Return: 0, -EINVAL, -ENOENT, -ENOMEM, or what reading the files met.
 */
int bundle_make(const struct bundle_order *o, struct diag *d,
		struct bundle **ret);

/**
 * bundle_set_params() - choose values of a bundle's parameters
 * @b: bundle; its programs get the values
 * @given: values; those of other parameters are ignored; or NULL
 * @d: on failure
 *
 * Return: 0; -EINVAL: a value does not fit its parameter; -ENOMEM.
 */
int bundle_set_params(struct bundle *b, const struct params *given,
		      struct diag *d);

/**
 * bundle_fn - takes a definition of a bundle
 * @ctx: the caller's
 * @def: the definition, compiled, for define_add(); the caller of bundle_fn frees it
 * @d: on failure
 *
 * Return: 0, or negative.
 */
typedef int (*bundle_fn)(void *ctx, struct definition *def, struct diag *d);

/**
 * bundle_use() - make definitions of what a bundle has for this machine
 * @df: definer, with a connection to the module
 * @path: file of the bundle
 * @fn: takes each definition, in their order
 * @ctx: for @fn
 * @d: on failure
 *
 * Each file that a probe is in must be the build that the bundle was made for. With
 * @df->skip, definitions that cannot be used here or that @fn refuses are skipped, each
 * with a notice (DEFINE_SKIPPED). Parameters have their values of @df->params, or their
 * defaults.
 *
 * Return: 0, or negative: also when nothing was left.
 */
int bundle_use(struct definer *df, const char *path, bundle_fn fn, void *ctx,
	       struct diag *d);

#endif /* KTAP_DEFINE_BUNDLE_H */
