// SPDX-License-Identifier: GPL-2.0
/* The instructions of a function: where they begin, and those that return. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <Zydis/Zydis.h>

#include "base/array.h"
#include "object/file.h"

/* No function is so large; a hostile file may say anything. */
#define CODE_MAX	(1U << 20)

/* RET, by any register, and RETAA and RETAB, which check it first */
#define ARM64_RET	0xd65f0000U
#define ARM64_RET_MASK	0xfffffc1fU
#define ARM64_RETAA	0xd65f0bffU
#define ARM64_RETAB	0xd65f0fffU

/**
 * struct code_view - the code of a function
 * @bytes: it
 * @address: of the first one
 * @size: how many
 */
struct code_view {
	const uint8_t *bytes;
	uint64_t address;
	uint64_t size;
};

static int code_at(const struct binary *bin, uint64_t address, uint64_t end,
		   struct code_view *ret)
{
	const struct segment *s = binary_segment(bin, address);
	Elf_Data *data = NULL;
	uint64_t size = end - address;

	if (s && end > address && size <= CODE_MAX &&
	    size <= s->size - (address - s->address))
		data = elf_getdata_rawchunk(bin->elf,
					    address - s->address + s->offset,
					    size, ELF_T_BYTE);
	if (!data)
		return -ENODATA;
	*ret = (struct code_view){ data->d_buf, address, size };
	return 0;
}

static int put(struct code_rets *rets, uint64_t address)
{
	uint64_t *at = array_grow(rets->at, rets->nr, sizeof(*at));

	if (!at)
		return -ENOMEM;
	rets->at = at;
	at[rets->nr++] = address;
	return 0;
}

static bool is_arm64_ret(uint32_t insn)
{
	return (insn & ARM64_RET_MASK) == ARM64_RET || insn == ARM64_RETAA ||
	       insn == ARM64_RETAB;
}

/* Instructions of arm64 have one size, so that none is found inside of another.
 * Constants that stand between them look like one once in 2^27.
 */
static int find_arm64(const struct code_view *code, struct code_rets *rets)
{
	uint32_t insn;
	int err = 0;

	for (uint64_t i = 0; !err && i + sizeof(insn) <= code->size;
	     i += sizeof(insn)) {
		memcpy(&insn, code->bytes + i, sizeof(insn));
		if (is_arm64_ret(le32toh(insn)))
			err = put(rets, code->address + i);
	}
	return err;
}

/* Where an instruction is not known, where the next one begins is not either. */
static int find_x86(const struct code_view *code, struct code_rets *rets)
{
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;
	uint64_t i;
	int err = 0;

	if (ZYAN_FAILED(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
					 ZYDIS_STACK_WIDTH_64)))
		return -ENODATA;
	for (i = 0; !err && i < code->size; i += insn.length) {
		rets->stop = code->address + i;
		if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(&decoder, NULL,
							      code->bytes + i,
							      code->size - i,
							      &insn)))
			return -EILSEQ;
		if (insn.mnemonic == ZYDIS_MNEMONIC_RET)
			err = put(rets, code->address + i);
	}
	return err;
}

/* The longest instruction of x86 */
#define INSN_MAX 15

static uint64_t x86_insn_at(const struct code_view *code, uint64_t at)
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

uint64_t binary_insn_at(const struct binary *bin, uint64_t start, uint64_t at)
{
	struct code_view code;

	if (bin->arch == KTAP_ARCH_ARM64)
		return at & ~3ULL;
	if (code_at(bin, start, at + INSN_MAX, &code))
		return 0;
	return x86_insn_at(&code, at);
}

int binary_rets(const struct binary *bin, uint64_t start, uint64_t end,
		struct code_rets *ret)
{
	struct code_view code;
	int err;

	*ret = (struct code_rets){ .stop = start };
	err = code_at(bin, start, end, &code);
	if (err)
		return err;
	return bin->arch == KTAP_ARCH_ARM64 ? find_arm64(&code, ret) :
					      find_x86(&code, ret);
}

void code_rets_deinit(struct code_rets *rets)
{
	free(rets->at);
	rets->at = NULL;
	rets->nr = 0;
}
