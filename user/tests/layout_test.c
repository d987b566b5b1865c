// SPDX-License-Identifier: GPL-2.0
/* Layouts to blobs and back; blobs that are damaged, hostile, or too new. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>
#include <cmocka.h>
#include <errno.h>
#include <linux/ktap.h>

#include "base/array.h"
#include "schema/layout.h"

static void assert_same_text(const char *a, const char *b)
{
	assert_true(!a == !b);
	if (a)
		assert_string_equal(a, b);
}

static void assert_same(const struct layout *a, const struct layout *b)
{
	size_t i;

	assert_same_text(a->definition, b->definition);
	assert_same_text(a->symbol, b->symbol);
	assert_same_text(a->module, b->module);
	assert_same_text(a->path, b->path);
	assert_same_text(a->calls, b->calls);
	assert_true(a->offset == b->offset);
	assert_true(a->address == b->address);
	assert_int_equal(a->fixed_size, b->fixed_size);
	assert_int_equal(a->faults_offset, b->faults_offset);
	assert_int_equal(a->faults_size, b->faults_size);
	assert_int_equal(a->has_frame, b->has_frame);
	assert_int_equal(a->no_entry, b->no_entry);
	assert_int_equal(a->nr_fields, b->nr_fields);
	for (i = 0; i < a->nr_fields; i++) {
		const struct field *f = &a->fields[i], *g = &b->fields[i];

		assert_string_equal(f->name, g->name);
		assert_int_equal(f->kind, g->kind);
		assert_int_equal(f->format, g->format);
		assert_int_equal(f->size, g->size);
		assert_int_equal(f->offset, g->offset);
		assert_int_equal(f->fault, g->fault);
		assert_int_equal(f->count, g->count);
		assert_int_equal(f->bit_offset, g->bit_offset);
		assert_int_equal(f->bit_width, g->bit_width);
		assert_same_text(f->text, g->text);
		assert_int_equal(f->frame, g->frame);
		assert_int_equal(f->nr_holes, g->nr_holes);
		if (f->nr_holes)
			assert_memory_equal(f->holes, g->holes,
					    f->nr_holes * sizeof(*f->holes));
		assert_int_equal(f->type, g->type);
	}
}

static struct field sample_fields[] = {
	{ "di", FIELD_INT, FORMAT_HEX, 8, 0, FIELD_NO_FAULT },
	{ "pos", FIELD_INT, FORMAT_SIGNED, 4, 24, 0 },
	{ "name", FIELD_STRING, FORMAT_TEXT, 4, 36, FIELD_NO_FAULT },
	{ "comm", FIELD_COMM, FORMAT_TEXT, 16, 8, FIELD_NO_FAULT },
	{ "c", FIELD_INT, FORMAT_CHAR, 1, 28, 7 },
};

/* What the tests start from; they change a copy. */
static const struct layout sample = {
	.definition = (char *)"vfs_read di=%di",
	.symbol = (char *)"vfs_read",
	.module = (char *)"xfs",
	.calls = (char *)"inner in outer at a.c:5",
	.offset = 4,
	.address = 0xffffffff81000104,
	.fields = sample_fields,
	.nr_fields = ARRAY_SIZE(sample_fields),
	.fixed_size = 40,
	.faults_offset = 29,
	.faults_size = 1,
};

static void check_round(const struct layout *layout)
{
	struct layout *back = NULL;
	struct diag d = {};
	size_t size;
	void *blob;

	assert_int_equal(layout_encode(layout, &blob, &size), 0);
	if (layout_decode(blob, size, &d, &back))
		fail_msg("%s", d.message);
	assert_same(layout, back);
	layout_free(back);
	free(blob);
}

static void test_round(void **state)
{
	struct layout layout = sample;

	check_round(&layout);
	layout.symbol = NULL;
	layout.module = NULL;
	layout.offset = 0;
	layout.address = UINT64_MAX;
	check_round(&layout);
	layout.nr_fields = 0;
	layout.fixed_size = 0;
	layout.faults_size = 0;
	layout.faults_offset = 0;
	check_round(&layout);
	layout.path = (char *)"/usr/bin/caf\303\251";
	check_round(&layout);
	layout.definition = (char *)"p caf\303\251 \360\237\220\247";
	check_round(&layout);
}

