/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of loc_find(): the machine that runs location expressions on trees. */
#ifndef KTAP_BIND_LOC_MACHINE_H
#define KTAP_BIND_LOC_MACHINE_H

#include "bind/loc/loc.h"

#define LOC_DEPTH 64

/**
 * struct loc_item - an element of the stack
 * @term: its value; owned
 * @size: bytes of its type; 0: an address-sized number of no type
 * @is_signed: of its type
 */
struct loc_item {
	struct term *term;
	unsigned int size;
	bool is_signed;
};

/* What an expression that is run so far describes. */
enum loc_state {
	STATE_NONE,	/* an address, if there is something on the stack */
	STATE_VALUE,	/* DW_OP_stack_value */
	STATE_REGISTER,	/* DW_OP_reg, its value is on the stack */
	STATE_POINTER,	/* DW_OP_implicit_pointer */
};

/**
 * struct loc_machine - one expression being run
 * @site: where
 * @arch: the machine
 * @at: where it stands in the definition
 * @attr: the attribute that it is of; NULL: of CFI
 * @ops: it
 * @nr_ops: how many operations
 * @steps: how many more may be run
 * @why: why it failed
 * @no_memory: that is why
 * @stack: values
 * @depth: how many
 * @state: what the top of it is
 * @loc: pieces, or the target of the pointer
 */
struct loc_machine {
	const struct site *site;
	const struct arch *arch;
	struct span at;
	Dwarf_Attribute *attr;
	const Dwarf_Op *ops;
	size_t nr_ops;
	unsigned int *steps;
	enum loc_why why;
	bool no_memory;
	struct loc_item stack[LOC_DEPTH];
	unsigned int depth;
	enum loc_state state;
	struct loc loc;
};

/* An operation is done, and true, or @m->why is set. */
typedef bool (*loc_op_fn)(struct loc_machine *m, const Dwarf_Op *op);

/* loc_op() - what does the operation @atom; NULL: nothing here. */
loc_op_fn loc_op(unsigned int atom);

/* loc_fail(), loc_no_memory() - Return: false. */
bool loc_fail(struct loc_machine *m, enum loc_why why);
bool loc_no_memory(struct loc_machine *m);

/* loc_run() - run @ops of @attr, with what @m has on its stack. */
bool loc_run(struct loc_machine *m, Dwarf_Attribute *attr, const Dwarf_Op *ops,
	     size_t nr);
/* loc_value() - run it for the one number that it leaves: the caller's. */
struct term *loc_value(struct loc_machine *m, Dwarf_Attribute *attr,
		       const Dwarf_Op *ops, size_t nr);

/* loc_push() - takes @term; NULL: no memory. */
bool loc_push(struct loc_machine *m, struct term *term);
/* loc_bytes() - what is described are these bytes, in pieces if there are many. */
bool loc_bytes(struct loc_machine *m, const Dwarf_Block *block);
/* loc_thread() - what each thread has, @offset bytes behind the first of it; or, where
 * that is from a unit's table of addresses, perhaps at that address.
 */
bool loc_thread(struct loc_machine *m, uint64_t offset, bool is_indexed);
/* loc_pop() - false: there is none. */
bool loc_pop(struct loc_machine *m, struct loc_item *ret);

/* The makers of trees (loc_tree.c) take what they are given, also when they
 * return NULL: then memory ran out, now or before.
 */
struct term *loc_number(const struct loc_machine *m, uint64_t value);
struct term *loc_reg(const struct loc_machine *m, unsigned int index);
struct term *loc_binary(const struct loc_machine *m, enum expr_op op,
			struct term *left, struct term *right);
struct term *loc_unary(const struct loc_machine *m, enum expr_op op,
		       struct term *base);
struct term *loc_add(const struct loc_machine *m, struct term *base,
		     uint64_t value);
struct term *loc_cast(const struct loc_machine *m, struct term *base,
		      unsigned int size, bool is_signed);
struct term *loc_load(const struct loc_machine *m, struct term *address,
		      unsigned int size);
struct term *loc_cond(const struct loc_machine *m, struct term *test,
		      struct term *yes, struct term *no);
/* loc_frame() - what register @index had at the entry of the frame at @cfa */
struct term *loc_frame(const struct loc_machine *m, struct term *cfa,
		       unsigned int index);
/* loc_address() - an address of the file, where it is in memory */
struct term *loc_address(const struct loc_machine *m, uint64_t address);

/* loc_ctx() - @what of enum ktap_ctx */
struct term *loc_ctx(const struct loc_machine *m, enum ktap_ctx what);
/* loc_cfa() - the canonical frame address; NULL: see @m->why. */
struct term *loc_cfa(struct loc_machine *m);

#endif /* KTAP_BIND_LOC_MACHINE_H */
