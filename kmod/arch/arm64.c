// SPDX-License-Identifier: GPL-2.0
/* arm64 registers in struct pt_regs. */
#include <linux/ptrace.h>
#include <linux/stddef.h>

#include "arch.h"

#define X(n) [n] = offsetof(struct pt_regs, regs[n])

const u16 ktap_arch_regs[KTAP_ARCH_NR_REGS] = {
	X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7), X(8), X(9), X(10),
	X(11), X(12), X(13), X(14), X(15), X(16), X(17), X(18), X(19), X(20),
	X(21), X(22), X(23), X(24), X(25), X(26), X(27), X(28), X(29), X(30),
	[KTAP_ARM64_SP] = offsetof(struct pt_regs, sp),
	[KTAP_ARM64_PC] = offsetof(struct pt_regs, pc),
	[KTAP_ARM64_PSTATE] = offsetof(struct pt_regs, pstate),
};
