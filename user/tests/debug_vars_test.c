// SPDX-License-Identifier: GPL-2.0
/*
 * Names in the functions of programs that compilers have just made: what they
 * become, in the words of fetch arguments, or why they are refused. What is right
 * stands in dwarf/vars.c and in the documents of the calling conventions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <dwarf.h>

#include "base/array.h"
#include "bind/where.h"
#include "define/debug.h"
#include "dwarf/var.h"

#define SOURCE "user/tests/dwarf/vars.c"
#define FLAGS " -g -ffreestanding -nostdlib -static "

static char dir[32];

static int setup(void **state)
{
	snprintf(dir, sizeof(dir), "/tmp/ktap-vars.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	char command[100];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

/* The program that @compiler makes, with its flags; malloc'ed. */
static char *build(const char *compiler)
{
	char *path, *line;

	assert_true(asprintf(&path, "%s/vars", dir) > 0);
	assert_true(asprintf(&line, "%s" FLAGS "-o %s " SOURCE " 2>/dev/null",
			     compiler, path) > 0);
	if (system(line)) {
		print_message("# no compiler: %s\n", compiler);
		free(path);
		free(line);
		skip();
	}
	free(line);
	return path;
}

/* What the first argument of @text became; or "!" and the error. */
static char *meant(const char *file, const char *text)
{
	struct definition *def = NULL;
	struct buf b = BUF_INIT;
	struct definer df;
	struct diag d = {};

	definer_init(&df, NULL, 0, NULL, NULL, NULL);
	df.dry = true;
	df.file = file;
	if (define_compile(&df, text, &d, &def))
		buf_printf(&b, "!%s", d.message);
	else if (def->terms->args[0].term->kind == TERM_ARG)
		buf_printf(&b, "$arg%d", (int)def->terms->args[0].term->value);
	else
		term_put(&b, def->terms->args[0].term);
	diag_clear(&d);
	definition_free(def);
	definer_deinit(&df);
	return buf_take(&b);
}

static int find_last(void *ctx, const struct debug_var *var)
{
	Dwarf_Die die = var->die;
	const char *name = dwarf_diename(&die);

	if (!name || strcmp(name, "n"))
		return 0;
	*(struct debug_var *)ctx = *var;
	return 1;
}

/* Where 'ktap vars' says that the parameter n is at the return. */
static char *shown(const char *file, const char *function)
{
	struct definition *def = NULL;
	struct debug_var var;
	struct where where;
	struct definer df;
	struct diag d = {};

	definer_init(&df, NULL, 0, NULL, NULL, NULL);
	df.dry = true;
	df.file = file;
	if (define_place(&df, function, &d, &def) ||
	    define_must_site(&df, def, &d))
		fail_msg("%s: %s", function, d.message);
	assert_true(debug_vars(def->site->dbg, &def->site->func,
			       def->site->address, false, find_last, &var));
	assert_int_equal(where_find(def->site, arch_find(def->arch), &var, true,
				    &where), 0);
	definition_free(def);
	definer_deinit(&df);
	return where.text;
}

struct row {
	const char *text;
	const char *wanted;	/* a term; or "!", and a part of the message */
};

/* NULL is any term. */
static bool is_wanted(const char *text, const char *wanted)
{
	if (!wanted)
		return *text != '!';
	if (*wanted == '!')
		return *text == '!' && strstr(text, wanted + 1);
	return !strcmp(text, wanted);
}

static void check_rows(const char *compiler, const struct row *rows, size_t nr)
{
	_cleanup_free_ char *path = build(compiler);

	for (size_t i = 0; i < nr; i++) {
		_cleanup_free_ char *text = meant(path, rows[i].text);

		assert_non_null(text);
		if (!is_wanted(text, rows[i].wanted))
			fail_msg("%s: %s: %s", compiler, rows[i].text, text);
	}
}

/* A variable that C++ would call by that name has no members that can be meant. */
static void test_this(void **state)
{
	static const struct row rows[] = {
		{ "counts nosuch", "!no variable 'nosuch'" },
		{ "counts this", "-u4(%bp)" },
		{ "counts global", NULL },
	};

	check_rows("gcc -O0", rows, ARRAY_SIZE(rows));
}

