// SPDX-License-Identifier: GPL-2.0
/* Terms that locations become, in the words of fetch arguments. */
#include "bind/where.h"

#define UNARY_PRECEDENCE 100

static unsigned int precedence_of(const struct term *e)
{
	if (e->kind == TERM_COND)
		return 0;
	return e->kind == TERM_BINARY ? op_precedence(e->op) : UNARY_PRECEDENCE;
}

/* In brackets, unless it binds with @least or more. */
static void put_part(struct buf *b, const struct term *e, unsigned int least)
{
	bool brackets = precedence_of(e) < least;

	if (brackets)
		buf_putc(b, '(');
	term_put(b, e);
	if (brackets)
		buf_putc(b, ')');
}

static void put_number(struct buf *b, const struct term *e)
{
	if (e->value < 0 && !e->is_unsigned)
		buf_printf(b, "\\%lld", (long long)e->value);
	else
		buf_printf(b, "%llu%s", (unsigned long long)e->value,
			   e->is_unsigned ? "u" : "");
}

static void put_deref(struct buf *b, const struct term *e)
{
	unsigned long long value = (unsigned long long)e->value;

	if (e->base->kind == TERM_FILE) {
		buf_printf(b, "@+0x%llx", value);
		return;
	}
	buf_printf(b, "%c%s%llu(", e->value < 0 ? '-' : '+', e->user ? "u" : "",
		   e->value < 0 ? -value : value);
	term_put(b, e->base);
	buf_putc(b, ')');
}

static void put_cast(struct buf *b, const struct term *e)
{
	const struct show *type = &e->type;

	if (type->bit_width)
		buf_printf(b, "(%s%u@%u/%u)",
			   type->kind == SHOW_SIGNED_BITS ? "sb" : "b",
			   type->bit_width, type->bit_offset, type->size * 8);
	else
		buf_printf(b, "(%c%u)", type->kind == SHOW_SIGNED ? 's' : 'u',
			   type->size * 8);
	put_part(b, e->base, UNARY_PRECEDENCE);
}

void term_put(struct buf *b, const struct term *e)
{
	switch (e->kind) {
	case TERM_REG:
		buf_printf(b, "%%%s", e->text);
		break;
	case TERM_FRAME:
		buf_printf(b, "$entry(%%%s)", e->text);
		break;
	case TERM_CTX:
		buf_puts(b, e->value == KTAP_CTX_THREAD ? "$thread" : "$percpu");
		break;
	case TERM_IMM:
		put_number(b, e);
		break;
	case TERM_DEREF:
		put_deref(b, e);
		break;
	case TERM_CAST:
		put_cast(b, e);
		break;
	case TERM_UNARY:
		buf_puts(b, op_text(e->op));
		put_part(b, e->base, UNARY_PRECEDENCE);
		break;
	case TERM_BINARY:
		put_part(b, e->base, precedence_of(e));
		buf_puts(b, op_text(e->op));
		put_part(b, e->right, precedence_of(e) + 1);
		break;
	case TERM_COND:
		put_part(b, e->base, 1);
		buf_putc(b, '?');
		put_part(b, e->right, 0);
		buf_putc(b, ':');
		put_part(b, e->third, 0);
		break;
	default:
		/* the start of the file, without a dereference */
		buf_puts(b, "@+0");
		break;
	}
}
