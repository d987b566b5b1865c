/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Directories that programs and libraries come from. The file of a process that has ended
 * is searched for in them by its inode, because nothing else of it is known.
 */
#ifndef KTAP_DEFINE_USER_DIRS_H
#define KTAP_DEFINE_USER_DIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define USER_DIRS_MAX		64
#define USER_DIRS_ENTRIES	(1U << 20)	/* that are read in all: below a second */
#define USER_DIRS_ENTRIES_OF_ONE (1U << 16)	/* of one directory, in one search */

/**
 * struct user_dirs - see above
 * @path: their paths; owned
 * @dev: file system of each; 0: the directory was not there
 * @inode: its inode there
 * @nr: how many
 * @entries: entries of directories that were read, in all searches
 */
struct user_dirs {
	char *path[USER_DIRS_MAX];
	dev_t dev[USER_DIRS_MAX];
	ino_t inode[USER_DIRS_MAX];
	size_t nr;
	unsigned int entries;
};

/**
 * user_dirs_init() - begin with the working directory and those in $PATH
 * @d: filled; release with user_dirs_deinit()
 */
void user_dirs_init(struct user_dirs *d);

/**
 * user_dirs_deinit() - release the paths
 * @d: directories
 */
void user_dirs_deinit(struct user_dirs *d);

/**
 * user_dirs_add() - add the directory of a file
 * @d: directories; it has each once, also one with two names, and USER_DIRS_MAX at most
 * @file: path of the file
 */
void user_dirs_add(struct user_dirs *d, const char *file);

/**
 * user_dirs_find() - find the regular files that have an inode number
 * @d: directories
 * @inode: the number
 * @fn: is called with the path of each such file; on two file systems, files may have the
 *	same number. Returns true to end the search. It may add a directory.
 * @ctx: passed to it
 *
 * Nothing is found once USER_DIRS_ENTRIES were read: the caller does not read its rings
 * meanwhile. Of a directory USER_DIRS_ENTRIES_OF_ONE are read.
 *
 * Return: true if @fn did.
 */
bool user_dirs_find(struct user_dirs *d, uint64_t inode, bool (*fn)(void *ctx, const char *path),
		    void *ctx);

#endif /* KTAP_DEFINE_USER_DIRS_H */
