// SPDX-License-Identifier: GPL-2.0
/* The form of a USDT probe's arguments that all architectures share: SIZE@OPERAND. */
#include "arch/sdt.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* ---- text ---- */

bool sdt_char(struct sdt_operand *op, char c)
{
	if (op->at == op->end || *op->at != c)
		return false;
	op->at++;
	return true;
}

void sdt_blanks(struct sdt_operand *op)
{
	while (op->at < op->end && isblank((unsigned char)*op->at))
		op->at++;
}

size_t sdt_word(struct sdt_operand *op, const char **ret)
{
	*ret = op->at;
	while (op->at < op->end &&
	       (isalnum((unsigned char)*op->at) || strchr("_.$@", *op->at)))
		op->at++;
	return op->at - *ret;
}

bool sdt_number(struct sdt_operand *op, int64_t *ret)
{
	const char *at = op->at;
	const char *last;
	char text[32], *end;
	size_t length;

	at += at < op->end && strchr("+-", *at);
	if (at == op->end || !isdigit((unsigned char)*at))
		return false;
	for (last = at; last < op->end && isalnum((unsigned char)*last); last++)
		;
	length = last - op->at;
	if (length >= sizeof(text))
		return false;
	memcpy(text, op->at, length);
	text[length] = '\0';
	errno = 0;
	/* unsigned constants of 64 bits are as good as negative ones */
	*ret = *text == '-' ? strtoll(text, &end, 0) :
			      (int64_t)strtoull(text, &end, 0);
	if (errno)
		return false;
	op->at += end - text;
	return true;
}

const char *sdt_in_reg(struct sdt_operand *op, const struct sdt_reg *reg)
{
	if (op->arg->size > reg->size)
		return "it is larger than its register";
	op->arg->kind = *reg->name ? SDT_REG : SDT_NUMBER;
	memcpy(op->arg->reg, reg->name, sizeof(op->arg->reg));
	return NULL;
}

/* ---- arguments ---- */

/* "-4@", "8@"; a reason, or NULL. */
static const char *take_size(struct sdt_operand *op)
{
	struct sdt_arg *arg = op->arg;
	int64_t size;

	if (!memchr(op->at, '@', op->end - op->at))
		return "its size is missing";
	if (!sdt_number(op, &size))
		return "its size is no number";
	if (sdt_char(op, 'f'))
		return "it is a floating-point value";
	if (!sdt_char(op, '@'))
		return "its size is no number";
	arg->is_signed = size < 0;
	if (size < 0)
		size = (int64_t)-(uint64_t)size;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return "its size is not 1, 2, 4 or 8 bytes";
	arg->size = size;
	return NULL;
}

static const char *decode(struct sdt_operand *op, enum ktap_arch arch)
{
	const char *why;

	why = take_size(op);
	if (why)
		return why;
	why = arch == KTAP_ARCH_ARM64 ? sdt_arm64_operand(op) :
					sdt_x86_64_operand(op);
	if (!why && op->at != op->end)
		why = "its operand is unknown";
	return why;
}

/* Blanks stand between arguments; those in brackets belong to one. */
static const char *arg_end(const char *at)
{
	unsigned int depth = 0;

	for (; *at; at++) {
		if (*at == '(' || *at == '[')
			depth++;
		else if ((*at == ')' || *at == ']') && depth)
			depth--;
		else if (isspace((unsigned char)*at) && !depth)
			break;
	}
	return at;
}

struct sdt_args *sdt_parse(const char *text, enum ktap_arch arch,
			   sdt_symbol_fn symbol, void *ctx)
{
	_cleanup_(sdt_args_freep) struct sdt_args *args = calloc(1, sizeof(*args));
	const char *end, *why;
	struct sdt_arg *more;

	for (; args; text = end) {
		struct sdt_arg arg = { .scale = 1 };
		struct sdt_operand op = { .symbol = symbol, .ctx = ctx,
					  .arg = &arg };

		while (isspace((unsigned char)*text))
			text++;
		if (!*text)
			break;
		end = arg_end(text);
		op.at = text;
		op.end = end;
		why = decode(&op, arch);
		if (why)
			arg = (struct sdt_arg){ .why = why };
		more = array_grow(args->arg, args->nr, sizeof(*more));
		if (!more)
			return NULL;
		args->arg = more;
		more[args->nr++] = arg;
	}
	return take_ptr(args);
}

void sdt_args_free(struct sdt_args *args)
{
	if (args)
		free(args->arg);
	free(args);
}

/* ---- listings ---- */

static void put_memory(struct buf *b, const struct sdt_arg *arg)
{
	uint64_t distance = arg->number;

	if (!*arg->reg && !*arg->index) {
		buf_printf(b, "@0x%llx", (unsigned long long)distance);
		return;
	}
	buf_printf(b, "%cu%llu(", arg->number < 0 ? '-' : '+',
		   (unsigned long long)(arg->number < 0 ? -distance : distance));
	if (*arg->reg)
		buf_printf(b, "%%%s", arg->reg);
	if (*arg->reg && *arg->index)
		buf_puts(b, " + ");
	if (*arg->index)
		buf_printf(b, "%%%s * %u", arg->index, arg->scale);
	buf_putc(b, ')');
}

void sdt_arg_put(struct buf *b, const struct sdt_arg *arg)
{
	if (arg->kind == SDT_NUMBER)
		buf_printf(b, "\\%lld", (long long)arg->number);
	else if (arg->kind == SDT_REG)
		buf_printf(b, "%%%s", arg->reg);
	else
		put_memory(b, arg);
}
