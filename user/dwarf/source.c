// SPDX-License-Identifier: GPL-2.0
/* Files of source: found, read, and compared with patterns. */
#include "dwarf/source.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"

#define SIZE_LIMIT (64 << 20)

/* struct source - its lines, each with where it begins; the last is the end */
struct source {
	char *text;
	size_t size;
	size_t *start;
	size_t nr;
};

static int open_path(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

/* @dir with the longest end of @file that is there */
static int open_below(const char *dir, const char *file)
{
	const char *rest = file;
	int fd = -ENOENT;

	while (rest) {
		_cleanup_buf_ struct buf path = BUF_INIT;

		rest += *rest == '/';
		buf_printf(&path, "%s/%s", dir, rest);
		if (path.failed)
			return -ENOMEM;
		fd = open_path(buf_str(&path));
		if (fd >= 0)
			return fd;
		rest = strchr(rest, '/');
	}
	return -errno;
}

/* @file with NEW in front of it instead of OLD, if OLD is there */
static int open_mapped(const char *map, const char *file)
{
	const char *equals = strchr(map, '=');
	size_t length = equals - map;
	_cleanup_buf_ struct buf path = BUF_INIT;

	if (strncmp(file, map, length))
		return open_path(file);
	buf_printf(&path, "%s%s", equals + 1, file + length);
	return path.failed ? -ENOMEM : open_path(buf_str(&path));
}

static int read_text(int fd, struct source *s)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size > SIZE_LIMIT)
		return -EINVAL;
	s->text = malloc(st.st_size + 1);
	if (!s->text)
		return -ENOMEM;
	while (s->size < (size_t)st.st_size) {
		n = read(fd, s->text + s->size, st.st_size - s->size);
		if (n < 0)
			return -errno;
		if (!n)
			break;
		s->size += n;
	}
	return 0;
}

static int split(struct source *s)
{
	size_t i, nr = 2;

	for (i = 0; i < s->size; i++)
		nr += s->text[i] == '\n';
	s->start = calloc(nr, sizeof(*s->start));
	if (!s->start)
		return -ENOMEM;
	for (i = 0; i < s->size; i++)
		if (!i || s->text[i - 1] == '\n')
			s->start[s->nr++] = i;
	s->start[s->nr] = s->size;
	return 0;
}

int source_open(struct debug *dbg, const char *file, const char *where,
		struct diag *d, struct source **ret)
{
	_cleanup_(source_freep) struct source *s = calloc(1, sizeof(*s));
	_cleanup_close_ int fd = -1;
	int err;

	if (!s)
		return diag_no_memory(d);
	if (!where)
		fd = open_path(file);
	else
		fd = strchr(where, '=') ? open_mapped(where, file) :
					  open_below(where, file);
	err = fd < 0 ? -errno : read_text(fd, s);
	if (!err)
		err = split(s);
	if (err == -ENOMEM)
		return diag_no_memory(d);
	if (err) {
		diag_set(d, err, DIAG_DEBUG_SOURCE, file, strerror(-err));
		diag_hint(d, "say with -s DIR, or -s OLD=NEW, where the source is");
		return err;
	}
	*ret = take_ptr(s);
	return 0;
}

void source_free(struct source *s)
{
	if (!s)
		return;
	free(s->text);
	free(s->start);
	free(s);
}

const char *source_line(const struct source *s, int nr, size_t *length)
{
	size_t start, end;

	if (nr < 1 || (size_t)nr > s->nr)
		return NULL;
	start = s->start[nr - 1];
	end = s->start[nr];
	while (end > start && (s->text[end - 1] == '\n' ||
			       s->text[end - 1] == '\r'))
		end--;
	*length = end - start;
	return s->text + start;
}

static void put_solid(struct buf *b, const char *text, size_t length)
{
	for (; length; text++, length--)
		if (*text != ' ' && *text != '\t')
			buf_putc(b, *text);
}

/* A pattern without a star at its ends may stand anywhere in the line. */
bool source_matches(const struct source *s, int nr, const char *pattern)
{
	_cleanup_buf_ struct buf line = BUF_INIT, glob = BUF_INIT;
	size_t length;
	const char *text = source_line(s, nr, &length);

	if (!text)
		return false;
	put_solid(&line, text, length);
	put_solid(&glob, pattern, strlen(pattern));
	return !line.failed && !glob.failed &&
	       !fnmatch(buf_str(&glob), buf_str(&line), 0);
}
