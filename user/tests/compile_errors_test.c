// SPDX-License-Identifier: GPL-2.0
/*
 * What only the compiler can refuse; and lines of kprobe_events that the
 * kernel refuses, which must fail here at the same column.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "base/array.h"
#include "tests/built.h"
#include "tests/caret.h"

#define X86 KTAP_ARCH_X86_64
#define ARM KTAP_ARCH_ARM64

static bool met[DIAG_NR];
static struct ksyms *ks;

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

struct row {
	const char *marked;
	enum diag_code code;
	const char *hint;
};

static void check_rows(const struct row *rows, size_t nr, enum ktap_arch arch)
{
	size_t i, bad = 0;

	for (i = 0; i < nr; i++) {
		struct diag d = {};
		struct caret c;
		struct built b;

		assert_true(caret_init(&c, rows[i].marked));
		if (!built_init(&b, ks, c.text, arch, &d)) {
			print_error("%s: accepted\n", c.text);
			bad++;
		} else if (!caret_check(&c, &d, rows[i].code, rows[i].hint)) {
			bad++;
		}
		met[d.code] = true;
		built_deinit(&b);
		diag_clear(&d);
	}
	assert_int_equal(bad, 0);
}

static void test_registers(void **state)
{
	static const struct row x86_rows[] = {
		{ "vfs_read ^%dj", DIAG_COMPILE_NO_REG,
		  "did you mean '%di' or '%dx'?" },
		{ "vfs_read %si ^%rdi", DIAG_COMPILE_NO_REG,
		  "did you mean '%di'?" },
		{ "vfs_read +8(^%eax):u8", DIAG_COMPILE_NO_REG, "'%ax'" },
		{ "vfs_read ^%x0", DIAG_COMPILE_NO_REG, NULL },
		{ "vfs_read reg=di,^sj", DIAG_COMPILE_NO_REG, "'%si'" },
		{ "vfs_read ^di", DIAG_COMPILE_VARIABLE, "did you mean '%di'?" },
		{ "vfs_read a=+8(^si)", DIAG_COMPILE_VARIABLE, "'%si'" },
		{ "vfs_read ^count", DIAG_COMPILE_VARIABLE, "$arg1" },
	};
	static const struct row arm_rows[] = {
		{ "vfs_read ^%di", DIAG_COMPILE_NO_REG, NULL },
		{ "vfs_read ^%w0", DIAG_COMPILE_NO_REG, "'%x0'" },
		{ "vfs_read ^%x31", DIAG_COMPILE_NO_REG, "'%x30'" },
		/* not the stack pointer, which is as near */
		{ "vfs_read ^%fp", DIAG_COMPILE_NO_REG, "did you mean '%x29'?" },
		{ "vfs_read ^x3", DIAG_COMPILE_VARIABLE, "'%x3'" },
	};

	check_rows(x86_rows, ARRAY_SIZE(x86_rows), X86);
	check_rows(arm_rows, ARRAY_SIZE(arm_rows), ARM);
}

static void test_arguments_at_the_entry(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read+4 ^$arg1", DIAG_COMPILE_NOT_ENTRY, "register" },
		{ "vfs_read+4 ^$caller", DIAG_COMPILE_CALLER, "entry" },
		{ "vfs_read if $caller == ^no_such_one", DIAG_COMPILE_CALLER_NAME, "funcs" },
		{ "sys:openat $arg6 ^$arg7", DIAG_COMPILE_SYSCALL_ARG, NULL },
		{ "vfs_read+4 %di +8(^$arg2):u8", DIAG_COMPILE_NOT_ENTRY, NULL },
		{ "0xffffffff81000101 ^$arg1", DIAG_COMPILE_NOT_ENTRY, NULL },
		{ "mem:counter:w ^$arg1", DIAG_COMPILE_NOT_ENTRY, NULL },
		{ "mem:counter:w ^$caller", DIAG_COMPILE_CALLER, NULL },
		{ "mem:counter if ^$caller == vfs_write", DIAG_COMPILE_CALLER, NULL },
		{ "mem:vfs_read:r ^$arg1", DIAG_COMPILE_NOT_ENTRY, NULL },
		{ "mem:vfs_read+4:x ^$arg1", DIAG_COMPILE_NOT_ENTRY, NULL },
	};
	struct built b;

	check_rows(rows, ARRAY_SIZE(rows), X86);
	assert_int_equal(built_init(&b, ks, "0xffffffff81000100 $arg1", X86,
				    NULL), 0);
	built_deinit(&b);
	assert_int_equal(built_init(&b, ks, "mem:vfs_read:x $arg1 $caller", X86,
				    NULL), 0);
	built_deinit(&b);
}

