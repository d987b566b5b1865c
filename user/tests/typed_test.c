// SPDX-License-Identifier: GPL-2.0
/*
 * Type tables and values that have a type: what becomes of damaged tables, and
 * what gdb has no word for. typed_gdb_test.c compares the rest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>
#include <cmocka.h>
#include <stdbool.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "export/line.h"
#include "tests/btf_made.h"
#include "tests/type_table.h"
#include "types/table.h"

static struct btf *made;

static int setup(void **state)
{
	made = btf_made();
	return 0;
}

static int teardown(void **state)
{
	btf__free(made);
	return 0;
}

static int kind_id(const char *name, unsigned int kind)
{
	int id = btf__find_by_name_kind(made, name, kind);

	assert_true(id > 0);
	return id;
}

/* ---- tables ------------------------------------------------------------------------ */

static unsigned int count(const struct btf *btf, unsigned int kind,
			  const char *name)
{
	unsigned int nr = 0;
	uint32_t id;

	for (id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);

		nr += btf_kind(t) == kind &&
		      !strcmp(btf__name_by_offset(btf, t->name_off), name);
	}
	return nr;
}

static void test_cut_at_pointers(void **state)
{
	struct btf *table;
	uint32_t id;

	table = type_table(made, kind_id("file", BTF_KIND_STRUCT), &id);
	assert_int_equal(count(table, BTF_KIND_STRUCT, "file"), 1);
	assert_int_equal(count(table, BTF_KIND_STRUCT, "qstr"), 1);
	assert_int_equal(count(table, BTF_KIND_STRUCT, "dentry"), 0);
	assert_int_equal(count(table, BTF_KIND_FWD, "dentry"), 1);
	assert_int_equal(count(table, BTF_KIND_FWD, "opaque"), 1);
	assert_int_equal(count(table, BTF_KIND_STRUCT, "inode"), 0);
	assert_int_equal(count(table, BTF_KIND_TYPEDEF, "loff_t"), 1);
	assert_int_equal(count(table, BTF_KIND_FUNC_PROTO, ""), 1);
	assert_int_equal(count(table, BTF_KIND_ENUM, "kind"), 1);
	btf__free(table);
}

static void test_copied_once(void **state)
{
	struct typetab tab = {};
	uint32_t a, b, nr;

	assert_int_equal(typetab_add(&tab, made,
				     kind_id("dentry", BTF_KIND_STRUCT), &a), 0);
	nr = btf__type_cnt(tab.btf);
	assert_int_equal(typetab_add(&tab, made,
				     kind_id("dentry", BTF_KIND_STRUCT), &b), 0);
	assert_int_equal(a, b);
	assert_int_equal(typetab_add(&tab, made,
				     kind_id("qstr", BTF_KIND_STRUCT), &b), 0);
	assert_int_equal(btf__type_cnt(tab.btf), nr);
	typetab_deinit(&tab);
	btf__free(tab.btf);
}

static void drop(const struct value *v, const struct btf *table)
{
	_cleanup_buf_ struct buf text = BUF_INIT, more = BUF_INIT;
	const struct look look = { .depth = 100 };
	struct json j;

	typed_text(&text, table, v, &look);
	json_init(&j, &more);
	typed_json(&j, table, v, &look);
}

/* Whatever a table says, showing any bytes with it ends, and is inside of them. */
static void show_all(const struct btf *table)
{
	struct field f = {
		.name = (char *)"x", .kind = FIELD_STRUCT, .format = FORMAT_TYPE,
	};
	char *bytes = malloc(64);
	struct value v = { .field = &f, .text = bytes, .length = 64 };

	memset(bytes, 0xa5, 64);
	for (f.type = 1; f.type < btf__type_cnt(table); f.type++)
		drop(&v, table);
	free(bytes);
}

