// SPDX-License-Identifier: GPL-2.0
/* Directories and files of our own. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/owned.h"

static bool is_ours(int fd, mode_t type)
{
	struct stat st;

	return !fstat(fd, &st) && (st.st_mode & S_IFMT) == type &&
	       st.st_uid == geteuid() && !(st.st_mode & 0022);
}

int owned_enter(int at, const char *name, bool make)
{
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC, fd;

	if (at < 0 && at != AT_FDCWD)
		return at;
	if (make && mkdirat(at, name, 0700) && errno != EEXIST) {
		fd = -errno;
	} else {
		fd = openat(at, name, at == AT_FDCWD ? flags :
						       flags | O_NOFOLLOW);
		fd = fd < 0 ? -errno : fd;
	}
	if (at != AT_FDCWD)
		close(at);
	if (fd < 0 || is_ours(fd, S_IFDIR))
		return fd;
	close(fd);
	return -EPERM;
}

bool owned_map(int at, const char *name, size_t max, const void **data,
	       size_t *size)
{
	_cleanup_close_ int fd = openat(at, name,
					O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
						O_CLOEXEC);
	struct stat st;

	if (fd < 0 || !is_ours(fd, S_IFREG) || fstat(fd, &st) || !st.st_size ||
	    (size_t)st.st_size > max)
		return false;
	*data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	*size = st.st_size;
	return *data != MAP_FAILED;
}
