/* SPDX-License-Identifier: GPL-2.0 */
/* Files of source, where they can be read. */
#ifndef KTAP_DWARF_SOURCE_H
#define KTAP_DWARF_SOURCE_H

#include "dwarf/debug.h"

struct source;

/**
 * source_open() - read a file of source
 * @dbg: debug information that names it
 * @file: its path there
 * @where: a directory: looked for below it, by ever shorter ends of its path; or
 *	OLD=NEW: NEW in place of OLD at the start of its path; or NULL: by its path
 * @d: on failure
 * @ret: on success; free with source_free()
 *
 * Return: 0, -ENOENT, -ENOMEM, or the error of open().
 */
int source_open(struct debug *dbg, const char *file, const char *where,
		struct diag *d, struct source **ret);
void source_free(struct source *source);
DEFINE_CLEANUP(struct source, source_free)

/* source_line() - the line @nr, from 1, *@length bytes; NULL: there is none. */
const char *source_line(const struct source *source, int nr, size_t *length);

/* source_matches() - the line @nr, without its blanks, looks like @pattern, a
 * glob, which need not cover all of it
 */
bool source_matches(const struct source *source, int nr, const char *pattern);

#endif /* KTAP_DWARF_SOURCE_H */
