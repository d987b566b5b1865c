/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What codegen is given: the arguments and the filter of a definition as typed
 * terms. A term says where each bit of a value is, how it is computed and how it
 * is shown. The makers of terms know text, debug information and BTF; codegen
 * knows none of them.
 */
#ifndef KTAP_CODEGEN_TERM_H
#define KTAP_CODEGEN_TERM_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/aggregate.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/op.h"
#include "base/param.h"
#include "base/span.h"

/* How a value is stored and shown. */
enum show_kind {
	SHOW_DEFAULT,	/* as codegen chooses */
	SHOW_UNSIGNED,
	SHOW_SIGNED,
	SHOW_HEX,
	SHOW_CHAR,
	SHOW_STRING,
	SHOW_USTRING,
	SHOW_SYMBOL,	/* an address, shown as a function and an offset */
	SHOW_SYMSTR,	/* the same in quotes */
	SHOW_ERRNO,	/* shown as -ENOENT where it is an error */
	SHOW_BITS,	/* a bit-field without a sign */
	SHOW_SIGNED_BITS,	/* a bit-field with a sign */
	SHOW_DENTRY,	/* the name of a struct dentry */
	SHOW_FILE,	/* the name of a struct file */
	SHOW_STRUCT,	/* all of what has a type of C */
	SHOW_C,		/* of a cast, until bind has found the type: its text names it */
};

struct btf;

/**
 * struct show - how a value is stored and shown
 * @kind: which members mean something
 * @size: bytes of an integer; for strings the limit with NUL (0: default)
 * @count: elements of an array; 0: it is none
 * @bit_width: of a bit-field in @size bytes
 * @bit_offset: its lowest bit
 * @btf: where the type of C is described that decides how it is shown; NULL: none
 * @btf_id: under which number
 * @at: its position
 */
struct show {
	enum show_kind kind;
	unsigned int size;
	unsigned int count;
	unsigned int bit_width;
	unsigned int bit_offset;
	const struct btf *btf;
	uint32_t btf_id;
	struct span at;
};

enum term_kind {
	TERM_REG,	/* a register of the probe: text = its name */
	TERM_IMM,	/* value */
	TERM_TEXT,	/* a string that is known now: text */
	TERM_STACK,	/* the stack pointer */
	TERM_STACK_WORD,	/* word value of the stack */
	TERM_ARG,	/* argument value of the function, from 1 */
	TERM_MARK,	/* argument of a USDT probe: type, base */
	TERM_RETVAL,
	TERM_ELAPSED,
	TERM_ENTRY,	/* base as it was at the entry of the function, shown as type */
	TERM_FRAME,	/* register value, called text, as it was at the entry of the
			 * function whose CFA is base
			 */
	TERM_CTX,	/* value = enum ktap_ctx */
	TERM_COMM,
	TERM_CALLER,
	TERM_KSTACK,	/* the kernel's stack: value = frames at most */
	TERM_USTACK,	/* the stack of a program: as TERM_KSTACK */
	TERM_COUNTER,	/* a counter of this CPU: text; value = KTAP_COUNTER() */
	TERM_STATE,	/* what was stored under key base; value: the entry is freed */
	TERM_STORE,	/* stores right under key base; no value */
	TERM_PARAM,	/* a parameter: text, type; value = index in the params of struct terms */
	TERM_FUNCTION,	/* what TERM_CALLER is compared with: text */
	TERM_SYMBOL,	/* the memory at symbol text + value, or at value: text NULL */
	TERM_FILE,	/* where the probed file would begin in memory */
	TERM_PIECES,	/* a word of a structure: value = bytes; base = it, or NULL: not
			 * known; right = the next one
			 */
	TERM_UNKNOWN,	/* a value that there is not at this point */
	TERM_DEREF,	/* the memory at base + value, of a program if user */
	TERM_CAST,	/* base as type */
	TERM_UNARY,	/* op, base */
	TERM_BINARY,	/* op, base, right */
	TERM_COND,	/* base ? right : third */
	TERM_NAME,	/* in a filter: the argument that is called text */

	/* What bind has yet to replace: codegen refuses it, as it does other names. */
	TERM_LIST,	/* value = enum expr_list */
	TERM_MEMBER,	/* member text of base */
	TERM_INDEX,	/* element right of base */
};

/**
 * struct term - node of a tree of terms
 * @kind: which members mean something
 * @op: operator
 * @at: its position in the definition
 * @text: name of a register, variable, member or symbol; a string; owned
 * @value: number, displacement or index
 * @is_unsigned: of a number: it has no sign
 * @user: dereference of a program's memory
 * @is_task: the key is a pointer to a task
 * @arrow: of a member: it was written with "->"
 * @name_at: of a member: where its name stands
 * @type: of a cast, of what comes from the entry, of a USDT probe's argument
 * @height: of the tree below
 * @base: first operand; owned
 * @right: second operand; owned
 * @third: third operand; owned
 */
