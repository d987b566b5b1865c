/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Errors with their column in the input: "p vfs_read ^$stack10000" is the
 * definition without its '^', and the error is where that stood. The form is
 * that of the kernel's own test of kprobe_events.
 */
#ifndef KTAP_TESTS_CARET_H
#define KTAP_TESTS_CARET_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"

#define CARET_TEXT_MAX 2048

struct caret {
	char text[CARET_TEXT_MAX];
	size_t column;
};

static inline bool caret_init(struct caret *c, const char *marked)
{
	const char *mark = strchr(marked, '^');
	size_t length = strlen(marked);

	if (!mark || length >= CARET_TEXT_MAX)
		return false;
	c->column = mark - marked;
	memcpy(c->text, marked, c->column);
	memcpy(c->text + c->column, mark + 1, length - c->column);
	return true;
}

/* caret_check() - the diag is @code at the caret, with advice where @hint is
 * not NULL: then the hint contains it. Says what differs.
 */
static inline bool caret_check(const struct caret *c, const struct diag *d,
			       enum diag_code code, const char *hint)
{
	const char *got = d->hint ? d->hint : "";

	if (d->code != code)
		fprintf(stderr, "%s: %s, not %s\n", c->text,
			diag_name(d->code), diag_name(code));
	else if (!d->source || strcmp(d->source, c->text))
		fprintf(stderr, "%s: source is %s\n", c->text,
			d->source ? d->source : "missing");
	else if (d->column != c->column)
		fprintf(stderr, "%s: column %zu, not %zu\n", c->text, d->column,
			c->column);
	else if (!d->length || (d->column + d->length > strlen(c->text) &&
				d->length > 1))
		fprintf(stderr, "%s: length %zu\n", c->text, d->length);
	else if (hint && !strstr(got, hint))
		fprintf(stderr, "%s: hint is '%s'\n", c->text, got);
	else
		return true;
	return false;
}

/* caret_not_met() - how many of @codes no test met; names them. */
static inline size_t caret_not_met(const bool *met, const enum diag_code *codes,
				   size_t nr)
{
	size_t i, missing = 0;

	for (i = 0; i < nr; i++) {
		if (met[codes[i]])
			continue;
		fprintf(stderr, "no test meets %s\n", diag_name(codes[i]));
		missing++;
	}
	return missing;
}

#endif /* KTAP_TESTS_CARET_H */