/* A pointer that is nowhere is its target, as an array is, too. */
static void test_nowhere(void **state)
{
	static const struct row rows[] = {
		{ "inner p->b", NULL },
		{ "inner q=p[0].b", NULL },
		{ "inner q=p[1].b", "!the pointer 'p' itself is nowhere" },
	};

	check_rows("gcc -m64 -O2", rows, ARRAY_SIZE(rows));
}

/* A symbol that is data does not hide the inlined function of that name. */
static void test_named_twice(void **state)
{
	static const struct row rows[] = {
		{ "named_twice n", NULL },
		{ "global n", "!'global' is data" },
	};

	check_rows("gcc -O2", rows, ARRAY_SIZE(rows));
}

/* Which $argN the parameter n is; 0: that is not known. */
struct place_row {
	const char *function;
	unsigned int x86_64;
	unsigned int arm64;
};

static const struct place_row places[] = {
	{ "one", 1, 1 }, { "pair", 1, 1 }, { "mixed", 3, 4 }, { "near", 2, 2 },
	{ "large", 1, 1 }, { "five", 1, 2 }, { "uneven", 1, 3 },
	{ "array", 1, 1 }, { "either", 1, 2 }, { "bits", 2, 3 },
	{ "real", 1, 1 }, { "first", 1, 1 }, { "behind", 13, 10 },
	{ "many", 11, 11 }, { "few", 11, 15 }, { "vector", 0, 0 },
	{ "complex", 0, 0 }, { "give_large", 3, 2 }, { "give_uneven", 2, 2 },
	{ "give_real", 2, 2 },
};

static void check_places(const char *compiler, bool is_arm64)
{
	char texts[ARRAY_SIZE(places)][32], wanted[ARRAY_SIZE(places)][32];
	struct row rows[ARRAY_SIZE(places)];

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const struct place_row *row = &places[i];
		unsigned int nr = is_arm64 ? row->arm64 : row->x86_64;

		snprintf(texts[i], sizeof(texts[i]), "%s%%return n",
			 row->function);
		snprintf(wanted[i], sizeof(wanted[i]),
			 nr ? "$arg%u" : "!is not known", nr);
		rows[i] = (struct row){ texts[i], wanted[i] };
	}
	check_rows(compiler, rows, ARRAY_SIZE(rows));
}

static void check_shown(const char *compiler, bool is_arm64)
{
	_cleanup_free_ char *path = build(compiler);

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const struct place_row *row = &places[i];
		unsigned int nr = is_arm64 ? row->arm64 : row->x86_64;
		_cleanup_free_ char *text = shown(path, row->function);
		char wanted[32] = "it is not passed as one number";

		if (nr)
			snprintf(wanted, sizeof(wanted), "$entry($arg%u)", nr);
		assert_string_equal(text, wanted);
	}
}

static void test_shown_x86_64(void **state)
{
	check_shown("gcc -m64 -O0", false);
}

static void test_shown_arm64(void **state)
{
	check_shown("aarch64-linux-gnu-gcc -O0", true);
}

static void test_places_x86_64(void **state)
{
	check_places("gcc -m64 -O0", false);
}

static void test_places_arm64(void **state)
{
	check_places("aarch64-linux-gnu-gcc -O0", true);
}

static void test_returns_x86_64(void **state)
{
	static const struct row rows[] = {
		{ "give_large%return $retval", NULL },
		{ "give_uneven%return $retval", "!in a vector register" },
		{ "give_real%return $retval", "!in a register" },
	};

	check_rows("gcc -m64 -O0", rows, ARRAY_SIZE(rows));
}

static void test_returns_arm64(void **state)
{
	static const struct row rows[] = {
		{ "give_large%return $retval", "!in a vector register" },
		{ "give_uneven%return $retval", NULL },
		{ "give_real%return $retval", "!in a vector register" },
	};

	check_rows("aarch64-linux-gnu-gcc -O0", rows, ARRAY_SIZE(rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_this),
		cmocka_unit_test(test_nowhere),
		cmocka_unit_test(test_named_twice),
		cmocka_unit_test(test_places_x86_64),
		cmocka_unit_test(test_places_arm64),
		cmocka_unit_test(test_shown_x86_64),
		cmocka_unit_test(test_shown_arm64),
		cmocka_unit_test(test_returns_x86_64),
		cmocka_unit_test(test_returns_arm64),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
