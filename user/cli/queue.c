// SPDX-License-Identifier: GPL-2.0
/*
 * Copies of events, sorted by time. A copy lives in one of two arenas: at a
 * flush the few events that stay move to the other one.
 */
#include "cli/queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE (256 * 1024)

/* struct chunk - a piece of an arena; pointers into it stay good */
struct chunk {
	struct chunk *next;
	size_t used;
	size_t size;
	char data[] __attribute__((aligned(16)));
};

struct item {
	uint64_t mono;
	size_t order;		/* of arrival, for events of one moment */
	struct event *event;
};

struct queue {
	struct chunk *arena[2];
	unsigned int active;
	struct item *items;
	size_t nr;
	size_t room;
	size_t arrived;
};

int queue_create(struct diag *d, struct queue **ret)
{
	struct queue *q = calloc(1, sizeof(*q));

	if (!q)
		return diag_no_memory(d);
	*ret = q;
	return 0;
}

static void arena_free(struct chunk *c)
{
	while (c) {
		struct chunk *next = c->next;

		free(c);
		c = next;
	}
}

void queue_destroy(struct queue *q)
{
	if (!q)
		return;
	arena_free(q->arena[0]);
	arena_free(q->arena[1]);
	free(q->items);
	free(q);
}

/* One chunk of the usual size stays for the next round. */
static void arena_reset(struct chunk **arena)
{
	struct chunk *c = *arena;

	if (!c)
		return;
	arena_free(c->next);
	c->next = NULL;
	c->used = 0;
}

static void *arena_alloc(struct chunk **arena, size_t size)
{
	struct chunk *c = *arena;
	void *at;

	size = (size + 15) & ~(size_t)15;
	if (!c || size > c->size - c->used) {
		size_t room = size > CHUNK_SIZE ? size : CHUNK_SIZE;

		c = malloc(sizeof(*c) + room);
		if (!c)
			return NULL;
		*c = (struct chunk){ .next = *arena, .size = room };
		*arena = c;
	}
	at = c->data + c->used;
	c->used += size;
	return at;
}

/* struct room - what is left of an allocation, or how large it has to be */
struct room {
	struct value *values;
	char *text;
	size_t nr_values;
	size_t text_size;
};

static unsigned int nr_elements(const struct value *v)
{
	return v->elements ? v->field->count : 0;
}

static void measure(const struct value *v, size_t nr, struct room *r)
{
	r->nr_values += nr;
	for (size_t i = 0; i < nr; i++) {
		r->text_size += v[i].length;
		measure(v[i].elements, nr_elements(&v[i]), r);
	}
}

static const struct value *copy_values(const struct value *from, size_t nr,
				       struct room *r)
{
	struct value *to = r->values;

	r->values += nr;
	for (size_t i = 0; i < nr; i++) {
		to[i] = from[i];
		if (from[i].text) {
			memcpy(r->text, from[i].text, from[i].length);
			to[i].text = r->text;
			r->text += from[i].length;
		}
		if (from[i].elements)
			to[i].elements = copy_values(from[i].elements,
						     nr_elements(&from[i]), r);
	}
	return to;
}

/* One allocation holds the event, its values, their elements and text. */
static struct event *copy_event(struct chunk **arena, const struct event *e)
{
	struct room r = { 0 };
	struct event *copy;

	measure(e->values, e->nr_values, &r);
	copy = arena_alloc(arena, sizeof(*copy) +
				  r.nr_values * sizeof(struct value) +
				  r.text_size);
	if (!copy)
		return NULL;
	r.values = (struct value *)(copy + 1);
	r.text = (char *)(r.values + r.nr_values);
	*copy = *e;
	copy->values = copy_values(e->values, e->nr_values, &r);
	return copy;
}

int queue_event(void *queue, const struct event *event)
{
	struct queue *q = queue;
	struct event *copy;

	if (q->nr == q->room) {
		size_t room = q->room ? 2 * q->room : 1024;
		struct item *items = reallocarray(q->items, room, sizeof(*items));

		if (!items)
			return -ENOMEM;
		q->items = items;
		q->room = room;
	}
	copy = copy_event(&q->arena[q->active], event);
	if (!copy)
		return -ENOMEM;
	q->items[q->nr++] = (struct item){
		.mono = event->mono, .order = q->arrived++, .event = copy,
	};
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->mono != y->mono)
		return x->mono < y->mono ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Items from @first on move to the other arena; this one is free again. */
static int keep_rest(struct queue *q, size_t first)
{
	struct chunk **to = &q->arena[!q->active];

	for (size_t i = first; i < q->nr; i++) {
		q->items[i].event = copy_event(to, q->items[i].event);
		if (!q->items[i].event)
			return -ENOMEM;
	}
	memmove(q->items, q->items + first, (q->nr - first) * sizeof(*q->items));
	q->nr -= first;
	arena_reset(&q->arena[q->active]);
	q->active = !q->active;
	return 0;
}

int queue_flush(struct queue *q, uint64_t until, event_fn fn, void *ctx)
{
	size_t i;
	int err;

	if (!q->nr)
		return 0;
	qsort(q->items, q->nr, sizeof(*q->items), compare);
	for (i = 0; i < q->nr && q->items[i].mono <= until; i++) {
		err = fn(ctx, q->items[i].event);
		if (err)
			return err;
	}
	return keep_rest(q, i);
}
