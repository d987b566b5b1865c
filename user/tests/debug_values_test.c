// SPDX-License-Identifier: GPL-2.0
/*
 * Values of C++ and Rust for which C and BTF have no words, from the bytes of
 * programs that compilers have just made: shown as they are, or marked. What is
 * right stands in their sources, dwarf/values.cc and dwarf/values.rs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <cmocka.h>

#include "arch/arch.h"
#include "base/array.h"
#include "bind/loc/loc.h"
#include "dwarf/var.h"
#include "export/line.h"
#include "tests/elf_files.h"
#include "tests/type_table.h"
#include "types/table.h"

#define SRC "user/tests/dwarf/"

static char dir[32];

static int setup(void **state)
{
	strcpy(dir, "/tmp/ktap-values.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	char command[100];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

/* The program @name, made by @command. */
static struct debug *build(const char *command, const char *name)
{
	char *line = NULL;
	int status;

	assert_true(asprintf(&line, "%s -o %s/%s " SRC "%s 2>/dev/null", command,
			     dir, name, name) > 0);
	status = system(line);
	/* skip() does not come back */
	free(line);
	if (status) {
		print_message("# no compiler: %s\n", command);
		skip();
	}
	return elf_file_debug(dir, name);
}

/* ---- values ---------------------------------------------------------------------------- */

/* What the file has at an address. */
static void read_at(struct debug *dbg, uint64_t address, void *to, size_t size)
{
	struct debug_section section;

	for (size_t i = 0; debug_section_at(dbg, i, &section); i++) {
		Elf_Data *data;

		if (!section.is_loaded || address < section.start ||
		    address - section.start + size > section.size)
			continue;
		data = elf_rawdata(section.scn, NULL);
		assert_non_null(data);
		if (data->d_buf)
			memcpy(to, (char *)data->d_buf + address - section.start,
			       size);
		return;
	}
	fail_msg("nothing at 0x%lx", address);
}

static char *shown(const struct ctype *type, const void *bytes)
{
	struct field f = {
		.name = (char *)"x", .kind = FIELD_STRUCT, .format = FORMAT_TYPE,
	};
	struct value v = {
		.field = &f, .text = bytes, .length = type->size,
	};
	const struct look look = { .depth = TYPED_DEPTH };
	struct buf b = BUF_INIT;
	struct btf *types = type_table(type->btf, type->id, &f.type);

	typed_text(&b, types, &v, &look);
	btf__free(types);
	return buf_take(&b);
}

/* A global variable */
static struct ctype find_type(struct debug *dbg, const char *name)
{
	struct debug_func func = {};
	struct debug_funcs funcs;
	struct debug_var var;

	assert_int_equal(debug_find(dbg, "main", NULL, 0, NULL, &funcs), 0);
	for (size_t i = 0; i < funcs.nr; i++) {
		func = funcs.func[i];
		if (debug_find_var(dbg, &func, func.entry, name, &var)) {
			debug_funcs_deinit(&funcs);
			return debug_type_of(debug_types(dbg), &var.die);
		}
	}
	fail_msg("no variable %s", name);
	return (struct ctype){};
}

struct row {
	const char *name;
	const char *text;
};

static void check_rows(struct debug *dbg, const struct row *rows, size_t nr)
{
	char bytes[256];
	uint64_t address;

	for (size_t i = 0; i < nr; i++) {
		_cleanup_free_ char *text = NULL;
		struct ctype type = find_type(dbg, rows[i].name);

		assert_in_range(type.size, 1, sizeof(bytes));
		assert_true(debug_symbol(dbg, rows[i].name, &address));
		memset(bytes, 0, sizeof(bytes));
		read_at(dbg, address, bytes, type.size);
		text = shown(&type, bytes);
		if (strcmp(text, rows[i].text))
			fail_msg("%s: %s, not %s", rows[i].name, text,
				 rows[i].text);
	}
}

static void test_rust(void **state)
{
	static const struct row rows[] = {
		{ "UNIT", "{.Unit = {}}" },
		{ "CIRCLE", "{.Circle = {.__0 = 1.5}}" },
		{ "RECT", "{.Rect = {.w = 3, .h = 4}}" },
		{ "TAIL", "{.Tail = {.__0 = {.Some = {.__0 = 7}}}}" },
		{ "NO_TAIL", "{.Tail = {.__0 = {.None = {}}}}" },
		{ "NICHE", "{.None = {}}" },
		{ "FLAG", "{.Some = {.__0 = true}}" },
		{ "LARGE", "{.Some = {.__0 = 9223372036854775808}}" },
		/* which one it is was not written down: there is but one */
		{ "ALONE", "{...}" },
		{ "SIGNED", "{.Some = {.__0 = -5}}" },
	};
	struct debug *dbg = build("rustc -g", "values.rs");

	check_rows(dbg, rows, ARRAY_SIZE(rows));
	debug_free(dbg);
}

/* A number that no variant has: nothing is guessed. */
static void test_no_variant(void **state)
{
	struct debug *dbg = build("rustc -g", "values.rs");
	struct ctype type = find_type(dbg, "SIGNED");
	uint32_t bytes[2] = { 77, 5 };
	char *text = shown(&type, bytes);

	assert_string_equal(text, "{...}");
	free(text);
	debug_free(dbg);
}

static void test_cxx(void **state)
{
	static const struct row rows[] = {
		{ "simple", "0.1" },
		{ "narrow", "0.1" },
		{ "few", "{0.1, -0, 1e+4932, inf}" },
		{ "reals", "{.first = 1, .real = 3.1415926535897932385, .quad = -1.5}" },
		{ "open", "{.count = 2, .tail = {...}}" },
		{ "pair", "{...}" },
	};
	struct debug *dbg = build("g++ -g -O0 -no-pie", "values.cc");
	struct ctype type = find_type(dbg, "inherits");
	char bytes[64] = {};
	char *text;

	check_rows(dbg, rows, ARRAY_SIZE(rows));
	/* the first member is the compiler's own */
	text = shown(&type, bytes);
	assert_non_null(strstr(text, ".near_one = 0, ...}"));
	free(text);
	debug_free(dbg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rust),
		cmocka_unit_test(test_no_variant),
		cmocka_unit_test(test_cxx),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
