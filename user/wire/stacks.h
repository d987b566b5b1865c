/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a session's table of stacks, which hits may be adding to. It works over bytes, so
 * that it is tested without a kernel. Private to wire/ and its tests.
 */
#ifndef KTAP_WIRE_STACKS_H
#define KTAP_WIRE_STACKS_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/**
 * struct stack_reader - how far a table was read
 * @head: table
 * @size: its bytes
 * @first: all stacks before this one were read
 * @read: by number: it was read
 */
struct stack_reader {
	const struct ktap_stacks_head *head;
	size_t size;
	uint32_t first;
	bool *read;
};

/**
 * stack_reader_init() - begin to read a table
 * @r: all zeros at first; filled, or unchanged on failure; release with stack_reader_deinit()
 * @table: table
 * @size: its bytes
 *
 * Return: 0, -EPROTO where it makes no sense, -ENOMEM.
 */
int stack_reader_init(struct stack_reader *r, const void *table, size_t size);
/**
 * stack_reader_next() - stacks that are new
 * @r: reader
 * @to: they are appended
 *
 * Return: 0, -EPROTO, -ENOMEM.
 */
int stack_reader_next(struct stack_reader *r, struct buf *to);
/**
 * stack_reader_lost() - stacks for which there was no space
 * @r: reader
 *
 * Return: their number.
 */
uint64_t stack_reader_lost(const struct stack_reader *r);
/**
 * stack_reader_deinit() - release a reader
 * @r: reader
 */
void stack_reader_deinit(struct stack_reader *r);

#endif /* KTAP_WIRE_STACKS_H */
