// SPDX-License-Identifier: GPL-2.0
#include "object/debug_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/elf_id.h"
#include "base/waiting.h"

#define INSTALLED	"/usr/lib/debug/.build-id/"
#define LIBRARY		"libdebuginfod.so.1"

/* ---- installed files ---- */

static int open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	return -1;
}

static bool is_of(const char *path, const uint8_t *id, size_t size)
{
	_cleanup_close_ int fd = open_regular(path);
	struct elf_id found;

	return fd >= 0 && elf_id_find(fd, &found) && found.size == size &&
	       !memcmp(found.bytes, id, size);
}

char *debug_file_find(const uint8_t *id, size_t size)
{
	_cleanup_buf_ struct buf path = BUF_INIT;

	if (size < 2)
		return NULL;
	buf_printf(&path, INSTALLED "%02x/", id[0]);
	for (size_t i = 1; i < size; i++)
		buf_printf(&path, "%02x", id[i]);
	buf_puts(&path, ".debug");
	return !path.failed && is_of(buf_str(&path), id, size) ? buf_take(&path) : NULL;
}

/* ---- servers ---- */

/* Functions of <elfutils/debuginfod.h>, which need not be installed. */
struct library {
	void *(*begin)(void);
	void (*progress)(void *client, int (*fn)(void *client, long a, long b));
	int (*find)(void *client, const unsigned char *id, int size, char **path);
	void (*end)(void *client);
};

static bool load(struct library *lib)
{
	void *handle = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);

	if (!handle)
		return false;
	lib->begin = (void *(*)(void))dlsym(handle, "debuginfod_begin");
	lib->find = (int (*)(void *, const unsigned char *, int, char **))
		dlsym(handle, "debuginfod_find_debuginfo");
	lib->progress = (void (*)(void *, int (*)(void *, long, long)))
		dlsym(handle, "debuginfod_set_progressfn");
	lib->end = (void (*)(void *))dlsym(handle, "debuginfod_end");
	return lib->begin && lib->find && lib->progress && lib->end;
}

/* NULL: there are none. */
static const char *servers(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls && *urls ? urls : NULL;
}

/* Called at least once per second. Return: not 0: the library gives up. */
static int on_progress(void *client, long a, long b)
{
	const char *urls = servers();

	(void)client;
	(void)a;
	(void)b;
	return urls && waiting_for(urls);
}

void debug_file_follow(void *dwfl)
{
	void *(*client_of)(void *dwfl);
	struct library lib;
	void *client;

	if (!servers())
		return;
	client_of = (void *(*)(void *))dlsym(RTLD_DEFAULT, "dwfl_get_debuginfod_client");
	client = client_of ? client_of(dwfl) : NULL;
	if (client && load(&lib))
		lib.progress(client, on_progress);
}

char *debug_file_fetch(const uint8_t *id, size_t size)
{
	struct library lib;
	char *path = NULL;
	void *client;
	int fd = -1;

	if (!size || !servers() || !load(&lib))
		return NULL;
	client = lib.begin();
	if (client) {
		lib.progress(client, on_progress);
		fd = lib.find(client, id, size, &path);
		lib.end(client);
	}
	if (fd < 0)
		return NULL;
	close(fd);
	return path;
}

/* ---- a directory ---- */

/* struct member - a file with a build-id */
struct member {
	struct elf_id id;
	char *path;
};

struct id_tree {
	struct member *members;
	size_t nr;
};

static int compare_ids(const uint8_t *a, size_t size_a, const uint8_t *b, size_t size_b)
{
	return size_a != size_b ? (size_a < size_b ? -1 : 1) : memcmp(a, b, size_a);
}

static int by_id(const void *x, const void *y)
{
	const struct member *a = x, *b = y;
	int order = compare_ids(a->id.bytes, a->id.size, b->id.bytes, b->id.size);

	return order ? order : strcmp(a->path, b->path);
}

static int add(struct id_tree *t, const char *path)
{
	_cleanup_close_ int fd = open_regular(path);
	struct member m, *members;

	if (fd < 0 || !elf_id_find(fd, &m.id))
		return 0;
	members = array_grow(t->members, t->nr, sizeof(*members));
	if (!members)
		return -ENOMEM;
	t->members = members;
	m.path = strdup(path);
	if (!m.path)
		return -ENOMEM;
	t->members[t->nr++] = m;
	return 0;
}

static int walk(struct id_tree *t, FTS *fts)
{
	FTSENT *entry;
	int err = 0;

	while (!err && (entry = fts_read(fts)))
		if (entry->fts_info == FTS_F)
			err = add(t, entry->fts_accpath);
	return err ? err : -errno;
}

int id_tree_check(const char *dir, struct diag *d)
{
	_cleanup_close_ int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int err = -errno;

	return fd < 0 ? diag_set(d, err, DIAG_ELF_DIRECTORY, dir, strerror(-err)) : 0;
}

int id_tree_read(const char *dir, struct diag *d, struct id_tree **ret)
{
	_cleanup_(id_tree_freep) struct id_tree *t = NULL;
	char *const roots[] = { (char *)dir, NULL };
	FTS *fts;
	int err;

	err = id_tree_check(dir, d);
	if (err)
		return err;
	t = calloc(1, sizeof(*t));
	fts = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_XDEV | FTS_NOCHDIR, NULL);
	err = t && fts ? walk(t, fts) : -ENOMEM;
	if (fts)
		fts_close(fts);
	if (err)
		return diag_no_memory(d);
	if (t->nr)
		qsort(t->members, t->nr, sizeof(*t->members), by_id);
	*ret = take_ptr(t);
	return 0;
}

const char *id_tree_next(const struct id_tree *t, const uint8_t *id, size_t size, size_t *pos)
{
	size_t low = *pos, high = t->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct elf_id *m = &t->members[middle].id;

		if (compare_ids(m->bytes, m->size, id, size) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == t->nr ||
	    compare_ids(t->members[low].id.bytes, t->members[low].id.size, id, size))
		return NULL;
	*pos = low + 1;
	return t->members[low].path;
}

void id_tree_free(struct id_tree *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nr; i++)
		free(t->members[i].path);
	free(t->members);
	free(t);
}
