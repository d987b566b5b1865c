/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a session asks of the system, so that a test can be the module.
 * Private to wire/ and its tests.
 */
#ifndef KTAP_WIRE_SESSION_IO_H
#define KTAP_WIRE_SESSION_IO_H

#include <stddef.h>
#include <stdint.h>

#include "wire/session.h"

/**
 * struct session_io - system calls; all return -1 and errno on failure
 * @open: open the device
 * @close: close it
 * @ioctl: KTAP_IOC_*
 * @map: mmap of @size bytes at @offset; NULL on failure
 * @unmap: munmap
 */
struct session_io {
	int (*open)(const char *path);
	void (*close)(int fd);
	int (*ioctl)(int fd, unsigned long request, void *arg);
	void *(*map)(int fd, uint64_t offset, size_t size, int prot);
	void (*unmap)(void *map, size_t size);
};

/**
 * session_open_io() - session_open() over other system calls
 * @io: the calls; must live as long as the session
 * @opt: as for session_open()
 * @d: on failure
 * @ret: as for session_open()
 *
 * Return: as session_open().
 */
int session_open_io(const struct session_io *io,
		    const struct session_options *opt, struct diag *d,
		    struct session **ret);

/**
 * session_open_marker_io() - session_open_marker() over other system calls
 * @io: the calls; must live as long as the session
 * @d: on failure
 * @ret: as for session_open_marker()
 *
 * Return: as session_open_marker().
 */
int session_open_marker_io(const struct session_io *io, struct diag *d,
			   struct session **ret);

#endif /* KTAP_WIRE_SESSION_IO_H */
