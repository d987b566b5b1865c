/* SPDX-License-Identifier: GPL-2.0 */
/* Where an address of this program is in its file. */
#ifndef KTAP_PROG_FILE_OFFSET_H
#define KTAP_PROG_FILE_OFFSET_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>

/* Of the segment that has the address: the program may be position-independent. */
static inline int file_offset_find(struct dl_phdr_info *info, size_t size, void *ctx)
{
	unsigned long *address = ctx;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		unsigned long start = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type != PT_LOAD || *address - start >= ph->p_memsz)
			continue;
		*address = *address - start + ph->p_offset;
		return 1;
	}
	return 0;
}

/* Replaces an address by its offset. Return: whether it has one. */
static inline bool file_offset(unsigned long *address)
{
	return dl_iterate_phdr(file_offset_find, address);
}

#endif /* KTAP_PROG_FILE_OFFSET_H */
