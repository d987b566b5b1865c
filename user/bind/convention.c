// SPDX-License-Identifier: GPL-2.0
/* The calling convention: which of its places each parameter of a function has. */
#include <bpf/btf.h>
#include <string.h>

#include "bind/bind_in.h"
#include "types/btf_types.h"
#include "types/walk.h"

/* ---- what types consist of ------------------------------------------------------------ */

#define PARTS_DEPTH 8	/* structures and arrays inside of each other */
#define PARTS_NR 1024	/* more of them are not looked at */
#define PARTS_MAX 64	/* bytes of what vector registers can have, on arm64 */

/* enum word_class - which registers of x86-64 a word is in; of several, the last wins */
enum word_class {
	CLASS_NONE,
	CLASS_REAL,
	CLASS_NUMBER,
};

/**
 * struct parts - the numbers that a type consists of
 * @class: of its first two words
 * @starts: a bit for each of its first bytes: a floating-point number begins there
 * @real_size: bytes of such a number
 * @nr: how many parts were looked at
 * @has_other: there are other numbers, or floating-point numbers of several sizes
 * @has_x87: there is a long double of x86-64
 * @has_quad: there is another floating-point number of 16 bytes
 * @is_wide: it is aligned to 16 bytes
 * @is_unknown: there is something of which nothing is known
 */
struct parts {
	enum word_class class[2];
	uint64_t starts;
	uint64_t real_size;
	unsigned int nr;
	bool has_other;
	bool has_x87;
	bool has_quad;
	bool is_wide;
	bool is_unknown;
};

/* The bits of a number. */
static void add_number(struct parts *p, enum word_class class, uint64_t at,
		       uint64_t bits)
{
	for (uint64_t i = at / 64; i < 2 && i * 64 < at + bits; i++)
		if (p->class[i] < class)
			p->class[i] = class;
	if (class == CLASS_NUMBER)
		p->has_other = true;
}

static void add_real(struct parts *p, const struct ctype *t, uint64_t at)
{
	const struct btf_type *raw = btf__type_by_id(t->btf, t->id);

	add_number(p, CLASS_REAL, at, t->size * 8);
	if (p->real_size && p->real_size != t->size)
		p->has_other = true;
	p->real_size = t->size;
	if (at / 8 < PARTS_MAX)
		p->starts |= 1ULL << at / 8;
	if (t->size != 16)
		return;
	if (!strcmp(ctype_name_at(t->btf, raw->name_off), TYPED_X87))
		p->has_x87 = true;
	else
		p->has_quad = true;
}

static void add_parts(struct parts *p, const struct ctype *t, uint64_t at,
		      unsigned int depth);

static void add_members(struct parts *p, const struct ctype *t, uint64_t at,
			unsigned int depth)
{
	struct ctype_member m;

	for (unsigned int i = 0; ctype_nth(t, i, &m) && !p->is_unknown; i++) {
		if (m.width)
			add_number(p, CLASS_NUMBER, at + m.offset, m.width);
		else
			add_parts(p, &m.type, at + m.offset, depth);
	}
}

/* The first one says how all of them are aligned. */
static void add_elements(struct parts *p, const struct ctype *t, uint64_t at,
			 unsigned int depth)
{
	struct ctype of = ctype_target(t);
	uint64_t nr = of.size ? t->count : 0;

	for (uint64_t i = 0; i < nr && (!i || at / 8 < PARTS_MAX); i++) {
		add_parts(p, &of, at, depth);
		at += of.size * 8;
	}
}

static void add_parts(struct parts *p, const struct ctype *t, uint64_t at,
		      unsigned int depth)
{
	if (!depth || p->nr++ == PARTS_NR)
		p->is_unknown = true;
	else if (t->kind == CTYPE_STRUCT)
		add_members(p, t, at, depth - 1);
	else if (t->kind == CTYPE_ARRAY)
		add_elements(p, t, at, depth - 1);
	else if (t->kind == CTYPE_FLOAT)
		add_real(p, t, at);
	else if (t->kind == CTYPE_INT || t->kind == CTYPE_POINTER)
		add_number(p, CLASS_NUMBER, at, t->size * 8);
	else
		p->is_unknown = true;
	if (t->size == 16 && (t->kind == CTYPE_INT || t->kind == CTYPE_FLOAT))
		p->is_wide = true;
}

static struct parts parts_of(const struct ctype *t)
{
	struct parts ret = {};

	add_parts(&ret, t, 0, PARTS_DEPTH);
	return ret;
}

static unsigned int count_class(const struct parts *p, enum word_class class)
{
	return (p->class[0] == class) + (p->class[1] == class);
}

/* On arm64, up to 4 floating-point numbers of one size are in as many registers. */
static unsigned int count_alike(const struct ctype *t, const struct parts *p)
{
	unsigned int nr = __builtin_popcountll(p->starts);

	return nr <= 4 && !p->has_other && nr * p->real_size == t->size ? nr : 0;
}

/* ---- parameters ----------------------------------------------------------------------- */

