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

/**
 * buf_init() - make a buffer empty
 * @b: buffer; may be uninitialised: its old content is overwritten and not freed
 *
 * It allocates nothing. BUF_INIT is the same as an initializer.
 */
void buf_init(struct buf *b);

/**
 * buf_deinit() - free the bytes of a buffer
 * @b: buffer; afterwards it is empty and may be used again
 *
 * Pointers that buf_str() or buf_room() returned become invalid.
 */
void buf_deinit(struct buf *b);

/**
 * buf_clear() - make a buffer empty, but keep its memory
 * @b: buffer
 *
 * A failure is forgotten: later puts append again.
 */
void buf_clear(struct buf *b);

/**
 * buf_put() - append bytes
 * @b: buffer; without memory nothing is appended, and @b->failed is set
 * @data: bytes, which may contain NUL; NULL is allowed if @size is 0; not in @b itself
 * @size: how many
 */
void buf_put(struct buf *b, const void *data, size_t size);

/**
 * buf_putc() - append one byte
 * @b: as for buf_put()
 * @c: byte
 */
void buf_putc(struct buf *b, char c);

/**
 * buf_puts() - append a string, without its NUL
 * @b: as for buf_put()
 * @s: string; not NULL; not in @b itself
 */
void buf_puts(struct buf *b, const char *s);

/**
 * buf_printf() - append formatted text
 * @b: as for buf_put()
 * @fmt: printf format; its arguments follow, and none of them is in @b itself
 */
void buf_printf(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * buf_vprintf() - append formatted text, with the arguments in a va_list
 * @b: as for buf_put()
 * @fmt: printf format
 * @ap: its arguments; as after vprintf(), the caller can only call va_end() for it
 */
void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/**
 * buf_room() - reserve bytes that the caller writes itself
 * @b: buffer
 * @size: bytes that the caller writes at most
 *
 * The written bytes belong to the text once buf_end() has set its end. Until then no
 * other function may append to @b: it would write to the same place, and might move the
 * bytes.
 *
 * Return: the end of the text so far, with space for @size bytes and a NUL; NULL: memory
 *	ran out, now or earlier.
 */
char *buf_room(struct buf *b, size_t size);

/**
 * buf_end() - set the end of the text after direct writes
 * @b: buffer for which buf_room() was successful
 * @end: where the text ends, at most @size bytes past the pointer that buf_room() returned
 *
 * It writes the NUL at @end.
 */
void buf_end(struct buf *b, char *end);

/**
 * buf_str() - read the text so far
 * @b: buffer, which still owns the text
 *
 * The string is valid until @b changes. After a failure it is not whole: see @b->failed.
 *
 * Return: the text with a NUL at its end; "" when empty. Never NULL.
 */
const char *buf_str(const struct buf *b);

/**
 * buf_take() - hand the text over to the caller
 * @b: buffer; afterwards it is empty and may be used again
 *
 * Return: the text with a NUL at its end, also when it is empty, which the caller releases
 *	with free(); NULL: memory ran out, now or earlier, and the text was freed.
 */
char *buf_take(struct buf *b);

#endif /* KTAP_BASE_BUF_H */
