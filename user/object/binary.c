// SPDX-License-Identifier: GPL-2.0
/*
 * Opening a program or library. libelf reads with pread(), never by mmap: a
 * file that another process cuts short must not end us with a signal.
 */
#include "object/binary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/array.h"
#include "base/buf.h"
#include "object/file.h"

Elf_Scn *binary_section(Elf *elf, const char *name, GElf_Shdr *ret)
{
	Elf_Scn *scn = NULL;
	const char *found;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, ret))
			continue;
		found = elf_strptr(elf, strings, ret->sh_name);
		if (found && !strcmp(found, name))
			return scn;
	}
	return NULL;
}

const struct segment *binary_segment(const struct binary *bin,
				     uint64_t address)
{
	size_t i;

	for (i = 0; i < bin->nr_segments; i++) {
		const struct segment *s = &bin->segments[i];

		if (address >= s->address && address - s->address < s->size)
			return s;
	}
	return NULL;
}

bool binary_is_code(const struct binary *bin, uint64_t address)
{
	const struct segment *s = binary_segment(bin, address);
	size_t i;

	if (!s || !(s->flags & PF_X))
		return false;
	for (i = 0; i < bin->nr_code; i++)
		if (address - bin->code[i].address < bin->code[i].size)
			return true;
	return !bin->nr_code;
}

/* ---- what it is ---- */

static int damaged(const struct binary *bin, const char *how, struct diag *d)
{
	return diag_set(d, -EINVAL, DIAG_ELF_DAMAGED, bin->path,
			how ? how : elf_errmsg(-1));
}

/* A script is run by a program, and that can be probed. */
static void hint_script(const struct binary *bin, struct diag *d)
{
	char line[128] = "", *end;

	if (bin->fd < 0 || pread(bin->fd, line, sizeof(line) - 1, 0) < 3 ||
	    strncmp(line, "#!", 2))
		return;
	end = line + 2 + strspn(line + 2, " \t");
	end[strcspn(end, " \t\r\n")] = '\0';
	if (*end == '/')
		diag_hint(d, "it is a script that '%s' runs", end);
}

static int check_kind(const struct binary *bin, const GElf_Ehdr *header,
		      struct diag *d)
{
	static const char *const kinds[] = {
		[ET_REL] = "an object file or a module of the kernel",
		[ET_CORE] = "a core dump",
	};

	if (header->e_type == ET_EXEC || header->e_type == ET_DYN)
		return 0;
	diag_set(d, -EINVAL, DIAG_ELF_KIND, bin->path,
		 header->e_type < ARRAY_SIZE(kinds) && kinds[header->e_type] ?
		 kinds[header->e_type] : "of an unknown type");
	diag_hint(d, "give a program or a shared library");
	return -EINVAL;
}

/* Of a debug file: in memory, since the code is in another file. */
static uint64_t segment_size(const struct binary *bin, const GElf_Phdr *ph)
{
	uint64_t size = bin->is_debug ? ph->p_memsz : ph->p_filesz;
	uint64_t most = bin->is_debug ? UINT64_MAX - ph->p_vaddr :
			bin->size - ph->p_offset;

	return size < most ? size : most;
}

static int read_segments(struct binary *bin, struct diag *d)
{
	struct segment *segments;
	GElf_Phdr ph;
	size_t nr, i;

	if (elf_getphdrnum(bin->elf, &nr))
		return damaged(bin, NULL, d);
	for (i = 0; i < nr && i <= INT_MAX; i++) {
		if (!gelf_getphdr(bin->elf, i, &ph))
			return damaged(bin, NULL, d);
		if (ph.p_type != PT_LOAD || (!bin->is_debug && ph.p_offset >= bin->size))
			continue;
		segments = array_grow(bin->segments, bin->nr_segments,
				      sizeof(*segments));
		if (!segments)
			return diag_no_memory(d);
		bin->segments = segments;
		segments[bin->nr_segments++] = (struct segment){
			.address = ph.p_vaddr,
			.size = segment_size(bin, &ph),
			.offset = ph.p_offset,
			.flags = ph.p_flags,
		};
	}
	return bin->nr_segments ? 0 : damaged(bin, "it has no segments", d);
}

static int put_code(struct binary *bin, const GElf_Shdr *sh, struct diag *d)
{
	struct code *code;

	code = array_grow(bin->code, bin->nr_code, sizeof(*code));
	if (!code)
		return diag_no_memory(d);
	bin->code = code;
	code[bin->nr_code++] = (struct code){ sh->sh_addr, sh->sh_size };
	return 0;
}

