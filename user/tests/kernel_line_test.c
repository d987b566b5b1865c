// SPDX-License-Identifier: GPL-2.0
/* Definitions as lines of the kernel, and those that it could not read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "base/array.h"
#include "codegen/compile.h"
#include "codegen/kernel_line.h"
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

/* The line of a definition for the kernel; a compiled one has a name. */
static int line_of(const char *text, enum ktap_arch arch, struct diag *d,
		   struct buf *b)
{
	struct kernel_of of = { .ks = ks };
	struct built built;
	int err = built_init(&built, ks, text, arch, d);

	if (err)
		fail_msg("%s: %s", text, d->message);
	if (!built.spec->name)
		built.spec->name = spec_default_name(built.spec);
	of.name = built.spec->name;
	of.maxactive = built.spec->place.maxactive;
	of.place_at = built.spec->place.at;
	err = kernel_line(built.terms, &built.place, arch, &of, d, b);
	built_deinit(&built);
	return err;
}

static void is_line(const char *text, enum ktap_arch arch, const char *line)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct diag d = {};

	if (line_of(text, arch, &d, &b))
		fail_msg("%s: %s", text, d.message);
	assert_string_equal(buf_str(&b), line);
}

static void test_places(void **state)
{
	is_line("vfs_read", X86, "p:kprobes/vfs_read vfs_read+0");
	is_line("g:e=vfs_read+4", X86, "p:g/e vfs_read+4");
	is_line("vfs_read%return $retval", X86,
		"r:kprobes/vfs_read__return vfs_read+0 retval=$retval");
	is_line("r7:a/b vfs_read", X86, "r7:a/b vfs_read+0");
	is_line("e=xfs:xfs_read", X86, "p:kprobes/e xfs:xfs_read+0");
	/* two functions have the name of that address */
	is_line("e=0xffffffff81000304", X86, "p:kprobes/e 0xffffffff81000304");
	is_line("e=0xffffffff81000104", X86, "p:kprobes/e vfs_read+4");
}

static void test_arguments(void **state)
{
	is_line("e=vfs_read a=%si:u8 b=$arg1 c=$arg7 d=$stack e=$stack3:x16",
		X86,
		"p:kprobes/e vfs_read+0 a=%si:u8 b=%di c=$stack1 d=$stack e=$stack3:x16");
	is_line("e=vfs_read a=$arg1 b=$arg9", ARM,
		"p:kprobes/e vfs_read+0 a=%x0 b=$stack0");
	is_line("e=vfs_read%return $arg2", X86,
		"r:kprobes/e vfs_read+0 arg2=$arg2");
	is_line("e=sys:openat $arg2", X86,
		"p:kprobes/e __x64_sys_openat+0 arg2=+104(%di)");
	is_line("e=vfs_read a=+8(-16(%di)):s32 b=+u8(%si):string c=\\-3", X86,
		"p:kprobes/e vfs_read+0 a=+8(-16(%di)):s32 b=+u8(%si):string c=\\-3");
	is_line("e=vfs_read a=+0(%di):ustring b=+0(%di):u8[64] c=%ax:b3@5/16",
		X86,
		"p:kprobes/e vfs_read+0 a=+0(%di):ustring b=+0(%di):u8[64] c=%ax:b3@5/16");
	is_line("e=vfs_read a=$comm b=\\\"text\" c=%ax:symbol d=%ax:symstr e=%ax:char",
		X86,
		"p:kprobes/e vfs_read+0 a=$comm b=\\\"text\" c=%ax:symbol d=%ax:symstr e=%ax:char");
}

