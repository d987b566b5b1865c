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
 * @in_entry: all of its value is kept from the entry
 * @only_return: debug information is there, or wanted, if only for a program's $retval
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
	bool only_return;
};

/**
 * vars_has_return() - can debug information tell the type of a program's $retval?
 * @v: definition
 *
 * Return: whether it is a return in a program, in ktap's own words.
 */
bool vars_has_return(const struct vars *v);

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

/**
 * vars_site() - get the debug information that describes the types
 * @v: definition
 *
 * Return: debug information of the place, or of the function that its tracepoint calls; NULL:
 *	types come from BTF.
 */
static inline const struct site *vars_site(const struct vars *v)
{
	return v->site ? v->site : v->traced;
}

/**
 * vars_set_site() - set the debug information of a definition
 * @v: definition, whose @place is set
 * @site: of the place, or of the function that its tracepoint calls; or NULL; it has to live
 *	as long as @v
 *
 * At a tracepoint it becomes @v->traced: only the prototype of that function is used, because
 * its variables are not at the place of the hit.
 */
void vars_set_site(struct vars *v, const struct site *site);

/* As vars_fail_at(), at the term @e */
#define vars_fail(v, e, ...) vars_fail_at(v, (e)->at, __VA_ARGS__)

/**
 * vars_fail_at() - report an error at a part of the definition
 * @v: definition; an error that @v->d already has is kept
 * @at: the part
 * @code: the error; its message is the format
 * @...: for the format
 *
 * Return: -EINVAL.
 */
int vars_fail_at(struct vars *v, struct span at, enum diag_code code, ...);

/* The part of the definition that @e was made of, for "%.*s" */
#define VARS_QUOTE(v, e) (int)(e)->at.length, (v)->terms->text + (e)->at.start

/* ---- the function (func.c; vars_unread() in variable.c) ---- */

/**
 * vars_function() - look up the function that the probe is at
 * @v: definition; @v->func and @v->is_known are set on success
 * @e: term that needs the function: errors are at its position
 *
 * Once a call has succeeded, further calls do nothing.
 *
 * Return: 0; -EINVAL: no parameters have names at this place, or several functions have the
 *	name; -ENOENT: BTF is missing or does not describe the function; -ENOMEM, or the
 *	error of reading BTF.
 */
int vars_function(struct vars *v, const struct term *e);

/**
 * vars_knows() - look up the function that the probe is at, if that is possible
 * @v: definition; @v->func and @v->is_known are set on success
 *
 * Nothing is reported where it fails.
 *
 * Return: true if @v->func is valid now.
 */
bool vars_knows(struct vars *v);

/**
 * vars_has_function() - check whether the probe is where parameters have names
 * @v: definition; only its @place and @site are read
 *
 * Return: true at the entry and at the return of a function, and at a tracepoint; false
 *	elsewhere, at a system call, and in a program without debug information.
 */
bool vars_has_function(const struct vars *v);

/**
 * vars_param() - replace the name of a parameter by its $argN
 * @v: definition
 * @e: TERM_NAME; becomes TERM_ARG
 * @ret: type of the parameter
 *
 * Return: 0; -EINVAL: there is no such parameter, or it is not in one register or one word of
 *	the stack; or as vars_function().
 */
int vars_param(struct vars *v, struct term *e, struct value *ret);

/**
 * vars_arg_type() - find the type of the parameter that $argN is
 * @v: definition
 * @e: TERM_ARG; it is not changed, and errors are at its position
 * @ret: type of the parameter
 *
 * Return: 0; -EINVAL: no parameter has this place of the calling convention to itself; or as
 *	vars_function().
 */
int vars_arg_type(struct vars *v, const struct term *e, struct value *ret);

/**
 * vars_return_type() - find the type of $retval
 * @v: definition
 * @e: TERM_RETVAL; it is not changed, and errors are at its position
 * @must: fail where the function is not known; else the type is CTYPE_NONE then
 * @ret: the type; CTYPE_NONE also where the probe is not at the return of a function of the
 *	kernel, or of a program with debug information
 *
 * Return: 0; -EINVAL: the function returns void; with @must also as vars_function().
 */
