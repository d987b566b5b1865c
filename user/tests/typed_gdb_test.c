// SPDX-License-Identifier: GPL-2.0
/*
 * Values of typed/shapes.c as we show them, and as gdb shows the same bytes. The
 * two forms are brought to one: see normal().
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "export/line.h"
#include "tests/type_table.h"
#include "types/table.h"

#define SOURCE "user/tests/typed/shapes.c"

static char *dir;
static struct btf *shapes;
static const char *missing;

/* ---- the tools --------------------------------------------------------------------- */

static int run(const char *format, ...)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, format);
	buf_vprintf(&b, format, ap);
	va_end(ap);
	return system(buf_str(&b));
}

static int setup(void **state)
{
	_cleanup_free_ char *object = NULL;

	dir = mkdtemp(strdup("/tmp/typed.XXXXXX"));
	assert_non_null(dir);
	assert_true(asprintf(&object, "%s/btf.o", dir) > 0);
	if (run("gdb --version >/dev/null 2>&1")) {
		missing = "gdb is not installed";
		return 0;
	}
	assert_int_equal(run("gcc -std=gnu11 -g -no-pie -o %s/prog " SOURCE, dir), 0);
	if (run("gcc -std=gnu11 -gbtf -c -o %s " SOURCE " 2>/dev/null", object)) {
		missing = "this gcc makes no BTF";
		return 0;
	}
	shapes = btf__parse_elf(object, NULL);
	assert_non_null(shapes);
	return 0;
}

static int teardown(void **state)
{
	int err = run("rm -rf %s", dir);

	btf__free(shapes);
	free(dir);
	return err;
}

static char *read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "r");
	char *data = calloc(1, 65536);

	assert_non_null(f);
	assert_non_null(data);
	*size = fread(data, 1, 65535, f);
	fclose(f);
	return data;
}

static bool is_variable(uint32_t id, const char **name)
{
	const struct btf_type *t = btf__type_by_id(shapes, id);

	*name = btf__name_by_offset(shapes, t->name_off);
	return btf_is_var(t);
}

/* What gdb shows of each variable, on a line; its bytes are in a file then. */
static char *by_gdb(void)
{
	static const char *const settings[] = {
		"host-charset ASCII", "target-charset ASCII",
		"print null-stop on", "print repeats unlimited",
		"print elements unlimited", "width 0",
	};
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *name;
	char path[64];
	uint32_t id;
	size_t size, i;

	for (i = 0; i < ARRAY_SIZE(settings); i++)
		buf_printf(&b, "-ex 'set %s' ", settings[i]);
	for (id = 1; id < btf__type_cnt(shapes); id++)
		if (is_variable(id, &name))
			buf_printf(&b, "-ex 'output %s' -ex 'echo \\n' -ex 'dump binary value %s/%s.bytes %s' ",
				   name, dir, name, name);
	assert_int_equal(run("gdb -nx -batch %s %s/prog >%s/gdb", buf_str(&b),
			     dir, dir), 0);
	snprintf(path, sizeof(path), "%s/gdb", dir);
	return read_file(path, &size);
}

/* ---- ours -------------------------------------------------------------------------- */

static char *by_us(const char *name, uint32_t type)
{
	struct field f = {
		.name = (char *)"x", .kind = FIELD_STRUCT, .format = FORMAT_TYPE,
	};
	struct value v = { .field = &f };
	const struct look look = { .depth = 50 };
	struct buf b = BUF_INIT;
	struct btf *types;
	char path[100], *bytes;

	types = type_table(shapes, type, &f.type);
	snprintf(path, sizeof(path), "%s/%s.bytes", dir, name);
	bytes = read_file(path, &v.length);
	v.text = bytes;
	typed_text(&b, types, &v, &look);
	btf__free(types);
	free(bytes);
	return buf_take(&b);
}

/* ---- one form ------------------------------------------------------------------------ */

/* struct words - what a value is made of: "{" "}" ".name" and values */
struct words {
	char *word[1000];
	size_t nr;
};

static void add(struct words *w, const char *text, size_t length)
{
	assert_true(w->nr < ARRAY_SIZE(w->word));
	w->word[w->nr++] = strndup(text, length);
}

static void remove_word(struct words *w, size_t i)
{
	free(w->word[i]);
	memmove(&w->word[i], &w->word[i + 1],
		(--w->nr - i) * sizeof(w->word[0]));
}

static size_t quoted(const char *s)
{
	size_t i = 1;

	while (s[i] && s[i] != *s)
		i += s[i] == '\\' ? 2 : 1;
	return i + 1;
}

/* A letter as its number. */
static void add_letter(struct words *w, const char *s)
{
	static const char escapes[] = "abtnvfr";
	const char *found;
	char text[16];
	int c = s[1];

	if (c == '\\') {
		found = strchr(escapes, s[2]);
		c = found ? "\a\b\t\n\v\f\r"[found - escapes] : s[2];
		if (isdigit((unsigned char)s[2]))
			c = strtol(s + 2, NULL, 8);
	}
	snprintf(text, sizeof(text), "%d", (signed char)c);
	add(w, text, strlen(text));
}

