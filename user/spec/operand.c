// SPDX-License-Identifier: GPL-2.0
/*
 * Operands of expressions: registers, $variables, numbers, texts, symbols and
 * names. In kernel syntax one takes all up to its bracket or its type.
 */
#include <errno.h>
#include <linux/ktap.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "spec/parse.h"

#define QUOTES_HINT "use single quotes around the definition"

/* In kernel syntax an operand ends where its brackets or its type do. */
static bool ends_operand(char c)
{
	return c == ')' || c == ':';
}

/* The operand at @at: all of it in kernel syntax, else its letters. */
static struct span operand(const struct parse *p, struct span at,
			   size_t skip, const char *more)
{
	size_t end = span_end(at), i = at.start + skip;

	for (; i < end; i++) {
		char c = p->text[i];

		if (p->kernel ? ends_operand(c) :
				!parse_is_ident(c) && (!*more || !strchr(more, c)))
			break;
	}
	return span_between(at.start, i < end ? i : end);
}

static int keep_text(const struct parse *p, struct span at, struct expr *e)
{
	e->text = parse_dup(p, at);
	return e->text ? 0 : parse_no_memory(p);
}

/* %REG; whether there is such a register is for the compiler to say. */
static int parse_reg(const struct parse *p, struct span at, struct expr *e)
{
	e->kind = EXPR_REG;
	e->at = operand(p, at, 1, "");
	if (e->at.length == 1)
		return parse_fail(p, e->at, DIAG_SPEC_NO_REG_NAME);
	return keep_text(p, span_between(at.start + 1, span_end(e->at)), e);
}

/* ---- $variables ---- */

static int bad_var(const struct parse *p, struct span at)
{
	parse_fail_text(p, at, DIAG_SPEC_BAD_VAR, at, 0);
	diag_hint(p->d, "there are $argN, $arg*, $params, $vars, $param(x), $retval, $elapsed, $entry(x), $stack, $stackN, $kstack, $kstack(N), $ustack, $ustack(N), $caller, $comm, $cpu, $pid, $tid, $ppid, $uid, $cgroup, $time, $now, $task, $perf(EVENT), $load(x) and $take(x); " QUOTES_HINT);
	return -EINVAL;
}

static bool all_digits(const struct parse *p, struct span at)
{
	size_t i;

	for (i = at.start; i < span_end(at); i++)
		if (p->text[i] < '0' || p->text[i] > '9')
			return false;
	return at.length;
}

static const char *const lists[] = {
	[LIST_ARGS] = "$arg*", [LIST_PARAMS] = "$params", [LIST_VARS] = "$vars",
};

const char *expr_list_name(int64_t list)
{
	return lists[list];
}

/* The letters of a name end before the star of $arg*. */
static bool find_list(const struct parse *p, struct span at, struct expr *e)
{
	size_t i, length, end = span_end(at);

	for (i = 0; i < ARRAY_SIZE(lists) && (!i || !p->kernel); i++) {
		length = strlen(lists[i]);
		if (!parse_starts(p, at, lists[i]) ||
		    (p->kernel && e->at.length != length) ||
		    (i && at.start + length < end &&
		     parse_is_ident(p->text[at.start + length])))
			continue;
		e->kind = EXPR_ARGS;
		e->value = i;
		e->at = span_between(at.start, at.start + length);
		return true;
	}
	return false;
}

/* In kernel syntax it has all up to its type, but for members of $retval. */
static struct span var_operand(const struct parse *p, struct span at)
{
	static const char retval[] = "$retval";
	size_t end = at.start + strlen(retval);

	if (p->kernel && parse_starts(p, at, retval) && end < span_end(at) &&
	    strchr("-.", p->text[end]))
		return span_between(at.start, end);
	return operand(p, at, 1, "");
}

/* struct var - a variable without a number */
struct var {
	const char *name;
	enum expr_kind kind;
	int64_t value;
};

static const struct var vars[] = {
	{ "comm", EXPR_COMM, 0 },
	{ "COMM", EXPR_COMM, 0 },
	{ "stack", EXPR_STACK, 0 },
	{ "retval", EXPR_RETVAL, 0 },
	{ "elapsed", EXPR_ELAPSED, 0 },
	{ "caller", EXPR_CALLER, 0 },
	{ "cpu", EXPR_CTX, KTAP_CTX_CPU },
	{ "pid", EXPR_CTX, KTAP_CTX_TGID },
	{ "tid", EXPR_CTX, KTAP_CTX_TID },
	{ "ppid", EXPR_CTX, KTAP_CTX_PPID },
	{ "uid", EXPR_CTX, KTAP_CTX_UID },
	{ "cgroup", EXPR_CTX, KTAP_CTX_CGROUP },
	{ "time", EXPR_CTX, KTAP_CTX_TIME },
	{ "now", EXPR_CTX, KTAP_CTX_TIME },
	{ "task", EXPR_CTX, KTAP_CTX_TASK },
};

