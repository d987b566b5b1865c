/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Syntax to nodes: what operands are on this architecture and at this place,
 * and what types and texts make of them.
 */
#ifndef KTAP_CODEGEN_LOWER_H
#define KTAP_CODEGEN_LOWER_H

#include "arch/arch.h"
#include "base/diag.h"
#include "codegen/frame.h"
#include "codegen/node.h"
#include "codegen/term.h"
#include "place/ksyms.h"

struct entries;

/**
 * struct lower - what an expression means here
 * @terms: definition; errors point into its text
 * @place: where it goes
 * @ks: symbols, or NULL
 * @arch: target
 * @d: where errors go
 * @entries: what was taken along from the entry; NULL: nothing
 * @frame: what is kept of the function's entry; added to
 * @is_return: the registers are those of a function's return
 * @in_filter: names are those of arguments
 */
struct lower {
	const struct terms *terms;
	const struct place *place;
	const struct ksyms *ks;
	const struct arch *arch;
	struct diag *d;
	const struct entries *entries;
	struct frame_regs *frame;
	bool is_return;
	bool in_filter;
};

/* All return 0, -EINVAL or -ENOMEM; *@ret is set on success. */

/* lower_value() - any number */
int lower_value(struct lower *l, const struct term *e, struct node **ret);
/* lower_address() - where the memory is that @e reads; *@user: a program's */
int lower_address(struct lower *l, const struct term *e, bool *user,
		  struct node **ret);
/* lower_text_address() - where a text of @type is that @e stands for */
int lower_text_address(struct lower *l, const struct term *e,
		       const struct show *type, bool *user,
		       struct node **ret);
/* lower_arg() - the number that an argument shows, as C would have it */
int lower_arg(struct lower *l, const struct term_arg *arg, struct node **ret);
/* lower_filter() - refuses what can never be true; NULL: it always is. */
int lower_filter(struct lower *l, const struct term *e, struct node **ret);

/* lower_at_ret() - refuse what is kept from an entry, where nothing is */
int lower_at_ret(struct lower *l, const struct term *e);

/* lower_operand() - operands but for names: a row for each kind */
/**
 * lower_kstack() - $kstack, where it is an argument
 * @l: lowering
 * @e: its term
 * @ret: its node
 *
 * Return: 0, -EINVAL where there is no such stack, -ENOMEM.
 */
int lower_kstack(struct lower *l, const struct term *e, struct node **ret);
int lower_operand(struct lower *l, const struct term *e, struct node **ret);

/* lower_is_text() - @e is a text: $comm, a quoted one, an argument, a cast. */
bool lower_is_text(const struct lower *l, const struct term *e);
/* lower_compare_texts() - @e is a comparison in which a text takes part. */
int lower_compare_texts(struct lower *l, const struct term *e,
			struct node **ret);
/* lower_entry_text() - the $entry(x) whose text the comparison @e is about, and
 * how it was said to be one; NULL: it is about none.
 */
const struct term *lower_entry_text(const struct lower *l,
				    const struct term *e,
				    const struct show **type);
/* lower_find_arg() - the argument that a name in a filter stands for */
const struct term_arg *lower_find_arg(const struct lower *l,
				      const struct term *e);

/* lower_caller() - the address that the function returns to */
int lower_caller(struct lower *l, const struct term *e, struct node **ret);
/* lower_is_caller() - @e compares that with the name of a function. */
bool lower_is_caller(const struct term *e);
int lower_compare_caller(struct lower *l, const struct term *e,
			 struct node **ret);

/* lower_typed() - @n, which it takes, as a @type; NULL: no memory. */
struct node *lower_typed(struct node *n, const struct show *type);

int lower_fail(struct lower *l, const struct term *e, enum diag_code code, ...);
/* lower_done() - -ENOMEM where there is no @n. */
int lower_done(struct lower *l, struct node *n, struct node **ret);

/* type_is_text() - strings, of the kernel or of a program */
bool type_is_text(const struct show *type);

#endif /* KTAP_CODEGEN_LOWER_H */
