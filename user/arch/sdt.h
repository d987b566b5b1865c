/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arguments of USDT probes: what the assembler put into the note ("-4@%edi
 * 8@-24(%rbp)") in the language of definitions ("%di:s32", "-u24(%bp):u64").
 */
#ifndef KTAP_ARCH_SDT_H
#define KTAP_ARCH_SDT_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/**
 * sdt_symbol_fn - where a symbol is, relative to the mark
 * @ctx: of the caller
 * @name: symbol
 * @length: bytes of @name
 * @ret: bytes from the mark to the symbol
 *
 * Return: false when there is none.
 */
typedef bool (*sdt_symbol_fn)(void *ctx, const char *name, size_t length,
			      int64_t *ret);

/**
 * sdt_args() - the arguments of one location of a mark
 * @text: as the note has them
 * @arch: of the file
 * @symbol: for operands that name one; or NULL
 * @ctx: of @symbol
 * @out: a line for each: EXPR:TYPE, or '!' and why it cannot be read
 *
 * What is not understood with certainty is not read.
 */
void sdt_args(const char *text, enum ktap_arch arch, sdt_symbol_fn symbol,
	      void *ctx, struct buf *out);

/* sdt_arg() - the @nr'th line (from 1) of @args; false: there are less. */
bool sdt_arg(const char *args, uint64_t nr, const char **ret, size_t *length);

/* ---- inside: one operand ---- */

/**
 * struct sdt_operand - an operand being decoded
 * @at: what is left of its text
 * @end: behind it
 * @size: bytes of the value
 * @symbol: see sdt_args()
 * @ctx: of @symbol
 * @out: where EXPR goes
 */
struct sdt_operand {
	const char *at;
	const char *end;
	unsigned int size;
	sdt_symbol_fn symbol;
	void *ctx;
	struct buf *out;
};

/* Each writes EXPR, or returns why it cannot: a phrase. */
const char *sdt_x86_64_operand(struct sdt_operand *op);
const char *sdt_arm64_operand(struct sdt_operand *op);

/* sdt_char() - moves over @c if it is next. */
bool sdt_char(struct sdt_operand *op, char c);
/* sdt_blanks() - moves over blanks. */
void sdt_blanks(struct sdt_operand *op);
/* sdt_word() - letters, digits and what else names may have; may be empty. */
size_t sdt_word(struct sdt_operand *op, const char **ret);
/* sdt_number() - [+-] digits, in C syntax; false: nothing was moved over. */
bool sdt_number(struct sdt_operand *op, int64_t *ret);
/* sdt_deref() - "+u8(": what is at the address that follows, plus @offset. */
void sdt_deref(struct sdt_operand *op, int64_t offset);

#endif /* KTAP_ARCH_SDT_H */
