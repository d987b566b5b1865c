// SPDX-License-Identifier: GPL-2.0
#include "aggregate/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fmt.h"
#include "types/walk.h"

#define LIVE_TRIES	4	/* readings of a row that hits change, until two are the same */

static const uint8_t map_kinds[] = {
	[AGGREGATE_SUM] = KTAP_MAP_SUM,
	[AGGREGATE_STATS] = KTAP_MAP_STATS,
	[AGGREGATE_LOG2] = KTAP_MAP_LOG2,
	[AGGREGATE_LINEAR] = KTAP_MAP_LINEAR,
};

static size_t words_of(const struct field *f)
{
	switch (f->aggregate.kind) {
	case AGGREGATE_SUM:
		return 3;
	case AGGREGATE_STATS:
		return 5;
	case AGGREGATE_LOG2:
		return 1 + KTAP_NR_LOG2;
	case AGGREGATE_LINEAR:
		return 3 + f->aggregate.nr;
	default:
		return 0;
	}
}

/* ---- shape ---- */

static int too_many(struct diag *d)
{
	return diag_set(d, -E2BIG, DIAG_AGGREGATE_VALUES, KTAP_NR_MAP_VALUES);
}

static int add_value(struct ktap_session_map *m, const struct field *f,
		     struct diag *d)
{
	const struct aggregate *a = &f->aggregate;

	if (m->nr_values == KTAP_NR_MAP_VALUES)
		return too_many(d);
	m->values[m->nr_values++] = (struct ktap_map_value){
		.kind = map_kinds[a->kind],
		.size = f->size,
		.flags = field_is_signed(f) ? KTAP_MAP_F_SIGNED : 0,
		.fault = f->fault == FIELD_NO_FAULT ? KTAP_NO_FAULT : f->fault,
		.off = f->offset,
		.nr = a->kind == AGGREGATE_LINEAR ? a->nr : 0,
		.min = a->kind == AGGREGATE_LINEAR ? (uint64_t)a->min : 0,
		.step = a->kind == AGGREGATE_LINEAR ? a->step : 0,
	};
	return 0;
}

/* Bytes of a record that are no key. */
static int ignore(struct ktap_session_map *m, unsigned int off, unsigned int size,
		  unsigned int fault, struct diag *d)
{
	if (m->nr_values == KTAP_NR_MAP_VALUES)
		return too_many(d);
	m->values[m->nr_values++] = (struct ktap_map_value){
		.kind = KTAP_MAP_IGNORE, .size = size, .fault = fault, .off = off,
	};
	return 0;
}

/* That a value has no entry is no key. The value itself is ignored a second time. */
static int ignore_absent(struct ktap_session_map *m, const struct field *f,
			 struct diag *d)
{
	return f->state ? ignore(m, f->offset, f->size, f->absent, d) : 0;
}

/*
 * The fault bit that says that the entry of the function is missing; KTAP_NO_FAULT: there is
 * none, or a key needs the entry, and then it is said of the key.
 */
static unsigned int no_entry_bit(const struct layout *l, const struct field **value)
{
	*value = NULL;
	for (size_t i = 0; i < l->nr_fields; i++) {
		const struct field *f = &l->fields[i];

		if (f->frame && !aggregate_is_value(&f->aggregate))
			return KTAP_NO_FAULT;
		if (f->frame)
			*value = f;
	}
	return *value ? l->no_entry : KTAP_NO_FAULT;
}

/* Where a function returned to is in its records, but is no key. A missing entry is none either. */
static int ignore_entry(struct ktap_session_map *m, const struct layout *l,
			struct diag *d)
{
	const struct field *value;
	unsigned int fault = no_entry_bit(l, &value);

	if (l->is_return)
		return ignore(m, l->return_offset, l->return_size, fault, d);
	return fault == KTAP_NO_FAULT ? 0 : ignore(m, value->offset, value->size, fault, d);
}

