// SPDX-License-Identifier: GPL-2.0
/* Build-ids and code of ELF files. */
#include "base/elf_id.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/note.h"

/* Notes are short: what claims to be longer is not looked at further. */
#define NOTES_MAX	(64UL << 10)

static bool read_at(int fd, void *to, size_t size, uint64_t at)
{
	return at < INT64_MAX && pread(fd, to, size, at) == (ssize_t)size;
}

static bool take_id(const void *notes, size_t size, struct elf_id *ret)
{
	const uint8_t *found;
	size_t nr;

	found = note_build_id(notes, size, &nr);
	if (!found || nr > ELF_ID_MAX)
		return false;
	memcpy(ret->bytes, found, nr);
	ret->size = nr;
	ret->offset = found - (const uint8_t *)notes;
	return nr;
}

/* The notes are at @at of the file, and at @address of memory. */
static bool id_at(int fd, uint64_t at, uint64_t address, uint64_t size,
		  struct elf_id *ret)
{
	_cleanup_free_ void *notes = NULL;

	if (size > NOTES_MAX)
		return false;
	notes = malloc(size + 1);
	if (!notes || !read_at(fd, notes, size, at) || !take_id(notes, size, ret))
		return false;
	ret->address = address ? address + ret->offset : 0;
	ret->offset += at;
	return true;
}

static bool id_in_segments(int fd, const Elf64_Ehdr *head, struct elf_id *ret)
{
	Elf64_Phdr segment;
	bool found = false;

	for (unsigned int i = 0; !found && i < head->e_phnum; i++) {
		if (!read_at(fd, &segment, sizeof(segment),
			     head->e_phoff + i * sizeof(segment)))
			return false;
		if (segment.p_type == PT_NOTE)
			found = id_at(fd, segment.p_offset, segment.p_vaddr,
				      segment.p_filesz, ret);
	}
	return found;
}

static bool id_in_sections(int fd, const Elf64_Ehdr *head, struct elf_id *ret)
{
	Elf64_Shdr section;
	bool found = false;

	for (unsigned int i = 0; !found && i < head->e_shnum; i++) {
		if (!read_at(fd, &section, sizeof(section),
			     head->e_shoff + i * sizeof(section)))
			return false;
		if (section.sh_type == SHT_NOTE)
			found = id_at(fd, section.sh_offset, section.sh_addr,
				      section.sh_size, ret);
	}
	return found;
}

static bool read_head(int fd, Elf64_Ehdr *head)
{
	return read_at(fd, head, sizeof(*head), 0) &&
	       !memcmp(head->e_ident, ELFMAG, SELFMAG) &&
	       head->e_ident[EI_CLASS] == ELFCLASS64 &&
	       head->e_ident[EI_DATA] == ELFDATA2LSB;
}

bool elf_id_find(int fd, struct elf_id *ret)
{
	Elf64_Ehdr head;

	*ret = (struct elf_id){ 0 };
	if (!read_head(fd, &head))
		return false;
	if (head.e_phentsize == sizeof(Elf64_Phdr) && id_in_segments(fd, &head, ret))
		return true;
	return head.e_shentsize == sizeof(Elf64_Shdr) && id_in_sections(fd, &head, ret);
}

size_t elf_code_find(int fd, struct ktap_data_code *ret, size_t max)
{
	Elf64_Ehdr head;
	Elf64_Phdr s;
	size_t nr = 0;

	if (!read_head(fd, &head) || head.e_phentsize != sizeof(s))
		return 0;
	for (unsigned int i = 0; nr < max && i < head.e_phnum; i++) {
		if (!read_at(fd, &s, sizeof(s), head.e_phoff + i * sizeof(s)))
			break;
		if (s.p_type == PT_LOAD && (s.p_flags & PF_X) && s.p_filesz)
			ret[nr++] = (struct ktap_data_code){
				s.p_offset, s.p_vaddr, s.p_filesz,
			};
	}
	return nr;
}

size_t elf_id_read(int fd, uint8_t id[ELF_ID_MAX])
{
	struct elf_id found;

	if (!elf_id_find(fd, &found))
		return 0;
	memcpy(id, found.bytes, found.size);
	return found.size;
}

size_t elf_id_of_notes(const char *path, uint8_t id[ELF_ID_MAX])
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct elf_id found;
	char notes[4096];
	ssize_t size;

	size = fd < 0 ? 0 : read(fd, notes, sizeof(notes));
	if (size <= 0 || !take_id(notes, size, &found))
		return 0;
	memcpy(id, found.bytes, found.size);
	return found.size;
}
