/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that the user stacks of a recording have frames in: their symbols are found by
 * build-id, on the machine that reads the recording.
 */
#ifndef KTAP_DEFINE_RECORDED_FILES_H
#define KTAP_DEFINE_RECORDED_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "place/ksyms.h"
#include "record/datafile.h"

struct recorded_files;

/**
 * recorded_files_create() - begin without a file
 * @root: directory whose files are searched first, which must stay; NULL: none
 * @inlined: functions that were inlined are wanted, too
 * @d: on failure
 * @ret: release with recorded_files_destroy()
 *
 * After @root come the debug files that packages install, and then those that debuginfod
 * servers give: see debug_file_find() and debug_file_fetch(). The search ends when all symbols
 * are found, and debug information if functions that were inlined are wanted.
 *
 * Return: 0 or -ENOMEM.
 */
int recorded_files_create(const char *root, bool inlined, struct diag *d,
			  struct recorded_files **ret);

/**
 * recorded_files_update() - take the files that a recording has by now
 * @rf: files
 * @f: recording; the same one in each call before recorded_files_forget()
 *
 * Return: 0 or -ENOMEM.
 */
int recorded_files_update(struct recorded_files *rf, const struct datafile *f);

/**
 * recorded_files_find() - the function of a frame; for ksyms_more()
 * @ctx: files
 * @frame: frame of a user stack
 *
 * Return: its symbol, valid until the next call; NULL: no file with its symbols was found.
 */
const struct ksym *recorded_files_find(void *ctx, uint64_t frame);

/**
 * recorded_files_inlined() - the functions that were inlined at a frame; for ksyms_more()
 * @ctx: files
 * @frame: frame of a user stack, on the instruction
 * @ret: their names, the innermost one first; valid as long as the files
 *
 * Return: how many; 0 also if they are not wanted, or no debug information was found.
 */
size_t recorded_files_inlined(void *ctx, uint64_t frame, const char *const **ret);

/**
 * recorded_files_forget() - forget the files of a recording
 * @rf: files, which then can be of another recording; or NULL
 */
void recorded_files_forget(struct recorded_files *rf);

/**
 * recorded_files_destroy() - release files
 * @rf: files, or NULL
 */
void recorded_files_destroy(struct recorded_files *rf);
DEFINE_CLEANUP(struct recorded_files, recorded_files_destroy)

#endif /* KTAP_DEFINE_RECORDED_FILES_H */
