// SPDX-License-Identifier: GPL-2.0
/*
 * Values of C expressions and outcomes of filters, as the module's own verifier
 * and interpreter find them.
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c
 */
#include "base/array.h"
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

/* %di is KERNEL, %si 0x8899aabbccddeeff, %dx 100, %cx -7, %r8 3, %r9 0. */
static const struct {
	const char *expr;
	long long value;
} expression_rows[] = {
	{ "1+2*3", 7 },
	{ "(1+2)*3", 9 },
	{ "20-5-3", 12 },
	{ "7/2*2", 6 },
	{ "100%7", 2 },
	{ "%dx%7", 2 },
	{ "%dx%%r8", 1 },
	{ "%dx/%r8", 33 },
	{ "%dx*%r8-%dx", 200 },
	{ "%dx-%r8*%dx", -200 },
	{ "1<<%r8", 8 },
	{ "%dx>>2<<2", 100 },
	{ "%dx&6", 4 },
	{ "%dx|3", 103 },
	{ "%dx^%dx", 0 },
	{ "~%r9", -1 },
	{ "!%r9+!%r8", 1 },
	{ "-%r8", -3 },
	{ "--%r8", 3 },
	{ "1|2^3&4", 3 },
	{ "1<2==1", 1 },
	{ "3>2>1", 0 },
	{ "%dx==100", 1 },
	{ "%dx!=100", 0 },
	{ "%dx<=100", 1 },
	{ "%dx<%r8", 0 },
	{ "%dx>=%r8", 1 },
	{ "5<%r8", 0 },
	{ "5-%r8", 2 },
	/* a register has no sign, what has 32 bits has one that fits */
	{ "%cx<0x7000000000000000", 0 },
	{ "(s64)%cx<0x7000000000000000", 1 },
	{ "(s64)%cx<0", 1 },
	{ "(s32)%cx/2", -3 },
	{ "(s32)%cx%4", -3 },
	{ "(s32)%cx>>1", -4 },
	{ "%cx>>60", 15 },
	{ "(u32)%cx", 4294967289 },
	{ "(s8)%si", -1 },
	{ "(u16)%si", 0xeeff },
	{ "(s16)%si", (short)0xeeff },
	{ "(u8)%r9-1", -1 },
	{ "(u8)%r9-1<0", 1 },
	{ "%r9-1<1u", 0 },
	{ "%cx==-7", 1 },
	{ "-7==%cx", 1 },
	{ "(u64)(s32)%cx==-7", 1 },
	/* memory: 16 bytes behind %di are 10 32 54 76 98 ba dc fe */
	{ "(s32)+16(%di)", 0x76543210 },
	{ "(u8)+23(%di)", 0xfe },
	{ "(s8)+23(%di)", -2 },
	{ "(s32)+20(%di)", -19088744 },
	{ "+16(%di)==0xfedcba9876543210", 1 },
	{ "+8(%di)-%di", 16 },
	{ "(u8)+0(%di+16)", 0x10 },
	{ "(u8)+0(%di+%r8*8-8)", 0x10 },
	{ "(u8)+1(+8(%di))", 0x32 },
	{ "(s8)((u8)+23(%di))", -2 },
	{ "(u32)(s8)+23(%di)", 0xfffffffe },
	/* only what is asked for */
	{ "%r8&&%dx", 1 },
	{ "%r8&&%r9", 0 },
	{ "%r9||%dx", 1 },
	{ "%r9||%r9", 0 },
	{ "%r8||+0(+40(%di))", 1 },
	{ "%r9&&+0(+40(%di))", 0 },
	{ "+0(+40(%di))||%r8", 1 },
	{ "%r8?5:6", 5 },
	{ "%r9?5:6", 6 },
	{ "%r9?5:%r8?7:8", 7 },
	{ "%r8?%r9?1:2:3", 2 },
	{ "%r8?5:+0(+40(%di))", 5 },
	{ "(%r9?%dx:%r8)*2", 6 },
	{ "(%di&&%si)+(%r8<<1)*(%dx-(%r9||0))", 601 },
	{ "'A'+1", 66 },
	{ "'\\n'", 10 },
	{ "'\\''", 39 },
	{ "'\\x41'", 65 },
	{ "0x10u+010", 24 },
	{ "$tid*1000+$pid", 7007 },
	{ "$comm==\"worker\"", 1 },
	{ "$comm~\"w*r\"", 1 },
	{ "$comm!~\"w*r\"", 0 },
};

