// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that the Go compiler made. Their goroutines have small stacks that
 * the runtime copies to a larger place, for which it walks them by their return
 * addresses. A uretprobe replaces a return address by one of the kernel's, and
 * the runtime ends the program with "unexpected return pc". At a RET
 * instruction nothing on the stack has to be changed.
 */
#include <endian.h>
#include <string.h>

#include "resolve/elf_file.h"
#include "util/array.h"
#include "util/buf.h"

/* Notes are some hundred bytes; a hostile file may say anything. */
#define NOTES_MAX	(64U << 10)
#define NOTE_BUILDID	4
#define CODE_MAX	(1U << 20)
#define SHOWN_MAX	8
#define ARM64_RET	0xd65f03c0U

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

/* ---- where its functions return ---- */

static const void *code_at(const struct binary *bin, uint64_t address,
			   uint64_t size)
{
	const struct segment *s = binary_segment(bin, address);
	Elf_Data *data;

	if (!s || size > CODE_MAX || size > s->size - (address - s->address))
		return NULL;
	data = elf_getdata_rawchunk(bin->elf, address - s->address + s->offset,
				    size, ELF_T_BYTE);
	return data ? data->d_buf : NULL;
}

/* Instructions of arm64 have one size, so that none is found inside of another.
 * Constants that stand between them look like this one once in 2^32.
 */
static size_t put_rets(const char *code, uint64_t start, uint64_t size,
		       struct buf *b)
{
	uint32_t insn;
	size_t nr = 0;

	for (uint64_t i = 0; i + sizeof(insn) <= size; i += sizeof(insn)) {
		memcpy(&insn, code + i, sizeof(insn));
		if (le32toh(insn) == ARM64_RET && nr++ < SHOWN_MAX)
			buf_printf(b, "%s0x%llx", nr > 1 ? ", " : "",
				   (unsigned long long)(start + i));
	}
	if (nr > SHOWN_MAX)
		buf_printf(b, " and %zu more", nr - SHOWN_MAX);
	return nr;
}

static bool hint_rets(const struct binary *bin, uint64_t start, uint64_t end,
		      struct diag *d)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const void *code = NULL;

	if (bin->arch == KTAP_ARCH_ARM64 && end > start)
		code = code_at(bin, start, end - start);
	if (!code)
		return false;
	if (put_rets(code, start, end - start, &b))
		diag_hint(d, "probe its RET instructions instead, where an integer result is in %%x0: %s",
			  buf_str(&b));
	else
		diag_hint(d, "it has no RET instruction: it never returns, or ends with a jump to another function");
	return true;
}

void binary_hint_rets(const struct binary *bin, uint64_t start, uint64_t end,
		      struct diag *d)
{
	_cleanup_buf_ struct buf stop = BUF_INIT;
	bool is_known = end > start;

	if (hint_rets(bin, start, end, d))
		return;
	if (is_known)
		buf_printf(&stop, " --stop-address=0x%llx",
			   (unsigned long long)end);
	diag_hint(d, "probe its RET instructions instead, each as 0xADDRESS, where an integer result is in %%%s: %s 'objdump -d --start-address=0x%llx%s %s | grep ret'",
		  bin->arch == KTAP_ARCH_ARM64 ? "x0" : "ax",
		  is_known ? "those of" : "the first ones of",
		  (unsigned long long)start, buf_str(&stop), bin->path);
}
