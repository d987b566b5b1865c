// SPDX-License-Identifier: GPL-2.0
/*
 * ktap.data made by hand: later versions, sections of other kinds, and files
 * with right checksums over wrong content.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <xxhash.h>

#include "base/crc32.h"
#include "record/datafile.h"
#include "record/format.h"

static const uint64_t data0[] = { 0x1111, 0x2222, 0x3333 };

/* The bytes as a recording, or NULL. */
static struct datafile *parse(const void *bytes, size_t size)
{
	struct datafile *f = NULL;

	datafile_parse("t", bytes, size, NULL, &f);
	return f;
}

/* struct bytes - a file, and the version in its head */
struct bytes {
	unsigned char data[2048];
	size_t size;
	uint32_t version;
};

/* CRC-32 by its definition: a bit at a time. */
static uint32_t slow_crc32(const unsigned char *data, size_t size)
{
	uint32_t crc = ~0U;

	for (size_t i = 0; i < size * 8; i++)
		crc = crc >> 1 ^ ((crc ^ data[i / 8] >> i % 8) & 1 ? 0xedb88320 : 0);
	return ~crc;
}

static uint32_t sum_of(const struct bytes *b, const void *data, size_t size)
{
	return b->version == KTAP_DATA_CRC32 ? slow_crc32(data, size) :
					       (uint32_t)XXH3_64bits(data, size);
}

static void put(struct bytes *b, const void *data, size_t size)
{
	assert_true(b->size + size <= sizeof(b->data));
	if (size)
		memcpy(b->data + b->size, data, size);
	b->size += size;
}

static void put_head(struct bytes *b, uint32_t order, uint32_t version,
		     uint32_t size)
{
	struct ktap_data_head h = {
		.magic = "KTAPDATA", .order = order, .version = version,
		.size = size,
	};
	static const char more[64];

	b->size = 0;
	b->version = version;
	put(b, &h, sizeof(h));
	if (size > sizeof(h) && size <= sizeof(h) + sizeof(more))
		put(b, more, size - sizeof(h));
	h.sum = sum_of(b, b->data, b->size);
	memcpy(b->data, &h, sizeof(h));
}

static void put_section(struct bytes *b, struct ktap_data_section s,
			const void *payload, size_t size)
{
	static const char zeros[8];
	size_t padding = (8 - size % 8) % 8, at = b->size;

	put(b, &s, sizeof(s));
	put(b, payload, size);
	put(b, zeros, padding);
	s.length = size;
	s.sum = sum_of(b, b->data + at + sizeof(s), size + padding);
	s.head_sum = 0;
	s.head_sum = sum_of(b, &s, sizeof(s));
	memcpy(b->data + at, &s, sizeof(s));
}

static struct ktap_data_section section(enum ktap_data_type type)
{
	return (struct ktap_data_section){ .type = type };
}

static struct ktap_data_machine good_machine(void)
{
	return (struct ktap_data_machine){
		.release = "r", .hostname = "h", .arch = KTAP_ARCH_X86_64,
		.clock = KTAP_CLOCK_TSC, .clock_hz = 1, .ring_size = 16384,
		.subbuf_size = 4096, .nr_cpus = 2,
	};
}

static void put_start(struct bytes *b)
{
	struct ktap_data_machine fm = good_machine();

	put_head(b, KTAP_DATA_ORDER, 1, sizeof(struct ktap_data_head));
	put_section(b, section(KTAP_DATA_MACHINE), &fm, sizeof(fm));
}

static void test_unknown_section(void **state)
{
	struct bytes b = {};
	struct datafile *f;

	put_start(&b);
	put_section(&b, section(4711), "whatever", 5);
	put_section(&b, (struct ktap_data_section){ .type = KTAP_DATA_DATA, .cpu = 1 },
		    data0, sizeof(data0));
	put_section(&b, section(0), NULL, 0);
	put_section(&b, section(KTAP_DATA_END), NULL, 0);
	f = parse(b.data, b.size);
	assert_non_null(f);
	assert_true(f->complete);
	assert_int_equal(f->nr_batches, 1);
	assert_memory_equal(f->batches[0].data, data0, sizeof(data0));
	datafile_close(f);
}

