// SPDX-License-Identifier: GPL-2.0
/* What definitions mean: names, places, arguments, and their canonical text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include <linux/ktap.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "spec/spec.h"

static struct probe_spec *parse(const char *text)
{
	struct probe_spec *spec = NULL;
	struct diag d = {};

	if (spec_parse(text, &d, &spec)) {
		print_error("%s: %s\n", text, d.message);
		diag_clear(&d);
	}
	assert_non_null(spec);
	return spec;
}

#define S63 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define S55 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define S61 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void test_event_names(void **state)
{
	static const struct {
		const char *text, *name, *made;
	} rows[] = {
		{ "vfs_read", NULL, "vfs_read" },
		{ "  vfs_read  %di ", NULL, "vfs_read" },
		{ "vfs_read+8", NULL, "vfs_read" },
		{ "xfs:xfs_read.isra.0", NULL, "xfs_read_isra_0" },
		{ "0xffffffff81000010", NULL, "probe_0xffffffff81000010" },
		{ "ev=vfs_read", "ev", "ev" },
		{ "my-grp:ev=vfs_read", "my-grp:ev", "my-grp:ev" },
		{ "g:e=0x10 %di", "g:e", "g:e" },
		{ S63 "b", NULL, S63 },
		{ S63 "=f", S63, S63 },
		/* a function whose name would start a line of the kernel's */
		{ "p+0 %di", NULL, "p" },
		{ "p", NULL, "p" },
		{ "pr %di", NULL, "pr" },
		{ "p vfs_read", NULL, "kprobes:p_vfs_read_0" },
		{ "p vfs_read+0x10", NULL, "kprobes:p_vfs_read_16" },
		{ "p xfs:a.b+1", NULL, "kprobes:p_xfs_a_b_1" },
		{ "p 0xffffffff81000010", NULL,
		  "kprobes:p_0xffffffff81000010" },
		{ "p 4096", NULL, "kprobes:p_0x1000" },
		{ "p " S63, NULL, "kprobes:p_" S61 },
		{ "p:ev vfs_read", "kprobes:ev", "kprobes:ev" },
		{ "p:grp/ev vfs_read", "grp:ev", "grp:ev" },
		{ "p:gr-p.ev vfs_read", "gr-p:ev", "gr-p:ev" },
		{ "p:grp/ vfs_read+4", "grp:p_vfs_read_4", "grp:p_vfs_read_4" },
		{ "\tp:ev\n vfs_read", "kprobes:ev", "kprobes:ev" },
		{ "vfs_read%return", NULL, "vfs_read__return" },
		{ S63 "%return", NULL, S55 "__return" },
		{ "0x10%return", NULL, "probe_0x10__return" },
		{ "tracepoint:sched_switch", NULL, "sched_switch" },
		{ "sys:openat", NULL, "sys_openat" },
		{ "sys:openat%return", NULL, "sys_openat__return" },
		{ "mem:jiffies+8/4:w", NULL, "mem_jiffies" },
		{ "mem:0x10/4:w", NULL, "mem_0x10" },
		{ "timer:99hz", NULL, "timer_99hz" },
		{ "-x a sdt:libc:setjmp", NULL, "setjmp" },
		{ "-x a memcpy@@GLIBC_2.14", NULL, "memcpy" },
		{ "-x a f", NULL, "f" },
		{ "r vfs_read", NULL, "kprobes:r_vfs_read_0" },
		{ "r:g/ vfs_read", "g:r_vfs_read_0", "g:r_vfs_read_0" },
		{ "p xfs:f%return", NULL, "kprobes:r_xfs_f_0" },
		{ "r 0x10", NULL, "kprobes:r_0x10" },
		{ "f vfs_read", NULL, "fprobes:vfs_read__entry" },
		{ "f5 vfs_read%return", NULL, "fprobes:vfs_read__exit" },
		{ "f vfs_read a=$arg1 b=$arg2", NULL,
		  "fprobes:vfs_read__entry" },
		{ "t:ev sched_switch", "tracepoints:ev", "tracepoints:ev" },
		{ "t 9p_client_req", NULL, "tracepoints:_9p_client_req" },
		{ "p /usr/lib/libc.so.6:0x10", NULL, "uprobes:p_libc_0x10" },
		{ "r /bin/sh:16", NULL, "uprobes:p_sh_0x10" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct probe_spec *spec = parse(rows[i].text);
		char *made = spec_default_name(spec);

		if (rows[i].name)
			assert_string_equal(spec->name, rows[i].name);
		else
			assert_null(spec->name);
		assert_string_equal(made, rows[i].made);
		assert_int_equal(spec->kind, SPEC_PROBE);
		free(made);
		spec_free(spec);
	}
}

