// SPDX-License-Identifier: GPL-2.0
/*
 * PLACE in ktap's own syntax, and what kernel syntax shares with it: symbols,
 * addresses and %return. Places that begin with a word are in place_word.c.
 */
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "spec/parse.h"
#include "spec/parse_place.h"

#define PLACE_HINT \
	"write SYMBOL, SYMBOL+OFFSET, SYMBOL:LINE, FILE:LINE, MODULE:SYMBOL or 0xADDRESS"
#define FILE_PLACE_HINT \
	"in a program write SYMBOL, SYMBOL+OFFSET, SYMBOL:LINE, FILE:LINE, SYMBOL@VERSION or 0xADDRESS"

int place_bad(const struct parse *p, struct span at,
	      const struct place_spec *place)
{
	parse_fail_text(p, at, DIAG_SPEC_BAD_PLACE, at, 0);
	diag_hint(p->d, place->file ? FILE_PLACE_HINT : PLACE_HINT);
	return -EINVAL;
}

/* ---- %return ---------------------------------------------------------------- */

int place_maxactive(const struct parse *p, struct span at,
		    struct place_spec *ret)
{
	uint64_t value;

	if (parse_number(p, at, &value) || !value || value > UINT32_MAX)
		return parse_fail_text(p, at, DIAG_SPEC_BAD_MAXACTIVE, at, 0);
	if (value > SPEC_ACTIVE_MAX)
		return parse_fail_text(p, at, DIAG_SPEC_MAXACTIVE_BIG, at,
				       SPEC_ACTIVE_MAX);
	ret->maxactive = value;
	return 0;
}

#define RETURN_OPEN "%return("

/* The number in %return(N): *@suffix ends before it then. */
static int take_maxactive(const struct parse *p, struct span *suffix,
			  struct place_spec *ret)
{
	size_t end = span_end(*suffix);
	struct span number;

	if (p->kernel || !parse_starts(p, *suffix, RETURN_OPEN) ||
	    p->text[end - 1] != ')')
		return 0;
	number = span_between(suffix->start + strlen(RETURN_OPEN), end - 1);
	*suffix = span_between(suffix->start, number.start - 1);
	if (!ret->file)
		return place_maxactive(p, number, ret);
	parse_fail(p, number, DIAG_SPEC_MAXACTIVE_FILE);
	diag_hint(p->d, "leave it out");
	return -EINVAL;
}

/* %return at the end of @at, which ends before it then; or a bad suffix. */
int place_suffix(const struct parse *p, struct span *at,
		 struct place_spec *ret)
{
	size_t end = span_end(*at), percent = parse_find(p, *at, '%');
	struct span suffix = span_between(percent, end);
	int err;

	if (percent == end)
		return 0;
	err = take_maxactive(p, &suffix, ret);
	if (err)
		return err;
	if (!parse_is(p, suffix, "%return")) {
		parse_fail_text(p, suffix, DIAG_SPEC_BAD_SUFFIX, suffix, 0);
		diag_hint(p->d, p->kernel ?
				       "%%return is the only one" :
				       "it is %%return or %%return(MAXACTIVE)");
		return -EINVAL;
	}
	ret->is_return = true;
	*at = span_between(at->start, percent);
	return 0;
}

/* What a return probe follows is a whole call. */
int place_check_return(const struct parse *p, const struct place_spec *place)
{
	if (!place->is_return || !place->offset)
		return 0;
	parse_fail(p, p->kernel ? place->at : place->offset_at,
		   DIAG_SPEC_BAD_RETURN);
	diag_hint(p->d, "a return probe is put on a function's entry: write the symbol alone");
	return -EINVAL;
}

/* ---- symbols ---------------------------------------------------------------- */

bool spec_is_symbol(const char *name, size_t length)
{
	size_t i;

	if (!length || (*name >= '0' && *name <= '9'))
		return false;
	for (i = 0; i < length; i++)
		if (!parse_is_ident(name[i]) && name[i] != '.' &&
		    name[i] != '$')
			return false;
	return true;
}

bool spec_is_version(const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (!parse_is_ident(name[i]) && name[i] != '.')
			return false;
	return length;
}

/* A pattern has what a symbol has, and * ? [a-z] [!a-z]. */
bool place_is_glob(const struct parse *p, struct span at)
{
	bool glob = false, inside = false;
	size_t i;

	for (i = at.start; i < span_end(at); i++) {
		char c = p->text[i];

		if (c == '*' || c == '?' || c == '[')
			glob = true;
		if (c == '[' || c == ']')
			inside = c == '[';
		else if (!parse_is_ident(c) && !strchr("*?.$", c) &&
			 !(inside && strchr("!-", c)))
			return false;
	}
	return glob && !inside;
}

bool place_is_module(const struct parse *p, struct span at)
{
	size_t i;

	for (i = at.start; i < span_end(at); i++)
		if (!parse_is_ident(p->text[i]) && p->text[i] != '-')
			return false;
	return at.length;
}

/* The kernel points at the place when its offset is bad; ktap at the offset. */
static int parse_offset(const struct parse *p, struct span at,
			struct place_spec *ret)
{
	struct span digits = span_between(at.start + 1, span_end(at));

	ret->offset_at = at;
	if (p->text[at.start] == '+' &&
	    !parse_number(p, digits, &ret->offset) && ret->offset <= UINT32_MAX)
		return 0;
	parse_fail_text(p, p->kernel ? ret->at : at, DIAG_SPEC_BAD_OFFSET, at,
			0);
	diag_hint(p->d, "an offset is '+' and a number up to 0xffffffff, in C syntax");
	return -EINVAL;
}

