// SPDX-License-Identifier: GPL-2.0
/*
 * In place of object/: programs are opened and not read. The build-id, which says that a
 * bundle is for them, is read by base/.
 */
#include "object/binary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct binary {
	char *path;
	int fd;
};

int binary_open(const char *path, struct diag *d, struct binary **ret)
{
	_cleanup_(binary_freep) struct binary *bin = calloc(1, sizeof(*bin));
	struct stat st;

	if (!bin)
		return diag_no_memory(d);
	bin->fd = -1;
	bin->path = strdup(path);
	if (!bin->path)
		return diag_no_memory(d);
	/* a FIFO must not make it wait */
	bin->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (bin->fd < 0 || fstat(bin->fd, &st))
		return diag_set(d, -errno, DIAG_ELF_OPEN, path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return diag_set(d, -EINVAL, DIAG_ELF_NOT_REGULAR, path);
	*ret = take_ptr(bin);
	return 0;
}

/* Not reached: no debug file is found. */
int binary_open_debug(const char *path, struct diag *d, struct binary **ret)
{
	return binary_open(path, d, ret);
}

void binary_free(struct binary *bin)
{
	if (!bin)
		return;
	if (bin->fd >= 0)
		close(bin->fd);
	free(bin->path);
	free(bin);
}

const char *binary_path(const struct binary *bin)
{
	return bin->path;
}

int binary_fd(const struct binary *bin)
{
	return bin->fd;
}