/* Where addresses are hidden, an address may be inside of anything. */
/* 16 texts of the entry, and one more. */
#define TEXT "$entry(+0(%di):string(8))"
#define FOUR_TEXTS TEXT "+" TEXT "+" TEXT "+" TEXT

/* of perf; the seventh has two names */
#define EIGHT_EVENTS "$perf(cycles) $perf(instructions) $perf(branches) $perf(branch-misses) " \
	"$perf(cache-misses) $perf(cache-references) $perf(page-faults) $perf(faults) $perf(bus-cycles)"

static void test_returns(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read ^$retval", DIAG_COMPILE_RETVAL, NULL },
		{ "vfs_read +0(^$retval)", DIAG_COMPILE_RETVAL, NULL },
		{ "vfs_read ^$elapsed", DIAG_COMPILE_RETVAL, NULL },
		{ "vfs_read ^sum($comm)", DIAG_COMPILE_NO_NUMBER, NULL },
		{ "vfs_read " EIGHT_EVENTS " $perf(cycles) if ^$perf(cs)",
		  DIAG_COMPILE_COUNTERS, NULL },
		{ "vfs_read ^hist(%di:u64,-5,5,1)", DIAG_COMPILE_STEPS_BELOW, NULL },
		{ "vfs_read ^hist(%di:x32,-5,5,1)", DIAG_COMPILE_STEPS_BELOW, NULL },
		{ "vfs_read 1+^$entry(%di)", DIAG_COMPILE_RETVAL, NULL },
		{ "vfs_read%return $entry(^$retval)", DIAG_COMPILE_RETVAL,
		  NULL },
		{ "vfs_read%return $entry(^%dj)", DIAG_COMPILE_NO_REG, NULL },
		{ "vfs_read%return a=^" TEXT "+1", DIAG_COMPILE_TEXT_VALUE,
		  NULL },
		{ "vfs_read%return ^$entry(+0(%di):string(2048))",
		  DIAG_COMPILE_ENTRY_SIZE, "string(64)" },
		{ "vfs_read%return " FOUR_TEXTS "+" FOUR_TEXTS "+" FOUR_TEXTS
		  "+" FOUR_TEXTS "+^" TEXT, DIAG_COMPILE_ENTRY_STRINGS, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows), X86);
}

static void test_arguments_at_a_hidden_place(void **state)
{
	struct ksyms *hidden = NULL;
	struct diag d = {};
	struct built b;

	assert_int_equal(built_load("0000000000000000 T vfs_read\n", NULL,
				    &hidden), 0);
	assert_int_equal(built_init(&b, hidden, "0xffffffff81000100 $arg1",
				    X86, &d), -EINVAL);
	assert_int_equal(d.code, DIAG_COMPILE_NOT_ENTRY);
	diag_clear(&d);
	built_deinit(&b);
	assert_int_equal(built_init(&b, hidden, "vfs_read $arg1", X86, &d), 0);
	built_deinit(&b);
	ksyms_free(hidden);
}

static void test_symbols(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read ^@couner", DIAG_KSYMS_NO_SYMBOL, "'counter'" },
		{ "vfs_read +8(^@twin+4)", DIAG_KSYMS_AMBIGUOUS,
		  "0xffffffff81000300" },
	};
	struct probe_spec *spec = NULL;
	struct place place = { .symbol = "vfs_read" };
	struct program *program = NULL;
	struct diag d = {};

	check_rows(rows, ARRAY_SIZE(rows), X86);

	assert_int_equal(spec_parse("vfs_read @counter", NULL, &spec), 0);
	assert_int_equal(built_compile(spec, &place, NULL, X86, &d, &program),
			 -EINVAL);
	assert_int_equal(d.code, DIAG_COMPILE_NO_SYMBOLS);
	assert_int_equal(d.column, 9);
	met[d.code] = true;
	diag_clear(&d);
	assert_int_equal(built_compile(spec, &place, NULL, 0, &d, &program),
			 -EINVAL);
	assert_int_equal(d.code, DIAG_COMPILE_NO_ARCH);
	met[d.code] = true;
	diag_clear(&d);
	spec_free(spec);
}

