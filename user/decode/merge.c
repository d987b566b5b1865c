// SPDX-License-Identifier: GPL-2.0
/*
 * All CPUs of a recording in the order of time: a heap holds the next event of
 * each. The values of an event are taken out only when it is its turn.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "decode/decoder.h"
#include "decode/turns.h"

DEFINE_CLEANUP(struct decoder, decoder_destroy)

#define NO_BATCH UINT32_MAX

/* Batches between two looks at what is behind us. */
#define FORGET_EVERY 64

/**
 * struct lane - one CPU
 * @cursor: its records
 * @batch: index of the batch at hand
 * @ahead: first batch behind it that starts a sub-buffer, or NO_BATCH
 * @anchor: clocks there
 * @anchored: they could be read
 */
struct lane {
	struct cursor *cursor;
	uint32_t batch;
	uint32_t ahead;
	struct clock_pair anchor;
	bool anchored;
};

/**
 * struct merge - a recording that is being decoded
 * @f: recording
 * @dec: its probes and cursors
 * @lanes: by CPU
 * @next: by batch: the next one of its CPU, or NO_BATCH
 * @turns: lanes that have an event
 * @switches: batches begun since pages were let go
 * @summary: what was found
 */
struct merge {
	struct datafile *f;
	struct decoder *dec;
	struct lane *lanes;
	uint32_t *next;
	struct turns turns;
	unsigned int switches;
	struct decode_summary *summary;
};

/* ---- lanes ---- */

static void forget(struct merge *m)
{
	const unsigned char *oldest = m->f->bytes + m->f->size, *data;
	unsigned int cpu;

	if (++m->switches < FORGET_EVERY)
		return;
	m->switches = 0;
	for (cpu = 0; cpu < m->dec->nr_cpus; cpu++) {
		if (!m->lanes[cpu].cursor || m->lanes[cpu].batch == NO_BATCH)
			continue;
		data = m->f->batches[m->lanes[cpu].batch].data;
		if (data < oldest)
			oldest = data;
	}
	datafile_forget(m->f, oldest);
}

/* Find the next sub-buffer of the lane behind @batch. */
static void look_ahead(struct merge *m, struct lane *l, uint32_t batch)
{
	const struct datafile_batch *b;

	while ((batch = m->next[batch]) != NO_BATCH) {
		b = &m->f->batches[batch];
		if (b->position % m->dec->subbuf_size == 0)
			break;
	}
	l->ahead = batch;
	l->anchored = batch != NO_BATCH &&
		      cursor_peek(l->cursor, &m->f->batches[batch], &l->anchor);
}

static int begin_batch(struct merge *m, struct lane *l)
{
	const struct datafile_batch *b = &m->f->batches[l->batch];

	if (l->batch == l->ahead)
		look_ahead(m, l, l->batch);
	forget(m);
	return cursor_begin(l->cursor, b, &m->dec->track,
			    l->anchored ? &l->anchor : NULL);
}

/* Go to the lane's next event; false: it has none. */
static bool lane_next(struct merge *m, struct lane *l)
{
	int more = cursor_next(l->cursor);

	while (more <= 0) {
		m->summary->damaged += more < 0;
		l->batch = m->next[l->batch];
		if (l->batch == NO_BATCH)
			return false;
		more = begin_batch(m, l);
		if (!more)
			more = cursor_next(l->cursor);
	}
	return true;
}

/* Begin the lane at its first batch. */
static void lane_start(struct merge *m, struct lane *l)
{
	int err;

	l->ahead = l->batch;
	err = begin_batch(m, l);
	m->summary->damaged += err < 0;
	if (lane_next(m, l))
		turns_add(&m->turns, l->cursor);
}

/* ---- the recording ---- */

/* Chain the batches of every CPU, from the last to the first. */
static int link_batches(struct merge *m)
{
	struct datafile *f = m->f;
	struct lane *l;
	size_t i;

	for (i = f->nr_batches; i--;) {
		l = &m->lanes[f->batches[i].cpu];
		m->next[i] = l->cursor ? l->batch : NO_BATCH;
		l->batch = i;
		l->cursor = decoder_cursor(m->dec, f->batches[i].cpu);
		if (!l->cursor)
			return -ENOMEM;
	}
	return 0;
}

static int hand_on(struct merge *m, struct cursor *c, event_fn fn, void *ctx)
{
	struct decode_summary *s = m->summary;

	if (!decoder_event(m->dec, c)) {
		s->damaged++;
		return 0;
	}
	summary_add(s, c);
	return fn(ctx, &c->event);
}

static int merge_run(struct merge *m, event_fn fn, void *ctx)
{
	unsigned int cpu;
	struct lane *l;
	int err;

	for (cpu = 0; cpu < m->dec->nr_cpus; cpu++)
		if (m->lanes[cpu].cursor)
			lane_start(m, &m->lanes[cpu]);
	while (m->turns.nr) {
		l = &m->lanes[m->turns.heap[0].cpu];
		err = hand_on(m, l->cursor, fn, ctx);
		if (err)
			return err;
		if (lane_next(m, l))
			turns_replace(&m->turns, l->cursor);
		else
			turns_remove(&m->turns);
	}
	return 0;
}

static int make_decoder(const struct datafile *f, struct diag *d,
			struct decoder **ret)
{
	_cleanup_(decoder_destroyp) struct decoder *dec = NULL;
	const struct datafile_probe *p;
	size_t i;
	int err;

	err = decoder_create(&f->machine, d, &dec);
	for (i = 0; !err && i < f->nr_probes; i++) {
		p = &f->probes[i];
		err = decoder_probe(dec, p->id, p->name, p->blob, p->blob_size, d);
	}
	if (err)
		return err;
	for (i = 0; i < f->nr_clocks; i++)
		decoder_clock(dec, &f->clocks[i]);
	for (i = 0; !err && i < f->nr_stacks; i++)
		err = decoder_stacks(dec, f->stacks[i].data, f->stacks[i].size, d);
	if (err)
		return err;
	*ret = take_ptr(dec);
	return 0;
}

int decode_file(struct datafile *f, event_fn fn, void *ctx,
		struct decode_summary *summary, struct diag *d)
{
	_cleanup_(decoder_destroyp) struct decoder *dec = NULL;
	_cleanup_free_ struct lane *lanes = NULL;
	_cleanup_free_ uint32_t *next = NULL;
	_cleanup_free_ struct turn *heap = NULL;
	struct merge m = { .f = f, .summary = summary };
	int err;

	*summary = (struct decode_summary){ .events = summary->events };
	err = make_decoder(f, d, &dec);
	if (err)
		return err;
	lanes = calloc(dec->nr_cpus, sizeof(*lanes));
	heap = calloc(dec->nr_cpus, sizeof(*heap));
	next = malloc((f->nr_batches + 1) * sizeof(*next));
	if (!lanes || !heap || !next || f->nr_batches >= NO_BATCH)
		return diag_no_memory(d);
	m.dec = dec;
	m.lanes = lanes;
	m.turns.heap = heap;
	m.next = next;
	if (link_batches(&m))
		return diag_no_memory(d);
	return merge_run(&m, fn, ctx);
}
