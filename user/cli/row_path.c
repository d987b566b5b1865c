// SPDX-License-Identifier: GPL-2.0
#include "cli/row_path.h"

#include <errno.h>

#include "base/cleanup.h"

/* Return: number of names that were added. */
static size_t put_names(struct buf *path, const char *text, bool split)
{
	size_t nr = 1;

	for (; *text; text++) {
		bool end = split && *text == ';';

		buf_putc(path, end ? '\0' : *text);
		nr += end;
	}
	buf_putc(path, '\0');
	return nr;
}

bool row_path_skips(const struct report_row *row, size_t key, const char *text)
{
	return key && text && !*text && row->stacks & 1U << key;
}

__int128 row_path_weight(const struct reported_look *look,
			 const struct report_row *row)
{
	return look->values->nr ? row->tallies[0].total.sum : row->count;
}

int row_path_add(struct paths *p, const struct reported_look *look,
		 const struct report_row *row)
{
	_cleanup_buf_ struct buf path = BUF_INIT, key = BUF_INIT;
	const char *text = row->texts;
	size_t nr = 0;

	for (size_t i = 0; i < look->keys->nr && (text || !i); i++) {
		if (row_path_skips(row, i, text)) {
			text++;
			continue;
		}
		buf_clear(&key);
		text = reported_key(&key, text);
		nr += put_names(&path, buf_str(&key), row->stacks & 1U << i);
	}
	if (path.failed || key.failed)
		return -ENOMEM;
	return paths_add(p, path.data, nr, row_path_weight(look, row));
}
