// SPDX-License-Identifier: GPL-2.0
/* What notes of USDT probes say of their arguments, on both architectures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arch/sdt.h"
#include "base/array.h"
#include "base/cleanup.h"

struct row {
	const char *args;
	const char *wanted;
};

/* The only symbol there is. */
static bool find(void *ctx, const char *name, size_t length, int64_t *ret)
{
	*ret = 0x100;
	return length == 6 && !memcmp(name, "symbol", length);
}

/* "EXPR:TYPE", or "!" and the reason. */
static void put(struct buf *b, const struct sdt_arg *arg)
{
	if (arg->kind == SDT_UNREADABLE) {
		buf_printf(b, "!%s\n", arg->why);
		return;
	}
	sdt_arg_put(b, arg);
	buf_printf(b, ":%c%u\n", arg->is_signed ? 's' : 'u', 8 * arg->size);
}

static void check(const struct row *rows, size_t nr, enum ktap_arch arch)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		_cleanup_(sdt_args_freep) struct sdt_args *args = NULL;
		_cleanup_buf_ struct buf b = BUF_INIT;

		args = sdt_parse(rows[i].args, arch, find, NULL);
		assert_non_null(args);
		for (size_t k = 0; k < args->nr; k++)
			put(&b, &args->arg[k]);
		if (strcmp(buf_str(&b), rows[i].wanted))
			fail_msg("'%s': %s", rows[i].args, buf_str(&b));
	}
}

static const struct row x86_64_rows[] = {
	{ "", "" },
	{ "  ", "" },
	{ "-4@%edi", "%di:s32\n" },
	{ "8@%rax", "%ax:u64\n" },
	{ "2@%bx -2@%cx", "%bx:u16\n%cx:s16\n" },
	{ "1@%sil", "%si:u8\n" },
	{ "-1@%al", "%ax:s8\n" },
	{ "4@%r8d 8@%r15 2@%r10w 1@%r9b",
	  "%r8:u32\n%r15:u64\n%r10:u16\n%r9:u8\n" },
	{ "4@$5", "\\5:u32\n" },
	{ "-4@$-1", "\\-1:s32\n" },
	{ "8@$0xffffffffffffffff", "\\-1:u64\n" },
	{ "8@-24(%rbp)", "-u24(%bp):u64\n" },
	{ "-4@8(%rsp)", "+u8(%sp):s32\n" },
	{ "8@(%rax)", "+u0(%ax):u64\n" },
	{ "8@(%rax,%rbx,8)", "+u0(%ax + %bx * 8):u64\n" },
	{ "8@-8(%rax,%r12)", "-u8(%ax + %r12 * 1):u64\n" },
	{ "4@16(,%rcx,4)", "+u16(%cx * 4):u32\n" },
	{ "8@symbol(%rip)", "+u256(%ip):u64\n" },
	{ "8@symbol+8(%rip)", "+u264(%ip):u64\n" },
	{ "8@8+symbol(%rip)", "+u264(%ip):u64\n" },
	{ "8@symbol-0x108(%rip)", "-u8(%ip):u64\n" },
	{ "4@symbol", "+u256(%ip):u32\n" },
	{ "4@4096", "@0x1000:u32\n" },
	/* one that cannot be read is no reason not to read the next */
	{ "8@%xmm0 -4@%edi", "!it is in a vector register\n%di:s32\n" },
	{ "8f@%xmm0", "!it is a floating-point value\n" },
	{ "8@%ymm1", "!it is in a vector register\n" },
	{ "1@%ah", "!it is the second byte of a register\n" },
	{ "8@%fs:16", "!it is relative to a segment\n" },
	{ "8@%st", "!its register is unknown\n" },
	{ "8@%r16", "!its register is unknown\n" },
	{ "8@%r8x", "!its register is unknown\n" },
	{ "8@%r00000000000000000000000000000008", "!its register is unknown\n" },
	{ "8@9223372036854775807+9223372036854775807(%rax)", "-u2(%ax):u64\n" },
	{ "8@%edi", "!it is larger than its register\n" },
	{ "16@%rdi", "!its size is not 1, 2, 4 or 8 bytes\n" },
	{ "0@%rdi", "!its size is not 1, 2, 4 or 8 bytes\n" },
	{ "4294967300@%eax", "!its size is not 1, 2, 4 or 8 bytes\n" },
	{ "-9223372036854775808@%eax", "!its size is not 1, 2, 4 or 8 bytes\n" },
	{ "8@$0x00000000000000000000000000000012",
	  "!it is the address of a symbol\n" },
	{ "8@0x00000000000000000000000000000012(%rax)",
	  "!its operand is unknown\n" },
	{ "%rdi", "!its size is missing\n" },
	{ "x@%rdi", "!its size is no number\n" },
	{ "4x@%rdi", "!its size is no number\n" },
	{ "8@", "!its operand is missing\n" },
	{ "8@$symbol", "!it is the address of a symbol\n" },
	{ "8@other(%rip)", "!its symbol is not in the file\n" },
	{ "8@16(%rip)", "!it is relative to an instruction\n" },
	{ "8@symbol(%rax)", "!its operand is unknown\n" },
	{ "8@symbol+symbol(%rip)", "!its operand is unknown\n" },
	{ "8@(%eax)", "!its address has 32 bits\n" },
	{ "8@(%rax,%rbx,3)", "!its operand is unknown\n" },
	{ "8@(%rax", "!its operand is unknown\n" },
	{ "8@8(%rax)x", "!its operand is unknown\n" },
	{ "8@99999999999999999999(%rax)", "!its operand is unknown\n" },
};

