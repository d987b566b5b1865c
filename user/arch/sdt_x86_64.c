// SPDX-License-Identifier: GPL-2.0
/* Operands as the assembler of x86-64 has them: $5, %eax, -8(%rbp), sym(%rip). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arch/sdt.h"
#include "base/array.h"

#define LEGACY(n) { "r" n, n, 8 }, { "e" n, n, 4 }, { n, n, 2 }

static const struct {
	const char *theirs;
	const char *ours;
	unsigned int size;
} legacy[] = {
	LEGACY("ax"), LEGACY("bx"), LEGACY("cx"), LEGACY("dx"),
	LEGACY("si"), LEGACY("di"), LEGACY("bp"), LEGACY("sp"),
	{ "rip", "ip", 8 },
	{ "al", "ax", 1 }, { "bl", "bx", 1 }, { "cl", "cx", 1 },
	{ "dl", "dx", 1 }, { "sil", "si", 1 }, { "dil", "di", 1 },
	{ "bpl", "bp", 1 }, { "spl", "sp", 1 },
};

/* r8 to r15, with d, w or b behind them for a part. */
static bool numbered(const char *word, size_t length, struct sdt_reg *ret)
{
	char *end;
	long nr;

	/* r15d is the longest */
	if (word[0] != 'r' || length < 2 || length > 4 ||
	    !isdigit((unsigned char)word[1]))
		return false;
	nr = strtol(word + 1, &end, 10);
	if (nr < 8 || nr > 15 || end > word + length)
		return false;
	ret->size = 8;
	if (end == word + length - 1)
		ret->size = *end == 'd' ? 4 : *end == 'w' ? 2 : *end == 'b';
	else if (end != word + length)
		return false;
	ret->name[0] = 'r';
	memcpy(ret->name + 1, word + 1, end - word - 1);
	ret->name[end - word] = '\0';
	return ret->size;
}

/* The register behind a '%'; a reason, or NULL. */
static const char *take_reg(struct sdt_operand *op, struct sdt_reg *ret)
{
	const char *word;
	size_t length, i;

	if (!sdt_char(op, '%'))
		return "its operand is unknown";
	length = sdt_word(op, &word);
	for (i = 0; i < ARRAY_SIZE(legacy); i++) {
		if (strlen(legacy[i].theirs) != length ||
		    memcmp(legacy[i].theirs, word, length))
			continue;
		strcpy(ret->name, legacy[i].ours);
		ret->size = legacy[i].size;
		return NULL;
	}
	if (length && numbered(word, length, ret))
		return NULL;
	if (length > 2 && word[1] == 'm' && word[2] == 'm')
		return "it is in a vector register";
	if (length == 2 && word[1] == 'h')
		return "it is the second byte of a register";
	if (length == 2 && word[1] == 's')
		return "it is relative to a segment";
	return "its register is unknown";
}

static const char *reg_operand(struct sdt_operand *op)
{
	struct sdt_reg reg;
	const char *why = take_reg(op, &reg);

	return why ? why : sdt_in_reg(op, &reg);
}

static const char *constant(struct sdt_operand *op)
{
	op->arg->kind = SDT_NUMBER;
	return sdt_number(op, &op->arg->number) ? NULL :
	       "it is the address of a symbol";
}

/* struct memory - disp(base,index,scale), the parts that are there */
struct memory {
	int64_t disp;
	const char *symbol;
	size_t symbol_length;
	bool has_base;
	bool has_index;
	struct sdt_reg base;
	struct sdt_reg index;
	int64_t scale;
};

/* Sums like "sym+8" and "8+sym"; a reason, or NULL. */
static const char *take_disp(struct sdt_operand *op, struct memory *m)
{
	int64_t number;

	while (op->at < op->end && *op->at != '(') {
		if (sdt_number(op, &number)) {
			m->disp = (int64_t)((uint64_t)m->disp +
					    (uint64_t)number);
			continue;
		}
		sdt_char(op, '+');
		if (m->symbol)
			return "its operand is unknown";
		m->symbol_length = sdt_word(op, &m->symbol);
		if (!m->symbol_length)
			return "its operand is unknown";
	}
	return NULL;
}

static const char *take_index(struct sdt_operand *op, struct memory *m)
{
	const char *why;

	why = take_reg(op, &m->index);
	if (why)
		return why;
	m->has_index = true;
	if (sdt_char(op, ',') &&
	    (!sdt_number(op, &m->scale) ||
	     (m->scale != 1 && m->scale != 2 && m->scale != 4 && m->scale != 8)))
		return "its operand is unknown";
	return NULL;
}

/* (base), (base,index), (base,index,scale), (,index,scale) */
static const char *take_regs(struct sdt_operand *op, struct memory *m)
{
	const char *why = NULL;

	if (!sdt_char(op, '('))
		return NULL;
	if (op->at < op->end && *op->at == '%') {
		m->has_base = true;
		why = take_reg(op, &m->base);
	}
	if (!why && sdt_char(op, ','))
		why = take_index(op, m);
	if (!why && !sdt_char(op, ')'))
		why = "its operand is unknown";
	if (!why && ((m->has_base && m->base.size != 8) ||
		     (m->has_index && m->index.size != 8)))
		why = "its address has 32 bits";
	return why;
}

/* A symbol is as far from the mark as in the file, wherever that is loaded. */
static const char *locate(struct sdt_operand *op, struct memory *m)
{
	int64_t distance;

	if (!m->symbol) {
		/* what a bare number is relative to is the assembler's secret */
		return m->has_base && !strcmp(m->base.name, "ip") ?
		       "it is relative to an instruction" : NULL;
	}
	if (m->has_index || (m->has_base && strcmp(m->base.name, "ip")))
		return "its operand is unknown";
	if (!op->symbol ||
	    !op->symbol(op->ctx, m->symbol, m->symbol_length, &distance))
		return "its symbol is not in the file";
	m->disp += distance;
	m->has_base = true;
	strcpy(m->base.name, "ip");
	return NULL;
}

static void set_memory(struct sdt_arg *arg, const struct memory *m)
{
	arg->kind = SDT_MEMORY;
	arg->number = m->disp;
	if (m->has_base)
		strcpy(arg->reg, m->base.name);
	if (m->has_index)
		strcpy(arg->index, m->index.name);
	arg->scale = m->scale;
}

static const char *memory_operand(struct sdt_operand *op)
{
	struct memory m = { .scale = 1 };
	const char *why;

	why = take_disp(op, &m);
	if (!why)
		why = take_regs(op, &m);
	if (!why)
		why = locate(op, &m);
	if (!why)
		set_memory(op->arg, &m);
	return why;
}

const char *sdt_x86_64_operand(struct sdt_operand *op)
{
	if (op->at < op->end && *op->at == '%')
		return reg_operand(op);
	if (sdt_char(op, '$'))
		return constant(op);
	if (op->at == op->end)
		return "its operand is missing";
	return memory_operand(op);
}
