/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of the parser: what its files share. Positions are byte offsets into
 * the definition's text; a span handed down is all that a function may read.
 */
#ifndef KTAP_SPEC_PARSE_H
#define KTAP_SPEC_PARSE_H

#include "spec/spec.h"

struct buf;

#define SPEC_TEXT_MAX	32768	/* bytes of a definition */
#define SPEC_NAME_MAX	64	/* of a group or an event, with NUL */
#define SPEC_ARGS_MAX	512	/* more cannot fit into a program */
#define SPEC_ACTIVE_MAX	4096	/* calls that a return probe follows at once */
#define SPEC_STACK_MAX	2048	/* words of a kernel stack (16 KiB) */

/**
 * struct parse - one definition being parsed
 * @text: the definition
 * @kernel: by the rules of kprobe_events
 * @in_file: the place is in a program or library
 * @keys: 'by' was read: what follows are keys
 * @given: parameters that are declared elsewhere, and values; or NULL
 * @params: parameters of the definition; added to; NULL: there are none
 * @d: where errors go
 */
struct parse {
	const char *text;
	bool kernel;
	bool in_file;
	bool keys;
	const struct params *given;
	struct params *params;
	struct diag *d;
};

/* ---- errors ---- */

/**
 * parse_fail() - report an error in a definition
 * @p: definition; its @d gets the error, unless it has one
 * @at: bytes at fault; a span without length is a position
 * @code: which; its row has the printf format of the arguments that follow
 *
 * Return: -EINVAL.
 */
int parse_fail(const struct parse *p, struct span at, enum diag_code code, ...);

/**
 * parse_fail_text() - report an error whose message quotes a part of the definition
 * @p: definition; its @d gets the error, unless it has one
 * @at: bytes at fault
 * @code: which; its row has "%.*s", and may have "%d" after that
 * @quote: for the "%.*s"
 * @limit: for the "%d"; ignored where the row has none
 *
 * Return: -EINVAL.
 */
int parse_fail_text(const struct parse *p, struct span at, enum diag_code code,
		    struct span quote, int limit);

/**
 * parse_no_memory() - report a lack of memory
 * @p: definition; its @d gets the error, unless it has one
 *
 * Return: -ENOMEM.
 */
int parse_no_memory(const struct parse *p);

/* ---- text ---- */

/**
 * span_end() - get the end of a span
 * @s: span
 *
 * Return: offset of the byte after its last one.
 */
static inline size_t span_end(struct span s)
{
	return s.start + s.length;
}

/**
 * span_between() - make a span of its ends
 * @start: offset of its first byte
 * @end: offset of the byte after its last one; not less than @start
 *
 * Return: the span.
 */
static inline struct span span_between(size_t start, size_t end)
{
	return (struct span){ start, end - start };
}

/**
 * parse_is_blank() - whether a character separates words
 * @c: character
 *
 * It does not depend on the locale.
 *
 * Return: true for a space and for '\t', '\n', '\v', '\f' and '\r'.
 */
bool parse_is_blank(char c);

/**
 * parse_is_digit() - whether a character is a digit of decimal numbers
 * @c: character
 *
 * Return: true for '0' to '9'.
 */
bool parse_is_digit(char c);

/**
 * parse_is_ident() - whether a character can be in an identifier
 * @c: character
 *
 * Return: true for an ASCII letter, a digit and '_'.
 */
bool parse_is_ident(char c);

/**
 * parse_ident() - measure the identifier at the start of a span
 * @p: definition
 * @at: span; more may follow the identifier
 *
 * Return: bytes of the identifier; 0: none is there. A digit begins none.
 */
size_t parse_ident(const struct parse *p, struct span at);

/**
 * parse_word() - take the next word
 * @p: definition
 * @pos: offset to begin at; moves to the byte after the word
 * @ret: the word, without the blanks before it
 *
 * A blank ends a word. In ktap's own syntax a blank in quotes or in brackets does not: if
 * they never close, the word is all of the rest but blanks at its end.
 *
 * Return: false: only blanks are left, and @ret has no length.
 */
bool parse_word(const struct parse *p, size_t *pos, struct span *ret);

/**
 * parse_trim() - leave the blanks at both ends out
 * @p: definition
 * @at: span
 *
 * Return: @at without them.
 */
struct span parse_trim(const struct parse *p, struct span at);

/**
 * parse_find() - find the first occurrence of a character in a span
 * @p: definition
 * @at: span
 * @c: character
 *
 * Return: its offset; the end of @at: it is not there.
 */
size_t parse_find(const struct parse *p, struct span at, char c);

/**
 * parse_is() - whether a span is a word
 * @p: definition
 * @at: span
 * @word: word
 *
 * Return: true if the bytes of @at are all of @word, and no more.
 */