static void test_x86_64(void **state)
{
	check(x86_64_rows, ARRAY_SIZE(x86_64_rows), KTAP_ARCH_X86_64);
}

static const struct row arm64_rows[] = {
	{ "-4@w0", "%x0:s32\n" },
	{ "-4@x19", "%x19:s32\n" },
	{ "8@x30 8@sp", "%x30:u64\n%sp:u64\n" },
	{ "8@[sp, 16]", "+u16(%sp):u64\n" },
	{ "8@[sp,16] 4@[x29, -8]", "+u16(%sp):u64\n-u8(%x29):u32\n" },
	{ "8@[x1, #24]", "+u24(%x1):u64\n" },
	{ "1@[x0]", "+u0(%x0):u8\n" },
	{ "8@[x0, x1]", "+u0(%x0 + %x1 * 1):u64\n" },
	{ "8@[x0, x1, lsl 3]", "+u0(%x0 + %x1 * 8):u64\n" },
	{ "8@[x0, x1, lsl #2]", "+u0(%x0 + %x1 * 4):u64\n" },
	{ "4@12", "\\12:u32\n" },
	{ "-4@-12", "\\-12:s32\n" },
	{ "4@#12", "\\12:u32\n" },
	{ "4@wzr 8@xzr", "\\0:u32\n\\0:u64\n" },
	{ "8@d0", "!it is in a vector register\n" },
	{ "4@s31", "!it is in a vector register\n" },
	{ "8@w0", "!it is larger than its register\n" },
	{ "8@x31", "!its register is unknown\n" },
	{ "8@x00000000000000000000000000000001", "!its register is unknown\n" },
	{ "8@[x0, w1, sxtw 3]", "!its operand is unknown\n" },
	{ "8@[x0, x1, lsl 4]", "!its operand is unknown\n" },
	{ "8@[x0, 16", "!its operand is unknown\n" },
	{ "8@[w0]", "!its operand is unknown\n" },
	{ "8@[xzr]", "!its operand is unknown\n" },
	{ "8@symbol", "!its operand is unknown\n" },
	{ "8@", "!its operand is missing\n" },
};

static void test_arm64(void **state)
{
	check(arm64_rows, ARRAY_SIZE(arm64_rows), KTAP_ARCH_ARM64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86_64),
		cmocka_unit_test(test_arm64),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
