// SPDX-License-Identifier: GPL-2.0
/*
 * Names with scopes, and the symbols of C++ and Rust. What a symbol stands for is
 * what c++filt and the manglings' documents say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/scoped.h"
#include "spec/spec.h"

static void test_demangle(void **state)
{
	static const struct {
		const char *symbol, *base, *full;
	} rows[] = {
		{ "_ZN3geo4areaEi", "geo::area", "geo::area(int)" },
		{ "_Z4mainv", "main", "main()" },
		{ "_ZNK1A3getEv", "A::get", "A::get()" },
		{ "_ZN1AclEi", "A::operator()", "A::operator()(int)" },
		{ "_ZN5outer2v17largestIiEET_S2_S2_", "outer::v1::largest<int>",
		  "outer::v1::largest<int>(int, int)" },
		{ "_Z3foov.cold", "foo", "foo() [clone .cold]" },
		{ "_ZZ3foovENKUlvE_clEv", "foo()::{lambda()#1}::operator()",
		  "foo()::{lambda()#1}::operator()()" },
		/* Rust, of old and of now */
		{ "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write",
		  "core::fmt::write" },
		{ "_RNvCs1234_7mycrate3foo", "mycrate::foo", "mycrate::foo" },
		{ "_RINvC5abcde3fooTyyEE", "abcde::foo::<(u64, u64)>",
		  "abcde::foo::<(u64, u64)>" },
		{ "main", NULL, NULL },
		{ "_start", NULL, NULL },
		{ "_Zqq", NULL, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *base = demangle(rows[i].symbol, false);
		_cleanup_free_ char *full = demangle(rows[i].symbol, true);
		_cleanup_free_ char *shown = symbol_shown(rows[i].symbol);

		if (!rows[i].base) {
			assert_null(base);
			assert_null(full);
			assert_string_equal(shown, rows[i].symbol);
			continue;
		}
		assert_string_equal(base, rows[i].base);
		assert_string_equal(full, rows[i].full);
		assert_string_equal(shown, rows[i].full);
	}
	(void)state;
}

#define AREA "_ZN3geo4areaEiPKc"	/* geo::area(int, char const*) */
/* Each part is the one before it, twice: of N parts 2^N names. */
static void test_long(void **state)
{
	char symbol[512] = "_Z1f1aIiiES_IS0_S0_E";
	size_t length = strlen(symbol);
	_cleanup_free_ char *shown = NULL;

	for (int i = 0; i < 34; i++) {
		int c = i < 9 ? '1' + i : 'A' + i - 9;

		length += sprintf(symbol + length, "S_IS%c_S%c_E", c, c);
	}
	assert_null(demangle(symbol, true));
	shown = symbol_shown(symbol);
	assert_string_equal(shown, symbol);
	(void)state;
}

#define TAKE "_ZN3geo3boxIijE4takeEi"	/* geo::box<int, unsigned int>::take(int) */