/* Every byte of a good one, with every bit and more changed. */
static void test_damaged_tables(void **state)
{
	unsigned int good = 0, i, k;
	struct btf *table;
	const void *data;
	uint32_t size, id;
	char *copy;

	table = type_table(made, kind_id("file", BTF_KIND_STRUCT), &id);
	data = btf__raw_data(table, &size);
	for (i = 0; i < size; i++) {
		for (k = 0; k < 10; k++) {
			struct btf *read = NULL;

			copy = malloc(size);
			memcpy(copy, data, size);
			copy[i] ^= k < 8 ? 1 << k : k == 8 ? 0xff : 0x55;
			if (!typetab_read(copy, size, "", &read)) {
				show_all(read);
				btf__free(read);
				good++;
			}
			free(copy);
		}
	}
	/* names and offsets can be others */
	assert_in_range(good, 1, size * 10 - 1);
	btf__free(table);
}

static void test_cut_tables(void **state)
{
	struct btf *table, *read = NULL;
	const void *data;
	uint32_t size, id, i;

	table = type_table(made, kind_id("file", BTF_KIND_STRUCT), &id);
	data = btf__raw_data(table, &size);
	for (i = 0; i < size; i++) {
		void *copy = malloc(i + 1);

		memcpy(copy, data, i);
		assert_non_null(typetab_read(copy, i, "", &read));
		free(copy);
	}
	assert_null(typetab_read(data, size, "", &read));
	btf__free(read);
	btf__free(table);
}

static void refused(struct btf *btf)
{
	struct btf *read = NULL;
	const void *data;
	uint32_t size;

	data = btf__raw_data(btf, &size);
	assert_string_equal(typetab_read(data, size, "", &read),
			    "its types are damaged");
	btf__free(btf);
}

static void test_hostile_tables(void **state)
{
	struct btf *b = btf__new_empty();
	int i, id;

	/* a structure inside of itself */
	btf__add_struct(b, "s", 8);
	btf__add_field(b, "s", 1, 0, 0);
	refused(b);
	/* a typedef of one that follows */
	b = btf__new_empty();
	btf__add_typedef(b, "t", 2);
	btf__add_int(b, "int", 4, 0);
	refused(b);
	/* a member behind the end */
	b = btf__new_empty();
	btf__add_int(b, "int", 4, 0);
	btf__add_struct(b, "s", 4);
	btf__add_field(b, "m", 1, 8, 0);
	refused(b);
	/* more than there can be */
	b = btf__new_empty();
	id = btf__add_int(b, "int", 4, 0);
	btf__add_array(b, 0, id, 0x7fffffff);
	refused(b);
	/* a height without end */
	b = btf__new_empty();
	id = btf__add_int(b, "int", 4, 0);
	for (i = 0; i < TYPETAB_HEIGHT_MAX; i++)
		id = btf__add_array(b, 0, id, 1);
	refused(b);
	/* kinds that no value has */
	b = btf__new_empty();
	btf__add_func_proto(b, 0);
	btf__add_func(b, "f", BTF_FUNC_STATIC, 1);
	refused(b);
	/* a name that steers the terminal */
	b = btf__new_empty();
	btf__add_int(b, "i\033[2J", 4, 0);
	refused(b);
}

/* ---- values ------------------------------------------------------------------------ */

static struct look look = { .depth = TYPED_DEPTH };

/* What of the bytes is unknown */
static struct typed_hole *holes;
static size_t nr_holes;

static void show(const struct btf *table, uint32_t type, const void *bytes,
		 size_t size, const char *text, const char *json)
{
	struct field f = {
		.name = (char *)"x", .kind = FIELD_STRUCT, .format = FORMAT_TYPE,
		.type = type, .size = size,
		.holes = holes, .nr_holes = nr_holes,
	};
	struct value v = { .field = &f, .text = bytes, .length = size };
	_cleanup_buf_ struct buf a = BUF_INIT, b = BUF_INIT;
	struct json j;

	typed_text(&a, table, &v, &look);
	json_init(&j, &b);
	typed_json(&j, table, &v, &look);
	if (text)
		assert_string_equal(buf_str(&a), text);
	if (json)
		assert_string_equal(buf_str(&b), json);
}

struct outer {
	int n;
	struct {
		int a;
		struct {
			int b;
		} deep;
	} mid;
	char name[8];
	bool yes;
	char c;
};

