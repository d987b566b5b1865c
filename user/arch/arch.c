// SPDX-License-Identifier: GPL-2.0
/* Which architectures there are, and which one this is. */
#include "arch/arch.h"

#include <elf.h>
#include <string.h>

static const struct arch *const archs[] = { &arch_x86_64, &arch_arm64 };

enum ktap_arch arch_native(void)
{
#if defined(__x86_64__)
	return KTAP_ARCH_X86_64;
#elif defined(__aarch64__)
	return KTAP_ARCH_ARM64;
#else
#error "ktap supports x86-64 and arm64"
#endif
}

const struct arch *arch_find(enum ktap_arch id)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(archs); i++)
		if (archs[i]->id == id)
			return archs[i];
	return NULL;
}

const struct arch *arch_nth(size_t nr)
{
	return nr < ARRAY_SIZE(archs) ? archs[nr] : NULL;
}

const struct arch *arch_of_elf(const unsigned char *ident, unsigned int machine)
{
	if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (archs[i]->elf_machine == machine)
			return archs[i];
	return NULL;
}

const struct arch_reg *arch_reg(const struct arch *arch, const char *name)
{
	size_t i;

	for (i = 0; i < arch->nr_regs; i++)
		if (!strcmp(arch->regs[i].name, name))
			return &arch->regs[i];
	return NULL;
}

const char *arch_reg_name(const struct arch *arch, unsigned int index)
{
	for (size_t i = 0; i < arch->nr_regs; i++)
		if (arch->regs[i].index == index)
			return arch->regs[i].name;
	return NULL;
}
