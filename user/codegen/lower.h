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
 * @peek: nothing is freed: $take(x) is $load(x)
 * @no_state: nothing can be loaded: this is the entry of a function
 * @counters: events of perf that the program reads
 * @nr_counters: how many
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
	bool peek;
	bool no_state;
	uint64_t counters[KTAP_NR_COUNTERS];
	unsigned int nr_counters;
};

/**
 * lower_value() - make the node of a number
 * @l: lowering
 * @e: term of any kind, but not TERM_PIECES or a TERM_FUNCTION alone
 * @ret: on success: its node; the caller frees it with node_free()
 *
 * Return: 0; -EINVAL: the term is no number, has no value at this place, or needs more than
 *	KTAP_NR_SLOTS slots; -ENOMEM.
 */
int lower_value(struct lower *l, const struct term *e, struct node **ret);

/**
 * lower_address() - make the node of the address that a term reads
 * @l: lowering
 * @e: TERM_DEREF or TERM_SYMBOL; the value of any other term is the address
 * @user: set: the address is in the memory of a program
 * @ret: on success: its node; the caller's
 *
 * Return: 0, -EINVAL or -ENOMEM, as lower_value().
 */
int lower_address(struct lower *l, const struct term *e, bool *user,
		  struct node **ret);

/**
 * lower_text_address() - make the node of the address of a string
 * @l: lowering
 * @e: term that reads the string, as for lower_address(). For SHOW_DENTRY and SHOW_FILE its
 *	value is the address of a struct dentry or a struct file, and the string is the name
 * @type: a type for which type_is_text() is true
 * @user: set: @e reads the memory of a program; SHOW_USTRING alone does not set it
 * @ret: on success: its node; the caller's
 *
 * Return: 0; -EINVAL: as lower_value(), or the place has no offsets of struct dentry and
 *	struct file; -ENOMEM.
 */
int lower_text_address(struct lower *l, const struct term *e,
		       const struct show *type, bool *user,
		       struct node **ret);

/**
 * lower_arg() - make the node of the number that an argument shows
 * @l: lowering
 * @arg: argument that is one integer
 * @ret: on success: its node, converted to the type of @arg as C does it; the caller's
 *
 * A value of the type SHOW_ERRNO becomes a negative number also if its high 32 bits are zero
 * and its low 32 bits are a negative errno.
 *
 * Return: 0, -EINVAL or -ENOMEM, as lower_value().
 */
int lower_arg(struct lower *l, const struct term_arg *arg, struct node **ret);

/**
 * lower_filter() - make the node of a filter
 * @l: lowering; @l->in_filter is true during the call, and false after it
 * @e: the filter
 * @ret: on success: its node; the caller's; NULL: the filter is always true
 *
 * Return: 0; -EINVAL: as lower_value(), or the filter can never be true; -ENOMEM.
 */
int lower_filter(struct lower *l, const struct term *e, struct node **ret);

/**
 * lower_at_entry() - whether the registers at a place are those of a call
 * @l: lowering
 *
 * Return: true at the first instruction of a function, also for a watchpoint of its
 *	execution; false for one of reads or writes, whatever it watches.
 */
bool lower_at_entry(const struct lower *l);

/**
 * lower_at_ret() - refuse a term at a RET instruction, where nothing of the entry is stored
 * @l: lowering, whose place is a RET instruction of a Go program
 * @e: $argN, $entry(x) or $elapsed
 *
 * Return: -EINVAL; @l->d has the reason.
 */
int lower_at_ret(struct lower *l, const struct term *e);

/**
 * lower_key_flags() - which flag an instruction needs for a key
 * @e: TERM_STATE or TERM_STORE
 *
 * Return: KTAP_INSN_F_TASK or 0.
 */
unsigned int lower_key_flags(const struct term *e);

/**
 * lower_take_stack() - $kstack or $ustack, where it is an argument
 * @l: lowering
 * @e: its term
 * @ret: its node
 *
 * Return: 0, -EINVAL where there is no such stack, -ENOMEM.
 */
int lower_take_stack(struct lower *l, const struct term *e, struct node **ret);

/**
 * lower_operand() - make the node of a term that has no operator
 * @l: lowering
 * @e: term, of a kind that lower_value() does not treat itself: a table has a function for
 *	each. The kinds that have no number are refused there
 * @ret: on success: its node; the caller's
 *
 * Return: 0, -EINVAL or -ENOMEM, as lower_value().
 */
int lower_operand(struct lower *l, const struct term *e, struct node **ret);

/**
 * lower_is_text() - whether a term is a string
 * @l: lowering; a name is looked up if @l->in_filter is set
 * @e: term
 *
 * Strings are $comm, a quoted string, a cast to a type for which type_is_text() is true, an
 * $entry() of $comm or with such a type, and the name of an argument that is one of these
 * or has such a type.
 *
 * Return: true if @e is a string, or an array of strings.
 */
bool lower_is_text(const struct lower *l, const struct term *e);

