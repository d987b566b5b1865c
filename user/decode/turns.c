// SPDX-License-Identifier: GPL-2.0
/* Whose event is next. */
#include <stdbool.h>

#include "decode/turns.h"

static bool before(const struct turn *a, const struct turn *b)
{
	return a->mono != b->mono ? a->mono < b->mono : a->cpu < b->cpu;
}

/* Puts @turn into the free place @at or below it. */
static void sift_down(struct turns *t, size_t at, struct turn turn)
{
	size_t child;

	while ((child = 2 * at + 1) < t->nr) {
		if (child + 1 < t->nr &&
		    before(&t->heap[child + 1], &t->heap[child]))
			child++;
		if (!before(&t->heap[child], &turn))
			break;
		t->heap[at] = t->heap[child];
		at = child;
	}
	t->heap[at] = turn;
}

/* Puts @turn into the free place @at or above it. */
static void sift_up(struct turns *t, size_t at, struct turn turn)
{
	size_t parent;

	for (; at; at = parent) {
		parent = (at - 1) / 2;
		if (!before(&turn, &t->heap[parent]))
			break;
		t->heap[at] = t->heap[parent];
	}
	t->heap[at] = turn;
}

static struct turn turn_of(const struct cursor *c)
{
	return (struct turn){ c->event.mono, c->event.cpu };
}

void turns_add(struct turns *t, const struct cursor *c)
{
	t->nr++;
	sift_up(t, t->nr - 1, turn_of(c));
}

void turns_replace(struct turns *t, const struct cursor *c)
{
	sift_down(t, 0, turn_of(c));
}

void turns_remove(struct turns *t)
{
	if (--t->nr)
		sift_down(t, 0, t->heap[t->nr]);
}