bool parse_is(const struct parse *p, struct span at, const char *word);

/**
 * parse_starts() - whether a span begins with a word
 * @p: definition
 * @at: span
 * @word: its first bytes; any byte may follow them
 *
 * Return: true if it does.
 */
bool parse_starts(const struct parse *p, struct span at, const char *word);

/**
 * parse_dup() - copy the bytes of a span
 * @p: definition
 * @at: span
 *
 * Return: string; malloc'ed; NULL: no memory, which the caller reports.
 */
char *parse_dup(const struct parse *p, struct span at);

/**
 * parse_number() - read a number without a sign
 * @p: definition
 * @at: all of the number, as in C: 0x1f, 037, 31
 * @ret: on success
 *
 * The caller reports errors: @p->d stays as it is.
 *
 * Return: 0; -EINVAL: it is no such number; -ERANGE: it needs more than 64 bits.
 */
int parse_number(const struct parse *p, struct span at, uint64_t *ret);

/**
 * parse_negative() - read a number after its '-'
 * @p: definition
 * @at: all of the number without the sign, as parse_number() has it
 * @ret: on success: the number with the sign
 *
 * The caller reports errors: @p->d stays as it is.
 *
 * Return: 0; -EINVAL: it is no such number; -ERANGE: it is less than INT64_MIN.
 */
int parse_negative(const struct parse *p, struct span at, int64_t *ret);

/**
 * parse_signed() - read a number with or without a sign
 * @p: definition
 * @at: all of the number, as parse_number() has it; '+' or '-' may precede it
 * @ret: on success
 *
 * The caller reports errors: @p->d stays as it is.
 *
 * Return: 0; -EINVAL: it is no such number; -ERANGE: it is no int64_t.
 */
int parse_signed(const struct parse *p, struct span at, int64_t *ret);

/**
 * parse_decimal() - read a number of digits only
 * @p: definition
 * @at: all of the number; it is decimal with zeros at its start, too
 * @ret: on success
 *
 * The caller reports errors: @p->d stays as it is.
 *
 * Return: 0; -EINVAL: it is no such number; -ERANGE: it needs more than 64 bits.
 */
int parse_decimal(const struct parse *p, struct span at, uint64_t *ret);

/* ---- parts of a definition ---- */

/**
 * parse_name() - parse [GROUP:]EVENT
 * @p: definition; in kernel syntax '/' or '.' stands for the ':'
 * @at: all of the name
 * @group: the group; without length: there is none
 * @event: the event; without length: there is none, as kernel syntax allows after a group
 *
 * Return: 0; -EINVAL: a name is missing, too long, or has other characters than the
 *	kernel accepts.
 */
int parse_name(const struct parse *p, struct span at, struct span *group,
	       struct span *event);

/**
 * parse_place() - parse a place in ktap's own syntax
 * @p: definition
 * @at: all of the place; not empty
 * @ret: filled; zero before, but for @file, which says that the place is in a program,
 *	and @file_at
 *
 * What @ret owns is released with its definition, after a failure too.
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int parse_place(const struct parse *p, struct span at, struct place_spec *ret);

/**
 * parse_args() - parse everything that follows the place
 * @p: definition; its @keys becomes true at 'by'
 * @pos: offset of the byte after the place
 * @spec: gets arguments, each with a name; in ktap's own syntax also the filter, and
 *	whether it aggregates
 *
 * What was read before an error stays in @spec, and is released with it.
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int parse_args(struct parse *p, size_t pos, struct probe_spec *spec);

/**
 * parse_expr() - parse the expression at the start of a span
 * @p: definition
 * @at: span; after the expression it may have blanks, and ':' with more after that
 * @ret: on success: the tree; release with expr_free()
 * @ret_end: offset of the byte after the expression: that is the ':' of a
 *	type or the end of @at, since blanks before them are read too; on failure where
 *	reading ended
 *
 * Return: 0; -EINVAL: it is no expression, or something else follows it; -ENOMEM.
 */
int parse_expr(const struct parse *p, struct span at, struct expr **ret,
	       size_t *ret_end);

/**
 * parse_type() - parse the type after the ':' of an argument
 * @p: definition
 * @at: all of the type; blanks may be around it
 * @expr: the operand, which must be one that can have the type: a string and an array
 *	are in memory, and $comm is a string
 * @ret: filled; zero before
 *
 * Types of C are for parse_c_type().
 *
 * Return: 0 or -EINVAL.
 */
int parse_type(const struct parse *p, struct span at, const struct expr *expr,
	       struct type_spec *ret);

