// SPDX-License-Identifier: GPL-2.0
/*
 * Where events go: what an exporter makes of them is collected and written in
 * large pieces. Knows output; the form is the exporter's.
 */
#include "export/sink.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "export/exporter.h"

#define SINK_CHUNK	(64 * 1024)

/**
 * struct sink - an output
 * @out: file
 * @exporter: form of the output
 * @x: what the exporter works on
 * @ended: the exporter was told that no more events come
 * @err: what an earlier write failed with
 */
struct sink {
	FILE *out;
	const struct exporter *exporter;
	struct exporting x;
	bool ended;
	int err;
};

static const struct exporter *const exporters[] = {
	&exporter_text, &exporter_json,
};

const struct exporter *exporter_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(exporters); i++)
		if (!strcmp(exporters[i]->name, name))
			return exporters[i];
	return NULL;
}

/* What the exporter does not declare has its default. */
static struct sink_options options_for(const struct exporter *exporter,
				       const struct sink_options *opt)
{
	struct sink_options ret = { .out = opt->out, .exporter = exporter };
	unsigned int has = exporter->options;

	if (has & EXPORTER_TIME) {
		ret.time = opt->time;
		ret.wall_offset = opt->wall_offset;
	}
	if (has & EXPORTER_SYMBOLS)
		ret.ks = opt->ks;
	if (has & EXPORTER_DEPTH)
		ret.depth = opt->depth;
	ret.pretty = has & EXPORTER_PRETTY && opt->pretty;
	ret.aligned = has & EXPORTER_ALIGNED && opt->aligned;
	ret.ints_text = has & EXPORTER_INTS && opt->ints_text;
	return ret;
}

int sink_create(const struct sink_options *opt, struct diag *d,
		struct sink **ret)
{
	const struct exporter *exporter = opt->exporter ? opt->exporter :
							  &exporter_text;
	struct sink *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return diag_no_memory(d);
	s->out = opt->out;
	s->exporter = exporter;
	s->x.opt = options_for(exporter, opt);
	s->x.state = calloc(1, exporter->state_size);
	err = s->x.state ? exporter->begin(&s->x) : -ENOMEM;
	if (err) {
		free(s->x.state);
		free(s);
		return diag_no_memory(d);
	}
	*ret = s;
	return 0;
}

void sink_symbols(struct sink *s, const struct ksyms *ks)
{
	if (s->exporter->options & EXPORTER_SYMBOLS)
		s->x.opt.ks = ks;
}

static void end(struct sink *s)
{
	if (!s->ended)
		s->exporter->end(&s->x);
	s->ended = true;
}

void sink_destroy(struct sink *s)
{
	if (!s)
		return;
	end(s);
	free(s->x.state);
	buf_deinit(&s->x.out);
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

	if (s->x.out.failed)
		s->err = -ENOMEM;
	else if (fflush(s->out))
		s->err = -errno;
	else if (fd >= 0)
		s->err = write_file(fd, s->x.out.data, s->x.out.size);
	else
		s->err = write_stream(s->out, s->x.out.data, s->x.out.size);
	buf_clear(&s->x.out);
	return s->err;
}

int sink_event(void *sink, const struct event *e)
{
	struct sink *s = sink;

	if (s->err)
		return s->err;
	s->exporter->event(&s->x, e);
	return s->x.out.size < SINK_CHUNK && !s->x.out.failed ? 0 :
								write_lines(s);
}

int sink_flush(struct sink *s)
{
	return s->err ? s->err : write_lines(s);
}

int sink_end(struct sink *s)
{
	end(s);
	return s->err ? s->err : write_lines(s);
}
