// SPDX-License-Identifier: GPL-2.0
/* The rig's ring, read and decoded by the tool. */
#include "kring/decoded.h"

#include <stdlib.h>

#define NSEC_PER_SEC	1000000000ULL

void decoded_init(struct decoded *d, struct rig *rig, void *copy)
{
	*d = (struct decoded){
		.rig = rig,
		.track.hz = NSEC_PER_SEC,
	};
	cursor_init(&d->cursor, rig->prod->cpu, rig->subbuf);
	ring_init(&d->ring, &rig->cons, rig->prod, copy);
}

/* Losses are told in front of a record, at its time. */
static const char *take_lost(struct decoded *d)
{
	const struct event *e = &d->cursor.event;

	if (d->losses)
		return "losses told twice";
	d->losses = true;
	d->lost_at = e->mono;
	d->lost += e->lost;
	return NULL;
}

static const char *take_event(struct decoded *d)
{
	const struct cursor *c = &d->cursor;
	struct rig_body body;

	if (c->payload_size < sizeof(body))
		return "decoded record is too small";
	memcpy(&body, c->payload, sizeof(body));
	d->serial = body.serial;
	d->events++;
	if (c->event.mono != body.time + d->mono_offset)
		return "decoded record of another time";
	if (d->losses && d->lost_at != c->event.mono)
		return "decoded losses of another time";
	d->losses = false;
	if (c->event.tid != body.tid || c->event.tgid != body.tgid ||
	    memcmp(c->event.comm, body.comm, sizeof(body.comm)))
		return "decoded record of another task";
	if (d->event)
		d->event(d->ctx, body.serial);
	return NULL;
}

static const char *take_mark(struct decoded *d)
{
	const struct event *e = &d->cursor.event;

	if (e->mark_size >= sizeof(d->mark))
		return "decoded mark is too long";
	memcpy(d->mark, e->mark, e->mark_size);
	d->mark[e->mark_size] = '\0';
	d->marks++;
	if (d->losses && d->lost_at != e->mono)
		return "decoded losses of another time";
	d->losses = false;
	return NULL;
}

static int take_batch(void *ctx, unsigned int cpu, uint64_t position,
		      const void *data, size_t size)
{
	const struct datafile_batch batch = {
		.cpu = cpu, .position = position, .data = data, .size = size,
	};
	struct decoded *d = ctx;
	int more;

	if (cursor_begin(&d->cursor, &batch, &d->track, NULL))
		d->problem = "batch that cannot be decoded";
	while (!d->problem && (more = cursor_next(&d->cursor)))
		d->problem = more < 0 ? "record that cannot be decoded" :
			     d->cursor.event.lost ? take_lost(d) :
			     d->cursor.event.mark ? take_mark(d) : take_event(d);
	return d->problem ? -EBADMSG : 0;
}

const char *decoded_read(struct decoded *d)
{
	if (ring_read(&d->ring, take_batch, d) < 0 && !d->problem)
		d->problem = "ring that cannot be read";
	return d->problem;
}
