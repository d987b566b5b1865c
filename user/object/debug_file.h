/* SPDX-License-Identifier: GPL-2.0 */
/* Files that have the symbols of a build: found by its build-id. */
#ifndef KTAP_OBJECT_DEBUG_FILE_H
#define KTAP_OBJECT_DEBUG_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/diag.h"

/**
 * debug_file_find() - find the debug file of a build where packages install it
 * @id: build-id
 * @size: bytes of it
 *
 * It is /usr/lib/debug/.build-id/XX/REST.debug, with the build-id in hexadecimal digits
 * (gdb's manual, "Debugging Information in Separate Files").
 *
 * Return: its path, malloc'ed; NULL: it is not there, or has another build-id.
 */
char *debug_file_find(const uint8_t *id, size_t size);

/**
 * debug_file_fetch() - have a debuginfod server give the debug file of a build
 * @id: build-id
 * @size: bytes of it
 *
 * The environment variable DEBUGINFOD_URLS names the servers; without it nothing is
 * fetched. The library is loaded only here, and it keeps files in its cache
 * (debuginfod_find_debuginfo(3)). It may wait for the network, as long as
 * DEBUGINFOD_TIMEOUT says; waiting_for() is called then, with the servers.
 *
 * Return: path in the cache, malloc'ed; NULL: no server has it, or there is no library.
 */
char *debug_file_fetch(const uint8_t *id, size_t size);

/**
 * debug_file_follow() - report waits of libdw, which asks debuginfod servers by itself
 * @dwfl: a Dwfl, before its files are looked for
 *
 * waiting_for() is called then, with the servers. libdw before 0.188 does not offer that.
 */
void debug_file_follow(void *dwfl);

struct id_tree;

/**
 * id_tree_check() - check that a directory can be read
 * @dir: directory
 * @d: on failure
 *
 * Return: 0, or the error of opening @dir.
 */
int id_tree_check(const char *dir, struct diag *d);

/**
 * id_tree_read() - read the build-ids of all files below a directory
 * @dir: directory; symbolic links in it are not followed, and other file systems below it are
 *	not searched
 * @d: on failure
 * @ret: release with id_tree_free()
 *
 * Files and directories that cannot be read are skipped.
 *
 * Return: 0, -ENOMEM, or the error of opening @dir.
 */
int id_tree_read(const char *dir, struct diag *d, struct id_tree **ret);

/**
 * id_tree_next() - get the next file that has a build-id
 * @t: files
 * @id: build-id
 * @size: bytes of it
 * @pos: 0 before the first call; moves on
 *
 * Return: its path, as long as @t; NULL: there is no other one.
 */
const char *id_tree_next(const struct id_tree *t, const uint8_t *id, size_t size, size_t *pos);

/**
 * id_tree_free() - release the list of files
 * @t: files, or NULL
 */
void id_tree_free(struct id_tree *t);
DEFINE_CLEANUP(struct id_tree, id_tree_free)

#endif /* KTAP_OBJECT_DEBUG_FILE_H */
