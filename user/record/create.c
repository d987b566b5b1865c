// SPDX-License-Identifier: GPL-2.0
/*
 * Where a recording goes. In a directory where everybody may create files a
 * name may be a trap: a link to a file of ours, a file whose owner goes on
 * reading it, a FIFO. So a file is always a new one, made under a name that
 * nobody had (O_EXCL) and renamed; renaming refuses in such a directory what
 * belongs to somebody else.
 */
#include "record/create.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"

/* Names that are tried before giving up. */
#define TRIES_MAX 100

static int cannot_create(const char *path, int err, struct diag *d)
{
	return diag_set(d, err, DIAG_RECORD_CREATE, path, strerror(-err));
}

/* ---- what is written to as it is ------------------------------------------------ */

/* Whether @path stands for a descriptor. @ret: a copy; -1, with errno: it is closed */
static bool own_descriptor(const char *path, int *ret)
{
	static const char *const dirs[] = { "/dev/fd/", "/proc/self/fd/" };
	char *end;
	long nr = -1;

	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdout"))
		nr = STDOUT_FILENO;
	for (size_t i = 0; nr < 0 && i < ARRAY_SIZE(dirs); i++) {
		const char *word = path + strlen(dirs[i]);

		if (strncmp(path, dirs[i], strlen(dirs[i])))
			continue;
		nr = strtol(word, &end, 10);
		if (!*word || *end)
			nr = -1;
	}
	*ret = nr < 0 || nr > INT_MAX ? -1 : fcntl(nr, F_DUPFD_CLOEXEC, 3);
	return nr >= 0;
}

/* Somebody else may read from a FIFO that he put where we would look. */
static int check_fifo(const struct created *c, const char *path,
		      const struct stat *fifo, struct diag *d)
{
	struct stat dir;

	if (fstat(c->dir, &dir))
		return cannot_create(path, -errno, d);
	if (!(dir.st_mode & S_ISVTX) || !fifo->st_uid ||
	    fifo->st_uid == geteuid())
		return 0;
	return diag_set(d, -EACCES, DIAG_RECORD_OTHERS_FIFO, path,
			fifo->st_uid);
}

static int open_as_it_is(struct created *c, const char *path,
			 const struct stat *found, struct diag *d)
{
	struct stat st;
	int err = 0;

	if (S_ISFIFO(found->st_mode))
		err = check_fifo(c, path, found, d);
	if (err)
		return err;
	c->fd = openat(c->dir, c->name, O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
	if (c->fd < 0 || fstat(c->fd, &st))
		return cannot_create(path, -errno, d);
	if (st.st_dev != found->st_dev || st.st_ino != found->st_ino)
		return cannot_create(path, -ESTALE, d);
	return 0;
}

/* ---- files ---------------------------------------------------------------------- */

/* Its directory, and its name there. */
static int split(struct created *c, const char *path, struct diag *d)
{
	_cleanup_free_ char *dir = strdup(path);
	char *slash = dir ? strrchr(dir, '/') : NULL;

	if (!dir)
		return diag_no_memory(d);
	c->name = strdup(slash ? slash + 1 : dir);
	if (!c->name)
		return diag_no_memory(d);
	if (!*c->name)
		return cannot_create(path, *path ? -EISDIR : -ENOENT, d);
	if (slash)
		slash[slash == dir] = '\0';
	c->dir = open(slash ? dir : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return c->dir < 0 ? cannot_create(path, -errno, d) : 0;
}

static int open_temp(struct created *c, const char *path, struct diag *d)
{
	for (unsigned int i = 0; c->fd < 0 && i < TRIES_MAX; i++) {
		free(c->temp);
		if (asprintf(&c->temp, ".ktap-%d.%u", getpid(), i) < 0) {
			c->temp = NULL;
			return diag_no_memory(d);
		}
		/* Recordings show addresses and what programs pass to the kernel. */
		c->fd = openat(c->dir, c->temp,
			       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			       0600);
		if (c->fd < 0 && errno != EEXIST)
			break;
	}
	c->is_file = c->fd >= 0;
	if (c->is_file)
		return 0;
	free(c->temp);
	c->temp = NULL;
	return cannot_create(path, -errno, d);
}

int created_open(struct created *c, const char *path, struct diag *d)
{
	struct stat st;
	int err;

	*c = (struct created){ .dir = -1 };
	if (own_descriptor(path, &c->fd) && c->fd < 0)
		return cannot_create(path, -EBADF, d);
	if (c->fd >= 0)
		return isatty(c->fd) ? diag_set(d, -EINVAL, DIAG_RECORD_TERMINAL) :
				       0;
	err = split(c, path, d);
	if (err)
		return err;
	if (fstatat(c->dir, c->name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? open_temp(c, path, d) :
					 cannot_create(path, -errno, d);
	switch (st.st_mode & S_IFMT) {
	case S_IFREG:
		return open_temp(c, path, d);
	case S_IFLNK:
		diag_set(d, -ELOOP, DIAG_RECORD_LINK, path);
		diag_hint(d, "name the file that it leads to, if that is yours");
		return -ELOOP;
	case S_IFIFO:
	case S_IFCHR:
		return open_as_it_is(c, path, &st, d);
	case S_IFDIR:
		return cannot_create(path, -EISDIR, d);
	default:
		return diag_set(d, -EINVAL, DIAG_RECORD_NO_OUTPUT, path);
	}
}

/* An empty file is nothing to keep. */
static int keep_old(struct created *c, const char *path, struct diag *d)
{
	_cleanup_free_ char *old = NULL;
	struct stat st;

	if (fstatat(c->dir, c->name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : cannot_create(path, -errno, d);
	if (S_ISREG(st.st_mode) && !st.st_size)
		return 0;
	if (asprintf(&old, "%s.old", c->name) < 0)
		return diag_no_memory(d);
	if (renameat(c->dir, c->name, c->dir, old))
		return diag_set(d, -errno, DIAG_RECORD_KEEP, path,
				strerror(errno));
	return 0;
}

int created_publish(struct created *c, const char *path, struct diag *d)
{
	int err;

	if (!c->temp)
		return 0;
	err = keep_old(c, path, d);
	if (err)
		return err;
	if (renameat(c->dir, c->temp, c->dir, c->name))
		return cannot_create(path, -errno, d);
	free(c->temp);
	c->temp = NULL;
	return 0;
}

void created_close(struct created *c)
{
	if (c->temp)
		unlinkat(c->dir, c->temp, 0);
	cleanup_closep(&c->fd);
	cleanup_closep(&c->dir);
	free(c->temp);
	free(c->name);
	*c = (struct created){ .fd = -1, .dir = -1 };
}
