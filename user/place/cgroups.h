/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control groups of the running system, in the unified hierarchy (cgroup v2). The ID of one
 * is the inode number of its directory; kernels do not use an ID twice.
 */
#ifndef KTAP_PLACE_CGROUPS_H
#define KTAP_PLACE_CGROUPS_H

#include <stdint.h>

#include "base/cleanup.h"

struct cgroups;

/**
 * cgroups_open() - read which control groups there are
 *
 * What is read here has a path later, too, when its directory has been removed.
 *
 * Return: release with cgroups_free(); NULL: no memory. Where no unified hierarchy is
 *	mounted, no control group has a path.
 */
struct cgroups *cgroups_open(void);

/**
 * cgroups_path() - the path of a control group
 * @c: control groups
 * @id: its ID
 *
 * Return: the path below the root of the hierarchy, "/" for the root itself; each byte that
 *	is not printable ASCII is "\xHH"; valid as long as @c. NULL: it is not known.
 */
const char *cgroups_path(struct cgroups *c, uint64_t id);

/**
 * cgroups_id() - the ID of a control group
 * @path: path below the root of the hierarchy; or of a directory below the mount point
 * @ret: on success
 *
 * Return: 0; -ENODEV: no unified hierarchy is mounted; -EXDEV: the directory is outside of
 *	it; or why the directory cannot be found.
 */
int cgroups_id(const char *path, uint64_t *ret);

/**
 * cgroups_free() - release control groups
 * @c: control groups, or NULL
 */
void cgroups_free(struct cgroups *c);
DEFINE_CLEANUP(struct cgroups, cgroups_free)

#endif /* KTAP_PLACE_CGROUPS_H */
