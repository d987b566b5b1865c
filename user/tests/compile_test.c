// SPDX-License-Identifier: GPL-2.0
/* Programs: which instructions, which layout, which registers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../kunit/insn.h"
#include "arch/arch.h"
#include "base/array.h"
#include "tests/built.h"

#define X86 KTAP_ARCH_X86_64
#define ARM KTAP_ARCH_ARM64

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

static void build(struct built *b, const char *text, enum ktap_arch arch)
{
	struct diag d = {};

	if (built_init(b, ks, text, arch, &d))
		fail_msg("%s: %s", text, d.message);
}

/* ---- instructions ---------------------------------------------------------- */

static void check_insns(const char *text, enum ktap_arch arch,
			const struct ktap_insn *want, size_t nr)
{
	struct built b;
	size_t i;

	build(&b, text, arch);
	if (b.program->nr_insns != nr)
		fail_msg("%s: %zu instructions", text, b.program->nr_insns);
	for (i = 0; i < nr; i++)
		if (memcmp(&b.program->insns[i], &want[i], sizeof(want[i])))
			fail_msg("%s: instruction %zu", text, i);
	built_deinit(&b);
}

#define CHECK(text, arch, ...) \
	check_insns(text, arch, PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__))

static void test_registers_only(void **state)
{
	CHECK("vfs_read", X86, END());
	/* nothing but pairs: the kernel writes those in place */
	CHECK("vfs_read %di %si %ax", X86,
	      REG(0, KTAP_X86_64_DI), STORE(0, 8, 0, NOBIT),
	      REG(0, KTAP_X86_64_SI), STORE(0, 8, 8, NOBIT),
	      REG(0, KTAP_X86_64_AX), STORE(0, 8, 16, NOBIT), END());
	CHECK("vfs_read $arg1 $arg6 $stack", X86,
	      REG(0, KTAP_X86_64_DI), STORE(0, 8, 0, NOBIT),
	      REG(0, KTAP_X86_64_R9), STORE(0, 8, 8, NOBIT),
	      REG(0, KTAP_X86_64_SP), STORE(0, 8, 16, NOBIT), END());
	CHECK("vfs_read $arg1 $arg8 $stack %lr", ARM,
	      REG(0, 0), STORE(0, 8, 0, NOBIT),
	      REG(0, 7), STORE(0, 8, 8, NOBIT),
	      REG(0, KTAP_ARM64_SP), STORE(0, 8, 16, NOBIT),
	      REG(0, 30), STORE(0, 8, 24, NOBIT), END());
	CHECK("vfs_read $comm \\-2:s16", X86,
	      COMM(0), IMM(0, (__u64)-2), STORE(0, 2, 16, NOBIT), END());
}

/* Large fields come first, whatever the order of the arguments. */
/* The function of a system call gets the registers of its caller. */
static void test_system_calls(void **state)
{
	CHECK("__x64_sys_openat $arg1", X86,
	      REG(0, KTAP_X86_64_DI), STORE(0, 8, 0, NOBIT), END());
	CHECK("sys:openat a=$arg1 b=$arg4", X86,
	      REG(0, KTAP_X86_64_DI), LOAD(0, 0, 112, 8, 0), STORE(0, 8, 0, 0),
	      REG(0, KTAP_X86_64_DI), LOAD(0, 0, 56, 8, 0), STORE(0, 8, 8, 1),
	      FAULTS(1, 16), END());
	CHECK("sys:openat a=$arg3", ARM,
	      REG(0, 0), LOAD(0, 0, 16, 8, 0), STORE(0, 8, 0, 0), FAULTS(1, 8),
	      END());
}

static void test_sizes(void **state)
{
	CHECK("vfs_read %ax:u8 %bx:u16 %cx:u32 %dx", X86,
	      REG(0, KTAP_X86_64_AX), STORE(0, 1, 14, NOBIT),
	      REG(0, KTAP_X86_64_BX), STORE(0, 2, 12, NOBIT),
	      REG(0, KTAP_X86_64_CX), STORE(0, 4, 8, NOBIT),
	      REG(0, KTAP_X86_64_DX), STORE(0, 8, 0, NOBIT), END());
}

