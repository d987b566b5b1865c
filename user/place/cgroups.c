// SPDX-License-Identifier: GPL-2.0
#include "place/cgroups.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/shown.h"

/* Deeper ones get their paths when they are met. */
#define DEPTH_MAX 32

/* Type of a file handle that is the ID of a kernfs node (fs/kernfs/mount.c, 5.5). */
#define KERNFS_HANDLE 0xfe

/**
 * struct cgroup - one of them
 * @id: its ID
 * @path: owned; NULL: it has no path
 */
struct cgroup {
	uint64_t id;
	char *path;
};

/**
 * struct cgroups - those that are known
 * @root: mount point; NULL: there is none
 * @fd: the mount point
 * @all: by ID
 * @nr: how many
 * @room: places of @all
 */
struct cgroups {
	char *root;
	int fd;
	struct cgroup *all;
	size_t nr;
	size_t room;
};

/* Return: where the hierarchy is mounted; NULL: nowhere, or no memory. */
static char *mount_point(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	const struct mntent *m;
	char *found = NULL;

	while (mounts && !found && (m = getmntent(mounts)))
		if (!strcmp(m->mnt_type, "cgroup2"))
			found = strdup(m->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return found;
}

/* Return: whether @path names @root or something below it. */
static bool is_below(const char *path, const char *root)
{
	size_t length = strlen(root);

	return !strncmp(path, root, length) && (!path[length] || path[length] == '/');
}

/* ---- the known ones ---------------------------------------------------------- */

/* A recording has a line for each. */
static char *printable(const char *path)
{
	struct buf b = BUF_INIT;

	shown_put(&b, path, strlen(path), SHOWN_BACKSLASH);
	return buf_take(&b);
}

static size_t index_of(const struct cgroups *c, uint64_t id)
{
	size_t low = 0, high = c->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->all[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool make_room(struct cgroups *c)
{
	size_t room = c->room ? 2 * c->room : 64;
	struct cgroup *all;

	if (c->nr < c->room)
		return true;
	all = reallocarray(c->all, room, sizeof(*all));
	if (!all)
		return false;
	c->all = all;
	c->room = room;
	return true;
}

/* ---- all that there are ----------------------------------------------------- */

static void read_below(struct cgroups *c, int fd, struct buf *path, unsigned int depth);

/* kernfs gives the ID of a directory as the inode number of its entry. */
static void read_entry(struct cgroups *c, DIR *dir, const struct dirent *entry,
		       struct buf *path, unsigned int depth)
{
	size_t size = path->size;
	int fd;

	if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") ||
	    !strcmp(entry->d_name, "..") || !make_room(c))
		return;
	buf_putc(path, '/');
	buf_puts(path, entry->d_name);
	c->all[c->nr++] = (struct cgroup){ entry->d_ino, printable(buf_str(path)) };
	fd = openat(dirfd(dir), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		read_below(c, fd, path, depth + 1);
	path->size = size;
}

/* Takes @fd. */
static void read_below(struct cgroups *c, int fd, struct buf *path, unsigned int depth)
{
	DIR *dir = depth < DEPTH_MAX ? fdopendir(fd) : NULL;
	const struct dirent *entry;

	if (!dir) {
		close(fd);
		return;
	}
	while ((entry = readdir(dir)))
		read_entry(c, dir, entry, path, depth);
	closedir(dir);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = ((const struct cgroup *)a)->id, y = ((const struct cgroup *)b)->id;

	return (x > y) - (x < y);
}

static void read_all(struct cgroups *c)
{
	_cleanup_buf_ struct buf path = BUF_INIT;
	int fd = openat(c->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		read_below(c, fd, &path, 0);
	if (c->nr)
		qsort(c->all, c->nr, sizeof(*c->all), compare);
}

/* ---- one -------------------------------------------------------------------- */

/* Return: the path of an open directory below the mount point; NULL: it is not there. */
static char *path_of(const struct cgroups *c, int fd)
{
	char link[64], at[PATH_MAX];
	const char *below;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, at, sizeof(at) - 1);
	if (n < 0)
		return NULL;
	at[n] = '\0';
	if (!is_below(at, c->root))
		return NULL;
	below = at + strlen(c->root);
	return printable(*below ? below : "/");
}

static char *find_path(const struct cgroups *c, uint64_t id)
{
	struct {
		struct file_handle head;
		uint64_t id;
	} handle = {
		.head = { .handle_bytes = sizeof(id), .handle_type = KERNFS_HANDLE },
		.id = id, /* behind @head, where its bytes begin */
	};
	char *path = NULL;
	int fd;

	if (!c->root)
		return NULL;
	fd = open_by_handle_at(c->fd, &handle.head, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	path = path_of(c, fd);
	close(fd);
	return path;
}

/* That it has none is known from here on as well: records may have many of it. */
const char *cgroups_path(struct cgroups *c, uint64_t id)
{
	size_t i = index_of(c, id);

	if (i < c->nr && c->all[i].id == id)
		return c->all[i].path;
	if (!make_room(c))
		return NULL;
	memmove(&c->all[i + 1], &c->all[i], (c->nr - i) * sizeof(*c->all));
	c->all[i] = (struct cgroup){ id, find_path(c, id) };
	c->nr++;
	return c->all[i].path;
}

/* ---- open and close ---------------------------------------------------------- */

struct cgroups *cgroups_open(void)
{
	_cleanup_(cgroups_freep) struct cgroups *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->fd = -1;
	c->root = mount_point();
	if (!c->root)
		return take_ptr(c);
	c->fd = open(c->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->fd >= 0)
		read_all(c);
	return take_ptr(c);
}

void cgroups_free(struct cgroups *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->nr; i++)
		free(c->all[i].path);
	cleanup_closep(&c->fd);
	free(c->all);
	free(c->root);
	free(c);
}

/* ---- from a path ------------------------------------------------------------- */

static int id_in(const char *root, const char *path, uint64_t *ret)
{
	_cleanup_buf_ struct buf at = BUF_INIT;
	struct stat top, dir;

	if (!is_below(path, root))
		buf_printf(&at, "%s/", root);
	buf_puts(&at, path);
	if (at.failed)
		return -ENOMEM;
	if (stat(root, &top) || stat(buf_str(&at), &dir))
		return -errno;
	if (!S_ISDIR(dir.st_mode))
		return -ENOTDIR;
	if (dir.st_dev != top.st_dev)
		return -EXDEV;
	*ret = dir.st_ino;
	return 0;
}

int cgroups_id(const char *path, uint64_t *ret)
{
	char *root = mount_point();
	int err = root ? id_in(root, path, ret) : -ENODEV;

	free(root);
	return err;
}