/* (A | B | unknown: 0x8) as A|B|0x8 */
static size_t add_flags(struct words *w, const char *s)
{
	size_t length = strcspn(s, ")") + 1, i;
	char text[100] = "";

	for (i = 1; i + 1 < length; i++) {
		if (!strncmp(s + i, "unknown: ", 9))
			i += 9;
		if (s[i] != ' ')
			strncat(text, s + i, 1);
	}
	add(w, text, strlen(text));
	return length;
}

/* The word between blanks and commas. Return: its length. */
static size_t add_plain(struct words *w, const char *s)
{
	size_t length = strcspn(s, " ,{}()=\"'<");
	char text[100];

	assert_in_range(length, 1, 90);
	if (*s != '.' && !strncmp(s + length, " = ", 3)) {
		snprintf(text, sizeof(text), ".%.*s", (int)length, s);
		add(w, text, length + 1);
	} else {
		add(w, s, length);
	}
	return length;
}

/* gdb has "120 'x'" of letters, and "0x10 <error>" or a text of pointers. */
static size_t add_quoted(struct words *w, const char *s, bool after_value)
{
	if (*s == '\'' && !after_value)
		add_letter(w, s);
	else if (*s == '"' && !after_value)
		add(w, s, quoted(s));
	return quoted(s);
}

static void split(struct words *w, const char *s)
{
	bool after_value = false;
	size_t length;

	while (*s) {
		length = 1;
		if (*s == '{' || *s == '}')
			add(w, s, 1);
		else if (*s == '<')
			length = strcspn(s, ">") + 1;
		else if (*s == '(')
			length = add_flags(w, s);
		else if (*s == '"' || *s == '\'')
			length = add_quoted(w, s, after_value);
		else if (!strchr(" ,=", *s))
			length = add_plain(w, s);
		if (!strchr(" ", *s))
			after_value = !strchr(",={}", *s);
		s += length;
	}
}

static size_t end_of(const struct words *w, size_t open)
{
	size_t i = open, depth = 0;

	do {
		depth += *w->word[i] == '{';
		depth -= *w->word[i] == '}';
	} while (depth && ++i < w->nr);
	return i;
}

/* Whether the group that @i is in has names. */
static bool among_names(const struct words *w, size_t i)
{
	size_t depth = 0;

	while (i--) {
		if (*w->word[i] == '{' && !depth--)
			break;
		depth += *w->word[i] == '}';
	}
	for (i++; i < w->nr && *w->word[i] != '}'; i++) {
		if (*w->word[i] == '.')
			return true;
		if (*w->word[i] == '{')
			i = end_of(w, i);
	}
	return false;
}

/*
 * Anonymous structures are groups of their own with gdb; and flexible arrays are
 * the address of them, which is taken away, as our "{...}" is.
 */
static void normal(struct words *w, const char *text)
{
	size_t i;

	split(w, text);
	for (i = 1; i < w->nr; i++) {
		if (!strncmp(w->word[i - 1], ".flex", 5)) {
			for (size_t n = end_of(w, i) - i + 1; n; n--)
				remove_word(w, i);
		}
		if (i < w->nr && *w->word[i] == '{' &&
		    *w->word[i - 1] != '.' && among_names(w, i)) {
			remove_word(w, end_of(w, i));
			remove_word(w, i--);
		}
	}
}

static void words_deinit(struct words *w)
{
	while (w->nr)
		free(w->word[--w->nr]);
}

/* ---- the same? ------------------------------------------------------------------------ */

/* Real numbers may be written with more digits, or less; a float has up to 9. */
static bool same_word(const char *ours, const char *theirs)
{
	size_t digits = strspn(theirs, "-0123456789.");
	double a, b;

	if (!strcmp(ours, theirs))
		return true;
	if (!strpbrk(theirs, ".e") || !isdigit((unsigned char)theirs[*theirs == '-']))
		return false;
	a = strtod(ours, NULL);
	b = strtod(theirs, NULL);
	return a == b || (digits <= 11 && (float)a == (float)b);
}

static void compare(const char *name, uint32_t type, const char *theirs)
{
	_cleanup_free_ char *ours = by_us(name, type);
	struct words a = {}, b = {};
	size_t i;

	normal(&a, ours);
	normal(&b, theirs);
	for (i = 0; i < a.nr && i < b.nr; i++)
		if (!same_word(a.word[i], b.word[i]))
			break;
	if (i < a.nr || i < b.nr)
		fail_msg("%s: word %zu, '%s' and '%s'\n%s\n%s", name, i,
			 i < a.nr ? a.word[i] : "nothing",
			 i < b.nr ? b.word[i] : "nothing", ours, theirs);
	words_deinit(&a);
	words_deinit(&b);
}

static void test_as_gdb(void **state)
{
	_cleanup_free_ char *lines = NULL;
	char *line, *rest;
	const char *name;
	uint32_t id, nr = 0;

	if (missing) {
		print_message("# %s\n", missing);
		skip();
	}
	lines = by_gdb();
	rest = lines;
	for (id = 1; id < btf__type_cnt(shapes); id++) {
		if (!is_variable(id, &name))
			continue;
		line = strsep(&rest, "\n");
		assert_non_null(line);
		compare(name, btf__type_by_id(shapes, id)->type, line);
		nr++;
	}
	/* every variable of the file */
	assert_true(nr >= 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_gdb),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
