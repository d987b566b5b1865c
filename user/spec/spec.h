/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The probe language: text in, syntax tree with byte spans out. Knows grammar
 * only: no symbols, no machine, no I/O.
 */
#ifndef KTAP_SPEC_SPEC_H
#define KTAP_SPEC_SPEC_H

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

/* How a value is stored and shown: a type of the kernel's fetch arguments. */
enum type_kind {
	TYPE_DEFAULT,	/* none was given */
	TYPE_UNSIGNED,
	TYPE_SIGNED,
	TYPE_HEX,
	TYPE_CHAR,
	TYPE_STRING,
	TYPE_USTRING,
	TYPE_SYMBOL,	/* an address, shown as a function and an offset */
	TYPE_SYMSTR,	/* the same in quotes */
	TYPE_ERRNO,	/* shown as -ENOENT where it is an error */
	TYPE_BITS,	/* bW@O/S */
	TYPE_SIGNED_BITS,	/* sbW@O/S */
	TYPE_DENTRY,	/* %pd: the name of a struct dentry */
	TYPE_FILE,	/* %pD: of a struct file */
	TYPE_C,		/* of a cast: a type of C, which is its text */
};

/**
 * struct type_spec - what follows the ':' of an argument, or a cast
 * @kind: how it is shown
 * @size: bytes of an integer; for strings the limit with NUL (0: default)
 * @count: elements of an array; 0: it is none
 * @bit_width: of a bit-field in @size bytes
 * @bit_offset: its lowest bit
 * @at: where it stands
 */
struct type_spec {
	enum type_kind kind;
	unsigned int size;
	unsigned int count;
	unsigned int bit_width;
	unsigned int bit_offset;
	struct span at;
};

enum expr_kind {
	EXPR_REG,	/* %di: name in text */
	EXPR_IMM,	/* \123, or 123 in ktap's own syntax: value */
	EXPR_TEXT,	/* \"text", or "text" behind a comparison: text */
	EXPR_STACK,	/* $stack: the pointer */
	EXPR_STACK_WORD,	/* $stackN: value = N */
	EXPR_ARG,	/* $argN: value = N */
	EXPR_RETVAL,	/* $retval */
	EXPR_ELAPSED,	/* $elapsed */
	EXPR_ENTRY,	/* $entry(x:TYPE): base, type */
	EXPR_CTX,	/* $cpu, $pid, ...: value = enum ktap_ctx */
	EXPR_COMM,	/* $comm */
	EXPR_CALLER,	/* $caller */
	EXPR_KSTACK,	/* $kstack, $kstack(N): value = N */
	EXPR_USTACK,	/* $ustack, $ustack(N): value = N */
	EXPR_COUNTER,	/* $perf(EVENT): text = EVENT; value = KTAP_COUNTER() */
	EXPR_STATE,	/* $load(x), $take(x): base; value: it is $take */
	EXPR_STORE,	/* store(x,y): base, right; no operand */
	EXPR_PARAM,	/* $param(NAME): text, type; value = index in the definition's params */
	EXPR_FUNCTION,	/* what $caller is compared with: text */
	EXPR_SYMBOL,	/* @sym+8: text, value; @0xaddr: text NULL, value */
	EXPR_FILE,	/* where the probed file would begin: "@+8" is +u8(it) */
	EXPR_NAME,	/* a bare word: a variable, in a filter an argument */
	EXPR_ARGS,	/* $arg*, $params, $vars: value = enum expr_list; alone */
	EXPR_MEMBER,	/* x->m or x.m: base, text, arrow, name_at */
	EXPR_INDEX,	/* x[y]: base, right */
	EXPR_DEREF,	/* +8(x), -8(x), +u8(x): base, value, user */
	EXPR_CAST,	/* (TYPE)x: type, base */
	EXPR_UNARY,	/* op, base */
	EXPR_BINARY,	/* op, base, right */
	EXPR_COND,	/* base ? right : third */
};

/* What a list stands for. */
enum expr_list {
	LIST_ARGS,	/* $arg*: all parameters of the function */
	LIST_PARAMS,	/* $params: those that have a value at the place */
	LIST_VARS,	/* $vars: these, and the function's variables */
};

/**
 * expr_list_name() - name a list as it is written
 * @list: enum expr_list, as the @value of an EXPR_ARGS
 *
 * Return: a constant string, such as "$arg*".
 */
const char *expr_list_name(int64_t list);

