/* SPDX-License-Identifier: GPL-2.0 */
/* UTF-8 in text that anyone may have written. */
#ifndef KTAP_BASE_UTF8_H
#define KTAP_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * utf8_get() - the character at the start of @s
 * @s: bytes
 * @size: how many, at least 1
 * @ret: code point
 *
 * Over-long forms, surrogates and what lies above U+10FFFF are refused.
 *
 * Return: bytes of the character; 0 when there is no valid one.
 */
size_t utf8_get(const char *s, size_t size, uint32_t *ret);

/* utf8_run() - bytes at the start that every format writes as they are: printable
 * ASCII but '"' and '\\'.
 */
size_t utf8_run(const char *s, size_t size);

/* utf8_printable() - a terminal shows @c and is not steered by it. */
bool utf8_printable(uint32_t c);

/* utf8_is_plain() - nothing but valid, printable characters. */
bool utf8_is_plain(const char *s, size_t size);

#endif /* KTAP_BASE_UTF8_H */
