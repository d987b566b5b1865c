// SPDX-License-Identifier: GPL-2.0
/* x86-64: registers, and where a function's arguments are. */
#include <elf.h>

#include "arch/arch.h"

static const struct arch_reg regs[] = {
	{ "r15", KTAP_X86_64_R15 },
	{ "r14", KTAP_X86_64_R14 },
	{ "r13", KTAP_X86_64_R13 },
	{ "r12", KTAP_X86_64_R12 },
	{ "r11", KTAP_X86_64_R11 },
	{ "r10", KTAP_X86_64_R10 },
	{ "r9", KTAP_X86_64_R9 },
	{ "r8", KTAP_X86_64_R8 },
	{ "bx", KTAP_X86_64_BX },
	{ "cx", KTAP_X86_64_CX },
	{ "dx", KTAP_X86_64_DX },
	{ "si", KTAP_X86_64_SI },
	{ "di", KTAP_X86_64_DI },
	{ "bp", KTAP_X86_64_BP },
	{ "ax", KTAP_X86_64_AX },
	{ "orig_ax", KTAP_X86_64_ORIG_AX },
	{ "ip", KTAP_X86_64_IP },
	{ "cs", KTAP_X86_64_CS },
	{ "flags", KTAP_X86_64_FLAGS },
	{ "sp", KTAP_X86_64_SP },
	{ "ss", KTAP_X86_64_SS },
};

/* The 64-bit and 32-bit names of the manuals. */
static const struct arch_alias aliases[] = {
	{ "rax", "ax" },
	{ "eax", "ax" },
	{ "rbx", "bx" },
	{ "ebx", "bx" },
	{ "rcx", "cx" },
	{ "ecx", "cx" },
	{ "rdx", "dx" },
	{ "edx", "dx" },
	{ "rsi", "si" },
	{ "esi", "si" },
	{ "rdi", "di" },
	{ "edi", "di" },
	{ "rbp", "bp" },
	{ "ebp", "bp" },
	{ "rsp", "sp" },
	{ "esp", "sp" },
	{ "rip", "ip" },
	{ "eip", "ip" },
	{ "rflags", "flags" },
	{ "eflags", "flags" },
};

static const unsigned int args[] = {
	KTAP_X86_64_DI, KTAP_X86_64_SI, KTAP_X86_64_DX,
	KTAP_X86_64_CX, KTAP_X86_64_R8, KTAP_X86_64_R9,
};

/* System V ABI, AMD64 supplement, figure 3.36; 16 is where it returns to. */
static const unsigned int dwarf_regs[] = {
	KTAP_X86_64_AX, KTAP_X86_64_DX, KTAP_X86_64_CX, KTAP_X86_64_BX,
	KTAP_X86_64_SI, KTAP_X86_64_DI, KTAP_X86_64_BP, KTAP_X86_64_SP,
	KTAP_X86_64_R8, KTAP_X86_64_R9, KTAP_X86_64_R10, KTAP_X86_64_R11,
	KTAP_X86_64_R12, KTAP_X86_64_R13, KTAP_X86_64_R14, KTAP_X86_64_R15,
};

const struct arch arch_x86_64 = {
	.id = KTAP_ARCH_X86_64,
	.name = "x86-64",
	.regs = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.aliases = aliases,
	.nr_aliases = ARRAY_SIZE(aliases),
	.args = args,
	.nr_args = ARRAY_SIZE(args),
	.stack_args = 1, /* word 0 is the return address */
	/* di si dx r10 r8 r9, in a layout that ptrace() shows to everyone */
	.syscall_args = { 112, 104, 96, 56, 72, 64 },
	.dwarf_regs = dwarf_regs,
	.nr_dwarf_regs = ARRAY_SIZE(dwarf_regs),
	.dwarf_sp = 7,
	.dwarf_fp = 6,
	.dwarf_ra = 16,
	.has_plt_cfi = true,
	/* xmm0 to xmm15; st0 to st7 and mm0 to mm7 follow */
	.dwarf_vector = 17,
	.nr_dwarf_vector = 32,
	.sp = KTAP_X86_64_SP,
	.pc = KTAP_X86_64_IP,
	.retval = KTAP_X86_64_AX,
	.link = ARCH_ON_STACK,
	.code_bytes = 4, /* -mcmodel=kernel: the last 2 GiB, modules with it */
	.elf_machine = EM_X86_64,
	.has_x87 = true,
	.libraries = "x86_64-linux-gnu",
	.syscall_prefix = "__x64_sys_",
	.kconfig = "CONFIG_X86_64=y",
	.vermagic = "",
	.ignored_symbol = "_GLOBAL_OFFSET_TABLE_",
	.go_registers = 17,
};
