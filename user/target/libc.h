/* SPDX-License-Identifier: GPL-2.0 */
/* What glibc declares, and musl does not: every file of ktap-target is compiled with it. */
#ifndef KTAP_TARGET_LIBC_H
#define KTAP_TARGET_LIBC_H

#include <search.h>

/**
 * twalk_r() - visit every node of a tree of tsearch()
 * @root: of the tree
 * @fn: visits a node; it does not walk a tree itself
 * @ctx: its last argument
 */
void twalk_r(const void *root,
	     void (*fn)(const void *node, VISIT which, void *ctx), void *ctx);

/**
 * strerrorname_np() - the name of an error, as "ENOENT"
 * @code: number of the error
 *
 * Return: the name, or NULL.
 */
const char *strerrorname_np(int code);

#endif /* KTAP_TARGET_LIBC_H */
