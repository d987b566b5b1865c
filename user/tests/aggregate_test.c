// SPDX-License-Identifier: GPL-2.0
/*
 * Rows: what the module adds to tables, also in interrupts that come at any moment, and
 * what the reader makes of the tables, against sums that are computed by a list.
 * needs: kmod/hit/map.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <bpf/btf.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "aggregate/saved.h"
#include "env_user.h"
#include "hit/map.h"

#define NR_TABLES		3
#define NR_KEYS		40
#define NR_HITS		4000

/* A payload: two values, a key and the fault mask. */
struct payload {
	s64 first;
	int32_t second;
	u32 key;
	u8 faults;
	u8 zero[7];
};

#define FIRST_FAULT	0
#define SECOND_FAULT	1
#define KEY_FAULT	2

/* struct model - what is expected of a key */
struct model {
	u64 count;
	u64 faulted[2];
	__int128 sum[2];
	s64 min[2];
	s64 max[2];
	u64 log2[KTAP_NR_LOG2];
	u64 steps[2 + 8];
};

static struct field fields[] = {
	{ .name = "first", .kind = FIELD_INT, .format = FORMAT_SIGNED, .size = 8,
	  .offset = 0, .fault = FIRST_FAULT },
	{ .name = "second", .kind = FIELD_INT, .format = FORMAT_SIGNED,
	  .size = 4, .offset = 8, .fault = SECOND_FAULT },
	{ .name = "key", .kind = FIELD_INT, .format = FORMAT_UNSIGNED, .size = 4,
	  .offset = 12, .fault = KEY_FAULT, .aggregate.kind = AGGREGATE_KEY },
};

static struct layout layout = {
	.fields = fields,
	.nr_fields = ARRAY_SIZE(fields),
	.fixed_size = sizeof(struct payload),
	.faults_offset = offsetof(struct payload, faults),
	.faults_size = 1,
	.aggregates = true,
};

static struct ktap_session_map shape;
static struct ktap_map map;
static u8 *tables[NR_TABLES];
static struct model models[NR_KEYS + 1]; /* the last one: a key that faulted */
static u64 others;
static unsigned int seed;

static u32 chance(u32 below)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % below;
}

static void begin(enum aggregate_kind first, enum aggregate_kind second,
		  u32 nr_rows)
{
	fields[0].aggregate.kind = first;
	fields[1].aggregate = (struct aggregate){ .kind = second };
	if (second == AGGREGATE_LINEAR)
		fields[1].aggregate = (struct aggregate){
			.kind = second, .nr = 8, .min = -10, .step = 5,
		};
	assert_int_equal(rows_shape(&layout, 8 + sizeof(struct payload), nr_rows,
				    NULL, &shape), 0);
	assert_int_equal(ktap_map_init(&map, &shape), 0);
	for (u32 cpu = 0; cpu < NR_TABLES; cpu++) {
		tables[cpu] = calloc(1, ktap_map_bytes(&map));
		assert_non_null(tables[cpu]);
		ktap_map_begin(&map, tables[cpu], cpu);
	}
	memset(models, 0, sizeof(models));
	others = 0;
	seed = 1;
	env_reset();
}

static void end(void)
{
	for (u32 cpu = 0; cpu < NR_TABLES; cpu++)
		free(tables[cpu]);
}

static u32 log2_of(s64 v)
{
	u32 bucket = 1;

	if (v < 0)
		return 0;
	for (; v; v >>= 1)
		bucket++;
	return bucket;
}

static void expect(const struct payload *p)
{
	struct model *m = &models[p->faults >> KEY_FAULT & 1 ? NR_KEYS : p->key];
	const s64 values[] = { p->first, p->second };
	s64 step = (p->second + 10) / 5;

	m->count++;
	for (int i = 0; i < 2; i++) {
		if (p->faults >> i & 1) {
			m->faulted[i]++;
			continue;
		}
		if (m->count == m->faulted[i] + 1 || values[i] < m->min[i])
			m->min[i] = values[i];
		if (m->count == m->faulted[i] + 1 || values[i] > m->max[i])
			m->max[i] = values[i];
		m->sum[i] += values[i];
	}
	if (!(p->faults & BIT(FIRST_FAULT)))
		m->log2[log2_of(p->first)]++;
	if (!(p->faults & BIT(SECOND_FAULT)))
		m->steps[p->second < -10 ? 0 : step < 8 ? 1 + step : 9]++;
}