struct term {
	enum term_kind kind;
	enum expr_op op;
	struct span at;
	char *text;
	int64_t value;
	bool is_unsigned;
	bool user;
	bool is_task;
	bool arrow;
	struct span name_at;
	struct show type;
	unsigned int height;
	struct term *base;
	struct term *right;
	struct term *third;
};

/* Terms are walked by recursion; and higher ones fit into no program. */
#define TERM_HEIGHT_MAX	1000

/**
 * struct term_arg - one argument
 * @name: of its field in the record; owned
 * @named: the user gave it
 * @at: its position
 * @term: its value; owned
 * @type: how it is shown
 * @aggregate: its role
 */
struct term_arg {
	char *name;
	bool named;
	struct span at;
	struct term *term;
	struct show type;
	struct aggregate aggregate;
};

/**
 * struct terms - what a probe records, and when
 * @text: the definition, into which spans point; of the caller
 * @kernel_syntax: it was a line of kprobe_events or uprobe_events
 * @args: arguments; owned
 * @nr_args: how many
 * @stores: what is stored for other probes: a TERM_STORE each; owned
 * @nr_stores: how many
 * @filter: what has to be true; owned; or NULL
 * @aggregates: hits are added up by key
 * @params: parameters; of the caller; NULL: there are none
 * @is_bound: names were replaced
 */
struct terms {
	const char *text;
	bool kernel_syntax;
	struct term_arg *args;
	size_t nr_args;
	struct term **stores;
	size_t nr_stores;
	struct term *filter;
	bool aggregates;
	const struct params *params;
	bool is_bound;
};

/**
 * term_new() - one term, of which only the kind is set
 * @kind: its kind
 * @d: on failure; or NULL
 *
 * Return: the term, to be freed with term_free(); NULL: no memory.
 */
struct term *term_new(enum term_kind kind, struct diag *d);

/**
 * term_reg() - a term for a register
 * @name: name of the register, which is copied; NULL: there is none
 *
 * Return: the term, to be freed with term_free(); NULL: no memory, or no @name.
 */
struct term *term_reg(const char *name);

/**
 * term_over() - one term over its operands
 * @kind: its kind
 * @base: first operand, which is taken, also on failure; NULL: it could not be made
 * @right: second operand, which is taken, also on failure; NULL: there is none
 *
 * Return: the term, to be freed with term_free(); NULL: no memory, or no @base.
 */
struct term *term_over(enum term_kind kind, struct term *base,
		       struct term *right);

/**
 * term_free() - free a tree
 * @term: its root; or NULL
 */
void term_free(struct term *term);

/**
 * term_copy() - copy a tree
 * @term: its root; or NULL
 *
 * Return: the copy; NULL: no memory, or no @term.
 */
struct term *term_copy(const struct term *term);

/**
 * terms_free() - free all that a probe records
 * @terms: the terms; or NULL
 */
void terms_free(struct terms *terms);
DEFINE_CLEANUP(struct terms, terms_free)

/**
 * terms_find_arg() - find an argument by its name
 * @terms: where
 * @name: its name
 *
 * Return: the argument, or NULL.
 */
const struct term_arg *terms_find_arg(const struct terms *terms,
				      const char *name);

/**
 * show_is_string() - whether a type is a string of any length at an address
 * @kind: of the type
 *
 * Return: true for SHOW_STRING and SHOW_USTRING; false for SHOW_DENTRY and SHOW_FILE, which
 *	type_is_text() counts too.
 */
static inline bool show_is_string(enum show_kind kind)
{
	return kind == SHOW_STRING || kind == SHOW_USTRING;
}

/**
 * term_is_task() - whether a term is $task, which has members
 * @e: term
 *
 * Return: true if it is.
 */
static inline bool term_is_task(const struct term *e)
{
	return e->kind == TERM_CTX && e->value == KTAP_CTX_TASK;
}

/**
 * term_is_cgroup() - whether a term is $cgroup, which has a path
 * @e: term
 *
 * Return: true if it is.
 */
static inline bool term_is_cgroup(const struct term *e)
{
	return e->kind == TERM_CTX && e->value == KTAP_CTX_CGROUP;
}

/**
 * term_is_stack() - whether a term is a stack, which has no number
 * @e: term
 *
 * Return: true for $kstack and $ustack.
 */
static inline bool term_is_stack(const struct term *e)
{
	return e->kind == TERM_KSTACK || e->kind == TERM_USTACK;
}

#endif /* KTAP_CODEGEN_TERM_H */
