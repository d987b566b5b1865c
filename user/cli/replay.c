// SPDX-License-Identifier: GPL-2.0
/*
 * As 'ktap trace' does with a session: batches wait for the CLOCK behind them, which
 * bounds their time, and for the one that nothing comes before.
 */
#include "cli/replay.h"

#include <errno.h>

#include "cli/say.h"

/**
 * struct replay - a recording on its way
 * @ops: functions that take it
 * @ctx: for @ops
 * @summary: what was found
 * @decoder: bytes to events; NULL until the machine is known
 * @live: events that wait
 * @nr_probes: that the decoder knows
 * @symbols_size: bytes of the symbols that were handed on
 * @begun: @ops->begin was called
 */
struct replay {
	const struct replay_ops *ops;
	void *ctx;
	struct decode_summary *summary;
	struct decoder *decoder;
	struct live *live;
	size_t nr_probes;
	size_t symbols_size;
	bool begun;
};

static int begin(struct replay *r, int64_t wall, struct diag *d)
{
	if (r->begun)
		return 0;
	r->begun = true;
	return r->ops->begin ? r->ops->begin(r->ctx, wall, d) : 0;
}

static int show_until(struct replay *r, uint64_t mono, struct diag *d)
{
	int err = 0;

	if (r->live)
		err = live_flush(r->live, mono, r->ops->event, r->ctx, d);
	if (!err && r->ops->flush)
		err = r->ops->flush(r->ctx);
	return err && err != -EPIPE && !d->code ? say_output(d, err) : err;
}

static int take_section(void *ctx, const struct datafile *f, struct diag *d)
{
	struct replay *r = ctx;
	int err = 0;

	if (!r->decoder && f->machine.nr_cpus) {
		err = decoder_create(&f->machine, d, &r->decoder);
		if (!err)
			err = live_create(r->decoder, r->summary, d, &r->live);
		if (!err && r->ops->decodes)
			r->ops->decodes(r->ctx, r->decoder);
	}
	for (; !err && r->nr_probes < f->nr_probes; r->nr_probes++) {
		const struct datafile_probe *p = &f->probes[r->nr_probes];

		err = r->ops->probe ? r->ops->probe(r->ctx, p, d) : 0;
		if (!err)
			err = decoder_probe(r->decoder, p->id, p->name, p->blob,
					    p->blob_size, d);
	}
	for (size_t i = 0; !err && i < f->nr_stacks; i++)
		err = decoder_stacks(r->decoder, f->stacks[i].data,
				     f->stacks[i].size, d);
	for (size_t i = 0; !err && i < f->nr_batches; i++)
		err = live_batch(r->live, &f->batches[i], d);
	if (!err && f->symbols_size > r->symbols_size) {
		r->symbols_size = f->symbols_size;
		err = r->ops->symbols(r->ctx, f, d);
	}
	if (!err && f->nr_clocks) {
		const struct ktap_session_state *now = &f->clocks[0];

		decoder_clock(r->decoder, now);
		err = begin(r, now->real - now->mono, d);
		if (!err)
			err = show_until(r, now->mono - LIVE_SETTLED_NS, d);
	}
	return err;
}

int replay(const struct datafile_source *from, const struct replay_ops *ops,
	   void *ctx, struct decode_summary *summary, struct diag *d,
	   struct datafile **ret)
{
	struct replay r = { .ops = ops, .ctx = ctx, .summary = summary };
	int err;

	err = datafile_stream(from, take_section, &r, d, ret);
	/* a recording that was cut has no CLOCK at its end */
	if (!err)
		err = begin(&r, 0, d);
	if (!err)
		err = show_until(&r, UINT64_MAX, d);
	if (!err && ops->end)
		err = ops->end(ctx, *ret, r.decoder, d);
	if (err > 0) {
		summary->damaged++;
		err = 0;
	}
	live_destroy(r.live);
	decoder_destroy(r.decoder);
	return err;
}
