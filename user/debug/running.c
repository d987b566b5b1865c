// SPDX-License-Identifier: GPL-2.0
/* The kernel that runs: where its debug information may be, and whether it is it. */
#include "debug/running.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "util/array.h"

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

static size_t align4(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* The build-id in @size bytes of notes, *@nr bytes; NULL: it is not there. */
static const uint8_t *find_id(const uint8_t *notes, size_t size, size_t *nr)
{
	Elf64_Nhdr note;
	size_t at = 0, name, data;

	while (size - at >= sizeof(note)) {
		memcpy(&note, notes + at, sizeof(note));
		at += sizeof(note);
		name = at;
		data = name + align4(note.n_namesz);
		at = data + align4(note.n_descsz);
		if (at > size || data < name || at < data)
			break;
		*nr = note.n_descsz;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(notes + name, "GNU", 4))
			return notes + data;
	}
	return NULL;
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
	theirs = find_id(notes, size, &nr);
	return !theirs || (nr == nr_ours && !memcmp(ours, theirs, nr));
}

int debug_check_running(const struct debug *dbg, struct diag *d)
{
	if (running_has_id(NOTES, dbg))
		return 0;
	return diag_set(d, -EINVAL, DIAG_DEBUG_OTHER, debug_path(dbg));
}