/*
 * A segment that is executed may hold headers and constants too, and a probe
 * would change those: sections tell. libelf takes a file that was cut short
 * for one without sections.
 */
static int read_sections(struct binary *bin, const GElf_Ehdr *header,
			 struct diag *d)
{
	const uint64_t executed = SHF_ALLOC | SHF_EXECINSTR;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	int err = 0;

	if (header->e_shoff && !elf_nextscn(bin->elf, NULL))
		return damaged(bin, "its section headers are missing", d);
	while (!err && (scn = elf_nextscn(bin->elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_PROGBITS &&
		    (sh.sh_flags & executed) == executed)
			err = put_code(bin, &sh, d);
	return err;
}

static int read_headers(struct binary *bin, struct diag *d)
{
	const struct arch *arch;
	GElf_Ehdr header;
	int err;

	if (elf_kind(bin->elf) != ELF_K_ELF) {
		diag_set(d, -EINVAL, DIAG_ELF_FORMAT, bin->path);
		hint_script(bin, d);
		return -EINVAL;
	}
	if (!gelf_getehdr(bin->elf, &header))
		return damaged(bin, NULL, d);
	err = check_kind(bin, &header, d);
	if (err)
		return err;
	arch = arch_of_elf(header.e_ident, header.e_machine);
	if (!arch)
		return diag_set(d, -EINVAL, DIAG_ELF_MACHINE, bin->path,
				header.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32,
				header.e_machine);
	bin->arch = arch->id;
	err = read_segments(bin, d);
	return err ? err : read_sections(bin, &header, d);
}

/* ---- opening ---- */

static struct binary *binary_new(const char *path)
{
	struct binary *bin = calloc(1, sizeof(*bin));

	if (!bin)
		return NULL;
	bin->fd = -1;
	bin->path = strdup(path);
	if (bin->path && elf_version(EV_CURRENT) != EV_NONE)
		return bin;
	binary_free(bin);
	return NULL;
}

/* Without blocking: the name may be that of a pipe, which nobody writes to. */
static int open_file(struct binary *bin, struct diag *d)
{
	struct stat st;
	int err;

	bin->fd = open(bin->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (bin->fd < 0 || fstat(bin->fd, &st)) {
		err = -errno;
		return diag_set(d, err, DIAG_ELF_OPEN, bin->path,
				strerror(-err));
	}
	if (!S_ISREG(st.st_mode))
		return diag_set(d, -EINVAL, DIAG_ELF_NOT_REGULAR, bin->path);
	bin->size = st.st_size;
	bin->elf = elf_begin(bin->fd, ELF_C_READ, NULL);
	return bin->elf ? 0 : damaged(bin, NULL, d);
}

static int open_binary(const char *path, bool is_debug, struct diag *d, struct binary **ret)
{
	_cleanup_(binary_freep) struct binary *bin = binary_new(path);
	int err;

	if (!bin)
		return diag_no_memory(d);
	bin->is_debug = is_debug;
	err = open_file(bin, d);
	if (!err)
		err = read_headers(bin, d);
	if (!err)
		*ret = take_ptr(bin);
	return err;
}

int binary_open(const char *path, struct diag *d, struct binary **ret)
{
	return open_binary(path, false, d, ret);
}

int binary_open_debug(const char *path, struct diag *d, struct binary **ret)
{
	return open_binary(path, true, d, ret);
}

int binary_image(const char *path, const void *image, size_t size,
		 struct diag *d, struct binary **ret)
{
	_cleanup_(binary_freep) struct binary *bin = binary_new(path);
	int err;

	if (!bin)
		return diag_no_memory(d);
	bin->size = size;
	/* it is not written to: ELF_C_READ is what elf_memory() sets */
	bin->elf = elf_memory((char *)image, size);
	err = bin->elf ? read_headers(bin, d) : damaged(bin, NULL, d);
	if (!err)
		*ret = take_ptr(bin);
	return err;
}

void binary_free(struct binary *bin)
{
	size_t i;

	if (!bin)
		return;
	for (i = 0; i < bin->nr_names; i++)
		free(bin->names[i]);
	free(bin->names);
	free(bin->syms);
	free(bin->marks);
	free(bin->segments);
	free(bin->code);
	elf_end(bin->mini);
	free(bin->mini_image);
	elf_end(bin->elf);
	if (bin->fd >= 0)
		close(bin->fd);
	free(bin->path);
	free(bin);
}

const char *binary_path(const struct binary *bin)
{
	return bin->path;
}

enum ktap_arch binary_arch(const struct binary *bin)
{
	return bin->arch;
}

int binary_fd(const struct binary *bin)
{
	return bin->fd;
}
