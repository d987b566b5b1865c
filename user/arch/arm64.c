// SPDX-License-Identifier: GPL-2.0
/* arm64: registers, and where a function's arguments are. */
#include <elf.h>

#include "arch/arch.h"

#define X(n) { "x" #n, KTAP_ARM64_X0 + (n) }

static const struct arch_reg regs[] = {
	X(0), X(1), X(2), X(3),
	X(4), X(5), X(6), X(7),
	X(8), X(9), X(10), X(11),
	X(12), X(13), X(14), X(15),
	X(16), X(17), X(18), X(19),
	X(20), X(21), X(22), X(23),
	X(24), X(25), X(26), X(27),
	X(28), X(29), X(30),
	{ "lr", KTAP_ARM64_X30 },
	{ "sp", KTAP_ARM64_SP },
	{ "pc", KTAP_ARM64_PC },
	{ "pstate", KTAP_ARM64_PSTATE },
};

static const struct arch_alias aliases[] = {
	{ "fp", "x29" },
	{ "ip0", "x16" },
	{ "ip1", "x17" },
	{ "cpsr", "pstate" },
	{ "ip", "pc" },
};

static const unsigned int args[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

/* DWARF for the Arm 64-bit Architecture, 4.1: x0 to x30, and 31 is sp. */
static const unsigned int dwarf_regs[] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
	KTAP_ARM64_X30, KTAP_ARM64_SP,
};

const struct arch arch_arm64 = {
	.id = KTAP_ARCH_ARM64,
	.name = "arm64",
	.regs = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.aliases = aliases,
	.nr_aliases = ARRAY_SIZE(aliases),
	.args = args,
	.nr_args = ARRAY_SIZE(args),
	.stack_args = 0, /* the return address is in x30 */
	.large_by_reference = true,
	/* x0 to x5, in a layout that ptrace() shows to everyone */
	.syscall_args = { 0, 8, 16, 24, 32, 40 },
	.dwarf_regs = dwarf_regs,
	.nr_dwarf_regs = ARRAY_SIZE(dwarf_regs),
	.dwarf_sp = 31,
	.dwarf_fp = 29,
	.dwarf_ra = 30,
	.dwarf_vector = 64,
	.nr_dwarf_vector = 32,
	.thread_head = 16,
	.sp = KTAP_ARM64_SP,
	.pc = KTAP_ARM64_PC,
	.retval = KTAP_ARM64_X0,
	.link = KTAP_ARM64_X30,
	.code_bytes = 8, /* what BPF compiles may be anywhere */
	.insn_bytes = 4,
	.elf_machine = EM_AARCH64,
	/* ELF for the Arm 64-bit Architecture, 5.7: where code and data begin */
	.mapping_symbols = "xd",
	.libraries = "aarch64-linux-gnu",
	.syscall_prefix = "__arm64_sys_",
	.kconfig = "CONFIG_ARM64=y",
	.vermagic = " aarch64",
	.go_registers = 18,
};
