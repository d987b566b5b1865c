/* SPDX-License-Identifier: GPL-2.0 */
/* Stacks by id. Private to decode/. */
#ifndef KTAP_DECODE_STACKS_H
#define KTAP_DECODE_STACKS_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct stacks - stacks that are known
 * @table: by id; NULL: free
 * @room: length of it: a power of two, or 0
 * @nr: how many
 */
struct stacks {
	struct ktap_stack **table;
	size_t room;
	size_t nr;
};

/**
 * stacks_add() - keep copies of stacks
 * @s: stacks
 * @bytes: as KTAP_DATA_STACKS has them
 * @size: their number
 *
 * Return: 0, -EBADMSG where they make no sense, -ENOMEM.
 */
int stacks_add(struct stacks *s, const void *bytes, size_t size);
/**
 * stacks_find() - find a stack
 * @s: stacks
 * @id: its id
 *
 * Return: the stack, or NULL.
 */
const struct ktap_stack *stacks_find(const struct stacks *s, uint64_t id);
/**
 * stacks_deinit() - free all
 * @s: stacks
 */
void stacks_deinit(struct stacks *s);

#endif /* KTAP_DECODE_STACKS_H */
