/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the room: places of kinds that have a file of their own. */
#ifndef KTAP_PLACE_PLACE_KINDS_H
#define KTAP_PLACE_PLACE_KINDS_H

#include "place/query.h"

/**
 * place_set_symbol() - copy the name and the module of a symbol into a place
 * @q: query; gets the error
 * @sym: symbol
 * @ret: @symbol and @module are overwritten, and not freed before; after a failure all
 *	of the place is released and zero
 *
 * Return: 0 or -ENOMEM.
 */
int place_set_symbol(const struct query *q, const struct ksym *sym,
		     struct place *ret);

/**
 * syscall_name() - name the system call that a function serves
 * @sym: symbol
 *
 * Return: what follows "__x64_sys_" or "__arm64_sys_" in the name of @sym; NULL: it does
 *	not begin so, is no code, or is in a module.
 */
const char *syscall_name(const struct ksym *sym);

/**
 * resolve_syscall() - find the function that serves a system call
 * @q: query; its @name is the call, as its function or the manual has it
 * @place: the place as written, which says whether the probe is a return probe
 * @ret: all zero before; filled; its address is 0 where addresses are hidden
 *
 * The caller releases @ret with place_deinit(), after a failure too.
 *
 * Return: 0; -ENOENT: this kernel has no such call (similar names are the hint); -ENOMEM.
 */
int resolve_syscall(struct query *q, const struct place_spec *place,
		    struct place *ret);

/**
 * resolve_watch() - find what a watchpoint is on, and how many bytes it watches
 * @q: query; its @name is the symbol, if @place has one, and its @code is false
 * @place: the place as written: a symbol and an offset, or an address
 * @ret: all zero before; filled
 *
 * Without an access, reads and writes are watched. Without a length, the length is 1 for
 * KTAP_ACCESS_EXEC; otherwise it is the largest of 8, 4, 2 and 1 bytes that the address
 * is a multiple of and that end before the next symbol.
 *
 * The caller releases @ret with place_deinit(), after a failure too.
 *
 * Return: 0; -ENOENT: there is no such symbol; -EINVAL: it is ambiguous, its address is
 *	hidden, it is a per-CPU variable, or it ends before the offset; -ENOMEM.
 */
int resolve_watch(struct query *q, const struct place_spec *place,
		  struct place *ret);

#endif /* KTAP_PLACE_PLACE_KINDS_H */