#define NR_REAL 8	/* registers for floating-point numbers */

/**
 * struct next - what the next parameter gets
 * @reg: register
 * @real: register for floating-point numbers
 * @word: of the stack
 * @is_lost: where the one before it went is not known
 */
struct next {
	unsigned int reg;
	unsigned int real;
	unsigned int word;
	bool is_lost;
};

static void take_stack(struct next *next, uint64_t size, bool is_wide)
{
	if (is_wide)
		next->word += next->word % 2;
	next->word += (size + 7) / 8;
}

/*
 * The System V ABI for x86-64: each word of up to two is in a register of its kind,
 * or all is on the stack. That is also where members that are not aligned are.
 */
static unsigned int take_x86_64(const struct vars *v, const struct ctype *t,
				const struct parts *p, struct next *next)
{
	unsigned int regs = count_class(p, CLASS_NUMBER);
	unsigned int reals = p->has_quad ? 1 : count_class(p, CLASS_REAL);
	bool is_number = regs == 1 && !reals && t->size <= 8;

	if (t->size > 16 || p->has_x87 || !ctype_is_aligned(t)) {
		take_stack(next, t->size, p->is_wide);
		return 0;
	}
	if (next->reg + regs <= v->arch->nr_args &&
	    next->real + reals <= NR_REAL) {
		next->reg += regs;
		next->real += reals;
		return is_number ? next->reg : 0;
	}
	take_stack(next, t->size, p->is_wide);
	return is_number ? v->arch->nr_args + next->word : 0;
}

/*
 * AAPCS64: what does not fit into the registers that are left leaves them unused.
 * Of more than 16 bytes there is the address.
 */
static unsigned int take_arm64(const struct vars *v, const struct ctype *t,
			       const struct parts *p, struct next *next)
{
	unsigned int reals = count_alike(t, p), nr = v->arch->nr_args;
	uint64_t size = t->size > 16 ? 8 : t->size;
	bool is_wide = p->is_wide && size == 16;
	unsigned int regs = (size + 7) / 8;

	if (reals && next->real + reals <= NR_REAL) {
		next->real += reals;
		return 0;
	}
	if (reals) {
		next->real = NR_REAL;
		take_stack(next, t->size, p->is_wide);
		return 0;
	}
	if (is_wide)
		next->reg += next->reg % 2;
	if (next->reg + regs <= nr) {
		next->reg += regs;
		return regs == 1 && t->size <= 8 ? next->reg : 0;
	}
	next->reg = nr;
	take_stack(next, size, is_wide);
	return t->size <= 8 ? nr + next->word : 0;
}

/* Vectors are arrays here, and some are in memory. */
static bool is_known(const struct vars *v, const struct ctype *t,
		     const struct parts *p)
{
	if (t->kind == CTYPE_ARRAY)
		return false;
	if (v->arch->large_by_reference)
		return t->size > PARTS_MAX || !p->is_unknown;
	return !p->is_unknown &&
	       (!p->has_quad || (!p->has_other && t->size == 16));
}

/* Return: the N of its $argN; 0: it does not fit there. */
static unsigned int take(const struct vars *v, const struct ctype *t,
			 struct next *next)
{
	struct parts p = parts_of(t);

	if (!is_known(v, t, &p))
		next->is_lost = true;
	if (next->is_lost)
		return 0;
	return v->arch->large_by_reference ? take_arm64(v, t, &p, next) :
					     take_x86_64(v, t, &p, next);
}

/* A complex number is a structure here, of which nothing is known. */
static bool is_opaque(const struct ctype *t)
{
	struct ctype_member m;

	return ctype_nth(t, 0, &m) && m.type.kind == CTYPE_FORWARD;
}

/* On x86-64 a structure that fits into no registers is returned where the first
 * one points.
 */
static void begin(const struct vars *v, struct next *next)
{
	const struct ctype *t = &v->func.returns;
	struct parts p;

	*next = (struct next){};
	if (t->kind != CTYPE_STRUCT || v->arch->large_by_reference ||
	    vars_nr_hidden(v))
		return;
	p = parts_of(t);
	if (p.is_unknown && (t->size <= 16 || is_opaque(t)))
		next->is_lost = true;
	else if (t->size > 16 || !ctype_is_aligned(t) ||
		 (p.has_x87 && p.has_other))
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
	return next.is_lost ||
	       number <= (number > nr ? nr + next.word : next.reg);
}

enum loc_why vars_no_register(const struct vars *v, const struct ctype *t)
{
	struct parts p = parts_of(t);

	if (p.is_unknown)
		return LOC_OK;
	if (v->arch->large_by_reference)
		return count_alike(t, &p) ? LOC_VECTOR : LOC_OK;
	if (t->size > 16 || p.class[0] != CLASS_REAL ||
	    p.class[1] == CLASS_NUMBER || !ctype_is_aligned(t))
		return LOC_OK;
	return p.has_x87 ? LOC_REGISTER : LOC_VECTOR;
}
