// SPDX-License-Identifier: GPL-2.0
/* The calls in code: of this program, against objdump; of arm64, instruction by instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "arch/code.h"
#include "object/binary.h"
#include "object/kcore.h"

#define FUNCTIONS 200

/* ---- what objdump finds ---- */

/* struct theirs - calls of a function: targets outside of it, and calls without a target */
struct theirs {
	uint64_t to[4096];
	size_t nr;
	size_t indirect;
};

/* "call 1234 <name>", "bnd jmp 1234", "call *%rax"; whether it is a jump or a call */
static bool is_branch(const char *insn)
{
	return !strncmp(insn, "call", 4) || *insn == 'j';
}

static void take_line(struct theirs *t, const char *line, uint64_t start, uint64_t end)
{
	const char *insn = strchr(line, '\t');
	uint64_t to;
	bool is_call;
	char *rest;

	if (!insn)
		return;
	insn++;
	if (!strncmp(insn, "bnd ", 4) || !strncmp(insn, "notrack ", 8))
		insn = strchr(insn, ' ') + 1;
	if (!is_branch(insn))
		return;
	is_call = *insn == 'c';
	insn += strcspn(insn, " ");
	insn += strspn(insn, " ");
	if (*insn == '*')
		return;
	to = strtoull(insn, &rest, 16);
	if (rest != insn && (to < start || to >= end || (is_call && to == start)))
		t->to[t->nr++] = to;
}

static void ask_objdump(const char *path, uint64_t start, uint64_t end, struct theirs *ret)
{
	char command[256], line[1024];
	FILE *f;

	*ret = (struct theirs){ 0 };
	snprintf(command, sizeof(command),
		 "objdump -d --no-show-raw-insn --start-address=0x%" PRIx64
		 " --stop-address=0x%" PRIx64 " %s", start, end, path);
	f = popen(command, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		take_line(ret, line, start, end);
		ret->indirect += strstr(line, "call ") && strchr(line, '*');
	}
	assert_int_equal(pclose(f), 0);
}

/* ---- the same for this program ---- */

static void compare_calls(const struct binary *bin, uint64_t start, uint64_t end)
{
	static uint8_t bytes[1 << 16];
	static struct theirs theirs;
	const struct code_view code = { bytes, start, end - start };
	struct code_calls calls = { 0 };

	assert_true(code.size <= sizeof(bytes));
	assert_int_equal(binary_read_code(bin, start, bytes, code.size), 0);
	assert_int_equal(code_find_calls(binary_arch(bin), &code, &calls), 0);
	ask_objdump(binary_path(bin), start, end, &theirs);
	assert_int_equal(calls.stop, 0);
	assert_int_equal(calls.nr, theirs.nr);
	assert_int_equal(calls.indirect, theirs.indirect);
	for (size_t i = 0; i < calls.nr; i++)
		assert_int_equal(calls.call[i].to, theirs.to[i]);
	code_calls_deinit(&calls);
}

static void test_objdump(void **state)
{
	struct binary *bin = NULL;
	const struct binary_sym *syms;
	char path[256] = "";
	size_t nr, done = 0;

	if (arch_native() != KTAP_ARCH_X86_64) {
		print_message("# the code of this machine is not x86's\n");
		skip();
	}
	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	assert_int_equal(binary_open(path, NULL, &bin), 0);
	syms = binary_syms(bin, NULL, &nr);
	for (size_t i = 0; syms && i < nr && done < FUNCTIONS; i++) {
		if (syms[i].kind != BINARY_CODE || syms[i].is_label || !syms[i].size ||
		    syms[i].size > 1 << 16)
			continue;
		compare_calls(bin, syms[i].address, syms[i].address + syms[i].size);
		done++;
	}
	assert_true(done > FUNCTIONS / 4);
	binary_free(bin);
}

