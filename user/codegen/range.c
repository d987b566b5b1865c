// SPDX-License-Identifier: GPL-2.0
/*
 * Ranges. Arithmetic that cannot leave 64 bits is exact; what might wrap
 * around can be anything.
 */
#include "codegen/range.h"

#include <stdint.h>

struct range {
	wide low;
	wide high;
};

void range_set(struct node *n, wide low, wide high)
{
	n->is_unsigned = false;
	n->low = low;
	n->high = high;
}

void range_set_bits(struct node *n, unsigned int bits, bool is_signed)
{
	n->is_unsigned = bits == 64 && !is_signed;
	n->low = is_signed ? -((wide)1 << (bits - 1)) : 0;
	n->high = ((wide)1 << (bits - is_signed)) - 1;
}

bool range_fits(const struct node *n, unsigned int bits, bool is_signed)
{
	struct node all = {};

	range_set_bits(&all, bits, is_signed);
	return n->low >= all.low && n->high <= all.high;
}

/* Of @n where it is taken as unsigned: negative numbers become large ones. */
static struct range as_unsigned(const struct node *n)
{
	struct range r = { n->low, n->high };

	if (n->low >= 0)
		return r;
	if (n->high < 0)
		return (struct range){ n->low + ((wide)1 << 64),
				       n->high + ((wide)1 << 64) };
	return (struct range){ 0, UINT64_MAX };
}

static struct range range_as(const struct node *n, bool is_unsigned)
{
	if (is_unsigned)
		return as_unsigned(n);
	return (struct range){ n->low, n->high };
}

static wide least(wide a, wide b)
{
	return a < b ? a : b;
}

static wide most(wide a, wide b)
{
	return a > b ? a : b;
}

void range_join(struct node *n, const struct node *a, const struct node *b)
{
	bool is_unsigned = a->is_unsigned || b->is_unsigned;
	struct range x = range_as(a, is_unsigned), y = range_as(b, is_unsigned);

	range_set(n, least(x.low, y.low), most(x.high, y.high));
	n->is_unsigned = is_unsigned;
}

/* The least number of the form 2^n - 1 that is no less than @high. */
static wide all_ones(wide high)
{
	wide ones = 0;

	while (ones < high)
		ones = ones << 1 | 1;
	return ones;
}

static struct range products(struct range a, struct range b)
{
	/* 63 bits each, or a sign: no product of two needs more than 127 */
	wide w = a.low * b.low, x = a.low * b.high;
	wide y = a.high * b.low, z = a.high * b.high;

	return (struct range){ least(least(w, x), least(y, z)),
			       most(most(w, x), most(y, z)) };
}

static bool is_small(struct range r)
{
	return r.low >= INT64_MIN && r.high <= INT64_MAX;
}

static const struct range anything = { -((wide)1 << 100), (wide)1 << 100 };

static struct range arithmetic(enum expr_op op, struct range a, struct range b)
{
	switch (op) {
	case OP_ADD:
		return (struct range){ a.low + b.low, a.high + b.high };
	case OP_SUB:
		return (struct range){ a.low - b.high, a.high - b.low };
	case OP_MUL:
		return is_small(a) && is_small(b) ? products(a, b) : anything;
	case OP_DIV:
		if (b.low <= 0)
			return anything;
		return (struct range){ least(a.low / b.low, a.low / b.high),
				       most(a.high / b.low, a.high / b.high) };
	case OP_MOD:
		if (b.low <= 0)
			return anything;
		return (struct range){
			a.low < 0 ? most(a.low, 1 - b.high) : 0,
			a.high > 0 ? least(a.high, b.high - 1) : 0,
		};
	default:
		return anything;
	}
}

/* Bits of numbers without sign. */
static struct range bitwise(enum expr_op op, struct range a, struct range b)
{
	if (op == OP_AND && (a.low >= 0 || b.low >= 0))
		return (struct range){
			0, a.low < 0 ? b.high :
			   b.low < 0 ? a.high : least(a.high, b.high),
		};
	if (op == OP_AND || a.low < 0 || b.low < 0)
		return anything;
	return (struct range){ 0, all_ones(most(a.high, b.high)) };
}

