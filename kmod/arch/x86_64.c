// SPDX-License-Identifier: GPL-2.0
/* x86-64 registers in struct pt_regs. */
#include <linux/ptrace.h>
#include <linux/stddef.h>

#include "arch.h"

#define ROW(index, member) \
	[KTAP_X86_64_##index] = offsetof(struct pt_regs, member)

const u16 ktap_arch_regs[KTAP_ARCH_NR_REGS] = {
	ROW(R15, r15), ROW(R14, r14), ROW(R13, r13), ROW(R12, r12),
	ROW(BP, bp), ROW(BX, bx), ROW(R11, r11), ROW(R10, r10),
	ROW(R9, r9), ROW(R8, r8), ROW(AX, ax), ROW(CX, cx),
	ROW(DX, dx), ROW(SI, si), ROW(DI, di), ROW(ORIG_AX, orig_ax),
	ROW(IP, ip), ROW(CS, cs), ROW(FLAGS, flags), ROW(SP, sp),
	ROW(SS, ss),
};
