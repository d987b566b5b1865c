/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Live events in the order of time. Rings are read one after the other, so
 * what comes from them is kept until no ring can hold anything older.
 */
#ifndef KTAP_CLI_QUEUE_H
#define KTAP_CLI_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "decode/decode.h"

/*
 * A hit reads the clock before anybody sees its record: an interrupt, or a
 * hypervisor that runs somebody else, may come between. So what is younger than
 * this when the rings are read may still get company from before it.
 */
#define QUEUE_SETTLED_NS 50000000

struct queue;

int queue_create(struct diag *d, struct queue **ret);
void queue_destroy(struct queue *q);

/* queue_event() - an event_fn: keeps a copy; ctx is the queue. */
int queue_event(void *queue, const struct event *event);

/**
 * queue_flush() - hand on what is old enough
 * @q: queue
 * @until: events after this moment stay (CLOCK_MONOTONIC, ns)
 * @fn: takes the events
 * @ctx: for @fn
 *
 * Return: 0, -ENOMEM, or what @fn said.
 */
int queue_flush(struct queue *q, uint64_t until, event_fn fn, void *ctx);

#endif /* KTAP_CLI_QUEUE_H */
