// SPDX-License-Identifier: GPL-2.0
/* The kernel that runs: where its debug information may be, and whether it is it. */
#include "dwarf/running.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/array.h"
#include "base/elf_id.h"

#define NOTES "/sys/kernel/notes"

/* As distributions and 'make' leave it, with the release. */
static const char *const places[] = {
	"/usr/lib/debug/boot/vmlinux-%s",
	"/usr/lib/debug/lib/modules/%s/vmlinux",
	"/usr/lib/debug/boot/vmlinux-%s.debug",
	"/usr/lib/debug/lib/modules/%s/vmlinux.debug",
	"/boot/vmlinux-%s",
	"/lib/modules/%s/vmlinux",
	"/lib/modules/%s/build/vmlinux",
};

char *debug_running_path(unsigned int i)
{
	struct utsname name;
	char *path;

	if (i >= ARRAY_SIZE(places) || uname(&name) ||
	    asprintf(&path, places[i], name.release) < 0)
		return NULL;
	return path;
}

bool running_has_id(const char *path, const struct debug *dbg)
{
	uint8_t theirs[ELF_ID_MAX];
	size_t nr = elf_id_of_notes(path, theirs), nr_ours;
	const uint8_t *ours = debug_build_id(dbg, &nr_ours);

	return !ours || !nr || (nr == nr_ours && !memcmp(ours, theirs, nr));
}

int debug_check_running(const struct debug *dbg, struct diag *d)
{
	if (running_has_id(NOTES, dbg))
		return 0;
	return diag_set(d, -EINVAL, DIAG_DEBUG_OTHER, debug_path(dbg));
}