/* The kernel's files differ in their checksums. */
static void test_crc32(void **state)
{
	struct ktap_data_machine fm = good_machine();
	unsigned char many[67];
	struct bytes b = {};
	struct datafile *f;

	assert_int_equal(crc32_of("123456789", 9), 0xcbf43926);
	for (size_t i = 0; i < sizeof(many); i++)
		many[i] = i * 37;
	for (size_t i = 0; i <= sizeof(many); i++)
		assert_int_equal(crc32_of(many, i), slow_crc32(many, i));
	put_head(&b, KTAP_DATA_ORDER, KTAP_DATA_CRC32, sizeof(struct ktap_data_head));
	put_section(&b, section(KTAP_DATA_MACHINE), &fm, sizeof(fm));
	put_section(&b, (struct ktap_data_section){ .type = KTAP_DATA_DATA, .cpu = 1 },
		    data0, sizeof(data0));
	put_section(&b, section(KTAP_DATA_END), NULL, 0);
	f = parse(b.data, b.size);
	assert_non_null(f);
	assert_true(f->complete);
	assert_int_equal(f->nr_batches, 1);
	datafile_close(f);
	/* the same bytes with the checksums of version 2 */
	b.version = KTAP_DATA_XXH3;
	b.size = sizeof(struct ktap_data_head);
	put_section(&b, section(KTAP_DATA_MACHINE), &fm, sizeof(fm));
	f = parse(b.data, b.size);
	assert_null(f);
}

/* Files of a later minor version: everything may have grown at its end. */
static void test_grown(void **state)
{
	struct { struct ktap_data_totals ft; struct ktap_counts c; uint64_t more; } t = {
		{ 20, sizeof(struct ktap_counts) + 8, 5 }, { .hits = 3 }, 99,
	};
	struct { struct ktap_data_machine fm; char more[16]; } m = { good_machine() };
	struct { struct ktap_data_clock fc; uint64_t more; } c = { { 1, 2, 3 }, 4 };
	struct bytes b = {};
	struct datafile *f;

	put_head(&b, KTAP_DATA_ORDER, 2, sizeof(struct ktap_data_head) + 16);
	put_section(&b, section(KTAP_DATA_MACHINE), &m, sizeof(m));
	put_section(&b, section(KTAP_DATA_CLOCK), &c, sizeof(c));
	put_section(&b, section(KTAP_DATA_TOTALS), &t, sizeof(t));
	put_section(&b, section(KTAP_DATA_END), "later", 5);
	f = parse(b.data, b.size);
	assert_non_null(f);
	assert_true(f->complete);
	assert_int_equal(f->machine.nr_cpus, 2);
	assert_int_equal(f->clocks[0].real, 3);
	assert_int_equal(f->totals[0].counts.hits, 3);
	assert_int_equal(f->totals[0].missed, 5);
	datafile_close(f);
}

/* Counts of an older writer: what it does not know is zero. */
static void test_shrunk(void **state)
{
	struct { struct ktap_data_totals ft; uint64_t hits; } t = { { 20, 8, 5 }, 3 };
	struct bytes b = {};
	struct datafile *f;

	put_start(&b);
	put_section(&b, section(KTAP_DATA_TOTALS), &t, sizeof(t));
	f = parse(b.data, b.size);
	assert_non_null(f);
	assert_int_equal(f->totals[0].counts.hits, 3);
	assert_int_equal(f->totals[0].counts.recorded, 0);
	datafile_close(f);
}

