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

#include "base/array.h"
#include "bind/where.h"
#include "define/define.h"

#define SOURCE "user/tests/dwarf/vars.c"
#define FLAGS " -g -ffreestanding -nostdlib -static "

static char dir[32];

static int setup(void **state)
{
	strcpy(dir, "/tmp/ktap-vars.XXXXXX");
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
	else
		term_put(&b, def->terms->args[0].term);
	diag_clear(&d);
	definition_free(def);
	definer_deinit(&df);
	return buf_take(&b);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_this),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
