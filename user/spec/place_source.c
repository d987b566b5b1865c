// SPDX-License-Identifier: GPL-2.0
/*
 * Places in source: SYMBOL:LINE, FILE:LINE, SYMBOL@FILE, and with a pattern of the
 * line instead of its number.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/array.h"
#include "spec/parse_place.h"

static const char *const suffixes[] = {
	".c", ".h", ".S", ".s", ".rs", ".go", ".cc", ".cpp", ".cxx", ".C",
	".hpp",
};

static bool has_suffix(const struct parse *p, struct span at)
{
	size_t i, length;

	for (i = 0; i < ARRAY_SIZE(suffixes); i++) {
		length = strlen(suffixes[i]);
		if (at.length > length &&
		    !memcmp(p->text + span_end(at) - length, suffixes[i],
			    length))
			return true;
	}
	return false;
}

bool place_is_file(const struct parse *p, struct span at)
{
	/* in a file of definitions '#' begins a comment */
	return at.length && p->text[at.start] != '#' &&
	       (parse_find(p, at, '/') < span_end(at) || has_suffix(p, at));
}

/* PATH:SYMBOL, as uprobe_events has it. */
static int path_in_place(const struct parse *p, struct span at, size_t colon)
{
	struct span path = span_between(at.start, colon);
	struct span rest = span_between(colon, span_end(at));

	parse_fail(p, at, DIAG_SPEC_PATH);
	diag_hint(p->d, "write '-x %.*s %.*s'", (int)path.length,
		  p->text + path.start, rest.length ? (int)rest.length - 1 : 6,
		  rest.length ? p->text + rest.start + 1 : "SYMBOL");
	return -EINVAL;
}

int place_pattern(const struct parse *p, struct span *at,
		  struct place_spec *ret)
{
	size_t end = span_end(*at), start = parse_find(p, *at, ';');

	if (start == end)
		return 0;
	ret->line_at = span_between(start + 1, end);
	if (!ret->line_at.length)
		return parse_fail(p, span_between(start, end),
				  DIAG_SPEC_NO_PATTERN);
	ret->pattern = parse_dup(p, ret->line_at);
	*at = span_between(at->start, start);
	return ret->pattern ? 0 : parse_no_memory(p);
}

/* LINE or LINE-LAST; of a file also '*' */
static bool get_lines(const struct parse *p, struct span at,
		      struct place_spec *ret)
{
	size_t end = span_end(at), dash = parse_find(p, at, '-');
	uint64_t first, last;

	if (parse_is(p, at, "*")) {
		ret->line = 0;
		ret->line_last = INT_MAX;
		return true;
	}
	if (parse_decimal(p, span_between(at.start, dash), &first) ||
	    first > INT_MAX)
		return false;
	last = first;
	if (dash < end &&
	    (parse_decimal(p, span_between(dash + 1, end), &last) ||
	     last > INT_MAX || last < first))
		return false;
	ret->line = first;
	ret->line_last = last;
	return true;
}

/* Behind a symbol '*' would be all functions of a module that is called like it. */
static bool begins_lines(const struct parse *p, struct span before,
			 struct span lines)
{
	return lines.length &&
	       (parse_is_digit(p->text[lines.start]) ||
		(parse_is(p, lines, "*") && place_is_file(p, before)));
}

static int take_number(const struct parse *p, struct span *at,
		       struct place_spec *ret)
{
	const char *last = memrchr(p->text + at->start, ':', at->length);
	size_t end = span_end(*at), colon = last ? (size_t)(last - p->text) : end;
	struct span lines = span_between(colon < end ? colon + 1 : end, end);

	if (!begins_lines(p, span_between(at->start, colon), lines))
		return 0;
	if (ret->pattern)
		return parse_fail(p, ret->line_at, DIAG_SPEC_LINE_PATTERN);
	ret->line_at = lines;
	if (!get_lines(p, lines, ret))
		return parse_fail_text(p, lines, DIAG_SPEC_BAD_LINE, lines, 0);
	*at = span_between(at->start, colon);
	return 0;
}

/* What is no file behind a '@' in a program is a version. */
static int take_source(const struct parse *p, struct span *at,
		       struct place_spec *ret)
{
	size_t end = span_end(*at), start = parse_find(p, *at, '@');
	struct span file = span_between(start + 1, end);

	if (start == end)
		return 0;
	if (ret->file && !place_is_file(p, file))
		return 0;
	ret->source_at = file;
	if (!file.length || p->text[file.start] == '@') {
		parse_fail(p, span_between(start, end), DIAG_SPEC_BAD_SOURCE);
		diag_hint(p->d, "write SYMBOL@FILE, or in a program (-x PATH) SYMBOL@VERSION");
		return -EINVAL;
	}
	ret->source = parse_dup(p, file);
	*at = span_between(at->start, start);
	return ret->source ? 0 : parse_no_memory(p);
}

static int set_file(const struct parse *p, struct span at,
		    struct place_spec *ret)
{
	const char *last = memrchr(p->text + at.start, ':', at.length);
	size_t colon = last ? (size_t)(last - p->text) : span_end(at);
	struct span module = span_between(at.start, colon);

	if (!ret->line_at.length && has_suffix(p, at)) {
		parse_fail(p, at, DIAG_SPEC_NO_LINE);
		diag_hint(p->d, "write FILE:LINE, FILE:* or FILE;PATTERN, or '*@FILE' for its functions");
		return -EINVAL;
	}
	if (!ret->line_at.length || ret->source)
		return path_in_place(p, at, colon);
	if (last) {
		if (ret->file || !place_is_module(p, module))
			return path_in_place(p, at, colon);
		ret->module = parse_dup(p, module);
		if (!ret->module)
			return parse_no_memory(p);
		at = span_between(colon + 1, span_end(at));
	}
	ret->kind = PLACE_SOURCE;
	ret->source = parse_dup(p, at);
	ret->source_at = at;
	return ret->source ? 0 : parse_no_memory(p);
}

int place_line(const struct parse *p, struct span *at, struct place_spec *ret)
{
	int err = take_number(p, at, ret);

	if (!err)
		err = take_source(p, at, ret);
	/* of SYMBOL:LINE@FILE, too */
	if (!err && ret->source && !ret->line_at.length)
		err = take_number(p, at, ret);
	if (err || !place_is_file(p, *at))
		return err;
	return set_file(p, *at, ret);
}
