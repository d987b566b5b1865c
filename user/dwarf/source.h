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
 * Return: 0; -EINVAL: it is no regular file, or larger than 64 MiB; -ENOENT, -ENOMEM, or
 * the error of another system call.
 */
int source_open(struct debug *dbg, const char *file, const char *where,
		struct diag *d, struct source **ret);

/**
 * source_free() - release a file of source
 * @source: the file; may be NULL
 *
 * Lines that source_line() returned are invalid afterwards.
 */
void source_free(struct source *source);
DEFINE_CLEANUP(struct source, source_free)

/**
 * source_line() - return a line
 * @source: the file
 * @nr: number of the line, from 1
 * @length: bytes of the line, without the end of line; unchanged on failure
 *
 * Return: the line, without a NUL at its end; owned by @source; NULL: there is no such line.
 */
const char *source_line(const struct source *source, int nr, size_t *length);

/**
 * source_matches() - report whether a line looks like a pattern
 * @source: the file
 * @nr: number of the line, from 1
 * @pattern: glob, as in fnmatch(3), of the whole line
 *
 * Spaces and tabs are removed from both before they are compared.
 *
 * Return: true if it does; false also where there is no such line, or memory ran out.
 */
bool source_matches(const struct source *source, int nr, const char *pattern);

#endif /* KTAP_DWARF_SOURCE_H */