/* ---- what does not fit ---- */

static char *repeat(const char *start, const char *word, size_t nr,
		    const char *end)
{
	struct buf b = BUF_INIT;

	buf_puts(&b, start);
	while (nr--)
		buf_puts(&b, word);
	buf_puts(&b, end);
	return buf_take(&b);
}

static void check_fits(const char *start, const char *word, size_t nr,
		       const char *end)
{
	char *text = repeat(start, word, nr, end);
	struct diag d = {};
	struct built b;

	if (built_init(&b, ks, text, X86, &d))
		fail_msg("%zu of '%s': %s", nr, word, d.message);
	built_deinit(&b);
	free(text);
}

/* The first argument that is too much is marked. */
static void check_too_much(const char *start, const char *word, size_t nr,
			   const char *end, enum diag_code code, size_t column)
{
	char *text = repeat(start, word, nr, end);
	struct diag d = {};
	struct built b;

	assert_int_equal(built_init(&b, ks, text, X86, &d), -EINVAL);
	assert_int_equal(d.code, code);
	assert_int_equal(d.column, column);
	met[d.code] = true;
	diag_clear(&d);
	built_deinit(&b);
	free(text);
}

static void test_program_length(void **state)
{
	/* 2 for each, and END: 479 * 2 + 1 = 959; the next does not fit */
	check_fits("vfs_read", " %di", 479, "");
	check_too_much("vfs_read", " %di", 480, "", DIAG_COMPILE_TOO_LONG,
		       strlen("vfs_read ") + 479 * strlen(" %di"));
}

static char *nested(size_t depth)
{
	struct buf b = BUF_INIT;
	size_t i;

	buf_puts(&b, "vfs_read %si ");
	for (i = 0; i < depth; i++)
		buf_puts(&b, "+0(");
	buf_puts(&b, "%di");
	for (i = 0; i < depth; i++)
		buf_putc(&b, ')');
	return buf_take(&b);
}

/* Any depth that fits: REG, STORE, REG, the reads, STORE, FAULTS, END. */
static void test_depth(void **state)
{
	static const struct {
		size_t depth;
		enum diag_code code;
	} rows[] = {
		{ 1, DIAG_OK }, { 100, DIAG_OK }, { 954, DIAG_OK },
		{ 955, DIAG_COMPILE_TOO_LONG }, { 999, DIAG_COMPILE_TOO_LONG },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		char *text = nested(rows[i].depth);
		struct diag d = {};
		struct built b;

		assert_int_equal(built_init(&b, ks, text, X86, &d),
				 rows[i].code ? -EINVAL : 0);
		if (rows[i].code) {
			assert_int_equal(d.code, rows[i].code);
			assert_int_equal(d.column, strlen("vfs_read %si "));
		} else {
			assert_int_equal(b.program->nr_insns,
					 rows[i].depth + 6);
		}
		diag_clear(&d);
		built_deinit(&b);
		free(text);
	}
}

static void test_record_size(void **state)
{
	/* header 8, slots 16, 3 * 16384, and what is left of 65528 */
	check_fits("vfs_read", " +0(%di):string(16384)", 3,
		   " +0(%di):string(16352)");
	check_too_much("vfs_read", " +0(%di):string(16384)", 3,
		       " +0(%di):string(16353)", DIAG_COMPILE_TOO_BIG,
		       strlen("vfs_read ") +
		       3 * strlen(" +0(%di):string(16384)"));
	/* without a limit 4096 each */
	check_fits("vfs_read", " +0(%di):string", 15, "");
	check_too_much("vfs_read", " +0(%di):string", 16, " %di",
		       DIAG_COMPILE_TOO_BIG,
		       strlen("vfs_read ") + 15 * strlen(" +0(%di):string"));
}

static void test_number_of_reads(void **state)
{
	check_fits("vfs_read", " +0(%di):u8", 64, " %si");
	check_too_much("vfs_read", " +0(%di):u8", 65, " %si",
		       DIAG_COMPILE_TOO_MANY_READS,
		       strlen("vfs_read ") + 64 * strlen(" +0(%di):u8"));
}

/* ---- expressions and filters ---- */