static const char *refused_frame(const struct layout *layout)
{
	static char text[256];
	struct layout *back = NULL;
	struct diag d = {};
	size_t size;
	void *blob;

	assert_int_equal(layout_encode(layout, &blob, &size), 0);
	assert_int_equal(layout_decode(blob, size, &d, &back), -EBADMSG);
	snprintf(text, sizeof(text), "%s", d.message);
	diag_clear(&d);
	free(blob);
	return text;
}

static void test_frames(void **state)
{
	struct field fields[ARRAY_SIZE(sample_fields)];
	struct layout layout = sample;

	memcpy(fields, sample_fields, sizeof(fields));
	fields[1].frame = true;
	fields[2].frame = true;
	layout.fields = fields;
	assert_non_null(strstr(refused_frame(&layout), "fault bit"));
	layout.has_frame = true;
	layout.no_entry = 7;
	check_round(&layout);
	layout.no_entry = 8;
	assert_non_null(strstr(refused_frame(&layout), "fault bit"));
}

static unsigned int random_next(unsigned int *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 16;
}

/* A field of any kind, anywhere in the record. */
static void random_field(struct field *f, const struct layout *layout,
			 unsigned int *seed)
{
	static const char *const names[] = { "a", "b_1", "long_name_of_arg" };

	*f = (struct field){};
	f->name = (char *)names[random_next(seed) % ARRAY_SIZE(names)];
	f->kind = FIELD_INT + random_next(seed) % 3;
	f->fault = FIELD_NO_FAULT;
	f->format = FORMAT_TEXT;
	f->size = f->kind == FIELD_COMM ? KTAP_COMM_LEN : 4;
	if (f->kind == FIELD_INT) {
		f->size = 1U << random_next(seed) % 4;
		f->format = FORMAT_UNSIGNED + random_next(seed) % 4;
		if (layout->faults_size && random_next(seed) % 2)
			f->fault = random_next(seed) % (layout->faults_size * 8);
		f->bit_width = random_next(seed) % 5;
		f->bit_offset = f->bit_width ? random_next(seed) % 4 : 0;
		if (random_next(seed) % 4 == 0)
			f->format = FORMAT_SYMBOL + random_next(seed) % 3;
	}
	if (f->kind != FIELD_COMM && f->size < 8 && random_next(seed) % 2)
		f->count = 1 + random_next(seed) % 3;
	if (random_next(seed) % 5 == 0) {
		*f = (struct field){
			.name = f->name, .kind = FIELD_LITERAL,
			.format = FORMAT_TEXT, .fault = FIELD_NO_FAULT,
			.text = (char *)names[random_next(seed) % 3],
		};
	}
	f->offset = random_next(seed) %
		    (layout->fixed_size - field_bytes(f) + 1);
}

static void test_round_of_any(void **state)
{
	struct field fields[50];
	unsigned int seed = 3, i, k;

	for (i = 0; i < 2000; i++) {
		struct layout layout = sample;

		layout.fixed_size = 8 * (3 + random_next(&seed) % 500);
		layout.faults_size = (1U << random_next(&seed) % 5) % 16;
		layout.faults_offset = random_next(&seed) %
				       (layout.fixed_size - 8);
		layout.offset = random_next(&seed);
		layout.nr_fields = random_next(&seed) % ARRAY_SIZE(fields);
		layout.fields = fields;
		for (k = 0; k < layout.nr_fields; k++)
			random_field(&fields[k], &layout, &seed);
		check_round(&layout);
	}
}

/* A table of "int", "struct s { int m; }", and the layout of both. */
static void typed_layout(struct layout *layout, struct field fields[2])
{
	fields[0] = (struct field){
		.name = (char *)"s", .kind = FIELD_STRUCT, .format = FORMAT_TYPE,
		.size = 4, .type = 2, .fault = 0,
	};
	fields[1] = (struct field){
		.name = (char *)"n", .kind = FIELD_INT, .format = FORMAT_SIGNED,
		.size = 4, .offset = 4, .type = 1, .fault = FIELD_NO_FAULT,
	};
	*layout = sample;
	layout->fields = fields;
	layout->nr_fields = 2;
	layout->types = btf__new_empty();
	assert_int_equal(btf__add_int(layout->types, "int", 4, BTF_INT_SIGNED), 1);
	assert_int_equal(btf__add_struct(layout->types, "s", 4), 2);
	assert_int_equal(btf__add_field(layout->types, "m", 1, 0, 0), 0);
}

