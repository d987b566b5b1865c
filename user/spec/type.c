// SPDX-License-Identifier: GPL-2.0
/* TYPE: how a value is stored and shown. */
#include <errno.h>
#include <string.h>

#include <linux/ktap.h>

#include "base/array.h"
#include "base/suggest.h"
#include "spec/parse.h"

/* struct type_name - @cast: it can stand in brackets before an operand */
struct type_name {
	const char *name;
	enum type_kind kind;
	unsigned int size;
	bool cast;
};

static const struct type_name types[] = {
	{ "u8", TYPE_UNSIGNED, 1, true },
	{ "u16", TYPE_UNSIGNED, 2, true },
	{ "u32", TYPE_UNSIGNED, 4, true },
	{ "u64", TYPE_UNSIGNED, 8, true },
	{ "s8", TYPE_SIGNED, 1, true },
	{ "s16", TYPE_SIGNED, 2, true },
	{ "s32", TYPE_SIGNED, 4, true },
	{ "s64", TYPE_SIGNED, 8, true },
	{ "x8", TYPE_HEX, 1, true },
	{ "x16", TYPE_HEX, 2, true },
	{ "x32", TYPE_HEX, 4, true },
	{ "x64", TYPE_HEX, 8, true },
	{ "char", TYPE_CHAR, 1, true },
	{ "string", TYPE_STRING, 0, true },
	{ "ustring", TYPE_USTRING, 0, true },
	{ "symbol", TYPE_SYMBOL, 8, false },
	{ "symstr", TYPE_SYMSTR, 8, false },
	{ "errno", TYPE_ERRNO, 8, false },
	{ "%pd", TYPE_DENTRY, 0, false },
	{ "%pD", TYPE_FILE, 0, false },
};

/* The N of string(N): bytes with NUL. */
static int parse_limit(const struct parse *p, struct span at,
		       struct type_spec *ret)
{
	uint64_t limit;

	if (parse_number(p, at, &limit) || !limit || limit > KTAP_STRING_MAX)
		return parse_fail_text(p, at, DIAG_SPEC_BAD_LIMIT, at,
				       KTAP_STRING_MAX);
	ret->size = limit;
	return 0;
}

static bool is_name(enum type_kind kind)
{
	return kind == TYPE_DENTRY || kind == TYPE_FILE;
}

/* Conversions of printf(), with and without their '%', and what they mean here. */
static const struct {
	const char *conversion;
	const char *type;
} printfs[] = {
	{ "d", "s32" },	 { "i", "s32" },   { "u", "u32" },  { "x", "x32" },
	{ "c", "char" }, { "s", "string" }, { "p", "x64" },  { "ld", "s64" },
	{ "lu", "u64" }, { "lx", "x64" },  { "lld", "s64" }, { "llu", "u64" },
	{ "llx", "x64" }, { "zu", "u64" }, { "zd", "s64" },
};

static bool hint_printf(const struct parse *p, struct span at)
{
	size_t i;

	if (at.length && p->text[at.start] == '%')
		at = span_between(at.start + 1, span_end(at));
	for (i = 0; i < ARRAY_SIZE(printfs); i++) {
		if (!parse_is(p, at, printfs[i].conversion))
			continue;
		diag_hint(p->d,
			  "printf's %%%s is '%s' here; without a type the variable's own decides",
			  printfs[i].conversion, printfs[i].type);
		return true;
	}
	return false;
}

static int unknown_type(const struct parse *p, struct span at)
{
	struct suggest s;
	size_t i;

	parse_fail_text(p, at, DIAG_SPEC_BAD_TYPE, at, 0);
	if (hint_printf(p, at))
		return -EINVAL;
	suggest_init(&s, p->text + at.start, at.length);
	for (i = 0; i < ARRAY_SIZE(types); i++)
		suggest_try(&s, types[i].name);
	suggest_hint(&s, "", p->d);
	diag_hint(p->d, "types are u8 to u64, s8 to s64, x8 to x64, char, string, ustring, symbol, symstr, errno, bW@O/S, %%pd and %%pD");
	return -EINVAL;
}

/* A decimal number from *@pos on, which moves to what ends it. */
static bool bits_number(const struct parse *p, size_t *pos, size_t end,
			unsigned int *ret)
{
	size_t start = *pos;
	uint64_t value;

	while (*pos < end && p->text[*pos] >= '0' && p->text[*pos] <= '9')
		++*pos;
	if (parse_decimal(p, span_between(start, *pos), &value) || value > 64)
		return false;
	*ret = value;
	return true;
}

static bool bits_mark(const struct parse *p, size_t *pos, size_t end, char mark)
{
	if (*pos == end || p->text[*pos] != mark)
		return false;
	++*pos;
	return true;
}

/* bW@O/S: W bits from bit O on, of S bits; with an 's' before it, signed. */
static int parse_bits(const struct parse *p, struct span at,
		      struct type_spec *ret)
{
	bool is_signed = p->text[at.start] == 's';
	size_t pos = at.start + 1 + is_signed, end = span_end(at);
	unsigned int size = 0;

	ret->kind = is_signed ? TYPE_SIGNED_BITS : TYPE_BITS;
	if (bits_number(p, &pos, end, &ret->bit_width) &&
	    bits_mark(p, &pos, end, '@') &&
	    bits_number(p, &pos, end, &ret->bit_offset) &&
	    bits_mark(p, &pos, end, '/') && bits_number(p, &pos, end, &size) &&
	    pos == end && ret->bit_width &&
	    ret->bit_width + ret->bit_offset <= size &&
	    (size == 8 || size == 16 || size == 32 || size == 64)) {
		ret->size = size / 8;
		return 0;
	}
	parse_fail_text(p, at, DIAG_SPEC_BAD_BITS, at, 0);
	diag_hint(p->d, "W bits from bit O on of an S-bit number are bW@O/S, with a sign sbW@O/S");
	return -EINVAL;
}