/* Checksums are right and content is not: stop there, and say so. */
static void test_bad_content(void **state)
{
	static const struct ktap_data_probe no_name = { 16, 0 };
	static const struct ktap_data_probe long_name = { 16, 1000 };
	static const struct { struct ktap_data_probe p; char name[8]; } open_name = {
		{ 16, 8 }, { 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h' },
	};
	static const struct ktap_data_totals no_counts = { 16, 72, 0 };
	static const struct { struct ktap_data_file f; char name[8]; } long_id = {
		{ 1, 0, 8, 33, { 0 } }, "libc",
	}, long_code = {
		{ 1, 1U << 31, 8, 20, { 0 } }, "libc",
	}, long_file = {
		{ 1, 0, 9, 20, { 0 } }, "libc",
	}, open_file = {
		{ 1, 0, 4, 20, { 0 } }, "libc",
	}, no_file = {
		{ 1, 0, 0, 20, { 0 } }, "libc",
	}, odd_file = {
		{ 1, 0, 8, 20, { 0 } }, "li\033bc",
	};
	static const struct {
		struct ktap_data_map m;
		struct ktap_data_row row;
		uint64_t word;
		char key[8];
	} many_rows = {
		{ 16, 1, 2 }, { 1, 8, 0 }, 1, "key"
	}, most_rows = {
		{ 16, 0, UINT64_MAX }, { 1, 8, 0 }, 1, "key"
	}, many_words = {
		{ 16, UINT32_MAX, 1 }, { 1, 8, 0 }, 1, "key"
	}, long_key = {
		{ 16, 1, 1 }, { 1, 9, 0 }, 1, "key"
	}, longest_key = {
		{ 16, 1, 1 }, { 1, UINT32_MAX - 1, 0 }, 1, "key"
	};
	struct ktap_data_machine again = good_machine();
	const struct {
		struct ktap_data_section s;
		const void *payload;
		size_t size;
	} rows[] = {
		{ section(KTAP_DATA_MACHINE), &again, sizeof(again) },
		{ section(KTAP_DATA_PROBE), &no_name, sizeof(no_name) },
		{ section(KTAP_DATA_PROBE), &long_name, sizeof(long_name) },
		{ section(KTAP_DATA_PROBE), &open_name, sizeof(open_name) },
		{ section(KTAP_DATA_PROBE), NULL, 0 },
		{ section(KTAP_DATA_TOTALS), &no_counts, sizeof(no_counts) },
		{ section(KTAP_DATA_TOTALS), &no_counts, 8 },
		{ section(KTAP_DATA_FILE), &long_id, sizeof(long_id) },
		{ section(KTAP_DATA_FILE), &long_code, sizeof(long_code) },
		{ section(KTAP_DATA_FILE), &long_file, sizeof(long_file) },
		{ section(KTAP_DATA_FILE), &open_file, sizeof(open_file) },
		{ section(KTAP_DATA_FILE), &no_file, sizeof(no_file) },
		{ section(KTAP_DATA_FILE), &odd_file, sizeof(odd_file) },
		{ section(KTAP_DATA_FILE), &odd_file, 40 },
		{ section(KTAP_DATA_MAP), &many_rows, sizeof(many_rows) },
		{ section(KTAP_DATA_MAP), &most_rows, sizeof(most_rows) },
		{ section(KTAP_DATA_MAP), &many_words, sizeof(many_words) },
		{ section(KTAP_DATA_MAP), &long_key, sizeof(long_key) },
		{ section(KTAP_DATA_MAP), &longest_key, sizeof(longest_key) },
		{ section(KTAP_DATA_MAP), &many_rows, sizeof(many_rows.m) - 1 },
		{ { .type = KTAP_DATA_DATA, .cpu = 2 }, data0, 8 },
		{ { .type = KTAP_DATA_DATA, .position = 4 }, data0, 8 },
		{ { .type = KTAP_DATA_DATA }, data0, 12 },
	};
	struct datafile *f;
	size_t i, at;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct bytes b = {};

		put_start(&b);
		at = b.size;
		put_section(&b, rows[i].s, rows[i].payload, rows[i].size);
		put_section(&b, section(KTAP_DATA_END), NULL, 0);
		f = parse(b.data, b.size);
		assert_non_null(f);
		assert_false(f->complete);
		assert_int_equal(f->cut_at, at);
		assert_string_equal(f->cut_reason, "a section that makes no sense");
		assert_int_equal(f->nr_probes + f->nr_batches + f->nr_totals +
				 f->nr_files + f->nr_maps, 0);
		datafile_close(f);
	}
}

static void test_behind_the_end(void **state)
{
	struct bytes b = {};
	struct datafile *f;
	size_t end;

	put_start(&b);
	put_section(&b, section(KTAP_DATA_END), NULL, 0);
	end = b.size;
	put_section(&b, (struct ktap_data_section){ .type = KTAP_DATA_DATA }, data0, 8);
	f = parse(b.data, b.size);
	assert_non_null(f);
	assert_false(f->complete);
	assert_int_equal(f->cut_at, end);
	assert_int_equal(f->nr_batches, 0);
	datafile_close(f);
}

/* A length near 2^64 is a cut file, not an overflow. */
static void test_huge_length(void **state)
{
	struct ktap_data_section s = { .type = KTAP_DATA_DATA, .length = -1ULL };
	struct bytes b = {};
	struct datafile *f;
	int i;

	for (i = 0; i < 9; i++, s.length--) {
		put_start(&b);
		s.head_sum = 0;
		s.head_sum = sum_of(&b, &s, sizeof(s));
		put(&b, &s, sizeof(s));
		put(&b, data0, 8);
		f = parse(b.data, b.size);
		assert_non_null(f);
		assert_false(f->complete);
		assert_int_equal(f->nr_batches, 1);
		assert_int_equal(f->batches[0].size, 8);
		assert_true(f->batches[0].cut);
		datafile_close(f);
	}
}

