// SPDX-License-Identifier: GPL-2.0
/* Operands as the assembler of arm64 has them: 5, w0, [sp, 16], [x0, x1, lsl 3]. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "arch/sdt.h"

/* xN, wN, sp, and the one that is always zero, which has no name here. */
static const char *take_reg(struct sdt_operand *op, struct sdt_reg *ret)
{
	const char *word;
	size_t length = sdt_word(op, &word);
	char *end;
	long nr;

	if (length == 2 && !memcmp(word, "sp", 2)) {
		*ret = (struct sdt_reg){ "sp", 8 };
		return NULL;
	}
	if (length == 3 && (!memcmp(word, "xzr", 3) || !memcmp(word, "wzr", 3))) {
		*ret = (struct sdt_reg){ "", *word == 'x' ? 8 : 4 };
		return NULL;
	}
	if (length < 2 || !isdigit((unsigned char)word[1]))
		return "its operand is unknown";
	if (strchr("bhsdqv", *word))
		return "it is in a vector register";
	/* x30 is the longest */
	nr = length <= 3 ? strtol(word + 1, &end, 10) : LONG_MAX;
	if ((*word != 'x' && *word != 'w') || nr > 30 || end != word + length)
		return "its register is unknown";
	ret->size = *word == 'x' ? 8 : 4;
	ret->name[0] = 'x';
	memcpy(ret->name + 1, word + 1, length - 1);
	ret->name[length] = '\0';
	return NULL;
}

static const char *reg_operand(struct sdt_operand *op)
{
	struct sdt_reg reg;
	const char *why = take_reg(op, &reg);

	return why ? why : sdt_in_reg(op, &reg);
}

/* ", lsl 3" behind an index; other extensions are refused. */
static const char *take_shift(struct sdt_operand *op, int64_t *ret)
{
	const char *word;

	sdt_blanks(op);
	*ret = 0;
	if (!sdt_char(op, ','))
		return NULL;
	sdt_blanks(op);
	if (sdt_word(op, &word) != 3 || memcmp(word, "lsl", 3))
		return "its operand is unknown";
	sdt_blanks(op);
	sdt_char(op, '#');
	if (!sdt_number(op, ret) || *ret < 0 || *ret > 3)
		return "its operand is unknown";
	return NULL;
}

/* "x1, lsl 3" */
static const char *take_index(struct sdt_operand *op)
{
	struct sdt_reg index;
	const char *why;
	int64_t shift;

	why = take_reg(op, &index);
	if (!why && (index.size != 8 || !*index.name))
		why = "its operand is unknown";
	if (!why)
		why = take_shift(op, &shift);
	if (why)
		return why;
	strcpy(op->arg->index, index.name);
	op->arg->scale = 1U << shift;
	return NULL;
}

/* [base], [base, 8], [base, index], [base, index, lsl 3] */
static const char *memory_operand(struct sdt_operand *op)
{
	struct sdt_reg base;
	const char *why;

	why = take_reg(op, &base);
	if (!why && (base.size != 8 || !*base.name))
		why = "its operand is unknown";
	if (why)
		return why;
	op->arg->kind = SDT_MEMORY;
	strcpy(op->arg->reg, base.name);
	sdt_blanks(op);
	if (sdt_char(op, ',')) {
		sdt_blanks(op);
		sdt_char(op, '#');
		if (!sdt_number(op, &op->arg->number))
			why = take_index(op);
	}
	sdt_blanks(op);
	if (!why && !sdt_char(op, ']'))
		why = "its operand is unknown";
	return why;
}

const char *sdt_arm64_operand(struct sdt_operand *op)
{
	if (op->at == op->end)
		return "its operand is missing";
	if (sdt_char(op, '['))
		return memory_operand(op);
	sdt_char(op, '#');
	if (!sdt_number(op, &op->arg->number))
		return reg_operand(op);
	op->arg->kind = SDT_NUMBER;
	return NULL;
}