const char *var_name(const struct expr *e)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vars); i++)
		if (vars[i].kind == e->kind && vars[i].value == e->value)
			return vars[i].name;
	return NULL;
}

/* struct numbered - $stackN, $argN */
struct numbered {
	const char *name;
	enum expr_kind kind;
	enum diag_code bad;
	uint64_t least;
};

static const struct numbered numbered_vars[] = {
	{ "stack", EXPR_STACK_WORD, DIAG_SPEC_BAD_STACK, 0 },
	{ "arg", EXPR_ARG, DIAG_SPEC_BAD_ARG_NR, 1 },
};

static int numbered_var(const struct parse *p, struct expr *e,
			struct span name, const struct numbered *var)
{
	struct span digits = span_between(name.start + strlen(var->name),
					  span_end(name));
	uint64_t value;

	if (!all_digits(p, digits))
		return bad_var(p, e->at);
	if (parse_decimal(p, digits, &value) || value < var->least ||
	    value > SPEC_STACK_MAX)
		return parse_fail_text(p, e->at, var->bad, digits,
				       SPEC_STACK_MAX);
	e->kind = var->kind;
	e->value = (int64_t)value;
	return 0;
}

/* $kstack, $ustack, or one with (N), in ktap's own syntax */
static int stack_var(const struct parse *p, struct span at, enum expr_kind kind,
		     struct expr *e)
{
	size_t start = span_end(e->at) + 1, end;
	struct span digits;
	uint64_t frames;

	e->kind = kind;
	e->value = SPEC_STACK_FRAMES;
	if (start > span_end(at) || p->text[start - 1] != '(')
		return 0;
	end = parse_find(p, span_between(start, span_end(at)), ')');
	digits = span_between(start, end);
	e->at = span_between(at.start, end < span_end(at) ? end + 1 : end);
	if (end == span_end(at) || !all_digits(p, digits) ||
	    parse_decimal(p, digits, &frames) || !frames ||
	    frames > KTAP_STACK_FRAMES_MAX)
		return parse_fail_text(p, e->at, DIAG_SPEC_BAD_DEPTH, digits,
				       KTAP_STACK_FRAMES_MAX);
	e->value = (int64_t)frames;
	return 0;
}

static int parse_var(const struct parse *p, struct span at, struct expr *e)
{
	struct span name;
	size_t i;

	e->at = var_operand(p, at);
	name = span_between(at.start + 1, span_end(e->at));
	if (find_list(p, at, e))
		return 0;
	if (!p->kernel && parse_is(p, name, "kstack"))
		return stack_var(p, at, EXPR_KSTACK, e);
	if (!p->kernel && parse_is(p, name, "perf"))
		return parse_counter(p, at, e);
	if (!p->kernel && parse_is(p, name, "param"))
		return parse_param(p, at, e);
	if (!p->kernel && parse_is(p, name, "ustack"))
		return stack_var(p, at, EXPR_USTACK, e);
	for (i = 0; i < ARRAY_SIZE(vars); i++) {
		if (!parse_is(p, name, vars[i].name))
			continue;
		e->kind = vars[i].kind;
		e->value = vars[i].value;
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(numbered_vars); i++)
		if (parse_starts(p, name, numbered_vars[i].name))
			return numbered_var(p, e, name, &numbered_vars[i]);
	return bad_var(p, e->at);
}

/* ---- texts ---- */

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * The character at *@pos of a quoted text, which moves behind it. A backslash
 * that does not begin an escape is one: patterns have their own use for it.
 */
static char next_char(const struct parse *p, size_t *pos)
{
	const char *s = p->text + *pos;
	int high, low;

	if (s[0] == '\\' && s[1] && strchr("\"'\\", s[1])) {
		*pos += 2;
		return s[1];
	}
	if (s[0] == '\\' && s[1] == 'x') {
		high = hex_value(s[2]);
		low = high < 0 ? -1 : hex_value(s[3]);
		if (low >= 0 && high + low) {
			*pos += 4;
			return (char)(high << 4 | low);
		}
	}
	++*pos;
	return s[0];
}

/* Behind the last letter of the text that begins with the quote at @at. */
static size_t text_end(const struct parse *p, struct span at)
{
	size_t pos = at.start + 1;

	if (p->kernel)
		return parse_find(p, span_between(pos, span_end(at)), '"');
	while (pos < span_end(at) && p->text[pos] != p->text[at.start])
		next_char(p, &pos);
	return pos < span_end(at) ? pos : span_end(at);
}

static int no_quote(const struct parse *p, struct span at)
{
	return parse_fail(p, span_between(span_end(at), span_end(at)),
			  DIAG_SPEC_NO_QUOTE, p->text[at.start]);
}