int vars_return_type(struct vars *v, const struct term *e, bool must,
		     struct value *ret);

/**
 * vars_unread() - report that a value is there, but not where probes can read it
 * @v: definition
 * @e: term of the value
 * @why: the reason
 *
 * Return: -EINVAL, -ENOMEM.
 */
int vars_unread(struct vars *v, const struct term *e, enum loc_why why);

/**
 * vars_nr_hidden() - count the parameters that come before the ones with names
 * @v: definition; only its @place is read
 *
 * Return: 1 at a tracepoint, whose functions get a pointer of their own first; else 0.
 */
unsigned int vars_nr_hidden(const struct vars *v);

/* ---- the calling convention (convention.c), of the function that was looked up ---- */

/**
 * vars_number_of() - find the N of the $argN that a parameter is
 * @v: definition, whose function is known
 * @index: parameter, from 0; hidden ones are counted, see vars_nr_hidden()
 *
 * $arg1 to $argN are the registers of the calling convention, and then the words of the stack.
 * At a tracepoint, N is the position of the parameter among those with names.
 *
 * Floating-point numbers have registers of their own, also those in structures. Where a
 * parameter of some type goes cannot be told: a complex number, a vector, or a class of C++
 * that has bases. Of what follows it nothing is known.
 *
 * Return: N, from 1; 0: the parameter is a floating-point number, or it is not in one register
 *	or one word of the stack, or it is not known where it is.
 */
unsigned int vars_number_of(const struct vars *v, unsigned int index);

/**
 * vars_number_at() - find the N of the $argN that a parameter of a function is
 * @site: debug information, in the function
 * @arch: target
 * @index: parameter, from 0
 *
 * Return: as vars_number_of(); 0 also where the function has no such parameter.
 */
unsigned int vars_number_at(const struct site *site, const struct arch *arch,
			    unsigned int index);

/**
 * vars_is_given() - check whether a parameter, or a part of one, is at $argN
 * @v: definition, whose function is known
 * @number: N
 *
 * Return: true if there is one, or if that cannot be known; false: the function has fewer
 *	parameters.
 */
bool vars_is_given(const struct vars *v, uint64_t number);

/**
 * vars_no_register() - explain why no register that probes see has a returned value
 * @v: definition; only its @arch is read
 * @t: type of the value
 *
 * Return: LOC_OK: such a register has it, or memory; LOC_VECTOR: a vector register has it;
 *	LOC_REGISTER: a register of the x87 has it.
 */
enum loc_why vars_no_register(const struct vars *v, const struct ctype *t);

/**
 * terms_free_name() - make a name that no argument has yet
 * @terms: arguments
 * @index: number of the argument that gets the name, from 0
 * @base: the name that is wanted
 *
 * Return: @base; where an argument has that name, "BASE_N" with the first free N from @index +
 *	1, where BASE is cut so that the name has SPEC_ARG_MAX characters at most; malloc'ed;
 *	NULL: no memory.
 */
char *terms_free_name(const struct terms *terms, size_t index,
		      const char *base);

/* ---- lists (list.c) ---- */

/**
 * vars_expand_list() - replace $arg*, $params or $vars by arguments
 * @v: definition
 * @index: argument that is the list; becomes the last one of its arguments
 *
 * The new arguments are names, which are not expanded yet. Pointers to arguments of
 * @v->terms are not valid after the call.
 *
 * Return: 0; -EINVAL: the list is empty, a parameter has no name, or $vars is used without
 *	debug information; -ENOMEM, or as vars_function().
 */
int vars_expand_list(struct vars *v, size_t *index);

/* ---- debug information (variable.c, pieces.c) ---- */

