/* SPDX-License-Identifier: GPL-2.0 */
/* Lines on stdout for people: what others wrote into them is quoted. */
#ifndef KTAP_CLI_PRINT_H
#define KTAP_CLI_PRINT_H

#include <stddef.h>

/* print_line() - one line, whatever is in it; printf format. */
void print_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* print_source() - a line of source behind @margin: its tabs stay. */
void print_source(const char *margin, const char *text, size_t length);

/* print_definition() - what 'ktap load' reads again: bytes as they are, but on
 * a terminal, which they might steer.
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