static void test_expressions(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read a=%di/^0", DIAG_COMPILE_DIV_ZERO, NULL },
		{ "vfs_read a=%di%^(1-1)", DIAG_COMPILE_DIV_ZERO, NULL },
		{ "vfs_read a=^count+1", DIAG_COMPILE_VARIABLE, NULL },
		{ "vfs_read ^(unseen)3", DIAG_COMPILE_VARIABLE, NULL },
		{ "vfs_read a=%di:s32 b=^a+1", DIAG_COMPILE_VARIABLE, NULL },
		{ "vfs_read a=1+^$comm", DIAG_COMPILE_TEXT_VALUE, NULL },
		{ "vfs_read a=1+^$kstack", DIAG_COMPILE_STACK_VALUE, NULL },
		{ "vfs_read ^$kstack:u64", DIAG_COMPILE_STACK_VALUE, NULL },
		{ "vfs_read%return $entry(^$kstack)", DIAG_COMPILE_STACK_VALUE, NULL },
		{ "vfs_read a=1+^$ustack", DIAG_COMPILE_STACK_VALUE, NULL },
		{ "vfs_read%return $entry(^$ustack)", DIAG_COMPILE_STACK_VALUE, NULL },
		{ "vfs_read a=-^\"x\"", DIAG_COMPILE_TEXT_VALUE, NULL },
		{ "vfs_read a=^(string)%di+1", DIAG_COMPILE_TEXT_VALUE, NULL },
		{ "vfs_read a=%di<$arg7+^%dj", DIAG_COMPILE_NO_REG, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows), X86);
}

static void test_filters(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read count=%dx if ^cuont > 3", DIAG_COMPILE_NO_ARG,
		  "did you mean 'count'?" },
		{ "vfs_read if ^di > 3", DIAG_COMPILE_NO_ARG, "'%di'" },
		{ "vfs_read if %si == 3 %^si == 4", DIAG_COMPILE_NO_ARG, NULL },
		/* never true */
		{ "vfs_read if ^0", DIAG_COMPILE_NEVER, NULL },
		{ "vfs_read if ^%di < 0", DIAG_COMPILE_NEVER, "(s32)" },
		{ "vfs_read x=%di:u64 if ^x < 0", DIAG_COMPILE_NEVER, NULL },
		{ "vfs_read x=%di:u8 if ^x == 300", DIAG_COMPILE_NEVER, NULL },
		{ "vfs_read x=%di:s8 if ^x > 127", DIAG_COMPILE_NEVER, NULL },
		{ "vfs_read x=+0(%di):u16 if ^x < 0", DIAG_COMPILE_NEVER, NULL },
		{ "vfs_read if %si == 1 && ^(u8)%di == 256", DIAG_COMPILE_NEVER,
		  NULL },
		{ "vfs_read if ^((u8)%di == 256) || (u8)%di > 255",
		  DIAG_COMPILE_NEVER, NULL },
		{ "vfs_read if ^!(1 + 1)", DIAG_COMPILE_NEVER, NULL },
		{ "vfs_read if ^%di > 5 && %di < 3", DIAG_COMPILE_NEVER,
		  "one part excludes another" },
		{ "vfs_read x=%di:s32 if ^x == -1 && x > 0", DIAG_COMPILE_NEVER,
		  "one part excludes another" },
		{ "vfs_read x=%di if ^x >= 9 && %si && x <= 8", DIAG_COMPILE_NEVER,
		  "one part excludes another" },
		{ "vfs_read if ^%di == 1 && %di == 2", DIAG_COMPILE_NEVER,
		  "one part excludes another" },
		{ "vfs_read if ^(%di & 15) == 16", DIAG_COMPILE_NEVER, NULL },
		{ "vfs_read if ^%di % 8 == 8", DIAG_COMPILE_NEVER, NULL },
		{ "vfs_read if ^$cpu > 0x100000000", DIAG_COMPILE_NEVER, NULL },
		/* texts and numbers */
		{ "vfs_read if $comm == ^3", DIAG_COMPILE_TEXT_WITH, "quotes" },
		{ "vfs_read if ^3 == $comm", DIAG_COMPILE_NO_TEXT, NULL },
		{ "vfs_read if ^%di == \"3\"", DIAG_COMPILE_NO_TEXT, "ustring" },
		{ "vfs_read if \"3\" == ^%di", DIAG_COMPILE_NO_TEXT, NULL },
		{ "vfs_read if ^%di ~ \"3\"", DIAG_COMPILE_NO_TEXT, NULL },
		{ "vfs_read a=%di if ^a ~ \"3\"", DIAG_COMPILE_NO_TEXT, NULL },
		{ "vfs_read f=+0(%di):string if f == ^1", DIAG_COMPILE_TEXT_WITH,
		  NULL },
		{ "vfs_read f=+0(%di):string if f ~ ^$comm",
		  DIAG_COMPILE_TEXT_WITH, NULL },
		{ "vfs_read f=+0(%di):string if ^f < \"b\"",
		  DIAG_COMPILE_TEXT_VALUE, NULL },
		{ "vfs_read f=+0(%di):string if ^f", DIAG_COMPILE_TEXT_VALUE,
		  NULL },
		{ "vfs_read f=+0(%di):string if ^f && 1",
		  DIAG_COMPILE_TEXT_VALUE, NULL },
		{ "vfs_read f=$comm if %di + ^f", DIAG_COMPILE_TEXT_VALUE, NULL },
		{ "vfs_read a=+0(%di):u8[4] if ^a == 1", DIAG_COMPILE_ARRAY_VALUE,
		  NULL },
		{ "vfs_read a=+0(%di):string[4] if ^a == \"x\"",
		  DIAG_COMPILE_ARRAY_VALUE, NULL },
		{ "vfs_read%return a=$entry(+0(%di):u8[4]) if ^$entry(+0(%di):u8[4]) == 1",
		  DIAG_COMPILE_ARRAY_VALUE, NULL },
		{ "vfs_read a=%di:b3@2/32 if ^a == 8", DIAG_COMPILE_NEVER, NULL },
		{ "vfs_read a=%di:sb3@2/32 if ^a == 4", DIAG_COMPILE_NEVER,
		  NULL },
		{ "vfs_read n=\\\"abc\" if ^n == \"abd\"", DIAG_COMPILE_NEVER,
		  NULL },
		{ "vfs_read a=^%di:%pd", DIAG_COMPILE_NO_OFFSETS, NULL },
		{ "vfs_read if ^(string)%di == \"x\"", DIAG_SPEC_BAD_STRING,
		  "+0(%di)" },
	};

	check_rows(rows, ARRAY_SIZE(rows), X86);
}

