/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the room: an open program or library. */
#ifndef KTAP_OBJECT_FILE_H
#define KTAP_OBJECT_FILE_H

#include <gelf.h>

#include "arch/code.h"
#include "object/binary.h"

/* struct segment - what a program header loads, inside of the file; of a debug file, in memory */
struct segment {
	uint64_t address;
	uint64_t size;
	uint64_t offset;
	uint32_t flags;		/* PF_* */
};

/* struct code - a section of instructions */
struct code {
	uint64_t address;
	uint64_t size;
};

/**
 * struct binary - an open file
 * @path: what it is called; owned
 * @fd: open for reading; -1: an image
 * @size: bytes of the file
 * @is_debug: see binary_open_debug()
 * @elf: libelf's handle
 * @arch: whose code is in it
 * @segments: loaded ones; owned
 * @nr_segments: how many
 * @code: where instructions are; owned; none: every executable segment
 * @nr_code: how many
 * @mini: symbols that were kept compressed, or NULL
 * @mini_image: @mini's bytes; owned
 * @more: see binary_add_symbols(), or NULL
 * @names: copies of names, where the file has them in another form; owned
 * @nr_names: how many
 * @syms: see binary_syms(); owned
 * @nr_syms: how many
 * @has_syms: @syms was filled
 * @marks: see binary_marks(); owned
 * @nr_marks: how many
 * @has_marks: @marks was filled
 * @is_go: see binary_is_go()
 * @go_asked: @is_go was found out
 */
struct binary {
	char *path;
	int fd;
	uint64_t size;
	bool is_debug;
	Elf *elf;
	enum ktap_arch arch;
	struct segment *segments;
	size_t nr_segments;
	struct code *code;
	size_t nr_code;
	Elf *mini;
	void *mini_image;
	Elf *more;
	char **names;
	size_t nr_names;
	struct binary_sym *syms;
	size_t nr_syms;
	bool has_syms;
	struct binary_mark *marks;
	size_t nr_marks;
	bool has_marks;
	bool is_go;
	bool go_asked;
};

/**
 * binary_section() - find a section by its name
 * @elf: libelf's handle
 * @name: of the section
 * @ret: gets its header; if there is no such section its content is undefined
 *
 * Return: the first section with that name, owned by @elf; NULL: there is none.
 */
Elf_Scn *binary_section(Elf *elf, const char *name, GElf_Shdr *ret);

/**
 * binary_segment() - find the loaded segment that has an address
 * @bin: file
 * @address: ELF virtual address
 *
 * Only the bytes that are in the file count: not those that are zeroed when it is loaded.
 *
 * Return: the segment, owned by @bin; NULL: there is none.
 */
const struct segment *binary_segment(const struct binary *bin,
				     uint64_t address);

/**
 * binary_is_code() - whether an address is in a section of instructions
 * @bin: file
 * @address: ELF virtual address; it need not begin an instruction
 *
 * Return: true if it is in an executable segment and in an executable section; where the
 *	file has no executable sections, the segment is enough.
 */
bool binary_is_code(const struct binary *bin, uint64_t address);

/**
 * binary_mini() - unpack the mini debug information, if the file has it
 * @bin: file; @mini is set, and binary_free() releases it
 *
 * It is an ELF file in the section .gnu_debugdata, compressed by xz. It is ignored if it is
 * damaged, or larger than 256 MiB. Later calls do nothing once it is open.
 *
 * Return: 0, also without mini debug information; -ENOMEM.
 */
int binary_mini(struct binary *bin);

/**
 * binary_is_go() - whether the Go compiler made it, at least in part
 * @bin: file; looked at in the first call
 *
 * It is told by sections and by a note that stay when symbols are stripped.
 * What gccgo makes is not meant: its stacks do not move.
 *
 * Return: true where a return probe would end the program.
 */
bool binary_is_go(struct binary *bin);

/**
 * binary_go_results() - whether what Go compiled returns integers in registers
 * @bin: a file of Go
 * @symbol: the function, or NULL
 * @ret: why it does not, or that it is not known; malloc'ed; NULL: it does
 *
 * It does since 1.17, on arm64 since 1.18, except in functions that assembler code
 * calls, whose symbols say so where there are two of that name.
 *
 * Return: 0 or -ENOMEM.
 */
int binary_go_results(const struct binary *bin, const char *symbol, char **ret);

/**
 * binary_rets() - find the RET instructions of a function
 * @bin: file
 * @start: address of the function
 * @end: where its code ends
 * @ret: release with code_rets_deinit(), also on failure
 *
 * Return: 0, -EILSEQ where an instruction is not known, -ENODATA where the code is not
 *	at hand, -ENOMEM.
 */
int binary_rets(const struct binary *bin, uint64_t start, uint64_t end,
		struct code_rets *ret);

#endif /* KTAP_OBJECT_FILE_H */
