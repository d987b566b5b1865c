// SPDX-License-Identifier: GPL-2.0
#include "aggregate/saved.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"

/* A reader of a pipe keeps a section in memory. */
#define SECTION_BYTES	(1 << 20)

static size_t padded(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

static void put_row(struct buf *out, const struct row *row, size_t nr_words)
{
	static const char zeros[8];
	const struct ktap_data_row head = {
		.count = row->count,
		.key_size = row->key ? row->key_size : KTAP_DATA_NO_KEY,
	};

	buf_put(out, (const char *)&head, sizeof(head));
	buf_put(out, (const char *)row->words, nr_words * sizeof(*row->words));
	if (!row->key)
		return;
	buf_put(out, row->key, row->key_size);
	buf_put(out, zeros, padded(row->key_size) - row->key_size);
}

int rows_save(const struct rows *rows, uint32_t id, struct datafile_writer *w,
	      struct diag *d)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct datafile_map map = { .id = id, .nr_words = rows->nr_words };
	int err = 0;

	for (size_t i = 0; !err && i < rows->nr; i++) {
		put_row(&b, &rows->row[i], rows->nr_words);
		map.nr_rows++;
		if (b.size < SECTION_BYTES && i + 1 < rows->nr)
			continue;
		if (b.failed)
			return diag_no_memory(d);
		map.rows = b.data;
		map.size = b.size;
		err = datafile_map(w, &map, d);
		map.nr_rows = 0;
		buf_clear(&b);
	}
	return err;
}

static bool copy_row(struct row *row, const struct ktap_data_row *from, size_t nr_words)
{
	row->count = from->count;
	row->words = malloc(nr_words * sizeof(*row->words) + 1);
	if (!row->words)
		return false;
	memcpy(row->words, from->words, nr_words * sizeof(*row->words));
	if (from->key_size == KTAP_DATA_NO_KEY)
		return true;
	row->key_size = from->key_size;
	row->key = malloc(row->key_size + 1);
	if (row->key)
		memcpy(row->key, from->words + nr_words, row->key_size);
	return row->key;
}

static int load_row(struct rows *rows, const struct ktap_data_row *from)
{
	struct row *more = array_grow(rows->row, rows->nr, sizeof(*more));

	if (!more)
		return -ENOMEM;
	rows->row = more;
	more[rows->nr] = (struct row){ 0 };
	return copy_row(&more[rows->nr++], from, rows->nr_words) ? 0 : -ENOMEM;
}

int rows_load(struct rows *rows, const struct datafile_map *map)
{
	const char *at = map->rows;

	if (map->nr_words != rows->nr_words)
		return -EBADMSG;
	for (uint64_t i = 0; i < map->nr_rows; i++) {
		const struct ktap_data_row *from = (const void *)at;
		int err = from->count ? load_row(rows, from) : 0;

		if (err)
			return err;
		at += sizeof(*from) + map->nr_words * sizeof(from->words[0]);
		if (from->key_size != KTAP_DATA_NO_KEY)
			at += padded(from->key_size);
	}
	return 0;
}
