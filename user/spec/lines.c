// SPDX-License-Identifier: GPL-2.0
/* Lines to look at: of a function, or of a file of source. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "spec/parse.h"
#include "spec/parse_place.h"

#define LINES_HINT \
	"write FUNC, FUNC@FILE or FILE, and behind it :LINE, :LINE-LINE2 or :LINE+NUM"

static int bad_place(const struct parse *p, struct span at)
{
	parse_fail_text(p, at, DIAG_SPEC_BAD_PLACE, at, 0);
	diag_hint(p->d, LINES_HINT);
	return -EINVAL;
}

/* ":NUMBER..." in *@at, which becomes what is before it; what is behind a '@'
 * after it is *@file.
 */
static bool split(const struct parse *p, struct span *at, struct span *lines,
		  struct span *file)
{
	size_t end = span_end(*at), at_sign = parse_find(p, *at, '@');
	const char *last = memrchr(p->text + at->start, ':', at->length);
	size_t colon = last ? (size_t)(last - p->text) : end;
	bool found = colon < end && parse_is_digit(last[1]);
	size_t stop = found && at_sign > colon ? at_sign : end;

	if (found)
		*lines = span_between(colon + 1, stop);
	if (at_sign < end)
		*file = span_between(at_sign + 1, at_sign > colon || !found ?
						  end : colon);
	if (found && colon < at_sign)
		at_sign = colon;
	*at = span_between(at->start, at_sign);
	return found;
}

/* LINE, LINE-LINE2 or LINE+NUM */
static bool get_range(const struct parse *p, struct span at,
		      struct line_range *ret)
{
	size_t i = at.start;
	uint64_t first, more;
	char sign;

	while (i < span_end(at) && parse_is_digit(p->text[i]))
		i++;
	sign = i < span_end(at) ? p->text[i] : '\0';
	if (parse_decimal(p, span_between(at.start, i), &first) ||
	    first > INT_MAX)
		return false;
	ret->first = first;
	if (!sign)
		return true;
	if (!strchr("+-", sign) ||
	    parse_decimal(p, span_between(i + 1, span_end(at)), &more) ||
	    more > INT_MAX || (sign == '+' && !more))
		return false;
	ret->last = sign == '+' ? first + more - 1 : more;
	return ret->last >= ret->first;
}

static int take_range(const struct parse *p, struct span at,
		      struct place_spec *place, struct line_range *ret)
{
	place->line_at = at;
	if (!get_range(p, at, ret)) {
		parse_fail_text(p, at, DIAG_SPEC_BAD_LINE, at, 0);
		diag_hint(p->d, "write LINE, LINE-LINE2 or LINE+NUM");
		return -EINVAL;
	}
	place->line = ret->first;
	return 0;
}

static int keep(const struct parse *p, struct span at, char **text,
		struct span *ret_at)
{
	*ret_at = at;
	*text = parse_dup(p, at);
	return *text ? 0 : parse_no_memory(p);
}

static int parse_lines(const struct parse *p, struct place_spec *place,
		       struct line_range *range)
{
	struct span at = { 0, strlen(p->text) }, lines, file = {};
	bool is_scoped;
	int err;

	place->at = at;
	is_scoped = place_scoped(p, &at, place) && !place->glob;
	if (split(p, &at, &lines, &file)) {
		err = take_range(p, lines, place, range);
		if (err)
			return err;
	}
	if (is_scoped) {
		if (at.length)
			return bad_place(p, place->at);
		at = place->symbol_at;
	} else if (!file.start && place_is_file(p, at)) {
		place->kind = PLACE_SOURCE;
		return keep(p, at, &place->source, &place->source_at);
	}
	if ((file.start && !file.length) ||
	    (!is_scoped && !spec_is_symbol(p->text + at.start, at.length)))
		return bad_place(p, place->at);
	if (file.start) {
		err = keep(p, file, &place->source, &place->source_at);
		if (err)
			return err;
	}
	return keep(p, at, &place->symbol, &place->symbol_at);
}

int spec_parse_lines(const char *text, const char *file, struct diag *d,
		     struct probe_spec **ret, struct line_range *range)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	struct parse p = { .text = text, .d = d, .in_file = file };
	int err;

	spec = calloc(1, sizeof(*spec));
	if (!spec)
		return diag_no_memory(d);
	*range = (struct line_range){ 0, UINT_MAX };
	spec->text = strdup(text);
	if (file)
		spec->place.file = strdup(file);
	if (!spec->text || (file && !spec->place.file))
		return diag_no_memory(d);
	err = parse_lines(&p, &spec->place, range);
	if (!err)
		*ret = take_ptr(spec);
	return err;
}
