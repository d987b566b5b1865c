// SPDX-License-Identifier: GPL-2.0
#include "wire/stacks.h"

#include <errno.h>
#include <stdlib.h>

int stack_reader_init(struct stack_reader *r, const void *table, size_t size)
{
	const struct ktap_stacks_head *h = table;
	bool *read;

	if (h->stacks_end > size || h->order_off < sizeof(*h) ||
	    h->order_off % sizeof(uint32_t) ||
	    h->order_max > (size - sizeof(*h)) / sizeof(uint32_t) ||
	    h->order_off > size - h->order_max * sizeof(uint32_t))
		return -EPROTO;
	read = calloc(h->order_max + 1, sizeof(*read));
	if (!read)
		return -ENOMEM;
	free(r->read);
	*r = (struct stack_reader){
		.head = h, .size = h->stacks_end, .read = read,
	};
	return 0;
}

/* Return: 0, -EPROTO, -ENOMEM. */
static int take(const struct stack_reader *r, uint32_t at, struct buf *to)
{
	const struct ktap_stack *s;
	uint64_t offset = (uint64_t)at * 8;
	size_t size;

	if (offset > r->size - sizeof(*s))
		return -EPROTO;
	s = (const void *)((const char *)r->head + offset);
	size = sizeof(*s) + s->nr * sizeof(s->frames[0]);
	if (s->nr > KTAP_STACK_FRAMES_MAX || size > r->size - offset)
		return -EPROTO;
	buf_put(to, (const char *)s, size);
	return to->failed ? -ENOMEM : 0;
}

/*
 * A stack that is not complete belongs to a hit whose record is not complete either: it is
 * read by a later call.
 */
int stack_reader_next(struct stack_reader *r, struct buf *to)
{
	const uint32_t *order = (const void *)((const char *)r->head +
					       r->head->order_off);
	uint32_t nr = __atomic_load_n(&r->head->used, __ATOMIC_ACQUIRE);
	uint32_t max = r->head->order_max;
	int err = 0;

	for (uint32_t i = r->first; !err && i < nr && i < max; i++) {
		/* K: its place before the stack; pairs with the module's fill() */
		uint32_t at = __atomic_load_n(&order[i], __ATOMIC_ACQUIRE);

		if (at && !r->read[i]) {
			err = take(r, at, to);
			r->read[i] = true;
		}
		if (r->read[i] && i == r->first)
			r->first++;
	}
	return err;
}

uint64_t stack_reader_lost(const struct stack_reader *r)
{
	return __atomic_load_n(&r->head->lost, __ATOMIC_RELAXED);
}

void stack_reader_deinit(struct stack_reader *r)
{
	free(r->read);
	r->read = NULL;
}
