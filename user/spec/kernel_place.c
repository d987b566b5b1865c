// SPDX-License-Identifier: GPL-2.0
/* PLACE of kprobe_events, uprobe_events and dynamic_events. */
#include <errno.h>
#include <string.h>

#include "spec/parse.h"
#include "spec/parse_place.h"

/* ---- PATH:OFFSET[%return][(REF_OFFSET)] -------------------------------------- */

/* (REF_OFFSET) at the end of *@at, which ends before it then. */
static int take_ref(const struct parse *p, struct span *at,
		    struct place_spec *ret)
{
	size_t end = span_end(*at), open = parse_find(p, *at, '(');
	struct span behind = span_between(open, end), digits;
	size_t close = parse_find(p, behind, ')');

	if (open == end)
		return 0;
	if (close == end)
		return parse_fail(p, span_between(end, end),
				  DIAG_SPEC_REF_CLOSE);
	behind = span_between(close + 1, end);
	if (behind.length)
		return parse_fail_text(p, behind, DIAG_SPEC_REF_SUFFIX, behind,
				       0);
	digits = span_between(open + 1, close);
	if (parse_number(p, digits, &ret->ref_offset))
		return parse_fail_text(p, digits, DIAG_SPEC_BAD_REF, digits, 0);
	*at = span_between(at->start, open);
	return 0;
}

static int file_place(const struct parse *p, struct span at, size_t colon,
		      struct place_spec *ret)
{
	struct span offset = span_between(colon + 1, span_end(at));
	int err;

	ret->kind = PLACE_FILE_OFFSET;
	ret->file_at = span_between(at.start, colon);
	ret->file = parse_dup(p, ret->file_at);
	if (!ret->file)
		return parse_no_memory(p);
	err = take_ref(p, &offset, ret);
	if (!err)
		err = place_suffix(p, &offset, ret);
	if (err)
		return err;
	ret->offset_at = offset;
	if (parse_number(p, offset, &ret->offset))
		return parse_fail_text(p, offset, DIAG_SPEC_BAD_FILE_PLACE,
				       offset, 0);
	return 0;
}

/* ---- all of them -------------------------------------------------------------- */

static bool is_number(const struct parse *p, struct span at)
{
	uint64_t value;

	return !parse_number(p, at, &value);
}

/* 'f' knows no addresses and no offsets. */
static int function_place(const struct parse *p, struct span at,
			  struct place_spec *ret)
{
	int err = place_suffix(p, &at, ret);

	ret->kind = PLACE_SYMBOL;
	if (!err)
		err = place_symbol(p, at, false, ret);
	if (!err && ret->offset) {
		parse_fail(p, ret->at, DIAG_SPEC_ENTRY_ONLY);
		diag_hint(p->d, "'p' probes any instruction");
		err = -EINVAL;
	}
	return err;
}

int kernel_place(const struct parse *p, char letter, struct span at,
		 struct place_spec *ret)
{
	const char *colon = memrchr(p->text + at.start, ':', at.length);
	int err;

	ret->at = at;
	if (letter == 't')
		return place_tracepoint(p, at, ret);
	if (letter == 'f')
		return function_place(p, at, ret);
	if (is_number(p, at)) {
		ret->kind = PLACE_ADDRESS;
		ret->symbol_at = at;
		return parse_number(p, at, &ret->address);
	}
	if (!ret->file && colon && parse_find(p, at, '/') < span_end(at))
		return file_place(p, at, colon - p->text, ret);
	ret->kind = PLACE_SYMBOL;
	err = place_suffix(p, &at, ret);
	if (!err)
		err = place_symbol(p, at, false, ret);
	return err ? err : place_check_return(p, ret);
}
