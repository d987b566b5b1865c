// SPDX-License-Identifier: GPL-2.0
/* Build-ids of ELF files. */
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

static size_t take_id(const void *notes, size_t size, uint8_t id[ELF_ID_MAX])
{
	const uint8_t *found;
	size_t nr;

	found = note_build_id(notes, size, &nr);
	if (!found || nr > ELF_ID_MAX)
		return 0;
	memcpy(id, found, nr);
	return nr;
}

static size_t id_at(int fd, uint64_t at, uint64_t size, uint8_t id[ELF_ID_MAX])
{
	_cleanup_free_ void *notes = NULL;

	if (size > NOTES_MAX)
		return 0;
	notes = malloc(size + 1);
	return notes && read_at(fd, notes, size, at) ? take_id(notes, size, id) : 0;
}

static size_t id_in_segments(int fd, const Elf64_Ehdr *head,
			     uint8_t id[ELF_ID_MAX])
{
	Elf64_Phdr segment;
	size_t nr = 0;

	for (unsigned int i = 0; !nr && i < head->e_phnum; i++) {
		if (!read_at(fd, &segment, sizeof(segment),
			     head->e_phoff + i * sizeof(segment)))
			return 0;
		if (segment.p_type == PT_NOTE)
			nr = id_at(fd, segment.p_offset, segment.p_filesz, id);
	}
	return nr;
}

static size_t id_in_sections(int fd, const Elf64_Ehdr *head,
			     uint8_t id[ELF_ID_MAX])
{
	Elf64_Shdr section;
	size_t nr = 0;

	for (unsigned int i = 0; !nr && i < head->e_shnum; i++) {
		if (!read_at(fd, &section, sizeof(section),
			     head->e_shoff + i * sizeof(section)))
			return 0;
		if (section.sh_type == SHT_NOTE)
			nr = id_at(fd, section.sh_offset, section.sh_size, id);
	}
	return nr;
}

size_t elf_id_read(int fd, uint8_t id[ELF_ID_MAX])
{
	Elf64_Ehdr head;

	if (!read_at(fd, &head, sizeof(head), 0) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) ||
	    head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_ident[EI_DATA] != ELFDATA2LSB)
		return 0;
	if (head.e_phnum && head.e_phentsize == sizeof(Elf64_Phdr))
		return id_in_segments(fd, &head, id);
	if (head.e_shentsize == sizeof(Elf64_Shdr))
		return id_in_sections(fd, &head, id);
	return 0;
}

size_t elf_id_of_notes(const char *path, uint8_t id[ELF_ID_MAX])
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	char notes[4096];
	ssize_t size;

	size = fd < 0 ? 0 : read(fd, notes, sizeof(notes));
	return size > 0 ? take_id(notes, size, id) : 0;
}
