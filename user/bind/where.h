/* SPDX-License-Identifier: GPL-2.0 */
/* Where variables are, in the words of fetch arguments. */
#ifndef KTAP_BIND_WHERE_H
#define KTAP_BIND_WHERE_H

#include "base/buf.h"
#include "bind/loc/loc.h"
#include "dwarf/var.h"

enum where_kind {
	WHERE_NOWHERE,
	WHERE_REGISTER,
	WHERE_CONSTANT,
	WHERE_COMPUTED,	/* from registers and memory */
	WHERE_MEMORY,
	WHERE_PIECES,
	WHERE_POINTER,	/* a pointer that is nowhere; what it points at is known */
	WHERE_NR
};

/**
 * struct where - what a probe can get of a variable
 * @kind: what is at @text
 * @text: a fetch argument; of what is nowhere, why; malloc'ed
 */
struct where {
	enum where_kind kind;
	char *text;
};

/**
 * where_find() - where a variable is, as loc_find() has it
 * @site: when seen from there
 * @arch: the machine
 * @var: the variable
 * @is_return: its value at the entry, when the function returns
 * @ret: on success; release with where_deinit()
 *
 * Return: 0, -ENOMEM.
 */
int where_find(const struct site *site, const struct arch *arch,
	       const struct debug_var *var, bool is_return, struct where *ret);

/**
 * where_deinit() - free the string of a struct where
 * @where: from where_find(); its @kind stays as it is, and @text becomes NULL
 */
void where_deinit(struct where *where);

/**
 * term_put() - a term that a location became, in the words of fetch arguments
 * @b: where it is appended
 * @e: the term
 */
void term_put(struct buf *b, const struct term *e);

/**
 * where_kind_text() - name a kind: "register", "pieces"
 * @kind: less than WHERE_NR
 *
 * Return: the name, a static string.
 */
const char *where_kind_text(enum where_kind kind);

#endif /* KTAP_BIND_WHERE_H */