int rows_shape(const struct layout *layout, uint32_t record_max,
	       uint32_t nr_rows, struct diag *d, struct ktap_session_map *ret)
{
	size_t payload = record_max - sizeof(struct ktap_rec_head);
	bool keys = false;
	int err;

	*ret = (struct ktap_session_map){
		.key_size = payload,
		.faults_off = layout->faults_offset,
		.faults_size = layout->faults_size,
	};
	if (payload > KTAP_MAP_KEY_MAX) {
		diag_set(d, -E2BIG, DIAG_AGGREGATE_KEY, payload, KTAP_MAP_KEY_MAX);
		diag_hint(d, "give strings a limit, as in 'by path:string(64)'");
		return -E2BIG;
	}
	err = ignore_entry(ret, layout, d);
	for (size_t i = 0; !err && i < layout->nr_fields; i++) {
		const struct field *f = &layout->fields[i];

		if (aggregate_is_value(&f->aggregate))
			err = add_value(ret, f, d);
		if (!err && aggregate_is_value(&f->aggregate))
			err = ignore_absent(ret, f, d);
		else
			keys = true;
	}
	ret->nr_slots = 1;
	while (keys && ret->nr_slots < nr_rows && ret->nr_slots < KTAP_MAP_SLOTS_MAX)
		ret->nr_slots *= 2;
	return err;
}

/* ---- rows ---- */

void rows_init(struct rows *rows, const struct layout *layout)
{
	*rows = (struct rows){ .layout = layout };
	for (size_t i = 0; i < layout->nr_fields; i++)
		rows->nr_words += words_of(&layout->fields[i]);
}

static void row_deinit(struct row *row)
{
	free(row->key);
	free(row->words);
}

void rows_deinit(struct rows *rows)
{
	while (rows->nr)
		row_deinit(&rows->row[--rows->nr]);
	free(rows->row);
	rows->row = NULL;
}

/* Return: whether a number of the row had changed. */
static bool read_numbers(struct row *row, const struct ktap_map_slot *slot, size_t nr_words)
{
	uint64_t count = __atomic_load_n(&slot->count, __ATOMIC_RELAXED);
	bool changed = row->count != count;

	row->count = count;
	for (size_t i = 0; i < nr_words; i++) {
		uint64_t word = __atomic_load_n(&slot->words[i], __ATOMIC_RELAXED);

		changed |= row->words[i] != word;
		row->words[i] = word;
	}
	return changed;
}

static bool copy_row(struct row *row, const struct ktap_map_slot *slot,
		     const void *key, size_t nr_words)
{
	unsigned int tries = LIVE_TRIES;

	row->words = calloc(nr_words + 1, sizeof(*row->words));
	if (!row->words)
		return false;
	/* a hit may be between two words of a sum, and is so for nanoseconds */
	while (read_numbers(row, slot, nr_words) && --tries)
		;
	if (!key)
		return true;
	row->key_size = slot->key_size;
	row->key = malloc(row->key_size + 1);
	if (row->key)
		memcpy(row->key, key, row->key_size);
	return row->key;
}

int rows_add(void *ctx, const struct ktap_map_slot *slot, const void *key)
{
	struct rows *rows = ctx;
	struct row *more;

	if (!__atomic_load_n(&slot->count, __ATOMIC_RELAXED))
		return 0;
	more = array_grow(rows->row, rows->nr, sizeof(*more));
	if (!more)
		return -ENOMEM;
	rows->row = more;
	more[rows->nr] = (struct row){ 0 };
	return copy_row(&more[rows->nr++], slot, key, rows->nr_words) ? 0 :
								       -ENOMEM;
}

int rows_copy(struct rows *to, const struct rows *from)
{
	*to = *from;
	to->nr = 0;
	to->row = calloc(from->nr + 1, sizeof(*to->row));
	for (size_t i = 0; to->row && i < from->nr; i++) {
		const struct row *row = &from->row[i];
		size_t bytes = from->nr_words * sizeof(*row->words);
		struct row *copy = &to->row[to->nr++];

		*copy = *row;
		copy->words = malloc(bytes + 1);
		copy->key = row->key ? malloc(row->key_size + 1) : NULL;
		if (!copy->words || !copy->key != !row->key) {
			rows_deinit(to);
			return -ENOMEM;
		}
		memcpy(copy->words, row->words, bytes);
		if (copy->key)
			memcpy(copy->key, row->key, row->key_size);
	}
	return to->row ? 0 : -ENOMEM;
}

/* The words of a sum carry into each other; in an extreme the larger one counts. */
static void add_words(const struct layout *l, uint64_t *to, const uint64_t *from)
{
	for (size_t i = 0; i < l->nr_fields; i++) {
		const struct field *f = &l->fields[i];
		size_t nr = words_of(f), word;
		bool wide = f->aggregate.kind == AGGREGATE_SUM ||
			    f->aggregate.kind == AGGREGATE_STATS;

		for (word = 0; word < nr; word++) {
			if (word >= 3 && wide && from[word] > to[word])
				to[word] = from[word];
			else if (word < 3 || !wide)
				to[word] += from[word];
			if (word == 2 && wide)
				to[2] += to[1] < from[1];
		}
		to += nr;
		from += nr;
	}
}

