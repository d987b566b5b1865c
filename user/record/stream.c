// SPDX-License-Identifier: GPL-2.0
/*
 * A recording that comes through a pipe, section by section, while it is made.
 * What a section says of itself is believed only as far as bytes arrive.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/whole.h"
#include "record/reader.h"

/* What is read at once, so that a length alone takes no memory. */
#define STEP (1UL << 20)

/* No ring gives that many at once, and no list of symbols is as long. */
#define SECTION_MAX (1UL << 30)

/**
 * struct stream - where in the stream we are
 * @fd: pipe, or -1
 * @from: where the recording comes from
 * @buf: bytes of the section at hand
 * @at: offset of the section in the stream
 * @r: takes sections
 */
struct stream {
	int fd;
	const struct datafile_source *from;
	struct buf buf;
	uint64_t at;
	struct reader r;
};

bool datafile_is_pipe(const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	struct stat st;

	if (is_stdin ? fstat(STDIN_FILENO, &st) : stat(path, &st))
		return false;
	return S_ISFIFO(st.st_mode) || (is_stdin && S_ISSOCK(st.st_mode));
}

static ssize_t read_some(const struct stream *s, void *to, size_t size)
{
	ssize_t n;

	if (s->from->read)
		return s->from->read(s->from->ctx, to, size);
	do {
		n = read(s->fd, to, size);
	} while (n < 0 && io_again(s->fd, POLLIN));
	return n < 0 ? -errno : n;
}

/* Until @s->buf has @size bytes, or the stream ends. Return: 0, negative. */
static int fill(struct stream *s, uint64_t size, struct diag *d)
{
	while (s->buf.size < size) {
		size_t more = size - s->buf.size < STEP ? size - s->buf.size :
							  STEP;
		char *to = buf_room(&s->buf, more);
		ssize_t n;

		if (!to)
			return diag_no_memory(d);
		n = read_some(s, to, more);
		if (n < 0 && n != -EINTR)
			return diag_set(d, n, DIAG_RECORD_OPEN, s->from->path,
					strerror(-n));
		if (!n)
			break;
		buf_end(&s->buf, to + (n > 0 ? n : 0));
	}
	return 0;
}

static int read_head(struct stream *s, struct diag *d)
{
	struct ktap_data_head h;
	int err;

	err = fill(s, sizeof(h), d);
	if (!err && s->buf.size >= sizeof(h)) {
		memcpy(&h, s->buf.data, sizeof(h));
		/* what is not ours is refused below, before more is read */
		if (h.size > sizeof(h) && h.size <= FILE_HEAD_MAX)
			err = fill(s, h.size, d);
	}
	if (!err)
		err = reader_head(&s->r, s->from->path, s->buf.data, s->buf.size, d);
	s->at = s->buf.size;
	return err;
}

/* The bytes of the next section. Return: 0, negative. */
static int read_bytes(struct stream *s, struct diag *d)
{
	struct ktap_data_section head;
	int err;

	buf_clear(&s->buf);
	err = fill(s, sizeof(head), d);
	if (err || s->buf.size < sizeof(head))
		return err;
	memcpy(&head, s->buf.data, sizeof(head));
	/* where the head is damaged its length means nothing */
	if (file_section_sum(s->r.version, &head) != head.head_sum ||
	    head.length > SECTION_MAX)
		return 0;
	return fill(s, sizeof(head) + head.length + file_padding(head.length),
		    d);
}

/* Names and layouts of probes, and rows of maps, are wanted later: their bytes stay. */
static int keep_bytes(struct stream *s, size_t nr_wanted)
{
	struct datafile *f = s->r.f;
	void **kept;

	if (f->nr_probes + f->nr_maps == nr_wanted)
		return 0;
	kept = array_grow(f->kept, f->nr_kept, sizeof(*f->kept));
	if (!kept)
		return -ENOMEM;
	f->kept = kept;
	f->kept[f->nr_kept++] = buf_take(&s->buf);
	return 0;
}

/* Return: 1 to go on, 0 at the end, negative. */
static int next_section(struct stream *s, datafile_section_fn fn, void *ctx,
			struct diag *d)
{
	struct datafile *f = s->r.f;
	size_t nr_wanted = f->nr_probes + f->nr_maps;
	int more, err;

	err = read_bytes(s, d);
	if (err)
		return err;
	f->bytes = (const unsigned char *)buf_str(&s->buf);
	f->size = s->buf.size;
	s->r.at = 0;
	more = reader_section(&s->r);
	if (more < 0)
		return diag_no_memory(d);
	if (!f->complete && !more)
		f->cut_at += s->at;
	s->at += f->size;
	err = fn(ctx, f, d);
	f->nr_batches = 0;
	f->nr_clocks = 0;
	f->nr_stacks = 0;
	if (!err && keep_bytes(s, nr_wanted))
		err = diag_no_memory(d);
	return err ? err : more && !f->complete;
}

/* @ret: stays -1 where a function reads */
static int open_pipe(const struct datafile_source *from, struct diag *d, int *ret)
{
	const char *path = from->path;

	if (from->read)
		return 0;
	*ret = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) :
				   fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	return *ret < 0 ? diag_set(d, -errno, DIAG_RECORD_OPEN, path,
				   strerror(errno)) : 0;
}

int datafile_stream(const struct datafile_source *from, datafile_section_fn fn,
		    void *ctx, struct diag *d, struct datafile **ret)
{
	_cleanup_(datafile_closep) struct datafile *f = calloc(1, sizeof(*f));
	_cleanup_close_ int fd = -1;
	struct stream s = { .from = from, .r = { .f = f } };
	int more;

	more = open_pipe(from, d, &fd);
	if (more)
		return more;
	s.fd = fd;
	if (!f)
		return diag_no_memory(d);
	more = read_head(&s, d);
	if (!more)
		do
			more = next_section(&s, fn, ctx, d);
		while (more > 0);
	buf_deinit(&s.buf);
	f->bytes = NULL;
	f->size = s.at;
	if (more < 0)
		return more;
	if (!s.r.machine)
		return reader_no_machine(from->path, f, d);
	*ret = take_ptr(f);
	return 0;
}
