/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A string that grows. Failure is remembered, so that a writer checks once at
 * the end: after it, puts do nothing and buf_take() returns NULL.
 */
#ifndef KTAP_BASE_BUF_H
#define KTAP_BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * struct buf - bytes, always followed by a NUL that does not count
 * @data: bytes; NULL while nothing was put
 * @size: how many
 * @room: bytes allocated
 * @failed: memory ran out, @data is not whole
 */
struct buf {
	char *data;
	size_t size;
	size_t room;
	bool failed;
};

#define BUF_INIT { NULL, 0, 0, false }

void buf_init(struct buf *b);
void buf_deinit(struct buf *b);

/* buf_clear() - back to empty, memory is kept, failure is forgotten. */
void buf_clear(struct buf *b);

void buf_put(struct buf *b, const void *data, size_t size);
void buf_putc(struct buf *b, char c);
void buf_puts(struct buf *b, const char *s);
void buf_printf(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/* buf_room() - where @size bytes can be written, or NULL: there is no memory. What
 * was written there belongs to the text once buf_end() has said where it ends.
 */
char *buf_room(struct buf *b, size_t size);
void buf_end(struct buf *b, char *end);

/* buf_str() - the text so far; "" when empty. Never NULL. */
const char *buf_str(const struct buf *b);

/* buf_take() - the caller owns the text now; NULL when memory ran out. */
char *buf_take(struct buf *b);

#endif /* KTAP_BASE_BUF_H */
