// SPDX-License-Identifier: GPL-2.0
/* Writing an index: what was collected is sorted, and gets its format. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/file.h"
#include "dwarf/index/make.h"

/* struct encoder - sections being written */
struct encoder {
	const struct collected *c;
	struct buf section[INDEX_NR];
};

/* ---- numbers ------------------------------------------------------------------------ */

static void put(struct buf *b, uint64_t value)
{
	while (value >= 0x80) {
		buf_putc(b, value | 0x80);
		value >>= 7;
	}
	buf_putc(b, value);
}

static void put_signed(struct buf *b, int64_t value)
{
	put(b, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static int compare_pairs(const void *a, const void *b)
{
	const struct index_pair *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->die > y->die) - (x->die < y->die);
}

static void sort(struct index_pairs *pairs)
{
	if (pairs->nr)
		qsort(pairs->pair, pairs->nr, sizeof(*pairs->pair),
		      compare_pairs);
}

/* How many from @at on have the key @key */
static size_t count(const struct index_pairs *pairs, size_t at, uint32_t key)
{
	size_t nr = 0;

	while (at + nr < pairs->nr && pairs->pair[at + nr].key == key)
		nr++;
	return nr;
}

/* @nr DIEs as a list, whose distances begin at @die */
static void put_dies(struct buf *b, const struct index_pairs *pairs, size_t at,
		     size_t nr, uint32_t die)
{
	put(b, nr);
	for (size_t end = at + nr; at < end; at++) {
		put(b, pairs->pair[at].die - die);
		die = pairs->pair[at].die;
	}
}

/* What the unit @key calls its files. Return: how many there are. */
static size_t put_table(struct buf *b, const struct index_pairs *tables,
			size_t at, uint32_t key)
{
	size_t i, nr = count(tables, at, key);
	int64_t file = 0;

	put(b, nr);
	for (i = at; i < at + nr; i++) {
		put_signed(b, tables->pair[i].die - file);
		file = tables->pair[i].die;
	}
	return nr;
}

/* ---- sections ----------------------------------------------------------------------- */

static void put_units(struct encoder *e)
{
	const struct collected *c = e->c;
	struct buf *funcs = &e->section[INDEX_FUNCS];
	struct buf *tables = &e->section[INDEX_TABLES];
	size_t at = 0, of_tables = 0;

	for (size_t i = 0; i < c->nr_units; i++) {
		struct index_unit unit = {
			c->units[i], funcs->size, tables->size,
		};
		size_t nr = count(&c->codes, at, i);

		put_dies(funcs, &c->codes, at, nr, unit.die);
		at += nr;
		of_tables += put_table(tables, &c->tables, of_tables, i);
		buf_put(&e->section[INDEX_UNITS], &unit, sizeof(unit));
	}
}

/* Functions and copies have the same keys. */
static void put_names(struct encoder *e)
{
	const struct index_pairs *funcs = &e->c->funcs;
	const struct index_pairs *copies = &e->c->copies;
	struct buf *lists = &e->section[INDEX_LISTS];
	size_t i = 0, k = 0;

	while (i < funcs->nr || k < copies->nr) {
		struct index_name name = { .list = lists->size };
		size_t nr;

		name.key = i < funcs->nr ? funcs->pair[i].key : UINT32_MAX;
		if (k < copies->nr && copies->pair[k].key < name.key)
			name.key = copies->pair[k].key;
		nr = count(funcs, i, name.key);
		put_dies(lists, funcs, i, nr, 0);
		i += nr;
		nr = count(copies, k, name.key);
		put_dies(lists, copies, k, nr, 0);
		k += nr;
		buf_put(&e->section[INDEX_NAMES], &name, sizeof(name));
	}
}

/* The rows of one file in one unit, from @at on. Return: how many. */
static size_t put_block(struct buf *b, const struct index_line *const *rows,
			size_t nr, uint32_t before)
{
	_cleanup_buf_ struct buf block = BUF_INIT;
	uint64_t address = 0;
	size_t i, same = 1;
	int line = 0;

	while (same < nr && rows[same]->unit == rows[0]->unit)
		same++;
	put(&block, same);
	for (i = 0; i < same; i++) {
		put_signed(&block, rows[i]->address - address);
		put_signed(&block, (int64_t)rows[i]->line - line);
		address = rows[i]->address;
		line = rows[i]->line;
	}
	put(b, rows[0]->unit - before);
	put(b, block.size);
	buf_put(b, block.data, block.size);
	b->failed |= block.failed;
	return same;
}

static void put_file_rows(struct buf *b, const struct index_line *const *rows,
			  size_t nr)
{
	uint32_t before = 0;
	size_t i, blocks = 0;

	for (i = 0; i < nr; i++)
		blocks += !i || rows[i]->unit != rows[i - 1]->unit;
	put(b, blocks);
	for (i = 0; i < nr; before = rows[i - 1]->unit)
		i += put_block(b, rows + i, nr - i, before);
}

/* The rows of each file in the order of the units: they are counted, then dealt. */
static bool deal_rows(const struct collected *c, size_t **ends,
		      const struct index_line ***rows)
{
	size_t i, sum = 0;

	*ends = calloc(c->nr_files + 1, sizeof(**ends));
	*rows = calloc(c->nr_rows + 1, sizeof(**rows));
	if (!*ends || !*rows)
		return false;
	for (i = 0; i < c->nr_rows; i++)
		(*ends)[c->rows[i].file]++;
	for (i = 0; i < c->nr_files; i++) {
		sum += (*ends)[i];
		(*ends)[i] = sum - (*ends)[i];
	}
	for (i = 0; i < c->nr_rows; i++)
		(*rows)[(*ends)[c->rows[i].file]++] = &c->rows[i];
	return true;
}

static void put_files(struct encoder *e)
{
	_cleanup_free_ const struct index_line **rows = NULL;
	_cleanup_free_ size_t *ends = NULL;
	const struct collected *c = e->c;
	struct buf *to = &e->section[INDEX_ROWS];
	size_t at = 0;

	if (!deal_rows(c, &ends, &rows)) {
		to->failed = true;
		return;
	}
	for (size_t i = 0; i < c->nr_files; i++) {
		struct buf *strings = &e->section[INDEX_STRINGS];
		struct index_source file = { strings->size, to->size };

		buf_put(strings, c->files[i], strlen(c->files[i]) + 1);
		put_file_rows(to, rows + at, ends[i] - at);
		at = ends[i];
		buf_put(&e->section[INDEX_FILES], &file, sizeof(file));
	}
}

/* ---- all of it ---------------------------------------------------------------------- */

static void put_sections(struct encoder *e, struct index_header *h,
			 struct buf *ret)
{
	for (unsigned int i = 0; i < INDEX_NR; i++) {
		while (ret->size % 8 && !ret->failed)
			buf_putc(ret, 0);
		h->section[i].start = ret->size;
		h->section[i].size = e->section[i].size;
		buf_put(ret, e->section[i].data, e->section[i].size);
		ret->failed |= e->section[i].failed;
	}
}

static int put_all(struct debug *dbg, struct encoder *e, struct diag *d,
		   struct buf *ret)
{
	struct index_header h = {
		.magic = INDEX_MAGIC, .version = INDEX_VERSION,
		.layout = index_layout(dbg),
	};
	size_t nr;
	const uint8_t *id = debug_build_id(dbg, &nr);

	h.id_size = nr;
	memcpy(h.id, id, nr);
	buf_put(ret, &h, sizeof(h));
	put_sections(e, &h, ret);
	if (ret->failed)
		return diag_no_memory(d);
	if (ret->size > INDEX_SIZE_MAX)
		return diag_set(d, -EINVAL, DIAG_DEBUG_INDEX_NOT,
				debug_path(dbg), "it would be too large");
	h.size = ret->size;
	memcpy(ret->data, &h, sizeof(h));
	h.checksum = index_checksum(ret->data, ret->size);
	memcpy(ret->data, &h, sizeof(h));
	return 0;
}

int index_encode(struct debug *dbg, void (*step)(void *ctx, size_t nr),
		 void *ctx, struct diag *d, struct buf *ret,
		 struct index_made *made)
{
	struct collected c;
	struct encoder e = { .c = &c };
	int err = index_collect(dbg, step, ctx, d, &c);

	if (!err) {
		sort(&c.funcs);
		sort(&c.copies);
		sort(&c.types);
		put_units(&e);
		put_names(&e);
		put_files(&e);
		buf_put(&e.section[INDEX_ADDRESSES], c.addresses,
			c.nr_addresses * sizeof(*c.addresses));
		buf_put(&e.section[INDEX_RANGES], c.ranges,
			c.nr_ranges * sizeof(*c.ranges));
		buf_put(&e.section[INDEX_TYPES], c.types.pair,
			c.types.nr * sizeof(*c.types.pair));
		err = put_all(dbg, &e, d, ret);
	}
	made->size = ret->size;
	made->nr_units = c.nr_units;
	made->nr_names = e.section[INDEX_NAMES].size /
			 sizeof(struct index_name);
	for (unsigned int i = 0; i < INDEX_NR; i++)
		buf_deinit(&e.section[i]);
	collected_deinit(&c);
	return err;
}

int index_make(struct debug *dbg, void (*step)(void *ctx, size_t nr), void *ctx,
	       struct diag *d, struct index_made *ret)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const uint8_t *id;
	size_t nr;
	int err;

	*ret = (struct index_made){};
	err = index_encode(dbg, step, ctx, d, &b, ret);
	if (err)
		return err;
	id = debug_build_id(dbg, &nr);
	return index_write(id, nr, &b, d, &ret->path);
}

void index_made_deinit(struct index_made *made)
{
	free(made->path);
	*made = (struct index_made){};
}