static void test_reads(void **state)
{
	CHECK("vfs_read +8(%di):u32", X86,
	      REG(0, KTAP_X86_64_DI), LOAD(0, 0, 8, 4, 0), STORE(0, 4, 0, 0),
	      FAULTS(1, 4), END());
	CHECK("vfs_read +u4(-16(+0(%si))):s8", X86,
	      REG(0, KTAP_X86_64_SI), LOAD(0, 0, 0, 8, 0),
	      LOAD(0, 0, -16, 8, 0), LOAD(0, 0, 4, 1, USER),
	      STORE(0, 1, 0, 0), FAULTS(1, 1), END());
	CHECK("vfs_read @counter:u16 @0x10 +8(@counter+4)", X86,
	      IMM(0, 0xffffffff81001000), LOAD(0, 0, 0, 2, 0),
	      STORE(0, 2, 16, 0),
	      IMM(0, 0x10), LOAD(0, 0, 0, 8, 0), STORE(0, 8, 0, 1),
	      IMM(0, 0xffffffff81001004), LOAD(0, 0, 0, 8, 0),
	      LOAD(0, 0, 8, 8, 0), STORE(0, 8, 8, 2), FAULTS(1, 18), END());
	CHECK("vfs_read %di $stack3 $arg7", X86,
	      REG(0, KTAP_X86_64_DI), STORE(0, 8, 0, NOBIT),
	      STACK(0, 3), STORE(0, 8, 8, 0),
	      STACK(0, 1), STORE(0, 8, 16, 1), FAULTS(1, 24), END());
	CHECK("vfs_read $arg9 $arg10:u8", ARM,
	      STACK(0, 0), STORE(0, 8, 0, 0),
	      STACK(0, 1), STORE(0, 1, 8, 1), FAULTS(1, 9), END());
	CHECK("vfs_read +8($arg2):u32", X86,
	      REG(0, KTAP_X86_64_SI), LOAD(0, 0, 8, 4, 0), STORE(0, 4, 0, 0),
	      FAULTS(1, 4), END());
	/* also an immediate can be an address */
	CHECK("vfs_read +8(\\4096)", X86,
	      IMM(0, 4096), LOAD(0, 0, 8, 8, 0), STORE(0, 8, 0, 0),
	      FAULTS(1, 8), END());
}

/* The slot of the last string ends the fixed part. */
static void test_strings(void **state)
{
	CHECK("vfs_read +0(%di):string", X86,
	      REG(0, KTAP_X86_64_DI), STRING(0, 4096, 0, 0), END());
	CHECK("vfs_read +16(+8(%di)):string(64) %si:u32", X86,
	      REG(0, KTAP_X86_64_DI), LOAD(0, 0, 8, 8, 0),
	      ALUI(0, 0, ADD, 16), STRING(0, 64, 4, 0),
	      REG(0, KTAP_X86_64_SI), STORE(0, 4, 0, NOBIT), END());
	CHECK("vfs_read -8(%di):ustring +u0(%si):string(9)", X86,
	      REG(0, KTAP_X86_64_DI), ALUI(0, 0, ADD, -8),
	      STRING(0, 4096, 0, USER),
	      REG(0, KTAP_X86_64_SI), STRING(0, 9, 4, USER), END());
	CHECK("vfs_read @banner:string(5) \\4096:string(6) %ax", X86,
	      IMM(0, 0xffffffff81001100), STRING(0, 5, 8, 0),
	      IMM(0, 4096), STRING(0, 6, 12, 0),
	      REG(0, KTAP_X86_64_AX), STORE(0, 8, 0, NOBIT), END());
}