static void test_meant(void **state)
{
	static const struct {
		const char *symbol, *name;
		enum scoped_match match;
	} rows[] = {
		{ AREA, "area", SCOPED_PART },
		{ AREA, "geo::area", SCOPED_WHOLE },
		{ AREA, "geo::area(int, char const*)", SCOPED_WHOLE },
		{ AREA, "area(int,char const *)", SCOPED_PART },
		{ AREA, "geo::area(int)", SCOPED_NONE },
		{ AREA, "geo::area()", SCOPED_NONE },
		{ AREA, "eo::area", SCOPED_NONE },
		{ AREA, "rea", SCOPED_NONE },
		{ AREA, "x::geo::area", SCOPED_NONE },
		{ AREA, "other::area", SCOPED_NONE },
		{ AREA, "geo", SCOPED_NONE },
		{ TAKE, "take", SCOPED_PART },
		{ TAKE, "box::take", SCOPED_PART },
		{ TAKE, "box<int,unsigned int>::take", SCOPED_PART },
		{ TAKE, "geo::box<int, unsigned int>::take(int)", SCOPED_WHOLE },
		{ TAKE, "box<int>::take", SCOPED_NONE },
		/* geo::point::operator<(geo::point const&) const and others */
		{ "_ZNK3geo5pointltERKS0_", "point::operator<", SCOPED_PART },
		{ "_ZNK3geo5pointltERKS0_", "operator<(geo::point const&)", SCOPED_PART },
		{ "_ZNK3geo5pointltERKS0_", "operator<=", SCOPED_NONE },
		{ "_ZNK3geo5pointgtERKS0_", "geo::point::operator>", SCOPED_WHOLE },
		{ "_ZNK3geo5pointgtERKS0_", "operator>>", SCOPED_NONE },
		{ "_ZNK3geo5pointclEi", "point::operator()", SCOPED_PART },
		{ "_ZNK3geo5pointclEi", "operator()(int)", SCOPED_PART },
		{ "_ZNK3geo5pointclEi", "point::operator()()", SCOPED_NONE },
		{ "_ZNK3geo5pointcviEv", "geo::point::operator int()", SCOPED_WHOLE },
		{ "_ZNK3geo5pointcviEv", "point::operator long()", SCOPED_NONE },
		{ "_ZNK3geo5pointcvNS_4wrapIjEEEv",
		  "geo::point::operator geo::wrap<unsigned int>()", SCOPED_WHOLE },
		{ "_ZN3geo5pointC1Eii", "point::point", SCOPED_PART },
		{ "_ZN3geo5pointD1Ev", "point::~point", SCOPED_PART },
		{ "_ZN3geo5pointD1Ev", "point::point", SCOPED_NONE },
		{ "_ZN5outer12_GLOBAL__N_16hiddenEi",
		  "outer::(anonymous namespace)::hidden", SCOPED_WHOLE },
		{ "_ZN5outer12_GLOBAL__N_16hiddenEi",
		  "(anonymous namespace)::hidden(int)", SCOPED_PART },
		/* the rest of a function is not where it is called */
		{ "_ZN3geo4areaEi.cold", "geo::area", SCOPED_NONE },
		{ "area", "area", SCOPED_NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (demangles_to(rows[i].symbol, rows[i].name) != rows[i].match)
			fail_msg("%s %s", rows[i].symbol, rows[i].name);
	}
	(void)state;
}

static void test_patterns(void **state)
{
	assert_true(demangles_like(AREA, "geo::*"));
	assert_true(demangles_like(AREA, "*area"));
	assert_true(demangles_like(AREA, "geo::a?ea"));
	assert_false(demangles_like(AREA, "area*"));
	assert_false(demangles_like("_ZN3geo4areaEi.cold", "geo::*"));
	assert_false(demangles_like("geo", "geo"));
	(void)state;
}

/* What is behind a name with scopes is what may be behind any. */
static void test_places(void **state)
{
	static const struct {
		const char *text, *symbol, *event;
		uint64_t offset;
		unsigned int line;
		bool is_return, glob;
	} rows[] = {
		{ "geo::area", "geo::area", "geo_area" },
		{ "area(int)", "area(int)", "area" },
		{ "geo::area(int, char const*) side", "geo::area(int, char const*)",
		  "geo_area" },
		{ "geo::area(int)+16", "geo::area(int)", "geo_area", 16 },
		{ "geo::area:3", "geo::area", "geo_area_L3", .line = 3 },
		{ "geo::area%return $retval", "geo::area", "geo_area__return",
		  .is_return = true },
		{ "geo::*", "geo::*", "geo", .glob = true },
		{ "geo::f(char*)", "geo::f(char*)", "geo_f" },
		{ "box<int, char*>::take", "box<int, char*>::take", "box_take" },
		{ "geo::operator+", "geo::operator+", "geo_operator" },
		{ "geo::operator-+4", "geo::operator-", "geo_operator", 4 },
		{ "geo::operator()(int)", "geo::operator()(int)", "geo_operator" },
		{ "geo::operator<", "geo::operator<", "geo_operator" },
		{ "geo::operator== x", "geo::operator==", "geo_operator" },
		{ "geo::operator*", "geo::operator*", "geo_operator" },
		{ "geo::x::operator char const*()+4 %di", "geo::x::operator char const*()",
		  "geo_x_operator_char_const", 4 },
		{ "x::operator a::b<int, long>():2", "x::operator a::b<int, long>()",
		  "x_operator_a_b_L2", .line = 2 },
		{ "a::~a", "a::~a", "a_a" },
		{ "sys::open", "sys::open", "sys_open" },
		{ "mem::swap", "mem::swap", "mem_swap" },
		{ "e=a::b", "a::b", "e" },
		{ "_ZN3geo4areaEi", "_ZN3geo4areaEi", "geo_area" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *name = NULL;
		struct probe_spec *spec = NULL;
		struct diag d = {};

		if (spec_parse_in(rows[i].text, "/bin/x", &d, &spec))
			fail_msg("%s: %s", rows[i].text, d.message);
		name = spec_default_name(spec);
		assert_string_equal(spec->place.symbol, rows[i].symbol);
		assert_string_equal(name, rows[i].event);
		assert_int_equal(spec->place.offset, rows[i].offset);
		assert_int_equal(spec->place.line, rows[i].line);
		assert_int_equal(spec->place.is_return, rows[i].is_return);
		assert_int_equal(spec->place.glob, rows[i].glob);
		spec_free(spec);
	}
	(void)state;
}

/* Brackets that do not close, and what is behind a place that cannot be. */
static void test_bad_places(void **state)
{
	static const struct {
		const char *text;
		enum diag_code code;
	} rows[] = {
		{ "area(int", DIAG_SPEC_BAD_PLACE },
		{ "box<int, char::take", DIAG_SPEC_BAD_PLACE },
		{ "geo::area%back", DIAG_SPEC_BAD_SUFFIX },
		{ "geo::area+x", DIAG_SPEC_BAD_OFFSET },
		{ "geo::*+4", DIAG_SPEC_GLOB_OFFSET },
		{ "geo::area+4%return", DIAG_SPEC_BAD_RETURN },
		{ "geo::area:3%return", DIAG_SPEC_LINE_RETURN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct probe_spec *spec = NULL;
		struct diag d = {};

		if (!spec_parse_in(rows[i].text, "/bin/x", &d, &spec))
			fail_msg("%s", rows[i].text);
		if (d.code != rows[i].code)
			fail_msg("%s: %s", rows[i].text, d.message);
		diag_clear(&d);
	}
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_demangle),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_meant),
		cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_bad_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
