/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files of user stacks: they get their numbers and their unwind information from here, or
 * are met by hits; and the names of the functions in them.
 */
#ifndef KTAP_DEFINE_USER_FILES_H
#define KTAP_DEFINE_USER_FILES_H

#include <stdint.h>
#include <sys/types.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "place/ksyms.h"
#include "record/datafile.h"
#include "wire/session.h"

struct user_files;

/**
 * user_files_create() - begin without a file
 * @s: session, which must live as long
 *
 * Return: release with user_files_destroy(); NULL: no memory.
 */
struct user_files *user_files_create(struct session *s);

/**
 * user_files_destroy() - release the table of files
 * @u: files, or NULL
 *
 * The session keeps the tables.
 */
void user_files_destroy(struct user_files *u);
DEFINE_CLEANUP(struct user_files, user_files_destroy)

/**
 * user_files_program() - give the module the tables of a program and its libraries
 * @u: files
 * @name: as for binary_find()
 *
 * A script stands for its interpreter. Files that cannot be read are left out.
 */
void user_files_program(struct user_files *u, const char *name);

/**
 * user_files_process() - give the module the tables of what a process has mapped
 * @u: files
 * @pid: process; it may have ended
 */
void user_files_process(struct user_files *u, pid_t pid);

/**
 * user_files_update() - look at the files that hits have met since, and give their tables
 * @u: files
 */
void user_files_update(struct user_files *u);

/**
 * user_files_refused() - tables for which the module had no memory
 * @u: files
 *
 * Return: their number.
 */
size_t user_files_refused(const struct user_files *u);

/**
 * user_files_full() - has a stack a file that found no free number?
 * @u: files
 *
 * Of the stacks that user_files_find(), user_files_find_own() and user_files_write() have met.
 *
 * Return: whether one has.
 */
bool user_files_full(const struct user_files *u);

/**
 * user_files_find() - the function of a frame; for ksyms_more()
 * @ctx: files
 * @frame: frame of a user stack
 *
 * A stripped file has the symbols of its debug file, if that is on this machine: see
 * debug_file_find(). A place that no symbol covers is its own symbol: "[FILE+0xOFFSET]". A file
 * without a number is called "unknown file".
 *
 * Return: its symbol, whose address is a frame, too, and whose module is the name of the file;
 *	valid until the next call; NULL: nothing is known of the file.
 */
const struct ksym *user_files_find(void *ctx, uint64_t frame);

/**
 * user_files_find_own() - the same by the symbols of the file itself; for recordings
 * @ctx: files
 * @frame: frame of a user stack
 *
 * To read a debug file can take so long that rings become full. Who reads the recording finds
 * the debug file by the build-id.
 *
 * Return: as user_files_find().
 */
const struct ksym *user_files_find_own(void *ctx, uint64_t frame);

/**
 * user_files_write() - write the files of stacks that a recording does not have yet
 * @u: files
 * @stacks: as KTAP_DATA_STACKS has them
 * @size: bytes
 * @w: recording; the same one in each call
 * @d: on failure
 *
 * Files that were not found are skipped.
 *
 * Return: 0 or a negative errno.
 */
int user_files_write(struct user_files *u, const void *stacks, size_t size,
		     struct datafile_writer *w, struct diag *d);

#endif /* KTAP_DEFINE_USER_FILES_H */
