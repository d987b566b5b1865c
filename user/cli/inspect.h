/* SPDX-License-Identifier: GPL-2.0 */
/* What commands that look at debug information, and add nothing, have in common. */
#ifndef KTAP_CLI_INSPECT_H
#define KTAP_CLI_INSPECT_H

#include "cli/notices.h"
#include "define/define.h"

/**
 * struct inspect - options, and what they lead to
 * @file: -x PATH, or NULL
 * @vmlinux: -k PATH, or NULL
 * @module: -m NAME or FILE, or NULL
 * @source: -s DIR or OLD=NEW, or NULL
 * @json: one object per line
 * @quiet: no notes
 * @notices: what the library reports
 * @df: where things are looked up
 * @path: of @file, found; owned
 */
struct inspect {
	const char *file;
	const char *vmlinux;
	const char *module;
	const char *source;
	bool json;
	bool quiet;
	struct notices notices;
	struct definer df;
	char *path;
};

/**
 * inspect_option() - take one of the options -x, -k, -m, -s, -q and --json
 * @in: options; zeros before the first one
 * @key: character of the option, or OPT_JSON
 * @value: its value, which must live as long as @in; NULL: it takes none
 *
 * Return: true; false: it is another option.
 */
bool inspect_option(struct inspect *in, int key, const char *value);

/**
 * inspect_open() - set up the definer, once all options were taken
 * @in: options; release them with inspect_deinit(), also on failure
 * @d: on failure
 *
 * The definer adds nothing. It points into @in, so @in must not be moved after this.
 *
 * Return: 0; -EINVAL: options conflict, or the file of -m is no module; -ENOENT: the file
 * of -x was not found; -ENOMEM, or why the file of -m cannot be read.
 */
int inspect_open(struct inspect *in, struct diag *d);

/**
 * inspect_deinit() - close all files, and release what inspect_open() made
 * @in: options, or zeros
 *
 * Debug information of inspect_debug() is not valid after this. The values of the options
 * stay the caller's.
 */
void inspect_deinit(struct inspect *in);

/**
 * inspect_debug() - get the debug information of the file of -x, of a module or the kernel
 * @in: options, after inspect_open()
 * @module: name of the module; NULL: the kernel; of no effect with -x
 * @must: the absence of debug information is an error
 * @d: on failure
 * @ret: on success; it stays valid until inspect_deinit(); NULL: there is none, and @must
 *	is false
 *
 * If the file of -k cannot be read, that is an error even if @must is false.
 *
 * Return: 0, -ENOENT, -EINVAL, -ENOMEM.
 */
int inspect_debug(struct inspect *in, const char *module, bool must,
		  struct diag *d, struct debug **ret);

struct words;

/**
 * inspect_word() - get the only word of the command
 * @words: words of the command line
 * @what: how the message calls a word that is missing: "a place"
 * @d: on failure
 * @ret: on success: the word, which stays the caller's
 *
 * Return: 0; -EINVAL: there is no word, or there are several.
 */
int inspect_word(const struct words *words, const char *what, struct diag *d,
		 const char **ret);

#endif /* KTAP_CLI_INSPECT_H */
