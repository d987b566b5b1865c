// SPDX-License-Identifier: GPL-2.0
/* The JSON writer, and the digits and characters below it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "base/cleanup.h"
#include "base/fmt.h"
#include "base/json.h"
#include "base/utf8.h"

static void test_digits(void **state)
{
	static const struct {
		uint64_t value;
		const char *dec, *sdec, *hex, *padded;
	} rows[] = {
		{ 0, "0", "0", "0", "000" },
		{ 9, "9", "9", "9", "009" },
		{ 10, "10", "10", "a", "010" },
		{ 15, "15", "15", "f", "015" },
		{ 16, "16", "16", "10", "016" },
		{ 100, "100", "100", "64", "100" },
		{ 12345, "12345", "12345", "3039", "12345" },
		{ 9007199254740993ULL, "9007199254740993", "9007199254740993",
		  "20000000000001", "9007199254740993" },
		{ 1ULL << 63, "9223372036854775808", "-9223372036854775808",
		  "8000000000000000", "9223372036854775808" },
		{ UINT64_MAX, "18446744073709551615", "-1", "ffffffffffffffff",
		  "18446744073709551615" },
	};
	char text[FMT_MAX + 1];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		*fmt_u64(text, rows[i].value) = '\0';
		assert_string_equal(text, rows[i].dec);
		*fmt_i64(text, rows[i].value) = '\0';
		assert_string_equal(text, rows[i].sdec);
		*fmt_hex(text, rows[i].value) = '\0';
		assert_string_equal(text, rows[i].hex);
		*fmt_padded(text, rows[i].value, 3) = '\0';
		assert_string_equal(text, rows[i].padded);
	}
	*fmt_padded(text, 7, 20) = '\0';
	assert_string_equal(text, "00000000000000000007");
}

/* Expected lengths are those of the Unicode standard's table 3-7. */
static void test_utf8(void **state)
{
	static const struct {
		const char *s;
		size_t size, length;
		uint32_t c;
	} rows[] = {
		{ "a", 1, 1, 'a' },
		{ "\x7f", 1, 1, 0x7f },
		{ "\xc2\x80", 2, 2, 0x80 },
		{ "\xc3\xa9", 2, 2, 0xe9 },
		{ "\xdf\xbf", 2, 2, 0x7ff },
		{ "\xe0\xa0\x80", 3, 3, 0x800 },
		{ "\xe2\x82\xac", 3, 3, 0x20ac },
		{ "\xf0\x90\x80\x80", 4, 4, 0x10000 },
		{ "\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff },
		{ "\x80", 1, 0, 0 },
		{ "\xc0\x80", 2, 0, 0 },
		{ "\xc1\xbf", 2, 0, 0 },
		{ "\xe0\x9f\xbf", 3, 0, 0 },
		{ "\xed\xa0\x80", 3, 0, 0 },
		{ "\xf0\x8f\xbf\xbf", 4, 0, 0 },
		{ "\xf4\x90\x80\x80", 4, 0, 0 },
		{ "\xf5\x80\x80\x80", 4, 0, 0 },
		{ "\xc3", 1, 0, 0 },
		{ "\xe2\x82", 2, 0, 0 },
		{ "\xe2\x28\xa1", 3, 0, 0 },
		{ "\xff", 1, 0, 0 },
	};
	uint32_t c;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		c = 0;
		assert_int_equal(utf8_get(rows[i].s, rows[i].size, &c),
				 rows[i].length);
		assert_int_equal(c, rows[i].c);
	}
}

static void test_printable(void **state)
{
	static const uint32_t shown[] = { ' ', '~', 0xa0, 0xe9, 0x20ac, 0x4e2d, 0x1f600, 0xfffd };
	static const uint32_t hidden[] = {
		0, 0x1b, 0x7f, 0x85, 0x9f, 0x200b, 0x2028, 0x202e, 0x2066,
		0xfeff, 0xffff, 0x1fffe, 0xe0041,
	};
	size_t i;

	for (i = 0; i < sizeof(shown) / sizeof(*shown); i++)
		assert_true(utf8_printable(shown[i]));
	for (i = 0; i < sizeof(hidden) / sizeof(*hidden); i++)
		assert_false(utf8_printable(hidden[i]));
	assert_true(utf8_is_plain("", 0));
	assert_true(utf8_is_plain("na\xc3\xafve 'x'", 10));
	assert_false(utf8_is_plain("a\x1b[0m", 5));
	assert_false(utf8_is_plain("a\xc2\x85", 3));
	assert_false(utf8_is_plain("a\xff", 2));
}

/* Every length and place: they are looked at eight at a time. */
static void test_run(void **state)
{
	static const char ends[] = "\"\\\0\x1f\n\x7f\x80\xc3\xff";
	char text[20];
	size_t size, at, i;

	for (size = 0; size <= sizeof(text); size++) {
		memset(text, '~', sizeof(text));
		memset(text, ' ', size / 2);
		assert_int_equal(utf8_run(text, size), size);
		for (at = 0; at < size; at++) {
			char old = text[at];

			for (i = 0; i < sizeof(ends) - 1; i++) {
				text[at] = ends[i];
				assert_int_equal(utf8_run(text, size), at);
			}
			text[at] = old;
		}
	}
	assert_int_equal(utf8_run("!#$[]^'\"", 8), 7);
}