static void test_arrays(void **state)
{
	CHECK("vfs_read +8(%di):u16[5] %si:u8", X86,
	      REG(0, KTAP_X86_64_DI), ALUI(0, 0, ADD, 8), BYTES(0, 10, 0, 0, 0),
	      REG(0, KTAP_X86_64_SI), STORE(0, 1, 10, NOBIT), FAULTS(1, 11),
	      END());
	CHECK("vfs_read +u0(%di):x64[2]", X86,
	      REG(0, KTAP_X86_64_DI), BYTES(0, 16, 0, 0, USER), FAULTS(1, 16),
	      END());
	CHECK("vfs_read +0(%di):string(9)[2] +0(%si):ustring(8)", X86,
	      REG(0, KTAP_X86_64_DI), LOAD(1, 0, 0, 8, 0), STRING(1, 9, 0, 0),
	      LOAD(1, 0, 8, 8, 0), STRING(1, 9, 4, 0),
	      REG(0, KTAP_X86_64_SI), STRING(0, 8, 8, USER), END());
	/* what is known is in no record */
	CHECK("vfs_read \\\"text\" %di:b3@2/16", X86,
	      REG(0, KTAP_X86_64_DI), STORE(0, 2, 0, NOBIT), END());
}

/* ---- layouts --------------------------------------------------------------- */

static void test_field_kinds(void **state)
{
	static const struct {
		const char *text;
		enum field_kind kind;
		enum field_format format;
		unsigned int size;
		int fault;
	} rows[] = {
		{ "vfs_read a=%di", FIELD_INT, FORMAT_HEX, 8, FIELD_NO_FAULT },
		{ "vfs_read a=%di:x32", FIELD_INT, FORMAT_HEX, 4,
		  FIELD_NO_FAULT },
		{ "vfs_read a=%di:u16", FIELD_INT, FORMAT_UNSIGNED, 2,
		  FIELD_NO_FAULT },
		{ "vfs_read a=+0(%di):s64", FIELD_INT, FORMAT_SIGNED, 8, 0 },
		{ "vfs_read a=%di:char", FIELD_INT, FORMAT_CHAR, 1,
		  FIELD_NO_FAULT },
		{ "vfs_read a=$comm", FIELD_COMM, FORMAT_TEXT, 16,
		  FIELD_NO_FAULT },
		{ "vfs_read a=$comm:string", FIELD_COMM, FORMAT_TEXT, 16,
		  FIELD_NO_FAULT },
		{ "vfs_read a=+0(+0(%di)):string(7)", FIELD_STRING, FORMAT_TEXT,
		  4, FIELD_NO_FAULT },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct field *f;
		struct built b;

		build(&b, rows[i].text, X86);
		f = built_field(&b, "a");
		assert_int_equal(f->kind, rows[i].kind);
		assert_int_equal(f->format, rows[i].format);
		assert_int_equal(f->size, rows[i].size);
		assert_int_equal(f->fault, rows[i].fault);
		built_deinit(&b);
	}
}

static void test_fixed_sizes(void **state)
{
	static const struct {
		const char *text;
		unsigned int fixed, faults;
	} rows[] = {
		{ "vfs_read", 0, 0 },
		{ "vfs_read %di %si %dx", 24, 0 },
		{ "vfs_read $comm %di:u8", 24, 0 },
		{ "vfs_read +0(%di)", 16, 1 },
		{ "vfs_read +0(%di):u32 %si:u16 %dx:u8", 8, 1 },
		{ "vfs_read +0(%di):string", 4, 0 },
		{ "vfs_read +0(%di):string %si:u32", 8, 0 },
		{ "vfs_read +0(%di):string +0(%di):u8", 8, 1 },
		{ "vfs_read +0(%di):string %si:u64", 12, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct built b;

		build(&b, rows[i].text, X86);
		assert_int_equal(b.program->layout->fixed_size, rows[i].fixed);
		assert_int_equal(b.program->layout->faults_size, rows[i].faults);
		built_deinit(&b);
	}
}

/* One bit per number that is read; the mask grows by powers of two. */
static void test_fault_masks(void **state)
{
	static const struct {
		unsigned int reads, size;
	} rows[] = {
		{ 1, 1 }, { 8, 1 }, { 9, 2 }, { 16, 2 }, { 17, 4 }, { 32, 4 },
		{ 33, 8 }, { 64, 8 },
	};
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct buf text = BUF_INIT;
		struct built b;

		buf_puts(&text, "vfs_read");
		for (k = 0; k < rows[i].reads; k++)
			buf_puts(&text, " +0(%di):u8 %si:u8");
		build(&b, text.data, X86);
		assert_int_equal(b.program->layout->faults_size, rows[i].size);
		for (k = 0; k < rows[i].reads; k++)
			assert_int_equal(b.program->layout->fields[2 * k].fault,
					 k);
		built_deinit(&b);
		buf_deinit(&text);
	}
}