/**
 * vars_variable() - replace the name of a variable by the terms of its location
 * @v: definition, whose @site is set
 * @e: TERM_NAME; in a method of C++ it may name a member of the object; stays as it is where
 *	the variable is in pieces, or is a pointer that is nowhere (see @ret->loc)
 * @ret: what C knows of the value; its @loc is valid until vars_forget()
 *
 * At the return of a function, a parameter becomes its value at the entry.
 *
 * Return: 0; -EINVAL: there is no such variable, probes cannot read it there, or it is gone
 *	at the return; -ENODATA: it has no location at the place; -ENOMEM, or as
 *	vars_function().
 */
int vars_variable(struct vars *v, struct term *e, struct value *ret);

/**
 * vars_nowhere() - report that a part of a value has no location
 * @v: definition
 * @e: term of the value
 *
 * Return: -ENODATA, -ENOMEM.
 */
int vars_nowhere(struct vars *v, const struct term *e);

/**
 * vars_replace() - replace a tree in place
 * @e: tree; its operands and its string are freed; its position and @name_at stay
 * @made: what it becomes; taken
 */
void vars_replace(struct term *e, struct term *made);

/**
 * vars_extract() - replace a value in pieces by one number
 * @v: definition
 * @e: term of the value; becomes the number
 * @x: value with a @loc in pieces; its type has 1 to 8 bytes, or it is a bit-field; its @loc
 *	becomes NULL
 *
 * The number has no sign. A bit-field is in the lowest bits of the number then.
 *
 * Return: 0; -ENODATA: a part of the value has no location; -ENOMEM.
 */
int vars_extract(struct vars *v, struct term *e, struct value *x);

/**
 * vars_is_split() - check whether vars_gather() can record a value
 * @x: value
 *
 * Return: true if it is a structure or an array in pieces, of 1 to 256 bytes.
 */
bool vars_is_split(const struct value *x);

/**
 * vars_gather() - replace a structure or an array in pieces by words
 * @v: definition
 * @e: term of the value; becomes the first TERM_PIECES
 * @x: value that vars_is_split() accepts; its @loc becomes NULL, and @is_gathered is set
 *
 * A word of which a part has no location is divided, down to single bytes. Those without a
 * location are recorded as unknown.
 *
 * Return: 0; -ENODATA: no part of the value has a location; -ENOMEM.
 */
int vars_gather(struct vars *v, struct term *e, struct value *x);

/**
 * vars_follow() - replace a pointer that is nowhere by the object that it points at
 * @v: definition, whose @site is set
 * @e: term of the pointer; becomes the terms of the object, as with vars_variable()
 * @x: value that vars_is_nowhere() accepts; becomes the value of the object
 *
 * Return: 0; -ENODATA: the object has no location; -EINVAL: probes cannot read it; -ENOMEM.
 */
int vars_follow(struct vars *v, struct term *e, struct value *x);

/**
 * vars_forget() - free the locations that values refer to
 * @v: definition
 *
 * No @loc of a struct value is valid after the call. Terms stay valid.
 */
void vars_forget(struct vars *v);

/**
 * vars_cast_type() - find the type of C that a cast names
 * @v: definition
 * @e: TERM_CAST of SHOW_C, whose @text is the type: "struct file *"; it is not changed
 * @ret: the type: only @type and, for a pointer, @is_address are set
 *
 * Types that are not C's own come from debug information where there is some; else from BTF,
 * as kbtf_find_type().
 *
 * Return: 0; -EINVAL: the type is not known; -ENOMEM.
 */
int vars_cast_type(struct vars *v, const struct term *e, struct value *ret);

/**
 * vars_task_type() - find the type of $task: a pointer to the kernel's struct task_struct
 * @v: definition
 * @e: term of $task; it is not changed, and errors are at its position
 * @ret: the type
 *
 * Return: 0; -EINVAL: the probe is in a program, or the type is not known.
 */
int vars_task_type(struct vars *v, const struct term *e, struct value *ret);

