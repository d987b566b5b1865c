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

/**
 * utf8_length() - count the characters of a string
 * @s: string; a byte that belongs to none counts as one
 *
 * Return: their number: the columns that a terminal takes for it, unless some are wide.
 */
size_t utf8_length(const char *s);

/**
 * utf8_run() - count the bytes at the start that every format writes as they are
 * @s: bytes
 * @size: how many
 *
 * They are printable ASCII except '"' and '\\'.
 *
 * Return: their number: 0 to @size.
 */
size_t utf8_run(const char *s, size_t size);

/**
 * utf8_printable() - check that a terminal shows a character and is not steered by it
 * @c: code point, as utf8_get() returns it
 *
 * The answer does not depend on the locale. These are not printable: control characters, so
 * also line feeds and tabs; line separators; marks that turn or hide the text around them;
 * code points for private use; and code points that are not characters.
 *
 * Return: true: it is printable.
 */
bool utf8_printable(uint32_t c);

/**
 * utf8_is_plain() - check that bytes are only valid, printable characters
 * @s: bytes
 * @size: how many; 0 bytes are plain
 *
 * Return: true: utf8_get() reads all of them, and utf8_printable() holds for each.
 */
bool utf8_is_plain(const char *s, size_t size);

#endif /* KTAP_BASE_UTF8_H */
