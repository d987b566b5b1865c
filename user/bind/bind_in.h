/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of vars_expand(): what its files share. */
#ifndef KTAP_BIND_BIND_IN_H
#define KTAP_BIND_BIND_IN_H

#include "arch/arch.h"
#include "bind/bind.h"
#include "bind/loc/loc.h"

/* struct kept - a location that values refer to */
struct kept {
	struct loc loc;
	struct kept *next;
};

/**
 * struct vars - one definition
 * @terms: it
 * @place: where it goes
 * @arch: target
 * @kb: BTF
 * @site: debug information, or NULL: there is BTF
 * @traced: at a tracepoint: debug information of what calls its probes; or NULL
 * @kept: locations of values
 * @d: where errors go
 * @func: the function, once it was looked up
 * @is_known: it was, and is there
 * @in_filter: names can be those of arguments
 * @in_part: of what is looked at a part is wanted, or what it points at
 * @in_entry: all of it is taken along from the entry
 */
struct vars {
	struct terms *terms;
	const struct place *place;
	const struct arch *arch;
	struct kbtf *kb;
	const struct site *site;
	const struct site *traced;
	struct kept *kept;
	struct diag *d;
	struct kbtf_func func;
	bool is_known;
	bool in_filter;
	bool in_part;
	bool in_entry;
};

/**
 * struct value - what C knows of an expression
 * @type: of it; CTYPE_NONE: it is a number
 * @is_address: it is the address of something that has @type
 * @is_memory: it is a dereference of where that is
 * @bit_offset: of a bit-field in @unit bytes there
 * @bit_width: 0: it is none
 * @unit: bytes that have it
 * @is_referred: a reference of C++ was followed to it
 * @is_gathered: it is words that go into the record side by side
 * @loc: it is in pieces, or it points at what is not in memory; or NULL
 * @loc_bits: of the pieces, where it begins
 */
struct value {
	struct ctype type;
	bool is_address;
	bool is_memory;
	bool is_referred;
	bool is_gathered;
	unsigned int bit_offset;
	unsigned int bit_width;
	unsigned int unit;
	const struct loc *loc;
	uint64_t loc_bits;
};

/* vars_site() - what knows the types there: NULL: BTF does, or nothing. */
static inline const struct site *vars_site(const struct vars *v)
{
	return v->site ? v->site : v->traced;
}

/* vars_set_site() - @site, of a place or of what its tracepoint calls; or NULL */
void vars_set_site(struct vars *v, const struct site *site);

/* vars_fail() - the error @code at @e, or at @at */
#define vars_fail(v, e, ...) vars_fail_at(v, (e)->at, __VA_ARGS__)
int vars_fail_at(struct vars *v, struct span at, enum diag_code code, ...);
/* vars_quote() - where @e stands in the text, for "%.*s" */
#define VARS_QUOTE(v, e) (int)(e)->at.length, (v)->terms->text + (e)->at.start

/* ---- the function (vars_func.c) ---- */

/* vars_function() - look it up; errors are at @e. */
int vars_function(struct vars *v, const struct term *e);
/* vars_knows() - whether that is possible, and will be */
bool vars_knows(struct vars *v);
/* vars_has_function() - whether the place is at a function's entry or return */
bool vars_has_function(const struct vars *v);
/* vars_param() - *@e, a name, becomes where that parameter is. */
int vars_param(struct vars *v, struct term *e, struct value *ret);
/* vars_arg_type() - the type of the parameter that $argN is; errors are at @e. */
int vars_arg_type(struct vars *v, const struct term *e, struct value *ret);
/* vars_return_type() - that of $retval; where @must is not set it may be unknown. */
int vars_return_type(struct vars *v, const struct term *e, bool must,
		     struct value *ret);
/* vars_unread() - the error that @e is there, but not where probes can see it */
int vars_unread(struct vars *v, const struct term *e, enum loc_why why);
/* vars_nr_hidden() - parameters that come before those that have names */
unsigned int vars_nr_hidden(const struct vars *v);

/* ---- the calling convention (vars_place.c), of the function that was looked up ---- */

/* vars_number_of() - the N of the $argN that the parameter at @index is; 0: none. */
unsigned int vars_number_of(const struct vars *v, unsigned int index);
/* vars_is_given() - whether a parameter, or a part of one, is there */
bool vars_is_given(const struct vars *v, uint64_t number);
/* vars_no_register() - why no register that probes see has such a value; LOC_OK: one
 * has, or memory.
 */
enum loc_why vars_no_register(const struct vars *v, const struct ctype *t);

/* terms_free_name() - @base, or where another argument has that name, one like it,
 * for the argument at @index; malloc'ed, NULL: no memory.
 */
char *terms_free_name(const struct terms *terms, size_t index,
		      const char *base);

/* ---- lists (vars_list.c) ---- */

/* vars_expand_list() - the list at *@index becomes arguments, the last of them at
 * *@index.
 */
int vars_expand_list(struct vars *v, size_t *index);

/* ---- debug information (vars_debug.c, vars_pieces.c) ---- */

