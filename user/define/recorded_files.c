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
 * @searched: @path was searched for
 * @path: file with its symbols; owned; NULL: there is none
 * @bin: that file
 * @frames: its debug information, or NULL
 */
struct recorded_file {
	char *name;
	uint8_t id[KTAP_DATA_FILE_ID_MAX];
	size_t id_size;
	struct ktap_data_code *code;
	size_t nr_code;
	bool searched;
	char *path;
	struct binary *bin;
	struct frames *frames;
};

/**
 * struct recorded_files - see recorded_files.h
 * @tree: files of the directory that is searched first, or NULL
 * @inlined: functions that were inlined are wanted
 * @nr_seen: files of the recording that were taken
 * @name: what recorded_files_find() returned last
 * @file: by number; owned; NULL: the recording does not have it
 */
struct recorded_files {
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
	free(file->path);
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

/* 0: the file cannot be read, or has none. */
static size_t nr_symbols(struct binary *bin)
{
	_cleanup_diag_ struct diag d = { 0 };
	size_t nr = 0;

	return bin && binary_syms(bin, &d, &nr) ? nr : 0;
}

/* Takes over @path. The file of before stays, unless @path has more symbols. */
static void try_file(struct recorded_file *file, char *path)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct binary *bin = NULL;

	if (path && binary_open_debug(path, &d, &bin))
		bin = NULL;
	if (nr_symbols(bin) <= nr_symbols(file->bin)) {
		binary_free(bin);
		free(path);
		return;
	}
	binary_free(file->bin);
	free(file->path);
	file->bin = bin;
	file->path = path;
}

/* A stripped file in the directory has few symbols, so its debug file goes before it. */
static void search(struct recorded_files *rf, struct recorded_file *file)
{
	const char *path;
	size_t pos = 0;

	file->searched = true;
	if (!file->id_size)
		return;
	while (rf->tree && (path = id_tree_next(rf->tree, file->id, file->id_size, &pos)))
		try_file(file, strdup(path));
	try_file(file, debug_file_find(file->id, file->id_size));
	if (!file->bin)
		try_file(file, debug_file_fetch(file->id, file->id_size));
}

static void read_frames(struct recorded_file *file)
{
	_cleanup_diag_ struct diag d = { 0 };

	if (file->path && frames_open(file->path, 0, &d, &file->frames))
		file->frames = NULL;
}

/* Return: the file of a frame, whose symbols were searched for; NULL: it is not known. */
static struct recorded_file *file_of(struct recorded_files *rf, uint64_t frame,
				     uint64_t *address)
{
	uint32_t nr = user_frame_file(frame);
	struct recorded_file *file = nr < KTAP_USER_FILES_MAX ? rf->file[nr] : NULL;

	if (!file || !address_of(file, user_frame_offset(frame), address))
		return NULL;
	if (!file->searched) {
		search(rf, file);
		if (rf->inlined)
			read_frames(file);
	}
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
	_cleanup_(recorded_files_destroyp) struct recorded_files *rf = calloc(1, sizeof(*rf));
	int err;

	if (!rf)
		return diag_no_memory(d);
	rf->inlined = inlined;
	err = root ? id_tree_read(root, d, &rf->tree) : 0;
	if (!err)
		*ret = take_ptr(rf);
	return err;
}

void recorded_files_destroy(struct recorded_files *rf)
{
	if (!rf)
		return;
	for (size_t i = 0; i < KTAP_USER_FILES_MAX; i++)
		file_free(rf->file[i]);
	id_tree_free(rf->tree);
	buf_deinit(&rf->name.text);
	free(rf);
}