static void test_fixed_addresses(void **state)
{
	is_line("e=vfs_read a=@counter b=@counter+8:u8 c=@0xffffffff81001004:u32",
		X86,
		"p:kprobes/e vfs_read+0 a=@counter+0 b=@counter+8:u8 c=@0xffffffff81001004:u32");
	is_line("e=vfs_read a=+4(0xffffffff81001000)", X86,
		"p:kprobes/e vfs_read+0 a=@counter+4");
	/* what is called like another cannot be named */
	is_line("e=vfs_read a=+4(0xffffffff81000400)", X86,
		"p:kprobes/e vfs_read+0 a=@0xffffffff81000404");
	is_line("e=vfs_read a=+4(16)", X86,
		"p:kprobes/e vfs_read+0 a=@0x14");
}

/* Constants that are added are part of the dereference. */
static void test_sums(void **state)
{
	is_line("e=vfs_read a=+8(%di+4) b=-24(%di+8)", X86,
		"p:kprobes/e vfs_read+0 a=+12(%di) b=-16(%di)");
}

static void test_refused(void **state)
{
	static const struct {
		const char *marked, *message;
		enum diag_code code;
	} rows[] = {
		{ "vfs_read ^a=%di+8", "it is an address, not what is there",
		  DIAG_KERNEL_NO_ARG },
		{ "vfs_read ^a=%di*8", "it is computed", DIAG_KERNEL_NO_ARG },
		{ "vfs_read ^a=-%di", "it is computed", DIAG_KERNEL_NO_ARG },
		{ "vfs_read ^a=(u8)%di", "no other type", DIAG_KERNEL_NO_ARG },
		{ "vfs_read ^a=%di?1:%si", "a condition", DIAG_KERNEL_NO_ARG },
		{ "vfs_read ^$cpu", "only ktap knows who runs",
		  DIAG_KERNEL_NO_ARG },
		{ "vfs_read%return ^$elapsed", "only ktap counts the time",
		  DIAG_KERNEL_NO_ARG },
		{ "vfs_read%return ^a=$entry(%di)", "kept from the entry",
		  DIAG_KERNEL_NO_ARG },
		{ "vfs_read ^a=+0(%di):string(16)", "strings have no limit",
		  DIAG_KERNEL_NO_ARG },
		{ "vfs_read ^a=%di:sb3@5/16", "bit-fields have no sign",
		  DIAG_KERNEL_NO_ARG },
		{ "vfs_read ^a=%ax:errno", "names of errors",
		  DIAG_KERNEL_NO_ARG },
		{ "vfs_read ^a=+0(%di):u8[65]", "at most 64 elements",
		  DIAG_KERNEL_NO_ARG },
		{ "vfs_read ^a=\\\"a b\"", "neither blanks nor quotes",
		  DIAG_KERNEL_NO_ARG },
		{ "vfs_read a=%di ^store(%di,1)", "cannot store values",
		  DIAG_KERNEL_NO_STORE },
		{ "vfs_read ^a=$load(%di)", "stores values for other probes",
		  DIAG_KERNEL_NO_ARG },
		{ "vfs_read if ^%di", "has no condition",
		  DIAG_KERNEL_NO_FILTER },
		{ "^tracepoint:sched_switch", "cannot express a tracepoint",
		  DIAG_KERNEL_NO_PLACE },
		{ "^mem:counter", "cannot express a watchpoint",
		  DIAG_KERNEL_NO_PLACE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_buf_ struct buf b = BUF_INIT;
		struct diag d = {};
		struct caret c;

		assert_true(caret_init(&c, rows[i].marked));
		assert_int_equal(line_of(c.text, X86, &d, &b), -EINVAL);
		assert_true(caret_check(&c, &d, rows[i].code, NULL));
		if (!strstr(d.message, rows[i].message))
			fail_msg("%s: %s", c.text, d.message);
		met[d.code] = true;
		diag_clear(&d);
	}
}

/* Tests run in order: this is the last. */
static void test_every_row_was_met(void **state)
{
	static const enum diag_code codes[] = {
#define DIAG(name, status, text) DIAG_##name,
#include "codegen/kernel_errors.def"
#undef DIAG
	};

	assert_int_equal(caret_not_met(met, codes, ARRAY_SIZE(codes)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_fixed_addresses),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_every_row_was_met),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
