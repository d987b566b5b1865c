/* SPDX-License-Identifier: GPL-2.0 */
/* Paths below a root directory that is not ours, as /proc/PID/root of a container. */
#ifndef KTAP_BASE_ROOTED_H
#define KTAP_BASE_ROOTED_H

/**
 * rooted_path() - find a file as a process finds it that has another root directory
 * @root: that directory
 * @path: path there; one that does not begin with '/' begins in @root
 *
 * Symbolic links are followed below @root, which neither they nor ".." leave. What does not
 * exist is taken as it is: it is opened afterwards, and that fails.
 *
 * Return: path without symbolic links below @root; malloc'ed; NULL with errno ENOMEM, or
 * ELOOP after 40 links, the limit of Linux.
 */
char *rooted_path(const char *root, const char *path);

#endif /* KTAP_BASE_ROOTED_H */