/**
 * lower_compare_texts() - make the node of a comparison in which a string takes part
 * @l: lowering
 * @e: TERM_BINARY, one of whose sides is a string, or whose operator is OP_MATCH or
 *	OP_NO_MATCH
 * @ret: on success: its node, 1 or 0; the caller's
 *
 * A string can be compared with a quoted string by OP_EQ, OP_NE, OP_MATCH and OP_NO_MATCH.
 * A comparison that entries_collect() collected is read from the record of the entry.
 *
 * Return: 0; -EINVAL: another operator, a side that is no string or is an array of strings,
 *	no quoted string, a pattern of more than KTAP_PATTERN_MAX bytes, or as
 *	lower_value(); -ENOMEM.
 */
int lower_compare_texts(struct lower *l, const struct term *e,
			struct node **ret);

/**
 * lower_entry_text() - find the $entry(x) whose string is compared with a quoted string
 * @l: lowering; a name is looked up if @l->in_filter is set
 * @e: TERM_BINARY
 * @type: set on success: the type that makes $entry(x) a string: its own type, or the type
 *	of the argument or cast around it; any type if x is $comm. The definition owns it
 *
 * Return: the $entry(x); NULL if @e is no such comparison.
 */
const struct term *lower_entry_text(const struct lower *l,
				    const struct term *e,
				    const struct show **type);

/**
 * lower_find_arg() - find the argument that a name in a filter refers to
 * @l: lowering
 * @e: term
 *
 * Return: the argument; NULL if @e is no name, @l->in_filter is not set, or no argument has
 *	the name.
 */
const struct term_arg *lower_find_arg(const struct lower *l,
				      const struct term *e);

/**
 * lower_caller() - make the node of the address that the function returns to
 * @l: lowering
 * @e: $caller
 * @ret: on success: its node; the caller's
 *
 * Return: 0; -EINVAL: the place is no return, and it is a tracepoint, has no symbol, or is
 *	not at the start of its symbol; -ENOMEM.
 */
int lower_caller(struct lower *l, const struct term *e, struct node **ret);

/**
 * lower_is_caller() - whether a term compares $caller with the name of a function
 * @e: term
 *
 * Return: true if one side of @e is a TERM_FUNCTION: lower_compare_caller() is for it.
 */
bool lower_is_caller(const struct term *e);

/**
 * lower_compare_caller() - make the node that says whether the call is in a function
 * @l: lowering, with symbols
 * @e: OP_EQ or OP_NE of $caller and a TERM_FUNCTION
 * @ret: on success: its node, 1 or 0; the caller's
 *
 * If several functions have the name, a call in any of them matches.
 *
 * Return: 0; -EINVAL: no symbols, hidden addresses, no function of that name, a place in
 *	a program, or as lower_caller(); -ENOMEM.
 */
int lower_compare_caller(struct lower *l, const struct term *e,
			 struct node **ret);

/**
 * lower_typed() - convert a value to a type
 * @n: node, which is taken also on failure; or NULL
 * @type: integer type or bit-field; SHOW_DEFAULT: @n stays as it is
 *
 * Return: the node; NULL: no memory, or no @n.
 */
struct node *lower_typed(struct node *n, const struct show *type);

/**
 * lower_shown() - convert the value of an argument to the argument's type
 * @arg: argument
 * @n: node of its value, which is taken also on failure; or NULL
 *
 * Return: the node; NULL: no memory, or no @n.
 */
struct node *lower_shown(const struct term_arg *arg, struct node *n);

/**
 * lower_fail() - report an error at a term
 * @l: lowering; @l->d gets the error, unless it has one
 * @e: term at fault
 * @code: row of errors.def, whose printf format takes the arguments that follow
 *
 * Return: -EINVAL.
 */
int lower_fail(struct lower *l, const struct term *e, enum diag_code code, ...);

/**
 * lower_quote() - report an error at a term, with the term's own text
 * @l: lowering; @l->d gets the error, unless it has one
 * @e: term at fault
 * @code: row of errors.def, whose printf format takes the text as one '%.*s'
 *
 * Return: -EINVAL.
 */
int lower_quote(struct lower *l, const struct term *e, enum diag_code code);

/**
 * lower_fits() - return a node that was made, unless it is too large for the module
 * @l: lowering; @l->d gets the error
 * @e: term that it is for
 * @n: node, which becomes the caller's in @ret, and is freed on failure; NULL: there was no
 *	memory
 * @ret: set on success
 *
 * Return: 0; -EINVAL: it needs more than KTAP_NR_SLOTS slots; -ENOMEM.
 */
int lower_fits(struct lower *l, const struct term *e, struct node *n,
	       struct node **ret);

/**
 * lower_done() - return a node that was made, or report that there was no memory
 * @l: lowering; @l->d gets the error
 * @n: node, which becomes the caller's in @ret; NULL: there was no memory
 * @ret: set on success
 *
 * Return: 0; -ENOMEM if @n is NULL.
 */
int lower_done(struct lower *l, struct node *n, struct node **ret);

/**
 * type_is_text() - whether values of a type are strings
 * @type: type
 *
 * Return: true for strings in memory of the kernel or of a program, and for the names of
 *	a struct dentry and of a struct file; also for arrays of them.
 */
bool type_is_text(const struct show *type);

#endif /* KTAP_CODEGEN_LOWER_H */
