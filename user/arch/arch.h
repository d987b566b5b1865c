/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the compiler must know of an architecture: tables, no code.
 */
#ifndef KTAP_ARCH_ARCH_H
#define KTAP_ARCH_ARCH_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"

#define ARCH_SYSCALL_ARGS 6
#define ARCH_ON_STACK (~0U)

struct arch_reg {
	const char *name;
	unsigned int index;
};

/* struct arch_alias - what others call a register */
struct arch_alias {
	const char *theirs;
	const char *ours;
};

/**
 * struct arch - one architecture
 * @id: on the wire
 * @name: as people write it
 * @regs: names of registers, as the kernel's fetch arguments have them
 * @nr_regs: how many
 * @aliases: for hints
 * @nr_aliases: how many
 * @args: registers of a function's first arguments
 * @nr_args: how many
 * @stack_args: word of the stack where the next one is, at the entry
 * @large_by_reference: a structure of more than 16 bytes travels as its address,
 *	not on the stack; one of more than 8 that does not fit into the registers
 *	that are left leaves them unused
 * @syscall_args: byte of struct pt_regs where each argument of a system call is
 * @dwarf_regs: by the numbers that DWARF has for them
 * @nr_dwarf_regs: how many
 * @dwarf_sp: number of the stack pointer
 * @dwarf_fp: number of the frame pointer
 * @dwarf_ra: number of the return address, which is a register if @link is one
 * @has_plt_cfi: linkers describe their stubs by an expression over the program counter
 * @dwarf_vector: number of the first vector register
 * @nr_dwarf_vector: how many there are
 * @thread_head: bytes behind the thread pointer that come before a program's own
 *	thread-local variables; 0: those end at it
 * @sp: the stack pointer
 * @pc: the program counter; at a return, the address returned to
 * @retval: what a function returns
 * @link: at a RET instruction, the address returned to; ARCH_ON_STACK: it is the
 *	first word of the stack
 * @code_bytes: of an address of the kernel's code; where that is less than 8, the
 *	sign says the rest
 * @insn_bytes: size and alignment of each instruction; 0: sizes differ
 * @elf_machine: e_machine of its ELF files
 * @mapping_symbols: characters that follow '$' in symbols that are for disassemblers only;
 *	NULL: it has none
 * @has_x87: a long double of 16 bytes is a number of the x87
 * @libraries: subdirectory of Debian's multiarch libraries
 * @syscall_prefix: what precedes the name of a system call in the name of its function in
 *	the kernel (SYSCALL_DEFINEx() with CONFIG_ARCH_HAS_SYSCALL_WRAPPER)
 * @kconfig: line of a kernel's configuration that selects it
 * @vermagic: last words of the vermagic of modules (MODULE_ARCH_VERMAGIC)
 * @ignored_symbol: undefined symbol of modules that the kernel ignores, as GNU as before 2.37
 *	makes it and does not use it; NULL: it has none
 * @go_registers: functions return in registers since Go 1.@go_registers (internal/buildcfg:
 *	regabi)
 */
struct arch {
	enum ktap_arch id;
	const char *name;
	const struct arch_reg *regs;
	size_t nr_regs;
	const struct arch_alias *aliases;
	size_t nr_aliases;
	const unsigned int *args;
	size_t nr_args;
	unsigned int stack_args;
	bool large_by_reference;
	unsigned int syscall_args[ARCH_SYSCALL_ARGS];
	const unsigned int *dwarf_regs;
	size_t nr_dwarf_regs;
	unsigned int dwarf_sp;
	unsigned int dwarf_fp;
	unsigned int dwarf_ra;
	bool has_plt_cfi;
	unsigned int dwarf_vector;
	unsigned int nr_dwarf_vector;
	unsigned int thread_head;
	unsigned int sp;
	unsigned int pc;
	unsigned int retval;
	unsigned int link;
	unsigned int code_bytes;
	unsigned int insn_bytes;
	unsigned int elf_machine;
	const char *mapping_symbols;
	bool has_x87;
	const char *libraries;
	const char *syscall_prefix;
	const char *kconfig;
	const char *vermagic;
	const char *ignored_symbol;
	unsigned int go_registers;
};

extern const struct arch arch_x86_64;
extern const struct arch arch_arm64;

/**
 * arch_native() - name the architecture that this tool was built for
 *
 * Return: KTAP_ARCH_X86_64 or KTAP_ARCH_ARM64. It never fails: for other architectures the
 *	tool does not compile.
 */
enum ktap_arch arch_native(void);

/**
 * arch_find() - find the table of an architecture
 * @id: on the wire, so it may be any number
 *
 * Return: the table, which is static; NULL: this tool does not know the architecture.
 */
const struct arch *arch_find(enum ktap_arch id);

/**
 * arch_nth() - go through the tables of all architectures
 * @nr: number, from 0
 *
 * Return: a table; NULL: there are @nr.
 */
const struct arch *arch_nth(size_t nr);

/**
 * arch_of_elf() - find the table of the architecture of an ELF file
 * @ident: e_ident of the file
 * @machine: e_machine of the file
 *
 * Return: the table, which is static; NULL: it is no 64-bit little-endian file of an
 *	architecture that this tool knows.
 */
const struct arch *arch_of_elf(const unsigned char *ident, unsigned int machine);

/**
 * arch_reg() - find a register by its name
 * @arch: architecture
 * @name: as fetch arguments of the kernel have it, without '%'; case counts
 *
 * The names in &struct arch.aliases, such as "rax", are not found.
 *
 * Return: the register, which is static; NULL: there is none of this name.
 */
const struct arch_reg *arch_reg(const struct arch *arch, const char *name);

/**
 * arch_reg_name() - name a register
 * @arch: architecture
 * @index: enum ktap_reg_*
 *
 * Return: its first name, as fetch arguments have it; NULL: there is no such register.
 */
const char *arch_reg_name(const struct arch *arch, unsigned int index);

#endif /* KTAP_ARCH_ARCH_H */