static void test_long_patterns(void **state)
{
	check_fits("vfs_read if $comm == \"", "a", 255, "\"");
	check_too_much("vfs_read if $comm == \"", "a", 256, "\"",
		       DIAG_COMPILE_LONG_PATTERN,
		       strlen("vfs_read if $comm == "));
	/* each takes a backslash */
	check_too_much("vfs_read if $comm == \"", "*", 128, "\"",
		       DIAG_COMPILE_LONG_PATTERN,
		       strlen("vfs_read if $comm == "));
	check_fits("vfs_read if $comm ~ \"", "*", 255, "\"");
}

/* Balanced trees need a slot more for each level. */
static void test_slots(void **state)
{
	struct buf b = BUF_INIT, c = BUF_INIT;
	struct diag d = {};
	struct built built;
	size_t i;

	buf_puts(&b, "(%di+%si)");
	for (i = 0; i < 7; i++) {
		buf_clear(&c);
		buf_printf(&c, "(%s*%s)", b.data, b.data);
		buf_clear(&b);
		buf_puts(&b, c.data);
		buf_clear(&c);
		buf_printf(&c, "vfs_read a=%s", b.data);
		assert_int_equal(built_init(&built, ks, c.data, X86, &d),
				 i < 6 ? 0 : -EINVAL);
		built_deinit(&built);
	}
	assert_int_equal(d.code, DIAG_COMPILE_TOO_DEEP);
	assert_int_equal(d.column, strlen("vfs_read a="));
	met[d.code] = true;
	diag_clear(&d);
	buf_deinit(&b);
	buf_deinit(&c);
}

/* ---- as in the kernel ---- */

#define LONG_NAME \
	"x2345678901234567890123456789012345678901234567890123456789012345"

