/* SPDX-License-Identifier: GPL-2.0 */
/* How the addresses of a recording get their names: options, and the symbols. */
#ifndef KTAP_CLI_NAMING_H
#define KTAP_CLI_NAMING_H

#include <stdbool.h>

#include "base/diag.h"
#include "cli/options.h"
#include "place/ksyms.h"
#include "record/datafile.h"

#define NAMING_ROWS \
	{ 'k', "vmlinux", "PATH", "the kernel that was recorded: name addresses by its symbols" }, \
	{ OPT_ROOT, "root", "DIR", "name user stacks by files below DIR, found by build-id" }, \
	{ OPT_INLINE, "inline", NULL, "show functions that were inlined in stacks; those of the kernel need -k" }

/**
 * struct naming - what names the addresses of a recording
 * @vmlinux: file of the kernel that was recorded, which names addresses too; or NULL
 * @root: directory with programs and libraries of that machine; or NULL
 * @inlined: stacks have functions that were inlined, from the debug information of @vmlinux
 *	and of programs
 * @files: files of the recording's user stacks; owned; NULL: none yet
 */
struct naming {
	const char *vmlinux;
	const char *root;
	bool inlined;
	struct recorded_files *files;
};

/**
 * naming_option() - take an option of NAMING_ROWS
 * @n: naming; zeros before the first option
 * @key: key of the option
 * @value: its value, which must stay; NULL: it takes none
 *
 * Return: 0; 1: it is another option.
 */
int naming_option(struct naming *n, int key, const char *value);

/**
 * naming_check() - check that the directory of --root can be read
 * @n: naming, after its options
 * @d: on failure
 *
 * Return: 0, or the error of opening it.
 */
int naming_check(const struct naming *n, struct diag *d);

/**
 * naming_symbols() - the symbols of a recording, as far as it was read
 * @n: naming
 * @f: recording; the same one in each call before naming_forget()
 * @d: on failure
 * @ret: symbols, to be released with ksyms_free() before naming_forget(); NULL: there are none
 *
 * Return: 0, or negative: @n->vmlinux is not the kernel that was recorded, a file cannot be
 * read, or --root or --inline has nothing to name.
 */
int naming_symbols(struct naming *n, const struct datafile *f, struct diag *d,
		   struct ksyms **ret);

/**
 * naming_forget() - forget the files of a recording
 * @n: naming, which then can be for another recording
 */
void naming_forget(struct naming *n);

/**
 * naming_deinit() - release everything
 * @n: naming
 */
void naming_deinit(struct naming *n);

#endif /* KTAP_CLI_NAMING_H */