/**
 * vars_hint_register() - hint that a name is the name of a register, or of a value like $pid
 * @v: definition; the hint is added to its error
 * @name: what the user wrote; NULL: there is no hint
 *
 * A hint that the error already has is kept.
 */
void vars_hint_register(struct vars *v, const char *name);

/* ---- values (value.c) ---- */

/**
 * vars_is_pointer() - check whether a value is an address of something with a type
 * @x: value
 *
 * Return: true if its type is a pointer, or if @x->is_address is set.
 */
bool vars_is_pointer(const struct value *x);

/**
 * vars_target_of() - get the type that a pointer points at
 * @x: value that vars_is_pointer() accepts
 *
 * Return: the type; it is a forward where it is only declared.
 */
struct ctype vars_target_of(const struct value *x);

/**
 * vars_is_array() - check whether a value is an array in memory
 * @x: value
 *
 * Return: true if it is one; false also for an array in pieces.
 */
bool vars_is_array(const struct value *x);

/**
 * vars_is_nowhere() - check whether a value is a pointer of which only the target is known
 * @x: value
 *
 * The compiler left nothing of such a pointer itself (DW_OP_implicit_pointer of DWARF 5).
 * vars_follow() replaces it by its target.
 *
 * Return: true if it is one.
 */
bool vars_is_nowhere(const struct value *x);

/**
 * vars_is_pieces() - check whether a value is in pieces
 * @x: value
 *
 * Return: true if @x->loc has pieces; vars_extract() and vars_gather() put them together.
 */
bool vars_is_pieces(const struct value *x);

/**
 * vars_take_address() - replace a value in memory by its address
 * @v: definition
 * @e: TERM_DEREF; becomes its operand, plus the offset
 * @x: value with @is_memory, not a bit-field; becomes an address of its type
 *
 * Return: 0, -ENOMEM.
 */
int vars_take_address(struct vars *v, struct term *e, struct value *x);

/**
 * vars_decay() - replace an array in memory by the address of its first element, as in C
 * @v: definition
 * @e: term of the value
 * @x: value; becomes an address of the type of the elements; one that vars_is_array() does
 *	not accept stays as it is
 *
 * Return: 0, -ENOMEM.
 */
int vars_decay(struct vars *v, struct term *e, struct value *x);

/**
 * vars_deref() - replace an address by the memory there
 * @v: definition
 * @e: term of the address; becomes a TERM_DEREF over it
 * @offset: bytes that are added to the address
 * @type: of the value in memory
 * @ret: that value; only its @type and @is_memory are set
 *
 * Return: 0, -ENOMEM.
 */
int vars_deref(struct vars *v, struct term *e, int64_t offset,
	       struct ctype type, struct value *ret);

/**
 * vars_cast_number() - cut a number to its type of C
 * @v: definition
 * @e: term of the number; becomes a TERM_CAST over it, unless the type has 8 bytes and no sign
 * @x: value: an integer or a bit-field
 *
 * The register or word that has a number may have more bits than its type: those are not part
 * of the value.
 *
 * Return: 0, -ENOMEM.
 */
int vars_cast_number(struct vars *v, struct term *e, const struct value *x);

/**
 * vars_settle() - make one number of a value in pieces
 * @v: definition
 * @e: term of the value
 * @x: value; a value that is not in pieces stays as it is
 *
 * Return: 0; -ENODATA: the value is a pointer that is nowhere, or a part of it has no
 *	location; -EINVAL: the value is in pieces, and has not 1, 2, 4 or 8 bytes; -ENOMEM.
 */
int vars_settle(struct vars *v, struct term *e, struct value *x);

/**
 * vars_as_number() - make a number of a value
 * @v: definition
 * @e: term of the value, which was expanded; becomes the number
 * @x: the value
 *
 * An array becomes the address of its first element, pointers and values without a type stay
 * as they are, and integers are cut to their types.
 *
 * Return: 0; -EINVAL: the value is more than one number; or as vars_settle().
 */
int vars_as_number(struct vars *v, struct term *e, struct value *x);