static void test_as_the_kernel(void **state)
{
	static const struct row rows[] = {
		/* BAD_MAXACT_TYPE */
		{ "p^100 vfs_read", DIAG_SPEC_MAXACTIVE, NULL },
		/* BAD_PROBE_ADDR */
		{ "p ^no_such_function", DIAG_KSYMS_NO_SYMBOL, NULL },
		{ "p ^left-right", DIAG_SPEC_BAD_OFFSET, NULL },
		{ "p ^left+1000-1000", DIAG_SPEC_BAD_OFFSET, NULL },
		{ "p ^vfs_read+0x100000000", DIAG_SPEC_BAD_OFFSET, NULL },
		/* NON_UNIQ_SYMBOL */
		{ "p ^twin", DIAG_KSYMS_AMBIGUOUS, NULL },
		/* BAD_ADDR_SUFFIX */
		{ "p vfs_read^%erturn", DIAG_SPEC_BAD_SUFFIX, NULL },
		/* names */
		{ "p:^/bar vfs_read", DIAG_SPEC_NO_GROUP, NULL },
		{ "p:^" LONG_NAME "/bar vfs_read", DIAG_SPEC_GROUP_TOO_LONG,
		  NULL },
		{ "p:^a.1/bar vfs_read", DIAG_SPEC_BAD_GROUP, NULL },
		{ "p:^ vfs_read", DIAG_SPEC_NO_EVENT, NULL },
		{ "p:foo/^" LONG_NAME " vfs_read", DIAG_SPEC_EVENT_TOO_LONG,
		  NULL },
		{ "p:foo/^bar.1 vfs_read", DIAG_SPEC_BAD_EVENT, NULL },
		/* RETVAL_ON_PROBE, BAD_STACK_NUM, BAD_ARG_NUM, BAD_VAR */
		{ "p vfs_read ^$retval", DIAG_COMPILE_RETVAL, NULL },
		{ "p vfs_read ^$stack10000", DIAG_SPEC_BAD_STACK, NULL },
		{ "p vfs_read ^$arg10000", DIAG_SPEC_BAD_ARG_NR, NULL },
		{ "p vfs_read ^$arg0", DIAG_SPEC_BAD_ARG_NR, NULL },
		{ "p vfs_read ^$nobody", DIAG_SPEC_BAD_VAR, NULL },
		{ "p vfs_read ^$stack1x", DIAG_SPEC_BAD_VAR, NULL },
		{ "p vfs_read+4 ^$arg1", DIAG_COMPILE_NOT_ENTRY, NULL },
		/* BAD_REG_NAME: the kernel takes all of it as the name */
		{ "p vfs_read ^%nobody", DIAG_COMPILE_NO_REG, NULL },
		{ "p vfs_read ^%di+8", DIAG_COMPILE_NO_REG, NULL },
		/* BAD_MEM_ADDR, FILE_ON_KPROBE, BAD_IMM */
		{ "p vfs_read ^@12345678abcde", DIAG_SPEC_BAD_ADDRESS, NULL },
		{ "p vfs_read ^@+10", DIAG_SPEC_FILE_OFFSET, NULL },
		{ "p vfs_read \\^5z", DIAG_SPEC_BAD_IMM, NULL },
		/* DEREF_NEED_BRACE, BAD_DEREF_OFFS, DEREF_OPEN_BRACE */
		{ "p vfs_read ^+0@0)", DIAG_SPEC_NO_PAREN, NULL },
		{ "p vfs_read ^+0ab1(@0)", DIAG_SPEC_BAD_DEREF, NULL },
		{ "p vfs_read +0(+0(@0^)", DIAG_SPEC_NO_CLOSE, NULL },
		{ "p vfs_read +0(@0^", DIAG_SPEC_NO_CLOSE, NULL },
		/* COMM_CANT_DEREF, BAD_FETCH_ARG */
		{ "p vfs_read +0(^$comm)", DIAG_SPEC_COMM_DEREF, NULL },
		{ "p vfs_read ^&1", DIAG_SPEC_BAD_FETCH, NULL },
		{ "p vfs_read +0(^)", DIAG_SPEC_NO_OPERAND, NULL },
		/* BAD_TYPE, BAD_STRING, BAD_BITFIELD, NEED_STRING_TYPE */
		{ "p vfs_read @11:^no_type", DIAG_SPEC_BAD_TYPE, NULL },
		{ "p vfs_read $stack0:^string", DIAG_SPEC_BAD_STRING, NULL },
		{ "p vfs_read @11:^b10@a/16", DIAG_SPEC_BAD_BITS, NULL },
		{ "p vfs_read $comm:^x32", DIAG_SPEC_COMM_TYPE, NULL },
		{ "p vfs_read \\\"x\":^x32", DIAG_SPEC_COMM_TYPE, NULL },
		/* ARRAY_NO_CLOSE, BAD_ARRAY_SUFFIX, BAD_ARRAY_NUM, IMMSTR_NO_CLOSE */
		{ "p vfs_read +0(@0):u8[4^", DIAG_SPEC_NO_BRACKET, NULL },
		{ "p vfs_read +0(@0):u8[4]^a", DIAG_SPEC_ARRAY_SUFFIX, NULL },
		{ "p vfs_read +0(@0):u8[^a]", DIAG_SPEC_ARRAY_SIZE, NULL },
		{ "p vfs_read +0(@0):u8[^99999999]", DIAG_SPEC_ARRAY_SIZE, NULL },
		{ "p vfs_read arg1=\\\"abcd^", DIAG_SPEC_NO_QUOTE, NULL },
		/* argument names */
		{ "p vfs_read ^x23456789012345678901234567890123=@11",
		  DIAG_SPEC_ARG_NAME_TOO_LONG, NULL },
		{ "p vfs_read ^=@11", DIAG_SPEC_NO_ARG_NAME, NULL },
		{ "p vfs_read ^a.1=@11", DIAG_SPEC_BAD_ARG_NAME, NULL },
		{ "p vfs_read a=@11 ^a=@12", DIAG_SPEC_USED_NAME, NULL },
		{ "p vfs_read ^common_type=@11", DIAG_SPEC_RESERVED_NAME, NULL },
		{ "p vfs_read a=^", DIAG_SPEC_NO_ARG_BODY, NULL },
		/* NOSUP_BTFARG, BAD_HYPHEN */
		{ "p vfs_read ^file", DIAG_COMPILE_VARIABLE, NULL },
		{ "p vfs_read file^-", DIAG_SPEC_SHELL_CUT, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows), X86);
}

