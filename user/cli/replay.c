// SPDX-License-Identifier: GPL-2.0
/*
 * As 'ktap trace' does with a session: batches wait for the CLOCK behind them,
 * which bounds their time, and events for the one that nothing comes before.
 */
#include "cli/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/queue.h"
#include "cli/say.h"
#include "util/array.h"
#include "util/cleanup.h"

/**
 * struct replay - a recording on its way
 * @out: lines
 * @summary: what was found
 * @decoder: bytes to events; NULL until the machine is known
 * @queue: events that wait
 * @batches: that wait, with copies of their bytes
 * @nr_batches: how many
 * @nr_probes: that the decoder knows
 * @symbols_size: bytes of the symbols that @out knows
 */
struct replay {
	struct output *out;
	struct decode_summary *summary;
	struct decoder *decoder;
	struct queue *queue;
	struct datafile_batch *batches;
	size_t nr_batches;
	size_t nr_probes;
	size_t symbols_size;
};

static int keep(struct replay *r, const struct datafile_batch *b)
{
	struct datafile_batch *all;
	void *copy;

	all = array_grow(r->batches, r->nr_batches, sizeof(*all));
	if (!all)
		return -ENOMEM;
	r->batches = all;
	copy = malloc(b->size + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, b->data, b->size);
	all[r->nr_batches] = *b;
	all[r->nr_batches++].data = copy;
	return 0;
}

static int count(void *ctx, const struct event *e)
{
	struct replay *r = ctx;

	if (e->lost)
		r->summary->lost += e->lost;
	else
		r->summary->total++;
	return queue_event(r->queue, e);
}

static int decode_waiting(struct replay *r)
{
	int err, ret = 0;

	for (size_t i = 0; i < r->nr_batches; i++) {
		const struct datafile_batch *b = &r->batches[i];

		err = ret ? 0 : decoder_batch(r->decoder, b->cpu, b->position,
					      b->data, b->size, count, r, NULL);
		/* of one that is cut the last record may not be whole */
		if (err == -EBADMSG)
			r->summary->damaged += !b->cut;
		else
			ret = err;
		free((void *)b->data);
	}
	r->nr_batches = 0;
	return ret;
}

static int show_until(struct replay *r, uint64_t mono, struct diag *d)
{
	int err;

	err = queue_flush(r->queue, mono, output_event, r->out);
	if (!err)
		err = output_flush(r->out);
	if (err == -ENOMEM)
		return diag_no_memory(d);
	return err && err != -EPIPE ? say_output(d, err) : err;
}

/* The first moment tells what day it was. */
static int take_clock(struct replay *r, const struct ktap_session_state *now,
		      struct diag *d)
{
	int err = 0;

	decoder_clock(r->decoder, now);
	if (!r->out->sink)
		err = output_open(r->out, now->real - now->mono, d);
	if (!err && decode_waiting(r))
		err = diag_no_memory(d);
	return err ? err : show_until(r, now->mono - QUEUE_SETTLED_NS, d);
}

static int take_symbols(struct replay *r, const struct datafile *f,
			struct diag *d)
{
	struct ksyms *ks = NULL;
	int err;

	err = ksyms_parse(f->symbols, f->symbols_size, d, &ks);
	if (err)
		return err;
	if (r->out->sink)
		sink_symbols(r->out->sink, ks);
	ksyms_free(r->out->ks);
	r->out->ks = ks;
	r->symbols_size = f->symbols_size;
	return 0;
}

static int take_section(void *ctx, const struct datafile *f, struct diag *d)
{
	struct replay *r = ctx;
	int err = 0;

	if (!r->decoder && f->machine.nr_cpus)
		err = decoder_create(&f->machine, d, &r->decoder);
	for (; !err && r->nr_probes < f->nr_probes; r->nr_probes++) {
		const struct datafile_probe *p = &f->probes[r->nr_probes];

		err = decoder_probe(r->decoder, p->id, p->name, p->blob,
				    p->blob_size, d);
	}
	for (size_t i = 0; !err && i < f->nr_batches; i++)
		if (keep(r, &f->batches[i]))
			err = diag_no_memory(d);
	if (!err && f->symbols_size > r->symbols_size)
		err = take_symbols(r, f, d);
	if (!err && f->nr_clocks)
		err = take_clock(r, &f->clocks[0], d);
	return err;
}

/* A recording that was cut has no CLOCK at its end. */
static int finish(struct replay *r, struct diag *d)
{
	int err = 0;

	if (!r->out->sink)
		err = output_open(r->out, 0, d);
	if (!err && r->decoder && decode_waiting(r))
		err = diag_no_memory(d);
	return err ? err : show_until(r, UINT64_MAX, d);
}

int replay(const char *path, struct output *out,
	   struct decode_summary *summary, struct diag *d,
	   struct datafile **ret)
{
	struct replay r = { .out = out, .summary = summary };
	int err;

	err = queue_create(d, &r.queue);
	if (!err)
		err = datafile_stream(path, take_section, &r, d, ret);
	if (!err)
		err = finish(&r, d);
	for (size_t i = 0; i < r.nr_batches; i++)
		free((void *)r.batches[i].data);
	free(r.batches);
	queue_destroy(r.queue);
	decoder_destroy(r.decoder);
	return err;
}