static void expect_bad_type(const struct layout *layout)
{
	struct layout *back = NULL;
	struct diag d = {};
	size_t size;
	void *blob;

	assert_int_equal(layout_encode(layout, &blob, &size), 0);
	assert_int_equal(layout_decode(blob, size, &d, &back), -EBADMSG);
	diag_clear(&d);
	free(blob);
}

static void test_types(void **state)
{
	struct field fields[2];
	struct layout layout;
	struct btf *types;

	typed_layout(&layout, fields);
	check_round(&layout);
	/* one that is not there, none, one that is no number */
	fields[0].type = 3;
	expect_bad_type(&layout);
	fields[0].type = 0;
	expect_bad_type(&layout);
	fields[0].type = 2;
	fields[1].type = 2;
	expect_bad_type(&layout);
	fields[1].type = 1;
	fields[1].count = 1;
	expect_bad_type(&layout);
	fields[1].count = 0;
	types = layout.types;
	layout.types = NULL;
	expect_bad_type(&layout);
	btf__free(types);
}

/* Bytes of a structure that had no value: in order, and inside of it */
static void test_holes(void **state)
{
	static const struct typed_hole bad[][2] = {
		{ { 0, 1 }, { 0, 1 } }, { { 2, 1 }, { 1, 1 } },
		{ { 0, 1 }, { 2, 3 } }, { { 0, 0 }, { 1, 1 } },
		{ { 0, 1 }, { 3, UINT32_MAX } }, { { 4, 1 }, { 6, 1 } },
	};
	struct typed_hole holes[2] = { { 0, 1 }, { 2, 2 } };
	struct field fields[2];
	struct layout layout;

	typed_layout(&layout, fields);
	fields[0].holes = holes;
	fields[0].nr_holes = 2;
	check_round(&layout);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		memcpy(holes, bad[i], sizeof(holes));
		expect_bad_type(&layout);
	}
	holes[0] = (struct typed_hole){ 0, 1 };
	/* a number has none */
	fields[1].holes = holes;
	fields[1].nr_holes = 1;
	fields[0].nr_holes = 0;
	expect_bad_type(&layout);
	btf__free(layout.types);
}

/* The bytes of the blob are an agreement between machines. */
static void test_bytes(void **state)
{
	static const unsigned char want[] = {
		'K', 'T', 'L', 'Y', 2, 0, 0, 0,
		1, 0, 0, 0, 1, 0, 0, 0, 'd',
		4, 0, 0, 0, 8, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0,
		5, 0, 0, 0, 8, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1,
		6, 0, 0, 0, 12, 0, 0, 0, 8, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0,
		7, 0, 0, 0, 18, 0, 0, 0, 1, 3, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0,
		5, 0, 0, 0, 'a', 'b',
	};
	struct field field = { (char *)"ab", FIELD_INT, FORMAT_HEX, 4, 0, 5 };
	struct layout layout = {
		.definition = (char *)"d",
		.offset = 0x102,
		.address = 0x0102030405060708,
		.fields = &field,
		.nr_fields = 1,
		.fixed_size = 8,
		.faults_offset = 4,
		.faults_size = 1,
	};
	size_t size;
	void *blob;

	assert_int_equal(layout_encode(&layout, &blob, &size), 0);
	assert_int_equal(size, sizeof(want));
	assert_memory_equal(blob, want, sizeof(want));
	free(blob);
}

/* ---- refusals ---- */

static void check_refused(const struct layout *layout, const char *why)
{
	struct layout *back = NULL;
	struct diag d = {};
	size_t size;
	void *blob;

	assert_int_equal(layout_encode(layout, &blob, &size), 0);
	assert_int_equal(layout_decode(blob, size, &d, &back), -EBADMSG);
	assert_int_equal(d.code, DIAG_LAYOUT_DAMAGED);
	if (!strstr(d.message, why))
		fail_msg("'%s', not '%s'", d.message, why);
	assert_null(back);
	diag_clear(&d);
	free(blob);
}

