/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the room: one name being looked up, and why it is not found. */
#ifndef KTAP_PLACE_QUERY_H
#define KTAP_PLACE_QUERY_H

#include "place/symtab.h"

/**
 * struct query - one name being looked up
 * @ks: symbols
 * @name: which
 * @module: only there; "vmlinux" means no module; NULL: anywhere
 * @code: only code will do
 * @source: the definition's text
 * @at: where errors point
 * @module_at: where those of the module do
 * @absent_ok: a module that is not loaded is no error: see @absent
 * @absent: @module is not loaded, and nothing was found
 * @d: where errors go
 * @found: symbols of that name at different addresses
 * @nr: how many
 * @others: symbols of that name that would not do
 * @other: one of them
 */
struct query {
	const struct ksyms *ks;
	const char *name;
	const char *module;
	bool code;
	const char *source;
	struct span at;
	struct span module_at;
	bool absent_ok;
	bool absent;
	struct diag *d;
	struct ksym *found;
	size_t nr;
	size_t others;
	struct ksym other;
};

/**
 * query_deinit() - release what a query found
 * @q: query; its @found becomes invalid, and its other members stay
 *
 * The strings of the symbols that were found belong to @q->ks.
 */
void query_deinit(struct query *q);

/**
 * query_run() - find exactly one symbol, or say why that cannot be
 * @q: query, with an empty @found; the symbol is its @found[0]
 *
 * Two lines with one name and one address are one symbol. With @absent_ok a module that
 * is not loaded is no error: 0 is returned, @found stays empty and @absent is true. It
 * is an error if the symbol is elsewhere and a loaded module has a similar name.
 *
 * The caller releases @found with query_deinit(), after a failure too.
 *
 * Return: 0; -ENOENT: there is no such symbol or module (similar names are the hint);
 *	-EINVAL: the name is ambiguous, or it is data and @code is set; -ENOMEM.
 */
int query_run(struct query *q);

/**
 * query_fail() - report an error that points at @q->at
 * @q: query; its @d gets the error, unless it has one; its @source is shown
 * @err: negative errno to return
 * @code: which; its row has the printf format of the arguments that follow
 *
 * Return: @err.
 */
int query_fail(const struct query *q, int err, enum diag_code code, ...);

/**
 * query_no_memory() - report a lack of memory
 * @q: query; its @d gets the error, unless it has one
 *
 * Return: -ENOMEM.
 */
int query_no_memory(const struct query *q);

/**
 * query_in_module() - whether a symbol is where a query searches
 * @q: query
 * @sym: symbol
 *
 * In the names of modules '-' and '_' are the same.
 *
 * Return: true if the module of @sym is @q->module ("vmlinux" for a symbol without one),
 *	or the query has no module.
 */
bool query_in_module(const struct query *q, const struct ksym *sym);

#endif /* KTAP_PLACE_QUERY_H */
