// SPDX-License-Identifier: GPL-2.0
/* Growable strings: all growth of text in the tool happens here. */
#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUF_FIRST 64

void buf_init(struct buf *b)
{
	*b = (struct buf)BUF_INIT;
}

void buf_deinit(struct buf *b)
{
	free(b->data);
	buf_init(b);
}

void buf_clear(struct buf *b)
{
	b->size = 0;
	b->failed = false;
	if (b->data)
		b->data[0] = '\0';
}

/* Makes room for @more bytes and the NUL. */
static bool buf_reserve(struct buf *b, size_t more)
{
	size_t room = b->room ? b->room : BUF_FIRST;
	char *data;

	if (b->failed)
		return false;
	if (b->room > b->size && more < b->room - b->size)
		return true;
	if (more >= SIZE_MAX / 4 || b->size >= SIZE_MAX / 4) {
		b->failed = true;
		return false;
	}
	while (room <= b->size + more)
		room *= 2;
	data = realloc(b->data, room);
	if (!data) {
		b->failed = true;
		return false;
	}
	b->data = data;
	b->room = room;
	return true;
}

char *buf_room(struct buf *b, size_t size)
{
	return buf_reserve(b, size) ? b->data + b->size : NULL;
}

void buf_end(struct buf *b, char *end)
{
	b->size = end - b->data;
	*end = '\0';
}

void buf_put(struct buf *b, const void *data, size_t size)
{
	if (!buf_reserve(b, size))
		return;
	if (size)
		memcpy(b->data + b->size, data, size);
	b->size += size;
	b->data[b->size] = '\0';
}

void buf_putc(struct buf *b, char c)
{
	if (!buf_reserve(b, 1))
		return;
	b->data[b->size++] = c;
	b->data[b->size] = '\0';
}

void buf_puts(struct buf *b, const char *s)
{
	buf_put(b, s, strlen(s));
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int len;

	if (!buf_reserve(b, BUF_FIRST))
		return;
	va_copy(again, ap);
	len = vsnprintf(b->data + b->size, b->room - b->size, fmt, ap);
	if (len >= 0 && (size_t)len >= b->room - b->size) {
		if (buf_reserve(b, len))
			vsnprintf(b->data + b->size, b->room - b->size, fmt,
				  again);
		else
			b->data[b->size] = '\0';
	}
	va_end(again);
	if (len < 0)
		b->failed = true;
	if (!b->failed)
		b->size += len;
}

const char *buf_str(const struct buf *b)
{
	return b->data ? b->data : "";
}

char *buf_take(struct buf *b)
{
	char *data;

	buf_reserve(b, 0);
	if (b->failed) {
		buf_deinit(b);
		return NULL;
	}
	data = b->data;
	data[b->size] = '\0';
	buf_init(b);
	return data;
}
