/* SPDX-License-Identifier: GPL-2.0 */
/* Files that are read or written whole. */
#ifndef KTAP_BASE_WHOLE_H
#define KTAP_BASE_WHOLE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * io_again() - whether a read or a write that failed is worth another attempt
 * @fd: descriptor
 * @events: POLLIN of a read, POLLOUT of a write
 *
 * A descriptor that somebody else made non-blocking is waited for. errno is that of the
 * failed call, and stays if the answer is false.
 *
 * Return: true after EINTR, and after EAGAIN when @fd is ready or a signal came.
 */
bool io_again(int fd, short events);

/**
 * read_whole() - read a file into memory
 * @fd: file, at its begin
 * @size: bytes that it has; of more, the rest is not read
 * @ret: bytes; malloc'ed, also if there are none
 * @ret_size: how many: fewer than @size if the file became shorter
 *
 * Return: 0, or a negative errno.
 */
int read_whole(int fd, size_t size, char **ret, size_t *ret_size);

/**
 * read_regular() - read a regular file into memory, by its path
 * @path: file; links are followed
 * @max: bytes that it has at most
 * @ret: bytes, with a NUL after them that does not count; malloc'ed, also if there are none
 * @ret_size: how many
 *
 * A FIFO or a device is refused without waiting for its other end.
 *
 * Return: 0; -EINVAL: it is no regular file; -EFBIG: it has more than @max bytes; -EIO: it
 *	became shorter; -ENOMEM; or why it cannot be opened or read.
 */
int read_regular(const char *path, size_t max, char **ret, size_t *ret_size);

/**
 * write_all() - write to a descriptor until all is written
 * @fd: descriptor
 * @bytes: what to write
 * @size: bytes
 *
 * Return: 0, or a negative errno.
 */
int write_all(int fd, const void *bytes, size_t size);

/**
 * write_to() - write a file that others see only when all of it was written
 * @path: file; one that has this name is replaced then; "-" is standard output
 * @bytes: its content
 * @size: bytes
 *
 * Return: 0, or a negative errno.
 */
int write_to(const char *path, const void *bytes, size_t size);

#endif /* KTAP_BASE_WHOLE_H */