/* MODULE: in front of a symbol; *@at becomes what follows it. */
static int take_module(const struct parse *p, struct span *at,
		       struct place_spec *ret)
{
	size_t end = span_end(*at), colon = parse_find(p, *at, ':');
	struct span module = span_between(at->start, colon);

	if (colon == end)
		return 0;
	if (ret->file || !place_is_module(p, module))
		return place_bad(p, ret->at, ret);
	ret->module = parse_dup(p, module);
	if (!ret->module)
		return parse_no_memory(p);
	*at = span_between(colon + 1, end);
	return 0;
}

/* @VERSION behind a symbol; *@at becomes what is before it. */
static int take_version(const struct parse *p, struct span *at,
			struct place_spec *ret)
{
	size_t end = span_end(*at), start = parse_find(p, *at, '@');
	struct span version = span_between(start, end);
	size_t skip = parse_starts(p, version, "@@") ? 2 : 1;

	if (start == end || p->kernel || !ret->file)
		return 0;
	version = span_between(start + skip, end);
	if (!spec_is_version(p->text + version.start, version.length))
		return place_bad(p, ret->at, ret);
	ret->version = parse_dup(p, version);
	if (!ret->version)
		return parse_no_memory(p);
	*at = span_between(at->start, start);
	return 0;
}

/* Where SYMBOL ends in SYMBOL+OFFSET: a '-' may be in a pattern's brackets. */
static size_t find_sign(const struct parse *p, struct span at)
{
	bool inside = false;
	size_t i;

	for (i = at.start; i < span_end(at); i++) {
		if (p->text[i] == '[' || p->text[i] == ']')
			inside = p->text[i] == '[';
		else if (!inside && strchr("+-", p->text[i]))
			break;
	}
	return i;
}

int place_symbol(const struct parse *p, struct span at, bool globs,
		 struct place_spec *ret)
{
	size_t end = span_end(at), sign;
	struct span symbol;
	int err;

	err = take_module(p, &at, ret);
	if (err)
		return err;
	sign = find_sign(p, at);
	symbol = span_between(at.start, sign);
	err = take_version(p, &symbol, ret);
	if (err)
		return err;
	ret->glob = globs && place_is_glob(p, symbol);
	if (!ret->glob && !spec_is_symbol(p->text + symbol.start, symbol.length))
		return place_bad(p, ret->at, ret);
	ret->symbol = parse_dup(p, symbol);
	ret->symbol_at = symbol;
	if (!ret->symbol)
		return parse_no_memory(p);
	ret->offset_at = span_between(sign, end);
	if (sign < end)
		err = parse_offset(p, ret->offset_at, ret);
	if (!err && ret->glob && ret->offset)
		err = parse_fail(p, ret->offset_at, DIAG_SPEC_GLOB_OFFSET);
	return err;
}

/* ---- places ----------------------------------------------------------------- */

static int parse_address(const struct parse *p, struct span at,
			 struct place_spec *ret)
{
	ret->kind = PLACE_ADDRESS;
	ret->symbol_at = at;
	if (parse_starts(p, at, "0x") && !parse_number(p, at, &ret->address))
		return 0;
	return place_bad(p, ret->at, ret);
}

/* Where there is a line, an offset or a return would be a second place. */
static int check_line(const struct parse *p, const struct place_spec *place)
{
	if (!place->line_at.length)
		return 0;
	if (place->is_return)
		return parse_fail(p, place->line_at, DIAG_SPEC_LINE_RETURN);
	if (place->offset)
		return parse_fail(p, place->offset_at, DIAG_SPEC_LINE_OFFSET);
	if (place->glob)
		return parse_fail(p, place->line_at, DIAG_SPEC_LINE_GLOB);
	return 0;
}

/* What may follow a symbol: ;PATTERN %return :LINE @FILE */
static int take_rest(const struct parse *p, struct span *at,
		     struct place_spec *ret)
{
	int err = place_pattern(p, at, ret);

	if (!err)
		err = place_suffix(p, at, ret);
	return err ? err : place_line(p, at, ret);
}

/* A name with scopes was taken; @at is behind it. */
static int finish_scoped(const struct parse *p, struct span at,
			 struct place_spec *ret)
{
	int err = take_rest(p, &at, ret);

	if (err)
		return err;
	ret->kind = PLACE_SYMBOL;
	ret->offset_at = at;
	ret->symbol = parse_dup(p, ret->symbol_at);
	if (!ret->symbol)
		return parse_no_memory(p);
	if (at.length)
		err = parse_offset(p, at, ret);
	if (!err && ret->glob && ret->offset)
		err = parse_fail(p, at, DIAG_SPEC_GLOB_OFFSET);
	if (!err)
		err = check_line(p, ret);
	return err ? err : place_check_return(p, ret);
}

int parse_place(const struct parse *p, struct span at, struct place_spec *ret)
{
	int err;

	ret->at = at;
	/* an argument where the place should be */
	if (strchr("%$@+-\\", p->text[at.start]))
		return place_bad(p, at, ret);
	if (place_has_word(p, at))
		return place_by_word(p, at, ret);
	if (place_scoped(p, &at, ret))
		return finish_scoped(p, at, ret);
	err = take_rest(p, &at, ret);
	if (err)
		return err;
	if (ret->kind == PLACE_SOURCE)
		return check_line(p, ret);
	if (at.length && p->text[at.start] >= '0' && p->text[at.start] <= '9')
		return parse_address(p, at, ret);
	ret->kind = PLACE_SYMBOL;
	err = place_symbol(p, at, true, ret);
	if (!err)
		err = check_line(p, ret);
	return err ? err : place_check_return(p, ret);
}