static void test_bad_records(void **state)
{
	static const struct {
		unsigned int fixed, faults_offset, faults_size;
		const char *why;
	} rows[] = {
		{ 65521, 29, 1, "impossible size" },
		{ 65528, 29, 1, "impossible size" },
		{ 0xfffffff8, 29, 1, "impossible size" },
		{ 40, 40, 1, "mask" },
		{ 40, 37, 4, "mask" },
		{ 40, 0xffffffff, 8, "mask" },
		{ 40, 0, 3, "mask" },
		{ 40, 0, 16, "mask" },
		{ 40, 0, 0, "fault bit" },
		{ 32, 0, 1, "outside" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct layout layout = sample;

		layout.fixed_size = rows[i].fixed;
		layout.faults_offset = rows[i].faults_offset;
		layout.faults_size = rows[i].faults_size;
		check_refused(&layout, rows[i].why);
	}
}

static char long_name[257];

static void test_bad_fields(void **state)
{
	static const struct {
		struct field field;
		const char *why;
	} rows[] = {
		{ { "a", 0, FORMAT_HEX, 8, 0, -1 }, "kind" },
		{ { "a", 4, FORMAT_TEXT, 8, 0, -1 }, "kind" },
		{ { "a", FIELD_INT, 0, 8, 0, -1 }, "kind" },
		{ { "a", FIELD_INT, FORMAT_ERRNO + 1, 8, 0, -1 }, "kind" },
		{ { "a", FIELD_INT, FORMAT_HEX, 1, 0, -1, 0, 5, 4 }, "kind" },
		{ { "a", FIELD_INT, FORMAT_HEX, 8, 0, -1, 6 }, "outside" },
		{ { "a", FIELD_INT, FORMAT_HEX, 8, 0, -1, 0xffffffff },
		  "outside" },
		{ { "a", FIELD_COMM, FORMAT_TEXT, 16, 0, -1, 1 }, "kind" },
		{ { "a", FIELD_STRING, FORMAT_TEXT, 4, 0, -1, 11 }, "outside" },
		{ { "a", FIELD_LITERAL, FORMAT_TEXT, 0, 0, -1 }, "kind" },
		{ { "a", FIELD_INT, FORMAT_TEXT, 8, 0, -1 }, "kind" },
		{ { "a", FIELD_INT, FORMAT_HEX, 3, 0, -1 }, "kind" },
		{ { "a", FIELD_INT, FORMAT_HEX, 0, 0, -1 }, "kind" },
		{ { "a", FIELD_INT, FORMAT_HEX, 16, 0, -1 }, "kind" },
		{ { "a", FIELD_STRING, FORMAT_TEXT, 8, 0, -1 }, "kind" },
		{ { "a", FIELD_STRING, FORMAT_HEX, 4, 0, -1 }, "kind" },
		{ { "a", FIELD_COMM, FORMAT_TEXT, 15, 0, -1 }, "kind" },
		{ { "a", FIELD_INT, FORMAT_HEX, 8, 33, -1 }, "outside" },
		{ { "a", FIELD_INT, FORMAT_HEX, 8, 0xfffffffc, -1 }, "outside" },
		{ { "a", FIELD_COMM, FORMAT_TEXT, 16, 32, -1 }, "outside" },
		{ { "a", FIELD_INT, FORMAT_HEX, 8, 0, 8 }, "fault bit" },
		{ { "a", FIELD_INT, FORMAT_HEX, 8, 0, 64 }, "fault bit" },
		{ { "a", FIELD_INT, FORMAT_HEX, 8, 0, -2 }, "fault bit" },
		{ { "a", FIELD_STRING, FORMAT_TEXT, 4, 0, 0 }, "fault bit" },
		{ { "", FIELD_INT, FORMAT_HEX, 8, 0, -1 }, "wrong size" },
		{ { long_name, FIELD_INT, FORMAT_HEX, 8, 0, -1 }, "wrong size" },
		{ { "\033[2J", FIELD_INT, FORMAT_HEX, 8, 0, -1 }, "plain" },
		{ { "a\nb", FIELD_INT, FORMAT_HEX, 8, 0, -1 }, "plain" },
		{ { "\302\233", FIELD_INT, FORMAT_HEX, 8, 0, -1 }, "plain" },
		{ { "\300\257", FIELD_INT, FORMAT_HEX, 8, 0, -1 }, "plain" },
		{ { "a\355\240\200", FIELD_INT, FORMAT_HEX, 8, 0, -1 }, "plain" },
	};
	size_t i;

	memset(long_name, 'n', sizeof(long_name) - 1);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct layout layout = sample;
		struct field field = rows[i].field;

		layout.fields = &field;
		layout.nr_fields = 1;
		check_refused(&layout, rows[i].why);
	}
}

