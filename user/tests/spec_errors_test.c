// SPDX-License-Identifier: GPL-2.0
/*
 * Every way to get a definition wrong: which error, at which column, with
 * which advice. The last test asks that every row of the room was met.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "base/array.h"
#include "spec/listed.h"
#include "spec/spec.h"
#include "tests/caret.h"

static bool met[DIAG_NR];

struct row {
	const char *marked;
	enum diag_code code;
	const char *hint;
};

static void check_rows(const struct row *rows, size_t nr)
{
	size_t i, bad = 0;

	for (i = 0; i < nr; i++) {
		struct probe_spec *spec = NULL;
		struct diag d = {};
		struct caret c;

		assert_true(caret_init(&c, rows[i].marked));
		if (spec_parse(c.text, &d, &spec) != -EINVAL) {
			print_error("%s: accepted\n", c.text);
			bad++;
		} else if (!caret_check(&c, &d, rows[i].code, rows[i].hint)) {
			bad++;
		}
		met[d.code] = true;
		spec_free(spec);
		diag_clear(&d);
	}
	assert_int_equal(bad, 0);
}

#define NAME64 \
	"a234567890123456789012345678901234567890123456789012345678901234"
#define NAME33 "a23456789012345678901234567890123"

static void test_names(void **state)
{
	static const struct row rows[] = {
		{ "^", DIAG_SPEC_EMPTY, NULL },
		{ "  \t^", DIAG_SPEC_EMPTY, NULL },
		{ "ev=^", DIAG_SPEC_NO_PLACE, "without blanks" },
		{ "ev=^ vfs_read", DIAG_SPEC_NO_PLACE, "without blanks" },
		{ "^=vfs_read", DIAG_SPEC_NO_EVENT, NULL },
		{ "grp:^=vfs_read", DIAG_SPEC_NO_EVENT, NULL },
		{ "^:ev=vfs_read", DIAG_SPEC_NO_GROUP, NULL },
		{ "^" NAME64 ":ev=vfs_read", DIAG_SPEC_GROUP_TOO_LONG, NULL },
		{ "grp:^" NAME64 "=vfs_read", DIAG_SPEC_EVENT_TOO_LONG, NULL },
		{ "^1grp:ev=vfs_read", DIAG_SPEC_BAD_GROUP, "letters" },
		{ "^g.p:ev=vfs_read", DIAG_SPEC_BAD_GROUP, "letters" },
		{ "grp:^e-v=vfs_read", DIAG_SPEC_BAD_EVENT, "letters" },
		{ "grp:^a:b=vfs_read", DIAG_SPEC_BAD_EVENT, NULL },
		{ "^grp/ev=vfs_read", DIAG_SPEC_BAD_EVENT, NULL },
		{ "  ^e+v=vfs_read", DIAG_SPEC_BAD_EVENT, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_places(void **state)
{
	static const struct row rows[] = {
		{ "^vfs_read(file) %di", DIAG_SPEC_BAD_PLACE, "SYMBOL+OFFSET" },
		{ "^vfs_read,vfs_write", DIAG_SPEC_BAD_PLACE, NULL },
		{ "^12345", DIAG_SPEC_BAD_PLACE, "0xADDRESS" },
		{ "^0x", DIAG_SPEC_BAD_PLACE, NULL },
		{ "^0xffff0000ffff0000f", DIAG_SPEC_BAD_PLACE, NULL },
		{ "^0x1000+8", DIAG_SPEC_BAD_PLACE, NULL },
		{ "ev=^%di", DIAG_SPEC_BAD_PLACE, NULL },
		{ "^:vfs_read", DIAG_SPEC_BAD_PLACE, NULL },
		/* a file of definitions has comments there */
		{ "^#a::b", DIAG_SPEC_BAD_PLACE, NULL },
		{ "^#a.c:12", DIAG_SPEC_BAD_PLACE, NULL },
		{ "^a::b(c, #d)", DIAG_SPEC_BAD_PLACE, NULL },
		{ "^ext4:", DIAG_SPEC_BAD_PLACE, NULL },
		{ "^e.t4:f", DIAG_SPEC_BAD_PLACE, NULL },
		{ "^-8(%bp)", DIAG_SPEC_BAD_PLACE, "0xADDRESS" },
		{ "^+8", DIAG_SPEC_BAD_PLACE, NULL },
		{ "vfs_read^+", DIAG_SPEC_BAD_OFFSET, "C syntax" },
		{ "vfs_read^+0x", DIAG_SPEC_BAD_OFFSET, NULL },
		{ "vfs_read^+08", DIAG_SPEC_BAD_OFFSET, NULL },
		{ "vfs_read^-8", DIAG_SPEC_BAD_OFFSET, NULL },
		{ "vfs_read^+8+8", DIAG_SPEC_BAD_OFFSET, NULL },
		{ "vfs_read^+0x100000000", DIAG_SPEC_BAD_OFFSET, NULL },
		{ "xfs:f^+z", DIAG_SPEC_BAD_OFFSET, NULL },
		{ "vfs_read^%foo", DIAG_SPEC_BAD_SUFFIX, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_source_places(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read:^12x", DIAG_SPEC_BAD_LINE, NULL },
		{ "xfs:xfs_read:^99999999999", DIAG_SPEC_BAD_LINE, NULL },
		{ "-x /bin/sh main.c:^1x", DIAG_SPEC_BAD_LINE, NULL },
		{ "main.c:^3-2", DIAG_SPEC_BAD_LINE, NULL },
		{ "main.c:^3-", DIAG_SPEC_BAD_LINE, NULL },
		{ "main.c:^3-99999999999", DIAG_SPEC_BAD_LINE, NULL },
		{ "main.c:^1-2%return", DIAG_SPEC_LINE_RETURN, NULL },
		{ "vfs_*:^1-2", DIAG_SPEC_LINE_GLOB, NULL },
		{ "^fs/read_write.c", DIAG_SPEC_NO_LINE, "FILE:LINE" },
		{ "^read_write.c", DIAG_SPEC_NO_LINE, NULL },
		{ "vfs_read^@", DIAG_SPEC_BAD_SOURCE, "-x PATH" },
		{ "memcpy^@@GLIBC_2.14", DIAG_SPEC_BAD_SOURCE, "-x PATH" },
		{ "vfs_read^;", DIAG_SPEC_NO_PATTERN, NULL },
		{ "vfs_read:12;^return*", DIAG_SPEC_LINE_PATTERN, NULL },
		{ "vfs_read:^12%return", DIAG_SPEC_LINE_RETURN, NULL },
		{ "vfs_read^+8:12", DIAG_SPEC_LINE_OFFSET, NULL },
		{ "vfs_*:^12", DIAG_SPEC_LINE_GLOB, NULL },
		{ "^a/b@c.c:1", DIAG_SPEC_PATH, NULL },
		{ "^a.b:b.c:1", DIAG_SPEC_PATH, NULL },
		{ "^:b.c:1", DIAG_SPEC_PATH, NULL },
		{ "-x a ^m:b.c:1", DIAG_SPEC_PATH, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_kinds_of_places(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read^+8%return", DIAG_SPEC_BAD_RETURN, "entry" },
		{ "vfs_read^%returns", DIAG_SPEC_BAD_SUFFIX, "%return(MAXACTIVE)" },
		{ "vfs_read^%return(8", DIAG_SPEC_BAD_SUFFIX, NULL },
		{ "vfs_read^%return(8)x", DIAG_SPEC_BAD_SUFFIX, NULL },
		{ "vfs_read%return(^)", DIAG_SPEC_BAD_MAXACTIVE, NULL },
		{ "vfs_read%return(^0)", DIAG_SPEC_BAD_MAXACTIVE, NULL },
		{ "sys:read%return(^-1)", DIAG_SPEC_BAD_MAXACTIVE, NULL },
		{ "vfs_read%return(^4097)", DIAG_SPEC_MAXACTIVE_BIG, NULL },
		{ "-x /bin/sh main%return(^8)", DIAG_SPEC_MAXACTIVE_FILE, "leave it out" },
		{ "p vfs_read^%return(8)", DIAG_SPEC_BAD_SUFFIX, "only one" },
		{ "^%return", DIAG_SPEC_BAD_PLACE, NULL },
		{ "vfs_*^+4", DIAG_SPEC_GLOB_OFFSET, NULL },
		{ "^vfs_[rw", DIAG_SPEC_BAD_PLACE, NULL },
		{ "^vfs_*,x", DIAG_SPEC_BAD_PLACE, NULL },
		{ "^/usr/bin/bash:main", DIAG_SPEC_PATH, "-x /usr/bin/bash main" },
		{ "^/usr/bin/bash", DIAG_SPEC_PATH, "-x /usr/bin/bash SYMBOL" },
		{ "-x^", DIAG_SPEC_NO_FILE, "-x PATH" },
		{ "-x ^\"\" main", DIAG_SPEC_NO_FILE, NULL },
		{ "-x ^\"/bin/sh main", DIAG_SPEC_NO_FILE, NULL },
		{ "-x /bin/sh^", DIAG_SPEC_NO_PLACE, NULL },
		{ "-x /bin/sh ^sys:openat", DIAG_SPEC_KERNEL_ONLY, "leave out" },
		{ "-x /bin/sh ^tracepoint:x", DIAG_SPEC_KERNEL_ONLY, NULL },
		{ "-x /bin/sh ^mem:x", DIAG_SPEC_KERNEL_ONLY, NULL },
		{ "-x /bin/sh ^mod:main", DIAG_SPEC_BAD_PLACE, "VERSION" },
		{ "-x /bin/sh ^main@", DIAG_SPEC_BAD_PLACE, NULL },
		{ "-x /bin/sh ^main@a@b", DIAG_SPEC_BAD_PLACE, NULL },
		{ "^sdt:libc:setjmp", DIAG_SPEC_NEEDS_FILE, "-x PATH" },
		{ "sdt:^libc", DIAG_SPEC_BAD_MARK, "sdt:PROVIDER:NAME" },
		{ "sdt:^:x", DIAG_SPEC_BAD_MARK, NULL },
		{ "-x a sdt:^lib-c:x", DIAG_SPEC_BAD_MARK, NULL },
		{ "tracepoint:^", DIAG_SPEC_BAD_TRACEPOINT, "one name" },
		{ "tracepoint:sched:^", DIAG_SPEC_BAD_TRACEPOINT, NULL },
		{ "tracepoint:sched^/sched_switch", DIAG_SPEC_BAD_TRACEPOINT,
		  "'sched_switch'" },
		{ "sys:^", DIAG_SPEC_BAD_SYSCALL, "sys:openat" },
		{ "sys:^open+4", DIAG_SPEC_BAD_SYSCALL, NULL },
		{ "sys:open^%foo", DIAG_SPEC_BAD_SUFFIX, NULL },
		{ "mem:jiffies/^3", DIAG_SPEC_BAD_LENGTH, NULL },
		{ "mem:jiffies/^:rw", DIAG_SPEC_BAD_LENGTH, NULL },
		{ "mem:jiffies:^q", DIAG_SPEC_BAD_ACCESS, "rw" },
		{ "mem:jiffies/8:^rwx", DIAG_SPEC_BAD_ACCESS, NULL },
		{ "mem:jiffies:^", DIAG_SPEC_BAD_ACCESS, NULL },
		{ "mem:^0xzz", DIAG_SPEC_BAD_PLACE, NULL },
		{ "^mem:", DIAG_SPEC_BAD_PLACE, NULL },
		{ "-x /bin/sh ^timer:1s", DIAG_SPEC_KERNEL_ONLY, NULL },
		{ "timer:^0hz", DIAG_SPEC_TIMER_ZERO, "timer:99hz" },
		{ "timer:^0us", DIAG_SPEC_TIMER_ZERO, NULL },
		{ "timer:^10001hz", DIAG_SPEC_TIMER_FAST, NULL },
		{ "timer:^99us", DIAG_SPEC_TIMER_FAST, NULL },
		{ "timer:^86401s", DIAG_SPEC_TIMER_SLOW, NULL },
		{ "timer:^86400001ms", DIAG_SPEC_TIMER_SLOW, NULL },
		{ "timer:^18446744073709551617s", DIAG_SPEC_TIMER_SLOW, NULL },
		{ "timer:^99999999999999999999hz", DIAG_SPEC_TIMER_FAST, NULL },
		{ "timer:^-1hz", DIAG_SPEC_BAD_PERIOD, NULL },
		{ "timer:^1.5s", DIAG_SPEC_BAD_PERIOD, NULL },
		{ "timer:^99", DIAG_SPEC_NO_UNIT, NULL },
		{ "timer:99^Hz", DIAG_SPEC_BAD_UNIT, "timer:99hz" },
		{ "timer:5^min", DIAG_SPEC_BAD_UNIT, NULL },
		{ "timer:99^hz%return", DIAG_SPEC_BAD_UNIT, NULL },
		{ "mem:jiffies^+z", DIAG_SPEC_BAD_OFFSET, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_arg_names(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read ^=%di", DIAG_SPEC_NO_ARG_NAME, "without blanks" },
		{ "vfs_read a ^= %di", DIAG_SPEC_NO_ARG_NAME, "without blanks" },
		{ "vfs_read ^" NAME33 "=%di", DIAG_SPEC_ARG_NAME_TOO_LONG, NULL },
		{ "vfs_read ^a.b=%di", DIAG_SPEC_BAD_ARG_NAME, "letters" },
		{ "vfs_read ^1a=%di", DIAG_SPEC_BAD_ARG_NAME, NULL },
		{ "vfs_read ^a+b=%di", DIAG_SPEC_BAD_ARG_NAME, NULL },
		{ "vfs_read a=%di ^a=%si", DIAG_SPEC_USED_NAME, NULL },
		{ "vfs_read ^common_pid=%di", DIAG_SPEC_RESERVED_NAME, NULL },
		{ "vfs_read ^__probe_ip=%di", DIAG_SPEC_RESERVED_NAME, NULL },
		{ "vfs_read a=^", DIAG_SPEC_NO_ARG_BODY, "single quotes" },
		{ "vfs_read a=^ %di", DIAG_SPEC_NO_ARG_BODY, "single quotes" },
		{ "vfs_read file^-", DIAG_SPEC_SHELL_CUT, "single quotes" },
		{ "vfs_read a=file^- %di", DIAG_SPEC_SHELL_CUT, "single quotes" },
		{ "vfs_read reg=file^-", DIAG_SPEC_SHELL_CUT, NULL },
		{ "vfs_read reg=di,^%si", DIAG_SPEC_BAD_FETCH, "reg=di,si" },
		{ "vfs_read reg=di,^,si", DIAG_SPEC_BAD_FETCH, NULL },
		{ "vfs_read reg=di,^", DIAG_SPEC_BAD_FETCH, NULL },
		{ "vfs_read reg=di,^di", DIAG_SPEC_USED_NAME, NULL },
		{ "vfs_read di=%si reg=^di", DIAG_SPEC_USED_NAME, NULL },
		{ "vfs_read reg=di:^u9", DIAG_SPEC_BAD_TYPE, "u8" },
		{ "vfs_read reg=di:^string", DIAG_SPEC_BAD_STRING, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_operands(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read ^%", DIAG_SPEC_NO_REG_NAME, NULL },
		{ "vfs_read ^%:u8", DIAG_SPEC_NO_REG_NAME, NULL },
		{ "vfs_read ^$", DIAG_SPEC_BAD_VAR, "single quotes" },
		{ "vfs_read ^$foo", DIAG_SPEC_BAD_VAR, "$argN" },
		{ "vfs_read ^$calller", DIAG_SPEC_BAD_VAR, "$caller" },
		{ "vfs_read ^$pppid", DIAG_SPEC_BAD_VAR, "$ppid" },
		{ "vfs_read ^$stackx", DIAG_SPEC_BAD_VAR, NULL },
		{ "vfs_read ^$arg", DIAG_SPEC_BAD_VAR, NULL },
		{ "vfs_read ^$retvalx", DIAG_SPEC_BAD_VAR, "$retval" },
		{ "vfs_read ^$kstack(0)", DIAG_SPEC_BAD_DEPTH, NULL },
		{ "vfs_read ^$kstack(128)", DIAG_SPEC_BAD_DEPTH, NULL },
		{ "vfs_read ^$kstack(x)", DIAG_SPEC_BAD_DEPTH, NULL },
		{ "vfs_read ^$kstack()", DIAG_SPEC_BAD_DEPTH, NULL },
		{ "vfs_read ^$ustack(128)", DIAG_SPEC_BAD_DEPTH, NULL },
		{ "vfs_read ^$ustack(", DIAG_SPEC_BAD_DEPTH, NULL },
		{ "vfs_read ^$perf", DIAG_SPEC_NO_COUNTER, "cycles" },
		{ "vfs_read ^$perf()", DIAG_SPEC_NO_COUNTER, "cycles" },
		{ "vfs_read ^$perf(page-fault)", DIAG_SPEC_NO_COUNTER, "did you mean 'page-faults'?" },
		{ "vfs_read ^$perf(Cycles)", DIAG_SPEC_NO_COUNTER, "did you mean 'cycles'?" },
		{ "vfs_read $perf(cycles^", DIAG_SPEC_NO_CLOSE, NULL },
		{ "p vfs_read ^$perf(cycles)", DIAG_SPEC_BAD_VAR, NULL },
		{ "vfs_read ^$param", DIAG_SPEC_BAD_PARAM, "$param(NAME)" },
		{ "vfs_read ^$param(min)", DIAG_SPEC_NO_PARAM, "--param min=4096:u64" },
		{ "vfs_read $param(mix=1:u8) ^$param(min)", DIAG_SPEC_NO_PARAM,
		  "did you mean 'mix'?" },
		{ "vfs_read ^$param(min=3)", DIAG_SPEC_PARAM_TYPE, "$param(min=3:u64)" },
		{ "vfs_read ^$kstackx", DIAG_SPEC_BAD_VAR, "$kstack" },
		{ "p vfs_read ^$kstack", DIAG_SPEC_BAD_VAR, NULL },
		{ "vfs_read ^$stack2049", DIAG_SPEC_BAD_STACK, NULL },
		{ "vfs_read ^$stack99999999999999999999", DIAG_SPEC_BAD_STACK, NULL },
		{ "vfs_read ^$arg0", DIAG_SPEC_BAD_ARG_NR, NULL },
		{ "vfs_read ^$arg2049", DIAG_SPEC_BAD_ARG_NR, NULL },
		{ "vfs_read $arg* a=%di ^$arg*", DIAG_SPEC_ARGS_TWICE, NULL },
		{ "p vfs_read $arg* ^$arg*", DIAG_SPEC_ARGS_TWICE, NULL },
		{ "vfs_read a=^$arg*", DIAG_SPEC_ARGS_ALONE, NULL },
		{ "vfs_read ^$arg*:u8", DIAG_SPEC_ARGS_ALONE, NULL },
		{ "vfs_read $arg*^2", DIAG_SPEC_TRAILING, NULL },
		{ "vfs_read if $arg1^:u8 > 3", DIAG_SPEC_TRAILING, "(u8)x" },
		{ "p vfs_read ^$arg*2", DIAG_SPEC_BAD_VAR, NULL },
		{ "p vfs_read file^-f_pos", DIAG_SPEC_HYPHEN, "x->m" },
		{ "r vfs_read $retval^-f_pos", DIAG_SPEC_HYPHEN, NULL },
		{ "p vfs_read file->f_path^-x", DIAG_SPEC_HYPHEN, NULL },
		{ "p vfs_read file->^", DIAG_SPEC_NO_MEMBER, NULL },
		{ "p vfs_read ^file[3]", DIAG_SPEC_BAD_FETCH, NULL },
		{ "p vfs_read ^$arg1->x", DIAG_SPEC_BAD_VAR, NULL },
		{ "vfs_read $entry(^)", DIAG_SPEC_NO_OPERAND, NULL },
		{ "vfs_read $entry(%di^", DIAG_SPEC_NO_CLOSE, NULL },
		{ "vfs_read $entry(%di:u8^", DIAG_SPEC_NO_CLOSE, NULL },
		{ "vfs_read $entry(%di:^string)", DIAG_SPEC_BAD_STRING, NULL },
		{ "vfs_read $entry(%di):^string", DIAG_SPEC_BAD_STRING, NULL },
		{ "p vfs_read ^$entry(%di", DIAG_SPEC_BAD_VAR, NULL },
		{ "vfs_read ^@", DIAG_SPEC_BAD_ADDRESS, "@SYMBOL" },
		{ "vfs_read ^@0x12345678abcdefghi", DIAG_SPEC_BAD_ADDRESS, NULL },
		{ "vfs_read ^@jiffies+", DIAG_SPEC_BAD_ADDRESS, NULL },
		{ "vfs_read ^@jiffies+8z", DIAG_SPEC_BAD_ADDRESS, NULL },
		{ "vfs_read ^@+16", DIAG_SPEC_FILE_OFFSET, NULL },
		{ "vfs_read \\^", DIAG_SPEC_BAD_IMM, NULL },
		{ "vfs_read \\^zz", DIAG_SPEC_BAD_IMM, NULL },
		{ "vfs_read \\^18446744073709551616", DIAG_SPEC_BAD_IMM, NULL },
		{ "vfs_read \\^-9223372036854775809", DIAG_SPEC_BAD_IMM, NULL },
		{ "vfs_read ^12zz", DIAG_SPEC_BAD_IMM, NULL },
		{ "vfs_read file->^", DIAG_SPEC_NO_MEMBER, NULL },
		{ "vfs_read file.^:u8", DIAG_SPEC_NO_MEMBER, NULL },
		{ "vfs_read file->^3", DIAG_SPEC_NO_MEMBER, NULL },
		{ "vfs_read a=file[3^", DIAG_SPEC_NO_BRACKET, NULL },
		{ "vfs_read a=file[^]", DIAG_SPEC_BAD_FETCH, NULL },
		{ "vfs_read a=%di^.x", DIAG_SPEC_TRAILING, NULL },
		{ "vfs_read a=12^[3]", DIAG_SPEC_TRAILING, NULL },
		{ "vfs_read count^(3)", DIAG_SPEC_TRAILING, NULL },
		{ "vfs_read a=^&&x", DIAG_SPEC_BAD_FETCH, NULL },
		{ "vfs_read ^#", DIAG_SPEC_BAD_FETCH, NULL },
		{ "vfs_read count ^> 5", DIAG_SPEC_BAD_FETCH, "if count > 5" },
		{ "vfs_read pos n=count ^== 5 && x", DIAG_SPEC_BAD_FETCH,
		  "if count == 5 && x" },
		{ "vfs_read ^> 5", DIAG_SPEC_BAD_FETCH, NULL },
		{ "vfs_read count ^/count > 4096/", DIAG_SPEC_BAD_FETCH, "if count" },
		{ "vfs_read $params ^$vars", DIAG_SPEC_ARGS_TWICE, NULL },
		{ "vfs_read a=%di^=5", DIAG_SPEC_TRAILING, "'=='" },
		{ "vfs_read %di^,%si", DIAG_SPEC_TRAILING, "blanks" },
		{ "vfs_read %di^)", DIAG_SPEC_TRAILING, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_dereferences(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read ^+8", DIAG_SPEC_NO_PAREN, "+8($arg1)" },
		{ "vfs_read ^+8:u8", DIAG_SPEC_NO_PAREN, NULL },
		{ "vfs_read +0(^+8)", DIAG_SPEC_NO_PAREN, NULL },
		{ "vfs_read ^+8 (%di)", DIAG_SPEC_NO_PAREN, NULL },
		{ "vfs_read ^+(%di)", DIAG_SPEC_BAD_DEREF, NULL },
		{ "vfs_read ^+u(%di)", DIAG_SPEC_BAD_DEREF, NULL },
		{ "vfs_read ^+8x(%di)", DIAG_SPEC_BAD_DEREF, NULL },
		{ "p vfs_read ^--8(%di)", DIAG_SPEC_BAD_DEREF, NULL },
		{ "vfs_read ^+0x8000000000000000(%di)", DIAG_SPEC_BAD_DEREF, NULL },
		{ "vfs_read ^-0x8000000000000001(%di)", DIAG_SPEC_BAD_DEREF, NULL },
		{ "vfs_read +0(^+u8z(%di))", DIAG_SPEC_BAD_DEREF, NULL },
		{ "vfs_read +8(^)", DIAG_SPEC_NO_OPERAND, "single quotes" },
		{ "vfs_read +8(^", DIAG_SPEC_NO_OPERAND, NULL },
		{ "vfs_read a=^:u8", DIAG_SPEC_NO_OPERAND, NULL },
		{ "vfs_read +0(%di^", DIAG_SPEC_NO_CLOSE, NULL },
		{ "p vfs_read +0(%di^ +8(%si)", DIAG_SPEC_NO_CLOSE, NULL },
		{ "vfs_read +0(%di +8^(%si)", DIAG_SPEC_TRAILING, NULL },
		{ "vfs_read +0(%di ^$arg1", DIAG_SPEC_TRAILING, NULL },
		{ "vfs_read +0(+8(%di^)", DIAG_SPEC_NO_CLOSE, NULL },
		{ "vfs_read +0(+8(+8(%di^:u8", DIAG_SPEC_NO_CLOSE, NULL },
		{ "vfs_read +0(^$comm)", DIAG_SPEC_COMM_DEREF, NULL },
		{ "vfs_read +u0(+8(^$comm))", DIAG_SPEC_COMM_DEREF, NULL },
		{ "vfs_read +0(%di)^x", DIAG_SPEC_TRAILING, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_types(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read %di:^", DIAG_SPEC_BAD_TYPE, "u8 to u64" },
		{ "vfs_read %di:^u46", DIAG_SPEC_BAD_TYPE, "'u64'" },
		{ "vfs_read %di:^%d", DIAG_SPEC_BAD_TYPE, "'s32'" },
		{ "vfs_read %di:^lx", DIAG_SPEC_BAD_TYPE, "'x64'" },
		{ "vfs_read %di:^%", DIAG_SPEC_BAD_TYPE, "u8 to u64" },
		{ "vfs_read %di:^strnig", DIAG_SPEC_BAD_TYPE, "'string'" },
		{ "vfs_read %di:^u8(3)", DIAG_SPEC_BAD_TYPE, NULL },
		{ "vfs_read %di:^u8:u8", DIAG_SPEC_BAD_TYPE, NULL },
		{ "vfs_read +0(%di):^string(8", DIAG_SPEC_BAD_TYPE, NULL },
		{ "vfs_read %di:^b4@0", DIAG_SPEC_BAD_BITS, "bW@O/S" },
		{ "vfs_read %di:^b0@0/8", DIAG_SPEC_BAD_BITS, NULL },
		{ "vfs_read %di:^b5@4/8", DIAG_SPEC_BAD_BITS, NULL },
		{ "vfs_read %di:^b5@4/24", DIAG_SPEC_BAD_BITS, NULL },
		{ "vfs_read %di:^sb@4/32", DIAG_SPEC_BAD_BITS, NULL },
		{ "vfs_read %di:^b4@4/32x", DIAG_SPEC_BAD_BITS, NULL },
		{ "vfs_read %di:^%px", DIAG_SPEC_BAD_TYPE, NULL },
		{ "vfs_read %di:^symbol(8)", DIAG_SPEC_BAD_TYPE, NULL },
		{ "vfs_read +0(%di):u8[4^", DIAG_SPEC_NO_BRACKET, NULL },
		{ "vfs_read +0(%di):u8[4]^x", DIAG_SPEC_ARRAY_SUFFIX, NULL },
		{ "vfs_read +0(%di):u8[^0]", DIAG_SPEC_ARRAY_SIZE, NULL },
		{ "vfs_read +0(%di):u8[^-1]", DIAG_SPEC_ARRAY_SIZE, NULL },
		{ "vfs_read +0(%di):u8[^16385]", DIAG_SPEC_ARRAY_SIZE, "" },
		{ "vfs_read +0(%di):x64[^2049]", DIAG_SPEC_ARRAY_SIZE, NULL },
		{ "vfs_read %di:^u8[4]", DIAG_SPEC_BAD_ARRAY, "+0(%di)" },
		{ "vfs_read %di:^string[4]", DIAG_SPEC_BAD_ARRAY, NULL },
		{ "vfs_read \\5:^u8[4]", DIAG_SPEC_BAD_ARRAY, NULL },
		{ "vfs_read +0(%di):^%pd[2]", DIAG_SPEC_BAD_TYPE, NULL },
		{ "vfs_read $comm:^string[2]", DIAG_SPEC_COMM_TYPE, NULL },
		{ "vfs_read %di+1:^string", DIAG_SPEC_BAD_STRING, "+0(%di+1)" },
		{ "vfs_read +0(%di):string(^0)", DIAG_SPEC_BAD_LIMIT, NULL },
		{ "vfs_read +0(%di):string(^)", DIAG_SPEC_BAD_LIMIT, NULL },
		{ "vfs_read +0(%di):string(^x)", DIAG_SPEC_BAD_LIMIT, NULL },
		{ "vfs_read +0(%di):ustring(^16385)", DIAG_SPEC_BAD_LIMIT, NULL },
		{ "vfs_read %di:^string", DIAG_SPEC_BAD_STRING, "+0(%di)" },
		{ "vfs_read $arg1:^ustring", DIAG_SPEC_BAD_STRING, "+0($arg1)" },
		{ "vfs_read $stack0:^string(8)", DIAG_SPEC_BAD_STRING, NULL },
		{ "vfs_read $comm:^u8", DIAG_SPEC_COMM_TYPE, NULL },
		{ "vfs_read $comm:^ustring", DIAG_SPEC_COMM_TYPE, NULL },
		{ "vfs_read $comm:^string(4)", DIAG_SPEC_COMM_TYPE, NULL },
		{ "vfs_read \\\"a\":^u8", DIAG_SPEC_COMM_TYPE, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_c_expressions(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read a=(%di^", DIAG_SPEC_NO_CLOSE, NULL },
		{ "vfs_read a=((%di)^:u8", DIAG_SPEC_NO_CLOSE, NULL },
		{ "vfs_read a=%di^)", DIAG_SPEC_TRAILING, NULL },
		{ "vfs_read a=%di+^", DIAG_SPEC_NO_OPERAND, NULL },
		{ "vfs_read a=(^)", DIAG_SPEC_NO_OPERAND, NULL },
		{ "vfs_read a=%di?1^", DIAG_SPEC_NO_COLON, NULL },
		{ "vfs_read a=%di?^:2", DIAG_SPEC_NO_OPERAND, NULL },
		{ "vfs_read a=%di?1:^", DIAG_SPEC_NO_OPERAND, NULL },
		{ "vfs_read a=(%di?1^)", DIAG_SPEC_NO_COLON, NULL },
		{ "vfs_read a=(%di+%si)^x", DIAG_SPEC_TRAILING, NULL },
		{ "vfs_read a=%di^-", DIAG_SPEC_SHELL_CUT, NULL },
		{ "vfs_read a=^''", DIAG_SPEC_BAD_IMM, NULL },
		{ "vfs_read a=^'ab'", DIAG_SPEC_BAD_IMM, NULL },
		{ "vfs_read a='a^", DIAG_SPEC_NO_QUOTE, NULL },
		{ "vfs_read a=^1uz", DIAG_SPEC_BAD_IMM, NULL },
		{ "vfs_read a=$arg1+@jiffies+^+8", DIAG_SPEC_NO_PAREN, NULL },
		{ "p vfs_read a=%di:^u8+1", DIAG_SPEC_BAD_TYPE, NULL },
		{ "p vfs_read ^(%di+1)", DIAG_SPEC_BAD_FETCH, NULL },
		{ "p vfs_read ^!%di", DIAG_SPEC_BAD_FETCH, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_filters(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read if^", DIAG_SPEC_NO_FILTER, "if count" },
		{ "vfs_read ^by", DIAG_SPEC_NO_KEY, "by $comm" },
		{ "vfs_read ^by if 1", DIAG_SPEC_NO_KEY, NULL },
		{ "vfs_read by 1 ^by 2", DIAG_SPEC_BY_TWICE, NULL },
		{ "vfs_read by ^sum(1)", DIAG_SPEC_KEY_FUNCTION, NULL },
		{ "vfs_read by ^count()", DIAG_SPEC_KEY_FUNCTION, NULL },
		{ "vfs_read ^sum()", DIAG_SPEC_NO_VALUE, "sum(count)" },
		{ "vfs_read n=^count()", DIAG_SPEC_NAMED_COUNT, NULL },
		{ "vfs_read ^sum(1)+1", DIAG_SPEC_NO_VALUE, NULL },
		{ "vfs_read ^store(1)", DIAG_SPEC_BAD_STORE, "store(bio,$now)" },
		{ "vfs_read ^store(,1)", DIAG_SPEC_BAD_STORE, NULL },
		{ "vfs_read ^store(1,)", DIAG_SPEC_BAD_STORE, NULL },
		{ "vfs_read ^store(1,2)+1", DIAG_SPEC_BAD_STORE, NULL },
		{ "vfs_read ^store(1,2", DIAG_SPEC_BAD_STORE, NULL },
		{ "vfs_read store(1,2^:u8)", DIAG_SPEC_TRAILING, "(u8)x" },
		{ "vfs_read store(1,2^,3)", DIAG_SPEC_TRAILING, NULL },
		{ "vfs_read ^a=store(1,2)", DIAG_SPEC_NAMED_STORE, NULL },
		{ "vfs_read by ^store(1,2)", DIAG_SPEC_KEY_FUNCTION, NULL },
		{ "vfs_read $load(1^", DIAG_SPEC_NO_CLOSE, NULL },
		{ "vfs_read $take(^)", DIAG_SPEC_NO_OPERAND, NULL },
		{ "vfs_read ^$load", DIAG_SPEC_BAD_VAR, "$load(x)" },
		{ "vfs_read hist(1,^2)", DIAG_SPEC_BAD_STEPS, "MIN,MAX,STEP" },
		{ "vfs_read hist(1,^2,3,4,5)", DIAG_SPEC_BAD_STEPS, NULL },
		{ "vfs_read hist(1,^0,10,0)", DIAG_SPEC_BAD_STEPS, NULL },
		{ "vfs_read hist(1,^0,1025,1)", DIAG_SPEC_BAD_STEPS, NULL },
		{ "vfs_read hist(1,^5,5,1)", DIAG_SPEC_BAD_STEPS, NULL },
		{ "vfs_read %di if^   ", DIAG_SPEC_NO_FILTER, NULL },
		{ "vfs_read if %di ^= 3", DIAG_SPEC_TRAILING, "'=='" },
		{ "vfs_read if %di ==^ ", DIAG_SPEC_NO_OPERAND, NULL },
		{ "vfs_read if (%di == 3^", DIAG_SPEC_NO_CLOSE, NULL },
		{ "vfs_read if %di == 3^)", DIAG_SPEC_TRAILING, NULL },
		{ "vfs_read if %di == 3^:u8", DIAG_SPEC_TRAILING, NULL },
		{ "vfs_read if %di ^:u8", DIAG_SPEC_TRAILING, "(u8)x" },
		{ "vfs_read sum(%di :^u9)", DIAG_SPEC_BAD_TYPE, "'u8'" },
		{ "vfs_read sum(%di : ^)", DIAG_SPEC_BAD_TYPE, NULL },
		{ "vfs_read hist(1,^0, ,1)", DIAG_SPEC_BAD_STEPS, NULL },
		{ "vfs_read if $comm == \"cat^", DIAG_SPEC_NO_QUOTE, NULL },
		{ "vfs_read if $comm == \"cat\\\"^", DIAG_SPEC_NO_QUOTE, NULL },
		{ "vfs_read if %di == 3 ^$arg1 == 4", DIAG_SPEC_TRAILING, NULL },
		{ "vfs_read if count ^and 4", DIAG_SPEC_TRAILING, NULL },
		{ "vfs_read if %di && ^&& 1", DIAG_SPEC_BAD_FETCH, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

/* Values of a command that only counts, and none for one that adds up. */
static void test_aggregates(void **state)
{
	static const struct {
		const char *text;
		enum aggregate_kind kind;
		enum diag_code code;
		size_t column;
	} rows[] = {
		{ "g %di x=%si by 1", AGGREGATE_NONE, DIAG_SPEC_COUNT_VALUE, 2 },
		{ "g sum(%di) %si by 1", AGGREGATE_NONE, DIAG_SPEC_COUNT_VALUE, 11 },
		{ "g by 1", AGGREGATE_SUM, DIAG_SPEC_NOTHING_TO_ADD, 6 },
		{ "g", AGGREGATE_STATS, DIAG_SPEC_NOTHING_TO_ADD, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct aggregate want = { .kind = rows[i].kind };
		struct probe_spec *spec = NULL;
		struct diag d = {};

		assert_int_equal(spec_parse(rows[i].text, NULL, &spec), 0);
		assert_int_equal(spec_aggregate(spec, &want, &d), -EINVAL);
		assert_int_equal(d.code, rows[i].code);
		assert_int_equal(d.column, rows[i].column);
		met[d.code] = true;
		spec_free(spec);
		diag_clear(&d);
	}
}

static void test_kernel_lines(void **state)
{
	static const struct row rows[] = {
		{ "^e:a/b sched.sched_switch", DIAG_SPEC_EVENT_PROBE,
		  "'t sched_switch'" },
		{ "^e sched/sched_switch a=$x", DIAG_SPEC_EVENT_PROBE,
		  "'t sched_switch'" },
		{ "^e:a/b", DIAG_SPEC_EVENT_PROBE, "'t NAME'" },
		{ "!^e:a/b sched.sched_switch", DIAG_SPEC_EVENT_PROBE, NULL },
		{ "!^x:a/b vfs_read", DIAG_SPEC_BAD_PLACE, NULL },
		{ "p^1 vfs_read", DIAG_SPEC_MAXACTIVE, NULL },
		{ "p^ ", DIAG_SPEC_NO_PLACE, NULL },
		{ "p:foo^", DIAG_SPEC_NO_PLACE, "p:foo foo" },
		{ "r:g/foo^ ", DIAG_SPEC_NO_PLACE, "event's name" },
		{ "p:^ vfs_read", DIAG_SPEC_NO_EVENT, NULL },
		{ "-:^", DIAG_SPEC_NO_EVENT, NULL },
		{ "-:^1", DIAG_SPEC_BAD_EVENT, NULL },
		{ "!p^ vfs_read", DIAG_SPEC_NO_EVENT, NULL },
		{ "-:foo vfs_read ^$nope", DIAG_SPEC_BAD_VAR, NULL },
		/* the kernel points at the place, also for its offset */
		{ "p ^vfs_read+z", DIAG_SPEC_BAD_OFFSET, NULL },
		{ "p ^vfs_*", DIAG_SPEC_BAD_PLACE, NULL },
		{ "p vfs_read ^123", DIAG_SPEC_BAD_FETCH, NULL },
		{ "p vfs_read ^(%di)", DIAG_SPEC_BAD_FETCH, NULL },
		{ "p vfs_read a=^=b", DIAG_SPEC_BAD_FETCH, NULL },
		{ "p vfs_read %di ^arg1=%si", DIAG_SPEC_USED_NAME, NULL },
		{ "p vfs_read arg2=%di ^%si", DIAG_SPEC_USED_NAME, NULL },
		/* a blank ends an argument, also in brackets */
		{ "p vfs_read +0(^ %di)", DIAG_SPEC_NO_OPERAND, NULL },
		{ "p vfs_read a=\\\"abc^", DIAG_SPEC_NO_QUOTE, NULL },
		{ "p vfs_read a=\\^\"a\001\"", DIAG_SPEC_BAD_TEXT, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

/*
 * What the kernel's own parser refuses, at the column where it does so: the
 * definitions are those of its tests kprobe_syntax_errors.tc,
 * uprobe_syntax_errors.tc and fprobe_syntax_errors.tc, each with its error.
 */
static void test_kernel_errors(void **state)
{
	static const struct row rows[] = {
		/* NO_REGULAR_FILE, FILE_NOT_FOUND: see the resolver's tests */
		{ "p /bin/sh:^10a", DIAG_SPEC_BAD_FILE_PLACE, NULL },	/* BAD_UPROBE_OFFS */
		{ "p /bin/sh:^main", DIAG_SPEC_BAD_FILE_PLACE, NULL },
		{ "p /bin/sh:10(^1a)", DIAG_SPEC_BAD_REF, NULL },	/* BAD_REFCNT */
		{ "p /bin/sh:10(10^", DIAG_SPEC_REF_CLOSE, NULL },	/* REFCNT_OPEN_BRACE */
		{ "p /bin/sh:10(10)^a", DIAG_SPEC_REF_SUFFIX, NULL },	/* BAD_REFCNT_SUFFIX */
		{ "p /bin/sh:10(10)^%return", DIAG_SPEC_REF_SUFFIX, NULL },
		{ "p /bin/sh:10 ^@+1z", DIAG_SPEC_BAD_FILE_PLACE, NULL },	/* BAD_FILE_OFFS */
		{ "p /bin/sh:10 +0(^@+)", DIAG_SPEC_BAD_FILE_PLACE, NULL },
		{ "p /bin/sh:10 ^@+0x8000000000000000", DIAG_SPEC_BAD_FILE_PLACE, NULL },
		{ "p /bin/sh:10 %di:^symbol", DIAG_SPEC_KERNEL_TYPE, "x64" },	/* BAD_TYPE */
		{ "p /bin/sh:10 %di:^symstr", DIAG_SPEC_KERNEL_TYPE, NULL },
		{ "p /bin/sh:10^%hoge", DIAG_SPEC_BAD_SUFFIX, NULL },	/* BAD_ADDR_SUFFIX */
		{ "p^100 vfs_read", DIAG_SPEC_MAXACTIVE, NULL },	/* BAD_MAXACT_TYPE */
		{ "p^100 vfs_read%return", DIAG_SPEC_MAXACTIVE, NULL },
		{ "t^10 sched_switch", DIAG_SPEC_MAXACTIVE, NULL },
		{ "f^10 vfs_read", DIAG_SPEC_MAXACTIVE, NULL },
		{ "r^0 vfs_read", DIAG_SPEC_BAD_MAXACTIVE, NULL },	/* BAD_MAXACT */
		{ "r^4294967296 vfs_read", DIAG_SPEC_BAD_MAXACTIVE, NULL },
		{ "f^08 vfs_read%return", DIAG_SPEC_BAD_MAXACTIVE, NULL },
		{ "r^100000 vfs_read", DIAG_SPEC_MAXACTIVE_BIG, NULL },	/* MAXACT_TOO_BIG */
		{ "p ^hoge-fuga", DIAG_SPEC_BAD_OFFSET, NULL },		/* BAD_PROBE_ADDR */
		{ "p ^hoge+1000-1000", DIAG_SPEC_BAD_OFFSET, NULL },
		{ "p ^/bin/sh", DIAG_SPEC_BAD_PLACE, NULL },
		{ "p ^0x1000%return", DIAG_SPEC_BAD_PLACE, NULL },
		{ "r ^vfs_read+10", DIAG_SPEC_BAD_RETURN, NULL },	/* BAD_RETPROBE */
		{ "p ^vfs_read+10%return", DIAG_SPEC_BAD_RETURN, NULL },
		{ "f ^vfs_read+10", DIAG_SPEC_ENTRY_ONLY, "'p'" },
		{ "f ^0x1000", DIAG_SPEC_BAD_PLACE, NULL },
		{ "p vfs_read^%hoge", DIAG_SPEC_BAD_SUFFIX, NULL },	/* BAD_ADDR_SUFFIX */
		{ "f vfs_read^%hoge", DIAG_SPEC_BAD_SUFFIX, NULL },
		{ "t kmem^/kfree", DIAG_SPEC_BAD_TRACEPOINT, "'kfree'" },	/* BAD_TP_NAME */
		{ "t kfree^%return", DIAG_SPEC_BAD_TRACEPOINT, NULL },
		{ "p:^/bar vfs_read", DIAG_SPEC_NO_GROUP, NULL },	/* NO_GROUP_NAME */
		{ "p:^" NAME64 "/bar vfs_read", DIAG_SPEC_GROUP_TOO_LONG, NULL },
		{ "p:^foo.1/bar vfs_read", DIAG_SPEC_BAD_GROUP, NULL },	/* BAD_GROUP_NAME */
		{ "p:^ vfs_read", DIAG_SPEC_NO_EVENT, NULL },		/* NO_EVENT_NAME */
		{ "p:foo/^" NAME64 " vfs_read", DIAG_SPEC_EVENT_TOO_LONG, NULL },
		{ "p:foo/^bar.1 vfs_read", DIAG_SPEC_BAD_EVENT, NULL },	/* BAD_EVENT_NAME */
		{ "r5:^ vfs_read", DIAG_SPEC_NO_EVENT, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_foreign_lines(void **state)
{
	static const struct row rows[] = {
		{ "^kprobe:vfs_read { printf(\"x\"); }", DIAG_SPEC_FOREIGN,
		  "ktap's form is 'vfs_read'" },
		{ "^kprobe:vfs_read", DIAG_SPEC_FOREIGN, "'vfs_read'" },
		{ "^uprobe:/bin/bash:readline", DIAG_SPEC_FOREIGN,
		  "'-x /bin/bash readline'" },
		{ "^uretprobe:/bin/bash:readline", DIAG_SPEC_FOREIGN, "%return" },
		{ "^process(\"/bin/ls\").function(\"main\")", DIAG_SPEC_FOREIGN,
		  "'-x /bin/ls main'" },
		{ "^vfs_read.return", DIAG_SPEC_FOREIGN, "'vfs_read%return'" },
		{ "^vfs_read.return\v$retval", DIAG_SPEC_FOREIGN, "'vfs_read%return'" },
		{ "^vfs_read.return $retval", DIAG_SPEC_FOREIGN,
		  "'vfs_read%return'" },
		{ "^profile:hz:99 { @[kstack] = count(); }", DIAG_SPEC_FOREIGN,
		  "ktap's form is 'timer:99hz'" },
		{ "^profile:ms:10", DIAG_SPEC_FOREIGN, "'timer:99hz' on each CPU" },
		{ "^profile:hz:", DIAG_SPEC_FOREIGN, "'timer:99hz' on each CPU" },
		{ "^interval:s:1", DIAG_SPEC_FOREIGN, "ktap's form is 'timer:1s'" },
		{ "^interval:ms:250/pid/", DIAG_SPEC_FOREIGN, "'timer:250ms'" },
		{ "^interval:us:500", DIAG_SPEC_FOREIGN, "'timer:500us'" },
		{ "^interval:hz:5", DIAG_SPEC_FOREIGN, "'timer:100ms' on one" },
		{ "^timer.s(5)", DIAG_SPEC_FOREIGN, "'timer:5s'" },
		{ "^timer.sec(5)", DIAG_SPEC_FOREIGN, "'timer:5s'" },
		{ "^probe timer.ms(200).randomize(50) { }", DIAG_SPEC_FOREIGN,
		  "'timer:200ms'" },
		{ "^timer.msec(2)", DIAG_SPEC_FOREIGN, "'timer:2ms'" },
		{ "^timer.us(200)", DIAG_SPEC_FOREIGN, "'timer:200us'" },
		{ "^timer.usec(200)", DIAG_SPEC_FOREIGN, "'timer:200us'" },
		{ "^timer.ns(200)", DIAG_SPEC_FOREIGN, "'timer:1s'" },
		{ "^timer.nsec(200)", DIAG_SPEC_FOREIGN, "'timer:1s'" },
		{ "^timer.hz(200)", DIAG_SPEC_FOREIGN, "'timer:1s'" },
		{ "^timer.jiffies(2)", DIAG_SPEC_FOREIGN, "'timer:1s'" },
		{ "^probe timer.profile", DIAG_SPEC_FOREIGN,
		  "'timer:99hz' on each CPU" },
		{ "^kprobe:vfs_read/pid == 3/{ }", DIAG_SPEC_FOREIGN,
		  "'vfs_read'" },
		{ "^kprobe:vfs_read+8,kprobe:f {}", DIAG_SPEC_FOREIGN,
		  "'vfs_read+8'" },
		{ " ^kretprobe:vfs_read { }", DIAG_SPEC_FOREIGN,
		  "ktap's form is 'vfs_read%return'" },
		{ "^k:vfs_read { }", DIAG_SPEC_FOREIGN, "'vfs_read'" },
		{ "^kprobe:{ }", DIAG_SPEC_FOREIGN, "'SYMBOL ARG...'" },
		{ "^probe kernel.function(\"vfs_read\") { exit() }",
		  DIAG_SPEC_FOREIGN, "'vfs_read'" },
		{ "vfs_read ^{ printf(\"x\"); }", DIAG_SPEC_FOREIGN,
		  "'SYMBOL ARG...'" },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

/* The texts that quote show what was typed, no more and no less. */
static void test_messages(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "vfs_read:12x", "bad line '12x'" },
		{ "vfs_read+zz %di", "bad offset '+zz'" },
		{ "vfs_read a=%di b= c=%si", "nothing follows 'b='" },
		{ "vfs_read x=$stack4000:u8",
		  "bad stack word '4000': they are numbered from 0 to 2048" },
		{ "vfs_read +0(file-", "'+0(file-' looks cut by the shell" },
		{ "vfs_read +z8(%di)", "bad offset 'z8' of a dereference" },
		{ "p:a/b-c f", "bad event name 'b-c'" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct probe_spec *spec;
		struct diag d = {};

		assert_int_equal(spec_parse(rows[i].text, &d, &spec), -EINVAL);
		assert_string_equal(d.message, rows[i].message);
		diag_clear(&d);
	}
}

/* Trees are walked by recursion: none is higher than that allows. */
static void test_depth(void **state)
{
	static const char *const parts[] = {
		"+0(", "(", "-", "1?", "1?1:", "(s32)", "1+(",
	};
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		struct probe_spec *spec = NULL;
		struct buf b = BUF_INIT;
		struct diag d = {};

		buf_puts(&b, "g a=");
		for (k = 0; k < 1100; k++)
			buf_puts(&b, parts[i]);
		buf_puts(&b, "%di");
		assert_int_equal(spec_parse(buf_str(&b), &d, &spec), -EINVAL);
		assert_int_equal(d.code, DIAG_SPEC_TOO_DEEP);
		met[d.code] = true;
		diag_clear(&d);
		buf_deinit(&b);
	}
}

/* Chains lean to the left: they are as high without any bracket. */
static void test_long_chain(void **state)
{
	struct probe_spec *spec = NULL;
	struct buf b = BUF_INIT;
	struct diag d = {};
	size_t i;

	buf_puts(&b, "g a=1");
	for (i = 0; i < 1100; i++)
		buf_puts(&b, "+1");
	assert_int_equal(spec_parse(buf_str(&b), &d, &spec), -EINVAL);
	assert_int_equal(d.code, DIAG_SPEC_TOO_DEEP);
	diag_clear(&d);
	buf_deinit(&b);
}

/* Errors do not depend on anybody listening. */
static void test_without_diag(void **state)
{
	struct probe_spec *spec = NULL;

	assert_int_equal(spec_parse("vfs_read $nope", NULL, &spec), -EINVAL);
	assert_null(spec);
}

static void test_limits(void **state)
{
	static char text[40000];
	struct probe_spec *spec;
	struct diag d = {};
	size_t i, at;

	memset(text, 'a', 32769);
	assert_int_equal(spec_parse(text, &d, &spec), -EINVAL);
	assert_int_equal(d.code, DIAG_SPEC_TOO_LONG);
	assert_int_equal(d.column, 32768);
	met[d.code] = true;
	diag_clear(&d);

	memset(text, 0, sizeof(text));
	at = sprintf(text, "g");
	for (i = 0; i < 512; i++)
		at += sprintf(text + at, " %%di");
	assert_int_equal(spec_parse(text, &d, &spec), 0);
	assert_int_equal(spec->nr_args, 512);
	spec_free(spec);
	sprintf(text + at, " %%si");
	assert_int_equal(spec_parse(text, &d, &spec), -EINVAL);
	assert_int_equal(d.code, DIAG_SPEC_TOO_MANY_ARGS);
	assert_int_equal(d.column, at + 1);
	met[d.code] = true;
	diag_clear(&d);
}

/* Of a file of definitions: a line that is no text, or has no end. */
static void test_listed(void **state)
{
	static char bytes[LISTED_BYTES_MAX + 8];
	struct {
		char fill;
		enum diag_code code;
	} cases[] = {
		{ 0, DIAG_INPUT_NUL },
		{ 'x', DIAG_INPUT_LONG },
	};
	struct listed in = {};
	struct diag d = {};
	char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memset(bytes, cases[i].fill, sizeof(bytes));
		memcpy(bytes, " f #\n", 5);
		in = (struct listed){ .f = fmemopen(bytes, sizeof(bytes), "r") };
		assert_int_equal(listed_next(&in, &d, &text), 1);
		assert_string_equal(text, "f");
		assert_int_equal(listed_next(&in, &d, &text), -EINVAL);
		assert_int_equal(d.code, cases[i].code);
		assert_int_equal(in.number, 2);
		met[d.code] = true;
		diag_clear(&d);
		listed_deinit(&in);
		fclose(in.f);
	}
}

/* A line's end is one behind a backslash in quotes, too. */
static void test_listed_ends(void **state)
{
	char bytes[] = "a=\"\\\n  b \\\" # \\\n";
	struct listed in = { .f = fmemopen(bytes, strlen(bytes), "r") };
	struct diag d = {};
	char *text;

	assert_int_equal(listed_next(&in, &d, &text), 1);
	assert_string_equal(text, "a=\"\\");
	assert_int_equal(listed_next(&in, &d, &text), 1);
	assert_string_equal(text, "b \\\" # \\");
	assert_int_equal(listed_next(&in, &d, &text), 0);
	assert_int_equal(in.number, 2);
	listed_deinit(&in);
	fclose(in.f);
}

/* Tests run in order: this is the last. */
static void test_every_row_was_met(void **state)
{
	static const enum diag_code codes[] = {
#define DIAG(name, status, text) DIAG_##name,
#include "spec/errors.def"
#undef DIAG
	};

	assert_int_equal(caret_not_met(met, codes, ARRAY_SIZE(codes)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_source_places),
		cmocka_unit_test(test_kinds_of_places),
		cmocka_unit_test(test_arg_names),
		cmocka_unit_test(test_operands),
		cmocka_unit_test(test_dereferences),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_c_expressions),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_aggregates),
		cmocka_unit_test(test_kernel_lines),
		cmocka_unit_test(test_kernel_errors),
		cmocka_unit_test(test_foreign_lines),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_long_chain),
		cmocka_unit_test(test_without_diag),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_listed),
		cmocka_unit_test(test_listed_ends),
		cmocka_unit_test(test_every_row_was_met),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
