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

/**
 * loc_op() - find the function that executes an operation
 * @atom: DW_OP_*
 *
 * Return: the function; NULL: the operation has no meaning for a probe, or it is one of the
 *	jumps, DW_OP_bra and DW_OP_skip, which loc_run() executes.
 */
loc_op_fn loc_op(unsigned int atom);

/**
 * loc_fail() - refuse the expression
 * @m: machine
 * @why: the reason; of several the first is kept
 *
 * Return: false.
 */
bool loc_fail(struct loc_machine *m, enum loc_why why);

/**
 * loc_no_memory() - note that memory ran out
 * @m: machine
 *
 * Return: false.
 */
bool loc_no_memory(struct loc_machine *m);

/**
 * loc_run() - run an expression on the stack that the machine has
 * @m: machine
 * @attr: attribute that has @ops; NULL: the expression is of CFI
 * @ops: operations, in the order of their offsets
 * @nr: how many; 0 fails with LOC_ABSENT
 *
 * The expression leaves what it describes in @m->stack, @m->state and @m->loc. A DW_OP_bra
 * runs both branches to the end, and joins what they leave in a condition.
 *
 * Return: true; false: @m->why or @m->no_memory is set.
 */
bool loc_run(struct loc_machine *m, Dwarf_Attribute *attr, const Dwarf_Op *ops,
	     size_t nr);

/**
 * loc_value() - run an expression of its own for the number that it leaves
 * @m: machine that needs the number: its stack is not used, its steps are counted down, and
 *	it gets the reason of a failure
 * @attr: attribute that has @ops; NULL: the expression is of CFI
 * @ops: operations
 * @nr: how many
 *
 * Return: the number, which the caller owns; NULL: @m->why or @m->no_memory is set.
 */
struct term *loc_value(struct loc_machine *m, Dwarf_Attribute *attr,
		       const Dwarf_Op *ops, size_t nr);

/**
 * loc_push() - push a number without a type
 * @m: machine
 * @term: the number, which the function takes, also where it fails; NULL: memory ran out when
 *	it was made
 *
 * Return: true; false: no memory, or LOC_LONG: the stack is full, or the term is higher than
 *	half of TERM_HEIGHT_MAX.
 */
bool loc_push(struct loc_machine *m, struct term *term);

/**
 * loc_bytes() - describe a value by its bytes
 * @m: machine; its state becomes STATE_VALUE
 * @block: the bytes, the lowest first
 *
 * Up to 8 bytes become a number on the stack. More of them become pieces of up to 8 bytes in
 * @m->loc, unless it has pieces already: then only the first 8 bytes are used, and the caller
 * has to refuse longer blocks.
 *
 * Return: true; false: @m->why or @m->no_memory is set.
 */
bool loc_bytes(struct loc_machine *m, const Dwarf_Block *block);

/**
 * loc_thread() - push the address of a thread-local variable of a program
 * @m: machine
 * @offset: bytes from the start of the thread-local variables
 * @is_indexed: @offset is from a unit's table of addresses (DW_OP_constx), where clang writes
 *	the offset, and gcc the address in the file
 *
 * Libraries are not supported: only the dynamic linker knows where their variables are.
 *
 * Return: true; false: LOC_THREAD: the site is not in a program that has such variables;
 *	LOC_DAMAGED: @offset is outside of them, or could be an address as well; or no
 *	memory.
 */
bool loc_thread(struct loc_machine *m, uint64_t offset, bool is_indexed);

/**
 * loc_pop() - take the element on top of the stack
 * @m: machine
 * @ret: the element, whose term the caller owns
 *
 * Return: true; false: the stack is empty (LOC_DAMAGED), and @ret is unchanged.
 */
bool loc_pop(struct loc_machine *m, struct loc_item *ret);

/* ---- the makers of trees (tree.c) ---- */

/* They take the terms that they are given, also when they return NULL: then memory ran
 * out, now or before. The caller owns the term that they return.
 */

/**
 * loc_number() - make a number
 * @m: machine
 * @value: the number; from 2^63 on it is marked as one without a sign
 *
 * Return: the term; NULL: no memory.
 */
struct term *loc_number(const struct loc_machine *m, uint64_t value);

