// SPDX-License-Identifier: GPL-2.0
/* Stacks by id: what a record has an id of. */
#include "decode/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct ktap_stack **place_of(struct ktap_stack **table, size_t room,
				    uint64_t id)
{
	size_t i = id >> 32;

	while (table[i & (room - 1)] && table[i & (room - 1)]->id != id)
		i++;
	return &table[i & (room - 1)];
}

static int grow(struct stacks *s)
{
	size_t room = s->room ? 2 * s->room : 256;
	struct ktap_stack **table = calloc(room, sizeof(*table));

	if (!table)
		return -ENOMEM;
	for (size_t i = 0; i < s->room; i++)
		if (s->table[i])
			*place_of(table, room, s->table[i]->id) = s->table[i];
	free(s->table);
	s->table = table;
	s->room = room;
	return 0;
}

/* One that came before is the same. */
static int add(struct stacks *s, const struct ktap_stack *head,
	       const void *bytes, size_t size)
{
	struct ktap_stack **place, *copy;

	if (2 * s->nr >= s->room && grow(s))
		return -ENOMEM;
	place = place_of(s->table, s->room, head->id);
	if (*place)
		return 0;
	copy = malloc(size);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, bytes, size);
	*place = copy;
	s->nr++;
	return 0;
}

int stacks_add(struct stacks *s, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size) {
		struct ktap_stack head;
		size_t one;
		int err;

		if (size < sizeof(head))
			return -EBADMSG;
		memcpy(&head, at, sizeof(head));
		one = sizeof(head) + head.nr * sizeof(head.frames[0]);
		if (one > size || head.nr > KTAP_STACK_FRAMES_MAX)
			return -EBADMSG;
		err = add(s, &head, at, one);
		if (err)
			return err;
		at += one;
		size -= one;
	}
	return 0;
}

const struct ktap_stack *stacks_find(const struct stacks *s, uint64_t id)
{
	return s->room ? *place_of(s->table, s->room, id) : NULL;
}

void stacks_deinit(struct stacks *s)
{
	for (size_t i = 0; i < s->room; i++)
		free(s->table[i]);
	free(s->table);
	*s = (struct stacks){ 0 };
}
