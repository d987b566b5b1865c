/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of the kernel that a function calls, by its code, and what those call. */
#ifndef KTAP_DEFINE_CALLEES_H
#define KTAP_DEFINE_CALLEES_H

#include "define/define.h"

/**
 * struct callee - a function
 * @name: symbol; of the definer's symbols
 * @module: its module; or NULL
 * @address: where it begins
 * @shares_name: other symbols have its name
 * @level: 1: the function itself, 2: called by it, and so on
 */
struct callee {
	const char *name;
	const char *module;
	uint64_t address;
	bool shares_name;
	unsigned int level;
};

/**
 * struct callees - a function and what it calls
 * @fn: functions, by level; the first one is the function itself; owned
 * @nr: how many
 * @indirect: calls of them whose address is in a register or in memory
 * @nameless: calls of addresses that have no symbol
 * @forbidden: functions that they call and that kprobes themselves need
 * @beyond: functions that they call, and that there was no room for
 * @unread: functions whose code could not be read to its end
 * @recursive: one of them calls the first one
 */
struct callees {
	struct callee *fn;
	size_t nr;
	size_t indirect;
	size_t nameless;
	size_t forbidden;
	size_t beyond;
	size_t unread;
	bool recursive;
};

/**
 * callees_find() - find what a function calls
 * @df: definer, with symbols that have addresses
 * @address: where the function begins
 * @levels: how deep: 1: the function alone
 * @most: functions in all
 * @d: on failure
 * @ret: release with callees_deinit(), also on failure
 *
 * The code of functions of the last level is not read.
 *
 * Return: 0; -ENOENT: no function is at @address; -ENODATA: the code of the function itself
 *	cannot be read; or as kernel_code_open().
 */
int callees_find(struct definer *df, uint64_t address, unsigned int levels, size_t most,
		 struct diag *d, struct callees *ret);

/**
 * callees_deinit() - release what callees_find() found
 * @c: all zero afterwards
 */
void callees_deinit(struct callees *c);

#endif /* KTAP_DEFINE_CALLEES_H */