/* Encodings: see the Arm Architecture Reference Manual, C6.2. */
static void test_arm64(void **state)
{
	static const uint32_t insns[] = {
		0x94000010,	/* bl .+0x40 */
		0x97fffffe,	/* bl .-8 */
		0x14000002,	/* b .+8: inside */
		0x17ffff00,	/* b .-0x400 */
		0xd63f0020,	/* blr x1 */
		0xd63f083f,	/* blraaz x1 */
		0xd73f0822,	/* blraa x1, x2 */
		0xd61f0020,	/* br x1: a jump table, maybe */
		0xd65f03c0,	/* ret */
		0x54000040,	/* b.eq .+8 */
	};
	const struct code_view code = { (const uint8_t *)insns, 0x10000, sizeof(insns) };
	struct code_calls calls = { 0 };

	assert_int_equal(code_find_calls(KTAP_ARCH_ARM64, &code, &calls), 0);
	assert_int_equal(calls.nr, 3);
	assert_int_equal(calls.call[0].to, 0x10040);
	assert_int_equal(calls.call[1].to, 0x10004 - 8);
	assert_int_equal(calls.call[2].to, 0x1000c - 0x400);
	assert_int_equal(calls.indirect, 3);
	code_calls_deinit(&calls);
}

static void test_unknown(void **state)
{
	/* call .+0x105; then an opcode that 64-bit mode does not have */
	static const uint8_t bytes[] = { 0xe8, 0x00, 0x01, 0x00, 0x00, 0x06, 0xe8, 0, 0, 0, 0 };
	const struct code_view code = { bytes, 0x1000, sizeof(bytes) };
	struct code_calls calls = { 0 };

	assert_int_equal(code_find_calls(KTAP_ARCH_X86_64, &code, &calls), 0);
	assert_int_equal(calls.nr, 1);
	assert_int_equal(calls.call[0].to, 0x1105);
	assert_int_equal(calls.stop, 0x1005);
	code_calls_deinit(&calls);
	assert_int_equal(code_find_calls(0x7fff, &code, &calls), -ENODATA);
}

static bool has_site(enum ktap_arch arch, const void *bytes)
{
	const struct code_view code = { bytes, 0x1000, CODE_BEGIN_MAX };

	return code_has_site(arch, &code);
}

