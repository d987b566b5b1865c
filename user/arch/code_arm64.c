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

/* What jumps by a register may jump to */
#define ARM64_BTI_C	0xd503245fU

/* The site of ftrace: two nops, or this and a call */
#define ARM64_NOP	0xd503201fU
#define ARM64_MOV_X9_LR	0xaa1e03e9U

/* A veneer: x16 gets the address of a page, then what is added to it; BR X16 */
#define ARM64_ADRP_X16	0x90000010U
#define ARM64_ADRP_MASK	0x9f00001fU
#define ARM64_ADD_X16	0x91000210U
#define ARM64_ADD_MASK	0xffc003ffU
#define ARM64_BR_X16	0xd61f0200U

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

/*
 * The first 3 instructions, without the one that says that a jump may lead here. Return:
 * the address of the first, or 0.
 */
static uint64_t begin_of(const struct code_view *code, uint32_t *insns)
{
	uint32_t first;
	size_t skip;

	if (code->size < CODE_BEGIN_MAX)
		return 0;
	memcpy(&first, code->bytes, sizeof(first));
	skip = le32toh(first) == ARM64_BTI_C ? sizeof(first) : 0;
	memcpy(insns, code->bytes + skip, 3 * sizeof(*insns));
	for (size_t i = 0; i < 3; i++)
		insns[i] = le32toh(insns[i]);
	return code->address + skip;
}

bool code_arm64_has_site(const struct code_view *code)
{
	uint32_t insn[3];

	return begin_of(code, insn) &&
	       (insn[0] == ARM64_NOP || insn[0] == ARM64_MOV_X9_LR) &&
	       (insn[1] == ARM64_NOP || (insn[1] & ARM64_B_MASK) == ARM64_BL);
}

uint64_t code_arm64_veneer_to(const struct code_view *code)
{
	uint32_t insn[3];
	uint64_t at = begin_of(code, insn);
	int64_t pages;

	if (!at || (insn[0] & ARM64_ADRP_MASK) != ARM64_ADRP_X16 ||
	    (insn[1] & ARM64_ADD_MASK) != ARM64_ADD_X16 || insn[2] != ARM64_BR_X16)
		return 0;
	/* 21 bits: the low two are apart */
	pages = (int32_t)((insn[0] & 0x00ffffe0) << 8) >> 11;
	pages |= insn[0] >> 29 & 3;
	return (at & ~0xfffULL) + ((uint64_t)pages << 12) + (insn[1] >> 10 & 0xfff);
}
