// SPDX-License-Identifier: GPL-2.0
/*
 * Live events of all CPUs in the order of time. Rings are read one after the other, so
 * what comes from them waits as bytes until no ring can hold anything older; then it is
 * decoded once, and handed on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decoder.h"
#include "decode/turns.h"

/* struct piece - a batch that waits */
struct piece {
	struct piece *next;
	struct datafile_batch b;
	unsigned char data[];
};

/**
 * struct lane - one CPU
 * @at: batch that its cursor is in; NULL: none
 * @first: those that follow
 * @last: where the next one is linked
 * @has_turn: its cursor is at an event
 */
struct lane {
	struct piece *at;
	struct piece *first;
	struct piece **last;
	bool has_turn;
};

/**
 * struct live - events that wait
 * @dec: its probes and cursors
 * @lanes: by CPU
 * @turns: lanes whose cursor is at an event
 * @summary: what was found
 * @err: of the flush at work: something made no sense
 */
struct live {
	struct decoder *dec;
	struct lane *lanes;
	struct turns turns;
	struct decode_summary *summary;
	int err;
};

int live_create(struct decoder *dec, struct decode_summary *summary,
		struct diag *d, struct live **ret)
{
	struct live *l = calloc(1, sizeof(*l));

	if (!l)
		return diag_no_memory(d);
	*l = (struct live){ .dec = dec, .summary = summary };
	l->lanes = calloc(dec->nr_cpus, sizeof(*l->lanes));
	l->turns.heap = calloc(dec->nr_cpus, sizeof(*l->turns.heap));
	if (!l->lanes || !l->turns.heap) {
		live_destroy(l);
		return diag_no_memory(d);
	}
	for (unsigned int cpu = 0; cpu < dec->nr_cpus; cpu++)
		l->lanes[cpu].last = &l->lanes[cpu].first;
	*ret = l;
	return 0;
}

static void free_pieces(struct piece *p)
{
	while (p) {
		struct piece *next = p->next;

		free(p);
		p = next;
	}
}

void live_destroy(struct live *l)
{
	if (!l)
		return;
	for (unsigned int cpu = 0; l->lanes && cpu < l->dec->nr_cpus; cpu++) {
		free(l->lanes[cpu].at);
		free_pieces(l->lanes[cpu].first);
	}
	free(l->lanes);
	free(l->turns.heap);
	free(l);
}

int live_batch(struct live *l, const struct datafile_batch *b, struct diag *d)
{
	struct lane *lane;
	struct piece *p;

	if (b->cpu >= l->dec->nr_cpus && !l->summary)
		return decoder_bad_cpu(l->dec, b->cpu, d);
	if (b->cpu >= l->dec->nr_cpus) {
		l->summary->damaged++;
		return 0;
	}
	p = malloc(sizeof(*p) + b->size);
	if (!p || !decoder_cursor(l->dec, b->cpu)) {
		free(p);
		return diag_no_memory(d);
	}
	p->next = NULL;
	p->b = *b;
	memcpy(p->data, b->data, b->size);
	p->b.data = p->data;
	lane = &l->lanes[b->cpu];
	*lane->last = p;
	lane->last = &p->next;
	return 0;
}

/* The next batch becomes the one at hand; false: there is none. */
static bool next_piece(struct lane *lane)
{
	free(lane->at);
	lane->at = lane->first;
	if (!lane->at)
		return false;
	lane->first = lane->at->next;
	if (!lane->first)
		lane->last = &lane->first;
	return true;
}

/*
 * What makes no sense is skipped. It is counted, or without a summary the first of it is
 * the error of the flush.
 */
static void bad_batch(struct live *l, const struct piece *p, struct diag *d)
{
	/* of one that is cut the last record may not be whole */
	if (l->summary)
		l->summary->damaged += !p->b.cut;
	else if (!l->err)
		l->err = decoder_bad_batch(&p->b, d);
}

static void bad_record(struct live *l, const struct cursor *c, struct diag *d)
{
	if (l->summary)
		l->summary->damaged++;
	else if (!l->err)
		l->err = decoder_bad_record(c, d);
}

/* Go to the lane's next event; false: it has none. */
static bool lane_next(struct live *l, struct lane *lane, struct cursor *c,
		      struct diag *d)
{
	int more = lane->at ? cursor_next(c) : 0;

	while (more <= 0) {
		if (more)
			bad_batch(l, lane->at, d);
		if (!next_piece(lane))
			return false;
		more = cursor_begin(c, &lane->at->b, &l->dec->track, NULL);
		if (!more)
			more = cursor_next(c);
	}
	return true;
}

/* Lanes that had run dry may have got something. */
static void wake_lanes(struct live *l, struct diag *d)
{
	for (unsigned int cpu = 0; cpu < l->dec->nr_cpus; cpu++) {
		struct lane *lane = &l->lanes[cpu];
		struct cursor *c = l->dec->cursors[cpu];

		if (lane->has_turn || !lane->first)
			continue;
		lane->has_turn = lane_next(l, lane, c, d);
		if (lane->has_turn)
			turns_add(&l->turns, c);
	}
}

static int hand_on(struct live *l, struct cursor *c, event_fn fn, void *ctx,
		   struct diag *d)
{
	if (!decoder_event(l->dec, c)) {
		bad_record(l, c, d);
		return 0;
	}
	if (l->summary)
		summary_add(l->summary, c);
	return fn(ctx, &c->event);
}

int live_flush(struct live *l, uint64_t until, event_fn fn, void *ctx,
	       struct diag *d)
{
	l->err = 0;
	wake_lanes(l, d);
	while (l->turns.nr && l->turns.heap[0].mono <= until) {
		unsigned int cpu = l->turns.heap[0].cpu;
		struct cursor *c = l->dec->cursors[cpu];
		int err = hand_on(l, c, fn, ctx, d);

		if (err)
			return err;
		l->lanes[cpu].has_turn = lane_next(l, &l->lanes[cpu], c, d);
		if (l->lanes[cpu].has_turn)
			turns_replace(&l->turns, c);
		else
			turns_remove(&l->turns);
	}
	return l->err;
}
