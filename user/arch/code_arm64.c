// SPDX-License-Identifier: GPL-2.0
/* The instructions of arm64 that return. */
#include <endian.h>
#include <stdbool.h>
#include <string.h>

#include "arch/code.h"

/* RET, by any register, and RETAA and RETAB, which check it first */
#define ARM64_RET	0xd65f0000U
#define ARM64_RET_MASK	0xfffffc1fU
#define ARM64_RETAA	0xd65f0bffU
#define ARM64_RETAB	0xd65f0fffU

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
