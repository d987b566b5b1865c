// SPDX-License-Identifier: GPL-2.0
/* The kernel that runs: where its debug information may be, and whether it is it. */
#include "dwarf/running.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "base/array.h"
#include "base/note.h"

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
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint8_t notes[4096];
	const uint8_t *ours, *theirs;
	size_t nr, nr_ours;
	ssize_t size;

	size = fd < 0 ? -1 : read(fd, notes, sizeof(notes));
	ours = debug_build_id(dbg, &nr_ours);
	if (size < 0 || !ours)
		return true;
	theirs = note_build_id(notes, size, &nr);
	return !theirs || (nr == nr_ours && !memcmp(ours, theirs, nr));
}

int debug_check_running(const struct debug *dbg, struct diag *d)
{
	if (running_has_id(NOTES, dbg))
		return 0;
	return diag_set(d, -EINVAL, DIAG_DEBUG_OTHER, debug_path(dbg));
}
