// SPDX-License-Identifier: GPL-2.0
/* The instructions of arm64 that return, and those that call. */
#include <endian.h>
#include <stdbool.h>
#include <string.h>

#include "arch/code.h"

/* RET, by any register, and RETAA and RETAB, which check it first */
#define ARM64_RET	0xd65f0000U
#define ARM64_RET_MASK	0xfffffc1fU
#define ARM64_RETAA	0xd65f0bffU
#define ARM64_RETAB	0xd65f0fffU

/* B and BL: the distance in instructions is in the low 26 bits */
#define ARM64_B		0x14000000U
#define ARM64_BL	0x94000000U
#define ARM64_B_MASK	0xfc000000U

/* BLR, and BLRAA, BLRAB, BLRAAZ and BLRABZ, which check the address first */
#define ARM64_BLR	0xd63f0000U
#define ARM64_BLR_MASK	0xfefff000U

static bool is_ret(uint32_t insn)
{
	return (insn & ARM64_RET_MASK) == ARM64_RET || insn == ARM64_RETAA ||
	       insn == ARM64_RETAB;
}

/*
 * Instructions have one size, so that none is found inside of another. Constants that stand
 * between them look like one once in 2^27.
 */
int code_arm64_rets(const struct code_view *code, struct code_rets *ret)
{
	uint32_t insn;
	int err = 0;

	for (uint64_t i = 0; !err && i + sizeof(insn) <= code->size; i += sizeof(insn)) {
		memcpy(&insn, code->bytes + i, sizeof(insn));
		if (is_ret(le32toh(insn)))
			err = code_rets_add(ret, code->address + i);
	}
	return err;
}

static int add_call(const struct code_view *code, uint64_t address, uint32_t insn,
		    struct code_calls *ret)
{
	int64_t words = (int32_t)(insn << 6) >> 6;

	ret->indirect += (insn & ARM64_BLR_MASK) == ARM64_BLR;
	if ((insn & ARM64_B_MASK) != ARM64_B && (insn & ARM64_B_MASK) != ARM64_BL)
		return 0;
	return code_calls_add(ret, code, address + words * 4,
			      (insn & ARM64_B_MASK) == ARM64_BL);
}

int code_arm64_calls(const struct code_view *code, struct code_calls *ret)
{
	uint32_t insn;
	int err = 0;

	for (uint64_t i = 0; !err && i + sizeof(insn) <= code->size; i += sizeof(insn)) {
		memcpy(&insn, code->bytes + i, sizeof(insn));
		err = add_call(code, code->address + i, le32toh(insn), ret);
	}
	return err;
}