/* "text": @at begins with the quote; what stands before it belongs to it. */
static int parse_text(const struct parse *p, struct span at, struct expr *e)
{
	size_t end = text_end(p, at), pos = at.start + 1;
	struct buf b = BUF_INIT;

	if (end == span_end(at))
		return no_quote(p, at);
	e->kind = EXPR_TEXT;
	e->at = span_between(at.start, end + 1);
	while (pos < end)
		buf_putc(&b, p->kernel ? p->text[pos++] : next_char(p, &pos));
	/* that line is kept as it is, and shown */
	if (p->kernel && b.size && !utf8_is_plain(b.data, b.size)) {
		buf_deinit(&b);
		return parse_fail(p, e->at, DIAG_SPEC_BAD_TEXT);
	}
	e->text = buf_take(&b);
	return e->text ? 0 : parse_no_memory(p);
}

/* \"text": as the kernel has it */
static int parse_marked_text(const struct parse *p, struct span at,
			     struct expr *e)
{
	int err = parse_text(p, span_between(at.start + 1, span_end(at)), e);

	if (!err)
		e->at = span_between(at.start, span_end(e->at));
	return err;
}

/* 'A': one character, or an escape of a text or of C. */
static int parse_character(const struct parse *p, struct span at,
			   struct expr *e)
{
	static const char letters[] = "abtnvfr0", values[] = "\a\b\t\n\v\f\r";
	size_t end = text_end(p, at), pos = at.start + 1;
	const char *letter;

	if (end == span_end(at))
		return no_quote(p, at);
	e->kind = EXPR_IMM;
	e->at = span_between(at.start, end + 1);
	if (end - pos == 2 && p->text[pos] == '\\') {
		letter = strchr(letters, p->text[pos + 1]);
		if (letter) {
			e->value = values[letter - letters];
			return 0;
		}
	}
	if (pos < end)
		e->value = (unsigned char)next_char(p, &pos);
	if (pos == end && end - at.start > 1)
		return 0;
	return parse_fail_text(p, e->at, DIAG_SPEC_BAD_IMM, e->at, 0);
}

/* ---- numbers and addresses ---- */

/* The digits of \NUM, or of a number as it is. */
static int parse_digits_at(const struct parse *p, struct span at,
			   struct expr *e)
{
	uint64_t value = 0;
	int err;

	e->kind = EXPR_IMM;
	if (parse_starts(p, at, "-") || parse_starts(p, at, "+")) {
		err = parse_signed(p, at, &e->value);
	} else {
		err = parse_number(p, at, &value);
		e->value = (int64_t)value;
		e->is_unsigned |= value > INT64_MAX;
	}
	if (err)
		return parse_fail_text(p, at, DIAG_SPEC_BAD_IMM, at, 0);
	return 0;
}

static int parse_imm(const struct parse *p, struct span at, struct expr *e)
{
	size_t sign = at.length > 1 && strchr("+-", p->text[at.start + 1]);

	if (at.length > 1 && p->text[at.start + 1] == '"')
		return parse_marked_text(p, at, e);
	e->at = operand(p, at, 1 + sign, "");
	return parse_digits_at(p, span_between(at.start + 1, span_end(e->at)),
			       e);
}

/* As in C, with its suffixes: all numbers have 64 bits. */
static int parse_bare_number(const struct parse *p, struct span at,
			     struct expr *e)
{
	struct span digits;

	e->at = operand(p, at, 0, "");
	digits = e->at;
	while (digits.length > 1 &&
	       strchr("uUlL", p->text[span_end(digits) - 1])) {
		digits.length--;
		if ((p->text[span_end(digits)] | 0x20) == 'u')
			e->is_unsigned = true;
	}
	return parse_digits_at(p, digits, e);
}

static int bad_address(const struct parse *p, struct span at)
{
	struct span text = span_between(at.start + 1, span_end(at));

	parse_fail_text(p, at, DIAG_SPEC_BAD_ADDRESS, text, 0);
	diag_hint(p->d, "write @0xADDRESS, @SYMBOL, @SYMBOL+NUMBER or @SYMBOL-NUMBER");
	return -EINVAL;
}

/* @sym+8: the text up to the sign is the symbol's name. */
static int parse_symbol_address(const struct parse *p, struct expr *e)
{
	struct span text = span_between(e->at.start + 1, span_end(e->at));
	size_t sign = text.start;

	while (sign < span_end(text) &&
	       (parse_is_ident(p->text[sign]) || strchr(".$", p->text[sign])))
		sign++;
	if (sign == text.start ||
	    (sign < span_end(text) && !strchr("+-", p->text[sign])))
		return bad_address(p, e->at);
	if (sign < span_end(text) &&
	    parse_signed(p, span_between(sign, span_end(text)), &e->value))
		return bad_address(p, e->at);
	return keep_text(p, span_between(text.start, sign), e);
}

