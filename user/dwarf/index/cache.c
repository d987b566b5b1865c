// SPDX-License-Identifier: GPL-2.0
/*
 * Where indexes are: $XDG_CACHE_HOME/ktap/index/BUILDID, or ~/.cache instead. What is
 * another user's, or could be written by another, is neither read nor written, and no
 * link is followed below the cache directory: root may have the $HOME of someone else.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owned.h"
#include "base/whole.h"
#include "dwarf/index/index.h"

/* Names of new files that are tried: others may be left over. */
#define TRIES_MAX 64

bool index_is_off(void)
{
	const char *wanted = getenv("KTAP_INDEX");

	return wanted && !strcmp(wanted, "off");
}

/* ---- the directory ------------------------------------------------------------------- */

/* Return: a descriptor, or negative. @b becomes its path. */
static int open_dir(struct buf *b, bool make)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int fd;

	/* what is not absolute is to be ignored */
	if (cache && *cache == '/')
		buf_puts(b, cache);
	else if (home && *home == '/')
		buf_printf(b, "%s/.cache", home);
	if (b->failed)
		return -ENOMEM;
	if (!b->size)
		return -ENOENT;
	fd = owned_enter(AT_FDCWD, buf_str(b), make);
	fd = owned_enter(fd, "ktap", make);
	fd = owned_enter(fd, "index", make);
	buf_puts(b, "/ktap/index");
	return fd;
}

static void put_id(struct buf *b, const uint8_t *id, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		buf_printf(b, "%02x", id[i]);
}

/* ---- reading ------------------------------------------------------------------------- */

bool index_read(const uint8_t *id, size_t id_size, const void **data,
		size_t *size)
{
	_cleanup_buf_ struct buf dir = BUF_INIT, name = BUF_INIT;
	int at = open_dir(&dir, false);
	bool found;

	if (at < 0)
		return false;
	put_id(&name, id, id_size);
	found = !name.failed &&
		owned_map(at, buf_str(&name), INDEX_SIZE_MAX, data, size);
	close(at);
	return found;
}

/* ---- writing ------------------------------------------------------------------------- */

/* A new file that nobody else writes to. Return: a descriptor, or negative. */
static int make_file(int at, const char *name, struct buf *ret)
{
	int fd = -1;

	for (unsigned int i = 0; fd < 0 && i < TRIES_MAX; i++) {
		buf_clear(ret);
		buf_printf(ret, ".%s.%d.%u", name, getpid(), i);
		if (ret->failed)
			return -ENOMEM;
		fd = openat(at, buf_str(ret),
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			    0600);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd < 0 ? -errno : fd;
}

/* Whoever is last wins; each has written a whole one. */
static int write_file(int at, const char *name, const struct buf *b)
{
	_cleanup_close_ int fd = -1;
	_cleanup_buf_ struct buf new = BUF_INIT;
	int err;

	fd = make_file(at, name, &new);
	if (fd < 0)
		return fd;
	err = write_all(fd, b->data, b->size);
	if (!err && renameat(at, buf_str(&new), at, name))
		err = -errno;
	if (err)
		unlinkat(at, buf_str(&new), 0);
	return err;
}

int index_write(const uint8_t *id, size_t id_size, const struct buf *b,
		struct diag *d, char **path)
{
	_cleanup_buf_ struct buf dir = BUF_INIT, name = BUF_INIT;
	_cleanup_close_ int at = open_dir(&dir, true);
	int err = at < 0 ? at : 0;

	put_id(&name, id, id_size);
	if (name.failed || dir.failed)
		return diag_no_memory(d);
	if (!err)
		err = write_file(at, buf_str(&name), b);
	if (err == -EPERM && at < 0) {
		diag_set(d, err, DIAG_DEBUG_INDEX_OTHERS, buf_str(&dir));
		diag_hint(d, "set XDG_CACHE_HOME to a directory of your own");
		return err;
	}
	if (err)
		return diag_set(d, err, DIAG_DEBUG_INDEX_WRITE, buf_str(&dir),
				strerror(-err));
	buf_printf(&dir, "/%s", buf_str(&name));
	*path = buf_take(&dir);
	return *path ? 0 : diag_no_memory(d);
}
