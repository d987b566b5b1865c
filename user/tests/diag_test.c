// SPDX-License-Identifier: GPL-2.0
/* Errors as values, and the strings and suggestions that they are made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/suggest.h"

static void test_first_error_wins(void **state)
{
	struct diag d = {};

	assert_int_equal(diag_set(&d, -EINVAL, DIAG_KSYMS_NO_SYMBOL, "foo"),
			 -EINVAL);
	assert_int_equal(diag_set(&d, -ENOMEM, DIAG_NO_MEMORY), -ENOMEM);
	assert_int_equal(d.code, DIAG_KSYMS_NO_SYMBOL);
	assert_string_equal(d.message, "no symbol 'foo' in this kernel");
	diag_clear(&d);
	assert_int_equal(d.code, DIAG_OK);
	assert_null(d.message);
}

static void test_place_and_hint(void **state)
{
	struct diag d = {};

	diag_set(&d, -EINVAL, DIAG_SPEC_EMPTY);
	diag_at(&d, "abc", 1, 2);
	diag_at(&d, "other", 0, 1);
	diag_hint(&d, "do %d", 1);
	diag_hint(&d, "do %d", 2);
	assert_string_equal(d.source, "abc");
	assert_int_equal(d.column, 1);
	assert_int_equal(d.length, 2);
	assert_string_equal(d.hint, "do 1");
	diag_clear(&d);
	assert_null(d.source);
	assert_null(d.hint);
}

/* A marker has at least one letter, also behind the end of the text. */
static void test_empty_place_is_marked(void **state)
{
	struct diag d = {};

	diag_at(&d, "abc", 3, 0);
	assert_int_equal(d.length, 1);
	diag_clear(&d);
}

/* The place in the text is that of whoever copies. */
static void test_copies(void **state)
{
	struct diag from = {}, d = {};

	diag_set(&from, -EINVAL, DIAG_KSYMS_NO_SYMBOL, "foo");
	diag_at(&from, "foo", 0, 3);
	diag_hint(&from, "100%%");
	assert_int_equal(diag_copy(&d, -ENOENT, &from), -ENOENT);
	assert_int_equal(diag_copy(&d, -EINVAL, &from), -EINVAL);
	assert_int_equal(diag_copy(NULL, -EINVAL, &from), -EINVAL);
	diag_clear(&from);
	assert_int_equal(d.code, DIAG_KSYMS_NO_SYMBOL);
	assert_string_equal(d.message, "no symbol 'foo' in this kernel");
	assert_string_equal(d.hint, "100%");
	assert_null(d.source);
	diag_clear(&d);
}

static void test_nobody_listens(void **state)
{
	assert_int_equal(diag_set(NULL, -ENOENT, DIAG_SPEC_EMPTY), -ENOENT);
	diag_at(NULL, "abc", 0, 1);
	diag_hint(NULL, "nothing");
}

static void test_status_and_name(void **state)
{
	struct diag d = {};

	assert_int_equal(diag_exit_status(&d), 0);
	diag_set(&d, -EINVAL, DIAG_SPEC_EMPTY);
	assert_int_equal(diag_exit_status(&d), DIAG_EXIT_USAGE);
	assert_string_equal(diag_name(d.code), "SPEC_EMPTY");
	diag_clear(&d);
	diag_set(&d, -ENOMEM, DIAG_NO_MEMORY);
	assert_int_equal(diag_exit_status(&d), DIAG_EXIT_FAILED);
	assert_string_equal(d.message, "out of memory");
	diag_clear(&d);
}

/* ---- buf ---- */

static void test_buf_grows(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	size_t i;

	assert_string_equal(buf_str(&b), "");
	for (i = 0; i < 1000; i++) {
		buf_putc(&b, 'a');
		buf_puts(&b, "bc");
		buf_printf(&b, "%d", 7);
	}
	assert_int_equal(b.size, 4000);
	for (i = 0; i < 1000; i++)
		assert_memory_equal(b.data + 4 * i, "abc7", 4);
	assert_int_equal(b.data[4000], '\0');
	buf_clear(&b);
	assert_string_equal(buf_str(&b), "");
}