/**
 * vars_load() - replace a value in memory by the number there
 * @v: definition
 * @e: term of the value; becomes the number, as with vars_as_number()
 * @x: the value; is neither in memory nor a bit-field then
 *
 * Return: as vars_as_number().
 */
int vars_load(struct vars *v, struct term *e, struct value *x);

/**
 * vars_fail_type() - report an error about the type of a term
 * @v: definition
 * @e: term, which is quoted
 * @at: part of the definition that the error is at
 * @x: value of the term
 * @code: the error; its format takes the term ("%.*s"), and the type ("%s%s")
 *
 * Return: -EINVAL, -ENOMEM.
 */
int vars_fail_type(struct vars *v, const struct term *e, struct span at,
		   const struct value *x, enum diag_code code);

/* ---- parts (member.c) ---- */

/* *@e becomes fetch arguments, and *@ret is what C knows of them. On failure *@e is not
 * restored: it can only be freed, with the rest of the terms.
 */

/**
 * vars_member() - replace a member by the terms of its value
 * @v: definition
 * @e: TERM_MEMBER; becomes a TERM_DEREF where the member is in memory; else it becomes its
 *	operand, of which @ret says the bits, or a number that is made of pieces
 * @ret: what C knows of the member
 *
 * "." and "->" are checked. After a pointer both are accepted, but in a line of the kernel
 * only "->". After a structure only "." is, and after a reference of C++ both are.
 *
 * Return: 0; -EINVAL: the type is not known, is no structure or has no such member, or the
 *	operator is wrong; or the error of the operand, as vars_shown().
 */
int vars_member(struct vars *v, struct term *e, struct value *ret);

/**
 * vars_index() - replace an element by the terms of its value
 * @v: definition
 * @e: TERM_INDEX; becomes a TERM_DEREF where the element is in memory
 * @ret: what C knows of the element
 *
 * A constant index is checked against the length of an array of more than one element.
 *
 * Return: 0; -EINVAL: the operand is neither a pointer nor an array, the size of its elements
 *	is not known, or the array has no such element; or the error of the operand, as
 *	vars_shown().
 */
int vars_index(struct vars *v, struct term *e, struct value *ret);

/**
 * vars_target() - replace "*operand" by the terms of what the operand points at
 * @v: definition
 * @e: TERM_UNARY of OP_TARGET; becomes a TERM_DEREF where the target is in memory
 * @ret: what C knows of the target
 *
 * Of a reference of C++ the target is the object that it refers to.
 *
 * Return: 0; -EINVAL: the operand is neither a pointer nor an array, or the size of its target
 *	is not known; or the error of the operand, as vars_shown().
 */
int vars_target(struct vars *v, struct term *e, struct value *ret);

/**
 * vars_address() - replace "&operand" by the terms of the address
 * @v: definition
 * @e: TERM_UNARY of OP_ADDRESS; becomes the address
 * @ret: what C knows of it: an address of the type of the operand
 *
 * Return: 0; -EINVAL: the operand is not in memory, or is a bit-field; or the error of the
 *	operand, as vars_shown().
 */
int vars_address(struct vars *v, struct term *e, struct value *ret);

/* ---- expressions (expr.c) ---- */

/**
 * vars_base() - expand the operand of a member, an element, a target or an address
 * @v: definition
 * @e: term whose @base is the operand; only the operand is changed
 * @ret: what C knows of the operand; a reference of C++ is the object that it refers to
 *
 * Here $argN, $retval and $task have their types of C. Elsewhere $argN and $task are numbers.
 *
 * Return: as vars_shown().
 */
int vars_base(struct vars *v, struct term *e, struct value *ret);

/**
 * vars_number() - replace an expression by fetch arguments and operators, for its number
 * @v: definition
 * @e: term; it becomes a number
 * @x: what C knows of the number
 *
 * Return: as vars_shown(), and -EINVAL: the value is more than one number.
 */
int vars_number(struct vars *v, struct term *e, struct value *x);

