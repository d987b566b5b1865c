// SPDX-License-Identifier: GPL-2.0
/*
 * What exporters share that write one line for each event: times, and the parts
 * of lines that are the same for many events. The look of a line is text.c's and
 * jsonl.c's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "export/line.h"

int lines_begin(struct exporting *x, const struct format *format)
{
	const struct sink_options *opt = &x->opt;
	struct lines *s = x->state;

	s->format = format;
	s->time = opt->time;
	s->wall_offset = opt->wall_offset;
	s->look = (struct look){
		.pretty = opt->pretty, .ints_text = opt->ints_text,
		.aligned = opt->aligned,
		.depth = opt->depth ? opt->depth : TYPED_DEPTH,
	};
	return 0;
}

void lines_end(struct exporting *x)
{
	struct lines *s = x->state;

	for (size_t i = 0; i < TASKS; i++)
		buf_deinit(&s->tasks[i].text);
	for (size_t i = 0; i < s->nr_faces; i++)
		face_deinit(&s->faces[i]);
	free(s->faces);
	s->faces = NULL;
	s->nr_faces = 0;
}

static int64_t time_of(struct lines *s, const struct event *e)
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
static const char *date_of(struct lines *s, int64_t ns)
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

static const struct buf *task_of(struct lines *s, const struct event *e)
{
	struct task_text *t = &s->tasks[e->cpu % TASKS];

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

static bool make_room(struct lines *s, unsigned int shape)
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

static const struct face *face_of(struct lines *s, const struct event *e)
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

static void put_hit(struct lines *s, struct buf *out, const struct event *e,
		    int64_t ns)
{
	const struct line l = {
		.ns = ns, .date = date_of(s, ns), .look = &s->look,
		.who = task_of(s, e),
		.face = face_of(s, e),
	};

	if (l.who && l.face)
		s->format->hit(out, e, &l);
	else
		out->failed = true;
}

static void put_lost(struct lines *s, struct buf *out, const struct event *e,
		     int64_t ns)
{
	const struct line l = {
		.ns = ns, .date = date_of(s, ns), .look = &s->look,
	};

	s->format->lost(out, e, &l);
}

static void put_mark(struct lines *s, struct buf *out, const struct event *e,
		     int64_t ns)
{
	const struct line l = {
		.ns = ns, .date = date_of(s, ns), .look = &s->look,
		.who = task_of(s, e),
	};

	if (l.who)
		s->format->mark(out, e, &l);
	else
		out->failed = true;
}

void lines_event(struct exporting *x, const struct event *e)
{
	struct lines *s = x->state;
	int64_t ns = time_of(s, e);

	s->look.ks = x->opt.ks;
	if (e->lost)
		put_lost(s, &x->out, e, ns);
	else if (e->mark)
		put_mark(s, &x->out, e, ns);
	else
		put_hit(s, &x->out, e, ns);
}