static void hit(u32 cpu)
{
	static const s64 firsts[] = { 0, 1, -1, 7, 8, 1000, INT64_MAX, INT64_MIN, 12345 };
	struct payload p = {
		.first = firsts[chance(ARRAY_SIZE(firsts))],
		.second = (int32_t)chance(80) - 30,
		.key = chance(NR_KEYS),
		.faults = chance(8) ? 0 : chance(8),
	};
	struct payload before;
	bool added;

	if (p.faults & BIT(KEY_FAULT))
		p.key = 0; /* a value that faulted is stored as zero */
	before = p;
	if (chance(2)) {
		added = ktap_map_hit(&map, tables[cpu], (u8 *)&p, sizeof(p));
		assert_memory_equal(&p, &before, sizeof(p));
	} else {
		added = ktap_map_add(&map, tables[cpu], (u8 *)&p, sizeof(p));
	}
	if (added)
		expect(&before);
	else
		others++;
}

/* ---- the reader ---- */

static void read_all(struct rows *rows)
{
	rows_init(rows, &layout);
	for (u32 cpu = 0; cpu < NR_TABLES; cpu++) {
		const struct ktap_map_head *h = (const void *)tables[cpu];

		assert_int_equal(h->magic, KTAP_MAP_MAGIC);
		assert_int_equal(h->cpu, cpu);
		for (u32 i = 0; i <= h->nr_slots; i++) {
			const struct ktap_map_slot *slot = (const void *)
				(tables[cpu] + h->slots_off + i * h->slot_size);

			assert_int_not_equal(slot->tag, KTAP_MAP_BUSY);
			assert_int_equal(rows_add(rows, slot, i < h->nr_slots ?
				(const u8 *)slot + h->key_off : NULL), 0);
		}
	}
	assert_int_equal(rows_merge(rows), 0);
}

static struct model *model_of(const struct row *row)
{
	const struct payload *key = row->key;

	assert_int_equal(row->key_size, sizeof(*key));
	assert_int_equal(key->first, 0);
	assert_int_equal(key->second, 0);
	assert_int_equal(key->faults & ~BIT(KEY_FAULT), 0);
	return &models[key->faults ? NR_KEYS : key->key];
}

static void check_value(const struct rows *rows, const struct row *row, int i,
			const struct model *m)
{
	const struct field *f = &fields[i];
	struct total t;

	rows_total(rows, row, f, &t);
	assert_int_equal(t.faulted, m->faulted[i]);
	assert_int_equal(t.n, m->count - m->faulted[i]);
	if (f->aggregate.kind == AGGREGATE_LOG2) {
		assert_memory_equal(t.buckets, m->log2, sizeof(m->log2));
	} else if (f->aggregate.kind == AGGREGATE_LINEAR) {
		assert_int_equal(t.nr_buckets, ARRAY_SIZE(m->steps));
		assert_memory_equal(t.buckets, m->steps, sizeof(m->steps));
	} else {
		assert_true(t.sum == m->sum[i]);
	}
	if (f->aggregate.kind == AGGREGATE_STATS && t.n) {
		assert_true(t.min == m->min[i]);
		assert_true(t.max == m->max[i]);
	}
}

static void check_all(void)
{
	u64 seen = 0, wanted = 0;
	struct rows rows;

	read_all(&rows);
	for (size_t i = 0; i < rows.nr; i++) {
		const struct row *row = &rows.row[i];
		struct model *m;

		if (!row->key) {
			assert_int_equal(row->count, others);
			assert_int_equal(i, rows.nr - 1);
			continue;
		}
		m = model_of(row);
		assert_int_equal(row->count, m->count);
		check_value(&rows, row, 0, m);
		check_value(&rows, row, 1, m);
		seen++;
	}
	for (u32 i = 0; i <= NR_KEYS; i++)
		wanted += models[i].count > 0;
	assert_int_equal(seen, wanted);
	rows_deinit(&rows);
}