static void test_deletions(void **state)
{
	static const struct {
		const char *text, *name, *symbol;
	} rows[] = {
		{ "-:ev", "ev", NULL },
		{ "-:grp/ev", "grp:ev", NULL },
		{ "-:grp/", "grp:*", NULL },
		{ "-:ev vfs_read %di", "ev", "vfs_read" },
		{ "!p:grp/ev vfs_read", "grp:ev", "vfs_read" },
		{ "!p:ev", "ev", NULL },
		{ "!r10:grp/ev vfs_read", "grp:ev", "vfs_read" },
		{ "!t:ev sched_switch", "ev", "sched_switch" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct probe_spec *spec = parse(rows[i].text);

		assert_int_equal(spec->kind, SPEC_DELETE);
		assert_true(spec->kernel_syntax);
		assert_string_equal(spec->name, rows[i].name);
		if (rows[i].symbol)
			assert_string_equal(spec->place.symbol, rows[i].symbol);
		else
			assert_null(spec->place.symbol);
		spec_free(spec);
	}
}

static void assert_span(struct span s, size_t start, size_t length)
{
	assert_int_equal(s.start, start);
	assert_int_equal(s.length, length);
}

static void test_places(void **state)
{
	struct probe_spec *spec = parse(" e=kvm-intel:vmx_run.part.3+0x1f %di");

	assert_int_equal(spec->place.kind, PLACE_SYMBOL);
	assert_string_equal(spec->place.module, "kvm-intel");
	assert_string_equal(spec->place.symbol, "vmx_run.part.3");
	assert_int_equal(spec->place.offset, 31);
	assert_span(spec->name_at, 1, 1);
	assert_span(spec->place.at, 3, 29);
	assert_span(spec->place.symbol_at, 13, 14);
	assert_span(spec->place.offset_at, 27, 5);
	spec_free(spec);

	spec = parse("f+017");
	assert_int_equal(spec->place.offset, 15);
	assert_null(spec->place.module);
	spec_free(spec);

	spec = parse("f+4294967295");
	assert_int_equal(spec->place.offset, 4294967295);
	spec_free(spec);

	spec = parse("0xffffffffffffffff");
	assert_int_equal(spec->place.kind, PLACE_ADDRESS);
	assert_true(spec->place.address == UINT64_MAX);
	assert_null(spec->place.symbol);
	spec_free(spec);
}

static void test_kinds_of_places(void **state)
{
	struct probe_spec *spec = parse("-x /lib/libc.so.6 memcpy@@GLIBC_2.14+4");

	assert_int_equal(spec->place.kind, PLACE_SYMBOL);
	assert_string_equal(spec->place.file, "/lib/libc.so.6");
	assert_span(spec->place.file_at, 3, 14);
	assert_string_equal(spec->place.symbol, "memcpy");
	assert_string_equal(spec->place.version, "GLIBC_2.14");
	assert_int_equal(spec->place.offset, 4);
	assert_span(spec->place.symbol_at, 18, 6);
	spec_free(spec);

	assert_int_equal(spec_parse_in("f %di", "a b", NULL, &spec), 0);
	assert_string_equal(spec->place.file, "a b");
	assert_int_equal(spec->place.file_at.length, 0);
	assert_string_equal(spec->place.symbol, "f");
	spec_free(spec);

	assert_int_equal(spec_parse_in("r10 f+0", "a b", NULL, &spec), 0);
	assert_true(spec->place.is_return);
	assert_int_equal(spec->place.maxactive, 10);
	assert_string_equal(spec->place.symbol, "f");
	spec_free(spec);

	spec = parse("-x \"a \\\"b\" sdt:libc:setjmp");
	assert_string_equal(spec->place.file, "a \"b");
	assert_int_equal(spec->place.kind, PLACE_SDT);
	assert_string_equal(spec->place.provider, "libc");
	assert_string_equal(spec->place.symbol, "setjmp");
	spec_free(spec);

	spec = parse("xfs:f%return(0x10)");
	assert_true(spec->place.is_return);
	assert_int_equal(spec->place.maxactive, 16);
	assert_string_equal(spec->place.symbol, "f");
	spec_free(spec);

	spec = parse("sys:openat%return");
	assert_int_equal(spec->place.kind, PLACE_SYSCALL);
	assert_string_equal(spec->place.symbol, "openat");
	assert_true(spec->place.is_return);
	spec_free(spec);

	spec = parse("tracepoint:sched_switch");
	assert_int_equal(spec->place.kind, PLACE_TRACEPOINT);
	assert_string_equal(spec->place.symbol, "sched_switch");
	spec_free(spec);

	spec = parse("mem:jiffies+8/4:wr");
	assert_int_equal(spec->place.kind, PLACE_WATCH);
	assert_string_equal(spec->place.symbol, "jiffies");
	assert_int_equal(spec->place.offset, 8);
	assert_int_equal(spec->place.watch_length, 4);
	assert_int_equal(spec->place.watch_access,
			 KTAP_ACCESS_READ | KTAP_ACCESS_WRITE);
	spec_free(spec);

	spec = parse("mem:0xffff1000:x");
	assert_null(spec->place.symbol);
	assert_true(spec->place.address == 0xffff1000);
	assert_int_equal(spec->place.watch_length, 0);
	assert_int_equal(spec->place.watch_access, KTAP_ACCESS_EXEC);
	spec_free(spec);

	spec = parse("mem:ext4:ext4_mballoc_stats:w");
	assert_string_equal(spec->place.module, "ext4");
	assert_string_equal(spec->place.symbol, "ext4_mballoc_stats");
	spec_free(spec);
}

/* Not lines of other tracers, though they look a little like them. */
static void test_not_foreign(void **state)
{
	static const char *const scoped[] = {
		"interval::tick", "profile::start", "usdt::x", "k::x", "kprobe::x",
		"p::pp", "r::rr", "main::{lambda(int)#1}::operator()(int)",
		"run::main::{{closure}}", "run::main::{closure#0}",
	};
	static const char *const quoted[] = {
		"vfs_read a=\"{\"", "vfs_read a=\"\\\"{\"", "vfs_read a='{'",
		"vfs_read if $arg3 == '{'",
	};
	struct probe_spec *spec;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scoped); i++) {
		assert_int_equal(spec_parse_in(scoped[i], "a", NULL, &spec), 0);
		assert_false(spec->kernel_syntax);
		spec_free(spec);
	}
	for (i = 0; i < ARRAY_SIZE(quoted); i++) {
		spec = parse(quoted[i]);
		assert_string_equal(spec->place.symbol, "vfs_read");
		spec_free(spec);
	}
}

