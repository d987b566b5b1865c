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

void query_deinit(struct query *q);

/* query_run() - find exactly one symbol (@q->found), or set the error. */
int query_run(struct query *q);

/* query_fail() - the error @code at @q->at; returns @err. */
int query_fail(const struct query *q, int err, enum diag_code code, ...);
int query_no_memory(const struct query *q);

/* query_in_module() - @sym is where @q looks. */
bool query_in_module(const struct query *q, const struct ksym *sym);

#endif /* KTAP_PLACE_QUERY_H */