/* A text that does not fit at first is formatted a second time. */
static void test_buf_long_printf(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	char text[3000];
	size_t i;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (i = 0; i < 3; i++)
		buf_printf(&b, "<%s>", text);
	assert_int_equal(b.size, 3 * (sizeof(text) - 1 + 2));
	assert_int_equal(b.data[0], '<');
	assert_int_equal(b.data[b.size - 1], '>');
	assert_int_equal(b.data[sizeof(text)], '>');
}

static void test_buf_take(void **state)
{
	_cleanup_free_ char *text = NULL, *empty = NULL;
	struct buf b = BUF_INIT;

	buf_put(&b, "a\0b", 3);
	text = buf_take(&b);
	assert_memory_equal(text, "a\0b\0", 4);
	assert_null(b.data);
	empty = buf_take(&b);
	assert_string_equal(empty, "");
}

/* What cannot be had fails once and for all, until the string is cleared. */
static void test_buf_failure_sticks(void **state)
{
	struct buf b = BUF_INIT;

	buf_puts(&b, "abc");
	buf_put(&b, "", SIZE_MAX / 2);
	buf_puts(&b, "def");
	assert_true(b.failed);
	assert_string_equal(buf_str(&b), "abc");
	assert_null(buf_take(&b));
	assert_null(b.data);
}

/* ---- suggest ---- */

static char *hint_of(const char *word, const char *const *names, size_t nr)
{
	struct diag d = {};
	struct suggest s;
	char *hint;
	size_t i;

	suggest_init(&s, word, strlen(word));
	for (i = 0; i < nr; i++)
		suggest_try(&s, names[i]);
	suggest_hint(&s, "", &d);
	hint = d.hint ? d.hint : strdup("");
	d.hint = NULL;
	diag_clear(&d);
	return hint;
}

static void test_suggestions(void **state)
{
	static const char *const names[] = {
		"vfs_write", "vfs_readv", "vfs_read", "vfs_read", "kfree",
		"do_sys_open", "do_sys_opens", "a", "b",
	};
	static const struct {
		const char *word, *hint;
	} rows[] = {
		/* exchanged neighbours are one mistake, two others are two */
		{ "vfs_raed", "did you mean 'vfs_read'?" },
		/* both start alike: in the order of the alphabet */
		{ "vfs_reav", "did you mean 'vfs_read' or 'vfs_readv'?" },
		{ "vfswrite", "did you mean 'vfs_write'?" },
		{ "vfs_wwrite", "did you mean 'vfs_write'?" },
		{ "kfrex", "did you mean 'kfree'?" },
		/* a short word has room for one mistake only */
		{ "kfxxe", "" },
		{ "kfrxxe", "did you mean 'kfree'?" },
		{ "do_sys_openx", "did you mean 'do_sys_open' or 'do_sys_opens'?" },
		{ "c", "did you mean 'a' or 'b'?" },
		{ "completely_else", "" },
		{ "", "" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *hint =
			hint_of(rows[i].word, names, ARRAY_SIZE(names));

		assert_string_equal(hint, rows[i].hint);
	}
}

static void test_suggestions_are_few(void **state)
{
	static const char *const names[] = {
		"abcg", "abcf", "abce", "abcd", "abch",
	};
	_cleanup_free_ char *hint = hint_of("abcx", names, ARRAY_SIZE(names));

	assert_string_equal(hint,
			    "did you mean 'abcd', 'abce', 'abcf' or 'abcg'?");
}

/* Names that nobody typed are no danger. */
static void test_suggestions_long(void **state)
{
	char name[1000];
	const char *const names[] = { name };

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	free(hint_of(name, names, 1));
	free(hint_of("x", names, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_error_wins),
		cmocka_unit_test(test_place_and_hint),
		cmocka_unit_test(test_empty_place_is_marked),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_nobody_listens),
		cmocka_unit_test(test_status_and_name),
		cmocka_unit_test(test_buf_grows),
		cmocka_unit_test(test_buf_long_printf),
		cmocka_unit_test(test_buf_take),
		cmocka_unit_test(test_buf_failure_sticks),
		cmocka_unit_test(test_suggestions),
		cmocka_unit_test(test_suggestions_are_few),
		cmocka_unit_test(test_suggestions_long),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