/**
 * parse_is_type() - whether a word is the name of a fetch argument's type
 * @p: definition
 * @at: word
 *
 * Return: true if it is such a name, and no more: no bit-field, and without the limit of
 *	a string and the length of an array.
 */
bool parse_is_type(const struct parse *p, struct span at);

/**
 * parse_cast() - parse the type in the brackets of a cast
 * @p: definition
 * @at: what is between the brackets
 * @ret: filled if it is one
 *
 * Types of C are for parse_c_type().
 *
 * Return: true if it is u8 to u64, s8 to s64, x8 to x64, char, string or ustring.
 */
bool parse_cast(const struct parse *p, struct span at, struct type_spec *ret);

/**
 * parse_c_type() - read words and stars, as a type of C is written
 * @p: definition
 * @at: all of the type
 * @sure: whether it can be nothing else: it has stars, several words, or a first word
 *	such as "struct" or "unsigned"; it means nothing where NULL is returned
 *
 * Whether there is such a type is seen later.
 *
 * Return: the type, with one blank between words and one before the stars; malloc'ed;
 *	NULL: it is none, or no memory; no error is set.
 */
char *parse_c_type(const struct parse *p, struct span at, bool *sure);

/**
 * parse_is_c_type() - whether a type of C follows the ':' of an argument
 * @p: definition; in kernel syntax there are none
 * @at: what follows the ':'
 *
 * The names of fetch arguments' types come first: "char" is one.
 *
 * Return: true if it begins with '(' or with a word such as "struct" or "unsigned", or is
 *	one identifier that ends in "_t".
 */
bool parse_is_c_type(const struct parse *p, struct span at);

/**
 * parse_aggregate() - parse sum(EXPR) and its like
 * @p: definition
 * @at: text; becomes EXPR, or remains the same if it is none of the functions
 * @ret: role; AGGREGATE_NONE if it is none of the functions, or count()
 *
 * Return: 0 or -EINVAL.
 */
int parse_aggregate(const struct parse *p, struct span *at,
		    struct aggregate *ret);

/**
 * parse_comma() - find the comma between two parts
 * @p: definition
 * @at: text
 *
 * Return: the first comma that no bracket or quote encloses, or the end.
 */
size_t parse_comma(const struct parse *p, struct span at);

/**
 * parse_is_store() - whether a word begins as store(KEY,VALUE)
 * @p: definition
 * @word: word
 *
 * Return: whether it does.
 */
bool parse_is_store(const struct parse *p, struct span word);

/**
 * parse_store() - parse store(KEY,VALUE)
 * @p: definition
 * @at: word, for which parse_is_store() is true
 * @spec: gets it
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int parse_store(const struct parse *p, struct span at, struct probe_spec *spec);

/**
 * parse_named_store() - refuse NAME=store(KEY,VALUE)
 * @p: definition
 * @at: all of it
 *
 * Return: -EINVAL.
 */
int parse_named_store(const struct parse *p, struct span at);

/**
 * parse_is_count() - whether a word is count()
 * @p: definition
 * @word: word
 *
 * Return: whether it is.
 */
bool parse_is_count(const struct parse *p, struct span word);

/**
 * parse_steps() - parse MIN,MAX,STEP of a linear histogram
 * @p: definition
 * @at: text
 * @ret: on success
 *
 * Return: 0 or -EINVAL.
 */
int parse_steps(const struct parse *p, struct span at, struct aggregate *ret);

/**
 * print_args() - append all arguments, each with a blank before it
 * @b: appended to
 * @spec: definition
 * @params: what is known of its parameters; NULL: only the names are written
 */
void print_args(struct buf *b, const struct probe_spec *spec,
		const struct params *params);

/**
 * parse_operand() - parse the operand at the start of a span
 * @p: definition
 * @at: span; more may follow the operand
 * @e: new node, which is filled; its @at says how long the operand is
 *
 * Brackets, operators, members, $entry() and dereferences such as +8(x) are for
 * parse_expr().
 *
 * What @e owns is released with expr_free(), after a failure too.
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int parse_operand(const struct parse *p, struct span at, struct expr *e);

/**
 * parse_param() - parse $param(NAME) or $param(NAME=DEFAULT:TYPE)
 * @p: definition, in ktap's own syntax; its parameters are added to
 * @at: span that begins with it; more may follow
 * @e: new node, whose @at is "$param"; filled
 *
 * Return: 0; -EINVAL: it is malformed, not declared, or declared otherwise before; -ENOMEM.
 */
int parse_param(const struct parse *p, struct span at, struct expr *e);

/**
 * parse_counter() - parse $perf(EVENT)
 * @p: definition, in ktap's own syntax
 * @at: span that begins with it; more may follow
 * @e: new node, whose @at is "$perf"; filled
 *
 * Return: 0; -EINVAL: there is no such event; -ENOMEM.
 */