static void test_run_expressions(void **state)
{
	struct hit *h = calloc(1, sizeof(*h));
	char text[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(expression_rows); i++) {
		snprintf(text, sizeof(text), "vfs_read v=%s:s64",
			 expression_rows[i].expr);
		run(h, text);
		if (number(h, "v") != (u64)expression_rows[i].value)
			fail_msg("%s: %lld", text, (long long)number(h, "v"));
		if (built_field(&h->b, "v")->fault >= 0)
			assert_false(faulted(h, "v"));
		built_deinit(&h->b);
	}
	free(h);
}

/* What is computed is shown with its sign, the rest as the kernel does. */
static void test_default_formats(void **state)
{
	static const struct {
		const char *expr;
		enum field_format format;
		unsigned int size;
	} rows[] = {
		{ "%di", FORMAT_HEX, 8 },
		{ "+0(%di)", FORMAT_HEX, 8 },
		{ "\\5", FORMAT_HEX, 8 },
		{ "%di+1", FORMAT_UNSIGNED, 8 },
		{ "(u32)%di+1", FORMAT_SIGNED, 8 },
		{ "-1", FORMAT_SIGNED, 8 },
		{ "%di?1:2", FORMAT_SIGNED, 8 },
		{ "(s16)%di", FORMAT_SIGNED, 2 },
		{ "(x8)%di", FORMAT_HEX, 1 },
		{ "(char)+0(%di)", FORMAT_CHAR, 1 },
		{ "$cpu", FORMAT_UNSIGNED, 4 },
		{ "$pid", FORMAT_UNSIGNED, 4 },
		{ "$ppid", FORMAT_UNSIGNED, 4 },
		{ "$kstack", FORMAT_STACK, 8 },
		{ "$kstack(3)", FORMAT_STACK, 8 },
		{ "$ustack", FORMAT_USTACK, 8 },
		{ "$ustack(127)", FORMAT_USTACK, 8 },
		{ "$now", FORMAT_UNSIGNED, 8 },
		{ "$perf(cycles)", FORMAT_UNSIGNED, 8 },
		{ "$caller", FORMAT_SYMBOL, 8 },
		{ "$uid", FORMAT_UNSIGNED, 4 },
		{ "$time", FORMAT_UNSIGNED, 8 },
		{ "$cgroup", FORMAT_CGROUP, 8 },
		{ "$time:x64", FORMAT_HEX, 8 },
	};
	struct built b;
	char text[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		snprintf(text, sizeof(text), "vfs_read v=%s", rows[i].expr);
		build(&b, text, X86);
		assert_int_equal(built_field(&b, "v")->format, rows[i].format);
		assert_int_equal(built_field(&b, "v")->size, rows[i].size);
		built_deinit(&b);
	}
}

#define BAD "+0(+40(%di))"

/* What cannot be read makes all that depends on it unknown. */
static void test_run_unknown(void **state)
{
	static const char *const rows[] = {
		BAD "+1", "!" BAD, "-" BAD, BAD "?1:2", BAD "||%r9",
		"%r8&&" BAD, BAD "&&%r8", "%r8?" BAD ":1", "1/%r9", "%dx%%r9",
		"(string)" BAD "==\"x\"", "!(" BAD "||%r9)", "(s8)" BAD,
		"%r9?1:" BAD, BAD "?%r8:%r9",
	};
	struct hit *h = calloc(1, sizeof(*h));
	char text[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		snprintf(text, sizeof(text), "vfs_read v=%s", rows[i]);
		run(h, text);
		if (!faulted(h, "v"))
			fail_msg("%s: not faulted", text);
		assert_int_equal(number(h, "v"), 0);
		built_deinit(&h->b);
	}
	free(h);
}

