// SPDX-License-Identifier: GPL-2.0
/*
 * Where events go: lines are collected and written many at a time. Knows time
 * and output; the look of a line is text.c's and jsonl.c's.
 */
#include "export/sink.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "export/line.h"

#define SINK_CHUNK	(64 * 1024)

/* Tasks whose texts are kept: those that ran last, on as many CPUs. */
#define SINK_TASKS	16

/**
 * struct task_text - a task on a CPU, as lines have it
 * @cpu: CPU
 * @tid: thread
 * @tgid: process
 * @comm: name
 * @text: what the format makes of them; empty: there was none yet
 */
struct task_text {
	unsigned int cpu;
	uint32_t tid;
	uint32_t tgid;
	char comm[KTAP_COMM_LEN];
	struct buf text;
};

/**
 * struct sink - an output
 * @out: file
 * @format: of lines
 * @time: how time is shown
 * @wall_offset: SINK_TIME_WALL
 * @second: SINK_TIME_WALL: that @date is of
 * @date: as text has it
 * @look: how values are shown
 * @first: SINK_TIME_REL: time of the first event
 * @started: there was one
 * @err: what an earlier write failed with
 * @tasks: by CPU
 * @faces: by shape, made when they are needed; the first one is for events that
 *	have none, and made anew each time
 * @nr_faces: how many
 * @buf: lines that are not written yet
 */
struct sink {
	FILE *out;
	const struct format *format;
	enum sink_time time;
	int64_t wall_offset;
	int64_t second;
	char date[LINE_DATE_MAX];
	struct look look;
	uint64_t first;
	bool started;
	int err;
	struct task_text tasks[SINK_TASKS];
	struct face *faces;
	size_t nr_faces;
	struct buf buf;
};

int sink_create(const struct sink_options *opt, struct diag *d,
		struct sink **ret)
{
	struct sink *s = calloc(1, sizeof(*s));

	if (!s)
		return diag_no_memory(d);
	s->out = opt->out;
	s->format = opt->json ? &format_json : &format_text;
	s->time = opt->time;
	s->wall_offset = opt->wall_offset;
	s->look = (struct look){
		.ks = opt->ks, .pretty = opt->pretty,
		.ints_text = opt->ints_text, .aligned = opt->aligned,
		.depth = opt->depth ? opt->depth : TYPED_DEPTH,
	};
	*ret = s;
	return 0;
}

void sink_symbols(struct sink *s, const struct ksyms *ks)
{
	s->look.ks = ks;
}

void sink_destroy(struct sink *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < SINK_TASKS; i++)
		buf_deinit(&s->tasks[i].text);
	for (i = 0; i < s->nr_faces; i++)
		face_deinit(&s->faces[i]);
	free(s->faces);
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

/* Many lines are of the same second. */
static const char *date_of(struct sink *s, int64_t ns)
{
	time_t second = ns / 1000000000;
	struct tm tm;

	if (s->time != SINK_TIME_WALL)
		return NULL;
	if (second != s->second || !*s->date) {
		if (!localtime_r(&second, &tm) ||
		    !strftime(s->date, sizeof(s->date), "%F %T", &tm))
			return NULL;
		s->second = second;
	}
	return s->date;
}

/* ---- what lines share ---- */

static const struct buf *task_of(struct sink *s, const struct event *e)
{
	struct task_text *t = &s->tasks[e->cpu % SINK_TASKS];

	if (t->text.size && t->cpu == e->cpu && t->tid == e->tid &&
	    t->tgid == e->tgid && !memcmp(t->comm, e->comm, sizeof(t->comm)))
		return &t->text;
	t->cpu = e->cpu;
	t->tid = e->tid;
	t->tgid = e->tgid;
	memcpy(t->comm, e->comm, sizeof(t->comm));
	buf_clear(&t->text);
	s->format->who(&t->text, e, &s->look);
	return t->text.failed ? NULL : &t->text;
}

static bool make_room(struct sink *s, unsigned int shape)
{
	size_t nr = s->nr_faces ? s->nr_faces : 8;
	struct face *faces;

	while (nr <= shape)
		nr *= 2;
	if (nr == s->nr_faces)
		return true;
	faces = reallocarray(s->faces, nr, sizeof(*faces));
	if (!faces)
		return false;
	memset(faces + s->nr_faces, 0, (nr - s->nr_faces) * sizeof(*faces));
	s->faces = faces;
	s->nr_faces = nr;
	return true;
}

static const struct face *face_of(struct sink *s, const struct event *e)
{
	struct face *f;

	if (e->shape >= s->nr_faces && !make_room(s, e->shape))
		return NULL;
	f = &s->faces[e->shape];
	if (f->nr_parts && e->shape)
		return f;
	face_deinit(f);
	s->format->face(f, e, &s->look);
	if (!f->text.failed)
		return f;
	face_deinit(f);
	return NULL;
}

static void put_hit(struct sink *s, const struct event *e, int64_t ns)
{
	const struct line l = {
		.ns = ns, .date = date_of(s, ns), .look = &s->look,
		.who = task_of(s, e),
		.face = face_of(s, e),
	};

	if (l.who && l.face)
		s->format->hit(&s->buf, e, &l);
	else
		s->buf.failed = true;
}

static void put_lost(struct sink *s, const struct event *e, int64_t ns)
{
	const struct line l = {
		.ns = ns, .date = date_of(s, ns), .look = &s->look,
	};

	s->format->lost(&s->buf, e, &l);
}

int sink_event(void *sink, const struct event *e)
{
	struct sink *s = sink;
	int64_t ns = time_of(s, e);

	if (e->lost)
		put_lost(s, e, ns);
	else
		put_hit(s, e, ns);
	return s->buf.size < SINK_CHUNK && !s->buf.failed ? 0 : write_lines(s);
}

int sink_flush(struct sink *s)
{
	return write_lines(s);
}
