/* SPDX-License-Identifier: GPL-2.0 */
/* Files that are written whole. */
#ifndef KTAP_BASE_WRITE_H
#define KTAP_BASE_WRITE_H

#include <stddef.h>

/**
 * write_to() - write a file that others see only when all of it was written
 * @path: file; one that has this name is replaced then; "-" is standard output
 * @bytes: its content
 * @size: bytes
 *
 * Return: 0, or a negative errno.
 */
int write_to(const char *path, const void *bytes, size_t size);

#endif /* KTAP_BASE_WRITE_H */
