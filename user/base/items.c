// SPDX-License-Identifier: GPL-2.0
/* Items of a tag, a length and a value: what layouts and bundles are made of. */
#include "base/items.h"

#include <string.h>

void items_number(struct buf *b, uint64_t value, unsigned int size)
{
	while (size--) {
		buf_putc(b, (char)(value & 0xff));
		value >>= 8;
	}
}

void items_head(struct buf *b, unsigned int tag, size_t length)
{
	items_number(b, tag, 2);
	items_number(b, 0, 2);
	items_number(b, length, 4);
}

void items_bytes(struct buf *b, unsigned int tag, const void *bytes,
		 size_t length)
{
	items_head(b, tag, length);
	buf_put(b, bytes, length);
}

void items_string(struct buf *b, unsigned int tag, const char *string)
{
	if (string)
		items_bytes(b, tag, string, strlen(string));
}

void items_u64(struct buf *b, unsigned int tag, uint64_t value)
{
	items_head(b, tag, 8);
	items_number(b, value, 8);
}

uint64_t items_get(const uint8_t *p, unsigned int size)
{
	uint64_t value = 0;

	while (size--)
		value = value << 8 | p[size];
	return value;
}

bool items_next(struct items *items, struct item *ret)
{
	if (!items->size)
		return false;
	items->cut = items->size < ITEM_HEAD_SIZE;
	if (items->cut)
		return false;
	ret->tag = items_get(items->next, 2);
	ret->length = items_get(items->next + 4, 4);
	ret->value = items->next + ITEM_HEAD_SIZE;
	items->size -= ITEM_HEAD_SIZE;
	items->cut = ret->length > items->size;
	if (items->cut)
		return false;
	items->next = ret->value + ret->length;
	items->size -= ret->length;
	return true;
}