static void test_bad_texts(void **state)
{
	struct layout layout = sample;

	layout.definition = NULL;
	check_refused(&layout, "not complete");
	layout.definition = (char *)"";
	check_refused(&layout, "plain");
	layout.definition = (char *)"a\tb";
	check_refused(&layout, "plain");
	layout = sample;
	layout.symbol = (char *)"\033]0;x\007";
	check_refused(&layout, "plain");
	layout = sample;
	layout.module = (char *)"\377";
	check_refused(&layout, "plain");
}

static void test_too_many_fields(void **state)
{
	struct layout layout = sample;
	struct field *fields = calloc(4097, sizeof(*fields));
	size_t i;

	for (i = 0; i < 4097; i++)
		fields[i] = sample_fields[0];
	layout.fields = fields;
	layout.nr_fields = 4096;
	check_round(&layout);
	layout.nr_fields = 4097;
	check_refused(&layout, "too many fields");
	free(fields);
}

/* Arrays that lie in the same bytes would need much more memory than a record. */
static void test_too_many_elements(void **state)
{
	struct field fields[] = {
		{ "a", FIELD_INT, FORMAT_HEX, 1, 0, -1, 16 },
		{ "b", FIELD_INT, FORMAT_HEX, 1, 16, -1, 16 },
		{ "c", FIELD_INT, FORMAT_HEX, 1, 8, -1, 1 },
	};
	struct layout layout = sample;

	layout.fixed_size = 32;
	layout.faults_size = 0;
	layout.fields = fields;
	layout.nr_fields = 2;
	check_round(&layout);
	layout.nr_fields = 3;
	check_refused(&layout, "too many elements");
}

/* ---- blobs that no encoder made ---- */

static int decode(const void *blob, size_t size, enum diag_code *code)
{
	struct layout *layout = NULL;
	struct diag d = {};
	/* exactly as large as it is: reads behind it are seen */
	void *copy = malloc(size ? size : 1);
	int err;

	memcpy(copy, blob, size);
	err = layout_decode(copy, size, &d, &layout);
	assert_true(!err == !!layout);
	*code = d.code;
	layout_free(layout);
	diag_clear(&d);
	free(copy);
	return err;
}

/* Every blob that ends early is refused, unless fields are all that it lacks. */
static void test_cut(void **state)
{
	struct layout layout = sample;
	enum diag_code code;
	size_t size, full, cut;
	void *blob, *bare;

	layout.nr_fields = 0;
	assert_int_equal(layout_encode(&layout, &bare, &size), 0);
	assert_int_equal(layout_encode(&sample, &blob, &full), 0);
	for (cut = 0; cut < full; cut++) {
		int err = decode(blob, cut, &code);

		if (cut < size) {
			assert_int_equal(err, -EBADMSG);
			assert_int_equal(code, DIAG_LAYOUT_DAMAGED);
		}
	}
	assert_int_equal(decode(blob, full, &code), 0);
	free(blob);
	free(bare);
}

static void test_versions(void **state)
{
	unsigned char *blob;
	enum diag_code code;
	size_t size;

	assert_int_equal(layout_encode(&sample, (void **)&blob, &size), 0);
	blob[4] = 5;
	assert_int_equal(decode(blob, size, &code), -EBADMSG);
	assert_int_equal(code, DIAG_LAYOUT_NEWER);
	blob[4] = 1; /* says no more */
	assert_int_equal(decode(blob, size, &code), 0);
	blob[0]++;
	assert_int_equal(decode(blob, size, &code), -EBADMSG);
	assert_int_equal(code, DIAG_LAYOUT_DAMAGED);
	free(blob);
}

