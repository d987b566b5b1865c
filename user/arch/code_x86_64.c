// SPDX-License-Identifier: GPL-2.0
/* The instructions of x86-64: where they begin, those that return, and those that call. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <Zydis/Zydis.h>

#include "arch/code.h"
#include "base/array.h"

/* Where an instruction is not known, where the next one begins is not either. */
int code_x86_64_rets(const struct code_view *code, struct code_rets *ret)
{
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;
	uint64_t i;
	int err = 0;

	if (ZYAN_FAILED(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
					 ZYDIS_STACK_WIDTH_64)))
		return -ENODATA;
	for (i = 0; !err && i < code->size; i += insn.length) {
		ret->stop = code->address + i;
		if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(&decoder, NULL,
							      code->bytes + i,
							      code->size - i,
							      &insn)))
			return -EILSEQ;
		if (insn.mnemonic == ZYDIS_MNEMONIC_RET)
			err = code_rets_add(ret, code->address + i);
	}
	return err;
}

uint64_t code_x86_64_insn_at(const struct code_view *code, uint64_t at)
{
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;

	if (ZYAN_FAILED(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
					 ZYDIS_STACK_WIDTH_64)))
		return 0;
	for (uint64_t i = 0; i < code->size; i += insn.length) {
		if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(&decoder, NULL,
							      code->bytes + i,
							      code->size - i,
							      &insn)))
			return 0;
		if (at < code->address + i + insn.length)
			return code->address + i;
	}
	return 0;
}

static bool is_call(const ZydisDecodedInstruction *insn)
{
	return insn->meta.category == ZYDIS_CATEGORY_CALL;
}

/* A function also calls what it jumps to at its end. */
static bool is_jump(const ZydisDecodedInstruction *insn)
{
	return insn->meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
	       insn->meta.category == ZYDIS_CATEGORY_COND_BR;
}

static int add_call(const struct code_view *code, uint64_t next,
		    const ZydisDecodedInstruction *insn, struct code_calls *ret)
{
	if (!is_call(insn) && !is_jump(insn))
		return 0;
	if (insn->raw.imm[0].is_relative)
		return code_calls_add(ret, code, next + insn->raw.imm[0].value.s,
				      is_call(insn));
	ret->indirect += is_call(insn);
	return 0;
}

int code_x86_64_calls(const struct code_view *code, struct code_calls *ret)
{
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;
	int err = 0;

	if (ZYAN_FAILED(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
					 ZYDIS_STACK_WIDTH_64)))
		return -ENODATA;
	for (uint64_t i = 0; !err && i < code->size;) {
		if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(&decoder, NULL,
							      code->bytes + i,
							      code->size - i,
							      &insn))) {
			ret->stop = code->address + i;
			return 0;
		}
		i += insn.length;
		err = add_call(code, code->address + i, &insn, ret);
	}
	return err;
}

/*
 * ENDBR, and what the kernel replaces it with where nothing jumps to by a register: see
 * gen_endbr_poison() in asm/ibt.h of 6.12 and of 7.3
 */
static const uint8_t endbrs[][4] = {
	{ 0xf3, 0x0f, 0x1e, 0xfa }, { 0x66, 0x0f, 0x1f, 0x00 }, { 0x0f, 0x1f, 0x40, 0xd6 },
};

/* A nop of 5 bytes, the same on AMD's K8 in kernels before 5.13, or a call. */
bool code_x86_64_has_site(const struct code_view *code)
{
	static const uint8_t nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	static const uint8_t k8_nop[] = { 0x66, 0x66, 0x66, 0x66, 0x90 };
	const uint8_t *at = code->bytes;

	if (code->size < CODE_BEGIN_MAX)
		return false;
	for (size_t i = 0; at == code->bytes && i < ARRAY_SIZE(endbrs); i++)
		if (!memcmp(at, endbrs[i], sizeof(endbrs[i])))
			at += sizeof(endbrs[i]);
	return *at == 0xe8 || !memcmp(at, nop, sizeof(nop)) ||
	       !memcmp(at, k8_nop, sizeof(k8_nop));
}