/* What the kernel takes, with limits of its own that ktap does not have. */
static void test_more_than_the_kernel(void **state)
{
	static const char *const texts[] = {
		"p vfs_read +0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(@0)))))))))))))",
		"p vfs_read +1234567(+1234567(+1234567(+1234567(+1234567(+1234567(@1234))))))",
		"p vfs_read $arg1 $arg7 $stack $stack0 $comm %ip @counter+8 \\0x10",
		"p:g/e vfs_read+0x8 a=+u0(%si):ustring b=-8(%di):char",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		struct diag d = {};
		struct built b;

		if (built_init(&b, ks, texts[i], X86, &d))
			fail_msg("%s: %s", texts[i], d.message);
		built_deinit(&b);
	}
}

/* Tests run in order: this is the last. */
static void test_every_row_was_met(void **state)
{
	static const enum diag_code codes[] = {
#define DIAG(name, status, text) DIAG_##name,
#include "codegen/errors.def"
#undef DIAG
	};

	/* layout_test.c meets these */
	met[DIAG_LAYOUT_DAMAGED] = true;
	met[DIAG_LAYOUT_NEWER] = true;
	/* and compile_frame_test.c these */
	met[DIAG_COMPILE_NO_FRAME] = true;
	met[DIAG_COMPILE_FRAME_REGS] = true;
	assert_int_equal(caret_not_met(met, codes, ARRAY_SIZE(codes)), 0);
}

/* @marked has a '^' where the argument is that the mark does not have. */
/* @marked at @place of a program is refused with @code */
static void check_place(const char *marked, const struct place *place,
			enum diag_code code)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	struct program *program = NULL;
	struct diag d = {};
	struct caret c;

	assert_true(caret_init(&c, marked));
	assert_int_equal(spec_parse(c.text, NULL, &spec), 0);
	assert_int_equal(built_compile(spec, place, NULL, X86, &d, &program),
			 -EINVAL);
	assert_true(caret_check(&c, &d, code, NULL));
	met[d.code] = true;
	diag_clear(&d);
}

static void check_mark(const char *marked, enum diag_code code)
{
	_cleanup_(sdt_args_freep) struct sdt_args *args =
		sdt_parse("-4@%edi 8@%xmm0", KTAP_ARCH_X86_64, NULL, NULL);
	const struct place place = {
		.type = KTAP_TYPE_UPROBE,
		.sdt_args = args,
	};

	assert_non_null(args);
	check_place(marked, &place, code);
}

