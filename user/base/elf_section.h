/* SPDX-License-Identifier: GPL-2.0 */
/* A section of an ELF file, without a library for ELF files. */
#ifndef KTAP_BASE_ELF_SECTION_H
#define KTAP_BASE_ELF_SECTION_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct elf_section - where the bytes of a section are
 * @offset: in the file
 * @size: bytes; the file may have fewer
 */
struct elf_section {
	uint64_t offset;
	uint64_t size;
};

/**
 * elf_section_find() - find the first section of a name
 * @fd: file of 64 bits, little-endian, which may be hostile
 * @name: name of the section, of at most 63 bytes
 * @ret: where it is
 *
 * Sections and their names are as in the System V ABI, "Sections". A file with more than
 * 65279 sections (SHN_LORESERVE) is not searched.
 *
 * Return: false: it has none, or is no such file.
 */
bool elf_section_find(int fd, const char *name, struct elf_section *ret);

#endif /* KTAP_BASE_ELF_SECTION_H */
