// SPDX-License-Identifier: GPL-2.0
#include "arch/code.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

/**
 * struct decoder - knows the instructions of an architecture
 * @arch: which
 * @rets: see code_find_rets()
 * @insn_at: see code_insn_at(); NULL: all instructions have one size
 */
struct decoder {
	enum ktap_arch arch;
	int (*rets)(const struct code_view *code, struct code_rets *ret);
	uint64_t (*insn_at)(const struct code_view *code, uint64_t at);
};

static const struct decoder decoders[] = {
	{ KTAP_ARCH_X86_64, code_x86_64_rets, code_x86_64_insn_at },
	{ KTAP_ARCH_ARM64, code_arm64_rets, NULL },
};

static const struct decoder *find(enum ktap_arch arch)
{
	for (size_t i = 0; i < ARRAY_SIZE(decoders); i++)
		if (decoders[i].arch == arch)
			return &decoders[i];
	return NULL;
}

int code_find_rets(enum ktap_arch arch, const struct code_view *code,
		   struct code_rets *ret)
{
	const struct decoder *d = find(arch);

	return d ? d->rets(code, ret) : -ENODATA;
}

uint64_t code_insn_at(enum ktap_arch arch, const struct code_view *code, uint64_t at)
{
	const struct decoder *d = find(arch);

	return d && d->insn_at ? d->insn_at(code, at) : 0;
}

int code_rets_add(struct code_rets *rets, uint64_t address)
{
	uint64_t *at = array_grow(rets->at, rets->nr, sizeof(*at));

	if (!at)
		return -ENOMEM;
	rets->at = at;
	at[rets->nr++] = address;
	return 0;
}

void code_rets_deinit(struct code_rets *rets)
{
	free(rets->at);
	rets->at = NULL;
	rets->nr = 0;
}
