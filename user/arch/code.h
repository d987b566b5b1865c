/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The instructions of a function: where they begin, those that return, and those that call.
 * ktap-target does not have this: a disassembler is needed.
 */
#ifndef KTAP_ARCH_CODE_H
#define KTAP_ARCH_CODE_H

#include <linux/ktap.h>
#include <stdbool.h>
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
 * struct code_call - a call, or a jump out of the function
 * @to: address
 * @is_jump: it is a jump: to another function, or to a label that has a symbol
 */
struct code_call {
	uint64_t to;
	bool is_jump;
};

/**
 * struct code_calls - what a function calls
 * @call: calls, and jumps out of the function, in the order of its code; owned
 * @nr: how many
 * @indirect: calls whose address is in a register or in memory
 * @stop: of the instruction that is not known; 0: all are
 */
struct code_calls {
	struct code_call *call;
	size_t nr;
	size_t indirect;
	uint64_t stop;
};

/**
 * code_find_calls() - find the calls in a function
 * @arch: of the code
 * @code: function; the search ends at an instruction that is not known
 * @ret: has no addresses; release with code_calls_deinit(), also on failure
 *
 * An address that is called twice is there twice. A jump to an address in a register is no
 * call: most of them are jump tables.
 *
 * Return: 0, -ENODATA without a disassembler, -ENOMEM.
 */
int code_find_calls(enum ktap_arch arch, const struct code_view *code,
		    struct code_calls *ret);

/**
 * code_calls_deinit() - release the addresses that code_find_calls() found
 * @calls: all zero afterwards
 */
void code_calls_deinit(struct code_calls *calls);

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

/* Bytes of the longest code that code_has_site() and code_veneer_to() look at */
#define CODE_BEGIN_MAX 16

/**
 * code_has_site() - whether code begins with a site of ftrace
 * @arch: of the code
 * @code: CODE_BEGIN_MAX bytes
 *
 * Compilers put such a site at the entry of functions, and nowhere else: a label amid a
 * function has none. A kernel without ftrace has none at all.
 *
 * Return: true: it is the entry of a function.
 */
bool code_has_site(enum ktap_arch arch, const struct code_view *code);

/**
 * code_veneer_to() - find where a veneer jumps to
 * @arch: of the code
 * @code: CODE_BEGIN_MAX bytes
 *
 * A module calls what is beyond the reach of a call through such code, which has no symbol.
 * See plt_entry of the kernel's arch/arm64/include/asm/module.h.
 *
 * Return: the address; 0: this is no veneer.
 */
uint64_t code_veneer_to(enum ktap_arch arch, const struct code_view *code);

/**
 * enum code_role - what a function is for
 * @CODE_FUNCTION: it is a function of the source, as far as its name says
 * @CODE_INDIRECT: it jumps to the address in a register: a retpoline
 * @CODE_PART: it is a part of the function that jumps to it, or jumps to one function:
 *	what it calls, its callers call
 * @CODE_SUPPORT: compilers or the kernel call it unseen: checks, tracing, returns, copies of
 *	structures. A hit of a probe executes most of these, too
 */
enum code_role {
	CODE_FUNCTION,
	CODE_INDIRECT,
	CODE_PART,
	CODE_SUPPORT,
};

/**
 * code_role() - tell by its name what a function of the kernel is for
 * @name: symbol
 *
 * Return: the role; CODE_FUNCTION for all names that are not known.
 */
enum code_role code_role(const char *name);

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
 * code_calls_add() - append an address, unless it is inside the function
 * @calls: to which it is appended
 * @code: function; a call of itself is appended, and a jump to its begin is a loop
 * @address: that is called or jumped to
 * @is_call: it is called
 *
 * Return: 0 or -ENOMEM.
 */
int code_calls_add(struct code_calls *calls, const struct code_view *code, uint64_t address,
		   bool is_call);

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
 * code_x86_64_calls() - code_find_calls() of x86-64
 * @code: function
 * @ret: calls
 *
 * Return: as code_find_calls()
 */
int code_x86_64_calls(const struct code_view *code, struct code_calls *ret);

/**
 * code_x86_64_has_site() - code_has_site() of x86-64
 * @code: begin of the code
 *
 * Return: as code_has_site()
 */
bool code_x86_64_has_site(const struct code_view *code);

/**
 * code_arm64_rets() - code_find_rets() of arm64
 * @code: function
 * @ret: RET instructions
 *
 * Return: as code_find_rets()
 */
int code_arm64_rets(const struct code_view *code, struct code_rets *ret);

/**
 * code_arm64_calls() - code_find_calls() of arm64
 * @code: function
 * @ret: calls
 *
 * Return: as code_find_calls()
 */
int code_arm64_calls(const struct code_view *code, struct code_calls *ret);

/**
 * code_arm64_has_site() - code_has_site() of arm64
 * @code: begin of the code
 *
 * Return: as code_has_site()
 */
bool code_arm64_has_site(const struct code_view *code);

/**
 * code_arm64_veneer_to() - code_veneer_to() of arm64
 * @code: begin of the code
 *
 * Return: as code_veneer_to()
 */
uint64_t code_arm64_veneer_to(const struct code_view *code);

#endif /* KTAP_ARCH_CODE_H */