/**
 * loc_reg() - make the value that a register has at the hit
 * @m: machine
 * @index: number as in &struct arch_reg, not the number that DWARF has for it
 *
 * Return: the term; NULL: no memory.
 */
struct term *loc_reg(const struct loc_machine *m, unsigned int index);

/**
 * loc_binary() - make an operation with two operands
 * @m: machine
 * @op: operator
 * @left: first operand; taken; NULL: memory ran out
 * @right: second operand; taken; NULL: memory ran out
 *
 * Return: the term; NULL: no memory.
 */
struct term *loc_binary(const struct loc_machine *m, enum expr_op op,
			struct term *left, struct term *right);

/**
 * loc_unary() - make an operation with one operand
 * @m: machine
 * @op: operator
 * @base: operand; taken; NULL: memory ran out
 *
 * Return: the term; NULL: no memory.
 */
struct term *loc_unary(const struct loc_machine *m, enum expr_op op,
		       struct term *base);

/**
 * loc_add() - add a constant
 * @m: machine
 * @base: first operand; taken, and changed in place where it is a number or ends in "+
 *	number"; NULL: memory ran out
 * @value: number; sums wrap at 64 bits
 *
 * Return: the sum, @base itself where @value is 0; NULL: no memory.
 */
struct term *loc_add(const struct loc_machine *m, struct term *base,
		     uint64_t value);

/**
 * loc_cast() - cut a value to the size of a type
 * @m: machine
 * @base: value; taken; NULL: memory ran out
 * @size: bytes: 1, 2, 4 or 8
 * @is_signed: extend the result with its sign; else with zeros
 *
 * Return: the term; NULL: no memory.
 */
struct term *loc_cast(const struct loc_machine *m, struct term *base,
		      unsigned int size, bool is_signed);

/**
 * loc_load() - read memory
 * @m: machine; its site decides whether the memory is a program's
 * @address: where; taken; NULL: memory ran out
 * @size: bytes: 1, 2, 4 or 8; less than 8 are extended with zeros
 *
 * Return: the term; NULL: no memory.
 */
struct term *loc_load(const struct loc_machine *m, struct term *address,
		      unsigned int size);

/**
 * loc_cond() - make "@test ? @yes : @no"
 * @m: machine
 * @test: condition; taken; NULL: memory ran out
 * @yes: value where @test is not 0; taken; NULL: memory ran out
 * @no: value where @test is 0; taken; NULL: memory ran out
 *
 * Return: the term; NULL: no memory.
 */
struct term *loc_cond(const struct loc_machine *m, struct term *test,
		      struct term *yes, struct term *no);

/**
 * loc_frame() - make the value that a register had at the entry of the function
 * @m: machine
 * @cfa: canonical frame address of the function, by which its entry is found at the hit;
 *	taken; NULL: memory ran out
 * @index: number as in &struct arch_reg
 *
 * Return: the term; NULL: no memory.
 */
struct term *loc_frame(const struct loc_machine *m, struct term *cfa,
		       unsigned int index);

/**
 * loc_address() - make the address in memory of an address of the file
 * @m: machine
 * @address: as the file has it
 *
 * In a program it is relative to the start of the file in memory. In the kernel it is moved as
 * the map of the site says; in the area of variables that each CPU has, it is relative to the
 * CPU's own copy. The caller refuses addresses of areas that were freed or are not known.
 *
 * Return: the term; NULL: no memory.
 */
struct term *loc_address(const struct loc_machine *m, uint64_t address);

/**
 * loc_ctx() - make a value that every hit has
 * @m: machine
 * @what: which one
 *
 * Return: the term; NULL: no memory.
 */
struct term *loc_ctx(const struct loc_machine *m, enum ktap_ctx what);

/**
 * loc_cfa() - compute the canonical frame address at the place of the machine
 * @m: machine
 *
 * Call frame information for @m->site->address says how it is computed.
 *
 * Return: the address, which the caller owns; NULL: @m->why or @m->no_memory is set.
 *	LOC_FRAME: there is no call frame information for the place.
 */
struct term *loc_cfa(struct loc_machine *m);

#endif /* KTAP_BIND_LOC_MACHINE_H */
