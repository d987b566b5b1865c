// SPDX-License-Identifier: GPL-2.0
/*
 * As 'ktap trace' does with a session: batches wait for the CLOCK behind them, which
 * bounds their time, and for the one that nothing comes before.
 */
#include "cli/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "cli/say.h"

/**
 * struct replay - a recording on its way
 * @out: lines
 * @summary: what was found
 * @decoder: bytes to events; NULL until the machine is known
 * @live: events that wait
 * @nr_probes: that the decoder knows
 * @symbols_size: bytes of the symbols that @out knows
 */
struct replay {
	struct output *out;
	struct decode_summary *summary;
	struct decoder *decoder;
	struct live *live;
	size_t nr_probes;
	size_t symbols_size;
};

static int show_until(struct replay *r, uint64_t mono, struct diag *d)
{
	int err = 0;

	if (r->live)
		err = live_flush(r->live, mono, output_event, r->out, d);
	if (!err)
		err = output_flush(r->out);
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
	return err ? err : show_until(r, now->mono - LIVE_SETTLED_NS, d);
}

static int take_symbols(struct replay *r, const struct datafile *f,
			struct diag *d)
{
	r->symbols_size = f->symbols_size;
	return output_symbols(r->out, f, d);
}

static int take_section(void *ctx, const struct datafile *f, struct diag *d)
{
	struct replay *r = ctx;
	int err = 0;

	if (!r->decoder && f->machine.nr_cpus) {
		err = decoder_create(&f->machine, d, &r->decoder);
		if (!err)
			err = live_create(r->decoder, r->summary, d, &r->live);
	}
	for (; !err && r->nr_probes < f->nr_probes; r->nr_probes++) {
		const struct datafile_probe *p = &f->probes[r->nr_probes];

		err = decoder_probe(r->decoder, p->id, p->name, p->blob,
				    p->blob_size, d);
	}
	for (size_t i = 0; !err && i < f->nr_stacks; i++)
		err = decoder_stacks(r->decoder, f->stacks[i].data,
				     f->stacks[i].size, d);
	for (size_t i = 0; !err && i < f->nr_batches; i++)
		err = live_batch(r->live, &f->batches[i], d);
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
	return err ? err : show_until(r, UINT64_MAX, d);
}

int replay(const char *path, struct output *out,
	   struct decode_summary *summary, struct diag *d,
	   struct datafile **ret)
{
	struct replay r = { .out = out, .summary = summary };
	int err;

	err = datafile_stream(path, take_section, &r, d, ret);
	if (!err)
		err = finish(&r, d);
	live_destroy(r.live);
	decoder_destroy(r.decoder);
	return err;
}
