/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the room: what runs. */
#ifndef KTAP_DWARF_RUNNING_H
#define KTAP_DWARF_RUNNING_H

#include "dwarf/debug.h"

/**
 * running_has_id() - report whether notes in sysfs have the build-id of a file
 * @path: path of the notes
 * @dbg: the file
 *
 * Return: false: both have a build-id, and these differ. Notes that cannot be read, and a
 * file without a build-id, count as a match.
 */
bool running_has_id(const char *path, const struct debug *dbg);

#endif /* KTAP_DWARF_RUNNING_H */