/* What is written to a recording comes back, also in several sections. */
static void check_saved(void)
{
	char path[] = "/tmp/ktap-aggregate-XXXXXX";
	const struct machine machine = {
		.arch = KTAP_ARCH_X86_64, .nr_cpus = 1, .subbuf_size = 4096,
	};
	struct datafile_writer *w = NULL;
	struct datafile *f = NULL;
	struct rows rows, loaded;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	read_all(&rows);
	assert_int_equal(datafile_create(path, &machine, NULL, &w), 0);
	assert_int_equal(rows_save(&rows, 16, w, NULL), 0);
	assert_int_equal(rows_save(&rows, 16, w, NULL), 0);
	assert_int_equal(datafile_finish(w, NULL, NULL), 0);
	assert_int_equal(datafile_open(path, NULL, &f), 0);
	assert_true(f->complete);
	assert_true(f->nr_maps >= 2);
	rows_init(&loaded, &layout);
	for (size_t i = 0; i < f->nr_maps; i++)
		assert_int_equal(rows_load(&loaded, &f->maps[i]), 0);
	assert_int_equal(loaded.nr, 2 * rows.nr);
	assert_int_equal(rows_merge(&loaded), 0);
	assert_int_equal(loaded.nr, rows.nr);
	rows_subtract(&loaded, &rows);
	assert_int_equal(rows_merge(&rows), 0);
	for (size_t i = 0; i < rows.nr; i++) {
		assert_int_equal(loaded.row[i].count, rows.row[i].count);
		assert_int_equal(loaded.row[i].key_size, rows.row[i].key_size);
		assert_int_equal(!loaded.row[i].key, !rows.row[i].key);
		if (rows.row[i].key)
			assert_memory_equal(loaded.row[i].key, rows.row[i].key,
					    rows.row[i].key_size);
		assert_memory_equal(loaded.row[i].words, rows.row[i].words,
				    rows.nr_words * sizeof(*rows.row[i].words));
	}
	/* of another layout */
	loaded.nr_words++;
	assert_int_equal(rows_load(&loaded, &f->maps[0]), -EBADMSG);
	rows_deinit(&loaded);
	rows_deinit(&rows);
	datafile_close(f);
	unlink(path);
}

static void run(enum aggregate_kind first, enum aggregate_kind second,
		u32 nr_rows)
{
	begin(first, second, nr_rows);
	for (u32 i = 0; i < NR_HITS; i++)
		hit(chance(NR_TABLES));
	check_all();
	check_saved();
	end();
}

/* One hit cannot have a sum of 2^64 and more, and a row of none is none. */
static void test_forged(void **state)
{
	static const struct {
		uint64_t count;
		uint64_t high;
		bool possible;
	} made[] = { { 0, 0, false }, { 1, 0, true }, { 1, 1, true }, { 1, 2, false } };

	(void)state;
	begin(AGGREGATE_SUM, AGGREGATE_SUM, 1);
	for (size_t i = 0; i < ARRAY_SIZE(made); i++) {
		struct rows rows;
		struct {
			struct ktap_data_row head;
			uint64_t words[16];
		} row = { .head = { .count = made[i].count, .key_size = KTAP_DATA_NO_KEY } };
		struct datafile_map map = {
			.nr_rows = 1, .rows = (const char *)&row, .size = sizeof(row),
		};

		rows_init(&rows, &layout);
		assert_in_range(rows.nr_words, 3, 16);
		map.nr_words = rows.nr_words;
		row.words[2] = made[i].high;
		assert_int_equal(rows_load(&rows, &map), 0);
		assert_int_equal(rows.nr, made[i].count);
		if (rows.nr)
			assert_int_equal(rows_possible(&rows, rows.row), made[i].possible);
		rows_deinit(&rows);
	}
	end();
}

