// SPDX-License-Identifier: GPL-2.0
/* The calling convention: which of its places each parameter of a function has. */
#include "bind/bind_in.h"

/* Structures inside of structures that have room in registers */
#define REAL_DEPTH 8

/* struct next - what the next parameter gets: a register, or a word of the stack */
struct next {
	unsigned int reg;
	unsigned int word;
};

/* Return: the N of its $argN. */
static unsigned int take_one(const struct vars *v, struct next *next)
{
	if (next->reg < v->arch->nr_args)
		return ++next->reg;
	return v->arch->nr_args + ++next->word;
}

static void take_words(struct next *next, uint64_t size)
{
	next->word += (size + 7) / 8;
}

/*
 * What has 9 to 16 bytes travels in two registers or on the stack; on arm64 no
 * register is used after it then.
 */
static void take_two(const struct vars *v, const struct ctype *t,
		     struct next *next)
{
	bool by_reference = v->arch->large_by_reference;
	bool is_struct = t->kind == CTYPE_STRUCT;
	unsigned int nr = v->arch->nr_args;

	if (by_reference && !is_struct)
		next->reg += next->reg % 2;
	if (next->reg + 2 <= nr && (by_reference || ctype_is_aligned(t))) {
		next->reg += 2;
		return;
	}
	if (by_reference)
		next->reg = nr;
	if (!is_struct)
		next->word += next->word % 2;
	take_words(next, t->size);
}

/*
 * Return: the N of its $argN; 0: it does not fit there. On x86-64 a structure
 * with members that are not aligned is on the stack.
 */
static unsigned int take(const struct vars *v, const struct ctype *t,
			 struct next *next)
{
	bool by_reference = v->arch->large_by_reference;

	/* those have registers of their own */
	if (t->kind == CTYPE_FLOAT)
		return 0;
	if (t->size > 8 && t->size <= 16)
		take_two(v, t, next);
	else if (t->size && t->size <= 8 &&
		 (by_reference || ctype_is_aligned(t)))
		return take_one(v, next);
	else if (t->size && by_reference)
		take_one(v, next);
	else
		take_words(next, t->size);
	return 0;
}

/* On x86-64 a structure that fits into no registers is returned where the first
 * one points.
 */
static void begin(const struct vars *v, struct next *next)
{
	const struct ctype *t = &v->func.returns;

	*next = (struct next){};
	if (t->kind == CTYPE_STRUCT && !v->arch->large_by_reference &&
	    !vars_nr_hidden(v) && (t->size > 16 || !ctype_is_aligned(t)))
		next->reg = 1;
}

unsigned int vars_number_of(const struct vars *v, unsigned int index)
{
	unsigned int i, n = 0;
	struct next next;
	struct ctype t;

	begin(v, &next);
	for (i = vars_nr_hidden(v); i <= index; i++) {
		kbtf_param(&v->func, i, &t);
		n = take(v, &t, &next);
		/* a tracepoint's are counted, wherever they are */
		if (vars_nr_hidden(v))
			n = t.size <= 8 && n ? i : 0;
	}
	return n;
}

bool vars_is_given(const struct vars *v, uint64_t number)
{
	unsigned int i, nr = v->arch->nr_args;
	struct next next;
	struct ctype t;

	if (vars_nr_hidden(v))
		return number < v->func.nr_params;
	begin(v, &next);
	for (i = 0; i < v->func.nr_params; i++) {
		kbtf_param(&v->func, i, &t);
		take(v, &t, &next);
	}
	return number <= (number > nr ? nr + next.word : next.reg);
}

/* A number, or nothing but such */
static bool is_real(const struct ctype *t, unsigned int depth)
{
	struct ctype_member member;
	struct ctype element;
	unsigned int i;

	if (t->kind == CTYPE_FLOAT)
		return true;
	if (!depth || !t->size)
		return false;
	if (t->kind == CTYPE_ARRAY) {
		element = ctype_target(t);
		return is_real(&element, depth - 1);
	}
	if (t->kind != CTYPE_STRUCT || t->size > 16)
		return false;
	for (i = 0; ctype_nth(t, i, &member); i++)
		if (!is_real(&member.type, depth - 1))
			return false;
	return i;
}

enum loc_why vars_no_register(const struct vars *v, const struct ctype *t)
{
	if (t->size > 16 || !is_real(t, REAL_DEPTH))
		return LOC_OK;
	/* a long double of x86-64 is not in one of those */
	if (t->kind == CTYPE_FLOAT && t->size > 8 &&
	    !v->arch->large_by_reference)
		return LOC_REGISTER;
	return LOC_VECTOR;
}
