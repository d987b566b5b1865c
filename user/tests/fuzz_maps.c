// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any bytes as the stacks and the rows of maps in a recording. The input is two
 * bytes that choose the layout, a u16 with the bytes of the stacks, those, and the rows. What
 * comes past the reader can be added up, named and subtracted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "aggregate/saved.h"
#include "base/array.h"
#include "base/buf.h"
#include "decode/decode.h"
#include "event_log.h"
#include "fuzz.h"
#include "record/format.h"

#define ID 20

static void require(int ok)
{
	if (!ok)
		abort();
}

/* ---- a recording ---- */

static void put_section(struct buf *b, uint32_t type, const void *payload, size_t size)
{
	static const char zeros[8];
	struct ktap_data_section s = { .type = type, .length = size };
	size_t padded = size + file_padding(size);
	struct buf all = BUF_INIT;

	buf_put(&all, payload, size);
	buf_put(&all, zeros, padded - size);
	s.sum = file_sum(KTAP_DATA_XXH3, buf_str(&all), padded);
	s.head_sum = file_section_sum(KTAP_DATA_XXH3, &s);
	buf_put(b, (const char *)&s, sizeof(s));
	buf_put(b, buf_str(&all), padded);
	buf_deinit(&all);
}

static void put_head(struct buf *b)
{
	const struct ktap_data_machine machine = {
		.release = "6.12", .hostname = "fuzz", .arch = KTAP_ARCH_X86_64,
		.clock = KTAP_CLOCK_TSC, .clock_hz = 1000000000, .ring_size = 65536,
		.subbuf_size = 4096, .nr_cpus = 2,
	};
	struct ktap_data_head head = {
		.order = KTAP_DATA_ORDER, .version = KTAP_DATA_XXH3, .size = sizeof(head),
	};

	memcpy(head.magic, KTAP_DATA_MAGIC, sizeof(head.magic));
	head.sum = file_sum(KTAP_DATA_XXH3, &head, sizeof(head));
	buf_put(b, (const char *)&head, sizeof(head));
	put_section(b, KTAP_DATA_MACHINE, &machine, sizeof(machine));
}

static void put_probe(struct buf *b, const struct layout *layout)
{
	const struct ktap_data_probe head = { .id = ID, .name_size = 8 };
	struct buf payload = BUF_INIT;
	size_t size;
	void *blob = log_blob(layout, &size);

	buf_put(&payload, (const char *)&head, sizeof(head));
	buf_put(&payload, "fuzzing", 8);
	buf_put(&payload, blob, size);
	put_section(b, KTAP_DATA_PROBE, buf_str(&payload), payload.size);
	buf_deinit(&payload);
	free(blob);
}

/* ---- layouts ---- */

/* Keys and a value of each kind; the input chooses some. */
static const struct field choices[] = {
	{ "stack", FIELD_INT, FORMAT_STACK, 8, 0, FIELD_NO_FAULT, .aggregate.kind = AGGREGATE_KEY },
	{ "text", FIELD_STRING, FORMAT_TEXT, 4, 0, FIELD_NO_FAULT, .aggregate.kind = AGGREGATE_KEY },
	{ "comm", FIELD_COMM, FORMAT_TEXT, 16, 0, FIELD_NO_FAULT, .aggregate.kind = AGGREGATE_KEY },
	{ "user", FIELD_INT, FORMAT_USTACK, 8, 0, FIELD_NO_FAULT, .aggregate.kind = AGGREGATE_KEY },
	{ "sum", FIELD_INT, FORMAT_SIGNED, 8, 0, 3, .aggregate.kind = AGGREGATE_SUM },
	{ "stats", FIELD_INT, FORMAT_UNSIGNED, 4, 0, 4, .aggregate.kind = AGGREGATE_STATS },
	{ "log2", FIELD_INT, FORMAT_SIGNED, 8, 0, 5, .aggregate.kind = AGGREGATE_LOG2 },
	{ "steps", FIELD_INT, FORMAT_SIGNED, 8, 0, 6,
	  .aggregate = { .kind = AGGREGATE_LINEAR, .nr = 5, .min = -10, .step = 4 } },
};

static void choose(struct layout *l, struct field *fields, uint8_t which)
{
	*l = (struct layout){
		.definition = (char *)"f", .symbol = (char *)"f", .fields = fields,
		.aggregates = true, .faults_size = 1,
	};
	for (size_t i = 0; i < ARRAY_SIZE(choices); i++) {
		struct field *f = &fields[l->nr_fields];

		if (!(which & 1 << i))
			continue;
		*f = choices[i];
		f->offset = l->fixed_size;
		l->fixed_size += (f->size + 7) & ~7U;
		l->nr_fields++;
	}
	l->faults_offset = l->fixed_size;
	l->fixed_size += 8;
}