static wide shift_right(wide value, wide by)
{
	return value >> (int)least(by, 64);
}

static struct range shifted(enum expr_op op, struct range a, struct range b)
{
	if (b.low < 0)
		return anything;
	if (op == OP_SHR)
		return (struct range){
			least(shift_right(a.low, b.low),
			      shift_right(a.low, b.high)),
			most(shift_right(a.high, b.low),
			     shift_right(a.high, b.high)),
		};
	if (b.high > 32 || !is_small(a))
		return anything;
	return (struct range){ a.low * ((wide)1 << (int)(a.low < 0 ? b.high : b.low)),
			       a.high * ((wide)1 << (int)(a.high < 0 ? b.low : b.high)) };
}

static struct range compared(enum expr_op op, struct range a, struct range b)
{
	bool below = a.high < b.low, above = a.low > b.high;
	bool same = a.low == a.high && b.low == b.high && a.low == b.low;

	switch (op) {
	case OP_EQ:
		return (struct range){ same, !below && !above };
	case OP_NE:
		return (struct range){ below || above, !same };
	case OP_LT:
		return (struct range){ below, a.low < b.high };
	case OP_LE:
		return (struct range){ a.high <= b.low, !above };
	case OP_GT:
		return (struct range){ above, a.high > b.low };
	default:
		return (struct range){ a.low >= b.high, !below };
	}
}

static uint64_t fold_shift(enum expr_op op, uint64_t a, uint64_t b,
			   bool is_unsigned)
{
	if (op == OP_SHR && !is_unsigned)
		return (uint64_t)((int64_t)a >> (b > 63 ? 63 : b));
	if (b > 63)
		return 0;
	return op == OP_SHL ? a << b : a >> b;
}

/* Two constants: as the kernel would compute it. */
static uint64_t fold(enum expr_op op, uint64_t a, uint64_t b, bool is_unsigned)
{
	switch (op) {
	case OP_ADD:
		return a + b;
	case OP_SUB:
		return a - b;
	case OP_MUL:
		return a * b;
	case OP_AND:
		return a & b;
	case OP_OR:
		return a | b;
	case OP_XOR:
		return a ^ b;
	default:
		return fold_shift(op, a, b, is_unsigned);
	}
}

static bool is_comparison(enum expr_op op)
{
	return op >= OP_EQ && op <= OP_GE;
}

static bool is_shift(enum expr_op op)
{
	return op == OP_SHL || op == OP_SHR;
}

bool range_signed(enum expr_op op, const struct node *a, const struct node *b)
{
	if (is_shift(op))
		return !a->is_unsigned;
	return !a->is_unsigned && !b->is_unsigned;
}

static struct range compute(enum expr_op op, struct range a, struct range b,
			    bool is_unsigned)
{
	bool known = a.low == a.high && b.low == b.high;
	uint64_t value;

	if (known && op != OP_DIV && op != OP_MOD) {
		value = fold(op, (uint64_t)a.low, (uint64_t)b.low, is_unsigned);
		a.low = is_unsigned ? (wide)value : (wide)(int64_t)value;
		a.high = a.low;
		return a;
	}
	if (op == OP_AND || op == OP_OR || op == OP_XOR)
		return bitwise(op, a, b);
	return is_shift(op) ? shifted(op, a, b) : arithmetic(op, a, b);
}

void range_of(struct node *n, enum expr_op op, const struct node *a,
	      const struct node *b)
{
	bool is_unsigned = !range_signed(op, a, b);
	struct range x = range_as(a, is_unsigned);
	struct range y = range_as(b, is_shift(op) || is_unsigned);

	if (is_comparison(op)) {
		x = compared(op, x, y);
		range_set(n, x.low, x.high);
		return;
	}
	range_set_bits(n, 64, !is_unsigned);
	x = compute(op, x, y, is_unsigned);
	if (x.low < n->low || x.high > n->high)
		return;
	n->low = x.low;
	n->high = x.high;
}