static void test_sites(void **state)
{
	static const uint8_t nop[16] = { 0x0f, 0x1f, 0x44, 0x00, 0x00, 0x55 };
	static const uint8_t endbr_call[16] = { 0xf3, 0x0f, 0x1e, 0xfa, 0xe8, 1, 2, 3, 4 };
	static const uint8_t poison_nop[16] = { 0x66, 0x0f, 0x1f, 0x00, 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	static const uint8_t k8_nop[16] = { 0x66, 0x66, 0x66, 0x66, 0x90 };
	static const uint8_t push[16] = { 0x55, 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	static const uint8_t endbr_push[16] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0xe8 };
	/* bti c; nop; nop */
	static const uint32_t bti[4] = { 0xd503245f, 0xd503201f, 0xd503201f };
	/* mov x9, x30; bl .+0x40 */
	static const uint32_t call[4] = { 0xaa1e03e9, 0x94000010 };
	/* nop; stp x29, x30, [sp, #-16]! */
	static const uint32_t one[4] = { 0xd503201f, 0xa9bf7bfd, 0xd503201f, 0xd503201f };
	const struct code_view small = { nop, 0x1000, sizeof(nop) - 1 };

	assert_true(has_site(KTAP_ARCH_X86_64, nop));
	assert_true(has_site(KTAP_ARCH_X86_64, endbr_call));
	assert_true(has_site(KTAP_ARCH_X86_64, poison_nop));
	assert_true(has_site(KTAP_ARCH_X86_64, k8_nop));
	assert_false(has_site(KTAP_ARCH_X86_64, push));
	assert_false(has_site(KTAP_ARCH_X86_64, endbr_push));
	assert_false(code_has_site(KTAP_ARCH_X86_64, &small));
	assert_true(has_site(KTAP_ARCH_ARM64, bti));
	assert_true(has_site(KTAP_ARCH_ARM64, call));
	assert_false(has_site(KTAP_ARCH_ARM64, one));
	assert_false(has_site(0x7fff, nop));
}

/* Where GNU as puts a label: adrp x16, LABEL; add x16, x16, :lo12:LABEL; br x16 */
static void test_veneers(void **state)
{
	/* from 0xffff800008123ff4 to 0xffff800010000abc: 0x7edd pages on */
	static const uint32_t far[4] = { 0xb003f6f0, 0x912af210, 0xd61f0200 };
	/* with bti c first, from 0x12ffc: 3 pages before the page of the next instruction */
	static const uint32_t back[4] = { 0xd503245f, 0xb0fffff0, 0x91000610, 0xd61f0200 };
	/* br x17 */
	static const uint32_t other[4] = { 0xb003f6f0, 0x912af210, 0xd61f0220 };
	struct code_view code = { (const uint8_t *)far, 0xffff800008123ff4, CODE_BEGIN_MAX };

	assert_int_equal(code_veneer_to(KTAP_ARCH_ARM64, &code), 0xffff800010000abc);
	code.bytes = (const uint8_t *)back;
	code.address = 0x12ffc;
	assert_int_equal(code_veneer_to(KTAP_ARCH_ARM64, &code), 0x10001);
	code.bytes = (const uint8_t *)other;
	assert_int_equal(code_veneer_to(KTAP_ARCH_ARM64, &code), 0);
	assert_int_equal(code_veneer_to(KTAP_ARCH_X86_64, &code), 0);
}

static void test_roles(void **state)
{
	assert_int_equal(code_role("vfs_read"), CODE_FUNCTION);
	assert_int_equal(code_role("vfs_read.cold"), CODE_PART);
	assert_int_equal(code_role("__SCT__might_resched"), CODE_PART);
	assert_int_equal(code_role("__x86_indirect_thunk_rax"), CODE_INDIRECT);
	assert_int_equal(code_role("__fentry__"), CODE_SUPPORT);
	assert_int_equal(code_role("__asan_load8_noabort"), CODE_SUPPORT);
	assert_int_equal(code_role("mempool_alloc"), CODE_FUNCTION);
	assert_int_equal(code_role("memcpy_orig"), CODE_SUPPORT);
	assert_int_equal(code_role("memcpy_extent_buffer"), CODE_FUNCTION);
	assert_int_equal(code_role("__pi_memset"), CODE_SUPPORT);
	assert_int_equal(code_role("__pi___x86_indirect_thunk_rax"), CODE_INDIRECT);
}

/* A core file of one segment, as long as its headers and bytes */
static void test_kcore(void **state)
{
	struct {
		Elf64_Ehdr header;
		Elf64_Phdr segment;
		char bytes[16];
	} file = {
		.header = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				     EV_CURRENT },
			.e_type = ET_CORE, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
			.e_phoff = sizeof(Elf64_Ehdr), .e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1,
		},
		.segment = {
			.p_type = PT_LOAD, .p_offset = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr),
			.p_vaddr = 0xffffffff81000000, .p_filesz = 16, .p_memsz = 32,
		},
		.bytes = "sixteen of them",
	};
	char path[] = "/tmp/ktap-kcore.XXXXXX", got[16];
	int fd = mkstemp(path);
	struct kcore *k = NULL;
	struct diag d = { 0 };

	assert_int_equal(write(fd, &file, sizeof(file)), sizeof(file));
	assert_int_equal(kcore_open(path, &d, &k), 0);
	assert_int_equal(kcore_read(k, 0xffffffff81000000, got, 16), 0);
	assert_string_equal(got, "sixteen of them");
	assert_int_equal(kcore_read(k, 0xffffffff81000008, got, 4), 0);
	assert_memory_equal(got, "of t", 4);
	assert_int_equal(kcore_read(k, 0xffffffff80fffff8, got, 16), -ENODATA);
	assert_int_equal(kcore_read(k, 0xffffffff81000018, got, 16), -ENODATA);
	/* the segment has them, and the file ends before */
	assert_int_equal(kcore_read(k, 0xffffffff81000008, got, 16), -ENODATA);
	assert_int_equal(kcore_read(k, UINT64_MAX, got, 16), -ENODATA);
	kcore_free(k);
	file.header.e_type = ET_EXEC;
	assert_int_equal(pwrite(fd, &file, sizeof(file), 0), sizeof(file));
	assert_int_equal(kcore_open(path, &d, &k), -EINVAL);
	assert_int_equal(d.code, DIAG_KCORE_FORMAT);
	diag_clear(&d);
	unlink(path);
	assert_int_equal(kcore_open(path, &d, &k), -ENOENT);
	assert_int_equal(d.code, DIAG_KCORE_OPEN);
	diag_clear(&d);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_objdump),
		cmocka_unit_test(test_arm64),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_sites),
		cmocka_unit_test(test_veneers),
		cmocka_unit_test(test_roles),
		cmocka_unit_test(test_kcore),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
