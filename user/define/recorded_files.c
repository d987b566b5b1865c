// SPDX-License-Identifier: GPL-2.0
#include "define/recorded_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "define/frames.h"
#include "define/user_name.h"
#include "object/debug_file.h"

/**
 * struct recorded_file - a file of the recording
 * @name: last part of its path; owned
 * @id: build-id
 * @id_size: bytes of it
 * @code: its executable segments; owned
 * @nr_code: how many
 * @searched: its symbols were searched for
 * @bin: file with them, or NULL
 * @has_all: not only those of the dynamic linker
 * @frames: its debug information, of the same file or another one; or NULL
 */
struct recorded_file {
	char *name;
	uint8_t id[KTAP_DATA_FILE_ID_MAX];
	size_t id_size;
	struct ktap_data_code *code;
	size_t nr_code;
	bool searched;
	struct binary *bin;
	bool has_all;
	struct frames *frames;
};

/**
 * struct recorded_files - see recorded_files.h
 * @root: directory that is searched first, or NULL
 * @tree: its files, from the first search on
 * @inlined: functions that were inlined are wanted
 * @nr_seen: files of the recording that were taken
 * @name: what recorded_files_find() returned last
 * @file: by number; owned; NULL: the recording does not have it
 */
struct recorded_files {
	const char *root;
	struct id_tree *tree;
	bool inlined;
	size_t nr_seen;
	struct user_name name;
	struct recorded_file *file[KTAP_USER_FILES_MAX];
};

/* ---- files of the recording ---- */

static void file_free(struct recorded_file *file)
{
	if (!file)
		return;
	frames_free(file->frames);
	binary_free(file->bin);
	free(file->code);
	free(file->name);
	free(file);
}

DEFINE_CLEANUP(struct recorded_file, file_free)

static struct recorded_file *file_new(const struct datafile_file *of)
{
	_cleanup_(file_freep) struct recorded_file *file = calloc(1, sizeof(*file));
	struct buf name = BUF_INIT;

	if (!file)
		return NULL;
	user_name_plain(&name, of->name);
	file->name = buf_take(&name);
	file->code = calloc(of->nr_code ? of->nr_code : 1, sizeof(*file->code));
	if (!file->name || !file->code)
		return NULL;
	memcpy(file->id, of->id, of->id_size);
	file->id_size = of->id_size;
	memcpy(file->code, of->code, of->nr_code * sizeof(*file->code));
	file->nr_code = of->nr_code;
	return take_ptr(file);
}

int recorded_files_update(struct recorded_files *rf, const struct datafile *f)
{
	for (; rf->nr_seen < f->nr_files; rf->nr_seen++) {
		const struct datafile_file *of = &f->files[rf->nr_seen];

		if (of->nr >= KTAP_USER_FILES_MAX || rf->file[of->nr])
			continue;
		rf->file[of->nr] = file_new(of);
		if (!rf->file[of->nr])
			return -ENOMEM;
	}
	return 0;
}

static bool address_of(const struct recorded_file *file, uint64_t offset, uint64_t *ret)
{
	for (size_t i = 0; i < file->nr_code; i++) {
		const struct ktap_data_code *c = &file->code[i];

		if (offset < c->offset || offset - c->offset >= c->size)
			continue;
		*ret = c->address + (offset - c->offset);
		return true;
	}
	return false;
}

/* ---- files with their symbols ---- */

static bool has_all_symbols(struct binary *bin)
{
	_cleanup_diag_ struct diag d = { 0 };
	size_t nr;

	return bin && binary_syms(bin, &d, &nr) && binary_has_symtab(bin);
}

/* The first file with all symbols, or else the first one; likewise with debug information. */
static void try_file(struct recorded_files *rf, struct recorded_file *file, const char *path)
{
	_cleanup_(binary_freep) struct binary *bin = NULL;
	_cleanup_diag_ struct diag d = { 0 };

	if (!path || binary_open_debug(path, &d, &bin))
		return;
	if (rf->inlined && !file->frames && frames_open(path, true, 0, &d, &file->frames))
		file->frames = NULL;
	if (file->bin && (file->has_all || !has_all_symbols(bin)))
		return;
	binary_free(file->bin);
	file->bin = take_ptr(bin);
	file->has_all = has_all_symbols(file->bin);
}

static bool is_complete(const struct recorded_files *rf, const struct recorded_file *file)
{
	return file->has_all && (!rf->inlined || file->frames);
}

static void try_owned(struct recorded_files *rf, struct recorded_file *file, char *path)
{
	try_file(rf, file, path);
	free(path);
}

/* A directory that cannot be read any more has no files. */
static const struct id_tree *tree_of(struct recorded_files *rf)
{
	_cleanup_diag_ struct diag d = { 0 };

	if (rf->root && !rf->tree && id_tree_read(rf->root, &d, &rf->tree))
		rf->tree = NULL;
	return rf->tree;
}

static void search(struct recorded_files *rf, struct recorded_file *file)
{
	const struct id_tree *tree = file->id_size ? tree_of(rf) : NULL;
	const char *path;
	size_t pos = 0;

	while (tree && !is_complete(rf, file) &&
	       (path = id_tree_next(tree, file->id, file->id_size, &pos)))
		try_file(rf, file, path);
	if (!is_complete(rf, file))
		try_owned(rf, file, debug_file_find(file->id, file->id_size));
	if (!is_complete(rf, file))
		try_owned(rf, file, debug_file_fetch(file->id, file->id_size));
}

/* Return: the file of a frame, whose symbols were searched for; NULL: it is not known. */
static struct recorded_file *file_of(struct recorded_files *rf, uint64_t frame,
				     uint64_t *address)
{
	uint32_t nr = user_frame_file(frame);
	struct recorded_file *file = nr < KTAP_USER_FILES_MAX ? rf->file[nr] : NULL;

	if (!file || !address_of(file, user_frame_offset(frame), address))
		return NULL;
	if (!file->searched)
		search(rf, file);
	file->searched = true;
	return file;
}

const struct ksym *recorded_files_find(void *ctx, uint64_t frame)
{
	struct recorded_files *rf = ctx;
	const struct binary_sym *sym;
	struct recorded_file *file;
	uint64_t address;

	file = file_of(rf, frame, &address);
	if (!file || !file->bin)
		return NULL;
	sym = user_name_find(file->bin, address);
	return sym ? user_name_symbol(&rf->name, frame, address - sym->address, sym,
				      file->name) : NULL;
}

size_t recorded_files_inlined(void *ctx, uint64_t frame, const char *const **ret)
{
	struct recorded_file *file;
	uint64_t address;

	file = file_of(ctx, frame, &address);
	return file && file->frames ? frames_find(file->frames, address, ret) : 0;
}

/* ---- the life of it ---- */

int recorded_files_create(const char *root, bool inlined, struct diag *d,
			  struct recorded_files **ret)
{
	struct recorded_files *rf = calloc(1, sizeof(*rf));

	if (!rf)
		return diag_no_memory(d);
	rf->root = root;
	rf->inlined = inlined;
	*ret = rf;
	return 0;
}

void recorded_files_forget(struct recorded_files *rf)
{
	if (!rf)
		return;
	for (size_t i = 0; i < KTAP_USER_FILES_MAX; i++) {
		file_free(rf->file[i]);
		rf->file[i] = NULL;
	}
	rf->nr_seen = 0;
}

void recorded_files_destroy(struct recorded_files *rf)
{
	if (!rf)
		return;
	recorded_files_forget(rf);
	id_tree_free(rf->tree);
	buf_deinit(&rf->name.text);
	free(rf);
}
