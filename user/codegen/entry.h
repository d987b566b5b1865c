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

/* entries_collect() - all that @l's definition wants. 0 or -ENOMEM. */
int entries_collect(struct lower *l, struct entries *e);
void entries_deinit(struct entries *e);

/* entries_check() - whether an instance has room for the record of @layout. */
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

/* entry_find() - the value for @e, which was collected; false: it was not. */
bool entry_find(const struct lower *l, const struct term *e,
		struct entry_value *ret);

/* entry_insn() - reads the number in @f. */
struct ktap_insn entry_insn(const struct field *f);

/* Rows of lower_operand(): $entry(x) and $elapsed, $argN at a return. */
int lower_entry(struct lower *l, const struct term *e, struct node **ret);
int lower_elapsed(struct lower *l, const struct term *e, struct node **ret);

#endif /* KTAP_CODEGEN_ENTRY_H */
