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
 * @d: where errors go
 */
struct parse {
	const char *text;
	bool kernel;
	bool in_file;
	bool keys;
	struct diag *d;
};

/* ---- errors ---- */

/* parse_fail() - the error @code at @at; returns -EINVAL. */
int parse_fail(const struct parse *p, struct span at, enum diag_code code, ...);
/* parse_fail_text() - the same where the message quotes @quote, and then may
 * name a limit: "%.*s" and "%d" of the row.
 */
int parse_fail_text(const struct parse *p, struct span at, enum diag_code code,
		    struct span quote, int limit);
int parse_no_memory(const struct parse *p);

/* ---- text ---- */

static inline size_t span_end(struct span s)
{
	return s.start + s.length;
}

static inline struct span span_between(size_t start, size_t end)
{
	return (struct span){ start, end - start };
}

bool parse_is_blank(char c);
bool parse_is_digit(char c);	/* of decimal numbers */
bool parse_is_ident(char c);	/* letter, digit or '_' */

/* parse_ident() - bytes of the identifier at the start of @at, 0: none. */
size_t parse_ident(const struct parse *p, struct span at);

/* parse_word() - the next word from *@pos on, which moves behind it. An empty
 * word at the end of the text is no word: false.
 */
bool parse_word(const struct parse *p, size_t *pos, struct span *ret);

/* parse_find() - first @c in @at, or its end. */
size_t parse_find(const struct parse *p, struct span at, char c);

bool parse_is(const struct parse *p, struct span at, const char *word);
bool parse_starts(const struct parse *p, struct span at, const char *word);

char *parse_dup(const struct parse *p, struct span at);

/* parse_number() - C syntax: 0x1f, 037, 31. -EINVAL, -ERANGE. */
int parse_number(const struct parse *p, struct span at, uint64_t *ret);
int parse_negative(const struct parse *p, struct span at, int64_t *ret);
/* parse_signed() - the same with an optional sign. */
int parse_signed(const struct parse *p, struct span at, int64_t *ret);
/* parse_decimal() - digits only. */
int parse_decimal(const struct parse *p, struct span at, uint64_t *ret);

/* ---- parts of a definition ---- */

/* parse_name() - [GROUP:]EVENT, in kernel syntax with '/' or '.'; there EVENT
 * may be left out after a GROUP. What is not there has the length 0.
 */
int parse_name(const struct parse *p, struct span at, struct span *group,
	       struct span *event);

int parse_place(const struct parse *p, struct span at, struct place_spec *ret);
/* parse_args() - all arguments from @pos on */
int parse_args(struct parse *p, size_t pos, struct probe_spec *spec);
/* parse_expr() - the expression at the start of @at; *@ret_end is behind it,
 * at the ':' of a type or at the end of @at.
 */
int parse_expr(const struct parse *p, struct span at, struct expr **ret,
	       size_t *ret_end);
int parse_type(const struct parse *p, struct span at, const struct expr *expr,
	       struct type_spec *ret);
/* parse_is_type() - it is the name of a fetch argument's type. */
bool parse_is_type(const struct parse *p, struct span at);
/* parse_cast() - the type in the brackets of a cast; false: it is no type. */
bool parse_cast(const struct parse *p, struct span at, struct type_spec *ret);
/* parse_c_type() - words and stars, as a type of C is written; malloc'ed. *@sure:
 * it can be nothing else. NULL: it is none, or no memory.
 */
char *parse_c_type(const struct parse *p, struct span at, bool *sure);
/* parse_is_c_type() - what follows the ':' of an argument is one of C. */
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
 */
void print_args(struct buf *b, const struct probe_spec *spec);

/* parse_operand() - the operand at the start of @at, without dereferences */
int parse_operand(const struct parse *p, struct span at, struct expr *e);
/* var_name() - of a $variable without a number; NULL: @e is none. */
const char *var_name(const struct expr *e);

/* parse_file() - "-x PATH" at *@pos, which moves behind it. */
int parse_file(const struct parse *p, size_t *pos, struct place_spec *ret);

/* file_put() - "-x PATH " as parse_file() reads it. */
void file_put(struct buf *b, const char *file);

/* group_default() - GROUP of a kernel line without one. */
const char *group_default(const struct probe_spec *spec);
/* print_arg() - EXPR[:TYPE]; print_filter() - what follows 'if'. */
void print_arg(struct buf *b, const struct arg_spec *arg);
void print_filter(struct buf *b, const struct expr *e);

/* event_default() - EVENT where none was given; malloc'ed. */
char *event_default(const struct probe_spec *spec);
/* name_is_reserved() - the kernel's records have that name already. */
bool name_is_reserved(const char *name);
/* names_make() - names for the arguments of ktap's own syntax that have none */
int names_make(const struct parse *p, struct probe_spec *spec);

/* kernel_is_line(), kernel_parse() - lines as kprobe_events takes them. In a
 * program (@in_file) only p and r begin one.
 */
bool kernel_is_line(const struct parse *p, struct span at, bool in_file);
int kernel_parse(struct parse *p, struct span at, struct probe_spec *spec);

/* foreign_check() - lines of other tracers are answered with ktap's form */
int foreign_check(const struct parse *p, struct span at);

#endif /* KTAP_SPEC_PARSE_H */