static struct btf *outer_table(uint32_t *id)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int ch = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	int boolean = btf__add_int(b, "_Bool", 1, BTF_INT_BOOL);
	int name = btf__add_array(b, 0, ch, 8), deep, mid;

	deep = btf__add_struct(b, "deep", 4);
	btf__add_field(b, "b", i32, 0, 0);
	mid = btf__add_struct(b, "mid", 8);
	btf__add_field(b, "a", i32, 0, 0);
	btf__add_field(b, "deep", deep, 32, 0);
	*id = btf__add_struct(b, "outer", sizeof(struct outer));
	btf__add_field(b, "n", i32, 0, 0);
	btf__add_field(b, "mid", mid, 32, 0);
	btf__add_field(b, "name", name, 96, 0);
	btf__add_field(b, "yes", boolean, 160, 0);
	btf__add_field(b, "c", ch, 168, 0);
	return b;
}

static const struct outer outer = { -1, { 2, { 3 } }, "hello", true, '\n' };

static void test_depth(void **state)
{
	uint32_t id;
	struct btf *b = outer_table(&id);

	show(b, id, &outer, sizeof(outer),
	     "{.n = -1, .mid = {.a = 2, .deep = {...}}, .name = \"hello\", .yes = true, .c = '\\n'}",
	     "{\"n\":-1,\"mid\":{\"a\":2,\"deep\":null},\"name\":\"hello\",\"yes\":true,\"c\":\"\\n\"}");
	look.depth = 1;
	show(b, id, &outer, sizeof(outer),
	     "{.n = -1, .mid = {...}, .name = \"hello\", .yes = true, .c = '\\n'}", NULL);
	look.depth = 3;
	show(b, id, &outer, sizeof(outer),
	     "{.n = -1, .mid = {.a = 2, .deep = {.b = 3}}, .name = \"hello\", .yes = true, .c = '\\n'}", NULL);
	look.depth = TYPED_DEPTH;
	btf__free(b);
}

static void test_bytes_that_end(void **state)
{
	uint32_t id;
	struct btf *b = outer_table(&id);

	show(b, id, &outer, 14,
	     "{.n = -1, .mid = {.a = 2, .deep = {...}}, .name = \"he\"..., ...}",
	     "{\"n\":-1,\"mid\":{\"a\":2,\"deep\":null},\"name\":\"he\",\"...\":null}");
	show(b, id, &outer, 6, "{.n = -1, .mid = {...}, ...}",
	     "{\"n\":-1,\"mid\":{\"...\":null},\"...\":null}");
	show(b, id, &outer, 0, "{...}", "null");
	btf__free(b);
}

/* What has no value at the point is told apart from what was not recorded. */
static void test_holes(void **state)
{
	struct typed_hole parts[] = { { 4, 4 }, { 13, 1 } };
	struct typed_hole all[] = { { 4, 8 } };
	uint32_t id;
	struct btf *b = outer_table(&id);

	holes = parts;
	nr_holes = 2;
	show(b, id, &outer, sizeof(outer),
	     "{.n = -1, .mid = {.a = (unknown), .deep = {...}}, .name = (unknown), .yes = true, .c = '\\n'}",
	     "{\"n\":-1,\"mid\":{\"a\":null,\"deep\":null},\"name\":null,\"yes\":true,\"c\":\"\\n\"}");
	holes = all;
	nr_holes = 1;
	show(b, id, &outer, sizeof(outer),
	     "{.n = -1, .mid = (unknown), .name = \"hello\", .yes = true, .c = '\\n'}",
	     "{\"n\":-1,\"mid\":null,\"name\":\"hello\",\"yes\":true,\"c\":\"\\n\"}");
	nr_holes = 0;
	btf__free(b);
}

static void test_pretty(void **state)
{
	uint32_t id;
	struct btf *b = outer_table(&id);

	look.pretty = true;
	show(b, id, &outer, sizeof(outer),
	     "{\n\t.n = -1,\n\t.mid = {\n\t\t.a = 2,\n\t\t.deep = {...}\n\t},\n\t.name = \"hello\",\n\t.yes = true,\n\t.c = '\\n'\n}",
	     NULL);
	look.pretty = false;
	btf__free(b);
}

