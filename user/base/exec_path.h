/* SPDX-License-Identifier: GPL-2.0 */
/* The directories in which a program is searched by its name. */
#ifndef KTAP_BASE_EXEC_PATH_H
#define KTAP_BASE_EXEC_PATH_H

#include <stdbool.h>

struct buf;

/* struct exec_path - those directories that were not given yet; NULL: all were */
struct exec_path {
	const char *rest;
};

/**
 * exec_path_init() - begin with the first directory
 * @p: filled; it points into the environment
 *
 * $PATH lists them; without it, they are the ones that a shell would search.
 */
void exec_path_init(struct exec_path *p);

/**
 * exec_path_next() - give the next directory
 * @p: directories
 * @dir: set to its path; ".", the working directory, where $PATH has an empty one, as in
 *	execvp(3)
 *
 * Return: false behind the last.
 */
bool exec_path_next(struct exec_path *p, struct buf *dir);

#endif /* KTAP_BASE_EXEC_PATH_H */
