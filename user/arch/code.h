/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The instructions of a function: where they begin, and those that return. ktap-target does
 * not have this: a disassembler is needed.
 */
#ifndef KTAP_ARCH_CODE_H
#define KTAP_ARCH_CODE_H

#include <linux/ktap.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the longest instruction where sizes differ: that of x86 */
#define CODE_INSN_MAX 15

/**
 * struct code_view - the code of a function
 * @bytes: it
 * @address: of the first one
 * @size: how many
 */
struct code_view {
	const uint8_t *bytes;
	uint64_t address;
	uint64_t size;
};

/**
 * struct code_rets - where a function returns
 * @at: addresses of its RET instructions; owned
 * @nr: how many
 * @stop: of the instruction that is not known
 */
struct code_rets {
	uint64_t *at;
	size_t nr;
	uint64_t stop;
};

/**
 * code_find_rets() - find the RET instructions of a function
 * @arch: of the code
 * @code: function
 * @ret: has no addresses; release with code_rets_deinit(), also on failure
 *
 * Return: 0, -EILSEQ where an instruction is not known, -ENODATA without a disassembler,
 *	-ENOMEM.
 */
int code_find_rets(enum ktap_arch arch, const struct code_view *code,
		   struct code_rets *ret);

/**
 * code_rets_deinit() - release the addresses that code_find_rets() found
 * @rets: has no addresses afterwards, and @stop remains
 */
void code_rets_deinit(struct code_rets *rets);

/**
 * code_insn_at() - find where the instruction begins that has a byte
 * @arch: of the code; one whose instructions differ in size (see &struct arch.insn_bytes)
 * @code: function, from its begin to CODE_INSN_MAX bytes behind @at
 * @at: address of the byte
 *
 * Return: address of the instruction; 0: it is not known.
 */
uint64_t code_insn_at(enum ktap_arch arch, const struct code_view *code, uint64_t at);

/* ---- inside: one architecture ---- */

/**
 * code_rets_add() - append an address
 * @rets: to which it is appended
 * @address: of a RET instruction
 *
 * Return: 0 or -ENOMEM.
 */
int code_rets_add(struct code_rets *rets, uint64_t address);

/**
 * code_x86_64_rets() - code_find_rets() of x86-64
 * @code: function
 * @ret: RET instructions
 *
 * Return: as code_find_rets()
 */
int code_x86_64_rets(const struct code_view *code, struct code_rets *ret);

/**
 * code_x86_64_insn_at() - code_insn_at() of x86-64
 * @code: function
 * @at: address of a byte
 *
 * Return: as code_insn_at()
 */
uint64_t code_x86_64_insn_at(const struct code_view *code, uint64_t at);

/**
 * code_arm64_rets() - code_find_rets() of arm64
 * @code: function
 * @ret: RET instructions
 *
 * Return: as code_find_rets()
 */
int code_arm64_rets(const struct code_view *code, struct code_rets *ret);

#endif /* KTAP_ARCH_CODE_H */
