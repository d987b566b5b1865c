// SPDX-License-Identifier: GPL-2.0
/*
 * Where events go: lines are collected and written many at a time. Knows time
 * and output; the look of a line is text.c's and jsonl.c's.
 */
#include "export/sink.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "export/line.h"

#define SINK_CHUNK	(64 * 1024)

/**
 * struct sink - an output
 * @out: file
 * @line: format
 * @time: how time is shown
 * @wall_offset: SINK_TIME_WALL
 * @look: how values are shown
 * @first: SINK_TIME_REL: time of the first event
 * @started: there was one
 * @err: what an earlier write failed with
 * @buf: lines that are not written yet
 */
struct sink {
	FILE *out;
	line_fn line;
	enum sink_time time;
	int64_t wall_offset;
	struct look look;
	uint64_t first;
	bool started;
	int err;
	struct buf buf;
};

int sink_create(const struct sink_options *opt, struct diag *d,
		struct sink **ret)
{
	struct sink *s = calloc(1, sizeof(*s));

	if (!s)
		return diag_no_memory(d);
	s->out = opt->out;
	s->line = opt->json ? line_json : line_text;
	s->time = opt->time;
	s->wall_offset = opt->wall_offset;
	s->look = (struct look){
		.ks = opt->ks, .pretty = opt->pretty,
		.depth = opt->depth ? opt->depth : TYPED_DEPTH,
	};
	*ret = s;
	return 0;
}

void sink_destroy(struct sink *s)
{
	if (!s)
		return;
	buf_deinit(&s->buf);
	free(s);
}

/* stdio would lose what a signal interrupts, so it is gone around. */
static int write_file(int fd, const char *data, size_t size)
{
	struct pollfd ready = { .fd = fd, .events = POLLOUT };
	ssize_t done;

	while (size) {
		done = write(fd, data, size);
		if (done < 0 && errno == EAGAIN)
			poll(&ready, 1, -1);
		else if (done < 0 && errno != EINTR)
			return -errno;
		if (done > 0) {
			data += done;
			size -= done;
		}
	}
	return 0;
}

/* A stream without a descriptor, such as one in memory. */
static int write_stream(FILE *out, const char *data, size_t size)
{
	errno = EIO;
	return fwrite(data, 1, size, out) == size && !fflush(out) ? 0 : -errno;
}

static int write_lines(struct sink *s)
{
	int fd = fileno(s->out);

	if (s->err)
		return s->err;
	if (s->buf.failed)
		s->err = -ENOMEM;
	else if (fflush(s->out))
		s->err = -errno;
	else if (fd >= 0)
		s->err = write_file(fd, s->buf.data, s->buf.size);
	else
		s->err = write_stream(s->out, s->buf.data, s->buf.size);
	buf_clear(&s->buf);
	return s->err;
}

static int64_t time_of(struct sink *s, const struct event *e)
{
	switch (s->time) {
	case SINK_TIME_WALL:
		return e->mono + s->wall_offset;
	case SINK_TIME_REL:
		if (!s->started)
			s->first = e->mono;
		s->started = true;
		return e->mono - s->first;
	default:
		return e->mono;
	}
}

int sink_event(void *sink, const struct event *e)
{
	struct sink *s = sink;

	s->line(&s->buf, e, time_of(s, e), &s->look);
	return s->buf.size < SINK_CHUNK && !s->buf.failed ? 0 : write_lines(s);
}

int sink_flush(struct sink *s)
{
	return write_lines(s);
}