static bool takes_offset(const struct parse *p, size_t pos, size_t end)
{
	if (pos == end || !strchr("+-", p->text[pos]))
		return false;
	return pos + 1 == end || parse_is_ident(p->text[pos + 1]);
}

/* @+N: byte N of the file, wherever the program that is probed has it. */
static int parse_file_memory(const struct parse *p, struct span at,
			     struct expr *e)
{
	struct span digits;
	uint64_t value;

	e->at = operand(p, at, 2, "");
	if (!p->in_file)
		return parse_fail(p, e->at, DIAG_SPEC_FILE_OFFSET);
	digits = span_between(at.start + 2, span_end(e->at));
	if (parse_number(p, digits, &value) || value > INT64_MAX)
		return parse_fail_text(p, e->at, DIAG_SPEC_BAD_FILE_PLACE,
				       digits, 0);
	e->kind = EXPR_DEREF;
	e->value = (int64_t)value;
	e->user = true;
	e->base = expr_new(EXPR_FILE, p->d);
	if (!e->base)
		return -ENOMEM;
	e->base->at = e->at;
	return 0;
}

static int parse_memory(const struct parse *p, struct span at, struct expr *e)
{
	char first = at.length > 1 ? p->text[at.start + 1] : '\0';
	size_t end = span_end(at);
	uint64_t value;

	if (first == '+')
		return parse_file_memory(p, at, e);
	e->kind = EXPR_SYMBOL;
	e->at = operand(p, at, 1, ".$");
	if (first >= '0' && first <= '9') {
		if (parse_number(p, span_between(at.start + 1, span_end(e->at)),
				 &value))
			return bad_address(p, e->at);
		e->value = (int64_t)value;
		return 0;
	}
	/* "@sym+8" is one token in ktap's own syntax too, "@sym+%di" is not */
	if (!p->kernel && takes_offset(p, span_end(e->at), end))
		e->at = operand(p, at, e->at.length + 1, "");
	return parse_symbol_address(p, e);
}

/* ---- what is no fetch argument ---- */

static bool ends_expr(const struct parse *p, struct span at)
{
	return !at.length || ends_operand(p->text[at.start]) ||
	       parse_is_blank(p->text[at.start]);
}

/* Bytes of an identifier, in ktap's own syntax with its scopes: ns::var */
static size_t scoped_length(const struct parse *p, struct span at)
{
	size_t length = parse_ident(p, at), more;

	while (!p->kernel && length + 2 < at.length &&
	       !strncmp(p->text + at.start + length, "::", 2)) {
		more = parse_ident(p, span_between(at.start + length + 2,
						   span_end(at)));
		if (!more)
			break;
		length += 2 + more;
	}
	return length;
}

/* In kernel syntax nothing but a member may follow. */
static int parse_variable(const struct parse *p, struct span at,
			  struct expr *e)
{
	struct span behind;

	e->kind = EXPR_NAME;
	e->at = span_between(at.start, at.start + scoped_length(p, at));
	behind = span_between(span_end(e->at), span_end(at));
	if (p->kernel && !ends_expr(p, behind) &&
	    !strchr("-.", p->text[behind.start]))
		return parse_fail_text(p, at, DIAG_SPEC_BAD_FETCH, at, 0);
	return keep_text(p, e->at, e);
}

static int no_operand(const struct parse *p, struct span at)
{
	parse_fail(p, span_between(at.start, at.start), DIAG_SPEC_NO_OPERAND);
	diag_hint(p->d, "the shell replaces $names that are not quoted: " QUOTES_HINT);
	return -EINVAL;
}

static int parse_other(const struct parse *p, struct span at)
{
	parse_fail_text(p, at, DIAG_SPEC_BAD_FETCH, at, 0);
	if (at.length && p->text[at.start] == '/')
		diag_hint(p->d, "a filter is written last: 'if count > 4096'");
	return -EINVAL;
}

static int (*own_operand(char c))(const struct parse *p, struct span at,
				  struct expr *e)
{
	if (c >= '0' && c <= '9')
		return parse_bare_number;
	if (c == '"')
		return parse_text;
	return c == '\'' ? parse_character : NULL;
}

int parse_operand(const struct parse *p, struct span at, struct expr *e)
{
	char c = at.length ? p->text[at.start] : '\0';

	if (ends_expr(p, at))
		return no_operand(p, at);
	if (c == '%')
		return parse_reg(p, at, e);
	if (c == '$')
		return parse_var(p, at, e);
	if (c == '@')
		return parse_memory(p, at, e);
	if (c == '\\')
		return parse_imm(p, at, e);
	if (!p->kernel && own_operand(c))
		return own_operand(c)(p, at, e);
	if (parse_ident(p, at))
		return parse_variable(p, at, e);
	return parse_other(p, at);
}
