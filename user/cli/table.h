/* SPDX-License-Identifier: GPL-2.0 */
/* Text in columns that are as wide as what is in them. */
#ifndef KTAP_CLI_TABLE_H
#define KTAP_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * struct table - cells, row by row
 * @align: one letter per column: 'l' or 'r'
 * @columns: how many
 * @cells: their texts; owned
 * @nr: how many; the first row is the heading
 * @below: by row: lines that follow it, or NULL; owned
 * @nr_below: length of it
 * @failed: memory ran out
 */
struct table {
	const char *align;
	size_t columns;
	char **cells;
	size_t nr;
	char **below;
	size_t nr_below;
	bool failed;
};

/**
 * table_init() - begin a table with its heading
 * @t: table, not initialized; release it with table_deinit()
 * @align: 'l' or 'r' for each column; the string must live as long as @t
 * @heads: one word for each column; they are copied
 */
void table_init(struct table *t, const char *align, const char *const *heads);

/**
 * table_deinit() - release the cells of a table
 * @t: table; it must not be used after this, except with table_init()
 */
void table_deinit(struct table *t);

/**
 * table_cell() - add the next cell, from left to right
 * @t: table
 * @fmt: format of printf()
 *
 * Control characters and bytes that are not valid UTF-8 are escaped as in C. If memory runs
 * out, @t->failed is set, and table_print() returns -ENOMEM.
 */
void table_cell(struct table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * table_text() - add the next cell
 * @t: table
 * @text: cell, which can be shown as it is
 */
void table_text(struct table *t, const char *text);

/**
 * table_below() - add lines that follow the last row
 * @t: table whose last row is complete
 * @lines: whole lines, which can be shown as they are
 */
void table_below(struct table *t, const char *lines);

/**
 * table_print() - print a table, with its heading
 * @t: table whose last row is complete
 * @out: file, which is not flushed; errors of writing it are not reported
 *
 * Return: 0; -ENOMEM, also if a cell could not be added before: then nothing is printed.
 */
int table_print(const struct table *t, FILE *out);

/**
 * struct heads - heads of a table
 * @text: texts; owned
 * @align: a letter for each
 * @nr: how many
 * @failed: memory ran out
 */
struct heads {
	char **text;
	char *align;
	size_t nr;
	bool failed;
};

/**
 * heads_deinit() - release heads
 * @h: heads
 */
void heads_deinit(struct heads *h);

/**
 * heads_add() - add a head
 * @h: heads; zeros when there are none
 * @align: of its column: 'l' or 'r'
 * @fmt: text; printf format
 */
void heads_add(struct heads *h, char align, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* KTAP_CLI_TABLE_H */