/* ---- errors ---- */

static void refused(const struct bytes *b, enum diag_code code, const char *text)
{
	struct datafile *f = NULL;
	struct diag d = {};

	assert_int_equal(datafile_parse("f.data", b->data, b->size, &d, &f), -EINVAL);
	assert_null(f);
	assert_int_equal(d.code, code);
	assert_non_null(strstr(d.message, "'f.data'"));
	assert_non_null(strstr(d.message, text));
	diag_clear(&d);
}

static void test_refused(void **state)
{
	struct bytes b = {};

	refused(&b, DIAG_RECORD_EMPTY, "empty");
	put(&b, "hello", 5);
	refused(&b, DIAG_RECORD_FOREIGN, "not a recording");
	put(&b, "PERFILE2 and so on and so on", 28);
	refused(&b, DIAG_RECORD_FOREIGN, "not a recording");
	put_head(&b, KTAP_DATA_ORDER_OTHER, 0x01000000, 24);
	refused(&b, DIAG_RECORD_ORDER, "byte order");
	put_head(&b, KTAP_DATA_ORDER, 4, 24);
	refused(&b, DIAG_RECORD_VERSION, "version 4");
	put_head(&b, KTAP_DATA_ORDER, 0, 24);
	refused(&b, DIAG_RECORD_HEAD, "damaged");
	put_head(&b, 12345, 1, 24);
	refused(&b, DIAG_RECORD_HEAD, "damaged");
	put_head(&b, KTAP_DATA_ORDER, 1, 16);
	refused(&b, DIAG_RECORD_HEAD, "damaged");
	put_head(&b, KTAP_DATA_ORDER, 1, 28);
	refused(&b, DIAG_RECORD_HEAD, "damaged");
	put_head(&b, KTAP_DATA_ORDER, 1, 1 << 20);
	refused(&b, DIAG_RECORD_HEAD, "damaged");
	put_head(&b, KTAP_DATA_ORDER, 1, 24);
	b.data[20] ^= 1;
	refused(&b, DIAG_RECORD_HEAD, "damaged");
	put_head(&b, KTAP_DATA_ORDER, 1, 24);
	b.size = 23;
	refused(&b, DIAG_RECORD_SHORT, "at byte 23");
	b.size = 3;
	refused(&b, DIAG_RECORD_SHORT, "at byte 3");
	put_head(&b, KTAP_DATA_ORDER, 1, 128);
	refused(&b, DIAG_RECORD_SHORT, "at byte 24");
	put_head(&b, KTAP_DATA_ORDER, 1, 24);
	refused(&b, DIAG_RECORD_NO_MACHINE, "past byte 24 (the file ends there)");
	put_section(&b, section(KTAP_DATA_END), NULL, 0);
	refused(&b, DIAG_RECORD_NO_MACHINE, "past byte 24 (a section that makes no sense)");
	put_start(&b);
	b.data[24 + 32] ^= 1;
	refused(&b, DIAG_RECORD_NO_MACHINE, "past byte 24 (bad checksum)");
	b.data[24] ^= 1;
	refused(&b, DIAG_RECORD_NO_MACHINE, "past byte 24 (bad checksum of a section's header)");
}

static void test_bad_machine(void **state)
{
	struct ktap_data_machine bad[6];
	struct bytes b = {};
	size_t i;

	for (i = 0; i < 6; i++)
		bad[i] = good_machine();
	bad[0].nr_cpus = 0;
	bad[1].nr_cpus = 1 << 20;
	bad[2].subbuf_size = 0;
	bad[3].subbuf_size = 5000;
	bad[4].subbuf_size = 32;
	bad[5].build_id_size = 21;
	for (i = 0; i < 6; i++) {
		put_head(&b, KTAP_DATA_ORDER, 1, 24);
		put_section(&b, section(KTAP_DATA_MACHINE), &bad[i], sizeof(bad[i]));
		refused(&b, DIAG_RECORD_NO_MACHINE, "makes no sense");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unknown_section),
		cmocka_unit_test(test_crc32),
		cmocka_unit_test(test_grown),
		cmocka_unit_test(test_shrunk),
		cmocka_unit_test(test_bad_content),
		cmocka_unit_test(test_behind_the_end),
		cmocka_unit_test(test_huge_length),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_bad_machine),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