static int compare_keys(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (!x->key != !y->key)
		return x->key ? -1 : 1;
	if (x->key_size != y->key_size)
		return x->key_size < y->key_size ? -1 : 1;
	return x->key ? memcmp(x->key, y->key, x->key_size) : 0;
}

/* The value that rows are sorted by: the first sum, else the count. */
static __int128 weight(const struct rows *rows, const struct row *row)
{
	const struct layout *l = rows->layout;
	struct total t;

	for (size_t i = 0; i < l->nr_fields; i++) {
		if (l->fields[i].aggregate.kind != AGGREGATE_SUM)
			continue;
		rows_total(rows, row, &l->fields[i], &t);
		return t.sum;
	}
	return row->count;
}

static int compare_weights(const void *a, const void *b, void *ctx)
{
	const struct row *x = a, *y = b;
	__int128 m = weight(ctx, x), n = weight(ctx, y);

	if (!x->key != !y->key)
		return x->key ? -1 : 1;
	if (m != n)
		return m < n ? 1 : -1;
	return compare_keys(a, b);
}

/* ---- bits of a key that are not shown ---- */

static bool has_gaps(const struct field *f)
{
	return f->kind == FIELD_STRUCT || f->kind == FIELD_COMM ||
	       (f->kind == FIELD_INT && f->bit_width);
}

/* On 5.10 a name is followed by the end of a longer one that the task had before. */
static void clear_tails(struct rows *rows, const struct field *f)
{
	for (size_t i = 0; i < rows->nr; i++) {
		char *key = rows->row[i].key;
		size_t length;

		if (!key || f->offset + KTAP_COMM_LEN > rows->row[i].key_size)
			continue;
		length = strnlen(key + f->offset, KTAP_COMM_LEN);
		memset(key + f->offset + length, 0, KTAP_COMM_LEN - length);
	}
}

static void bits_used(const struct field *f, uint8_t *mask)
{
	uint64_t bits = f->bit_width < 64 ? (1ULL << f->bit_width) - 1 : UINT64_MAX;

	bits <<= f->bit_offset;
	for (size_t i = 0; i < field_bytes(f); i += f->size)
		memcpy(mask + i, &bits, f->size);
}

/* Keys that differ only between members, or beside a bit-field, are one key. */
static int clear_gaps(struct rows *rows, const struct field *f)
{
	size_t bytes = field_bytes(f);
	uint8_t *mask;

	if (f->kind == FIELD_COMM) {
		clear_tails(rows, f);
		return 0;
	}
	mask = malloc(bytes + 1);
	if (!mask)
		return -ENOMEM;
	if (f->kind == FIELD_STRUCT)
		typed_used(rows->layout->types, f->type, mask, bytes);
	else
		bits_used(f, mask);
	for (size_t i = 0; i < rows->nr; i++) {
		uint8_t *key = rows->row[i].key;

		for (size_t k = 0; key && k < bytes; k++)
			if (f->offset + k < rows->row[i].key_size)
				key[f->offset + k] &= mask[k];
	}
	free(mask);
	return 0;
}

int rows_merge(struct rows *rows)
{
	const struct layout *l = rows->layout;
	struct row *last = NULL;
	size_t nr = rows->nr, i;
	int err = 0;

	if (!nr)
		return 0;
	for (i = 0; !err && i < l->nr_fields; i++)
		if (l->fields[i].aggregate.kind == AGGREGATE_KEY && has_gaps(&l->fields[i]))
			err = clear_gaps(rows, &l->fields[i]);
	if (err)
		return err;
	qsort(rows->row, nr, sizeof(*rows->row), compare_keys);
	rows->nr = 0;
	for (i = 0; i < nr; i++) {
		struct row *row = &rows->row[i];

		if (last && !compare_keys(last, row)) {
			last->count += row->count;
			add_words(rows->layout, last->words, row->words);
			row_deinit(row);
			continue;
		}
		last = &rows->row[rows->nr++];
		*last = *row;
	}
	qsort_r(rows->row, rows->nr, sizeof(*rows->row), compare_weights, rows);
	return 0;
}