/**
 * struct expr - node of an expression
 * @kind: which members mean something
 * @op: operator
 * @at: where it stands in the text
 * @text: name of a register, variable, member or symbol; a text; of a cast its
 *	type of C; owned
 * @value: number, displacement or index
 * @is_unsigned: of a number: it has a 'u', or is too large for a sign
 * @user: dereference of user memory
 * @arrow: of a member: it was written with "->"
 * @name_at: of a member: where its name stands
 * @type: of a cast, or of what $entry takes
 * @height: of the tree below; no more than SPEC_HEIGHT_MAX
 * @base: first operand, what is dereferenced; owned
 * @right: second operand; owned
 * @third: third operand; owned
 */
struct expr {
	enum expr_kind kind;
	enum expr_op op;
	struct span at;
	char *text;
	int64_t value;
	bool is_unsigned;
	bool user;
	bool arrow;
	struct span name_at;
	struct type_spec type;
	unsigned int height;
	struct expr *base;
	struct expr *right;
	struct expr *third;
};

#define SPEC_ARG_MAX	32	/* characters of an argument's name */

/* Trees are walked by recursion; and higher ones fit into no program. */
#define SPEC_HEIGHT_MAX	1000

/* Frames of $kstack and $ustack without a number. */
#define SPEC_STACK_FRAMES 64

struct arg_spec {
	char *name;		/* as given, or made: di, arg2, $arg*, ... */
	bool named;		/* as given */
	struct span at;
	struct expr *expr;
	struct type_spec type;
	struct aggregate aggregate;
};

enum place_kind {
	PLACE_SYMBOL,		/* symbol, offset */
	PLACE_ADDRESS,		/* address */
	PLACE_SDT,		/* sdt:PROVIDER:NAME: provider, symbol */
	PLACE_TRACEPOINT,	/* tracepoint:NAME: symbol */
	PLACE_SYSCALL,		/* sys:NAME: symbol */
	PLACE_WATCH,		/* mem:...: symbol, offset or address; length, access */
	PLACE_TIMER,		/* timer:99hz: symbol is 99hz; period, each_cpu */
	PLACE_FILE_OFFSET,	/* PATH:OFFSET of uprobe_events: file, offset */
	PLACE_SOURCE,		/* FILE:LINE or FILE;PATTERN: source, line or pattern */
};

/**
 * struct place_spec - where a probe goes, as written
 * @kind: which members mean something
 * @at: where it stands
 * @is_return: SYMBOL%return, or r of kernel syntax
 * @glob: @symbol is a pattern: the definition stands for one probe per match
 * @maxactive: calls followed at once; 0: the default
 * @file: program or library: -x PATH, or PATH of uprobe_events; NULL: kernel
 * @file_at: where that stands; without length: it is not in the text
 * @module: MODULE:SYMBOL, MODULE:FILE:LINE; or NULL
 * @version: SYMBOL@VERSION; or NULL
 * @provider: of an SDT mark
 * @ref_offset: uprobe_events' reference counter: byte of @file; 0: none
 * @source: SYMBOL@FILE: the file of source that defines it; or NULL
 * @source_at: where it stands
 * @pattern: SYMBOL;PATTERN: lines of that look; or NULL
 * @line: SYMBOL:LINE, counted from where it is declared; FILE:LINE
 * @line_last: of :LINE-LAST, or the same; of FILE:* INT_MAX
 * @line_at: where it, or the pattern, stands; without length: there is none
 * @watch_length: bytes watched; 0: the default
 * @watch_access: KTAP_ACCESS_*; 0: the default
 * @period: ns between two ticks of a timer
 * @each_cpu: the timer ticks on each CPU
 */
struct place_spec {
	enum place_kind kind;
	struct span at;
	bool is_return;
	bool glob;
	unsigned int maxactive;
	char *file;
	struct span file_at;
	char *version;
	char *provider;
	uint64_t ref_offset;
	char *source;
	struct span source_at;
	char *pattern;
	unsigned int line;
	unsigned int line_last;
	struct span line_at;
	unsigned int watch_length;
	unsigned int watch_access;
	uint64_t period;
	bool each_cpu;
	char *module;
	char *symbol;
	struct span symbol_at;
	uint64_t offset;
	struct span offset_at;
	uint64_t address;
};

/**
 * struct probe_spec - one definition
 * @text: the definition as typed; all spans are offsets into it; owned
 * @name: [GROUP:]EVENT as given, or NULL: spec_default_name() makes one
 * @name_at: where it stands
 * @kernel_syntax: it was a line of kprobe_events or uprobe_events
 * @letter: that it began with: p, r, f or t; 0: none
 * @kind: SPEC_PROBE, or SPEC_DELETE for "-:NAME" and "!...": there @name is
 *	GROUP:EVENT, GROUP:* or EVENT (of any group), and a place without symbol
 *	and address is none: otherwise only a probe that has it is meant
 * @place: where the probe goes
 * @args: arguments
 * @nr_args: how many
 * @stores: what is stored for other probes: an EXPR_STORE each; owned
 * @nr_stores: how many
 * @takes_defaults: no argument was typed, and those that the place has by default were not
 *	added to @args yet
 * @aggregates: hits are added up by key, and not recorded
 * @filter: what follows 'if', or NULL
 * @params: parameters that it has, with the values that are in force
 */
