/* SPDX-License-Identifier: GPL-2.0 */
/* Whose event is next: a heap of CPUs. Private to decode/. */
#ifndef KTAP_DECODE_TURNS_H
#define KTAP_DECODE_TURNS_H

#include <stddef.h>
#include <stdint.h>

#include "decode/cursor.h"

/* struct turn - the next event of a CPU */
struct turn {
	uint64_t mono;
	uint32_t cpu;
};

/**
 * struct turns - CPUs that have an event
 * @heap: room for one turn of each CPU; the next one is the first
 * @nr: how many are there
 */
struct turns {
	struct turn *heap;
	size_t nr;
};

/* turns_add() - a CPU that has none there is at an event. */
void turns_add(struct turns *t, const struct cursor *c);

/* turns_replace() - the first one's CPU is at another event now. */
void turns_replace(struct turns *t, const struct cursor *c);

/* turns_remove() - the first one's CPU has none any more. */
void turns_remove(struct turns *t);

#endif /* KTAP_DECODE_TURNS_H */
