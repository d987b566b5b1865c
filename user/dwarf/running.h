/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the room: what runs. */
#ifndef KTAP_DWARF_RUNNING_H
#define KTAP_DWARF_RUNNING_H

#include "dwarf/debug.h"

/* running_has_id() - the notes at @path have the build-id of @dbg; what cannot
 * be compared is believed.
 */
bool running_has_id(const char *path, const struct debug *dbg);

#endif /* KTAP_DWARF_RUNNING_H */