int parse_counter(const struct parse *p, struct span at, struct expr *e);

/**
 * var_name() - name a $variable that has no number in its name
 * @e: node
 *
 * Return: a constant string, without the '$'; NULL: @e is no such variable.
 */
const char *var_name(const struct expr *e);

/**
 * parse_file() - parse "-x PATH", if it is there
 * @p: definition
 * @pos: offset at which it may begin; moves to the byte after it
 * @ret: gets @file and @file_at; a @file that it has is freed
 *
 * A blank ends PATH. In double quotes blanks are a part of it, and a backslash keeps the
 * character after it.
 *
 * Return: 0, also if there is no -x; -EINVAL: no path follows it, or the quotes of the
 *	path never close; -ENOMEM.
 */
int parse_file(const struct parse *p, size_t *pos, struct place_spec *ret);

/**
 * file_put() - append "-x PATH " as parse_file() reads it
 * @b: appended to
 * @file: path; put in quotes if it has a blank, a quote, a backslash or '#'
 */
void file_put(struct buf *b, const char *file);

/**
 * group_default() - choose the group of a kernel line that names none
 * @spec: definition, whose place and letter are known
 *
 * Return: a constant string: "uprobes", "tracepoints", "fprobes" or "kprobes".
 */
const char *group_default(const struct probe_spec *spec);

/**
 * print_value() - write an expression without blanks around its operators
 * @b: where to
 * @e: expression
 * @params: what is known of parameters; NULL: only their names are written
 */
void print_value(struct buf *b, const struct expr *e, const struct params *params);

/**
 * print_stores() - write what a definition stores, each with a blank before it
 * @b: where to
 * @spec: definition
 * @params: what is known of parameters; NULL: only their names are written
 */
void print_stores(struct buf *b, const struct probe_spec *spec,
		  const struct params *params);

/**
 * print_arg() - append EXPR[:TYPE] of an argument
 * @b: appended to
 * @arg: argument; neither its name nor the function that aggregates it is written
 * @params: as for print_args()
 */
void print_arg(struct buf *b, const struct arg_spec *arg,
	       const struct params *params);

/**
 * print_filter() - append the condition of a filter, without the 'if'
 * @b: appended to
 * @e: condition
 * @params: as for print_args()
 */
void print_filter(struct buf *b, const struct expr *e,
		  const struct params *params);

/**
 * event_default() - make the name of an event that was given none
 * @spec: definition with a place, of which the name is made
 *
 * In kernel syntax it has the form that the kernel gives it: p_SYMBOL_OFFSET,
 * SYMBOL__exit and so on. A longer name is cut to SPEC_NAME_MAX - 1 bytes.
 *
 * Return: name without a group; malloc'ed; NULL: no memory.
 */
char *event_default(const struct probe_spec *spec);

/**
 * name_is_reserved() - whether no argument can have a name
 * @name: name
 *
 * The kernel's records have fields of these names: see reserved_field_names in
 * kernel/trace/trace_probe.c.
 *
 * Return: true if it is one of them.
 */
bool name_is_reserved(const char *name);

/**
 * names_make() - name the arguments of ktap's own syntax that have no name
 * @p: definition
 * @spec: the same; its arguments get names
 *
 * A name is made of the expression; where it suggests none, of the argument's number. It
 * is a name that no other argument has.
 *
 * Return: 0; -ENOMEM: some arguments may still have no name.
 */
int names_make(const struct parse *p, struct probe_spec *spec);

/**
 * kernel_is_line() - whether a definition is a line as kprobe_events takes it
 * @p: definition
 * @at: all of it, without -x and blanks before it
 * @in_file: it is about a program: then of the letters only p and r begin a line
 *
 * Return: true if it begins with "-:" or "!", or with one of the letters p, r, f, t and
 *	e, which digits may follow, and then ':' or a blank.
 */
bool kernel_is_line(const struct parse *p, struct span at, bool in_file);

/**
 * kernel_parse() - parse a line of kprobe_events, uprobe_events or dynamic_events
 * @p: definition; its @kernel becomes true
 * @at: all of the line; kernel_is_line() is true of it
 * @spec: filled; its @place.file may be set before
 *
 * What @spec owns is released with spec_free(), after a failure too.
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int kernel_parse(struct parse *p, struct span at, struct probe_spec *spec);

/**
 * foreign_check() - answer a line of another tracer with ktap's form
 * @p: definition; gets the error, whose hint is that form
 * @at: all of the line, to the end of the definition
 *
 * Return: 0: it is no such line; -EINVAL.
 */
int foreign_check(const struct parse *p, struct span at);

#endif /* KTAP_SPEC_PARSE_H */