/* vars_variable() - *@e, a name, becomes where that variable is. */
int vars_variable(struct vars *v, struct term *e, struct value *ret);
/* vars_nowhere() - the error that a part of @e has no location */
int vars_nowhere(struct vars *v, const struct term *e);
/* vars_replace() - @made, which is taken, takes the place of *@e. */
void vars_replace(struct term *e, struct term *made);
/* vars_extract() - the value *@x, which is in pieces, becomes a number at *@e. */
int vars_extract(struct vars *v, struct term *e, struct value *x);
/* vars_is_split() - a structure or an array in pieces, and not too large */
bool vars_is_split(const struct value *x);
/* vars_gather() - such a value becomes words at *@e, some of which may be unknown. */
int vars_gather(struct vars *v, struct term *e, struct value *x);
/* vars_follow() - what the pointer *@x at *@e points at, which is no pointer that
 * is anywhere.
 */
int vars_follow(struct vars *v, struct term *e, struct value *x);
/* vars_forget() - the locations of values go. */
void vars_forget(struct vars *v);

/* vars_cast_type() - the type of C that the cast @e names; *@ret has no more. */
int vars_cast_type(struct vars *v, const struct term *e, struct value *ret);

/* vars_task_type() - that of $task; at @e, that nothing says what it is */
int vars_task_type(struct vars *v, const struct term *e, struct value *ret);

/* vars_hint_register() - where a register has that name */
void vars_hint_register(struct vars *v, const char *name);

/* ---- values (vars_value.c) ---- */

bool vars_is_pointer(const struct value *x);
/* vars_target_of() - what the pointer @x points at */
struct ctype vars_target_of(const struct value *x);
/* vars_is_array() - one that is in memory */
bool vars_is_array(const struct value *x);
/* vars_is_nowhere() - a pointer that the compiler left nothing of but what it
 * points at
 */
bool vars_is_nowhere(const struct value *x);
bool vars_is_pieces(const struct value *x);
/* vars_take_address() - from what is at an address to the address */
int vars_take_address(struct vars *v, struct term *e, struct value *x);
/* vars_decay() - as in C an array becomes the address of its first element. */
int vars_decay(struct vars *v, struct term *e, struct value *x);
/* vars_deref() - what is @offset bytes behind the address @e, of type @type */
int vars_deref(struct vars *v, struct term *e, int64_t offset,
	       struct ctype type, struct value *ret);
/* vars_cast_number() - in C it has that type, in the number that a register has it
 * may not.
 */
int vars_cast_number(struct vars *v, struct term *e, const struct value *x);
/* vars_settle() - what is in pieces is put together, where a program has room. */
int vars_settle(struct vars *v, struct term *e, struct value *x);
/* vars_as_number() - the value of @e, which is expanded, as a number */
int vars_as_number(struct vars *v, struct term *e, struct value *x);
/* vars_load() - *@e, a value in memory, becomes the number there. */
int vars_load(struct vars *v, struct term *e, struct value *x);
/* vars_fail_type() - the error @code, whose text names @e and its type, at @at */
int vars_fail_type(struct vars *v, const struct term *e, struct span at,
		   const struct value *x, enum diag_code code);

/* ---- parts (vars_member.c): @e becomes fetch arguments, *@ret is what it is. ---- */

int vars_member(struct vars *v, struct term *e, struct value *ret);
int vars_index(struct vars *v, struct term *e, struct value *ret);
int vars_target(struct vars *v, struct term *e, struct value *ret);
int vars_address(struct vars *v, struct term *e, struct value *ret);

/* ---- expressions (vars_expr.c) ---- */

/* vars_base() - the operand that @e is a part, the target or the address of
 * becomes fetch arguments; *@ret is what C knows of it.
 */
int vars_base(struct vars *v, struct term *e, struct value *ret);
/* vars_number() - *@e becomes fetch arguments and operators, with a number as its
 * value.
 */
int vars_number(struct vars *v, struct term *e, struct value *x);
/* vars_shown() - *@e is shown as *@type, which is set where it is the default. */
int vars_shown(struct vars *v, struct term *e, struct show *type);

/* ---- types (vars_type.c) ---- */

/* vars_is_number() - an integer that a slot of a program holds */
bool vars_is_number(const struct value *x);
void vars_set_type(struct show *type, enum show_kind kind,
		   unsigned int size);
/* vars_int_type() - that of an integer or a bit-field */
void vars_int_type(struct show *type, const struct value *x);
/* vars_array_type() - that of an array of numbers, of letters that of a text; false:
 * it is another one.
 */
bool vars_array_type(struct show *type, const struct ctype *array);
/* vars_struct_type() - all of what is in memory, or of a structure in a register;
 * false: there is nothing to be had.
 */
bool vars_struct_type(struct show *type, const struct value *x);
/* vars_names() - enumerators, true and false, functions: @type has their names. */
void vars_names(struct show *type, const struct value *x);

/* ---- trees (vars_tree.c) ---- */

/* vars_wrap() - *@e becomes the operand of a new node of @kind in its place. */
int vars_wrap(struct vars *v, struct term *e, enum term_kind kind);
/* vars_unwrap() - *@e becomes its operand. */
void vars_unwrap(struct term *e);
/* vars_fold() - what is behind a sum in the dereference *@e goes into its offset. */
void vars_fold(struct term *e);
/* vars_op() - *@e becomes "@e @op @value". */
int vars_op(struct vars *v, struct term *e, enum expr_op op, int64_t value);
/* vars_cast() - *@e becomes (@kind)e */
int vars_cast(struct vars *v, struct term *e, enum show_kind kind,
	      unsigned int size);

#endif /* KTAP_BIND_BIND_IN_H */
