/* SPDX-License-Identifier: GPL-2.0 */
/* Call paths and their weights, of which flame graphs and call trees are made. */
#ifndef KTAP_REPORT_PATHS_H
#define KTAP_REPORT_PATHS_H

#include <stddef.h>

/**
 * struct path - a path
 * @text: names from the outermost one to the innermost one, with a NUL after each; owned
 * @nr: number of names
 * @weight: hits, or the sum of a value
 */
struct path {
	char *text;
	size_t nr;
	__int128 weight;
};

/**
 * struct paths - paths that were added; zeros when there are none
 * @path: paths; owned
 * @nr: how many
 */
struct paths {
	struct path *path;
	size_t nr;
};

/**
 * paths_add() - add a path
 * @p: paths
 * @text: names from the outermost one to the innermost one, with a NUL after each; copied
 * @nr: number of names
 * @weight: of the path
 *
 * Return: 0 or -ENOMEM.
 */
int paths_add(struct paths *p, const char *text, size_t nr, __int128 weight);

/**
 * paths_sort() - sort paths name by name, so that those that begin alike are neighbours
 * @p: paths
 */
void paths_sort(struct paths *p);

/**
 * paths_deinit() - release paths
 * @p: paths, which are none then
 */
void paths_deinit(struct paths *p);

#endif /* KTAP_REPORT_PATHS_H */