/* ---- what is done with it ---- */

static void check_row(const struct rows *rows, const struct row *row, uint64_t *sum)
{
	const struct layout *l = rows->layout;

	for (size_t i = 0; i < l->nr_fields; i++) {
		const struct field *f = &l->fields[i];
		__int128 low, high;
		struct total t;

		if (!aggregate_is_value(&f->aggregate))
			continue;
		rows_total(rows, row, f, &t);
		*sum += (uint64_t)t.n + (uint64_t)t.sum + (uint64_t)t.min + (uint64_t)t.max;
		for (size_t k = 0; k < t.nr_buckets; k++) {
			rows_bucket(f, k, &low, &high);
			require(low <= high);
			*sum += t.buckets[k];
		}
	}
}

static void check_values(const struct event *e, uint64_t *sum)
{
	for (size_t i = 0; i < e->nr_values; i++) {
		const struct value *v = &e->values[i];

		for (size_t j = 0; j < v->length; j++)
			*sum += v->text[j];
		if (!value_is_stack(v) || !v->stack)
			continue;
		for (size_t j = 0; j < v->stack->nr; j++)
			*sum += v->stack->frames[j];
	}
}

static void check_rows(struct rows *rows, struct decoder *dec, uint64_t *sum)
{
	struct rows copy;
	struct event e;
	uint64_t count = 0, merged = 0;

	for (size_t i = 0; i < rows->nr; i++) {
		const struct row *row = &rows->row[i];

		count += row->count;
		if (row->key && decoder_values(dec, ID, row->key, row->key_size, &e))
			check_values(&e, sum);
		check_row(rows, row, sum);
	}
	require(!rows_merge(rows));
	for (size_t i = 0; i < rows->nr; i++)
		merged += rows->row[i].count;
	require(count == merged);
	require(!rows_copy(&copy, rows));
	/* nothing came since */
	rows_subtract(&copy, rows);
	require(!copy.nr);
	rows_deinit(&copy);
	rows_fold(rows, 2);
	require(rows->nr <= 3);
	require(rows->nr < 3 || !rows->row[2].key);
	for (size_t i = 0; i < rows->nr; i++)
		merged -= rows->row[i].count;
	require(!merged);
}

static void check_file(const struct datafile *f)
{
	_cleanup_(layout_freep) struct layout *l = NULL;
	struct decoder *dec = NULL;
	struct rows rows;
	uint64_t sum = 0;

	require(f->nr_probes == 1);
	require(!layout_decode(f->probes[0].blob, f->probes[0].blob_size, NULL, &l));
	require(!decoder_create(&f->machine, NULL, &dec));
	require(!decoder_probe(dec, ID, "fuzzing", f->probes[0].blob, f->probes[0].blob_size, NULL));
	for (size_t i = 0; i < f->nr_stacks; i++)
		decoder_stacks(dec, f->stacks[i].data, f->stacks[i].size, NULL);
	for (size_t i = 0; i < f->nr_maps; i++) {
		rows_init(&rows, l);
		if (f->maps[i].id == ID && !rows_load(&rows, &f->maps[i]))
			check_rows(&rows, dec, &sum);
		rows_deinit(&rows);
	}
	decoder_destroy(dec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct field fields[ARRAY_SIZE(choices)];
	struct buf b = BUF_INIT, map = BUF_INIT;
	struct ktap_data_map head = { .id = ID, .nr_rows = 1 };
	struct datafile *f = NULL;
	struct rows rows;
	struct layout l;
	size_t stacks;

	if (size < 4)
		return 0;
	choose(&l, fields, data[0]);
	rows_init(&rows, &l);
	/* mostly as many as there are */
	head.nr_words = rows.nr_words + (data[1] >> 4 == 15);
	head.nr_rows = data[1] & 15;
	stacks = (data[2] | data[3] << 8) % (size - 3);
	put_head(&b);
	put_probe(&b, &l);
	put_section(&b, KTAP_DATA_STACKS, data + 4, stacks);
	buf_put(&map, (const char *)&head, sizeof(head));
	buf_put(&map, (const char *)data + 4 + stacks, size - 4 - stacks);
	put_section(&b, KTAP_DATA_MAP, buf_str(&map), map.size);
	put_section(&b, KTAP_DATA_END, "", 0);
	require(!b.failed && !map.failed);
	require(!datafile_parse("fuzz", (const unsigned char *)buf_str(&b), b.size, NULL, &f));
	check_file(f);
	datafile_close(f);
	buf_deinit(&map);
	buf_deinit(&b);
	return 0;
}
