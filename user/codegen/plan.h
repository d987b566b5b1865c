/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of the compiler: what each argument becomes in the record, decided
 * before code for it is made.
 */
#ifndef KTAP_CODEGEN_PLAN_H
#define KTAP_CODEGEN_PLAN_H

#include <linux/ktap.h>
#include <stdbool.h>

#include "codegen/lower.h"
#include "schema/layout.h"

#define STRING_DEFAULT 4096 /* the kernel's longest, PATH_MAX */
#define STRING_KEY 128 /* a row of a map has room for the longest key */

/**
 * struct planned_word - a part of a structure that is in several places
 * @node: its value; NULL: it is not known; owned
 * @offset: bytes from the beginning
 * @size: its bytes
 */
struct planned_word {
	struct node *node;
	unsigned int offset;
	unsigned int size;
};

/**
 * struct planned - one argument
 * @arg: what was written
 * @node: its value, or the address of its text or array; NULL: it needs none;
 *	owned
 * @words: it consists of these instead; owned
 * @nr_words: how many
 * @user: what is at that address is in user memory
 * @user_texts: array of strings: what its elements point at is
 * @limit: of a text, with its NUL; 0: it is none
 * @entry: not NULL: it was taken along as it is, and is copied from there
 * @entry_string: number of its first text
 * @entry_type: its type there
 */
struct planned {
	const struct term_arg *arg;
	struct node *node;
	struct planned_word *words;
	size_t nr_words;
	bool user;
	bool user_texts;
	unsigned int limit;
	const struct field *entry;
	unsigned int entry_string;
	const struct show *entry_type;
};

/* compile_fail() - the error @code at @at of @terms's text; returns -EINVAL. */
int compile_fail(const struct terms *terms, struct span at, struct diag *d,
		 enum diag_code code, ...);

/* plan_in_memory() - @arg is a structure in memory; in a register it is stored as a
 * number is.
 */
bool plan_in_memory(const struct term_arg *arg);

void planned_deinit(struct planned *p);

/* plan_layout() - lower all arguments into @ret, which has room for them, and
 * fill @layout's fields, their places, and the fault mask; of a return probe
 * (is_return is set) that of the address returned to. What is in @ret is the
 * caller's to free, also on failure.
 */
int plan_layout(struct lower *l, struct layout *layout, struct planned *ret);

#endif /* KTAP_CODEGEN_PLAN_H */