static void test_globs(void **state)
{
	static const struct {
		const char *text, *symbol;
		bool glob;
	} rows[] = {
		{ "vfs_*", "vfs_*", true },
		{ "xfs:[!a-z]?s_read%return", "[!a-z]?s_read", true },
		{ "sys:open*", "open*", true },
		{ "f_?%return(8)", "f_?", true },
		{ "-x a main*", "main*", true },
		{ "-x a sdt:libc:*", "*", true },
		{ "vfs_read", "vfs_read", false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct probe_spec *spec = parse(rows[i].text), *one;

		assert_string_equal(spec->place.symbol, rows[i].symbol);
		assert_int_equal(spec->place.glob, rows[i].glob);
		assert_int_equal(spec_instance(spec, "found", "mod", NULL, &one), 0);
		assert_string_equal(one->place.symbol, "found");
		assert_false(one->place.glob);
		assert_int_equal(one->place.is_return, spec->place.is_return);
		assert_int_equal(one->place.maxactive, spec->place.maxactive);
		assert_string_equal(one->place.module,
				    spec->place.module ? spec->place.module :
							 "mod");
		spec_free(one);
		spec_free(spec);
	}
}

static void test_kernel_places(void **state)
{
	static const struct {
		const char *text;
		enum place_kind kind;
		bool is_return;
		unsigned int maxactive;
		const char *symbol, *file;
		uint64_t offset, ref_offset;
	} rows[] = {
		{ "p vfs_read", PLACE_SYMBOL, false, 0, "vfs_read", NULL, 0, 0 },
		{ "p vfs_read%return", PLACE_SYMBOL, true, 0, "vfs_read", NULL, 0, 0 },
		{ "p vfs_read+0%return", PLACE_SYMBOL, true, 0, "vfs_read", NULL, 0, 0 },
		{ "r vfs_read", PLACE_SYMBOL, true, 0, "vfs_read", NULL, 0, 0 },
		{ "r4096:e vfs_read", PLACE_SYMBOL, true, 4096, "vfs_read", NULL, 0, 0 },
		{ "r 0x10", PLACE_ADDRESS, true, 0, NULL, NULL, 0, 0 },
		{ "f vfs_read", PLACE_SYMBOL, false, 0, "vfs_read", NULL, 0, 0 },
		{ "f7 vfs_read%return", PLACE_SYMBOL, true, 7, "vfs_read", NULL, 0, 0 },
		{ "t sched_switch", PLACE_TRACEPOINT, false, 0, "sched_switch", NULL, 0, 0 },
		{ "p /bin/a:b:0x10", PLACE_FILE_OFFSET, false, 0, NULL, "/bin/a:b", 16, 0 },
		{ "p /bin/sh:020%return", PLACE_FILE_OFFSET, true, 0, NULL, "/bin/sh", 16, 0 },
		{ "r /bin/sh:16(0x20)", PLACE_FILE_OFFSET, true, 0, NULL, "/bin/sh", 16, 32 },
		{ "p /bin/sh:16%return(32)", PLACE_FILE_OFFSET, true, 0, NULL, "/bin/sh", 16, 32 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct probe_spec *spec = parse(rows[i].text);
		const struct place_spec *place = &spec->place;

		assert_int_equal(place->kind, rows[i].kind);
		assert_int_equal(place->is_return, rows[i].is_return);
		assert_int_equal(place->maxactive, rows[i].maxactive);
		assert_int_equal(place->offset, rows[i].offset);
		assert_int_equal(place->ref_offset, rows[i].ref_offset);
		if (rows[i].symbol)
			assert_string_equal(place->symbol, rows[i].symbol);
		else
			assert_null(place->symbol);
		if (rows[i].file)
			assert_string_equal(place->file, rows[i].file);
		else
			assert_null(place->file);
		spec_free(spec);
	}
}

static void test_expressions(void **state)
{
	struct probe_spec *spec =
		parse("g a=+u8( -0x10(%di) ):s16 @jiffies-8 \\-1 $stack $stack2048 $arg7 077");
	const struct expr *e = spec->args[0].expr;

	assert_int_equal(spec->nr_args, 7);
	assert_int_equal(e->kind, EXPR_DEREF);
	assert_true(e->user);
	assert_int_equal(e->value, 8);
	assert_span(e->at, 4, 17);
	assert_int_equal(e->base->kind, EXPR_DEREF);
	assert_false(e->base->user);
	assert_int_equal(e->base->value, -16);
	assert_span(e->base->at, 9, 10);
	assert_int_equal(e->base->base->kind, EXPR_REG);
	assert_string_equal(e->base->base->text, "di");
	assert_span(e->base->base->at, 15, 3);
	assert_int_equal(spec->args[0].type.kind, TYPE_SIGNED);
	assert_int_equal(spec->args[0].type.size, 2);
	assert_span(spec->args[0].type.at, 22, 3);
	assert_span(spec->args[0].at, 2, 23);
	assert_true(spec->args[0].named);

	e = spec->args[1].expr;
	assert_int_equal(e->kind, EXPR_SYMBOL);
	assert_string_equal(e->text, "jiffies");
	assert_int_equal(e->value, -8);
	assert_span(e->at, 26, 10);
	assert_false(spec->args[1].named);
	assert_int_equal(spec->args[1].type.kind, TYPE_DEFAULT);

	assert_int_equal(spec->args[2].expr->kind, EXPR_IMM);
	assert_int_equal(spec->args[2].expr->value, -1);
	assert_int_equal(spec->args[3].expr->kind, EXPR_STACK);
	assert_int_equal(spec->args[4].expr->kind, EXPR_STACK_WORD);
	assert_int_equal(spec->args[4].expr->value, 2048);
	assert_int_equal(spec->args[5].expr->kind, EXPR_ARG);
	assert_int_equal(spec->args[5].expr->value, 7);
	assert_int_equal(spec->args[6].expr->kind, EXPR_IMM);
	assert_int_equal(spec->args[6].expr->value, 63);
	spec_free(spec);
}

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		int64_t value;
	} rows[] = {
		{ "g \\0", 0 },
		{ "g \\+5", 5 },
		{ "g \\0X1f", 31 },
		{ "g \\18446744073709551615", -1 },
		{ "g \\-9223372036854775808", INT64_MIN },
		{ "g @0xffffffff81000000", (int64_t)0xffffffff81000000 },
		{ "g @4096", 4096 },
		{ "g +0x7fffffffffffffff(%di)", INT64_MAX },
		{ "g -0x8000000000000000(%di)", INT64_MIN },
		{ "p f +-8(%di)", -8 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct probe_spec *spec = parse(rows[i].text);

		assert_true(spec->args[0].expr->value == rows[i].value);
		spec_free(spec);
	}
}

static void test_types(void **state)
{
	static const struct {
		const char *text;
		enum type_kind kind;
		unsigned int size;
	} rows[] = {
		{ "g %di:u8", TYPE_UNSIGNED, 1 },
		{ "g %di:u16", TYPE_UNSIGNED, 2 },
		{ "g %di:s32", TYPE_SIGNED, 4 },
		{ "g %di:x64", TYPE_HEX, 8 },
		{ "g %di:char", TYPE_CHAR, 1 },
		{ "g +0(%di):string", TYPE_STRING, 0 },
		{ "g +0(%di):string(16384)", TYPE_STRING, 16384 },
		{ "g +u0(%di):ustring(0x10)", TYPE_USTRING, 16 },
		{ "g @linux_banner:string", TYPE_STRING, 0 },
		{ "g \\4096:string", TYPE_STRING, 0 },
		{ "g $comm:string", TYPE_STRING, 0 },
		{ "g %di:symbol", TYPE_SYMBOL, 8 },
		{ "g %di:symstr", TYPE_SYMSTR, 8 },
		{ "g %di:errno", TYPE_ERRNO, 8 },
		{ "g %di:b3@5/16", TYPE_BITS, 2 },
		{ "g %di:sb64@0/64", TYPE_SIGNED_BITS, 8 },
		{ "g %di:%pd", TYPE_DENTRY, 0 },
		{ "p g %di:%pD", TYPE_FILE, 0 },
		{ "g \\\"x y\":string", TYPE_STRING, 0 },
		{ "g +0(%di):string(8)[3]", TYPE_STRING, 8 },
		{ "p g +u0(%di):x16[0x10]", TYPE_HEX, 2 },
		{ "g reg=di:s8", TYPE_SIGNED, 1 },
		{ "p f $COMM", TYPE_DEFAULT, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct probe_spec *spec = parse(rows[i].text);

		assert_int_equal(spec->args[0].type.kind, rows[i].kind);
		assert_int_equal(spec->args[0].type.size, rows[i].size);
		spec_free(spec);
	}
}

/* The names of all arguments, in one string. */
static char *names_of(const struct probe_spec *spec)
{
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < spec->nr_args; i++)
		buf_printf(&b, "%s%s", i ? " " : "", spec->args[i].name);
	return buf_take(&b);
}

static void test_arg_names(void **state)
{
	static const struct {
		const char *text, *names;
	} rows[] = {
		{ "g %di $comm $arg3 +0(%di) \\5", "di comm arg3 arg4 arg5" },
		{ "g %di %di %di", "di di_2 di_3" },
		/* a name that was given stays, wherever it stands */
		{ "g %di di=%si", "di_1 di" },
		{ "g +0(%di) $arg1", "arg1_1 arg1" },
		{ "g +0(%di) arg1=%di", "arg1_1 arg1" },
		{ "g reg=di,si", "di si" },
		{ "g a=%di reg=%si reg2=%dx", "a reg reg2" },
		/* the kernel numbers them */
		{ "p f %di %si x=%dx $comm", "arg1 arg2 x arg4" },
		/* not everything that follows a '%' is an identifier */
		{ "g %1x", "arg1" },
		/* a variable of that name is no list of registers */
		{ "g %di reg", "di arg2" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct probe_spec *spec = parse(rows[i].text);
		char *names = names_of(spec);

		assert_string_equal(names, rows[i].names);
		free(names);
		spec_free(spec);
	}
}

/* A made name that has to be made longer still is short enough. */
static void test_long_made_names(void **state)
{
	static const char text[] =
		"g a2345678901234567890123456789012=%di %a2345678901234567890123456789012";
	struct probe_spec *spec = parse(text);

	assert_string_equal(spec->args[1].name,
			    "a23456789012345678901234567890_2");
	spec_free(spec);
}

static const struct {
	const char *text, *canonical;
} canonical_rows[] = {
	{ "  vfs_read ", "vfs_read" },
	{ "g:e=xfs:f+0x10 %di", "g:e=xfs:f+16 di=%di" },
	{ "0xFF00 %si:u8", "0xff00 si=%si:u8" },
	{ "g reg=di,si:s32", "g di=%di si=%si:s32" },
	{ "g +u8( -0x10( %di ) ):x16", "g arg1=+u8(-16(%di)):x16" },
	{ "g @a.b+010 @a-1 @c @0x10",
	  "g arg1=@a.b+8 arg2=@a-1 arg3=@c arg4=@0x10" },
	{ "-x /bin/sh 0x10 a=@+16+@+0x20:u8 b=@+0:string(8) c=+8(@+8)",
	  "-x /bin/sh 0x10 a=@+0x10+@+0x20:u8 b=@+0x0:string(8) c=+8(@+0x8)" },
	{ "g 16 \\-1 \\0xffffffffffffffff",
	  "g arg1=\\16 arg2=\\-1 arg3=18446744073709551615u" },
	{ "g a=1u b=18446744073709551615:s8 sum(2u)",
	  "g a=1u b=18446744073709551615u:s8 arg3=sum(2u)" },
	{ "g $stack $stack3 $arg2 $COMM",
	  "g arg1=$stack arg2_2=$stack3 arg2=$arg2 comm=$comm" },
	{ "g +0(%di):string(010) +0(%di):ustring %di:char",
	  "g arg1=+0(%di):string(8) arg2=+0(%di):ustring di=%di:char" },
	{ "g -0x8000000000000000(%di)",
	  "g arg1=-9223372036854775808(%di)" },
	{ "g%return $retval $elapsed $entry( %di ) $entry(+0($arg1):string(8))",
	  "g%return retval=$retval elapsed=$elapsed di=$entry(%di) arg4=$entry(+0($arg1):string(8))" },
	{ "g%return a=$entry(%di?1:2:u8)+1",
	  "g%return a=$entry(%di?1:2:u8)+1" },
	/* aggregation */
	{ "g count()", "g count()" },
	{ "g by $comm %di", "g count() by comm=$comm di=%di" },
	{ "g sum(%di) x=hist(%si:u32,0,0x9,2) stats(1+2) by (by) if %di > 1",
	  "g di=sum(%di) x=hist(%si:u32,0,10,2) arg3=stats(1+2) by by=by if %di > 1" },
	{ "g a=sum( %di ) hist(%si , 0, 10 ,1 ) b=stats(%dx : u8 )",
	  "g a=sum(%di) si=hist(%si,0,10,1) b=stats(%dx:u8)" },
	{ "g%return a=$entry(%di : u8 )+1 b=sum($arg1 : (struct file *) )",
	  "g%return a=$entry(%di:u8)+1 b=sum((struct file *)$arg1)" },
	{ "g a=hist(1+1,0,9223372036854775807,9000000000000000000)",
	  "g a=hist(1+1,0,9223372036854775807,9000000000000000000)" },
	{ "g a=hist(1+1,-9223372036854775808,9223372036854775806,9000000000000000000)",
	  "g a=hist(1+1,-9223372036854775808,9223372036854775807,9000000000000000000)" },
	/* expressions: as few brackets as it takes */
	{ "g a=((%di)+(8*(%si)))", "g a=%di+8*%si" },
	{ "g a=(%di+8)*%si-(1-2)", "g a=(%di+8)*%si-(1-2)" },
	{ "g a=%di%%si%8", "g a=%di%%si%8" },
	{ "g a=%di-(-8) b=-(+8(%di)) c=-(-8)",
	  "g a=%di--8 b=-+8(%di) c=--8" },
	{ "g a=%di?(%si?1:2):(%dx?3:4):u8", "g a=%di?%si?1:2:%dx?3:4:u8" },
	{ "g a=(%di?1:2)+3 b=(1?2:3)?4:5", "g a=(%di?1:2)+3 b=(1?2:3)?4:5" },
	{ "g a=(@j)-8 b=@j-8 c=1+(@j) d=@j+%di",
	  "g a=(@j)-8 b=@j-8 c=1+(@j) d=(@j)+%di" },
	{ "g a=((s32)%di) b=(u8)(1+2) c=!~%di d=(!(1))",
	  "g a=(s32)%di b=(u8)(1+2) c=!~%di d=!1" },
	{ "g a=0x10U+'A'+0xffffffffffffffff+(\\-3)",
	  "g a=16u+65+18446744073709551615u+\\-3" },
	{ "g $cpu $pid $tid $uid $cgroup $time",
	  "g cpu=$cpu pid=$pid tid=$tid uid=$uid cgroup=$cgroup time=$time" },
	{ "g $ppid now=$now $caller", "g ppid=$ppid now=$time caller=$caller" },
	{ "g $kstack $kstack(3) x=$kstack(64)", "g kstack=$kstack kstack_2=$kstack(3) x=$kstack" },
	{ "g $ustack $ustack(3) x=$ustack(64)", "g ustack=$ustack ustack_2=$ustack(3) x=$ustack" },
	{ "g $perf(page-faults) ($perf(cs)-1) if $perf(cycles) > 5",
	  "g page_faults=$perf(page-faults) arg2=$perf(cs)-1 if $perf(cycles) > 5" },
	{ "g a=1 store( %di , $now-1 ) store(1,$load(2)) $take((u8)3)",
	  "g store(%di,$time-1) store(1,$load(2)) a=\\1 take=$take((u8)3)" },
	{ "g store($task,(1)) if $take($task)>1", "g store($task,1) if $take($task) > 1" },
	{ "g if $caller==vfs_read||\"a.isra.0\"!=$caller",
	  "g if $caller == vfs_read || \"a.isra.0\" != $caller" },
	{ "g $task $task->tgid", "g task=$task tgid=$task->tgid" },
	{ "g x=%di if x==1&&(x<2||!x)  ",
	  "g x=%di if x == 1 && (x < 2 || !x)" },
	{ "g if $comm ~\"a\\*b\\\"\\\\\\x07\"&&1",
	  "g if $comm ~ \"a\\\\*b\\\"\\\\\\x07\" && 1" },
	{ "g if (string)+0(%di) !~ \"x y\" ? 1 : 0",
	  "g if (string)+0(%di) !~ \"x y\" ? 1 : 0" },
	{ "g %di:symbol %di:symstr %di:errno %di:%pd %di:%pD",
	  "g di=%di:symbol di_2=%di:symstr di_3=%di:errno di_4=%di:%pd di_5=%di:%pD" },
	{ "g a=%di:b03@5/16 b=+0(%di):sb4@2/32[0x2]",
	  "g a=%di:b3@5/16 b=+0(%di):sb4@2/32[2]" },
	{ "g a=+0(%di):char[8] b=+u0(%di):ustring(9)[3]",
	  "g a=+0(%di):char[8] b=+u0(%di):ustring(9)[3]" },
	{ "g a=\"x y\" b=\\\"z\":string", "g a=\\\"x y\" b=\\\"z\":string" },
	/* variables, their parts, targets and addresses */
	{ "g file count:u32 $arg*", "g file=file count=count:u32 $arg*" },
	{ "g file->f_path.dentry->d_inode file.f_pos:x64",
	  "g d_inode=file->f_path.dentry->d_inode f_pos=file.f_pos:x64" },
	{ "g a[0x10] a[(i+1)*2].x *p &p->x **p[1] (*p).y",
	  "g a=a[16] x=a[(i+1)*2].x p=*p x_4=&p->x p_5=**p[1] y=(*p).y" },
	/* one word is a type or a variable: "(h)-p" is a difference */
	{ "g a=\\-5:(h)", "g a=(h)(\\-5)" },
	{ "g a=-p:(h) b=(h)(*p) c=(h)(~p) d=+8(%di):(h) e=!p:(h) f=p:(h) g=(h *)*p",
	  "g a=(h)(-p) b=(h)(*p) c=(h)(~p) d=(h)(+8(%di)) e=(h)(!p) f=(h)p g=(h *)*p" },
	{ "g a=((p))->x b=(p->x)+1 c=-p->x d=(s32)p->x e=(p+1)->x",
	  "g a=p->x b=p->x+1 c=-p->x d=(s32)p->x e=(p+1)->x" },
	{ "g a=(%di)->x b=(@s)[1] c=(+8(%di)).x d=$arg1->x",
	  "g a=(%di)->x b=(@s)[1] c=(+8(%di)).x d=$arg1->x" },
	{ "g a=x-1 b=x*y c=x**y d=x&y e=x&&y f=x&(&y==1)",
	  "g a=x-1 b=x*y c=x**y d=x&y e=x&&y f=x&(&y)==1" },
	{ "g%return $retval->x $entry(p->x):string $entry(p)->x",
	  "g%return x=$retval->x x_2=$entry(p->x):string x_3=$entry(p)->x" },
	{ "g if p ->x > 3 && q[ 1 ]", "g if p->x > 3 && q[1]" },
	{ "p g $arg* file->f_pos count:u8", "p g $arg* file->f_pos count:u8" },
	{ "p+0 %di", "p+0 di=%di" },
	{ "r12+0", "r12+0" },
	{ "ev=p %di", "ev=p+0 di=%di" },
	{ "p:g/e vfs_read   +0x10(%di):u8  $comm",
	  "p:g/e vfs_read   +0x10(%di):u8  $comm" },
	{ "p vfs_read\t%di\n", "p vfs_read %di" },
	{ "vfs_read+0%return", "vfs_read%return" },
	{ "p+0%return", "p+0%return" },
	{ "0xFF%return", "0xff%return" },
	{ "xfs:f%return(0x10) $retval", "xfs:f%return(16) retval=$retval" },
	{ "sys:open*%return(1)", "sys:open*%return(1)" },
	{ "x=sys:openat%return", "x=sys:openat%return" },
	{ "xfs-x:a/b.c:012", "xfs-x:a/b.c:12" },
	{ "e=xfs:b.c;*p", "e=xfs:b.c;*p" },
	{ "xfs:f@b.c:3", "xfs:f@b.c:3" },
	{ "work:3-07", "work:3-7" },
	{ "tracepoint:sched:sched_switch", "tracepoint:sched:sched_switch" },
	{ "tracepoint:sched_*", "tracepoint:sched_*" },
	{ "work:3-3", "work:3" },
	{ "a/b.c:3-5", "a/b.c:3-5" },
	{ "xfs:b.c:*", "xfs:b.c:*" },
	{ "b.go:*", "b.go:*" },
	{ "xfs_*@b.c%return", "xfs_*@b.c%return" },
	{ "tracepoint:sched_switch", "tracepoint:sched_switch" },
	{ "mem:a:bcde+0x10/0x4:wr", "mem:a:bcde+16/4:rw" },
	{ "mem:0xFF:x", "mem:0xff:x" },
	{ "timer:250us c=$comm", "timer:250us c=$comm" },
	{ " -x\t/bin/sh  e=main+8 %di", "-x /bin/sh e=main+8 di=%di" },
	{ "-x \"/bin/sh\" sdt:a:b", "-x /bin/sh sdt:a:b" },
	{ "-x \"a \\\"b\\\\\" f@V_1+8", "-x \"a \\\"b\\\\\" f@V_1+8" },
	{ "-x a#b f@@V", "-x \"a#b\" f@V" },
	{ "-x a  r5  f+0", "-x a  r5  f+0" },
	{ "t:x  sched_switch", "t:x  sched_switch" },
};

static void test_canonical(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(canonical_rows); i++) {
		struct probe_spec *spec = parse(canonical_rows[i].text), *again;
		char *text = spec_canonical(spec), *twice;

		assert_string_equal(text, canonical_rows[i].canonical);
		again = parse(text);
		twice = spec_canonical(again);
		assert_string_equal(twice, text);
		free(text);
		free(twice);
		spec_free(spec);
		spec_free(again);
	}
}

/* As deep as any program can be. */
static void test_deep_nesting(void **state)
{
	enum { DEPTH = 999 };
	struct probe_spec *spec;
	struct buf b = BUF_INIT;
	char *text;
	size_t i;

	buf_puts(&b, "g ");
	for (i = 0; i < DEPTH; i++)
		buf_puts(&b, "+0(");
	buf_puts(&b, "%di");
	for (i = 0; i < DEPTH; i++)
		buf_putc(&b, ')');
	text = buf_take(&b);
	spec = parse(text);
	assert_int_equal(spec->args[0].expr->at.length, strlen(text) - 2);
	spec_free(spec);
	free(text);
}

static unsigned int random_next(unsigned int *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 16;
}

/* Damaged definitions are refused inside of their text, or still say what they
 * mean: then the canonical form means the same.
 */
static void test_damaged_text(void **state)
{
	static const char *const texts[] = {
		"g:e=xfs:f+0x10 a=+u8(-16(%di)):string(8) $comm reg=di,si @j+1",
		"p:g/e vfs_read a=+0(+8(@0)):u8 $stack3 \\-1 %di",
		"0xffffffff81000000 \\5 $arg1:s8",
		"g a=+0(%di):u8[4] b=%di:sb3@4/32 c=+u0(%si):string(4)[2] d=%si:%pd",
		"g a=%di*(8+$arg1)?-1:@j b='x'&!(s8)%si if a==-1||$comm~\"x*\"",
	};
	static const char letters[] = " ()[]:=+-%$@\\,.\"u8x0gp?&|!~<>*/^'";
	unsigned int seed = 1, i, edits;

	for (i = 0; i < 20000; i++) {
		struct probe_spec *spec = NULL;
		const char *text = texts[i % ARRAY_SIZE(texts)];
		char *copy = strdup(text);
		struct diag d = {};

		for (edits = random_next(&seed) % 4 + 1; edits; edits--)
			copy[random_next(&seed) % strlen(text)] =
				letters[random_next(&seed) % (sizeof(letters) - 1)];
		if (spec_parse(copy, &d, &spec)) {
			assert_int_not_equal(d.code, DIAG_OK);
			assert_string_equal(d.source, copy);
			assert_in_range(d.column, 0, strlen(copy));
		} else if (spec->kind == SPEC_PROBE) {
			_cleanup_free_ char *canonical = spec_canonical(spec);
			struct probe_spec *again = parse(canonical);
			_cleanup_free_ char *twice = spec_canonical(again);

			assert_string_equal(twice, canonical);
			assert_int_equal(again->nr_args, spec->nr_args);
			spec_free(again);
		}
		spec_free(spec);
		diag_clear(&d);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_event_names),
		cmocka_unit_test(test_deletions),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_kinds_of_places),
		cmocka_unit_test(test_not_foreign),
		cmocka_unit_test(test_globs),
		cmocka_unit_test(test_kernel_places),
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_arg_names),
		cmocka_unit_test(test_long_made_names),
		cmocka_unit_test(test_canonical),
		cmocka_unit_test(test_deep_nesting),
		cmocka_unit_test(test_damaged_text),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
