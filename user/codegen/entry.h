/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a return probe takes along from the entry of the function: $entry(x),
 * $argN, the time for $elapsed, and comparisons of texts that may have changed
 * by the return. Each becomes an argument of a program of its own, compiled as
 * any other, whose record the one at the return reads.
 */
#ifndef KTAP_CODEGEN_ENTRY_H
#define KTAP_CODEGEN_ENTRY_H

#include "codegen/lower.h"
#include "schema/layout.h"

/* Of a text without a limit: all calls that are followed keep one. */
#define ENTRY_STRING_DEFAULT 256

/* struct entry_key - where a part of the definition finds its value */
struct entry_key {
	const struct term *term;
	size_t item;
};

/**
 * struct entries - what is taken along
 * @args: items, as the arguments of the program at the entry
 * @nr_args: how many
 * @keys: who wants them
 * @nr_keys: how many
 * @made: expressions that nobody wrote: comparisons, and their casts
 * @nr_made: how many
 * @layout: of what the program stores; owned by the caller
 */
struct entries {
	struct term_arg *args;
	size_t nr_args;
	struct entry_key *keys;
	size_t nr_keys;
	struct term **made;
	size_t nr_made;
	const struct layout *layout;
};

/**
 * entries_collect() - find the values of a definition that come from the entry
 * @l: lowering of the program at the return; its arguments and its filter are searched
 * @e: zeroed; release with entries_deinit(), also on failure
 *
 * A value that several parts of the definition use is an item once. The items point to
 * terms of the definition, which must live as long as @e. @e->layout is not set here: the
 * caller sets it when the program at the entry is compiled.
 *
 * Return: 0 or -ENOMEM.
 */
int entries_collect(struct lower *l, struct entries *e);

/**
 * entries_deinit() - free the lists of items
 * @e: entries, which must not be used any more
 *
 * The terms of the definition and @e->layout stay valid.
 */
void entries_deinit(struct entries *e);

/**
 * entries_check() - check that an instance has room for the record of the entry program
 * @l: lowering; errors point into its definition
 * @e: items, from entries_collect()
 * @layout: of the entry program, one field for each item
 *
 * The limits are KTAP_ENTRY_MAX bytes, where each string counts with its longest size,
 * and KTAP_NR_ENTRY_STRINGS strings.
 *
 * Return: 0; -EINVAL: the record exceeds a limit.
 */
int entries_check(struct lower *l, const struct entries *e,
		  const struct layout *layout);

/**
 * struct entry_value - where in the entry's record a value is
 * @arg: what it is
 * @field: where it is
 * @string: a text: its number among those of the record
 */
struct entry_value {
	const struct term_arg *arg;
	const struct field *field;
	unsigned int string;
};

/**
 * entry_find() - find the value that was collected for a term
 * @l: lowering of the program at the return; without @l->entries nothing is found
 * @e: the term itself, not a copy: it is compared by its address
 * @ret: on success; its pointers are valid as long as @l->entries
 *
 * Return: true if entries_collect() met the term.
 */
bool entry_find(const struct lower *l, const struct term *e,
		struct entry_value *ret);

/**
 * entry_may_lack() - may a return come without its entry?
 * @l: lowering of the program at the return
 *
 * In a program it may: of a call that was pending when the probe was armed or its process
 * was forked, or when there was no room for its values.
 *
 * Return: whether it may.
 */
bool entry_may_lack(const struct lower *l);

/**
 * entry_insn() - make the instruction that reads a number of the entry's record
 * @f: field of the entry program's layout, with a size of 1, 2, 4 or 8 bytes; of an array
 *	the first element is read
 *
 * The number is zero-extended. It is bad if the entry program could not read it.
 *
 * Return: a KTAP_OP_ENTRY with slot 0 as its destination.
 */
struct ktap_insn entry_insn(const struct field *f);

/**
 * lower_entry() - read a number that was collected at the entry
 * @l: lowering of the program at the return
 * @e: $entry(x); or at a return $argN, the start of the probed file, or a comparison of
 *	strings
 * @ret: on success: its node; the caller's
 *
 * It is a row of lower_operand().
 *
 * Return: 0; -EINVAL: the term was not collected because the probe is not at a return, or
 *	the value is not one integer; -ENOMEM.
 */
int lower_entry(struct lower *l, const struct term *e, struct node **ret);

/**
 * lower_elapsed() - compute the nanoseconds since the entry of the function
 * @l: lowering of the program at the return
 * @e: $elapsed
 * @ret: on success: its node; the caller's
 *
 * It is a row of lower_operand().
 *
 * Return: 0; -EINVAL: the probe is not at a return, or nothing is stored at the entry
 *	there; -ENOMEM.
 */
int lower_elapsed(struct lower *l, const struct term *e, struct node **ret);

#endif /* KTAP_CODEGEN_ENTRY_H */
