// SPDX-License-Identifier: GPL-2.0
/* Sections of ELF files. */
#include "base/elf_section.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#define NAME_SIZE 64

static bool read_at(int fd, void *to, size_t size, uint64_t at)
{
	return at < INT64_MAX && pread(fd, to, size, at) == (ssize_t)size;
}

static bool read_head(int fd, Elf64_Ehdr *ret)
{
	return read_at(fd, ret, sizeof(*ret), 0) &&
	       !memcmp(ret->e_ident, ELFMAG, SELFMAG) &&
	       ret->e_ident[EI_CLASS] == ELFCLASS64 &&
	       ret->e_ident[EI_DATA] == ELFDATA2LSB &&
	       ret->e_shentsize == sizeof(Elf64_Shdr);
}

static bool read_section(int fd, const Elf64_Ehdr *head, unsigned int i,
			 Elf64_Shdr *ret)
{
	return read_at(fd, ret, sizeof(*ret), head->e_shoff + i * sizeof(*ret));
}

/* @names: section with the names of sections */
static bool has_name(int fd, const Elf64_Shdr *names, uint32_t at,
		     const char *name)
{
	size_t size = strlen(name) + 1;
	char found[NAME_SIZE];

	return at < names->sh_size && names->sh_size - at >= size &&
	       read_at(fd, found, size, names->sh_offset + at) &&
	       !memcmp(found, name, size);
}

bool elf_section_find(int fd, const char *name, struct elf_section *ret)
{
	Elf64_Shdr names, section;
	Elf64_Ehdr head;

	if (strlen(name) >= NAME_SIZE || !read_head(fd, &head) ||
	    head.e_shstrndx >= head.e_shnum ||
	    !read_section(fd, &head, head.e_shstrndx, &names))
		return false;
	for (unsigned int i = 0; i < head.e_shnum; i++) {
		if (!read_section(fd, &head, i, &section))
			return false;
		if (section.sh_type == SHT_NOBITS ||
		    !has_name(fd, &names, section.sh_name, name))
			continue;
		*ret = (struct elf_section){
			.offset = section.sh_offset, .size = section.sh_size,
		};
		return true;
	}
	return false;
}
