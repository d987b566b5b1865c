// SPDX-License-Identifier: GPL-2.0
#include "define/user_dirs.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/exec_path.h"

/* With a merged /usr, /bin is /usr/bin. */
static bool has_dir(const struct user_dirs *d, const char *path, struct stat *st)
{
	bool is_there = !stat(path, st);

	if (!is_there)
		*st = (struct stat){ 0 };
	for (size_t i = 0; i < d->nr; i++)
		if (is_there ? d->dev[i] == st->st_dev && d->inode[i] == st->st_ino :
			       !strcmp(d->path[i], path))
			return true;
	return false;
}

/* Takes @path. */
static void add_dir(struct user_dirs *d, char *path)
{
	struct stat st;

	if (!path || d->nr == USER_DIRS_MAX || has_dir(d, path, &st)) {
		free(path);
		return;
	}
	d->dev[d->nr] = st.st_dev;
	d->inode[d->nr] = st.st_ino;
	d->path[d->nr++] = path;
}

void user_dirs_init(struct user_dirs *d)
{
	_cleanup_buf_ struct buf dir = BUF_INIT;
	struct exec_path path;

	*d = (struct user_dirs){ 0 };
	add_dir(d, strdup("."));
	exec_path_init(&path);
	while (exec_path_next(&path, &dir))
		add_dir(d, strdup(buf_str(&dir)));
}

void user_dirs_deinit(struct user_dirs *d)
{
	for (size_t i = 0; i < d->nr; i++)
		free(d->path[i]);
}

void user_dirs_add(struct user_dirs *d, const char *file)
{
	const char *slash = strrchr(file, '/');

	if (slash)
		add_dir(d, strndup(file, slash == file ? 1 : slash - file));
}

static bool search(struct user_dirs *d, const char *path, uint64_t inode,
		   bool (*fn)(void *ctx, const char *path), void *ctx)
{
	unsigned int end = d->entries + USER_DIRS_ENTRIES_OF_ONE;
	struct dirent *entry;
	DIR *dir = opendir(path);
	bool found = false;

	if (!dir)
		return false;
	if (end > USER_DIRS_ENTRIES)
		end = USER_DIRS_ENTRIES;
	while (!found && d->entries < end && (entry = readdir(dir))) {
		_cleanup_buf_ struct buf file = BUF_INIT;

		d->entries++;
		if (entry->d_ino != inode ||
		    (entry->d_type != DT_REG && entry->d_type != DT_UNKNOWN))
			continue;
		buf_printf(&file, "%s/%s", path, entry->d_name);
		found = fn(ctx, buf_str(&file));
	}
	closedir(dir);
	return found;
}

bool user_dirs_find(struct user_dirs *d, uint64_t inode, bool (*fn)(void *ctx, const char *path),
		    void *ctx)
{
	for (size_t i = 0; i < d->nr; i++)
		if (search(d, d->path[i], inode, fn, ctx))
			return true;
	return false;
}
