// SPDX-License-Identifier: GPL-2.0
/* The instructions of x86-64: where they begin, those that return, and those that call. */
#include <errno.h>
#include <stdbool.h>

#include <Zydis/Zydis.h>

#include "arch/code.h"

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