static void test_structure(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct json j;

	json_init(&j, &b);
	json_object(&j);
	json_key(&j, "empty");
	json_object(&j);
	json_object_end(&j);
	json_key(&j, "list");
	json_array(&j);
	json_u64(&j, UINT64_MAX);
	json_i64(&j, INT64_MIN);
	json_array(&j);
	json_array_end(&j);
	json_object(&j);
	json_key(&j, "a");
	json_bool(&j, true);
	json_key(&j, "b");
	json_bool(&j, false);
	json_object_end(&j);
	json_null(&j);
	json_array_end(&j);
	json_key(&j, "none");
	json_str(&j, NULL);
	json_key(&j, "text");
	json_str(&j, "x");
	json_object_end(&j);
	assert_false(b.failed);
	assert_string_equal(buf_str(&b),
			    "{\"empty\":{},\"list\":[18446744073709551615,-9223372036854775808,[],{\"a\":true,\"b\":false},null],\"none\":null,\"text\":\"x\"}");
}

static void test_seconds(void **state)
{
	static const struct {
		int64_t ns;
		const char *text, *micros;
	} rows[] = {
		{ 0, "0.000000000", "0.000000" },
		{ 1, "0.000000001", "0.000000" },
		{ 3141592653, "3.141592653", "3.141592" },
		{ 1999999999, "1.999999999", "1.999999" },
		{ -1500000000, "-1.500000000", "-1.500000" },
		{ -1, "-0.000000001", "-0.000000" },
		{ INT64_MAX, "9223372036.854775807", "9223372036.854775" },
		{ INT64_MIN, "-9223372036.854775808", "-9223372036.854775" },
	};
	char text[FMT_MAX + 3];
	struct json j;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		_cleanup_buf_ struct buf b = BUF_INIT;

		json_init(&j, &b);
		json_ns(&j, rows[i].ns);
		assert_string_equal(buf_str(&b), rows[i].text);
		*fmt_seconds(text, rows[i].ns, 6) = '\0';
		assert_string_equal(text, rows[i].micros);
	}
}

static void test_escapes(void **state)
{
	static const struct {
		const char *s;
		size_t size;
		const char *text;
	} rows[] = {
		{ "", 0, "\"\"" },
		{ "/etc/passwd", 11, "\"/etc/passwd\"" },
		{ "a\"b\\c", 5, "\"a\\\"b\\\\c\"" },
		{ "\b\t\n\f\r", 5, "\"\\b\\t\\n\\f\\r\"" },
		{ "\0\x1b\x7f", 3, "\"\\u0000\\u001b\\u007f\"" },
		{ "h\xc3\xa9!", 4, "\"h\xc3\xa9!\"" },
		{ "\xe9!", 2, "\"\\u00e9!\"" },
		{ "\xe2\x82", 2, "\"\\u00e2\\u0082\"" },
		{ "\xf0\x9f\x98\x80", 4, "\"\xf0\x9f\x98\x80\"" },
	};
	struct json j;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		_cleanup_buf_ struct buf b = BUF_INIT;

		json_init(&j, &b);
		json_string(&j, rows[i].s, rows[i].size);
		assert_string_equal(buf_str(&b), rows[i].text);
	}
}

static void test_key_is_escaped(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct json j;

	json_init(&j, &b);
	json_object(&j);
	json_key(&j, "a\"\xff");
	json_u64(&j, 1);
	json_object_end(&j);
	assert_string_equal(buf_str(&b), "{\"a\\\"\\u00ff\":1}");
}

static void test_depth(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct json j;
	int i;

	json_init(&j, &b);
	for (i = 1; i < JSON_DEPTH_MAX; i++)
		json_array(&j);
	assert_false(b.failed);
	json_array(&j);
	assert_true(b.failed);
}

/* The digits are read as the same number; stale bytes behind them stay away. */
static void test_real(void **state)
{
	static const struct {
		long double value;
		unsigned int size;
		const char *text;
	} rows[] = {
		{ 0.1f, 4, "0.1" },
		{ 100, 4, "100" },
		{ 16777216, 4, "16777216" },
		{ 123456792, 4, "123456792" },
		{ -1e9, 4, "-1e+09" },
		{ 1234567936, 4, "1.234568e+09" },
		{ 4294967296, 4, "4.2949673e+09" },
		{ 1e10, 4, "1e+10" },
		{ 1e15f, 4, "1e+15" },
		{ 9999999198822400.0, 4, "9.999999e+15" },
		{ 3.4e38f, 4, "3.4e+38" },
		{ INFINITY, 4, "inf" },
		{ 1e15, 8, "1000000000000000" },
		{ 1234567890123456, 8, "1234567890123456" },
		{ 1e16, 8, "1e+16" },
		{ 1e15, 16, "1000000000000000" },
	};
	char text[FMT_REAL_MAX];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		memset(text, 'x', sizeof(text));
		fmt_real(text, rows[i].value, rows[i].size);
		text[sizeof(text) - 1] = '\0';
		assert_string_equal(text, rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_printable),
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_structure),
		cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_real),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_key_is_escaped),
		cmocka_unit_test(test_depth),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
