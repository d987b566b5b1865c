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

/**
 * turns_add() - add a CPU that has an event
 * @t: turns, none of which is of that CPU; @heap has room for the turn
 * @c: cursor of the CPU, at its event; its time and CPU are copied
 */
void turns_add(struct turns *t, const struct cursor *c);

/**
 * turns_replace() - move the CPU of the first turn to its next event
 * @t: turns, at least one
 * @c: cursor of the CPU of the first turn, at its next event; its time is copied
 */
void turns_replace(struct turns *t, const struct cursor *c);

/**
 * turns_remove() - remove the first turn, because its CPU has no more events
 * @t: turns, at least one
 */
void turns_remove(struct turns *t);

#endif /* KTAP_DECODE_TURNS_H */
