// SPDX-License-Identifier: GPL-2.0
/* Errors as values: the table of all texts, and how a diag is filled. */
#include "base/diag.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct diag_row {
	const char *name;
	int status;
	const char *text;
};

static const struct diag_row diag_rows[DIAG_NR] = {
	{ "OK", 0, "no error" },
#define DIAG(name, status, text) { #name, status, text },
#include "base/errors.def"
#undef DIAG
};

int diag_set(struct diag *d, int err, enum diag_code code, ...)
{
	va_list ap;

	va_start(ap, code);
	diag_vset(d, err, code, ap);
	va_end(ap);
	return err;
}

int diag_vset(struct diag *d, int err, enum diag_code code, va_list ap)
{
	if (!d || d->code != DIAG_OK)
		return err;
	d->code = code;
	if (vasprintf(&d->message, diag_rows[code].text, ap) < 0) {
		d->code = DIAG_NO_MEMORY;
		d->message = NULL;
	}
	return err;
}

int diag_copy(struct diag *d, int err, const struct diag *from)
{
	if (!d || d->code != DIAG_OK)
		return err;
	d->code = from->code;
	d->message = from->message ? strdup(from->message) : NULL;
	if (from->hint)
		diag_hint(d, "%s", from->hint);
	return err;
}

int diag_no_memory(struct diag *d)
{
	return diag_set(d, -ENOMEM, DIAG_NO_MEMORY);
}

void diag_at(struct diag *d, const char *source, size_t column, size_t length)
{
	if (!d || d->source)
		return;
	d->source = strdup(source);
	if (!d->source)
		return;
	d->column = column;
	d->length = length ? length : 1;
}

void diag_hint(struct diag *d, const char *fmt, ...)
{
	va_list ap;

	if (!d || d->hint)
		return;
	va_start(ap, fmt);
	if (vasprintf(&d->hint, fmt, ap) < 0)
		d->hint = NULL;
	va_end(ap);
}

void diag_clear(struct diag *d)
{
	free(d->message);
	free(d->source);
	free(d->hint);
	*d = (struct diag){ .code = DIAG_OK };
}

int diag_exit_status(const struct diag *d)
{
	return diag_rows[d->code].status;
}

const char *diag_name(enum diag_code code)
{
	return diag_rows[code].name;
}