static void subtract_words(const struct layout *l, uint64_t *to,
			   const uint64_t *from)
{
	for (size_t i = 0; i < l->nr_fields; i++) {
		const struct field *f = &l->fields[i];
		size_t nr = words_of(f), word;
		bool wide = f->aggregate.kind == AGGREGATE_SUM ||
			    f->aggregate.kind == AGGREGATE_STATS;

		for (word = 0; word < nr; word++) {
			if (word == 2 && wide)
				to[2] -= to[1] + from[1] < from[1];
			if (word < 3 || !wide)
				to[word] -= from[word];
		}
		to += nr;
		from += nr;
	}
}

void rows_subtract(struct rows *rows, struct rows *before)
{
	size_t nr = rows->nr, i;

	if (before->nr)
		qsort(before->row, before->nr, sizeof(*before->row), compare_keys);
	rows->nr = 0;
	for (i = 0; i < nr; i++) {
		struct row *row = &rows->row[i];
		const struct row *old = before->nr ? bsearch(row, before->row, before->nr,
							     sizeof(*row), compare_keys) :
						     NULL;

		if (old) {
			row->count -= old->count;
			subtract_words(rows->layout, row->words, old->words);
		}
		if (row->count)
			rows->row[rows->nr++] = *row;
		else
			row_deinit(row);
	}
	if (rows->nr)
		qsort_r(rows->row, rows->nr, sizeof(*rows->row), compare_weights, rows);
}

void rows_fold(struct rows *rows, size_t limit)
{
	struct row *other;

	if (rows->nr <= limit)
		return;
	other = &rows->row[limit];
	if (!other->key)
		return;
	free(other->key);
	other->key = NULL;
	other->key_size = 0;
	while (rows->nr > limit + 1) {
		struct row *row = &rows->row[--rows->nr];

		other->count += row->count;
		add_words(rows->layout, other->words, row->words);
		row_deinit(row);
	}
}

/* ---- values ---- */

static __int128 wide(uint64_t low, uint64_t high)
{
	return (__int128)((uint128_t)high << 64 | low);
}

static __int128 extreme(const struct field *f, uint64_t word)
{
	if (!field_is_signed(f))
		return word;
	return (int64_t)(word ^ 1ULL << 63);
}

void rows_total(const struct rows *rows, const struct row *row,
		const struct field *field, struct total *ret)
{
	const uint64_t *words = row->words;
	const struct field *f;

	for (f = rows->layout->fields; f < field; f++)
		words += words_of(f);
	*ret = (struct total){
		.faulted = words[0],
		.n = row->count > words[0] ? row->count - words[0] : 0,
	};
	if (f->aggregate.kind == AGGREGATE_LOG2 ||
	    f->aggregate.kind == AGGREGATE_LINEAR) {
		ret->buckets = words + 1;
		ret->nr_buckets = words_of(f) - 1;
		return;
	}
	ret->sum = wide(words[1], words[2]);
	if (f->aggregate.kind != AGGREGATE_STATS)
		return;
	ret->max = extreme(f, words[3]);
	ret->min = extreme(f, ~words[4]);
}

bool rows_possible(const struct rows *rows, const struct row *row)
{
	const struct layout *l = rows->layout;
	__int128 most;
	struct total t;

	/* then 128 bits have no sum that is too large */
	if (row->count > 1ULL << 62)
		return true;
	most = (__int128)row->count << 64;
	for (size_t i = 0; i < l->nr_fields; i++) {
		if (!aggregate_is_value(&l->fields[i].aggregate))
			continue;
		rows_total(rows, row, &l->fields[i], &t);
		if (t.sum > most || t.sum < -most)
			return false;
	}
	return true;
}

void rows_bucket(const struct field *field, size_t index, __int128 *min,
		 __int128 *max)
{
	const struct aggregate *a = &field->aggregate;

	/* of a value of any kind: what 64 bits can hold */
	*min = field_is_signed(field) ? INT64_MIN : 0;
	*max = field_is_signed(field) ? (__int128)INT64_MAX : (__int128)UINT64_MAX;
	if (a->kind == AGGREGATE_LINEAR) {
		__int128 low = a->min + (__int128)a->step * ((__int128)index - 1);

		if (index)
			*min = low;
		/* the last one may end beyond what the type can have */
		if (index <= a->nr && low + a->step - 1 < *max)
			*max = low + a->step - 1;
	} else if (!index) {
		*max = -1;
	} else if (index == 1) {
		*min = 0;
		*max = 0;
	} else {
		*min = (__int128)1 << (index - 2);
		*max = 2 * *min - 1;
	}
}
