/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The encoding that layouts and bundles share: items of a tag, a length and a value. All
 * numbers are little-endian:
 *
 *	u16 tag, u16 zero, u32 length, value
 *
 * A reader skips an item whose tag it does not know, so a later version can add items.
 */
#ifndef KTAP_BASE_ITEMS_H
#define KTAP_BASE_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define ITEM_HEAD_SIZE	8

/**
 * items_number() - append a number
 * @b: where
 * @value: the number
 * @size: its bytes, at most 8
 */
void items_number(struct buf *b, uint64_t value, unsigned int size);

/**
 * items_head() - begin an item, whose value the caller appends
 * @b: where
 * @tag: which item
 * @length: bytes of the value
 */
void items_head(struct buf *b, unsigned int tag, size_t length);

/**
 * items_bytes() - append an item of bytes
 * @b: where
 * @tag: which item
 * @bytes: its value
 * @length: how many bytes
 */
void items_bytes(struct buf *b, unsigned int tag, const void *bytes,
		 size_t length);

/**
 * items_string() - append an item of a string, without its NUL
 * @b: where
 * @tag: which item
 * @string: the string; NULL: nothing is appended
 */
void items_string(struct buf *b, unsigned int tag, const char *string);

/**
 * items_u64() - append an item of one number of 8 bytes
 * @b: where
 * @tag: which item
 * @value: the number
 */
void items_u64(struct buf *b, unsigned int tag, uint64_t value);

/**
 * items_get() - read a number
 * @p: its bytes
 * @size: how many, at most 8
 *
 * Return: the number.
 */
uint64_t items_get(const uint8_t *p, unsigned int size);

/**
 * struct item - one item that was read
 * @tag: which it is
 * @value: its value, within the bytes that are read
 * @length: bytes of it
 */
struct item {
	unsigned int tag;
	const uint8_t *value;
	size_t length;
};

/**
 * struct items - bytes that are being read
 * @next: the next item
 * @size: bytes that are left
 * @cut: the bytes ended within an item
 */
struct items {
	const uint8_t *next;
	size_t size;
	bool cut;
};

/**
 * items_next() - read the next item
 * @items: bytes
 * @ret: the item
 *
 * Return: false at the end, and where the bytes end within an item (@items->cut).
 */
bool items_next(struct items *items, struct item *ret);

#endif /* KTAP_BASE_ITEMS_H */
