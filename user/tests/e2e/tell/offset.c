// SPDX-License-Identifier: GPL-2.0
/* Where the code of this program lies in its file. */
#include <link.h>

#include "tell.h"

static int add_base(struct dl_phdr_info *info, size_t size, void *at)
{
	const ElfW(Phdr) *p = info->dlpi_phdr;
	uint64_t *addr = at;
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++)
		if (p[i].p_type == PT_LOAD &&
		    *addr - info->dlpi_addr - p[i].p_vaddr < p[i].p_memsz) {
			*addr += p[i].p_offset - info->dlpi_addr - p[i].p_vaddr;
			return 1;
		}
	return 0;
}

uint64_t file_offset(const void *function)
{
	uint64_t at = (uintptr_t)function;

	dl_iterate_phdr(add_base, &at);
	return at;
}