struct probe_spec {
	char *text;
	char *name;
	struct span name_at;
	bool kernel_syntax;
	char letter;
	enum { SPEC_PROBE, SPEC_DELETE } kind;
	struct place_spec place;
	struct arg_spec *args;
	size_t nr_args;
	struct expr **stores;
	size_t nr_stores;
	bool takes_defaults;
	bool aggregates;
	struct expr *filter;
	struct params params;
};

/**
 * spec_parse() - parse one definition
 * @text: the definition; it declares all of its parameters
 * @d: on failure: what, and the column
 * @ret: on success: the tree; free with spec_free()
 *
 * Return: 0, -EINVAL for bad input, -ENOMEM.
 */
int spec_parse(const char *text, struct diag *d, struct probe_spec **ret);

/**
 * spec_parse_in() - parse one definition of a place in a program
 * @text: the definition; if it begins with "-x PATH", this path is taken, not @file
 * @file: PATH of the program or library; copied; NULL: @text is as for spec_parse()
 * @d: on failure: what, and the column
 * @ret: on success: the tree; free with spec_free()
 *
 * Return: 0, -EINVAL for bad input, -ENOMEM.
 */
int spec_parse_in(const char *text, const char *file, struct diag *d,
		  struct probe_spec **ret);

/**
 * spec_parse_with() - parse one definition, with parameters that are declared elsewhere
 * @text: as for spec_parse_in()
 * @file: as for spec_parse_in()
 * @given: parameters, or values for those that @text declares; or NULL
 * @d: on failure: what, and the column
 * @ret: on success: the tree; free with spec_free()
 *
 * A value in @given comes before the default in @text.
 *
 * Return: 0, -EINVAL for bad input, -ENOMEM.
 */
int spec_parse_with(const char *text, const char *file,
		    const struct params *given, struct diag *d,
		    struct probe_spec **ret);

/**
 * spec_add_arg() - append an argument that nobody typed
 * @spec: definition; its place is the position of the argument
 * @name: name of the argument; if another one has it, a similar name is made
 * @kind: kind of its expression; the caller sets what belongs to that
 * @d: on failure
 *
 * Return: the argument, valid until the next one is added; NULL: no memory.
 */
struct arg_spec *spec_add_arg(struct probe_spec *spec, const char *name,
			      enum expr_kind kind, struct diag *d);

/**
 * spec_add_stack() - give a definition the argument $kstack or $ustack, unless it has one
 * @spec: definition; if it had no argument, it still gets those that its place has by
 *	default
 * @kind: EXPR_KSTACK or EXPR_USTACK
 * @d: on failure
 *
 * Return: 0 or -ENOMEM.
 */
int spec_add_stack(struct probe_spec *spec, enum expr_kind kind, struct diag *d);

/* struct line_range - lines from @first to @last; UINT_MAX: to the end */
struct line_range {
	unsigned int first;
	unsigned int last;
};

/**
 * spec_parse_lines() - parse FUNC or FILE, with :LINE, :LINE-LINE2 or :LINE+NUM
 * @text: it; FUNC may have @FILE behind it
 * @file: -x PATH that it is in, or NULL
 * @d: on failure: what, and the column
 * @ret: on success: a definition of that place, whose line is the first one
 * @range: lines
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int spec_parse_lines(const char *text, const char *file, struct diag *d,
		     struct probe_spec **ret, struct line_range *range);

/**
 * spec_copy() - copy a definition, as it is
 * @spec: the definition
 * @d: on failure
 * @ret: on success: the copy; free with spec_free()
 *
 * Return: 0, -ENOMEM.
 */
int spec_copy(const struct probe_spec *spec, struct diag *d,
	      struct probe_spec **ret);

/**
 * spec_instance() - make the definition of a symbol that a pattern matched
 * @spec: the definition with the pattern
 * @symbol: the symbol; copied
 * @module: its module, for a definition that names none; copied; NULL: it is not needed
 * @d: on failure
 * @ret: on success: a copy of @spec, whose place is @symbol and no pattern; free with
 *	spec_free()
 *
 * It keeps the text and the spans of @spec: errors point at the pattern.
 *
 * Return: 0 or -ENOMEM.
 */
int spec_instance(const struct probe_spec *spec, const char *symbol,
		  const char *module, struct diag *d, struct probe_spec **ret);