static void test_run_filters(void **state)
{
	static const struct {
		const char *filter;
		bool passes;
	} rows[] = {
		{ "1", true },
		{ "n == 100", true },
		{ "n > 100", false },
		{ "n > 99 && n < 101", true },
		{ "m < 0", true },
		{ "m < 0 && n > 100", false },
		{ "m > 100", false },
		{ "c == 0x10", true },
		{ "k == \"kernel text\"", true },
		{ "k == \"kernel tex\"", false },
		{ "k == \"kernel*\"", false },
		{ "k != \"kernel text\"", false },
		{ "k ~ \"kernel*\"", true },
		{ "k ~ \"*[a-f]xt\"", true },
		{ "k !~ \"*zz*\"", true },
		{ "k == \"\"", false },
		{ "k != \"\"", true },
		{ "\"kernel text\" == k", true },
		{ "u == \"user text\"", true },
		{ "(ustring)+0(+0(%di)) == \"user text\"", true },
		{ "(string)+24(%di) ~ \"*text\"", true },
		{ "w == \"worker\"", true },
		{ "w == \"work\"", false },
		{ "$comm == \"worker\" && n == 100", true },
		{ "m & 1", true },
		{ "!(m & 1)", false },
		/* what cannot be read is not true, nor is its opposite */
		{ "f == 1", false },
		{ "f != 1", false },
		{ "!(f == 1)", false },
		{ "f == 1 || n == 100", true },
		{ "!(f == 1 || n == 101)", false },
		{ "e == \"x\"", false },
		{ "e != \"x\"", false },
	};
	struct hit *h = calloc(1, sizeof(*h));
	char text[512];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		snprintf(text, sizeof(text),
			 "vfs_read n=%%dx m=%%cx:s32 c=+16(%%di):u8 k=+24(%%di):string u=+0(+0(%%di)):ustring w=$comm f=+0(+40(%%di)) e=+0(+40(%%di)):string if %s",
			 rows[i].filter);
		run_any(h, text);
		if ((h->len >= 0) != rows[i].passes)
			fail_msg("if %s: %d", rows[i].filter, h->len);
		if (h->len >= 0)
			assert_int_equal(number(h, "n"), 100);
		built_deinit(&h->b);
	}
	free(h);
}

/* ---- any expression ---------------------------------------------------------- */

static unsigned int random_next(unsigned int *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 16;
}

/* An expression, and what a compiler of C makes of it. */
static long long make(struct buf *b, unsigned int *seed, unsigned int depth)
{
	static const struct {
		const char *text;
		long long value;
	} leaves[] = {
		{ "1", 1 }, { "(s64)%cx", -7 }, { "(s64)%r8", 3 }, { "100", 100 },
		{ "(s64)+16(%di)", -81985529216486896 },
		{ "(s32)%si", -857870593 }, { "(u8)%si", 0xff },
		{ "(s64)%r9", 0 },
	};
	static const char *const ops[] = {
		"+", "-", "*", "&", "|", "^", "<", "<=", "==", "!=", "&&", "||",
	};
	unsigned long long x, y;
	size_t i;

	if (!depth) {
		i = random_next(seed) % ARRAY_SIZE(leaves);
		buf_puts(b, leaves[i].text);
		return leaves[i].value;
	}
	buf_putc(b, '(');
	x = make(b, seed, depth - 1);
	i = random_next(seed) % ARRAY_SIZE(ops);
	buf_puts(b, ops[i]);
	y = make(b, seed, random_next(seed) % depth);
	buf_putc(b, ')');
	switch (i) {
	case 0:
		return x + y;
	case 1:
		return x - y;
	case 2:
		return x * y;
	case 3:
		return x & y;
	case 4:
		return x | y;
	case 5:
		return x ^ y;
	case 6:
		return (long long)x < (long long)y;
	case 7:
		return (long long)x <= (long long)y;
	case 8:
		return x == y;
	case 9:
		return x != y;
	case 10:
		return x && y;
	default:
		return x || y;
	}
}

static void test_any_expression(void **state)
{
	struct hit *h = calloc(1, sizeof(*h));
	unsigned int seed = 11, i;

	for (i = 0; i < 3000; i++) {
		struct buf text = BUF_INIT;
		char *canonical;
		u64 want;

		buf_puts(&text, "vfs_read v=");
		want = make(&text, &seed, 1 + i % 4);
		buf_puts(&text, ":x64");
		run(h, text.data);
		if (number(h, "v") != want)
			fail_msg("%s: 0x%llx", text.data,
				 (unsigned long long)number(h, "v"));
		canonical = strdup(h->b.program->layout->definition);
		built_deinit(&h->b);
		/* fewer brackets, the same meaning */
		run(h, canonical);
		assert_int_equal(number(h, "v"), want);
		assert_string_equal(h->b.program->layout->definition, canonical);
		built_deinit(&h->b);
		free(canonical);
		buf_deinit(&text);
	}
	free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run_expressions),
		cmocka_unit_test(test_default_formats),
		cmocka_unit_test(test_run_unknown),
		cmocka_unit_test(test_run_filters),
		cmocka_unit_test(test_any_expression),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
