// SPDX-License-Identifier: GPL-2.0
#include "base/note.h"

#include <elf.h>
#include <string.h>

static size_t align4(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

const uint8_t *note_build_id(const void *notes, size_t size, size_t *nr)
{
	const uint8_t *at = notes;
	size_t name, desc;
	Elf64_Nhdr note;

	while (size >= sizeof(note)) {
		memcpy(&note, at, sizeof(note));
		at += sizeof(note);
		size -= sizeof(note);
		name = align4(note.n_namesz);
		desc = align4(note.n_descsz);
		if (name > size || desc > size - name)
			return NULL;
		*nr = note.n_descsz;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(at, "GNU", 4))
			return at + name;
		at += name + desc;
		size -= name + desc;
	}
	return NULL;
}
