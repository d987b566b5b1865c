/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arguments of USDT probes: what the assembler put into the note
 * ("-4@%edi 8@-24(%rbp)"), decoded.
 */
#ifndef KTAP_ARCH_SDT_H
#define KTAP_ARCH_SDT_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"

/* Where the value of an argument is. */
enum sdt_kind {
	SDT_UNREADABLE,	/* why */
	SDT_NUMBER,	/* number */
	SDT_REG,	/* in reg */
	SDT_MEMORY,	/* at number + reg + index * scale, whichever of them there are */
};

/**
 * struct sdt_arg - one argument of a USDT probe
 * @kind: which members mean something
 * @why: the reason why it cannot be read: a constant string
 * @size: bytes of the value: 1, 2, 4 or 8
 * @is_signed: the value has a sign
 * @number: the value, or bytes of an address
 * @reg: register, as definitions name it; "": none
 * @index: register that @scale multiplies; "": none
 * @scale: 1, 2, 4 or 8
 */
struct sdt_arg {
	enum sdt_kind kind;
	const char *why;
	unsigned int size;
	bool is_signed;
	int64_t number;
	char reg[8];
	char index[8];
	unsigned int scale;
};

/**
 * struct sdt_args - the arguments of one location of a USDT probe
 * @arg: in order; owned
 * @nr: number of arguments
 */
struct sdt_args {
	struct sdt_arg *arg;
	size_t nr;
};

/**
 * sdt_symbol_fn - find a symbol relative to the location of the probe
 * @ctx: of the caller
 * @name: symbol; not terminated
 * @length: bytes of @name
 * @ret: bytes from the location to the symbol
 *
 * Return: false if the file has no such symbol, or several.
 */
typedef bool (*sdt_symbol_fn)(void *ctx, const char *name, size_t length,
			      int64_t *ret);

/**
 * sdt_parse() - decode the arguments of one location of a USDT probe
 * @text: as the note has them
 * @arch: of the file
 * @symbol: called for operands that name a symbol; NULL: they are unreadable
 * @ctx: passed to @symbol
 *
 * An operand that is not understood with certainty is SDT_UNREADABLE.
 *
 * Return: the arguments, to be freed with sdt_args_free(); NULL: no memory.
 */
struct sdt_args *sdt_parse(const char *text, enum ktap_arch arch,
			   sdt_symbol_fn symbol, void *ctx);

/**
 * sdt_args_free() - free arguments
 * @args: arguments, or NULL
 */
void sdt_args_free(struct sdt_args *args);
DEFINE_CLEANUP(struct sdt_args, sdt_args_free)

/**
 * sdt_arg_put() - append an argument in the syntax of definitions
 * @b: to which "-u24(%bp)" is appended
 * @arg: a readable argument
 */
void sdt_arg_put(struct buf *b, const struct sdt_arg *arg);

/* ---- inside: one operand ---- */

/**
 * struct sdt_operand - an operand that is being decoded
 * @at: what is left of its text
 * @end: end of its text
 * @symbol: see sdt_parse()
 * @ctx: of @symbol
 * @arg: gets the result; its size is known
 */
struct sdt_operand {
	const char *at;
	const char *end;
	sdt_symbol_fn symbol;
	void *ctx;
	struct sdt_arg *arg;
};

/**
 * struct sdt_reg - a register
 * @name: as definitions name it; "": the register that is always zero
 * @size: bytes of the register that the operand's name means
 */
struct sdt_reg {
	char name[8];
	unsigned int size;
};

/**
 * sdt_x86_64_operand() - decode $5, %eax, -8(%rbp), sym(%rip)
 * @op: the operand; all of its text is consumed on success
 *
 * Return: NULL, or the reason why it cannot be read.
 */
const char *sdt_x86_64_operand(struct sdt_operand *op);

/**
 * sdt_arm64_operand() - decode 5, w0, [sp, 16], [x0, x1, lsl 3]
 * @op: the operand; all of its text is consumed on success
 *
 * Return: NULL, or the reason why it cannot be read.
 */
const char *sdt_arm64_operand(struct sdt_operand *op);

/**
 * sdt_char() - consume one character
 * @op: the operand
 * @c: the character
 *
 * Return: true if @c was next.
 */
bool sdt_char(struct sdt_operand *op, char c);

/**
 * sdt_blanks() - consume blanks
 * @op: the operand
 */
void sdt_blanks(struct sdt_operand *op);

/**
 * sdt_word() - consume letters, digits and what else names may have
 * @op: the operand
 * @ret: the first character
 *
 * Return: bytes of the word; 0: there is none.
 */
size_t sdt_word(struct sdt_operand *op, const char **ret);

/**
 * sdt_number() - consume a number of C with an optional sign
 * @op: the operand
 * @ret: its value; of an unsigned number of 64 bits the same bits
 *
 * Return: false if there is none, or it is too large; nothing is consumed.
 */
bool sdt_number(struct sdt_operand *op, int64_t *ret);

/**
 * sdt_in_reg() - set the argument to what a register holds
 * @op: the operand
 * @reg: the register
 *
 * Return: NULL, or the reason why it cannot be read.
 */
const char *sdt_in_reg(struct sdt_operand *op, const struct sdt_reg *reg);

#endif /* KTAP_ARCH_SDT_H */