static void test_marks(void **state)
{
	check_mark("-x /p sdt:a:b $arg1 ^$arg3", DIAG_COMPILE_NO_MARK_ARG);
	check_mark("-x /p sdt:a:b x=^$arg2:u8", DIAG_COMPILE_MARK_ARG);
	check_mark("-x /p sdt:a:b if ^$arg2 > 3", DIAG_COMPILE_MARK_ARG);
}

/* The only instruction of its function may be one. */
static void test_rets(void **state)
{
	const struct place ret = {
		.type = KTAP_TYPE_UPROBE,
		.path = (char *)"/p",
		.symbol = (char *)"f",
		.at_ret = true,
	}, on_stack = {
		.type = KTAP_TYPE_UPROBE,
		.path = (char *)"/p",
		.symbol = (char *)"f",
		.at_ret = true,
		.no_retval = (char *)"it is on the stack",
	};

	check_place("-x /p f%return $retval ^$arg1", &ret, DIAG_COMPILE_AT_RET);
	check_place("-x /p f%return ^$elapsed", &ret, DIAG_COMPILE_AT_RET);
	check_place("-x /p f%return ^$entry(%di)", &ret, DIAG_COMPILE_AT_RET);
	check_place("-x /p f%return if ^$arg1 > 3", &ret, DIAG_COMPILE_AT_RET);
	check_place("-x /p f%return if $caller == ^main", &ret,
		    DIAG_COMPILE_CALLER_PROGRAM);
	check_place("-x /p f%return %ax ^$retval", &on_stack,
		    DIAG_COMPILE_NO_RETVAL);
}

/* They begin at the kernel's entry, so there is no stack. */
static void test_stacks_of_the_kernel(void **state)
{
	const struct place entry = {
		.type = KTAP_TYPE_UPROBE, .path = (char *)"/p", .symbol = (char *)"f",
	}, syscall = {
		.type = KTAP_TYPE_KPROBE, .symbol = (char *)"__x64_sys_read",
		.is_syscall = true,
	};

	check_place("-x /p f ^$kstack", &entry, DIAG_COMPILE_NO_KSTACK);
	check_place("vfs_read ^$kstack", &syscall, DIAG_COMPILE_NO_KSTACK);
}

static void test_tracepoints(void **state)
{
	static const struct row rows[] = {
		{ "tracepoint:sys_enter ^%di", DIAG_COMPILE_NO_REGS, "$arg1" },
		{ "tracepoint:sys_enter x=+8(^%di):string", DIAG_COMPILE_NO_REGS,
		  "$arg1" },
		{ "tracepoint:sys_enter ^$stack", DIAG_COMPILE_NO_REGS, "$arg1" },
		{ "tracepoint:sys_enter ^$stack2", DIAG_COMPILE_NO_REGS,
		  "$arg1" },
		{ "tracepoint:sys_enter store(^%di,1)", DIAG_COMPILE_NO_REGS, NULL },
		{ "tracepoint:sys_enter $take(1) a=1+^$take(1)",
		  DIAG_COMPILE_TAKE_TWICE, "$load()" },
		{ "tracepoint:sys_enter store(^$take(1),2) if $take(1)",
		  DIAG_COMPILE_TAKE_TWICE, NULL },
		{ "tracepoint:sys_enter store(1,^$comm)", DIAG_COMPILE_TEXT_VALUE, NULL },
		{ "vfs_read%return $entry(^$load(1))", DIAG_COMPILE_STATE_ENTRY, NULL },
		{ "tracepoint:sys_enter $arg12 ^$arg13",
		  DIAG_COMPILE_TOO_MANY_ARGS, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows), X86);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_arguments_at_the_entry),
		cmocka_unit_test(test_returns),
		cmocka_unit_test(test_arguments_at_a_hidden_place),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_rets),
		cmocka_unit_test(test_stacks_of_the_kernel),
		cmocka_unit_test(test_tracepoints),
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_long_patterns),
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_program_length),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_record_size),
		cmocka_unit_test(test_number_of_reads),
		cmocka_unit_test(test_as_the_kernel),
		cmocka_unit_test(test_more_than_the_kernel),
		cmocka_unit_test(test_every_row_was_met),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