static void test_enumerators(void **state)
{
	static const struct {
		int64_t value;
		const char *text, *json;
	} rows[] = {
		{ 1, "A", "\"A\"" }, { 3, "AB", "\"AB\"" },
		{ 6, "B|C", "\"B|C\"" }, { 0, "0", "\"0\"" },
		{ 0x10000000004, "C|FAR", "\"C|FAR\"" },
		{ 0x21, "A|0x20", "\"A|0x20\"" }, { 0x40, "64", "\"64\"" },
	};
	struct btf *b = btf__new_empty();
	int low, counted;
	int64_t value;
	size_t i;

	assert_int_equal(btf__add_enum64(b, "flags", 8, false), 1);
	btf__add_enum64_value(b, "A", 1);
	btf__add_enum64_value(b, "B", 2);
	btf__add_enum64_value(b, "AB", 3);
	btf__add_enum64_value(b, "C", 4);
	btf__add_enum64_value(b, "FAR", 0x10000000000);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		show(b, 1, &rows[i].value, 8, rows[i].text, rows[i].json);
	low = btf__add_enum64(b, "low", 8, true);
	btf__add_enum64_value(b, "LOW", INT64_MIN);
	value = INT64_MIN;
	show(b, low, &value, 8, "LOW", "\"LOW\"");
	value = -3;
	show(b, low, &value, 8, "-3", "\"-3\"");
	/* 5 is not "ONE|FOUR" where they are just counted */
	counted = btf__add_enum(b, "counted", 4);
	btf__add_enum_value(b, "ONE", 1);
	btf__add_enum_value(b, "TWO", 2);
	btf__add_enum_value(b, "THREE", 3);
	btf__add_enum_value(b, "FOUR", 4);
	value = 5;
	show(b, counted, &value, 4, "5", "\"5\"");
	btf__free(b);
}

static void test_more_values(void **state)
{
	static const unsigned char bytes[16] = { 1, 2, [15] = 0x80 };
	struct btf *b = btf__new_empty();
	int wide = btf__add_int(b, "__int128", 16, BTF_INT_SIGNED);
	int boolean = btf__add_int(b, "_Bool", 1, BTF_INT_BOOL);
	int letter = btf__add_int(b, "unsigned char", 1, 0);
	int u8 = btf__add_typedef(b, "u8", letter);
	int numbers = btf__add_array(b, 0, u8, 3);
	int empty = btf__add_struct(b, "empty", 0);
	int locks = btf__add_array(b, 0, empty, 2);
	int real = btf__add_float(b, "double", 8);
	int pointer = btf__add_ptr(b, 0);
	int counter = btf__add_int(b, "unsigned long", 8, 0);
	uint64_t big = 9007199254740993, address = 0x81234567;
	double nan = __builtin_nan("");

	show(b, wide, bytes, 16, "0x80000000000000000000000000000201",
	     "\"0x80000000000000000000000000000201\"");
	show(b, boolean, bytes + 1, 1, "2", "null");
	show(b, pointer, &address, 8, "0x81234567", "\"0x81234567\"");
	show(b, counter, &big, 8, "9007199254740993", "9007199254740993");
	look.ints_text = true;
	show(b, counter, &big, 8, "9007199254740993", "\"9007199254740993\"");
	show(b, numbers, bytes, 1, "{1, ...}", "[1,null]");
	look.ints_text = false;
	show(b, numbers, bytes, 3, "{1, 2, 0}", "[1,2,0]");
	show(b, numbers, bytes, 2, "{1, 2, ...}", "[1,2,null]");
	show(b, locks, bytes, 1, "{{}, {}}", "[{},{}]");
	show(b, real, &nan, 8, "nan", "null");
	btf__free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut_at_pointers),
		cmocka_unit_test(test_copied_once),
		cmocka_unit_test(test_damaged_tables),
		cmocka_unit_test(test_cut_tables),
		cmocka_unit_test(test_hostile_tables),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_bytes_that_end),
		cmocka_unit_test(test_holes),
		cmocka_unit_test(test_pretty),
		cmocka_unit_test(test_enumerators),
		cmocka_unit_test(test_more_values),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