/* A bucket ends where the type of the value does. */
static void test_bounds(void **state)
{
	static const struct {
		enum field_format format;
		int64_t min;
		uint64_t step;
		size_t index;
		__int128 low, high;
	} rows[] = {
		{ FORMAT_SIGNED, -10, 5, 0, INT64_MIN, -11 },
		{ FORMAT_SIGNED, -10, 5, 1, -10, -6 },
		{ FORMAT_SIGNED, -10, 5, 5, 10, INT64_MAX },
		{ FORMAT_SIGNED, INT64_MAX - 2, 5, 1, INT64_MAX - 2, INT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct field f = {
			.kind = FIELD_INT, .format = rows[i].format, .size = 8,
			.aggregate = {
				.kind = AGGREGATE_LINEAR, .min = rows[i].min,
				.step = rows[i].step, .nr = 4,
			},
		};
		__int128 low, high;

		rows_bucket(&f, rows[i].index, &low, &high);
		assert_true(low == rows[i].low && high == rows[i].high);
	}
}

static void test_sums(void **state)
{
	(void)state;
	run(AGGREGATE_SUM, AGGREGATE_STATS, 256);
	run(AGGREGATE_STATS, AGGREGATE_SUM, 256);
}

static void test_histograms(void **state)
{
	(void)state;
	run(AGGREGATE_LOG2, AGGREGATE_LINEAR, 256);
}

static void test_full(void **state)
{
	(void)state;
	begin(AGGREGATE_SUM, AGGREGATE_STATS, 8);
	for (u32 i = 0; i < NR_HITS; i++)
		hit(chance(NR_TABLES));
	assert_true(others > 0);
	check_all();
	end();
}

/* ---- interrupts ---- */

static u32 points, interrupt_at;

/* One interrupt, which is not interrupted itself; it uses the same table. */
static void interrupt(void)
{
	if (points++ != interrupt_at)
		return;
	env_world.point = NULL;
	hit(0);
	hit(0);
	env_world.point = interrupt;
}

static void hit_with_interrupts(void)
{
	points = 0;
	env_world.point = interrupt;
	hit(0);
	env_world.point = NULL;
}

/*
 * A hit of a new key, and one of an old one, with an interrupt at each point in turn, in
 * which the same keys are met.
 */
static void test_nested(void **state)
{
	u32 nr_points = 1, start;

	(void)state;
	for (start = 1; start < 200; start++) {
		for (interrupt_at = 0; interrupt_at < nr_points; interrupt_at++) {
			begin(AGGREGATE_LOG2, AGGREGATE_STATS, 64);
			seed = start;
			hit_with_interrupts();
			nr_points = points > nr_points ? points : nr_points;
			seed = start;
			hit_with_interrupts();
			check_all();
			end();
		}
	}
	assert_true(nr_points > 5);
}

/* ---- differences ---- */

static void test_differences(void **state)
{
	struct rows before, now, copy;
	u64 count = 0;

	(void)state;
	begin(AGGREGATE_SUM, AGGREGATE_STATS, 256);
	for (u32 i = 0; i < NR_HITS; i++)
		hit(1);
	read_all(&before);
	memset(models, 0, sizeof(models));
	for (u32 i = 0; i < 20; i++)
		hit(2);
	read_all(&now);
	assert_int_equal(rows_copy(&copy, &now), 0);
	rows_subtract(&now, &before);
	for (size_t i = 0; i < now.nr; i++) {
		struct model *m = model_of(&now.row[i]);
		struct total t;

		assert_int_equal(now.row[i].count, m->count);
		rows_total(&now, &now.row[i], &fields[0], &t);
		assert_true(t.sum == m->sum[0]);
		count += now.row[i].count;
	}
	assert_int_equal(count, 20);
	rows_deinit(&before);
	rows_deinit(&now);
	rows_deinit(&copy);
	end();
}

/* ---- requests ---- */

static void test_refused(void **state)
{
	struct ktap_session_map good, m;
	struct ktap_map out;

	(void)state;
	begin(AGGREGATE_SUM, AGGREGATE_LINEAR, 64);
	good = shape;
#define REFUSED(change) do {						\
	m = good;							\
	change;								\
	assert_int_equal(ktap_map_init(&out, &m), -EINVAL);		\
} while (0)
	REFUSED(m.nr_slots = 0);
	REFUSED(m.nr_slots = 3);
	REFUSED(m.nr_slots = KTAP_MAP_SLOTS_MAX * 2);
	REFUSED(m.key_size = 4);
	REFUSED(m.key_size = KTAP_MAP_KEY_MAX + 8);
	REFUSED(m.nr_values = KTAP_NR_MAP_VALUES + 1);
	REFUSED(m.faults_size = 3);
	REFUSED(m.faults_off = m.key_size);
	REFUSED(m.reserved = 1);
	REFUSED(m.values[0].kind = 5);
	REFUSED(m.values[0].size = 3);
	REFUSED(m.values[0].flags = 2);
	REFUSED(m.values[0].fault = 8);
	REFUSED(m.values[0].off = m.key_size - 4);
	REFUSED(m.values[0].nr = 1);
	REFUSED(m.values[0].min = 1);
	REFUSED(m.values[0].step = 1);
	REFUSED(m.values[1].nr = 0);
	REFUSED(m.values[1].nr = KTAP_MAP_STEPS_MAX + 1);
	REFUSED(m.values[1].step = 0);
	end();
}

