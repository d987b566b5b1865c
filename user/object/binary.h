/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs and shared libraries of user space: where their functions and their
 * USDT probes lie in the file. Files of either architecture are read on
 * any machine, and they may be damaged or hostile.
 */
#ifndef KTAP_OBJECT_BINARY_H
#define KTAP_OBJECT_BINARY_H

#include <libelf.h>
#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/sdt.h"
#include "base/cleanup.h"
#include "base/diag.h"

struct binary;

/**
 * binary_find() - the file that a person calls @name
 * @name: a path; or without '/' a shared library by its soname, or a program
 * @arch: which architecture's library is meant
 * @d: on failure: where it was looked for
 * @ret: its path, from the root; malloc'ed
 *
 * A name with ".so" in it is a library first, any other a program. Programs
 * are searched in PATH, libraries in /etc/ld.so.cache, in the directories of
 * /etc/ld.so.conf, and in the standard ones.
 *
 * Return: 0, -ENOENT, -ENOMEM; -EINVAL: the path has characters that are not plain.
 */
int binary_find(const char *name, enum ktap_arch arch, struct diag *d,
		char **ret);

/**
 * binary_insn_at() - find where the instruction begins that has a byte
 * @bin: file
 * @start: ELF virtual address at which the function begins; not used where instructions
 *	have one size, as on arm64
 * @at: ELF virtual address of the byte, not before @start
 *
 * On x86-64 it decodes the function from @start. It needs 15 bytes of the loaded segment
 * from @at on, and gives up beyond 1 MiB of code.
 *
 * Return: ELF virtual address of the instruction; 0: it is not known.
 */
uint64_t binary_insn_at(const struct binary *bin, uint64_t start, uint64_t at);

/**
 * binary_read_code() - copy code
 * @bin: file
 * @address: ELF virtual address of the first byte
 * @buf: filled
 * @size: how many bytes, 1 MiB at most
 *
 * Return: 0; -ENODATA: the file does not have all of them.
 */
int binary_read_code(const struct binary *bin, uint64_t address, void *buf, size_t size);

/**
 * binary_open() - open a program or library and read its headers
 * @path: file
 * @d: on failure
 * @ret: on success; free with binary_free()
 *
 * Return: 0, -EINVAL for what is no program or library, -ENOMEM, or the error
 * of open().
 */
int binary_open(const char *path, struct diag *d, struct binary **ret);

/**
 * binary_open_debug() - open a file that has the symbols of a program or library
 * @path: the file itself, or its separate debug file
 * @d: on failure
 * @ret: as binary_open(); only its path, its build-id and its symbols are of use: a debug
 *	file has none of the code
 *
 * Return: as binary_open().
 */
int binary_open_debug(const char *path, struct diag *d, struct binary **ret);

/**
 * binary_image() - the same for a file that is in memory
 * @path: what to call it
 * @image: its bytes, which must stay
 * @size: how many
 * @d: on failure
 * @ret: on success
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int binary_image(const char *path, const void *image, size_t size,
		 struct diag *d, struct binary **ret);

/**
 * binary_free() - close a file
 * @bin: file, or NULL
 *
 * Everything that was taken from it becomes invalid: its path, descriptor, symbols and
 * USDT probes. The bytes given to binary_image() and the debug file given to
 * binary_add_symbols() stay the caller's.
 */
void binary_free(struct binary *bin);
DEFINE_CLEANUP(struct binary, binary_free)

/**
 * binary_path() - get the path of a file
 * @bin: file
 *
 * Return: the path as binary_open() or binary_image() got it; owned by @bin.
 */
const char *binary_path(const struct binary *bin);

/**
 * binary_arch() - get the architecture that the code of a file is for
 * @bin: file
 *
 * Return: the architecture, which may differ from this machine's.
 */
enum ktap_arch binary_arch(const struct binary *bin);

/**
 * binary_fd() - get the descriptor of an open file
 * @bin: file
 *
 * Return: a descriptor for reading, which binary_free() closes; -1 for an image.
 */
int binary_fd(const struct binary *bin);

enum binary_sym_kind {
	BINARY_CODE,		/* function, or label in code */
	BINARY_DATA,		/* object, thread-local ones too */
	BINARY_IFUNC,		/* chooses the function at run time */
	BINARY_IMPORTED,	/* defined elsewhere */
};

/**
 * struct binary_sym - one symbol
 * @name: without version
 * @version: its version, or NULL
 * @library: of an imported one: where from, or NULL
 * @address: ELF virtual address
 * @size: bytes; 0: not known
 * @kind: what it is
 * @is_default: no version, or the one that a plain name means (@@)
 * @is_label: no type: a label in assembler code
 * @is_global: other files can see it
 */
