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

/* inspect_option() - takes one of these options; false: it is none. */
bool inspect_option(struct inspect *in, int key, const char *value);

/* inspect_open() - once they are all there. Release with inspect_deinit(), also on
 * failure.
 */
int inspect_open(struct inspect *in, struct diag *d);
void inspect_deinit(struct inspect *in);

/* inspect_debug() - the debug information of the file, or of @module, or the kernel.
 * NULL, where there is none and it is no @must.
 */
int inspect_debug(struct inspect *in, const char *module, bool must,
		  struct diag *d, struct debug **ret);

/* inspect_word() - the one word of the command, which is called @what. */
struct words;
int inspect_word(const struct words *words, const char *what, struct diag *d,
		 const char **ret);

#endif /* KTAP_CLI_INSPECT_H */
