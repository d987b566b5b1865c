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

/**
 * compile_fail() - report an error in a definition
 * @terms: definition
 * @at: position of the fault in its text
 * @d: gets the error, unless it has one; or NULL
 * @code: row of errors.def, whose printf format takes the arguments that follow
 *
 * Return: -EINVAL.
 */
int compile_fail(const struct terms *terms, struct span at, struct diag *d,
		 enum diag_code code, ...);

/**
 * plan_in_memory() - whether an argument is a structure in memory
 * @arg: argument
 *
 * Return: true if so; false for a structure in a register, which is stored as a number
 *	is, and for one in several places.
 */
bool plan_in_memory(const struct term_arg *arg);

/**
 * planned_deinit() - free the nodes of an argument
 * @p: argument, from plan_layout(), or zeroed; must not be used any more
 */
void planned_deinit(struct planned *p);

/**
 * plan_layout() - lower all arguments and lay out their record
 * @l: lowering
 * @layout: has no fields yet. If is_return is set, return_size has the bytes of the address
 *	returned to, and may grow from 4 to 8. The fields, their offsets, the types, the
 *	fault mask and the offset of the address returned to are filled in; free all of it
 *	with layout_free(), also on failure
 * @ret: zeroed; one for each argument of @l->terms, in their order. The caller releases each
 *	with planned_deinit(), also on failure
 *
 * The filter is not lowered here.
 *
 * Return: 0; -EINVAL: an argument cannot be lowered at this place, or is a value to aggregate
 *	and not one integer; or the record is larger than KTAP_RECORD_MAX, or needs more
 *	than KTAP_NR_FAULTS fault bits; -ENOMEM.
 */
int plan_layout(struct lower *l, struct layout *layout, struct planned *ret);

#endif /* KTAP_CODEGEN_PLAN_H */