/* struct gapped { u8 a; u32 b; u16 low : 3; } of 12 bytes */
static struct btf *gapped_types(void)
{
	struct btf *b = btf__new_empty();

	assert_int_equal(btf__add_int(b, "u8", 1, 0), 1);
	assert_int_equal(btf__add_int(b, "u32", 4, 0), 2);
	assert_int_equal(btf__add_struct(b, "gapped", 12), 3);
	assert_int_equal(btf__add_field(b, "a", 1, 0, 0), 0);
	assert_int_equal(btf__add_field(b, "b", 2, 32, 0), 0);
	assert_int_equal(btf__add_field(b, "low", 2, 64, 3), 0);
	return b;
}

/* Rows of 16 bytes as keys, of which @bytes[i] has bit 0 flipped in the i-th row. */
static size_t rows_left(const struct field *f, struct btf *types,
			const unsigned int *bytes, size_t nr)
{
	struct field key = *f;
	struct layout l = {
		.fields = &key, .nr_fields = 1, .fixed_size = 16, .aggregates = true,
		.types = types,
	};
	struct rows rows;
	size_t left;

	key.aggregate.kind = AGGREGATE_KEY;
	rows_init(&rows, &l);
	for (size_t i = 0; i < nr; i++) {
		const struct ktap_map_slot slot = { .count = 1, .key_size = 16 };
		u8 payload[16] = { 0xa5, 0xa4, 0xa5, 0xa4 };

		payload[bytes[i]] ^= 1;
		assert_int_equal(rows_add(&rows, &slot, payload), 0);
	}
	assert_int_equal(rows_merge(&rows), 0);
	left = rows.nr;
	for (size_t i = 0; i < left; i++)
		nr -= rows.row[i].count;
	assert_int_equal(nr, 0);
	rows_deinit(&rows);
	return left;
}

static void test_gaps(void **state)
{
	const struct field whole = {
		.kind = FIELD_STRUCT, .format = FORMAT_TYPE, .size = 12, .type = 3,
		.fault = FIELD_NO_FAULT,
	};
	/* the upper half of each of two bytes, and bits 1 to 15 of a word */
	const struct field nibbles = {
		.kind = FIELD_INT, .size = 1, .count = 2, .bit_offset = 4, .bit_width = 4,
		.fault = FIELD_NO_FAULT,
	};
	const struct field word = {
		.kind = FIELD_INT, .size = 2, .offset = 2, .bit_offset = 1, .bit_width = 15,
		.fault = FIELD_NO_FAULT,
	};
	/* four letters and the end, and what is after it */
	const struct field name = {
		.kind = FIELD_COMM, .size = 16, .fault = FIELD_NO_FAULT,
	};
	struct btf *types = gapped_types();

	(void)state;
	assert_int_equal(rows_left(&whole, types, (unsigned int[]){ 1, 2, 3, 9, 10, 11 }, 6), 1);
	assert_int_equal(rows_left(&whole, types, (unsigned int[]){ 0, 4, 7, 8, 1 }, 5), 5);
	assert_int_equal(rows_left(&nibbles, NULL, (unsigned int[]){ 0, 1 }, 2), 1);
	assert_int_equal(rows_left(&nibbles, NULL, (unsigned int[]){ 0, 1, 2 }, 3), 2);
	assert_int_equal(rows_left(&word, NULL, (unsigned int[]){ 2, 3 }, 2), 2);
	assert_int_equal(rows_left(&name, NULL, (unsigned int[]){ 5, 9, 15 }, 3), 1);
	assert_int_equal(rows_left(&name, NULL, (unsigned int[]){ 0, 3, 4, 5 }, 4), 4);
	btf__free(types);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_forged),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_histograms),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_differences),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