struct binary_sym {
	const char *name;
	const char *version;
	const char *library;
	uint64_t address;
	uint64_t size;
	enum binary_sym_kind kind;
	bool is_default;
	bool is_label;
	bool is_global;
};

/**
 * binary_syms() - all symbols: .symtab, .dynsym and mini debug information
 * @bin: file; read at the first call
 * @d: on failure
 * @nr: how many
 *
 * By address, the best name of an address first. What stands in several
 * tables is there once.
 *
 * Return: the symbols; NULL on failure.
 */
const struct binary_sym *binary_syms(struct binary *bin, struct diag *d,
				     size_t *nr);

/**
 * binary_add_symbols() - let a stripped file have the symbols of its debug file
 * @bin: file; what binary_syms() returned becomes invalid
 * @elf: the debug file, with the same addresses; must outlive @bin
 *
 * Return: true if @bin has no table for debuggers of its own, @elf has one, and this is
 *	the first call: binary_syms() may have more symbols than before.
 */
bool binary_add_symbols(struct binary *bin, Elf *elf);

/**
 * binary_has_symtab() - whether a file has the symbols of all of its functions
 * @bin: file, of which binary_syms() was called
 *
 * Return: true if it has a table for debuggers, of its own, as mini debug information or by
 *	binary_add_symbols(); false: it has at most those of the dynamic linker.
 */
bool binary_has_symtab(const struct binary *bin);

/**
 * binary_sym_end() - find where the code of a symbol ends
 * @bin: file, of which binary_syms() was called
 * @sym: one of its symbols
 *
 * A symbol without a size ends at the next address that has a symbol of code. No symbol
 * reaches beyond the bytes that the file has of its loaded segment; in a debug file, beyond
 * the bytes that the segment has in memory.
 *
 * Return: ELF virtual address after the last byte; the address of @sym: no loaded segment
 *	has it.
 */
uint64_t binary_sym_end(const struct binary *bin, const struct binary_sym *sym);

/**
 * binary_sym_at() - find the function that covers an address
 * @bin: file, of which binary_syms() was called: before, it has no symbols
 * @address: ELF virtual address
 *
 * The result is the best name of the function. A function is preferred to a label inside
 * it; a label is the result only if no function covers the address.
 *
 * Return: the symbol, as long as what binary_syms() returned is valid; NULL: none of the
 *	last 64 symbols that begin at or before @address covers it.
 */
const struct binary_sym *binary_sym_at(const struct binary *bin,
				       uint64_t address);

/**
 * binary_address_of() - the address that a byte of a file has
 * @bin: file
 * @offset: byte of the file
 * @ret: ELF virtual address
 *
 * Return: false: it is in no loaded segment that has code.
 */
bool binary_address_of(const struct binary *bin, uint64_t offset, uint64_t *ret);

/**
 * binary_needed() - list the files that the dynamic linker loads with a file
 * @bin: file
 * @fn: called for each, with the path of the program's interpreter or the name of a library
 * @ctx: first argument of @fn
 *
 * Return: 0, or what @fn returned, if that is not 0.
 */
int binary_needed(const struct binary *bin, int (*fn)(void *ctx, const char *name),
		  void *ctx);

/**
 * struct binary_mark - one location of a USDT probe
 * @provider: whose
 * @name: which
 * @args: what its note says of the arguments
 * @address: of the instruction
 * @semaphore: address of the counter of its users; 0: none
 */
struct binary_mark {
	const char *provider;
	const char *name;
	const char *args;
	uint64_t address;
	uint64_t semaphore;
};

/**
 * binary_marks() - list all USDT probes: notes of type 3 with the owner "stapsdt"
 * @bin: file; read at the first call
 * @d: on failure
 * @nr: how many; set on success
 *
 * They are in the order of the file. A note that is cut, or whose names are empty or not
 * plain, is skipped. Addresses are corrected by the distance that .stapsdt.base was moved.
 *
 * Return: the locations, which @bin owns, also if there are 0 of them; NULL: no memory.
 */
const struct binary_mark *binary_marks(struct binary *bin, struct diag *d,
				       size_t *nr);

/**
 * binary_mark_args() - decode the arguments of a USDT probe
 * @bin: file; an argument that names a symbol makes it read its symbols
 * @mark: one of its locations
 *
 * A symbol is used only if one address has its name.
 *
 * Return: the arguments, to be freed with sdt_args_free(); NULL: no memory.
 */
struct sdt_args *binary_mark_args(struct binary *bin,
				  const struct binary_mark *mark);

#endif /* KTAP_OBJECT_BINARY_H */