/**
 * vars_shown() - replace an expression by fetch arguments, for its value to be shown
 * @v: definition
 * @e: term
 * @type: how it is shown; SHOW_DEFAULT is replaced by the type of the value, if it has one
 *
 * Return: 0; -EINVAL: a name or a type is not known, or does not fit; -ENODATA: a variable or
 *	a part of it has no location at the place; -ENOENT or another error of
 *	vars_function(); -ENOMEM. @v->d has the error.
 */
int vars_shown(struct vars *v, struct term *e, struct show *type);

/* ---- types (type.c) ---- */

/**
 * vars_is_number() - check whether a value is an integer that a slot of a program holds
 * @x: value; only its type is read
 *
 * Return: true if the type is an integer of 1, 2, 4 or 8 bytes.
 */
bool vars_is_number(const struct value *x);

/**
 * vars_set_type() - set the kind and the size of a type
 * @type: type; its other members stay as they are
 * @kind: the kind
 * @size: bytes, as in &struct show
 */
void vars_set_type(struct show *type, enum show_kind kind,
		   unsigned int size);

/**
 * vars_int_type() - set the type of an integer or a bit-field
 * @type: type; only the members that describe numbers are set
 * @x: value
 */
void vars_int_type(struct show *type, const struct value *x);

/**
 * vars_array_type() - set the type of an array of numbers or characters
 * @type: type; unchanged where the function fails
 * @array: array in memory, as C has it
 *
 * An array of characters is a string of no more than KTAP_STRING_MAX bytes.
 *
 * Return: true; false: the array has no known length, has elements that are shown by names or
 *	are no numbers, or has more than KTAP_BYTES_MAX bytes.
 */
bool vars_array_type(struct show *type, const struct ctype *array);

/**
 * vars_struct_type() - set the type of a value that is shown with all its parts
 * @type: type; unchanged where the function fails
 * @x: value in memory or in words; or a structure of up to 8 bytes in a register
 *
 * Of a large value, the first 4096 bytes are recorded. In a register, the size is rounded up
 * to a power of two.
 *
 * Return: true; false: the value has no size, or is in a register and is not such a structure.
 */
bool vars_struct_type(struct show *type, const struct value *x);

/**
 * vars_names() - let a type show names: of enumerators, true and false, or functions
 * @type: type; unchanged where the values of @x have no names
 * @x: value
 */
void vars_names(struct show *type, const struct value *x);

/* ---- trees (tree.c) ---- */

/**
 * vars_wrap() - make a term the operand of a new one, which takes its place
 * @v: definition
 * @e: term; becomes the new one, at the same position, with its @base, @kind and @height set
 * @kind: of the new term
 *
 * Return: 0; -ENOMEM: @e is unchanged.
 */
int vars_wrap(struct vars *v, struct term *e, enum term_kind kind);

/**
 * vars_unwrap() - replace a term by its operand
 * @e: term with a @base and no @third; its @right and its string are freed; its position stays
 */
void vars_unwrap(struct term *e);

/**
 * vars_fold() - add a constant in the address of a dereference to its offset
 * @e: TERM_DEREF; it is changed where its operand is a sum with a number on the right
 */
void vars_fold(struct term *e);

/**
 * vars_op() - apply an operator and a number to a term
 * @v: definition
 * @e: term; becomes "@e @op @value"; a number is multiplied at once, modulo 2^64
 * @op: operator
 * @value: right operand
 *
 * Return: 0; -ENOMEM: @e is unchanged.
 */
int vars_op(struct vars *v, struct term *e, enum expr_op op, int64_t value);

/**
 * vars_cast() - apply a cast to a term
 * @v: definition
 * @e: term; becomes a TERM_CAST over it
 * @kind: of the type
 * @size: bytes of the type
 *
 * Return: 0, -ENOMEM.
 */
int vars_cast(struct vars *v, struct term *e, enum show_kind kind,
	      unsigned int size);

#endif /* KTAP_BIND_BIND_IN_H */