/* A reader that takes each name as there says that it is too old. */
static void test_version_of_missing_name(void **state)
{
	struct field field = {
		.name = "c", .kind = FIELD_COMM, .format = FORMAT_TEXT, .size = KTAP_COMM_LEN,
		.fault = 3,
	};
	struct layout layout = {
		.fields = &field, .nr_fields = 1, .fixed_size = 17,
		.faults_offset = 16, .faults_size = 1,
	};
	unsigned char *blob;
	size_t size;

	assert_int_equal(layout_encode(&layout, (void **)&blob, &size), 0);
	assert_int_equal(blob[4], 4);
	free(blob);
	field.fault = FIELD_NO_FAULT;
	assert_int_equal(layout_encode(&layout, (void **)&blob, &size), 0);
	assert_int_equal(blob[4], 2);
	free(blob);
}

/* A reader that does not know control groups says that it is too old. */
static void test_version_of_cgroup(void **state)
{
	struct field field = {
		.name = "c", .kind = FIELD_INT, .format = FORMAT_CGROUP, .size = 8,
		.fault = FIELD_NO_FAULT,
	};
	struct layout layout = { .fields = &field, .nr_fields = 1, .fixed_size = 8 };
	unsigned char *blob;
	size_t size;

	assert_int_equal(layout_encode(&layout, (void **)&blob, &size), 0);
	assert_int_equal(blob[4], 3);
	free(blob);
	field.format = FORMAT_UNSIGNED;
	assert_int_equal(layout_encode(&layout, (void **)&blob, &size), 0);
	assert_int_equal(blob[4], 2);
	free(blob);
}

/* What a later version adds is skipped; what is known is said once. */
static void test_unknown_and_repeated(void **state)
{
	static const unsigned char unknown[] = {
		0x34, 0x12, 0, 0, 3, 0, 0, 0, 'x', 'y', 'z',
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	static const unsigned char repeated[] = {
		2, 0, 0, 0, 1, 0, 0, 0, 'f',
	};
	unsigned char *blob;
	enum diag_code code;
	size_t size;

	assert_int_equal(layout_encode(&sample, (void **)&blob, &size), 0);
	blob = realloc(blob, size + sizeof(unknown));
	memcpy(blob + size, unknown, sizeof(unknown));
	assert_int_equal(decode(blob, size + sizeof(unknown), &code), 0);
	memcpy(blob + size, repeated, sizeof(repeated));
	assert_int_equal(decode(blob, size + sizeof(repeated), &code),
			 -EBADMSG);
	/* an item that claims to be longer than what there is */
	memcpy(blob + size, unknown, sizeof(unknown));
	blob[size + 4] = 0xff;
	assert_int_equal(decode(blob, size + sizeof(unknown), &code),
			 -EBADMSG);
	free(blob);
}

/* Whatever is accepted can be encoded again and is then the same. */
static void test_damaged(void **state)
{
	unsigned int seed = 5, i, edits;
	unsigned char *blob;
	size_t size;

	assert_int_equal(layout_encode(&sample, (void **)&blob, &size), 0);
	for (i = 0; i < 20000; i++) {
		unsigned char *copy = malloc(size);
		struct layout *layout = NULL;

		memcpy(copy, blob, size);
		for (edits = 1 + random_next(&seed) % 3; edits; edits--)
			copy[random_next(&seed) % size] = random_next(&seed);
		if (!layout_decode(copy, size, NULL, &layout))
			check_round(layout);
		layout_free(layout);
		free(copy);
	}
	free(blob);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round),
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_round_of_any),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_holes),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_bad_records),
		cmocka_unit_test(test_bad_fields),
		cmocka_unit_test(test_bad_texts),
		cmocka_unit_test(test_too_many_fields),
		cmocka_unit_test(test_too_many_elements),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_version_of_cgroup),
		cmocka_unit_test(test_version_of_missing_name),
		cmocka_unit_test(test_unknown_and_repeated),
		cmocka_unit_test(test_damaged),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
