// SPDX-License-Identifier: GPL-2.0
/* Lines to look at, and what debug information says of this very program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/array.h"
#include "caret.h"
#include "dwarf/debug.h"
#include "dwarf/inlines.h"
#include "dwarf/line.h"
#include "dwarf/source.h"
#include "dwarf/var.h"
#include "spec/spec.h"

#define SELF "/proc/self/exe"

/* ---- the language ------------------------------------------------------------------- */

static void test_ranges(void **state)
{
	static const struct {
		const char *text;
		const char *symbol;
		const char *source;
		unsigned int first;
		unsigned int last;
	} rows[] = {
		{ "f", "f", NULL, 0, UINT_MAX },
		{ "f:3", "f", NULL, 3, UINT_MAX },
		{ "f:3-5", "f", NULL, 3, 5 },
		{ "f:3+2", "f", NULL, 3, 4 },
		{ "f:0-0", "f", NULL, 0, 0 },
		{ "f@a/b.c", "f", "a/b.c", 0, UINT_MAX },
		{ "f@b.c:7+1", "f", "b.c", 7, 7 },
		{ "f:7-9@b.c", "f", "b.c", 7, 9 },
		{ "f.isra.0", "f.isra.0", NULL, 0, UINT_MAX },
		{ "b.c", NULL, "b.c", 0, UINT_MAX },
		{ "a/b:12", NULL, "a/b", 12, UINT_MAX },
		{ "b.h:12-14", NULL, "b.h", 12, 14 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct line_range range;
		struct probe_spec *spec;
		struct diag d = {};

		assert_int_equal(spec_parse_lines(rows[i].text, "/bin/x", &d,
						  &spec, &range), 0);
		assert_int_equal(range.first, rows[i].first);
		assert_int_equal(range.last, rows[i].last);
		assert_int_equal(spec->place.kind, rows[i].symbol ?
				 PLACE_SYMBOL : PLACE_SOURCE);
		assert_string_equal(spec->place.file, "/bin/x");
		if (rows[i].symbol)
			assert_string_equal(spec->place.symbol, rows[i].symbol);
		if (rows[i].source)
			assert_string_equal(spec->place.source, rows[i].source);
		else
			assert_null(spec->place.source);
		spec_free(spec);
	}
}

static void test_bad_ranges(void **state)
{
	static const struct {
		const char *marked;
		enum diag_code code;
	} rows[] = {
		{ "^", DIAG_SPEC_BAD_PLACE },
		{ "^f+8", DIAG_SPEC_BAD_PLACE },
		{ "^f:x", DIAG_SPEC_BAD_PLACE },
		{ "^f@", DIAG_SPEC_BAD_PLACE },
		{ "^f%return", DIAG_SPEC_BAD_PLACE },
		{ "f:^3-2", DIAG_SPEC_BAD_LINE },
		{ "f:^3-", DIAG_SPEC_BAD_LINE },
		{ "f:^3+0", DIAG_SPEC_BAD_LINE },
		{ "f:^3x", DIAG_SPEC_BAD_LINE },
		{ "f:^99999999999", DIAG_SPEC_BAD_LINE },
		{ "b.c:^1-99999999999", DIAG_SPEC_BAD_LINE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct line_range range;
		struct probe_spec *spec;
		struct diag d = {};
		struct caret c;

		assert_true(caret_init(&c, rows[i].marked));
		assert_int_equal(spec_parse_lines(c.text, NULL, &d, &spec,
						  &range), -EINVAL);
		assert_int_equal(d.code, rows[i].code);
		assert_int_equal(d.column, c.column);
		assert_non_null(d.hint);
		diag_clear(&d);
	}
}

/* ---- this program ------------------------------------------------------------------- */

typedef int (*callback)(const char *text);

struct thing {
	char letter;
};

static volatile int sink;

static inline __attribute__((always_inline)) void inlined(int number)
{
	sink = number;
}

__attribute__((noinline)) void
lines_test_work(struct thing *thing, const char *const *names, callback fn,
		char (*rows)[4][5], void (*plain)(void), volatile int *number);

enum { CALL_LINE = __LINE__ + 6 };

void lines_test_work(struct thing *thing, const char *const *names, callback fn,
		     char (*rows)[4][5], void (*plain)(void),
		     volatile int *number)
{
	inlined(*number + thing->letter);
	sink = fn(names[0]) + (*rows)[0][0];
	plain();
}

static int setup(void **state)
{
	struct debug *dbg = NULL;
	struct diag d = {};

	if (debug_open(SELF, &d, &dbg))
		return -1;
	*state = dbg;
	return 0;
}

static int teardown(void **state)
{
	debug_free(*state);
	return 0;
}

static struct debug_func find_one(struct debug *dbg, const char *name)
{
	struct debug_funcs funcs;
	struct debug_func func;
	struct diag d = {};

	assert_int_equal(debug_find(dbg, name, NULL, 0, &d, &funcs), 0);
	assert_int_equal(funcs.nr, 1);
	func = funcs.func[0];
	debug_funcs_deinit(&funcs);
	return func;
}

static void test_chain(void **state)
{
	struct debug_func func = find_one(*state, "inlined");
	struct debug_chain chain;
	struct diag d = {};

	assert_true(func.is_inlined);
	assert_int_equal(debug_chain(*state, &func, &d, &chain), 0);
	assert_int_equal(chain.nr, 2);
	assert_string_equal(chain.call[0].name, "inlined");
	assert_int_equal(chain.call[0].line, CALL_LINE);
	assert_true(debug_ends_with(chain.call[0].file, "lines_test.c"));
	assert_string_equal(chain.call[1].name, "lines_test_work");
	assert_null(chain.call[1].file);
	debug_chain_deinit(&chain);
}

static void check_decl(struct debug *dbg, const char *name,
		       const char *wanted, const char *type)
{
	_cleanup_buf_ struct buf decl = BUF_INIT, bare = BUF_INIT;
	struct debug_func func = find_one(dbg, "lines_test_work");
	struct debug_var var;

	assert_true(debug_find_var(dbg, &func, func.entry, name, &var));
	debug_put_decl(&var.die, true, &decl);
	debug_put_decl(&var.die, false, &bare);
	assert_string_equal(buf_str(&decl), wanted);
	assert_string_equal(buf_str(&bare), type);
}

static void test_declarations(void **state)
{
	check_decl(*state, "thing", "struct thing *thing", "struct thing *");
	check_decl(*state, "names", "const char *const *names",
		   "const char *const *");
	check_decl(*state, "fn", "callback fn", "callback");
	check_decl(*state, "rows", "char (*rows)[4][5]", "char (*)[4][5]");
	check_decl(*state, "plain", "void (*plain)(void)", "void (*)(void)");
	check_decl(*state, "number", "volatile int *number",
		   "volatile int *");
	check_decl(*state, "sink", "volatile int sink", "volatile int");
}

/* Only what is written in it, from where it is declared to the next one. */
static void test_rows(void **state)
{
	struct debug_func func = find_one(*state, "lines_test_work");
	struct debug_rows rows;
	bool seen = false;
	struct diag d = {};

	assert_int_equal(debug_func_rows(*state, &func, &d, &rows), 0);
	for (size_t i = 0; i < rows.nr; i++) {
		seen |= rows.row[i].line == CALL_LINE;
		assert_in_range(rows.row[i].line, CALL_LINE - 4,
				CALL_LINE + 3);
	}
	assert_true(seen);
	debug_rows_deinit(&rows);
}

static void test_inlines(void **state)
{
	struct debug_inlines all;
	struct diag d = {};

	assert_int_equal(debug_inlines(*state, "inline[d]", NULL, NULL, &d,
				       &all), 0);
	assert_int_equal(all.nr, 1);
	assert_string_equal(all.item[0].name, "inlined");
	assert_int_equal(all.item[0].copies, 1);
	assert_false(all.item[0].has_code);
	debug_inlines_deinit(&all);
}

static void test_suggestions(void **state)
{
	struct suggest s;

	suggest_init(&s, "lines_test_wrk", strlen("lines_test_wrk"));
	debug_suggest_function(*state, NULL, &s);
	assert_int_equal(s.nr, 1);
	assert_string_equal(s.names[0], "lines_test_work");
	suggest_init(&s, "lines_test_wrk", strlen("lines_test_wrk"));
	debug_suggest_function(*state, "other.c", &s);
	assert_int_equal(s.nr, 0);
	suggest_init(&s, "lins_test.c", strlen("lins_test.c"));
	debug_suggest_file(*state, &s);
	assert_int_equal(s.nr, 1);
	assert_string_equal(s.names[0], "lines_test.c");
}

static void check_source(struct debug *dbg, const char *file,
			 const char *where, int err)
{
	struct source *source = NULL;
	struct diag d = {};
	size_t length;

	assert_int_equal(source_open(dbg, file, where, &d, &source), err);
	if (err) {
		assert_int_equal(d.code, DIAG_DEBUG_SOURCE);
	} else {
		assert_memory_equal(source_line(source, 2, &length), "two", 3);
		assert_int_equal(length, 3);
		assert_null(source_line(source, 3, &length));
	}
	source_free(source);
	diag_clear(&d);
}

static void test_source(void **state)
{
	char dir[] = "/tmp/ktap-lines.XXXXXX", path[64], map[64];
	FILE *f;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a.c", dir);
	snprintf(map, sizeof(map), "/away/sub=%s", dir);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("one\ntwo\n", f);
	fclose(f);
	check_source(*state, path, NULL, 0);
	check_source(*state, "/away/sub/a.c", dir, 0);
	check_source(*state, "/away/sub/a.c", map, 0);
	check_source(*state, "/away/sub/a.c", NULL, -ENOENT);
	check_source(*state, "/other/sub/a.c", map, -ENOENT);
	unlink(path);
	rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_bad_ranges),
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_declarations),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_inlines),
		cmocka_unit_test(test_suggestions),
		cmocka_unit_test(test_source),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