static bool is_bits(const struct parse *p, struct span at)
{
	return (parse_starts(p, at, "b") || parse_starts(p, at, "sb")) &&
	       parse_find(p, at, '@') < span_end(at);
}

/* The name of a type, for strings with a limit, as @at. */
static int find_type(const struct parse *p, struct span at,
		     struct type_spec *ret)
{
	size_t end = span_end(at), word = parse_find(p, at, '('), i;
	struct span name = span_between(at.start, word);

	if (is_bits(p, at))
		return parse_bits(p, at, ret);
	for (i = 0; i < ARRAY_SIZE(types); i++) {
		if (!parse_is(p, name, types[i].name))
			continue;
		ret->kind = types[i].kind;
		ret->size = types[i].size;
		if (word == end)
			return 0;
		if (!type_kind_is_string(ret->kind) || p->text[end - 1] != ')')
			break;
		return parse_limit(p, span_between(word + 1, end - 1), ret);
	}
	return unknown_type(p, at);
}

/* [N], at the end of a type. */
static int parse_count(const struct parse *p, struct span at,
		       struct type_spec *ret)
{
	size_t end = span_end(at), close = parse_find(p, at, ']');
	struct span digits = span_between(at.start + 1, close);
	uint64_t count, each = ret->size && !type_kind_is_string(ret->kind) ? ret->size : 8;

	if (close == end)
		return parse_fail(p, span_between(end, end),
				  DIAG_SPEC_NO_BRACKET);
	if (close + 1 < end)
		return parse_fail_text(p, span_between(close + 1, end),
				       DIAG_SPEC_ARRAY_SUFFIX,
				       span_between(close + 1, end), 0);
	if (parse_number(p, digits, &count) || !count ||
	    count > KTAP_BYTES_MAX / each)
		return parse_fail_text(p, digits, DIAG_SPEC_ARRAY_SIZE, digits,
				       KTAP_BYTES_MAX);
	ret->count = count;
	return 0;
}

bool parse_is_type(const struct parse *p, struct span at)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (parse_is(p, at, types[i].name))
			return true;
	return false;
}

bool parse_cast(const struct parse *p, struct span at, struct type_spec *ret)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		if (!types[i].cast || !parse_is(p, at, types[i].name))
			continue;
		*ret = (struct type_spec){
			.kind = types[i].kind,
			.size = types[i].size,
			.at = at,
		};
		return true;
	}
	return false;
}

static int no_memory_operand(const struct parse *p, const struct expr *expr,
			     const struct type_spec *type, enum diag_code code)
{
	parse_fail(p, type->at, code);
	diag_hint(p->d, "what the operand points at is +0(%.*s)",
		  (int)expr->at.length, p->text + expr->at.start);
	return -EINVAL;
}

static bool is_symbol(enum type_kind kind)
{
	return kind == TYPE_SYMBOL || kind == TYPE_SYMSTR;
}

static int symbol_in_file(const struct parse *p, const struct type_spec *type)
{
	parse_fail_text(p, type->at, DIAG_SPEC_KERNEL_TYPE, type->at, 0);
	diag_hint(p->d, "x64 shows the address");
	return -EINVAL;
}

/* Parts of variables are: that they are no text is seen later. */
static bool is_memory(const struct expr *expr)
{
	return expr->kind == EXPR_DEREF || expr->kind == EXPR_SYMBOL ||
	       expr->kind == EXPR_MEMBER || expr->kind == EXPR_INDEX ||
	       (expr->kind == EXPR_UNARY && expr->op == OP_TARGET);
}

/* The kernel's rules: strings and arrays lie in memory, $comm is a string. */
static int check_operand(const struct parse *p, const struct expr *expr,
			 const struct type_spec *type)
{
	if (expr->kind == EXPR_COMM || expr->kind == EXPR_TEXT) {
		if (type->kind == TYPE_STRING && !type->size && !type->count)
			return 0;
		return parse_fail_text(p, type->at, DIAG_SPEC_COMM_TYPE,
				       expr->at, 0);
	}
	if (expr->kind == EXPR_ENTRY && expr->type.kind == TYPE_DEFAULT)
		return check_operand(p, expr->base, type);
	if (p->in_file && is_symbol(type->kind))
		return symbol_in_file(p, type);
	if (type->count && is_name(type->kind))
		return parse_fail_text(p, type->at, DIAG_SPEC_BAD_TYPE,
				       type->at, 0);
	/* a pointer says where there is one */
	if (type->count && !is_memory(expr) &&
	    (p->kernel || expr->kind != EXPR_NAME))
		return no_memory_operand(p, expr, type, DIAG_SPEC_BAD_ARRAY);
	if (type_kind_is_string(type->kind) && !is_memory(expr) &&
	    expr->kind != EXPR_IMM && expr->kind != EXPR_NAME &&
	    expr->kind != EXPR_RETVAL)
		return no_memory_operand(p, expr, type, DIAG_SPEC_BAD_STRING);
	return 0;
}

int parse_type(const struct parse *p, struct span at, const struct expr *expr,
	       struct type_spec *ret)
{
	size_t bracket;
	int err;

	at = parse_trim(p, at);
	bracket = parse_find(p, at, '[');
	ret->at = at;
	err = find_type(p, span_between(at.start, bracket), ret);
	if (!err && bracket < span_end(at))
		err = parse_count(p, span_between(bracket, span_end(at)), ret);
	return err ? err : check_operand(p, expr, ret);
}
