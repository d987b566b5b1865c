// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any bytes as the code of a function. The input is a byte with the architecture,
 * 8 bytes with the address, and the code. What is found lies where it can be.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/code.h"
#include "fuzz.h"

static void require(int ok)
{
	if (!ok)
		abort();
}

static void check_rets(enum ktap_arch arch, const struct code_view *code)
{
	struct code_rets rets = { 0 };
	int err = code_find_rets(arch, code, &rets);
	size_t i;

	require(!err || err == -EILSEQ);
	if (err)
		require(rets.stop - code->address < code->size);
	for (i = 0; i < rets.nr; i++) {
		require(rets.at[i] - code->address < code->size);
		require(!i || rets.at[i] - code->address > rets.at[i - 1] - code->address);
	}
	code_rets_deinit(&rets);
}

static void check_calls(enum ktap_arch arch, const struct code_view *code)
{
	struct code_calls calls = { 0 };
	size_t i;

	require(!code_find_calls(arch, code, &calls));
	require(!calls.stop || calls.stop - code->address < code->size);
	require(calls.nr + calls.indirect <= code->size);
	for (i = 0; i < calls.nr; i++) {
		const struct code_call *c = &calls.call[i];

		require(c->to - code->address >= code->size ||
			(!c->is_jump && c->to == code->address));
	}
	code_calls_deinit(&calls);
}

/* Of an instruction that has a byte, all bytes have the same begin. */
static void check_insns(enum ktap_arch arch, const struct code_view *code)
{
	uint64_t i, at, last = 0;

	for (i = 0; i < code->size; i++) {
		at = code_insn_at(arch, code, code->address + i);
		require(!at || at - code->address <= i);
		require(!at || i - (at - code->address) < CODE_INSN_MAX);
		/* address 0 says that it is not known */
		if (at && last)
			require(at - code->address >= last - code->address);
		last = at;
	}
}

/* Code that is cut anywhere, too. */
static void check_begins(enum ktap_arch arch, const struct code_view *code)
{
	struct code_view begin = *code;

	for (begin.size = 0; begin.size <= code->size && begin.size <= 2 * CODE_BEGIN_MAX;
	     begin.size++) {
		/* a read behind it is an error */
		uint8_t *copy = malloc(begin.size ? begin.size : 1);

		require(!!copy);
		if (begin.size)
			memcpy(copy, code->bytes, begin.size);
		begin.bytes = copy;
		code_has_site(arch, &begin);
		code_veneer_to(arch, &begin);
		check_rets(arch, &begin);
		check_calls(arch, &begin);
		free(copy);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum ktap_arch archs[] = { KTAP_ARCH_X86_64, KTAP_ARCH_ARM64 };
	struct fuzz_bytes b = { data, size };
	enum ktap_arch arch = archs[fuzz_byte(&b) & 1];
	struct code_view code = { .address = fuzz_word(&b), .bytes = b.at, .size = b.left };

	/* instructions of arm64 are words */
	if (arch == KTAP_ARCH_ARM64)
		code.address &= ~3ULL;
	check_rets(arch, &code);
	check_calls(arch, &code);
	/* the square of the size */
	if (code.size <= 256)
		check_insns(arch, &code);
	check_begins(arch, &code);
	return 0;
}
