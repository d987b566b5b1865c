/* SPDX-License-Identifier: GPL-2.0 */
/* Lines on stdout for people: what others wrote into them is quoted. */
#ifndef KTAP_CLI_PRINT_H
#define KTAP_CLI_PRINT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/**
 * print_buf() - print a line on stdout as it is
 * @b: the line, without its end; a buffer that lacked memory prints nothing
 */
void print_buf(const struct buf *b);

/**
 * print_lacked() - whether a line lacked memory since the start
 *
 * Return: true if one was not printed.
 */
bool print_lacked(void);

/**
 * print_line() - print one line on stdout, with escapes of C for control characters
 * @fmt: format of printf(), without the end of the line
 *
 * It is always one line: the formatted string cannot break it. Bytes that are not valid
 * UTF-8 are escaped too; a backslash is not. stdout is not flushed.
 */
void print_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * print_source() - print a line of source on stdout
 * @margin: printed before it, as it is
 * @text: the line, without its end; it need not be NUL-terminated
 * @length: bytes of @text
 *
 * Tabs and backslashes stay as they are. Other control characters are escaped as by print_line().
 */
void print_source(const char *margin, const char *text, size_t length);

/**
 * print_definition() - print a definition on a line of its own, for 'ktap load'
 * @text: the definition
 *
 * Its bytes stay as they are. Only on a terminal, which they might control, they are
 * escaped as by print_line().
 */
void print_definition(const char *text);

/**
 * print_block() - begin a block of lines
 *
 * An empty line stands between two blocks.
 */
void print_block(void);

/**
 * print_first_block() - have the next block follow without an empty line
 */
void print_first_block(void);

#endif /* KTAP_CLI_PRINT_H */
