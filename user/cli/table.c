// SPDX-License-Identifier: GPL-2.0
/* Text in columns. */
#include "cli/table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/shown.h"
#include "base/utf8.h"

#define GAP "  "

void table_init(struct table *t, const char *align, const char *const *heads)
{
	*t = (struct table){ .align = align, .columns = strlen(align) };
	for (size_t i = 0; i < t->columns; i++)
		table_cell(t, "%s", heads[i]);
}

void table_deinit(struct table *t)
{
	for (size_t i = 0; i < t->nr; i++)
		free(t->cells[i]);
	free(t->cells);
	for (size_t i = 0; i < t->nr_below; i++)
		free(t->below[i]);
	free(t->below);
}

void table_cell(struct table *t, const char *fmt, ...)
{
	_cleanup_buf_ struct buf text = BUF_INIT;
	struct buf cell = BUF_INIT;
	char **cells;
	va_list ap;

	cells = reallocarray(t->cells, t->nr + 1, sizeof(*cells));
	if (!cells) {
		t->failed = true;
		return;
	}
	t->cells = cells;
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	shown_put(&cell, buf_str(&text), text.size, SHOWN_BACKSLASH);
	buf_put(&cell, "", 0);
	cells[t->nr] = text.failed ? NULL : buf_take(&cell);
	if (cells[t->nr])
		t->nr++;
	else
		t->failed = true;
	buf_deinit(&cell);
}

void table_text(struct table *t, const char *text)
{
	char **cells = reallocarray(t->cells, t->nr + 1, sizeof(*cells));
	char *copy = strdup(text);

	if (cells)
		t->cells = cells;
	if (!cells || !copy) {
		free(copy);
		t->failed = true;
		return;
	}
	cells[t->nr++] = copy;
}

void table_below(struct table *t, const char *lines)
{
	size_t row = t->nr / t->columns;
	char **below = reallocarray(t->below, row, sizeof(*below));

	if (below) {
		t->below = below;
		while (t->nr_below < row)
			below[t->nr_below++] = NULL;
		below[row - 1] = strdup(lines);
	}
	t->failed |= !below || !below[row - 1];
}

static size_t width(const struct table *t, size_t column)
{
	size_t max = 0;

	for (size_t i = column; i < t->nr; i += t->columns) {
		size_t len = utf8_length(t->cells[i]);

		if (len > max)
			max = len;
	}
	return max;
}

/* No blanks at the end of a line: the last column is left as it is. */
static void print_cell(const struct table *t, size_t i, size_t wide, FILE *out)
{
	int blanks = (int)(wide - utf8_length(t->cells[i]));
	size_t column = i % t->columns;
	bool last = column + 1 == t->columns;

	if (t->align[column] == 'r')
		fprintf(out, "%*s%s", blanks, "", t->cells[i]);
	else
		fprintf(out, "%s%*s", t->cells[i], last ? 0 : blanks, "");
	fputs(last ? "\n" : GAP, out);
}

int table_print(const struct table *t, FILE *out)
{
	size_t *wide;

	if (t->failed)
		return -ENOMEM;
	wide = calloc(t->columns, sizeof(*wide));
	if (!wide)
		return -ENOMEM;
	for (size_t i = 0; i < t->columns; i++)
		wide[i] = width(t, i);
	for (size_t i = 0; i < t->nr; i++) {
		size_t row = i / t->columns;

		print_cell(t, i, wide[i % t->columns], out);
		if ((i + 1) % t->columns == 0 && row < t->nr_below &&
		    t->below[row])
			fputs(t->below[row], out);
	}
	free(wide);
	return 0;
}

void heads_deinit(struct heads *h)
{
	while (h->nr)
		free(h->text[--h->nr]);
	free(h->text);
	free(h->align);
}

void heads_add(struct heads *h, char align, const char *fmt, ...)
{
	char **text = reallocarray(h->text, h->nr + 1, sizeof(*text));
	char *letters = realloc(h->align, h->nr + 2);
	struct buf b = BUF_INIT;
	va_list ap;

	if (text)
		h->text = text;
	if (letters)
		h->align = letters;
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	h->failed |= !text || !letters || b.failed;
	if (h->failed) {
		buf_deinit(&b);
		return;
	}
	h->align[h->nr] = align;
	h->align[h->nr + 1] = '\0';
	h->text[h->nr++] = buf_take(&b);
}
