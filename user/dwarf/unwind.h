/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unwind information of a program or library as a table: for each range of its code a rule
 * that finds the caller. It comes from .eh_frame, and from .debug_frame where that has more.
 */
#ifndef KTAP_DWARF_UNWIND_H
#define KTAP_DWARF_UNWIND_H

#include <linux/ktap.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct unwind_table - rows in ascending order
 * @pcs: offset in the file from which on a rule applies; owned
 * @rows: number of the rule of each; owned
 * @nr_rows: length of @pcs and @rows
 * @rules: no two are the same; owned
 * @nr_rules: length of @rules
 * @nr_unknown: rows whose information cannot be expressed
 */
struct unwind_table {
	uint32_t *pcs;
	uint16_t *rows;
	size_t nr_rows;
	struct ktap_user_rule *rules;
	size_t nr_rules;
	size_t nr_unknown;
};

/**
 * unwind_table_make() - read the unwind information of a file
 * @fd: file, open for reading; stays open
 * @max_rows: most rows; code that they do not reach has no table, and the last row says so
 * @ret: filled; release with unwind_table_deinit(), also on failure
 *
 * The file may be damaged or hostile: what makes no sense ends the table, or a part of it.
 *
 * Return: 0, also without such information: then there are no rows; -EINVAL: it is no ELF
 *	file of a supported architecture; -ENOMEM.
 */
int unwind_table_make(int fd, size_t max_rows, struct unwind_table *ret);

/**
 * unwind_table_deinit() - release a table
 * @t: table, or zeros; zeros afterwards
 */
void unwind_table_deinit(struct unwind_table *t);

#endif /* KTAP_DWARF_UNWIND_H */
