// SPDX-License-Identifier: GPL-2.0
#include "base/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

bool io_again(int fd, short events)
{
	struct pollfd wish = { .fd = fd, .events = events };

	if (errno == EINTR)
		return true;
	return errno == EAGAIN && (poll(&wish, 1, -1) == 1 || errno == EINTR);
}

int read_whole(int fd, size_t size, char **ret, size_t *ret_size)
{
	char *bytes = malloc(size + 1);
	size_t done = 0;
	ssize_t n = 1;

	if (!bytes)
		return -ENOMEM;
	while (done < size && n) {
		n = read(fd, bytes + done, size - done);
		if (n < 0 && !io_again(fd, POLLIN)) {
			n = -errno;
			free(bytes);
			return n;
		}
		if (n > 0)
			done += n;
	}
	*ret = bytes;
	*ret_size = done;
	return 0;
}

int read_regular(const char *path, size_t max, char **ret, size_t *ret_size)
{
	_cleanup_free_ char *bytes = NULL;
	/* opening a FIFO without a writer must not block */
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	size_t size;
	int err;

	if (fd < 0 || fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if ((uint64_t)st.st_size > max)
		return -EFBIG;
	err = read_whole(fd, st.st_size, &bytes, &size);
	if (err)
		return err;
	if (size < (size_t)st.st_size)
		return -EIO;
	bytes[size] = '\0';
	*ret = take_ptr(bytes);
	*ret_size = size;
	return 0;
}

int write_all(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;
	ssize_t n;

	for (; size; at += n, size -= n) {
		n = write(fd, at, size);
		if (n < 0 && !io_again(fd, POLLOUT))
			return -errno;
		if (n < 0)
			n = 0;
	}
	return 0;
}

/* A name that is there stays what it is until all is written. */
static int write_file(const char *path, const char *bytes, size_t size)
{
	mode_t mask = umask(0);
	char *temp;
	int fd, err;

	umask(mask);
	if (asprintf(&temp, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	fd = mkostemp(temp, O_CLOEXEC);
	err = fd < 0 ? -errno : write_all(fd, bytes, size);
	if (!err && (fchmod(fd, 0666 & ~mask) || rename(temp, path)))
		err = -errno;
	if (err && fd >= 0)
		unlink(temp);
	cleanup_closep(&fd);
	free(temp);
	return err;
}

int write_to(const char *path, const void *bytes, size_t size)
{
	return strcmp(path, "-") ? write_file(path, bytes, size) :
				   write_all(STDOUT_FILENO, bytes, size);
}
