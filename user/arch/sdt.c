// SPDX-License-Identifier: GPL-2.0
/* The form of a mark's arguments that both architectures share: SIZE@OPERAND. */
#include "arch/sdt.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

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
	char text[32], *end;
	size_t length;

	at += at < op->end && strchr("+-", *at);
	if (at == op->end || !isdigit((unsigned char)*at))
		return false;
	length = op->end - op->at;
	if (length >= sizeof(text))
		length = sizeof(text) - 1;
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

void sdt_deref(struct sdt_operand *op, int64_t offset)
{
	uint64_t distance = offset < 0 ? -(uint64_t)offset : (uint64_t)offset;

	buf_printf(op->out, "%cu%llu(", offset < 0 ? '-' : '+',
		   (unsigned long long)distance);
}

/* ---- arguments ---- */

/* "-4@", "8@"; a reason, or NULL. */
static const char *take_size(struct sdt_operand *op, bool *ret_signed)
{
	int64_t size;

	if (!memchr(op->at, '@', op->end - op->at))
		return "its size is missing";
	if (!sdt_number(op, &size))
		return "its size is no number";
	if (sdt_char(op, 'f'))
		return "it is a floating-point value";
	if (!sdt_char(op, '@'))
		return "its size is no number";
	*ret_signed = size < 0;
	op->size = size < 0 ? -size : size;
	if (op->size != 1 && op->size != 2 && op->size != 4 && op->size != 8)
		return "its size is not 1, 2, 4 or 8 bytes";
	return NULL;
}

static const char *decode(struct sdt_operand *op, enum ktap_arch arch)
{
	bool is_signed;
	const char *why;

	why = take_size(op, &is_signed);
	if (why)
		return why;
	why = arch == KTAP_ARCH_ARM64 ? sdt_arm64_operand(op) :
					sdt_x86_64_operand(op);
	if (why)
		return why;
	if (op->at != op->end)
		return "its operand is unknown";
	buf_printf(op->out, ":%c%u", is_signed ? 's' : 'u', op->size * 8);
	return NULL;
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

void sdt_args(const char *text, enum ktap_arch arch, sdt_symbol_fn symbol,
	      void *ctx, struct buf *out)
{
	_cleanup_buf_ struct buf expr = BUF_INIT;
	const char *end, *why;

	for (;; text = end) {
		struct sdt_operand op = { .symbol = symbol, .ctx = ctx,
					  .out = &expr };

		while (isspace((unsigned char)*text))
			text++;
		if (!*text)
			return;
		end = arg_end(text);
		op.at = text;
		op.end = end;
		buf_clear(&expr);
		why = decode(&op, arch);
		if (why)
			buf_printf(out, "!%s\n", why);
		else
			buf_printf(out, "%s\n", buf_str(&expr));
		out->failed |= expr.failed;
	}
}

bool sdt_arg(const char *args, uint64_t nr, const char **ret, size_t *length)
{
	const char *end;

	for (; *args; args = end + 1) {
		end = strchrnul(args, '\n');
		if (!--nr) {
			*ret = args;
			*length = end - args;
			return true;
		}
		if (!*end)
			break;
	}
	return false;
}