static void test_layout_tells_the_place(void **state)
{
	struct built b;

	build(&b, "g:e=xfs:xfs_read+4 %di", X86);
	assert_string_equal(b.program->layout->symbol, "xfs_read");
	assert_string_equal(b.program->layout->module, "xfs");
	assert_int_equal(b.program->layout->offset, 4);
	assert_int_equal(b.program->layout->address, 0);
	assert_string_equal(b.program->layout->definition,
			    "g:e=xfs:xfs_read+4 di=%di");
	built_deinit(&b);

	build(&b, "p 0xffffffff81000204 %di", X86);
	assert_string_equal(b.program->layout->symbol, "vfs_write");
	assert_null(b.program->layout->module);
	assert_int_equal(b.program->layout->offset, 4);
	assert_string_equal(b.program->layout->definition,
			    "p 0xffffffff81000204 %di");
	built_deinit(&b);
}

/* ---- architectures --------------------------------------------------------- */

static void test_register_tables(void **state)
{
	static const struct {
		const struct arch *arch;
		const char *name;
		unsigned int index;
	} rows[] = {
		{ &arch_x86_64, "r15", 0 }, { &arch_x86_64, "bp", 4 },
		{ &arch_x86_64, "r9", 8 }, { &arch_x86_64, "di", 14 },
		{ &arch_x86_64, "orig_ax", 15 }, { &arch_x86_64, "ip", 16 },
		{ &arch_x86_64, "flags", 18 }, { &arch_x86_64, "ss", 20 },
		{ &arch_arm64, "x0", 0 }, { &arch_arm64, "x29", 29 },
		{ &arch_arm64, "x30", 30 }, { &arch_arm64, "lr", 30 },
		{ &arch_arm64, "sp", 31 }, { &arch_arm64, "pc", 32 },
		{ &arch_arm64, "pstate", 33 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(arch_reg(rows[i].arch, rows[i].name)->index,
				 rows[i].index);
	assert_int_equal(arch_x86_64.nr_regs, __KTAP_X86_64_MAX);
	/* lr is x30 */
	assert_int_equal(arch_arm64.nr_regs, __KTAP_ARM64_MAX + 1);
	assert_null(arch_reg(&arch_x86_64, "rax"));
	assert_null(arch_reg(&arch_arm64, "x31"));
	assert_non_null(arch_find(arch_native()));
}

/* Every register has a name, and no name stands for two. */
static void test_registers_are_complete(void **state)
{
	static const struct arch *const archs[] = { &arch_x86_64, &arch_arm64 };
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(archs); i++) {
		uint64_t seen = 0;

		for (k = 0; k < archs[i]->nr_regs; k++) {
			const struct arch_reg *reg = &archs[i]->regs[k];

			assert_ptr_equal(arch_reg(archs[i], reg->name), reg);
			seen |= 1ULL << reg->index;
		}
		assert_int_equal(seen & (seen + 1), 0);
		for (k = 0; k < archs[i]->nr_aliases; k++) {
			assert_null(arch_reg(archs[i],
					     archs[i]->aliases[k].theirs));
			assert_non_null(arch_reg(archs[i],
						 archs[i]->aliases[k].ours));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers_only),
		cmocka_unit_test(test_system_calls),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_field_kinds),
		cmocka_unit_test(test_fixed_sizes),
		cmocka_unit_test(test_fault_masks),
		cmocka_unit_test(test_layout_tells_the_place),
		cmocka_unit_test(test_register_tables),
		cmocka_unit_test(test_registers_are_complete),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