/**
 * spec_free() - release a definition
 * @spec: definition, or NULL
 *
 * Its arguments and all of its expressions are freed with it.
 */
void spec_free(struct probe_spec *spec);
DEFINE_CLEANUP(struct probe_spec, spec_free)

/**
 * spec_default_name() - copy the name of an event, or make it where none was given
 * @spec: definition; not a SPEC_DELETE, which may have no place to make it of
 *
 * A name that is made for kernel syntax has the group that the kernel would choose.
 *
 * Return: [GROUP:]EVENT; malloc'ed; NULL: no memory.
 */
char *spec_default_name(const struct probe_spec *spec);

/**
 * spec_is_symbol() - whether a definition can have a symbol as it is
 * @name: the symbol's name, which needs no NUL
 * @length: bytes of it
 *
 * Names with scopes or parameters are no such symbols.
 *
 * Return: true if it is not empty, has only letters, digits, '_', '.' and '$', and no
 *	digit first.
 */
bool spec_is_symbol(const char *name, size_t length);

/**
 * spec_is_version() - whether a definition can have the version of a symbol as it is
 * @name: the version's name, which needs no NUL
 * @length: bytes of it
 *
 * Return: true if it is not empty, and has only letters, digits, '_' and '.'.
 */
bool spec_is_version(const char *name, size_t length);

/**
 * spec_aggregate() - make a definition aggregate
 * @spec: definition
 * @want: what is done with arguments before 'by' that are in no function; AGGREGATE_NONE:
 *	hits are only counted
 * @d: on failure
 *
 * Return: 0; -EINVAL: values where hits are only counted, or no value elsewhere.
 */
int spec_aggregate(struct probe_spec *spec, const struct aggregate *want,
		   struct diag *d);

/**
 * spec_parse_steps() - parse the steps of a linear histogram
 * @text: MIN,MAX,STEP
 * @d: on failure
 * @ret: on success
 *
 * Return: 0 or -EINVAL.
 */
int spec_parse_steps(const char *text, struct diag *d, struct aggregate *ret);

/**
 * spec_is_silent() - whether the hits of a definition make no records and no rows
 * @spec: definition
 *
 * Return: true if all that it does is to store values for other probes.
 */
static inline bool spec_is_silent(const struct probe_spec *spec)
{
	return spec->nr_stores && !spec->nr_args && !spec->aggregates;
}

/**
 * expr_is_task() - whether an expression is $task, which has members
 * @e: expression
 *
 * Return: true if it is.
 */
static inline bool expr_is_task(const struct expr *e)
{
	return e->kind == EXPR_CTX && e->value == KTAP_CTX_TASK;
}

/**
 * spec_find_arg() - find an argument by its name
 * @spec: definition
 * @name: name
 *
 * Return: the argument, valid until one is added to @spec; NULL: none has that name.
 */
const struct arg_spec *spec_find_arg(const struct probe_spec *spec,
				     const char *name);

/**
 * type_kind_is_string() - whether a type is a string of any length, which an address leads to
 * @kind: type
 *
 * Return: true for TYPE_STRING and TYPE_USTRING.
 */
static inline bool type_kind_is_string(enum type_kind kind)
{
	return kind == TYPE_STRING || kind == TYPE_USTRING;
}

/**
 * expr_new() - make a node
 * @kind: its kind; everything else is zero
 * @d: on failure
 *
 * Return: release with expr_free(); NULL: no memory.
 */
struct expr *expr_new(enum expr_kind kind, struct diag *d);

/**
 * expr_free() - release a tree
 * @expr: its root, or NULL; all nodes and texts below it are freed with it
 */
void expr_free(struct expr *expr);

/**
 * expr_copy() - copy a tree
 * @expr: its root, or NULL
 *
 * Return: the copy; release with expr_free(); NULL: no memory, which the caller reports,
 *	or @expr is NULL.
 */
struct expr *expr_copy(const struct expr *expr);

/**
 * spec_canonical() - write a definition so that it parses back to the same
 * @spec: definition
 *
 * In ktap's own syntax every argument has its name in it. A line in kernel syntax stays
 * as typed, but each of its blanks is a space, and those around it are removed. A file
 * that did not stand in the text is written as "-x PATH" before it. A parameter is
 * written with its type and the value that is in force.
 *
 * Return: malloc'ed; NULL: no memory.
 */
char *spec_canonical(const struct probe_spec *spec);

/**
 * spec_portable() - write a definition for another machine, which has the parameters
 * @spec: definition
 *
 * As spec_canonical() does, but of parameters only the names are written.
 *
 * Return: malloc'ed; NULL: no memory.
 */
char *spec_portable(const struct probe_spec *spec);

#endif /* KTAP_SPEC_SPEC_H */
