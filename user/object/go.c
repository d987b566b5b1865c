// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that the Go compiler made. Their goroutines have small stacks that
 * the runtime copies to a larger place, for which it walks them by their return
 * addresses. A uretprobe replaces a return address by one of the kernel's, and
 * the runtime ends the program with "unexpected return pc". At a RET
 * instruction nothing on the stack has to be changed, so it is probed instead.
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "base/utf8.h"
#include "object/file.h"

/* Notes are some hundred bytes; a hostile file may say anything. */
#define NOTES_MAX	(64U << 10)
#define NOTE_BUILDID	4

/* What strip leaves, as it is loaded: the table of functions that stacks are
 * walked by, and what "go version" reads.
 */
static bool has_sections(const struct binary *bin)
{
	static const char *const names[] = {
		".gopclntab", ".data.rel.ro.gopclntab", ".go.buildinfo",
		".note.go.buildid",
	};
	GElf_Shdr sh;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (binary_section(bin->elf, names[i], &sh))
			return true;
	return false;
}

static bool is_build_id(const Elf_Data *data, const GElf_Nhdr *note, size_t name)
{
	return note->n_type == NOTE_BUILDID && note->n_namesz == 4 &&
	       !memcmp((const char *)data->d_buf + name, "Go\0", 4);
}

/* Without section headers the program headers still lead to notes. */
static bool has_note(const struct binary *bin, const GElf_Phdr *ph)
{
	size_t at = 0, next, name, desc;
	Elf_Data *data = NULL;
	GElf_Nhdr note;

	if (ph->p_type == PT_NOTE && ph->p_filesz <= NOTES_MAX)
		data = elf_getdata_rawchunk(bin->elf, ph->p_offset,
					    ph->p_filesz, ELF_T_NHDR);
	for (; data && (next = gelf_getnote(data, at, &note, &name, &desc));
	     at = next)
		if (is_build_id(data, &note, name))
			return true;
	return false;
}

static bool has_notes(const struct binary *bin)
{
	GElf_Phdr ph;
	size_t nr;

	if (elf_getphdrnum(bin->elf, &nr))
		return false;
	for (size_t i = 0; i < nr && gelf_getphdr(bin->elf, (int)i, &ph); i++)
		if (has_note(bin, &ph))
			return true;
	return false;
}

bool binary_is_go(struct binary *bin)
{
	if (!bin->go_asked)
		bin->is_go = has_sections(bin) || has_notes(bin);
	bin->go_asked = true;
	return bin->is_go;
}

/* ---- where its functions return what ---- */

#define INFO_MAGIC	"\xff Go buildinf:"
#define INFO_HEAD	32
#define INFO_MAX	(64U << 10)
#define VERSION_MAX	64
#define INFO_INLINE	2	/* flags: the version follows, and no pointer to it */

static const uint8_t *bytes_at(const struct binary *bin, uint64_t address,
			       uint64_t size)
{
	const struct segment *s = binary_segment(bin, address);
	Elf_Data *data;

	if (!s || size > s->size - (address - s->address))
		return NULL;
	data = elf_getdata_rawchunk(bin->elf, address - s->address + s->offset,
				    size, ELF_T_BYTE);
	return data ? data->d_buf : NULL;
}

static bool word_at(const struct binary *bin, uint64_t address, uint64_t *ret)
{
	const uint8_t *bytes = bytes_at(bin, address, sizeof(*ret));

	if (!bytes)
		return false;
	memcpy(ret, bytes, sizeof(*ret));
	*ret = le64toh(*ret);
	return true;
}

/* Before 1.18: the address of a string, which is its own address and length. */
static bool find_pointed(const struct binary *bin, const uint8_t *info,
			 const char **ret, uint64_t *length)
{
	uint64_t string, text;

	memcpy(&string, info + 16, sizeof(string));
	if (!word_at(bin, le64toh(string), &text) ||
	    !word_at(bin, le64toh(string) + 8, length) || *length > VERSION_MAX)
		return false;
	*ret = (const char *)bytes_at(bin, text, *length);
	return *ret;
}

/* "go1.19.8", as "go version" shows it; what is longer than a byte says is none. */
static bool find_version(const struct binary *bin, const char **ret,
			 uint64_t *length)
{
	const uint8_t *info = NULL;
	GElf_Shdr sh;

	if (binary_section(bin->elf, ".go.buildinfo", &sh) &&
	    sh.sh_type != SHT_NOBITS && sh.sh_size > INFO_HEAD &&
	    sh.sh_size <= INFO_MAX)
		info = bytes_at(bin, sh.sh_addr, sh.sh_size);
	if (!info || memcmp(info, INFO_MAGIC, strlen(INFO_MAGIC)))
		return false;
	if (!(info[15] & INFO_INLINE))
		return find_pointed(bin, info, ret, length);
	*ret = (const char *)info + INFO_HEAD + 1;
	*length = info[INFO_HEAD];
	return *length <= VERSION_MAX && *length < sh.sh_size - INFO_HEAD;
}

/* Malloc'ed; NULL: not known. */
static char *version_of(const struct binary *bin)
{
	const char *text;
	uint64_t length;

	if (!find_version(bin, &text, &length) || !utf8_is_plain(text, length))
		return NULL;
	return strndup(text, length);
}

/* Also of "devel go1.20-1c0035c"; experiments can turn it off. */
static bool has_registers(const struct binary *bin, const char *version)
{
	const char *number = strstr(version, "go1.");

	return number &&
	       strtoul(number + 4, NULL, 10) >= arch_find(bin->arch)->go_registers &&
	       !strstr(version, "noregabi");
}

static bool is_for_assembler(const char *symbol)
{
	const char *end = symbol ? strrchr(symbol, '.') : NULL;

	return end && !strcmp(end, ".abi0");
}

int binary_go_results(const struct binary *bin, const char *symbol, char **ret)
{
	_cleanup_free_ char *version = version_of(bin);
	int n = 0;

	*ret = NULL;
	if (!version)
		n = asprintf(ret, "the file does not say which version of Go made it, and old ones return on the stack");
	else if (!has_registers(bin, version))
		n = asprintf(ret, "what %s made returns on the stack", version);
	else if (is_for_assembler(symbol))
		n = asprintf(ret, "'%s' returns on the stack, as assembler code wants it",
			     symbol);
	if (n >= 0)
		return 0;
	*ret = NULL;
	return -ENOMEM;
}
