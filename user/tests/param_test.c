// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters: what is read and refused, and that a program whose parameters were set is
 * the program that would have been compiled with these values.
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "base/array.h"
#include "base/param.h"
#include "tests/caret.h"
#include "tests/ran.h"

static int setup(void **state)
{
	ks = built_symbols();
	return 0;
}

static int teardown(void **state)
{
	ksyms_free(ks);
	return 0;
}

/* ---- --param ---------------------------------------------------------------------- */

static void test_values(void **state)
{
	static const struct {
		const char *word;
		uint64_t value;
		const char *shown;
	} rows[] = {
		{ "a=0:u8", 0, "0" },
		{ "a=255:u8", 255, "255" },
		{ "a=0xff:x8", 255, "0xff" },
		{ "a=-128:s8", (uint64_t)-128, "-128" },
		{ "a=+127:s8", 127, "127" },
		{ "a=-0:u16", 0, "0" },
		{ "a=010:u32", 8, "8" },
		{ "a=-2147483648:s32", (uint64_t)INT32_MIN, "-2147483648" },
		{ "a=18446744073709551615:u64", UINT64_MAX, "18446744073709551615" },
		{ "a=0xffffffffffffffff:x64", UINT64_MAX, "0xffffffffffffffff" },
		{ "a=-9223372036854775808:s64", 1ULL << 63, "-9223372036854775808" },
		{ "a=9223372036854775807:s64", INT64_MAX, "9223372036854775807" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct params ps = {};
		struct buf b = BUF_INIT;
		struct param back;

		assert_int_equal(params_take_option(&ps, rows[i].word, NULL), 0);
		assert_int_equal(ps.nr, 1);
		assert_int_equal(ps.param[0].value, rows[i].value);
		param_put_value(&b, &ps.param[0]);
		assert_string_equal(buf_str(&b), rows[i].shown);
		/* what is shown is read back */
		back = ps.param[0];
		back.value = ~back.value;
		assert_int_equal(param_set(&back, buf_str(&b), b.size, NULL), 0);
		assert_int_equal(back.value, rows[i].value);
		buf_deinit(&b);
		params_deinit(&ps);
	}
}

#define NAME31 "a234567890123456789012345678901"

static void test_options_refused(void **state)
{
	static const struct {
		const char *marked;
		enum diag_code code;
	} rows[] = {
		{ "^9a=1:u8", DIAG_PARAM_NAME },
		{ "^=1:u8", DIAG_PARAM_NAME },
		{ "^a-b=1", DIAG_PARAM_NAME },
		{ "^" NAME31 "2=1", DIAG_PARAM_NAME },
		{ "a=^", DIAG_PARAM_NO_VALUE },
		{ "a=^:u8", DIAG_PARAM_NO_VALUE },
		{ "a=1:^", DIAG_PARAM_TYPE },
		{ "a=1:^u", DIAG_PARAM_TYPE },
		{ "a=1:^u7", DIAG_PARAM_TYPE },
		{ "a=1:^u8[2]", DIAG_PARAM_TYPE },
		{ "a=1:^string", DIAG_PARAM_TYPE },
		{ "a=1:^u8:u8", DIAG_PARAM_TYPE },
		{ "a=^x:u8", DIAG_PARAM_NUMBER },
		{ "a=^1x:u8", DIAG_PARAM_NUMBER },
		{ "a=^ 1:u8", DIAG_PARAM_NUMBER },
		{ "a=^--1:s8", DIAG_PARAM_NUMBER },
		{ "a=^0x:u8", DIAG_PARAM_NUMBER },
		{ "a=^256:u8", DIAG_PARAM_RANGE },
		{ "a=^-1:u64", DIAG_PARAM_RANGE },
		{ "a=^128:s8", DIAG_PARAM_RANGE },
		{ "a=^-129:s8", DIAG_PARAM_RANGE },
		{ "a=^18446744073709551616:u64", DIAG_PARAM_RANGE },
		{ "a=^-9223372036854775809:s64", DIAG_PARAM_RANGE },
		{ "a=^9223372036854775808:s64", DIAG_PARAM_RANGE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct params ps = {};
		struct diag d = {};
		struct caret c;

		assert_true(caret_init(&c, rows[i].marked));
		if (!params_take_option(&ps, c.text, &d))
			fail_msg("%s: accepted", c.text);
		assert_true(caret_check(&c, &d, rows[i].code, NULL));
		assert_int_equal(ps.nr, 0);
		diag_clear(&d);
		params_deinit(&ps);
	}
}

static void refuse_option(struct params *ps, const char *word, enum diag_code code)
{
	struct diag d = {};

	assert_int_equal(params_take_option(ps, word, &d), -EINVAL);
	assert_int_equal(d.code, code);
	diag_clear(&d);
}

static void test_many(void **state)
{
	struct params ps = {}, copy, none = {};
	struct diag d = {};
	char word[32];

	refuse_option(&ps, "a", DIAG_PARAM_OPTION);
	assert_int_equal(params_take_option(&ps, NAME31 "=1", NULL), 0);
	refuse_option(&ps, NAME31 "=2:u8", DIAG_PARAM_TWICE);
	for (int i = 1; i < PARAMS_MAX; i++) {
		snprintf(word, sizeof(word), "p%d=%d:u16", i, i);
		assert_int_equal(params_take_option(&ps, word, NULL), 0);
	}
	refuse_option(&ps, "more=1", DIAG_PARAM_MANY);
	assert_int_equal(params_copy(&copy, &ps), 0);
	assert_int_equal(copy.nr, PARAMS_MAX);
	assert_int_equal(params_check_known(&ps, &copy, &d), 0);
	assert_int_equal(params_check_known(NULL, &none, &d), 0);
	params_deinit(&copy);
	assert_int_equal(params_take_option(&none, "p12x=1:u8", NULL), 0);
	assert_int_equal(params_check_known(&none, &ps, &d), -EINVAL);
	assert_int_equal(d.code, DIAG_PARAM_UNKNOWN);
	assert_non_null(strstr(d.hint, "did you mean"));
	diag_clear(&d);
	params_deinit(&none);
	params_deinit(&ps);
}

/* ---- $param ----------------------------------------------------------------------- */

/* struct row - a definition with values, and the canonical form, or the error */
struct row {
	const char *text;
	const char *options[3];
	const char *canonical;
	const char *portable;
	enum diag_code code;
};

static void take_options(struct params *ps, const char *const *options)
{
	*ps = (struct params){};
	for (size_t i = 0; i < 3 && options[i]; i++)
		assert_int_equal(params_take_option(ps, options[i], NULL), 0);
}

static void test_definitions(void **state)
{
	static const struct row rows[] = {
		{ "g if $arg1 > $param(min)", { "min=4096:u64" },
		  "g if $arg1 > $param(min=4096:u64)", "g if $arg1 > $param(min)" },
		{ "g $param(a=7:s8) b=$param(a)", { NULL },
		  "g a=$param(a=7:s8) b=$param(a=7:s8)", "g a=$param(a) b=$param(a)" },
		{ "g $param(a=7:s8) b=$param(a=7:s8)", { NULL },
		  "g a=$param(a=7:s8) b=$param(a=7:s8)", "g a=$param(a) b=$param(a)" },
		/* what is given comes first */
		{ "g $param(a=7:x8)", { "a=9" }, "g a=$param(a=0x9:x8)", "g a=$param(a)" },
		{ "g $param(a=7:x8)", { "a=8:x8", "b=1" }, "g a=$param(a=0x8:x8)",
		  "g a=$param(a)" },
		{ "g $param(a=1:u8) b=$param(a=2:u8)", { "a=3" },
		  "g a=$param(a=3:u8) b=$param(a=3:u8)", "g a=$param(a) b=$param(a)" },
		{ "g count() by $param(a=-7:s64)", { NULL },
		  "g count() by a=$param(a=-7:s64)", "g count() by a=$param(a)" },
		{ "g%return $entry($param(a=1:u8))", { NULL },
		  "g%return a=$entry($param(a=1:u8))", "g%return a=$entry($param(a))" },
		{ "g v=(u8)$param(a=1:u8)+-$param(a)", { NULL },
		  "g v=(u8)$param(a=1:u8)+-$param(a=1:u8)", "g v=(u8)$param(a)+-$param(a)" },
		{ "g sum($param(a=1:u8)) by k=+8($param(b=16:x64))", { NULL },
		  "g sum(a=$param(a=1:u8)) by k=+8($param(b=0x10:x64))", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(spec_freep) struct probe_spec *spec = NULL, *again = NULL;
		_cleanup_free_ char *text = NULL, *twice = NULL, *portable = NULL;
		struct diag d = {};
		struct params ps;

		take_options(&ps, rows[i].options);
		if (spec_parse_with(rows[i].text, NULL, &ps, &d, &spec))
			fail_msg("%s: %s", rows[i].text, d.message);
		text = spec_canonical(spec);
		if (rows[i].portable)
			assert_string_equal(text, rows[i].canonical);
		assert_int_equal(spec_parse(text, NULL, &again), 0);
		twice = spec_canonical(again);
		assert_string_equal(text, twice);
		/* with the parameters of the definition, that form is the same, too */
		portable = spec_portable(spec);
		if (rows[i].portable)
			assert_string_equal(portable, rows[i].portable);
		spec_free(take_ptr(again));
		assert_int_equal(spec_parse_with(portable, NULL, &spec->params, NULL,
						 &again), 0);
		free(twice);
		twice = spec_canonical(again);
		assert_string_equal(text, twice);
		spec_free(take_ptr(again));
		assert_int_equal(spec_copy(spec, NULL, &again), 0);
		free(twice);
		twice = spec_canonical(again);
		assert_string_equal(text, twice);
		params_deinit(&ps);
	}
}

static void test_definitions_refused(void **state)
{
	static const struct row rows[] = {
		{ "g if $arg1 > ^$param(min)", { NULL }, NULL, NULL, DIAG_SPEC_NO_PARAM },
		{ "g if $arg1 > ^$param(mni)", { "min=1:u8" }, NULL, NULL,
		  DIAG_SPEC_NO_PARAM },
		{ "g ^$param(a)", { "a=1" }, NULL, NULL, DIAG_SPEC_PARAM_TYPE },
		{ "g ^$param(a=1)", { "a=1:u8" }, NULL, NULL, DIAG_SPEC_PARAM_TYPE },
		{ "g ^$param", { NULL }, NULL, NULL, DIAG_SPEC_BAD_PARAM },
		{ "g ^$param+1", { NULL }, NULL, NULL, DIAG_SPEC_BAD_PARAM },
		{ "g $param(a=1:u8^", { NULL }, NULL, NULL, DIAG_SPEC_NO_CLOSE },
		{ "g $param(^)", { NULL }, NULL, NULL, DIAG_PARAM_NAME },
		{ "g $param(^ a)", { "a=1:u8" }, NULL, NULL, DIAG_PARAM_NAME },
		{ "g $param(^$arg1)", { NULL }, NULL, NULL, DIAG_PARAM_NAME },
		{ "g $param(a=1:^string)", { NULL }, NULL, NULL, DIAG_PARAM_TYPE },
		{ "g $param(a=^300:u8)", { NULL }, NULL, NULL, DIAG_PARAM_RANGE },
		{ "g ^$param(a=1:u8)", { "a=300" }, NULL, NULL, DIAG_PARAM_RANGE },
		{ "g ^$param(a=1:u8)", { "a=x" }, NULL, NULL, DIAG_PARAM_NUMBER },
		{ "g ^$param(a=1:u8)", { "a=1:u16" }, NULL, NULL, DIAG_PARAM_TYPES },
		{ "g a=$param(a=1:u8) b=^$param(a=1:u16)", { NULL }, NULL, NULL,
		  DIAG_PARAM_TYPES },
		{ "g a=$param(a=1:u8) b=^$param(a=2:u8)", { NULL }, NULL, NULL,
		  DIAG_PARAM_VALUES },
		{ "p f a=^$param(b)", { NULL }, NULL, NULL, DIAG_SPEC_BAD_VAR },
		{ "g +^$param(a=1:u8)(%di)", { NULL }, NULL, NULL, DIAG_SPEC_NO_PAREN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct probe_spec *spec = NULL;
		struct diag d = {};
		struct params ps;
		struct caret c;

		take_options(&ps, rows[i].options);
		assert_true(caret_init(&c, rows[i].text));
		if (!spec_parse_with(c.text, NULL, &ps, &d, &spec))
			fail_msg("%s: accepted", c.text);
		if (d.code != rows[i].code)
			fail_msg("%s: %s", c.text, d.message);
		if (rows[i].code != DIAG_SPEC_NO_PAREN)
			assert_true(caret_check(&c, &d, rows[i].code, NULL));
		diag_clear(&d);
		params_deinit(&ps);
	}
}

/* ---- programs --------------------------------------------------------------------- */

static void compile(struct built *b, const char *text, const char *option)
{
	struct params ps = {};
	struct diag d = {};

	*b = (struct built){};
	assert_int_equal(params_take_option(&ps, option, NULL), 0);
	if (spec_parse_with(text, NULL, &ps, &d, &b->spec) ||
	    ksyms_resolve(ks, b->spec, &d, &b->place) ||
	    bind_start(b->spec, &d, &b->terms) ||
	    compile_probe(b->terms, &b->place, ks, X86, &d, &b->program))
		fail_msg("%s: %s", text, d.message);
	params_deinit(&ps);
}

static void set_all(struct program *p, uint64_t value)
{
	for (size_t i = 0; i < p->nr_patches; i++) {
		const struct patch *patch = &p->patches[i];
		struct ktap_insn *insns = patch->in_entry ? p->entry_insns : p->insns;

		assert_true(patch->insn < (patch->in_entry ? p->nr_entry_insns :
							     p->nr_insns));
		assert_true(insns[patch->insn].op == KTAP_OP_IMM ||
			    insns[patch->insn].op == KTAP_OP_ALUI);
		insns[patch->insn].imm = value;
	}
}

static void verify(const struct built *b)
{
	const struct program *p = b->program;
	struct ktap_prog_info entry, info;
	const struct ktap_prog_place place = {
		.is_return = type_is_return(b->place.type),
		.entry = p->nr_entry_insns ? &entry : NULL,
	};
	enum ktap_refusal why = 0;
	u32 at = 0;

	if (p->nr_entry_insns)
		why = ktap_verify(p->entry_insns, p->nr_entry_insns, NULL, &entry, &at);
	if (!why)
		why = ktap_verify(p->insns, p->nr_insns, &place, &info, &at);
	if (why)
		fail_msg("%s: %u: %s", b->spec->text, at, ktap_refusal_text(why));
}

/* Each operand, each operator, and each value that might be folded into something else */
static void test_programs(void **state)
{
	static const char *const texts[] = {
		"vfs_read if $arg3 > $param(p)", "vfs_read if $param(p) > $arg3",
		"vfs_read if $arg3 >= $param(p) && $arg3 < $param(p) + 8",
		"vfs_read if $arg3 == $param(p) || $arg2 != $param(p)",
		"vfs_read v=$param(p)", "vfs_read v=$param(p):u8",
		"vfs_read v=(s16)$param(p)", "vfs_read v=$param(p)+$param(p)",
		"vfs_read v=$arg1/$param(p)", "vfs_read v=$arg1%$param(p)",
		"vfs_read v=$param(p)/$arg1", "vfs_read v=$arg1<<$param(p)",
		"vfs_read v=$arg1>>$param(p)", "vfs_read v=-$param(p)",
		"vfs_read v=!$param(p)", "vfs_read v=~$param(p)*3",
		"vfs_read v=$param(p)?1:2", "vfs_read v=$arg1?$param(p):$arg2",
		"vfs_read v=+8($param(p))", "vfs_read v=+0($param(p)):string",
		"vfs_read v=+0($param(p)):u8[4]", "vfs_read v=$param(p):errno",
		"vfs_read v=($param(p)&0xff)|($param(p)^1)",
		"vfs_read v=$param(p) if v > 3", "vfs_read count() by $param(p)",
		"vfs_read sum($param(p))", "vfs_read if (string)+0($param(p)) == \"a\"",
		"vfs_read%return v=$entry($param(p))",
		"vfs_read%return v=$entry($arg3>$param(p)) w=$param(p)",
		"vfs_read%return v=$retval if $retval > $param(p) && $entry($arg2 == $param(p))",
	};
	static const char *const types[] = {
		"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "x8", "x64",
	};
	static const struct {
		const char *text;
		uint64_t value;
	} values[] = {
		{ "0", 0 }, { "1", 1 }, { "63", 63 }, { "100", 100 }, { "127", 127 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		for (size_t t = 0; t < ARRAY_SIZE(types); t++)
			for (size_t v = 0; v < ARRAY_SIZE(values); v++) {
				char option[32];
				struct built a, b;

				snprintf(option, sizeof(option), "p=5:%s", types[t]);
				compile(&a, texts[i], option);
				snprintf(option, sizeof(option), "p=%s:%s",
					 values[v].text, types[t]);
				compile(&b, texts[i], option);
				assert_true(a.program->nr_patches);
				set_all(a.program, values[v].value);
				assert_int_equal(a.program->nr_insns,
						 b.program->nr_insns);
				assert_memory_equal(a.program->insns, b.program->insns,
						    b.program->nr_insns *
						    sizeof(struct ktap_insn));
				assert_int_equal(a.program->nr_entry_insns,
						 b.program->nr_entry_insns);
				if (a.program->nr_entry_insns)
					assert_memory_equal(a.program->entry_insns,
							    b.program->entry_insns,
							    b.program->nr_entry_insns *
							    sizeof(struct ktap_insn));
				verify(&a);
				built_deinit(&a);
				built_deinit(&b);
			}
}

/* What is the same for each value of the type is refused, or left out; nothing else is. */
static void test_ranges(void **state)
{
	struct built b;
	struct diag d = {};

	/* two parameters of one value are two numbers */
	compile(&b, "vfs_read if $param(p) < 5 && $param(q=3:u8) > 7", "p=3:u8");
	assert_int_equal(b.program->nr_patches, 2);
	built_deinit(&b);
	/* their bounds do not exclude each other */
	compile(&b, "vfs_read if $arg3 < $param(p) && $arg3 > $param(q=7:u8)", "p=3:u8");
	assert_int_equal(b.program->nr_patches, 2);
	built_deinit(&b);
	compile(&b, "vfs_read if $param(p) < 256", "p=3:u8");
	assert_int_equal(b.program->nr_patches, 0);
	built_deinit(&b);
	assert_int_equal(built_init(&b, ks, "vfs_read if $param(p=3:u8) > 255", X86, &d),
			 -EINVAL);
	assert_int_equal(d.code, DIAG_COMPILE_NEVER);
	built_deinit(&b);
	diag_clear(&d);
	/* a value that would be refused as a constant is one of many here */
	compile(&b, "vfs_read v=$arg1/$param(p)", "p=0:u64");
	built_deinit(&b);
}

static void test_run(void **state)
{
	struct hit *h = calloc(1, sizeof(*h));

	run(h, "vfs_read a=$param(a=-3:s8) b=$param(b=0xff:x8) c=$arg3+$param(c=28:u64) d=+16($param(d=0xffff888000001000:x64)) e=$arg3/$param(e=0:u8) if $arg3 > $param(min=99:u32)");
	assert_int_equal(number(h, "a"), 0xfd);
	assert_int_equal(built_field(&h->b, "a")->size, 1);
	assert_int_equal(built_field(&h->b, "a")->format, FORMAT_SIGNED);
	assert_int_equal(number(h, "b"), 0xff);
	assert_int_equal(built_field(&h->b, "b")->format, FORMAT_HEX);
	assert_int_equal(number(h, "c"), 128);
	assert_int_equal(number(h, "d"), 0xfedcba9876543210);
	assert_true(faulted(h, "e"));
	built_deinit(&h->b);
	run_any(h, "vfs_read a=$arg3 if $arg3 > $param(min=100:u32)");
	assert_true(h->len < 0);
	built_deinit(&h->b);
	free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_options_refused),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_definitions),
		cmocka_unit_test(test_definitions_refused),
		cmocka_unit_test_setup_teardown(test_programs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ranges, setup, teardown),
		cmocka_unit_test_setup_teardown(test_run, setup, teardown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
